import CSodium
import FoundationEssentials
import HelixModel
import HelixSQLite

/// A user of a gateway.
public struct GatewayUser: Hashable, Sendable {
    /// The identity.
    public var id: EntityID
    /// The user name for signing in.
    public var name: String
    /// Whether they are an administrator.
    public var isAdmin: Bool
    /// Whether they are disabled.
    public var isDisabled: Bool
    /// The time of creation.
    public var createdAt: Instant
    /// The number of approved devices.
    public var deviceCount: Int
    /// The epoch: incremented to end all of the user's sessions.
    public var epoch: Int64 = 0
    /// The device that stays signed in although the epoch was incremented, because it initiated that.
    public var keptDevice: String?
    /// The epoch since which that device stays signed in.
    public var keptSince: Int64 = 0

    /// Whether a device that signed in at an epoch is still signed in.
    public func admits(_ device: String, since epoch: Int64) -> Bool {
        !isDisabled && (epoch == self.epoch || device == keptDevice && epoch >= keptSince)
    }
}

/// Passwords, hashed with Argon2id by libsodium.
public enum GatewayPassword {
    /// The hash of a password.
    /// - Throws: ``HelixError``: `usage` for one that is too short or too long, `unexpected`.
    public static func hash(_ password: String) throws -> String {
        guard (8...1024).contains(password.utf8.count) else {
            throw HelixError(.usage, "a password has 8 to 1024 bytes", hint: "Use a few unrelated words.")
        }
        var room = [CChar](repeating: 0, count: Int(HELIX_PASSWORD_HASH_SIZE))
        switch helix_password_hash(&room, password, password.utf8.count) {
        case 1: return String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        case 0: throw HelixError(.unexpected, "not enough memory to hash a password")
        default: throw missing
        }
    }

    /// Whether a password matches a hash. A missing hash takes as long, so as not to reveal which users exist.
    /// - Throws: ``HelixError`` of code `unexpected`.
    public static func isRight(_ password: String, _ hash: String?) throws -> Bool {
        guard password.utf8.count <= 1024 else { return false }
        let code = helix_password_is_right(hash ?? nobody, password, password.utf8.count)
        if code < 0 { throw missing }
        return code == 1 && hash != nil
    }

    /// A hash that no password matches.
    private static let nobody =
        "$argon2id$v=19$m=65536,t=3,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    private static let missing = HelixError(
        .configuration, "cannot open libsodium, which hashes the passwords",
        hint: "Install it with 'apt-get install libsodium23'.")
}

extension GatewayStore {
    /// Creates a user; the first one becomes an administrator.
    /// - Parameter hash: the password's hash, made by ``GatewayPassword/hash(_:)``.
    /// - Throws: ``HelixError``: `usage` for an invalid name, `conflict` for one that is taken.
    @discardableResult
    public func addUser(_ name: String, hash: String, isAdmin: Bool = false, now: Instant) throws -> GatewayUser {
        guard UserName.isAllowed(name) else {
            throw HelixError(
                .usage, "'\(SafeName.shown(name))' is not a valid user name",
                hint: "Use 1 to 64 letters of one script, digits and signs, without blanks and : / | , @.")
        }
        let id = EntityID()
        return try write { db in
            let shape = UserName.shape(name)
            let taken = try String.fetchAll(db, sql: "SELECT name FROM user").first { UserName.shape($0) == shape }
            if let taken {
                throw HelixError(
                    .conflict,
                    taken == name ? "the user '\(name)' already exists" : "'\(name)' looks like the user '\(taken)'",
                    hint: "Choose a name that cannot be mistaken for another.")
            }
            let isFirst = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM user") == 0
            try db.execute(
                sql: "INSERT INTO user (id, name, password, is_admin, created_at) VALUES (?, ?, ?, ?, ?)",
                arguments: [id.text, name, hash, isAdmin || isFirst, now.seconds])
            try note(db, "user.add", user: id, detail: name, now: now)
            return GatewayUser(
                id: id, name: name, isAdmin: isAdmin || isFirst, isDisabled: false, createdAt: now, deviceCount: 0)
        }
    }

    /// All users, by name.
    /// - Throws: ``HelixError``.
    public func users() throws -> [GatewayUser] {
        try read { db in try Row.fetchAll(db, sql: GatewayStore.userSQL + " ORDER BY name").map(GatewayStore.user) }
    }

