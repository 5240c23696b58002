import FoundationEssentials
import HelixCrypto
import HelixModel
import HelixSQLite

extension SQLiteGatewayStore {
    func profile(of user: EntityID) throws -> GatewayProfile { try read { try profile($0, user) } }

    private static func profile(_ row: Row) throws -> GatewayProfile {
        var profile = GatewayProfile()
        (profile.displayName, profile.email, profile.status) = try (row["display_name"], row["email"], row["status"])
        if let type: String = try row["avatar_type"], let hash: String = try row["avatar_hash"] {
            profile.avatar = GatewayProfile.Avatar(sha256: hash, type: type)
        }
        return profile
    }

    func changeProfile(of user: EntityID, _ change: ProfileChange, now: Instant) throws -> GatewayProfile {
        try write { db in
            func set(_ column: String, _ value: (any DatabaseValueConvertible)?) throws {
                try db.execute(sql: "UPDATE user SET \(column) = ? WHERE id = ?", arguments: [value, user.text])
            }
            if let name = change.displayName { try set("display_name", checkedName(db, name, of: user)) }
            if let email = change.email { try set("email", checkedEmail(db, email, of: user)) }
            if let status = change.status { try set("status", checkedStatus(status)) }
            if let bytes = change.avatar {
                guard let type = try SQLiteGatewayStore.imageType(bytes) else {
                    for column in ["avatar", "avatar_type", "avatar_hash"] { try set(column, String?.none) }
                    return try profile(db, user)
                }
                try db.execute(
                    sql: "UPDATE user SET avatar = ?, avatar_type = ?, avatar_hash = ? WHERE id = ?",
                    arguments: [DatabaseValue.blob(Data(bytes)), type, SHA256.hash(bytes).hexadecimal, user.text])
            }
            // Conversations show the names of their members: clients fetch them again.
            if change.displayName != nil {
                try db.execute(
                    sql: "UPDATE member SET version = ? WHERE user = ? AND left_version IS NULL",
                    arguments: [try tick(db), user.text])
            }
            return try profile(db, user)
        }
    }

    private func profile(_ db: Database, _ user: EntityID) throws -> GatewayProfile {
        try Row.fetchOne(
            db, sql: "SELECT display_name, email, status, avatar_type, avatar_hash FROM user WHERE id = ?",
            arguments: [user.text]
        ).map(SQLiteGatewayStore.profile) ?? GatewayProfile()
    }

    /// A displayed name that cannot be mistaken for another user.
    private func checkedName(_ db: Database, _ given: String, of user: EntityID) throws -> String {
        let name = given.trimmingBlanks()
        if name.isEmpty { return "" }
        guard name.count <= GatewayProfile.longestName, SafeName.shown(name) == name else {
            throw HelixError(
                .usage, "invalid displayed name",
                hint: "Use at most \(GatewayProfile.longestName) visible characters.")
        }
        let shape = UserName.shape(name)
        let others = try Row.fetchAll(
            db, sql: "SELECT name, display_name FROM user WHERE id <> ? AND ended_at IS NULL", arguments: [user.text])
        for other in others {
            for taken: String in try [other["name"], other["display_name"]] where !taken.isEmpty {
                guard UserName.shape(taken) == shape else { continue }
                throw HelixError(
                    .conflict, "'\(name)' looks like the name of the user '\(try other["name"] as String)'",
                    hint: "Choose a name that cannot be mistaken for another.")
            }
        }
        return name
    }

    private func checkedEmail(_ db: Database, _ given: String, of user: EntityID) throws -> String {
        let email = given.trimmingBlanks().lowercased()
        if email.isEmpty { return "" }
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        guard email.utf8.count <= 254, SafeName.shown(email).hasPrefix(email.prefix(64)), parts.count == 2,
            !parts[0].isEmpty, parts[1].contains("."), !email.contains(where: \.isWhitespace), !email.contains(":")
        else { throw HelixError(.usage, "invalid e-mail address", hint: "Example: ana@example.org.") }
        let taken = try Bool.fetchOne(
            db, sql: "SELECT 1 FROM user WHERE email = ? AND id <> ?", arguments: [email, user.text])
        if taken == true { throw HelixError(.conflict, "another user has that e-mail address") }
        return email
    }

    private func checkedStatus(_ given: String) throws -> String {
        let status = given.trimmingBlanks()
        guard status.count <= GatewayProfile.longestStatus, !status.unicodeScalars.contains(where: { $0.value < 0x20 })
        else {
            throw HelixError(
                .usage, "invalid status", hint: "Use one line of at most \(GatewayProfile.longestStatus) characters.")
        }
        return status
    }

    /// The media type of a picture by its first bytes; nil for none.
    private static func imageType(_ bytes: [UInt8]) throws -> String? {
        if bytes.isEmpty { return nil }
        guard bytes.count <= GatewayProfile.largestAvatar else {
            throw HelixError(
                .usage, "the picture is larger than \(GatewayProfile.largestAvatar >> 10) KiB",
                hint: "Make it smaller: 256 × 256 pixels are enough.")
        }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        throw HelixError(.usage, "the picture is neither PNG nor JPEG")
    }

    func userName(ofEmail email: String) throws -> String? {
        guard email.contains("@") else { return nil }
        return try read { db in
            try String.fetchOne(db, sql: "SELECT name FROM user WHERE email = ?", arguments: [email.lowercased()])
        }
    }

