import HelixModel
import HelixSQLite

extension GatewayStore {
    /// The maximum number of conversations of a user.
    public static let mostConversations = 10_000
    /// The maximum number of members of a conversation.
    public static let mostMembers = 500

    /// Increments and returns the count of changes.
    func tick(_ db: Database) throws -> Int64 {
        let count = try Int64.fetchOne(db, sql: "UPDATE chat_clock SET n = n + 1 RETURNING n") ?? 0
        try db.execute(
            sql: "INSERT INTO chat_tick (n, nonce) VALUES (?, random() & 4294967295)", arguments: [count])
        return count
    }

    /// Creates a conversation. An existing one is returned unchanged: the request is idempotent.
    ///
    /// - Parameters:
    ///   - others: the names of further members.
    /// - Throws: ``HelixError``: `notFound` for an unknown name, `conflict` for an identity that belongs to another user.
    public func beginConversation(
        _ id: EntityID, _ kind: Conversation.Kind, name: String, others: [String], by user: EntityID, now: Instant
    ) throws -> GatewayConversation {
        try write { db in try beginConversation(db, id, kind, name: name, others: others, by: user, now: now) }
    }

    /// The maximum number of groups that one user may create in a day.
    public static let mostBegun = 3_000

    func beginConversation(
        _ db: Database, _ id: EntityID, _ kind: Conversation.Kind, name: String, others: [String], by user: EntityID,
        now: Instant
    ) throws -> GatewayConversation {
        if let known = try place(db, id, user) {
            guard known.role != nil else { throw HelixError(.notFound, "you are not in a conversation \(id.text)") }
            // A deleted conversation is restored.
            try show(db, id.text, user)
            return try conversation(db, id, user)
        }
        if try Bool.fetchOne(db, sql: "SELECT 1 FROM conversation WHERE id = ?", arguments: [id.text]) == true {
            throw HelixError(.conflict, "the id \(id.text) belongs to another conversation")
        }
        guard Conversation.isName(name) else { throw HelixError(.usage, "invalid name for a conversation") }
        let invited = try others.map { try active(db, $0) }.filter { $0 != user }
        var pair: String?
        if kind == .direct {
            guard Set(invited).count == 1 else {
                throw HelixError(.usage, "a direct conversation needs exactly one other member")
            }
            pair = [user.text, invited[0].text].sorted().joined(separator: " ")
            let known = try String.fetchOne(
                db, sql: "SELECT id FROM conversation WHERE pair = ?", arguments: [pair])
            if let known {
                try show(db, known, user)
                return try conversation(db, EntityID(stored: known), user)
            }
        } else if kind != .group, !invited.isEmpty {
            throw HelixError(.usage, "this kind of conversation has no other members")
        }
        guard invited.count < GatewayStore.mostMembers else { throw GatewayStore.isFull }
        if kind == .group {
            let begun = try Int.fetchOne(
                db,
                sql: """
                    SELECT COUNT(*) FROM conversation WHERE created_by = ? AND created_at > ? AND kind = 'group'
                    """, arguments: [user.text, now.seconds - 86_400])
            guard (begun ?? 0) < GatewayStore.mostBegun else {
                throw HelixError(.notAllowed, "you have created \(GatewayStore.mostBegun) groups in a day")
            }
        }
        let version = try tick(db)
        try db.execute(
            sql: """
                INSERT INTO conversation (id, kind, name, pair, created_by, created_at, version)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """, arguments: [id.text, kind.rawValue, name, pair, user.text, now.seconds, version])
        try enter(db, id, user, .owner, first: 1)
        for other in Set(invited) { try enter(db, id, other, kind == .direct ? .owner : .member, first: 1) }
        return try conversation(db, id, user)
    }

    /// Restores a conversation for a user who deleted it, with all messages that were visible before.
    func show(_ db: Database, _ id: String, _ user: EntityID) throws {
        try db.execute(
            sql: """
                UPDATE member SET is_hidden = 0, first = origin, version = ?1
                WHERE conversation = ?2 AND user = ?3 AND (is_hidden = 1 OR first <> origin)
                """, arguments: [try tick(db), id, user.text])
    }

    private static let isFull = HelixError(.notAllowed, "a conversation can have \(mostMembers) members")

    /// The user with that name, unless disabled.
    private func active(_ db: Database, _ name: String) throws -> EntityID {
        let row = try String.fetchOne(
            db, sql: "SELECT id FROM user WHERE name = ? COLLATE NOCASE AND is_disabled = 0", arguments: [name])
        guard let row else { throw HelixError(.notFound, "unknown user '\(name)'") }
        return EntityID(stored: row)
    }

