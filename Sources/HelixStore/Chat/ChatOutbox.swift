import HelixModel
import HelixSQLite

/// Something that a gateway is still to be told.
public enum ChatErrand: Hashable, Sendable {
    /// A conversation that it does not know, and the names of those who are to be in it.
    case begin(Conversation, others: [ChatMember])
    /// What was changed of a conversation: its name, whether it is archived or muted, and up to where it was read.
    case change(Conversation, name: String?, isArchived: Bool?, isMuted: Bool?, readUpTo: Int64?)
    /// Somebody is to be let in, sent away, or given another role.
    case member(Conversation, ChatMember)
    /// Something was said.
    case send(Conversation, ChatMessage)
    /// Something that was said has other words; nil if it is deleted.
    case edit(Conversation, ChatMessage, content: String?)
    /// A message went here with all that was known of it.
    case withdraw(EntityID)
    /// A conversation went here.
    case forget(EntityID, remote: String)
}

extension Store {
    /// What a gateway is still to be told, in the order in which it happened in each conversation. A message that is to be
    /// tried again later, and all that comes after it in its conversation, is left out until then.
    /// - Throws: ``HelixError``.
    public func chatErrands(of account: EntityID) throws -> [ChatErrand] {
        try read { db in
            var errands: [ChatErrand] = []
            // Messages first: in a conversation that is gone nothing can be taken back.
            let gone = try Row.fetchAll(
                db, sql: "SELECT id, remote FROM chat_withdrawal WHERE account = ? ORDER BY remote IS NOT NULL",
                arguments: [account.text])
            for row in gone {
                let id = EntityID(stored: row["id"])
                errands.append((row["remote"] as String?).map { .forget(id, remote: $0) } ?? .withdraw(id))
            }
            let conversations = try Row.fetchAll(
                db, sql: "SELECT * FROM conversation WHERE account = ? ORDER BY n",
                arguments: [account.text])
            for row in conversations {
                let conversation = Store.conversation(row)
                errands += try Store.errands(db, conversation, agreed: row["agreed"], problem: row["problem"], now: now)
            }
            return errands
        }
    }