    func signUp(_ nameOrEmail: String, hash: String, now: Instant) throws -> GatewayUser {
        guard nameOrEmail.contains("@") else { return try addUser(nameOrEmail, hash: hash, isAdmin: false, now: now) }
        return try write { db in
            let email = try checkedEmail(db, nameOrEmail, of: EntityID())
            let signs = email.prefix { $0 != "@" }.map { character in
                character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
                    ? character : "-"
            }
            let base = UserName.isAllowed(String(signs)) ? String(signs.prefix(48)) : "user"
            var shapes = Set(try String.fetchAll(db, sql: "SELECT name FROM user").map(UserName.shape))
            shapes.formUnion(try String.fetchAll(db, sql: "SELECT display_name FROM user").map(UserName.shape))
            let names = [base] + (2...9999).map { "\(base)\($0)" }
            guard let name = names.first(where: { UserName.isAllowed($0) && !shapes.contains(UserName.shape($0)) })
            else { throw HelixError(.conflict, "no user name is left for that address") }
            let user = try addUser(db, name, hash: hash, isAdmin: false, now: now)
            try db.execute(sql: "UPDATE user SET email = ? WHERE id = ?", arguments: [email, user.id.text])
            return user
        }
    }

    func avatar(of user: EntityID) throws -> [UInt8]? {
        try read { db in
            let row = try Row.fetchOne(db, sql: "SELECT avatar FROM user WHERE id = ?", arguments: [user.text])
            guard case .blob(let bytes)? = try row?["avatar"] as DatabaseValue? else { return nil }
            return Array(bytes)
        }
    }

    func people(for user: EntityID, in scope: DirectoryScope) throws -> [GatewayPerson] {
        try read { db in
            let visible =
                switch scope {
                case .all: "1"
                case .off: "user.id = ?1"
                case .members:
                    """
                    user.id = ?1 OR user.id IN (SELECT o.user FROM member me CROSS JOIN member o
                        ON o.conversation = me.conversation WHERE me.user = ?1 AND me.left_version IS NULL
                            AND o.left_version IS NULL)
                    """
                }
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT u.*, p.display_name, p.email, p.status, p.avatar_type, p.avatar_hash,
                        EXISTS (SELECT 1 FROM block b WHERE b.user = ?1 AND b.other = u.id) AS is_blocked
                    FROM (\(SQLiteGatewayStore.userSQL) WHERE is_disabled = 0 AND (\(visible))) u
                    JOIN user p ON p.id = u.id ORDER BY u.name
                    """, arguments: [user.text]
            ).map { row in
                GatewayPerson(
                    user: try SQLiteGatewayStore.user(row), profile: try SQLiteGatewayStore.profile(row),
                    isBlocked: try row["is_blocked"])
            }
        }
    }

    func setBlocked(_ isBlocked: Bool, _ name: String, by user: EntityID, now: Instant) throws -> GatewayUser {
        let other = try self.user(named: name)
        guard other.id != user else { throw HelixError(.usage, "cannot block yourself") }
        try write { db in
            if isBlocked {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO block (user, other, made_at) VALUES (?, ?, ?)",
                    arguments: [user.text, other.id.text, now.seconds])
            } else {
                try db.execute(
                    sql: "DELETE FROM block WHERE user = ? AND other = ?", arguments: [user.text, other.id.text])
            }
            try note(
                db, AuditEntry(isBlocked ? "user.block" : "user.unblock", user: user, detail: other.name), now: now)
        }
        return other
    }

    /// Rejects writing to a user who has blocked the other, or adding them to a group.
    /// - Throws: ``HelixError`` of code `notAllowed`.
    func checkNotBlocked(_ db: Database, _ other: EntityID, by user: EntityID) throws {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT b.user, u.name FROM block b JOIN user u ON u.id = ?1
                WHERE b.user = ?1 AND b.other = ?2 OR b.user = ?2 AND b.other = ?1 ORDER BY b.user = ?2 DESC
                """, arguments: [other.text, user.text])
        guard let row else { return }
        let name: String = try row["name"]
        if try row["user"] as String == user.text {
            throw HelixError(
                .notAllowed, "you have blocked '\(name)'", hint: "Unblock them first: helix chat unblock '\(name)'.")
        }
        throw HelixError(.notAllowed, "'\(name)' does not accept messages from you")
    }

    func endAccount(of user: EntityID, now: Instant) throws {
        guard let known = try self.user(user) else { throw HelixError(.notFound, "unknown user") }
        if known.isAdmin { try setAdmin(false, user: user, now: now) }
        let groups = try read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT m.conversation FROM member m JOIN conversation c ON c.id = m.conversation
                    WHERE m.user = ? AND m.left_version IS NULL AND c.kind = 'group'
                    """, arguments: [user.text])
        }
        for group in groups { _ = try remove(user, from: EntityID(stored: group), by: user, now: now) }
        try setDisabled(true, user: user, now: now)
        try write { db in
            try db.execute(
                sql: """
                    UPDATE user SET password = '', display_name = '', email = '', status = '', avatar = NULL,
                        avatar_type = NULL, avatar_hash = NULL, ended_at = ? WHERE id = ?
                    """, arguments: [now.seconds, user.text])
            for table in ["device", "pairing", "block"] {
                try db.execute(sql: "DELETE FROM \(table) WHERE user = ?", arguments: [user.text])
            }
            try note(db, AuditEntry("user.end", user: user, detail: known.name), now: now)
        }
    }
}
