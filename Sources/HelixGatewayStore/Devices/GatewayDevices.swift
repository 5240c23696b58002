import FoundationEssentials
import HelixCrypto
import HelixModel
import HelixSQLite

/// A device that a user has approved.
public struct GatewayDevice: Hashable, Sendable {
    /// The SHA-256 of its key.
    public var id: String
    /// The public key.
    public var publicKey: String
    /// The name that it sends.
    public var name: String
    /// The platform.
    public var platform: String
    /// The permissions.
    public var scopes: [String]
    /// The time of approval.
    public var createdAt: Instant
    /// The time of its last connection.
    public var seenAt: Instant

    /// Creates a device.
    public init(
        id: String, publicKey: String, name: String, platform: String, scopes: [String], createdAt: Instant,
        seenAt: Instant
    ) {
        (self.id, self.publicKey, self.name, self.platform) = (id, publicKey, name, platform)
        (self.scopes, self.createdAt, self.seenAt) = (scopes, createdAt, seenAt)
    }
}

/// A pairing request of a device.
public struct PairingRequest: Hashable, Sendable {
    /// The identity of the request.
    public var id: String
    /// The user that the device signed in as.
    public var user: EntityID
    /// The device with the requested permissions.
    public var device: GatewayDevice
    /// The address that it connected from.
    public var remote: String
    /// The time of the request.
    public var madeAt: Instant
}

extension PairingRequest {
    /// Whether a text names it: its id or that of the device, or the first characters of one.
    fileprivate func isNamed(_ text: String) -> Bool {
        [id, device.id].contains { $0 == text || text.utf8.count >= 4 && $0.hasPrefix(text) }
    }
}

extension GatewayStore {
    /// The lifetime of an unused token, and of a request.
    public static let tokenLife: Int64 = 60 * 86_400
    static let requestLife: Int64 = 86_400