    private func enter(
        _ db: Database, _ conversation: EntityID, _ user: EntityID, _ role: ChatMember.Role, first: Int64
    ) throws {
        // Conversations that they left or deleted do not count; and invitations by others do not keep users from creating
        // their own.
        let all = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM member WHERE user = ?", arguments: [user.text])
        // The exact count is slow, and needed only for the few users in very many conversations.
        let count =
            (all ?? 0) < GatewayStore.mostConversations
            ? 0
            : try Int.fetchOne(
                db,
                sql: """
                    SELECT COUNT(*) FROM member m JOIN conversation c ON c.id = m.conversation
                    WHERE m.user = ?1 AND m.left_version IS NULL AND m.is_hidden = 0
                        AND (c.created_by = ?1) = (SELECT created_by = ?1 FROM conversation WHERE id = ?2)
                    """, arguments: [user.text, conversation.text])
        guard (count ?? 0) < GatewayStore.mostConversations else {
            let name = try String.fetchOne(db, sql: "SELECT name FROM user WHERE id = ?", arguments: [user.text])
            throw HelixError(
                .notAllowed,
                "'\(name ?? "")' is in \(GatewayStore.mostConversations) conversations already, the maximum")
        }
        try db.execute(
            sql: """
                INSERT INTO member (conversation, user, role, first, origin, delivered, read, version)
                VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?5, ?6)
                ON CONFLICT DO UPDATE SET role = ?3, first = ?4, origin = ?4, left_version = NULL, is_hidden = 0, version = ?6
                """, arguments: [conversation.text, user.text, role.rawValue, first, first - 1, try tick(db)])
    }

    /// A user's membership in a conversation; nil if they never were a member.
    func place(
        _ db: Database, _ conversation: EntityID, _ user: EntityID
    ) throws -> (role: ChatMember.Role?, first: Int64, leftVersion: Int64?, isHidden: Bool)? {
        let row = try Row.fetchOne(
            db, sql: "SELECT role, first, left_version, is_hidden FROM member WHERE conversation = ? AND user = ?",
            arguments: [conversation.text, user.text])
        guard let row else { return nil }
        let left: Int64? = try row["left_version"]
        return try (
            left == nil ? ChatMember.Role(rawValue: row["role"]) ?? .member : nil, row["first"], left, row["is_hidden"]
        )
    }

    /// The membership of a current member of a conversation.
    /// - Throws: ``HelixError`` of code `notFound`, also for an existing conversation of others, so as not to reveal it.
    func standing(_ db: Database, _ conversation: EntityID, _ user: EntityID) throws -> (
        role: ChatMember.Role, first: Int64
    ) {
        guard let place = try place(db, conversation, user), let role = place.role, !place.isHidden else {
            throw HelixError(.notFound, "you are not in a conversation \(conversation.text)")
        }
        return (role, place.first)
    }

