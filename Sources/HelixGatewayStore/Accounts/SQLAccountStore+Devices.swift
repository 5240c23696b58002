import FoundationEssentials
import HelixCrypto
import HelixModel
import HelixSQLite

extension SQLAccountStore {
    func devices(of user: EntityID) throws -> [GatewayDevice] {
        try reading { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM device WHERE \"user\" = ? ORDER BY seen_at DESC, id", arguments: [user.text]
            ).map(Self.device)
        }
    }

    func device(_ id: String, of user: EntityID) throws -> GatewayDevice? {
        try reading { db in
            try Row.fetchOne(
                db, sql: "SELECT * FROM device WHERE \"user\" = ? AND id = ?", arguments: [user.text, id]
            ).map(Self.device)
        }
    }

    func holder(ofToken token: String, now: Instant) throws -> (user: EntityID, device: String)? {
        try reading { db in
            // A token begins with its user; those of earlier versions do not.
            let user = token.firstIndex(of: ".").flatMap { EntityID(String(token[..<$0])) }
            return try Row.fetchOne(
                db,
                sql: """
                    SELECT "user", device FROM session WHERE token = ? AND expires_at > ?
                    """ + (user == nil ? "" : " AND \"user\" = ?"),
                arguments: [Self.hash(token), now.seconds] + (user.map { [$0.text] } ?? [])
            ).map { try (EntityID(stored: $0["user"]), $0["device"]) }
        }
    }

    func admit(_ device: GatewayDevice, user: EntityID, remote: String, now: Instant) throws {
        try writing { db in try admit(db, device, user, remote, now) }
    }

    private func admit(
        _ db: any GatewayDatabase, _ device: GatewayDevice, _ user: EntityID, _ remote: String, _ now: Instant
    )
        throws
    {
        try db.execute(
            sql: """
                INSERT INTO device ("user", id, public_key, name, platform, scopes, created_at, seen_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)
                ON CONFLICT ("user", id) DO UPDATE SET name = ?4, platform = ?5, scopes = ?6, seen_at = ?7
                """,
            arguments: [
                user.text, device.id, device.publicKey, device.name, device.platform,
                device.scopes.joined(separator: " "), now.seconds,
            ])
        try db.execute(sql: "DELETE FROM pairing WHERE \"user\" = ? AND device = ?", arguments: [user.text, device.id])
        try note(
            db,
            AuditEntry(
                "device.admit", user: user, device: device.id, remote: remote,
                detail: device.scopes.joined(separator: " ")), now: now)
    }

    func makeToken(for device: String, user: EntityID, epoch: Int64, now: Instant) throws -> String {
        var random = SystemRandomNumberGenerator()
        let secret = Data((0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        let token = "\(user.text).\(secret)"
        try writing { db in
            // Another gateway that ends the user's sessions waits for this, or is waited for.
            try db.execute(sql: "UPDATE \"user\" SET epoch = epoch WHERE id = ?", arguments: [user.text])
            let holder = try Row.fetchOne(db, sql: Self.userSQL + " WHERE id = ?", arguments: [user.text])
                .map(Self.user)
            guard let holder, holder.admits(device, since: epoch) else {
                throw HelixError(.notAllowed, "the session has ended; sign in again")
            }
            try db.execute(
                sql: "DELETE FROM session WHERE \"user\" = ? AND device = ?", arguments: [user.text, device])
            try db.execute(
                sql: "INSERT INTO session (token, \"user\", device, made_at, expires_at) VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    Self.hash(token), user.text, device, now.seconds,
                    now.seconds + GatewayLimits.tokenLife,
                ])
        }
        return token
    }

    func noteSeen(_ device: String, name: String?, user: EntityID, now: Instant) throws {
        try writing { db in
            try db.execute(
                sql: """
                    UPDATE device SET seen_at = ?, name = coalesce(CAST(? AS TEXT), name) WHERE "user" = ? AND id = ?
                    """,
                arguments: [now.seconds, name, user.text, device])
            // A token expires for good after a year: then the password is needed again.
            try db.execute(
                sql: """
                    UPDATE session SET expires_at =
                        CASE WHEN made_at + 365 * 86400 < ?1 THEN made_at + 365 * 86400 ELSE ?1 END
                    WHERE "user" = ?2 AND device = ?3
                    """, arguments: [now.seconds + GatewayLimits.tokenLife, user.text, device])
        }
    }

    func revoke(_ device: String, user: EntityID, now: Instant) throws -> Bool {
        try writing { db in
            for table in ["session", "push_target"] {
                try db.execute(
                    sql: "DELETE FROM \(table) WHERE \"user\" = ? AND device = ?", arguments: [user.text, device])
            }
            try db.execute(sql: "DELETE FROM device WHERE \"user\" = ? AND id = ?", arguments: [user.text, device])
            let isDone = db.changedRows > 0
            if isDone { try note(db, AuditEntry("device.revoke", user: user, device: device), now: now) }
            return isDone
        }
    }

    func requestPairing(_ device: GatewayDevice, user: EntityID, remote: String, now: Instant) throws -> String {
        try writing { db in
            try db.execute(
                sql: "DELETE FROM pairing WHERE \"user\" = ? AND made_at < ?",
                arguments: [user.text, now.seconds - GatewayLimits.requestLife])
            // The request's id identifies everything that is requested: a different request has a new id, and an approval of the
            // earlier one has no effect on it.
            let scopes = device.scopes.joined(separator: " ")
            let known = try String.fetchOne(
                db,
                sql: """
                    SELECT id FROM pairing WHERE "user" = ? AND device = ? AND public_key = ? AND scopes = ? AND name = ?
                        AND platform = ?
                    """, arguments: [user.text, device.id, device.publicKey, scopes, device.name, device.platform])
            if known == nil,
                try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM pairing WHERE \"user\" = ?", arguments: [user.text])
                    ?? 0
                    >= GatewayLimits.pairings
            {
                throw HelixError(
                    .busy, "too many pairing requests", hint: "List them with 'helix gateway devices'.")
            }
            let id = known ?? EntityID().text
            try db.execute(
                sql: "DELETE FROM pairing WHERE \"user\" = ? AND device = ?", arguments: [user.text, device.id])
            try db.execute(
                sql: """
                    INSERT INTO pairing (id, "user", device, public_key, name, platform, scopes, remote, made_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    id, user.text, device.id, device.publicKey, device.name, device.platform, scopes, remote,
                    now.seconds,
                ])
            if known == nil {
                try note(db, AuditEntry("device.request", user: user, device: device.id, remote: remote), now: now)
            }
            return id
        }
    }

    func pairings(of user: EntityID?, now: Instant) throws -> [PairingRequest] {
        try reading { db in
            try Row.fetchAll(
                db,
                sql: "SELECT * FROM pairing WHERE made_at >= ?1" + (user == nil ? "" : " AND \"user\" = ?2")
                    + " ORDER BY made_at",
                arguments: [now.seconds - GatewayLimits.requestLife] + (user.map { [$0.text] } ?? [])
            ).map { row in
                try PairingRequest(
                    id: row["id"], user: EntityID(stored: row["user"]),
                    device: GatewayDevice(
                        id: row["device"], publicKey: row["public_key"], name: row["name"], platform: row["platform"],
                        scopes: Self.words(row["scopes"]), createdAt: Instant(row["made_at"]),
                        seenAt: Instant(row["made_at"])),
                    remote: row["remote"], madeAt: Instant(row["made_at"]))
            }
        }
    }

    func answer(
        pairing id: String, of user: EntityID?, admits: Bool, scopes: [String]?, now: Instant
    ) throws -> PairingRequest {
        let found = try pairings(of: user, now: now).filter { $0.isNamed(id) }
        func unknown() -> HelixError {
            HelixError(
                .notFound, "unknown pairing request '\(id)'",
                hint: "List the requests with 'helix gateway devices'.")
        }
        guard var request = found.first, found.count == 1 else { throw unknown() }
        if let scopes { request.device.scopes = scopes }
        let chosen = request
        try writing { db in
            // The request may have been answered or replaced in the meantime.
            try db.execute(
                sql: "DELETE FROM pairing WHERE \"user\" = ? AND id = ?", arguments: [chosen.user.text, chosen.id])
            guard db.changedRows == 1 else { throw unknown() }
            if admits { return try admit(db, chosen.device, chosen.user, chosen.remote, now) }
            try note(db, AuditEntry("device.reject", user: chosen.user, device: chosen.device.id), now: now)
        }
        return request
    }

    private static func device(_ row: Row) throws -> GatewayDevice {
        try GatewayDevice(
            id: row["id"], publicKey: row["public_key"], name: row["name"], platform: row["platform"],
            scopes: words(row["scopes"]), createdAt: Instant(row["created_at"]), seenAt: Instant(row["seen_at"]))
    }

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    /// The stored form of a token: a reader of the store learns no token.
    private static func hash(_ token: String) -> String {
        SHA256.hash(Data(token.utf8)).hexadecimal
    }
}
