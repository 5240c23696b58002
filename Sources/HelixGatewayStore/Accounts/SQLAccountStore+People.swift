import FoundationEssentials
import HelixCrypto
import HelixModel
import HelixSQLite

extension SQLAccountStore {
    func profile(of user: EntityID) throws -> GatewayProfile { try reading { try profile($0, user) } }

    private static func profile(_ row: Row) throws -> GatewayProfile {
        var profile = GatewayProfile()
        (profile.displayName, profile.email, profile.status) = try (row["display_name"], row["email"], row["status"])
        if let type: String = try row["avatar_type"], let hash: String = try row["avatar_hash"] {
            profile.avatar = GatewayProfile.Avatar(sha256: hash, type: type)
        }
        return profile
    }

    func changeProfile(of user: EntityID, _ change: ProfileChange, now: Instant) throws -> GatewayProfile {
        try writing { db in
            func set(_ column: String, _ value: (any DatabaseValueConvertible)?) throws {
                try db.execute(sql: "UPDATE \"user\" SET \(column) = ? WHERE id = ?", arguments: [value, user.text])
            }
            if let name = change.displayName { try set("display_name", checkedName(db, name, of: user)) }
            // Conversations show the names of their members: clients fetch them again.
            if change.displayName != nil { try noteNameChange(db, of: user) }
            if let email = change.email { try set("email", checkedEmail(db, email, of: user)) }
            if let status = change.status { try set("status", checkedStatus(status)) }
            if let bytes = change.avatar {
                guard let type = try Self.imageType(bytes) else {
                    for column in ["avatar", "avatar_type", "avatar_hash"] { try set(column, String?.none) }
                    return try profile(db, user)
                }
                try db.execute(
                    sql: "UPDATE \"user\" SET avatar = ?, avatar_type = ?, avatar_hash = ? WHERE id = ?",
                    arguments: [DatabaseValue.blob(Data(bytes)), type, SHA256.hash(bytes).hexadecimal, user.text])
            }
            return try profile(db, user)
        }
    }

    private func profile(_ db: any GatewayDatabase, _ user: EntityID) throws -> GatewayProfile {
        try Row.fetchOne(
            db, sql: "SELECT display_name, email, status, avatar_type, avatar_hash FROM \"user\" WHERE id = ?",
            arguments: [user.text]
        ).map(Self.profile) ?? GatewayProfile()
    }

    /// A displayed name that cannot be mistaken for another user.
    private func checkedName(_ db: any GatewayDatabase, _ given: String, of user: EntityID) throws -> String {
        let name = given.trimmingBlanks()
        let own = try Row.fetchOne(
            db, sql: "SELECT name, display_name FROM \"user\" WHERE id = ?", arguments: [user.text])
        let (userName, former): (String, String) = try (own?["name"] ?? "", own?["display_name"] ?? "")
        func forgetFormer() throws {
            guard UserName.shape(former) != UserName.shape(userName) else { return }
            try release(db, .shape, UserName.shape(former), of: user)
        }
        if name.isEmpty {
            try forgetFormer()
            return ""
        }
        guard name.count <= GatewayProfile.longestName, SafeName.shown(name) == name else {
            throw HelixError(
                .usage, "invalid displayed name",
                hint: "Use at most \(GatewayProfile.longestName) visible characters.")
        }
        let shape = UserName.shape(name)
        if let holder = try holder(db, .shape, of: shape), holder != user {
            throw HelixError(
                .conflict, "'\(name)' looks like the name of the user '\(try self.name(db, of: holder))'",
                hint: "Choose a name that cannot be mistaken for another.")
        }
        try forgetFormer()
        try take(db, .shape, shape, for: user)
        return name
    }