    private static func errands(
        _ db: Database, _ conversation: Conversation, agreed: String?, problem: String?, now: Instant
    ) throws -> [ChatErrand] {
        var errands: [ChatErrand] = []
        let wishes = try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM chat_member WHERE conversation = ? AND wish IS NOT NULL AND problem IS NULL
                ORDER BY wished_after
                """, arguments: [conversation.id.text]
        ).map { row in
            let member = ChatMember(
                user: row["user"], name: row["name"], role: ChatMember.Role(rawValue: row["role"]) ?? .member,
                isMe: row["is_me"], wish: (row["wish"] as String?).flatMap(ChatMember.Wish.init),
                seesAll: row["sees_all"])
            return (member: member, after: row["wished_after"] as Int64)
        }
        // Whoever is let in sees nothing that was said before, and whoever leaves has said it: those take their turn.
        var turns: ArraySlice<(member: ChatMember, after: Int64)> = []
        if conversation.role == nil {
            // Nothing is told of what one is not in any more; what still waits is refused there.
        } else if conversation.remote == nil || agreed == nil {
            // One that the gateway would not have waits until something is changed.
            if problem != nil { return [] }
            errands.append(.begin(conversation, others: wishes.map(\.member)))
        } else if let base = agreed.flatMap(AgreedConversation.init) {
            let now = AgreedConversation(conversation)
            if now != base {
                errands.append(
                    .change(
                        conversation, name: now.name == base.name ? nil : now.name,
                        isArchived: now.isArchived == base.isArchived ? nil : now.isArchived,
                        isMuted: now.isMuted == base.isMuted ? nil : now.isMuted,
                        readUpTo: now.readUpTo > base.readUpTo ? now.readUpTo : nil))
            }
            turns = wishes.filter { $0.member.wish == .invite || $0.member.isMe }[...]
            errands += wishes.filter { $0.member.wish != .invite && !$0.member.isMe }.map {
                .member(conversation, $0.member)
            }
        }
        let waiting = try Row.fetchAll(
            db,
            sql: """
                SELECT m.n, m.retry_at FROM chat_message m
                WHERE m.conversation = ? AND m.state = 'pending' ORDER BY m.n
                """, arguments: [conversation.id.text])
        for row in waiting {
            while let next = turns.first, next.after < row["n"] {
                errands.append(.member(conversation, turns.removeFirst().member))
            }
            if (row["retry_at"] as Int64) > now.seconds { return errands }
            let message = try finished(db, try rows(db, "m.n = ?", [row["n"] as Int64]))
            guard let message = message.first else { continue }
            if message.number == nil {
                if !message.isDeleted { errands.append(.send(conversation, message)) }
            } else {
                errands.append(.edit(conversation, message, content: message.isDeleted ? nil : message.content))
            }
        }
        errands += turns.map { .member(conversation, $0.member) }
        return errands
    }

    /// Whether there is anything that a gateway is to be told now.
    /// - Throws: ``HelixError``.
    public func hasChatErrands(of account: EntityID) throws -> Bool { try !chatErrands(of: account).isEmpty }

    /// Notes that a gateway has a message, and which number it gave it.
    /// - Throws: ``HelixError``.
    public func didSend(_ message: ChatMessage, number: Int64?, sentAt: Instant?) throws {
        try writeDurably { db in
            try db.execute(
                sql: """
                    UPDATE chat_message SET seq = ifnull(?2, seq), agreed = ?3, sent_at = ifnull(?4, sent_at), tries = 0,
                        problem = NULL,
                        state = CASE WHEN ?3 IS CASE is_deleted WHEN 1 THEN NULL ELSE content END THEN 'sent'
                            ELSE 'pending' END
                    WHERE id = ?1
                    """,
                arguments: [
                    message.id.text, number, message.isDeleted ? nil : message.content, sentAt?.seconds,
                ])
        }
    }

    /// Notes that a message was tried in vain.
    /// - Parameters:
    ///   - isFinal: whether trying again makes no sense.
    ///   - wait: after so many seconds it may be tried again.
    /// - Returns: whether it is parked now.
    /// - Throws: ``HelixError``.
    @discardableResult
    public func didFail(_ message: ChatMessage, _ problem: String, isFinal: Bool, wait: Int64 = 0) throws -> Bool {
        try writeDurably { db in
            try db.execute(
                sql: """
                    UPDATE chat_message SET problem = ?2, tries = tries + 1,
                        retry_at = ?3 + max(?4, min(30, 1 << min(tries, 5))),
                        state = CASE WHEN ?5 OR tries + 1 >= \(Store.mostChatTries) THEN 'failed' ELSE 'pending' END
                    WHERE id = ?1 AND state = 'pending'
                    """, arguments: [message.id.text, problem, now.seconds, wait, isFinal])
            return try Bool.fetchOne(
                db, sql: "SELECT state = 'failed' FROM chat_message WHERE id = ?", arguments: [message.id.text])
                ?? false
        }
    }

    /// After so many tries a message is parked.
    static let mostChatTries = 8

    /// Notes that a gateway knows of an errand that is no message's.
    /// - Throws: ``HelixError``.
    public func didTell(_ errand: ChatErrand) throws {
        try writeDurably { db in
            switch errand {
            case .withdraw(let id), .forget(let id, _):
                try db.execute(sql: "DELETE FROM chat_withdrawal WHERE id = ?", arguments: [id.text])
            case .change(let conversation, _, _, _, _):
                try db.execute(
                    sql: "UPDATE conversation SET agreed = ?, problem = NULL WHERE id = ?",
                    arguments: [AgreedConversation(conversation).json, conversation.id.text])
            case .member(let conversation, let member):
                try db.execute(
                    sql:
                        "UPDATE chat_member SET wish = NULL WHERE conversation = ? AND user = ? AND wish = ? AND role = ?",
                    arguments: [
                        conversation.id.text, member.user, member.wish?.rawValue ?? "", member.role.rawValue,
                    ])
            case .begin, .send, .edit: break
            }
        }
    }

    /// Notes what a gateway calls a conversation, and how it is there: it may have been there already.
    /// - Throws: ``HelixError``.
    public func didBegin(_ conversation: Conversation, remote: String) throws {
        try writeDurably { db in
            try db.execute(
                sql: "UPDATE conversation SET remote = ?, agreed = ? WHERE id = ?",
                // Of what is archived, muted and read it knows nothing yet.
                arguments: [remote, AgreedConversation(named: conversation.name).json, conversation.id.text])
            try db.execute(
                sql:
                    "UPDATE chat_member SET wish = NULL WHERE conversation = ? AND wish = 'invite' AND problem IS NULL",
                arguments: [conversation.id.text])
        }
    }

    /// The conversation that a gateway calls so; nil if it is not here.
    /// - Throws: ``HelixError``.
    public func conversation(remote: String, of account: EntityID) throws -> EntityID? {
        try read { db in
            try String.fetchOne(
                db, sql: "SELECT id FROM conversation WHERE account = ? AND remote = ?",
                arguments: [account.text, remote]
            ).map { EntityID(stored: $0) }
        }
    }

    /// Conversations of which the beginning is not here yet, and what is missing.
    /// - Throws: ``HelixError``.
    public func chatGaps(of account: EntityID) throws -> [(id: EntityID, remote: String, missing: ClosedRange<Int64>)] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT id, remote, first_seq, absent_to,
                        (SELECT MIN(seq) FROM chat_message m WHERE m.conversation = c.id) AS have
                    FROM conversation c WHERE account = ? AND remote IS NOT NULL AND role IS NOT NULL
                    """, arguments: [account.text]
            ).compactMap { row in
                let first: Int64 = row["first_seq"]
                let end = max((row["have"] as Int64?).map { $0 - 1 } ?? 0, row["absent_to"] ?? 0)
                return end < first ? nil : (EntityID(stored: row["id"]), row["remote"], first...end)
            }
        }
    }

    /// The conversation of a message; nil if it is not here.
    /// - Throws: ``HelixError``.
    public func conversation(ofMessage id: String) throws -> Conversation? {
        try read { db in
            try String.fetchOne(db, sql: "SELECT conversation FROM chat_message WHERE id = ?", arguments: [id])
                .map { try Store.conversation(db, EntityID(stored: $0)) }
        }
    }

    /// Two conversations that are one at the gateway become one here: what waits in the younger one goes to the other.
    /// - Throws: ``HelixError``.
    public func mergeConversation(_ younger: EntityID, into older: EntityID) throws {
        try writeDurably { db in
            try db.execute(
                sql: "UPDATE chat_message SET conversation = ? WHERE conversation = ?",
                arguments: [older.text, younger.text])
            try db.execute(
                sql: """
                    UPDATE conversation SET is_muted = max(conversation.is_muted, y.muted),
                        is_archived = max(conversation.is_archived, y.archived)
                    FROM (SELECT is_muted AS muted, is_archived AS archived FROM conversation WHERE id = ?2) y
                    WHERE conversation.id = ?1
                    """, arguments: [older.text, younger.text])
            try db.execute(sql: "DELETE FROM conversation WHERE id = ?", arguments: [younger.text])
        }
    }

    /// Notes why a gateway would not have what was changed of a conversation or its members.
    /// - Throws: ``HelixError``.
    public func didRefuse(_ errand: ChatErrand, _ problem: String) throws {
        try writeDurably { db in
            switch errand {
            case .change(let conversation, _, _, _, _):
                // It is as the gateway has it; what is said there goes on.
                let row = try Row.fetchOne(
                    db, sql: "SELECT agreed FROM conversation WHERE id = ?", arguments: [conversation.id.text])
                let agreed = (row?["agreed"] as String?).flatMap(AgreedConversation.init)
                try db.execute(
                    sql: "UPDATE conversation SET problem = ?, name = ?, is_archived = ?, is_muted = ? WHERE id = ?",
                    arguments: [
                        problem, agreed?.name ?? conversation.name, agreed?.isArchived ?? conversation.isArchived,
                        agreed?.isMuted ?? conversation.isMuted, conversation.id.text,
                    ])
            case .begin(let conversation, _):
                try db.execute(
                    sql: "UPDATE conversation SET problem = ? WHERE id = ?", arguments: [problem, conversation.id.text])
                try db.execute(
                    sql:
                        "UPDATE chat_message SET state = 'failed', problem = ? WHERE conversation = ? AND state = 'pending'",
                    arguments: [problem, conversation.id.text])
            case .member(let conversation, let member):
                try db.execute(
                    sql: """
                        UPDATE chat_member SET problem = ?, wish = CASE wish WHEN 'invite' THEN wish END
                        WHERE conversation = ? AND user = ?
                        """, arguments: [problem, conversation.id.text, member.user])
            case .withdraw(let id), .forget(let id, _):
                try db.execute(sql: "DELETE FROM chat_withdrawal WHERE id = ?", arguments: [id.text])
            case .send, .edit: break
            }
        }
    }
}
