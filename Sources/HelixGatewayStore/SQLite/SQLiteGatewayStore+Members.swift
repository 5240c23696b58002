import HelixModel
import HelixSQLite

extension SQLiteGatewayStore {
    func invite(
        _ name: String, to id: EntityID, as role: ChatMember.Role, seesAll: Bool, by user: EntityID, now: Instant
    ) throws -> GatewayConversation {
        try write { db in
            let present = try inCharge(db, id, user, role)
            let guest = try active(db, name)
            if present.members.contains(where: { $0.user == guest && $0.role != nil }) { return present }
            guard present.users.count < GatewayLimits.members else { throw SQLiteGatewayStore.isFull }
            try checkNotBlocked(db, guest, by: user)
            try announce(db, id, "added \(name)", user, now)
            try enter(db, id, guest, role, first: seesAll ? 1 : present.last + 1)
            return try conversation(db, id, user)
        }
    }

    func setRole(
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

    func remove(_ other: EntityID, from id: EntityID, by user: EntityID, now: Instant) throws
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
            // Former members do not learn its later names.
            try db.execute(
                sql: """
                    UPDATE member SET left_version = ?1, version = ?1, name = ?4 WHERE conversation = ?2 AND user = ?3
                    """, arguments: [version, id.text, other.text, present.name])
            // A group always has an owner: a person, as long as there is one.
            let rest = present.members.filter { $0.user != other && $0.role != nil }
            let assistant = try String.fetchOne(
                db, sql: "SELECT user FROM user_key WHERE kind = 'subject' AND key = ?",
                arguments: [GatewayUser.assistantSubject])
            let people = rest.filter { $0.user.text != assistant }
            if role == .owner, !rest.contains(where: { $0.role == .owner }),
                let heir = people.first(where: { $0.role == .admin }) ?? people.first ?? rest.first
            {
                try db.execute(
                    sql: "UPDATE member SET role = 'owner', version = ? WHERE conversation = ? AND user = ?",
                    arguments: [try tick(db), id.text, heir.user.text])
            }
            return present
        }
    }

    /// A group, if the user may change its members up to a role.
    func inCharge(
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

    func enter(
        _ db: Database, _ conversation: EntityID, _ user: EntityID, _ role: ChatMember.Role, first: Int64
    ) throws {
        // Conversations that they left or deleted do not count; and invitations by others do not keep users from creating
        // their own.
        let all = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM member WHERE user = ?", arguments: [user.text])
        // The exact count is slow, and needed only for the few users in very many conversations.
        let count =
            (all ?? 0) < GatewayLimits.conversations
            ? 0
            : try Int.fetchOne(
                db,
                sql: """
                    SELECT COUNT(*) FROM member m JOIN conversation c ON c.id = m.conversation
                    WHERE m.user = ?1 AND m.left_version IS NULL AND m.is_hidden = 0
                        AND (c.created_by = ?1) = (SELECT created_by = ?1 FROM conversation WHERE id = ?2)
                    """, arguments: [user.text, conversation.text])
        guard (count ?? 0) < GatewayLimits.conversations else {
            let name = try String.fetchOne(db, sql: "SELECT name FROM user WHERE id = ?", arguments: [user.text])
            throw HelixError(
                .notAllowed,
                "'\(name ?? "")' is in \(GatewayLimits.conversations) conversations already, the maximum")
        }
        try db.execute(
            sql: """
                INSERT INTO member (conversation, user, role, first, origin, delivered, read, version)
                VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?5, ?6)
                ON CONFLICT DO UPDATE SET role = ?3, first = ?4, origin = ?4, left_version = NULL, is_hidden = 0, name = NULL,
                    version = ?6
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
}