    private func checkedEmail(_ db: any GatewayDatabase, _ given: String, of user: EntityID) throws -> String {
        let email = given.trimmingBlanks().lowercased()
        let former = try String.fetchOne(
            db, sql: "SELECT email FROM \"user\" WHERE id = ?", arguments: [user.text])
        if let former, former != email { try release(db, .email, former, of: user) }
        if email.isEmpty { return "" }
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        guard email.utf8.count <= 254, SafeName.shown(email).hasPrefix(email.prefix(64)), parts.count == 2,
            !parts[0].isEmpty, parts[1].contains("."), !email.contains(where: \.isWhitespace), !email.contains(":")
        else { throw HelixError(.usage, "invalid e-mail address", hint: "Example: ana@example.org.") }
        if let holder = try holder(db, .email, of: email), holder != user {
            throw HelixError(.conflict, "another user has that e-mail address")
        }
        try take(db, .email, email, for: user)
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
        return try reading { db in
            try holder(db, .email, of: email.lowercased()).map { try name(db, of: $0) }
        }
    }

    func signUp(_ nameOrEmail: String, hash: String, now: Instant) throws -> GatewayUser {
        guard nameOrEmail.contains("@") else { return try addUser(nameOrEmail, hash: hash, isAdmin: false, now: now) }
        return try writing { db in
            let id = EntityID()
            let email = try checkedEmail(db, nameOrEmail, of: id)
            let name = try freeName(db, from: String(email.prefix { $0 != "@" }))
            let user = try addUser(db, name, hash: hash, isAdmin: false, id: id, now: now)
            try db.execute(sql: "UPDATE \"user\" SET email = ? WHERE id = ?", arguments: [email, user.id.text])
            return user
        }
    }

    /// A user name that nobody has, derived from a text.
    private func freeName(_ db: any GatewayDatabase, from text: String) throws -> String {
        let signs = text.map { character in
            character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
                ? character : "-"
        }
        let base = UserName.isAllowed(String(signs)) ? String(signs.prefix(48)) : "user"
        // The first numbers in their order; where those are taken, there are many users of that name.
        let numbers = (2...20).map { $0 } + (0..<40).map { _ in Int.random(in: 21...999_999) }
        let names = [base] + numbers.map { "\(base)\($0)" }
        let free = try names.first { name in
            try UserName.isAllowed(name) && holder(db, .shape, of: UserName.shape(name)) == nil
        }
        guard let free else { throw HelixError(.conflict, "no user name is left for that address") }
        return free
    }

    func user(
        ofSubject subject: String, email: String?, name: String?, now: Instant
    ) throws -> (user: GatewayUser, isNew: Bool) {
        for _ in 0..<4 {
            // The same token may arrive at several gateways at once; whoever is second finds the user.
            do { return try once(ofSubject: subject, email: email, name: name, now: now) } catch let error as HelixError
                where error.code == .conflict
            {}
        }
        return try once(ofSubject: subject, email: email, name: name, now: now)
    }

    private func once(
        ofSubject subject: String, email: String?, name: String?, now: Instant
    ) throws -> (user: GatewayUser, isNew: Bool) {
        let (id, isNew) = try writing { db -> (EntityID, Bool) in
            if let known = try holder(db, .subject, of: subject) { return (known, false) }
            let id = EntityID()
            var address = ""
            if let email, try holder(db, .email, of: email.lowercased()) == nil {
                // An address in a form that users may not have is left out.
                do { address = try checkedEmail(db, email, of: id) } catch let error as HelixError
                    where error.code == .usage
                {}
            }
            let base = name ?? email.map { String($0.prefix { $0 != "@" }) } ?? "user"
            // No password has this hash.
            let user = try addUser(db, try freeName(db, from: base), hash: "", isAdmin: false, id: id, now: now)
            try db.execute(sql: "UPDATE \"user\" SET email = ? WHERE id = ?", arguments: [address, user.id.text])
            try take(db, .subject, subject, for: user.id)
            return (user.id, true)
        }
        guard let user = try user(id) else { throw HelixError(.unexpected, "a user is missing after it was made") }
        return (user, isNew)
    }

    func avatar(of user: EntityID) throws -> [UInt8]? {
        try reading { db in
            let row = try Row.fetchOne(db, sql: "SELECT avatar FROM \"user\" WHERE id = ?", arguments: [user.text])
            guard case .blob(let bytes)? = try row?["avatar"] as DatabaseValue? else { return nil }
            return Array(bytes)
        }
    }

