import HelixModel
import HelixSQLite

extension SQLAccountStore {
    func addUser(_ name: String, hash: String, isAdmin: Bool, now: Instant) throws -> GatewayUser {
        guard UserName.isAllowed(name) else {
            throw HelixError(
                .usage, "'\(SafeName.shown(name))' is not a valid user name",
                hint: "Use 1 to 64 letters of one script, digits and signs, without blanks and : / | , @.")
        }
        return try writing { db in try addUser(db, name, hash: hash, isAdmin: isAdmin, now: now) }
    }

    /// Adds a user whose name cannot be mistaken for another user's name or displayed name.
    func addUser(
        _ db: any GatewayDatabase, _ name: String, hash: String, isAdmin: Bool, id: EntityID = EntityID(), now: Instant
    ) throws -> GatewayUser {
        if let holder = try holder(db, .shape, of: UserName.shape(name)) {
            let other = try self.name(db, of: holder)
            throw HelixError(
                .conflict,
                other == name ? "the user '\(name)' already exists" : "'\(name)' looks like the user '\(other)'",
                hint: "Choose a name that cannot be mistaken for another.")
        }
        let isFirst = try Int.fetchOne(db, sql: "SELECT 1 FROM \"user\" LIMIT 1") == nil
        try db.execute(
            sql: "INSERT INTO \"user\" (id, name, password, is_admin, created_at) VALUES (?, ?, ?, ?, ?)",
            arguments: [id.text, name, hash, isAdmin || isFirst, now.seconds])
        try take(db, .name, UserName.key(name), for: id)
        try take(db, .shape, UserName.shape(name), for: id)
        try note(db, AuditEntry("user.add", user: id, detail: name), now: now)
        return GatewayUser(
            id: id, name: name, isAdmin: isAdmin || isFirst, isDisabled: false, createdAt: now, deviceCount: 0)
    }

    func users() throws -> [GatewayUser] {
        try reading { db in
            try Row.fetchAll(db, sql: Self.userSQL).map(Self.user)
        }.sorted { UserName.key($0.name) < UserName.key($1.name) }
    }

    func hasUsers() throws -> Bool {
        try reading { try Int.fetchOne($0, sql: "SELECT 1 FROM \"user\" LIMIT 1") != nil }
    }

    func user(named name: String) throws -> GatewayUser {
        guard let user = try reading({ try user($0, named: name) }) else {
            throw HelixError(.notFound, "unknown user '\(name)'", hint: "List all with 'helix gateway user list'.")
        }
        return user
    }

    func user(_ id: EntityID) throws -> GatewayUser? {
        try reading { db in
            try Row.fetchOne(db, sql: Self.userSQL + " WHERE id = ?", arguments: [id.text]).map(Self.user)
        }
    }

    func passwordHash(ofUser name: String) throws -> String? {
        try reading { db in
            guard let user = try holder(db, .name, of: UserName.key(name)) else { return nil }
            return try String.fetchOne(
                db, sql: "SELECT password FROM \"user\" WHERE id = ?", arguments: [user.text])
        }
    }

    func setPassword(of user: EntityID, hash: String, keeping device: String?, now: Instant) throws {
        try writing { db in
            try db.execute(sql: "UPDATE \"user\" SET password = ? WHERE id = ?", arguments: [hash, user.text])
            try endSessions(db, user, keeping: device)
            try note(db, AuditEntry("user.password", user: user), now: now)
        }
    }

    func setAdmin(_ isAdmin: Bool, user: EntityID, now: Instant) throws {
        try writing { db in
            try lockAdministrators(db)
            let others = try Int.fetchOne(
                db, sql: "SELECT 1 FROM \"user\" WHERE is_admin = 1 AND is_disabled = 0 AND id <> ? LIMIT 1",
                arguments: [user.text])
            guard isAdmin || others != nil else {
                throw HelixError(.conflict, "no other user is an administrator", hint: "Make another user one first.")
            }
            try db.execute(sql: "UPDATE \"user\" SET is_admin = ? WHERE id = ?", arguments: [isAdmin, user.text])
            try endSessions(db, user)
            try note(db, AuditEntry(isAdmin ? "user.admin" : "user.plain", user: user), now: now)
        }
    }

    /// Ends all sessions of a user, and revokes their tokens.
    private func endSessions(_ db: any GatewayDatabase, _ user: EntityID, keeping device: String? = nil) throws {
        try db.execute(
            sql: """
                UPDATE "user" SET kept_since = CASE WHEN kept_device = ?1 THEN kept_since ELSE epoch END,
                    epoch = epoch + 1, kept_device = ?1 WHERE id = ?2
                """, arguments: [device, user.text])
        try db.execute(
            sql: "DELETE FROM session WHERE \"user\" = ? AND device <> ?", arguments: [user.text, device ?? ""])
    }

    func setDisabled(_ isDisabled: Bool, user: EntityID, now: Instant) throws {
        try writing { db in
            let hasEnded = try Bool.fetchOne(
                db, sql: "SELECT ended_at IS NOT NULL FROM \"user\" WHERE id = ?", arguments: [user.text])
            guard isDisabled || hasEnded != true else {
                throw HelixError(.conflict, "the user has ended the account; it cannot be enabled again")
            }
            try db.execute(sql: "UPDATE \"user\" SET is_disabled = ? WHERE id = ?", arguments: [isDisabled, user.text])
            if isDisabled { try endSessions(db, user) }
            try note(db, AuditEntry(isDisabled ? "user.disable" : "user.enable", user: user), now: now)
        }
    }

    static var userSQL: String {
        """
        SELECT id, name, is_admin, is_disabled, created_at, epoch, kept_device, kept_since,
            (SELECT COUNT(*) FROM device WHERE device."user" = "user".id) AS devices FROM "user"
        """
    }

    static func user(_ row: Row) throws -> GatewayUser {
        try GatewayUser(
            id: EntityID(stored: row["id"]), name: row["name"], isAdmin: row["is_admin"],
            isDisabled: row["is_disabled"],
            createdAt: Instant(row["created_at"]), deviceCount: row["devices"], epoch: row["epoch"],
            keptDevice: row["kept_device"], keptSince: row["kept_since"])
    }

    private func user(_ db: any GatewayDatabase, named name: String) throws -> GatewayUser? {
        guard let id = try holder(db, .name, of: UserName.key(name)) else { return nil }
        return try Row.fetchOne(db, sql: Self.userSQL + " WHERE id = ?", arguments: [id.text]).map(Self.user)
    }
}