    /// The user with a name.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func user(named name: String) throws -> GatewayUser {
        guard let user = try read({ try user($0, named: name) }) else {
            throw HelixError(.notFound, "unknown user '\(name)'", hint: "List all with 'helix gateway user list'.")
        }
        return user
    }

    /// The user with an identity; nil if there is none.
    /// - Throws: ``HelixError``.
    public func user(_ id: EntityID) throws -> GatewayUser? {
        try read { db in
            try Row.fetchOne(db, sql: GatewayStore.userSQL + " WHERE id = ?", arguments: [id.text]).map(
                GatewayStore.user)
        }
    }

    /// The hash of a user's password; nil if there is no such user.
    /// - Throws: ``HelixError``.
    public func passwordHash(ofUser name: String) throws -> String? {
        try read { try String.fetchOne($0, sql: "SELECT password FROM user WHERE name = ?", arguments: [name]) }
    }

    /// Sets a user's password. Ends all their sessions and revokes their tokens.
    /// - Parameter device: the device that stays signed in, because it knew both passwords.
    /// - Throws: ``HelixError``.
    public func setPassword(of user: EntityID, hash: String, keeping device: String? = nil, now: Instant) throws {
        try write { db in
            try db.execute(sql: "UPDATE user SET password = ? WHERE id = ?", arguments: [hash, user.text])
            try endSessions(db, user, keeping: device)
            try note(db, "user.password", user: user, now: now)
        }
    }

    /// Makes a user an administrator, or revokes that. Ends all their sessions.
    /// - Throws: ``HelixError``: `conflict` if no administrator would be left.
    public func setAdmin(_ isAdmin: Bool, user: EntityID, now: Instant) throws {
        try write { db in
            let others = try Int.fetchOne(
                db, sql: "SELECT COUNT(*) FROM user WHERE is_admin = 1 AND is_disabled = 0 AND id <> ?",
                arguments: [user.text])
            guard isAdmin || others ?? 0 > 0 else {
                throw HelixError(.conflict, "no other user is an administrator", hint: "Make another user one first.")
            }
            try db.execute(sql: "UPDATE user SET is_admin = ? WHERE id = ?", arguments: [isAdmin, user.text])
            try endSessions(db, user)
            try note(db, isAdmin ? "user.admin" : "user.plain", user: user, now: now)
        }
    }

    /// Ends all sessions of a user, and revokes their tokens.
    private func endSessions(_ db: Database, _ user: EntityID, keeping device: String? = nil) throws {
        try db.execute(
            sql: """
                UPDATE user SET kept_since = CASE WHEN kept_device = ?1 THEN kept_since ELSE epoch END,
                    epoch = epoch + 1, kept_device = ?1 WHERE id = ?2
                """, arguments: [device, user.text])
        try db.execute(
            sql: "DELETE FROM session WHERE user = ? AND device IS NOT ?", arguments: [user.text, device])
    }

    /// Disables or enables a user. A disabled user is signed out everywhere.
    /// - Throws: ``HelixError``.
    public func setDisabled(_ isDisabled: Bool, user: EntityID, now: Instant) throws {
        try write { db in
            try db.execute(sql: "UPDATE user SET is_disabled = ? WHERE id = ?", arguments: [isDisabled, user.text])
            if isDisabled { try endSessions(db, user) }
            try note(db, isDisabled ? "user.disable" : "user.enable", user: user, now: now)
        }
    }

    /// Appends to the audit log of users and devices.
    /// - Throws: ``HelixError``.
    public func audit(
        _ action: String, user: EntityID? = nil, device: String? = nil, remote: String? = nil, detail: String = "",
        now: Instant
    ) throws {
        try write { try note($0, action, user: user, device: device, remote: remote, detail: detail, now: now) }
    }

    /// The number of the audit log's last entry: it increases with every change to users and devices.
    /// - Throws: ``HelixError``.
    public func lastAudit() throws -> Int64 {
        try read { try Int64.fetchOne($0, sql: "SELECT MAX(n) FROM audit") ?? 0 }
    }

    /// Removes entries older than a year from the audit log.
    /// - Throws: ``HelixError``.
    public func sweepAudit(now: Instant) throws {
        try write { db in
            // Entries are sorted: the scan starts at the oldest and stops early.
            try db.execute(
                sql: "DELETE FROM audit WHERE n < (SELECT n FROM audit WHERE at >= ? ORDER BY n LIMIT 1)",
                arguments: [now.seconds - 366 * 86_400])
        }
    }

    func note(
        _ db: Database, _ action: String, user: EntityID? = nil, device: String? = nil, remote: String? = nil,
        detail: String = "", now: Instant
    ) throws {
        try db.execute(
            sql: "INSERT INTO audit (at, user, device, remote, action, detail) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [now.seconds, user?.text, device, remote, action, detail])
    }

    static let userSQL = """
        SELECT id, name, is_admin, is_disabled, created_at, epoch, kept_device, kept_since,
            (SELECT COUNT(*) FROM device WHERE device.user = user.id) AS devices FROM user
        """

    static func user(_ row: Row) throws -> GatewayUser {
        try GatewayUser(
            id: EntityID(stored: row["id"]), name: row["name"], isAdmin: row["is_admin"],
            isDisabled: row["is_disabled"],
            createdAt: Instant(row["created_at"]), deviceCount: row["devices"], epoch: row["epoch"],
            keptDevice: row["kept_device"], keptSince: row["kept_since"])
    }

    private func user(_ db: Database, named name: String) throws -> GatewayUser? {
        try Row.fetchOne(db, sql: GatewayStore.userSQL + " WHERE name = ?", arguments: [name]).map(GatewayStore.user)
    }
}