    func people(for user: EntityID, in scope: DirectoryScope) throws -> [GatewayPerson] {
        try reading { db in
            let visible =
                switch scope {
                case .all: ""
                case .off: " AND \"user\".id = ?1"
                case .members:
                    """
                     AND ("user".id = ?1 OR "user".id IN (SELECT o."user" FROM user_conversation c
                        JOIN member me ON me.conversation = c.conversation AND me."user" = c."user"
                        JOIN member o ON o.conversation = c.conversation
                        WHERE c."user" = ?1 AND me.left_version IS NULL AND o.left_version IS NULL))
                    """
                }
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT u.*, p.display_name, p.email, p.status, p.avatar_type, p.avatar_hash,
                        EXISTS (SELECT 1 FROM block b WHERE b."user" = ?1 AND b.other = u.id) AS is_blocked
                    FROM (\(Self.userSQL) WHERE is_disabled = 0\(visible)) u JOIN "user" p ON p.id = u.id
                    """, arguments: [user.text]
            ).map { row in
                GatewayPerson(
                    user: try Self.user(row), profile: try Self.profile(row),
                    isBlocked: try row["is_blocked"])
            }
        }.sorted { UserName.key($0.user.name) < UserName.key($1.user.name) }
    }

    func setBlocked(_ isBlocked: Bool, _ name: String, by user: EntityID, now: Instant) throws -> GatewayUser {
        let other = try self.user(named: name)
        guard other.id != user else { throw HelixError(.usage, "cannot block yourself") }
        try writing { db in
            if isBlocked {
                try db.execute(
                    sql: """
                        INSERT INTO block ("user", other, made_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING
                        """,
                    arguments: [user.text, other.id.text, now.seconds])
            } else {
                try db.execute(
                    sql: "DELETE FROM block WHERE \"user\" = ? AND other = ?", arguments: [user.text, other.id.text])
            }
            try note(
                db, AuditEntry(isBlocked ? "user.block" : "user.unblock", user: user, detail: other.name), now: now)
        }
        return other
    }

    /// Rejects writing to a user who has blocked the other, or adding them to a group.
    /// - Throws: ``HelixError`` of code `notAllowed`.
    func checkNotBlocked(_ db: any GatewayDatabase, _ other: EntityID, by user: EntityID) throws {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT b."user", u.name FROM block b JOIN "user" u ON u.id = ?1
                WHERE b."user" = ?1 AND b.other = ?2 OR b."user" = ?2 AND b.other = ?1 ORDER BY b."user" = ?2 DESC
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
        let groups = try reading { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT m.conversation FROM user_conversation uc
                    JOIN member m ON m.conversation = uc.conversation AND m."user" = uc."user"
                    JOIN conversation c ON c.id = uc.conversation
                    WHERE uc."user" = ? AND m.left_version IS NULL AND c.kind = 'group'
                    """, arguments: [user.text])
        }
        for group in groups { try leave(EntityID(stored: group), user, now: now) }
        try setDisabled(true, user: user, now: now)
        try writing { db in
            let profile = try profile(db, user)
            try db.execute(
                sql: """
                    UPDATE "user" SET password = '', display_name = '', email = '', status = '', avatar = NULL,
                        avatar_type = NULL, avatar_hash = NULL, ended_at = ? WHERE id = ?
                    """, arguments: [now.seconds, user.text])
            try noteNameChange(db, of: user)
            try release(db, .email, profile.email, of: user)
            if UserName.shape(profile.displayName) != UserName.shape(known.name) {
                try release(db, .shape, UserName.shape(profile.displayName), of: user)
            }
            for table in ["session", "push_target", "device", "pairing", "block"] {
                try db.execute(sql: "DELETE FROM \(table) WHERE \"user\" = ?", arguments: [user.text])
            }
            try note(db, AuditEntry("user.end", user: user, detail: known.name), now: now)
        }
    }
}