    /// A conversation as a user sees it.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func conversation(_ id: EntityID, of user: EntityID) throws -> GatewayConversation {
        try read { db in
            guard try place(db, id, user) != nil else {
                throw HelixError(.notFound, "you are not in a conversation \(id.text)")
            }
            return try conversation(db, id, user)
        }
    }

    func conversation(_ db: Database, _ id: EntityID, _ user: EntityID) throws -> GatewayConversation {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM conversation WHERE id = ?", arguments: [id.text])
        else {
            throw HelixError(.notFound, "you are not in a conversation \(id.text)")
        }
        let members = try Row.fetchAll(
            db,
            sql: """
                SELECT m.*, u.name AS user_name FROM member m JOIN user u ON u.id = m.user
                WHERE m.conversation = ? AND (m.left_version IS NULL OR m.user = ?) ORDER BY u.name
                """, arguments: [id.text, user.text]
        ).map { row in
            try GatewayConversation.Member(
                user: EntityID(stored: row["user"]), name: row["user_name"],
                role: (row["left_version"] as Int64?) == nil ? ChatMember.Role(rawValue: row["role"]) : nil,
                first: row["first"], delivered: row["delivered"], read: row["read"], isArchived: row["is_archived"],
                isMuted: row["is_muted"])
        }
        guard let own = members.first(where: { $0.user == user }) else {
            throw HelixError(.notFound, "you are not in a conversation \(id.text)")
        }
        let kind = try Conversation.Kind(rawValue: row["kind"]) ?? .group
        var last: Int64 = try row["last"]
        if own.role == nil {
            // A member who left must not see the number of later messages.
            last =
                try Int64.fetchOne(
                    db,
                    sql: """
                        SELECT MAX(seq) FROM message WHERE conversation = ?1
                            AND version <= (SELECT left_version FROM member WHERE conversation = ?1 AND user = ?2)
                        """, arguments: [id.text, user.text]) ?? 0
        }
        // In a direct conversation each sees the other's name, unless they chose another.
        let chosen = try String.fetchOne(
            db, sql: "SELECT name FROM member WHERE conversation = ? AND user = ? AND name IS NOT NULL",
            arguments: [id.text, user.text])
        let other = kind == .direct ? chosen ?? members.first { $0.user != user }?.name : nil
        return try GatewayConversation(
            id: id, kind: kind, name: own.role == nil ? row["name"] : other ?? row["name"],
            createdAt: Instant(row["created_at"]), last: last, own: own,
            members: own.role == nil ? [own] : members)
    }

    /// Changes a conversation: a user's own settings, or, for an owner or admin, its name.
    /// - Throws: ``HelixError``: `notFound`, `notAllowed`.
    /// - Returns: the conversation, and whether the change is visible to others.
    public func changeConversation(
        _ id: EntityID, by user: EntityID, name: String?, isArchived: Bool?, isMuted: Bool?, delivered: Int64?,
        read: Int64?, now: Instant
    ) throws -> (conversation: GatewayConversation, isShared: Bool) {
        try write { db in
            let standing = try standing(db, id, user)
            var isShared = false
            if let name {
                guard Conversation.isName(name) else { throw HelixError(.usage, "invalid name for a conversation") }
                let present = try conversation(db, id, user)
                if present.kind == .direct {
                    // In a direct conversation each member has their own name for it.
                    try db.execute(
                        sql: "UPDATE member SET name = ?, version = ? WHERE conversation = ? AND user = ?",
                        arguments: [name, try tick(db), id.text, user.text])
                } else if present.name != name {
                    guard present.kind != .group || standing.role.isInCharge else {
                        throw HelixError(.notAllowed, "only an owner or admin may rename a conversation")
                    }
                    try db.execute(
                        sql: "UPDATE conversation SET name = ?, version = ? WHERE id = ?",
                        arguments: [name, try tick(db), id.text])
                    if present.kind == .group { try announce(db, id, "renamed it to '\(name)'", user, now) }
                    isShared = true
                }
            }
            let last = try Int64.fetchOne(db, sql: "SELECT last FROM conversation WHERE id = ?", arguments: [id.text])
            // Read marks never exceed the last message, and never decrease.
            func mark(_ number: Int64?) -> Int64 { min(max(number ?? 0, 0), last ?? 0) }
            let (come, seen) = (max(mark(delivered), mark(read)), mark(read))
            try db.execute(
                sql: """
                    UPDATE member SET delivered = max(delivered, ?1), read = max(read, ?2),
                        is_archived = ifnull(?3, is_archived), is_muted = ifnull(?4, is_muted), version = ?5
                    WHERE conversation = ?6 AND user = ?7 AND (delivered < ?1 OR read < ?2
                        OR is_archived <> ifnull(?3, is_archived) OR is_muted <> ifnull(?4, is_muted))
                    """,
                arguments: [come, seen, isArchived, isMuted, try tick(db), id.text, user.text])
            let isMarked = db.changedRows > 0 && (come > 0 || seen > 0)
            return (try conversation(db, id, user), isShared || isMarked)
        }
    }

    /// Adds a member to a group.
    /// - Parameter seesAll: whether earlier messages are visible to them.
    /// - Throws: ``HelixError``: `notFound`, `notAllowed`.
    public func invite(
        _ name: String, to id: EntityID, as role: ChatMember.Role, seesAll: Bool, by user: EntityID, now: Instant
    ) throws -> GatewayConversation {
        try write { db in
            let present = try inCharge(db, id, user, role)
            let guest = try active(db, name)
            if present.members.contains(where: { $0.user == guest && $0.role != nil }) { return present }
            guard present.users.count < GatewayStore.mostMembers else { throw GatewayStore.isFull }
            try announce(db, id, "added \(name)", user, now)
            try enter(db, id, guest, role, first: seesAll ? 1 : present.last + 1)
            return try conversation(db, id, user)
        }
    }

    /// Changes the role of a member of a group.
    /// - Throws: ``HelixError``: `notFound`, `notAllowed`; `conflict` if no owner would be left.
    public func setRole(
        _ role: ChatMember.Role, of other: EntityID, in id: EntityID, by user: EntityID
    ) throws -> GatewayConversation {
        try write { db in
            let present = try inCharge(db, id, user, role)
            guard let former = present.members.first(where: { $0.user == other })?.role else {
                throw HelixError(.notFound, "no such member of the conversation")
            }
            if former == role { return present }
            if former == .owner {
                guard present.own.role == .owner else { throw HelixError(.notAllowed, "only an owner may do that") }
                guard present.members.contains(where: { $0.role == .owner && $0.user != other }) else {
                    throw HelixError(.conflict, "another member must be an owner first")
                }
            }
            try db.execute(
                sql: "UPDATE member SET role = ?, version = ? WHERE conversation = ? AND user = ?",
                arguments: [role.rawValue, try tick(db), id.text, other.text])
            return try conversation(db, id, user)
        }
    }

    /// Removes a member from a group, or leaves it.
    /// - Throws: ``HelixError``: `notFound`, `notAllowed`.
    /// - Returns: the conversation as the remaining members see it.
    public func remove(_ other: EntityID, from id: EntityID, by user: EntityID, now: Instant) throws
        -> GatewayConversation
    {
        try write { db in
            _ = try standing(db, id, user)
            let present = try conversation(db, id, user)
            guard present.kind == .group else { throw HelixError(.usage, "only groups can be left") }
            guard let gone = present.members.first(where: { $0.user == other }), let role = gone.role else {
                throw HelixError(.notFound, "no such member of the conversation")
            }
            if other != user {
                guard role != .owner || present.own.role == .owner else {
                    throw HelixError(.notAllowed, "only an owner may remove an owner")
                }
                _ = try inCharge(db, id, user, role)
            }
            try announce(db, id, other == user ? "left" : "removed \(gone.name)", user, now)
            let version = try tick(db)
            try db.execute(
                sql: "UPDATE member SET left_version = ?1, version = ?1 WHERE conversation = ?2 AND user = ?3",
                arguments: [version, id.text, other.text])
            // A group always has an owner.
            let rest = present.members.filter { $0.user != other && $0.role != nil }
            if role == .owner, !rest.contains(where: { $0.role == .owner }),
                let heir = rest.first(where: { $0.role == .admin }) ?? rest.first
            {
                try db.execute(
                    sql: "UPDATE member SET role = 'owner', version = ? WHERE conversation = ? AND user = ?",
                    arguments: [try tick(db), id.text, heir.user.text])
            }
            return present
        }
    }

    private func inCharge(
        _ db: Database, _ id: EntityID, _ user: EntityID, _ role: ChatMember.Role
    ) throws -> GatewayConversation {
        let own = try standing(db, id, user)
        let present = try conversation(db, id, user)
        guard present.kind == .group else { throw HelixError(.usage, "only the members of a group can be changed") }
        guard own.role.isInCharge, role != .owner || own.role == .owner else {
            throw HelixError(.notAllowed, "only an owner or admin of a conversation may do that")
        }
        return present
    }

    /// Deletes a conversation for one user: other members keep it, and it reappears with the next message.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func forgetConversation(_ id: EntityID, by user: EntityID, now: Instant) throws {
        guard let place = try read({ try place($0, id, user) }) else {
            throw HelixError(.notFound, "you are in no conversation \(id.text)")
        }
        // A user cannot be in a group that they deleted.
        if place.role != nil, try conversation(id, of: user).kind == .group {
            _ = try remove(user, from: id, by: user, now: now)
        }
        try write { db in
            try db.execute(
                sql: "UPDATE member SET is_hidden = 1, version = ? WHERE conversation = ? AND user = ?",
                arguments: [try tick(db), id.text, user.text])
        }
    }

    /// Adds a system message about a change to a conversation.
    private func announce(_ db: Database, _ id: EntityID, _ what: String, _ user: EntityID, _ now: Instant) throws {
        let name =
            try String.fetchOne(db, sql: "SELECT name FROM user WHERE id = ?", arguments: [user.text]) ?? "somebody"
        _ = try append(
            db, ChatDraft(id: EntityID(), content: "\(name) \(what)", role: .system), to: id, sender: nil, now: now)
    }
}