    /// A user's devices, the most recently connected first.
    /// - Throws: ``HelixError``.
    public func devices(of user: EntityID) throws -> [GatewayDevice] {
        try read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM device WHERE user = ? ORDER BY seen_at DESC, id", arguments: [user.text]
            ).map(GatewayStore.device)
        }
    }

    /// A user's device; nil if it is not approved.
    /// - Throws: ``HelixError``.
    public func device(_ id: String, of user: EntityID) throws -> GatewayDevice? {
        try read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM device WHERE user = ? AND id = ?", arguments: [user.text, id])
                .map(GatewayStore.device)
        }
    }

    /// The user and device of a token, if it is valid.
    /// - Throws: ``HelixError``.
    public func holder(ofToken token: String, now: Instant) throws -> (user: EntityID, device: String)? {
        try read { db in
            try Row.fetchOne(
                db, sql: "SELECT user, device FROM session WHERE token = ? AND expires_at > ?",
                arguments: [GatewayStore.hash(token), now.seconds]
            ).map { try (EntityID(stored: $0["user"]), $0["device"]) }
        }
    }

    /// Approves a device, or changes its permissions.
    /// - Throws: ``HelixError``.
    public func admit(_ device: GatewayDevice, user: EntityID, remote: String, now: Instant) throws {
        try write { db in try admit(db, device, user, remote, now) }
    }

    private func admit(_ db: Database, _ device: GatewayDevice, _ user: EntityID, _ remote: String, _ now: Instant)
        throws
    {
        try db.execute(
            sql: """
                INSERT INTO device (user, id, public_key, name, platform, scopes, created_at, seen_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)
                ON CONFLICT (user, id) DO UPDATE SET name = ?4, platform = ?5, scopes = ?6, seen_at = ?7
                """,
            arguments: [
                user.text, device.id, device.publicKey, device.name, device.platform,
                device.scopes.joined(separator: " "), now.seconds,
            ])
        try db.execute(sql: "DELETE FROM pairing WHERE user = ? AND device = ?", arguments: [user.text, device.id])
        try note(
            db, "device.admit", user: user, device: device.id, remote: remote,
            detail: device.scopes.joined(separator: " "), now: now)
    }

    /// Creates a token for a device and revokes its older ones.
    /// - Parameter epoch: the user's epoch when the device signed in; if its session has ended since, it gets none.
    /// - Throws: ``HelixError`` of code `notAllowed`.
    public func makeToken(for device: String, user: EntityID, epoch: Int64, now: Instant) throws -> String {
        var random = SystemRandomNumberGenerator()
        let token = Data((0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        try write { db in
            let holder = try Row.fetchOne(db, sql: GatewayStore.userSQL + " WHERE id = ?", arguments: [user.text]).map(
                GatewayStore.user)
            guard let holder, holder.admits(device, since: epoch) else {
                throw HelixError(.notAllowed, "the session has ended; sign in again")
            }
            try db.execute(sql: "DELETE FROM session WHERE user = ? AND device = ?", arguments: [user.text, device])
            try db.execute(
                sql: "INSERT INTO session (token, user, device, made_at, expires_at) VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    GatewayStore.hash(token), user.text, device, now.seconds, now.seconds + GatewayStore.tokenLife,
                ])
        }
        return token
    }

    /// Records a device's connection and its present name, and extends its token's lifetime.
    /// - Throws: ``HelixError``.
    public func noteSeen(_ device: String, name: String, user: EntityID, now: Instant) throws {
        try write { db in
            try db.execute(
                sql: "UPDATE device SET seen_at = ?, name = ? WHERE user = ? AND id = ?",
                arguments: [now.seconds, name, user.text, device])
            // A token expires for good after a year: then the password is needed again.
            try db.execute(
                sql: """
                    UPDATE session SET expires_at = min(made_at + 365 * 86400, ?) WHERE user = ? AND device = ?
                    """, arguments: [now.seconds + GatewayStore.tokenLife, user.text, device])
        }
    }

    /// Removes a device and revokes its tokens.
    /// - Returns: whether it was approved before.
    /// - Throws: ``HelixError``.
    @discardableResult
    public func revoke(_ device: String, user: EntityID, now: Instant) throws -> Bool {
        try write { db in
            try db.execute(sql: "DELETE FROM device WHERE user = ? AND id = ?", arguments: [user.text, device])
            let isDone = db.changedRows > 0
            if isDone { try note(db, "device.revoke", user: user, device: device, now: now) }
            return isDone
        }
    }

    /// Records a device's pairing request; a repeated request keeps its identity.
    /// - Returns: the identity of the request.
    /// - Throws: ``HelixError``: `busy` if too many are pending already.
    public func requestPairing(_ device: GatewayDevice, user: EntityID, remote: String, now: Instant) throws -> String {
        try write { db in
            try db.execute(
                sql: "DELETE FROM pairing WHERE made_at < ?", arguments: [now.seconds - GatewayStore.requestLife])
            // The request's id identifies everything that is requested: a different request has a new id, and an approval of the
            // earlier one has no effect on it.
            let scopes = device.scopes.joined(separator: " ")
            let known = try String.fetchOne(
                db,
                sql: """
                    SELECT id FROM pairing WHERE user = ? AND device = ? AND public_key = ? AND scopes = ? AND name = ?
                        AND platform = ?
                    """, arguments: [user.text, device.id, device.publicKey, scopes, device.name, device.platform])
            if known == nil,
                try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM pairing WHERE user = ?", arguments: [user.text]) ?? 0
                    >= 20
            {
                throw HelixError(
                    .busy, "too many pairing requests", hint: "List them with 'helix gateway devices'.")
            }
            let id = known ?? EntityID().text
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO pairing (id, user, device, public_key, name, platform, scopes, remote, made_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    id, user.text, device.id, device.publicKey, device.name, device.platform, scopes, remote,
                    now.seconds,
                ])
            if known == nil {
                try note(db, "device.request", user: user, device: device.id, remote: remote, now: now)
            }
            return id
        }
    }

    /// The pending requests, of one user or of all.
    /// - Throws: ``HelixError``.
    public func pairings(of user: EntityID? = nil, now: Instant) throws -> [PairingRequest] {
        try read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM pairing WHERE made_at >= ?1 AND (?2 IS NULL OR user = ?2) ORDER BY made_at",
                arguments: [now.seconds - GatewayStore.requestLife, user?.text]
            ).map { row in
                try PairingRequest(
                    id: row["id"], user: EntityID(stored: row["user"]),
                    device: GatewayDevice(
                        id: row["device"], publicKey: row["public_key"], name: row["name"], platform: row["platform"],
                        scopes: GatewayStore.words(row["scopes"]), createdAt: Instant(row["made_at"]),
                        seenAt: Instant(row["made_at"])),
                    remote: row["remote"], madeAt: Instant(row["made_at"]))
            }
        }
    }

    /// Approves or rejects a request.
    /// - Parameter scopes: the permissions of the device, if fewer than requested.
    /// - Throws: ``HelixError`` of code `notFound`, also for another user's request.
    public func answer(
        pairing id: String, of user: EntityID?, admits: Bool, scopes: [String]? = nil, now: Instant
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
        try write { db in
            // The request may have been answered or replaced in the meantime.
            try db.execute(sql: "DELETE FROM pairing WHERE id = ?", arguments: [chosen.id])
            guard db.changedRows == 1 else { throw unknown() }
            if admits { return try admit(db, chosen.device, chosen.user, chosen.remote, now) }
            try note(db, "device.reject", user: chosen.user, device: chosen.device.id, now: now)
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
