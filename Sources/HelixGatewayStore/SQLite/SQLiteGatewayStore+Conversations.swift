import HelixModel
import HelixSQLite

extension SQLiteGatewayStore {
    /// Increments and returns the count of changes.
    func tick(_ db: Database) throws -> Int64 {
        let count = try Int64.fetchOne(db, sql: "UPDATE chat_clock SET n = n + 1 RETURNING n") ?? 0
        try db.execute(
            sql: "INSERT INTO chat_tick (n, nonce) VALUES (?, random() & 4294967295)", arguments: [count])
        return count
    }

    func beginConversation(
        _ id: EntityID, _ kind: Conversation.Kind, name: String, others: [String], by user: EntityID, now: Instant
    ) throws -> GatewayConversation {
        try write { db in try beginConversation(db, id, kind, name: name, others: others, by: user, now: now) }
    }

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
            try checkNotBlocked(db, invited[0], by: user)
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
        for other in Set(invited) where kind == .group { try checkNotBlocked(db, other, by: user) }
        guard invited.count < GatewayLimits.members else { throw SQLiteGatewayStore.isFull }
        if kind == .group {
            let begun = try Int.fetchOne(
                db,
                sql: """
                    SELECT COUNT(*) FROM conversation WHERE created_by = ? AND created_at > ? AND kind = 'group'
                    """, arguments: [user.text, now.seconds - 86_400])
            guard (begun ?? 0) < GatewayLimits.groupsPerDay else {
                throw HelixError(.notAllowed, "you have created \(GatewayLimits.groupsPerDay) groups in a day")
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

    static let isFull = HelixError(.notAllowed, "a conversation can have \(GatewayLimits.members) members")

    /// The user with that name, unless disabled.
    func active(_ db: Database, _ name: String) throws -> EntityID {
        let row = try String.fetchOne(
            db, sql: "SELECT id FROM user WHERE name = ? COLLATE NOCASE AND is_disabled = 0", arguments: [name])
        guard let row else { throw HelixError(.notFound, "unknown user '\(name)'") }
        return EntityID(stored: row)
    }

    /// Nothing is remembered: a read costs little.
    func recentConversation(_ id: EntityID, of user: EntityID) -> GatewayConversation? { nil }

    func conversation(_ id: EntityID, of user: EntityID) throws -> GatewayConversation {
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
                SELECT m.*, u.name AS user_name, u.display_name FROM member m JOIN user u ON u.id = m.user
                WHERE m.conversation = ? AND (m.left_version IS NULL OR m.user = ?) ORDER BY u.name
                """, arguments: [id.text, user.text]
        ).map { row in
            try GatewayConversation.Member(
                user: EntityID(stored: row["user"]), name: row["user_name"],
                role: (row["left_version"] as Int64?) == nil ? ChatMember.Role(rawValue: row["role"]) : nil,
                first: row["first"], delivered: row["delivered"], read: row["read"], isArchived: row["is_archived"],
                isMuted: row["is_muted"], displayName: row["display_name"])
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
        // In a direct conversation each sees the other's name, unless they chose another; in a group, former members see the
        // last name that they knew.
        let chosen = try String.fetchOne(
            db, sql: "SELECT name FROM member WHERE conversation = ? AND user = ? AND name IS NOT NULL",
            arguments: [id.text, user.text])
        let other = kind == .direct ? chosen ?? members.first { $0.user != user }?.name : nil
        return try GatewayConversation(
            id: id, kind: kind, name: own.role == nil ? chosen ?? row["name"] : other ?? row["name"],
            description: own.role == nil ? "" : row["description"], sessionKey: row["session_key"],
            createdAt: Instant(row["created_at"]), last: last, own: own,
            members: own.role == nil ? [own] : members)
    }

    func changeConversation(
        _ id: EntityID, by user: EntityID, _ change: ConversationChange, now: Instant
    ) throws -> (conversation: GatewayConversation, notified: ChangeAudience) {
        try write { db in
            let standing = try standing(db, id, user)
            var notified = ChangeAudience.nobody
            if let name = change.name {
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
                    notified = .everybody
                }
            }
            if let text = change.description {
                guard Conversation.isDescription(text) else { throw HelixError(.usage, "invalid description") }
                let present = try conversation(db, id, user)
                if present.description != text {
                    guard present.kind != .group || standing.role.isInCharge else {
                        throw HelixError(.notAllowed, "only an owner or admin may describe a conversation")
                    }
                    try db.execute(
                        sql: "UPDATE conversation SET description = ?, version = ? WHERE id = ?",
                        arguments: [text, try tick(db), id.text])
                    notified = .everybody
                }
            }
            let last = try Int64.fetchOne(db, sql: "SELECT last FROM conversation WHERE id = ?", arguments: [id.text])
            // Read marks never exceed the last message, and never decrease.
            func mark(_ number: Int64?) -> Int64 { min(max(number ?? 0, 0), last ?? 0) }
            let (come, seen) = (max(mark(change.delivered), mark(change.read)), mark(change.read))
            if notified == .nobody, come > 0 { notified = try authors(db, id, of: user, until: come, read: seen) }
            try db.execute(
                sql: """
                    UPDATE member SET delivered = max(delivered, ?1), read = max(read, ?2),
                        is_archived = ifnull(?3, is_archived), is_muted = ifnull(?4, is_muted), version = ?5
                    WHERE conversation = ?6 AND user = ?7 AND (delivered < ?1 OR read < ?2
                        OR is_archived <> ifnull(?3, is_archived) OR is_muted <> ifnull(?4, is_muted))
                    """,
                arguments: [come, seen, change.isArchived, change.isMuted, try tick(db), id.text, user.text])
            return (try conversation(db, id, user), notified)
        }
    }

    /// The authors of the messages that a member receives or reads now, of the latest thousand.
    private func authors(
        _ db: Database, _ id: EntityID, of user: EntityID, until come: Int64, read seen: Int64
    ) throws -> ChangeAudience {
        let found = try String.fetchAll(
            db,
            sql: """
                SELECT DISTINCT m.sender FROM member me JOIN message m ON m.conversation = me.conversation
                    AND (m.seq > me.delivered AND m.seq <= ?3 OR m.seq > me.read AND m.seq <= ?4)
                    AND m.seq > ?3 - 1000 AND m.seq >= me.first
                WHERE me.conversation = ?1 AND me.user = ?2 AND m.sender IS NOT NULL AND m.sender <> ?2
                """, arguments: [id.text, user.text, come, seen])
        return found.isEmpty ? .nobody : .authors(Set(found.map { EntityID(stored: $0) }))
    }

    func clearConversation(_ id: EntityID, by user: EntityID) throws -> GatewayConversation {
        try write { db in
            _ = try standing(db, id, user)
            try db.execute(
                sql: """
                    UPDATE member SET (first, origin, delivered, read) = (SELECT last + 1, last + 1, last, last
                        FROM conversation WHERE id = ?1), version = ?2 WHERE conversation = ?1 AND user = ?3
                    """, arguments: [id.text, try tick(db), user.text])
            return try conversation(db, id, user)
        }
    }

    func forgetConversation(_ id: EntityID, by user: EntityID, now: Instant) throws {
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
    func announce(_ db: Database, _ id: EntityID, _ what: String, _ user: EntityID, _ now: Instant) throws {
        let name =
            try String.fetchOne(db, sql: "SELECT name FROM user WHERE id = ?", arguments: [user.text]) ?? "somebody"
        _ = try append(
            db, ChatDraft(id: EntityID(), content: "\(name) \(what)", role: .system), to: id, sender: nil, now: now)
    }
}
