import HelixModel
import HelixSQLite

/// An outbound operation: a local change that is still to be sent to a gateway.
public enum OutboundOperation: Hashable, Sendable {
    /// Creates a conversation with its members.
    case begin(Conversation, others: [ChatMember])
    /// Changes a conversation.
    case change(Conversation, ConversationEdit)
    /// Invites or removes a member, or changes their role.
    case member(Conversation, ChatMember)
    /// Sends a message.
    case send(Conversation, ChatMessage)
    /// Changes the content of a message; nil deletes it.
    case edit(Conversation, ChatMessage, content: String?)
    /// Deletes a message that was removed from the local store.
    case withdraw(EntityID)
    /// Deletes a conversation that was removed from the local store.
    case forget(EntityID, remote: String)
}

/// The changed values of a conversation; nil for unchanged ones.
public struct ConversationEdit: Hashable, Sendable {
    /// The name.
    public var name: String?
    /// The description.
    public var description: String?
    /// Whether it is archived.
    public var isArchived: Bool?
    /// Whether it is muted.
    public var isMuted: Bool?
    /// The number of the last message read.
    public var readUpTo: Int64?

    /// Whether it only tells how far the user has read.
    var isReadMarkOnly: Bool { name == nil && description == nil && isArchived == nil && isMuted == nil }

    /// The differences from the values of the last sync.
    init(_ now: SyncedConversation, since base: SyncedConversation) {
        name = now.name == base.name ? nil : now.name
        description = now.description == base.description ? nil : now.description
        isArchived = now.isArchived == base.isArchived ? nil : now.isArchived
        isMuted = now.isMuted == base.isMuted ? nil : now.isMuted
        readUpTo = now.readUpTo > base.readUpTo ? now.readUpTo : nil
    }
}

extension Store {
    /// The outbound operations for a gateway, in the order of the changes in each conversation. A message whose retry is not due,
    /// and everything after it in its conversation, is left out until then.
    /// - Throws: ``HelixError``.
    public func chatErrands(of account: EntityID) throws -> [OutboundOperation] {
        try read { db in
            var operations: [OutboundOperation] = []
            // Messages first: they cannot be deleted from a deleted conversation.
            let gone = try Row.fetchAll(
                db, sql: "SELECT id, remote FROM chat_withdrawal WHERE account = ? ORDER BY remote IS NOT NULL",
                arguments: [account.text])
            for row in gone {
                let id = try EntityID(stored: row["id"])
                let remote: String? = try row["remote"]
                operations.append(remote.map { .forget(id, remote: $0) } ?? .withdraw(id))
            }
            let conversations = try Row.fetchAll(
                db, sql: "SELECT * FROM conversation WHERE account = ? ORDER BY n",
                arguments: [account.text])
            for row in conversations {
                let conversation = try Store.conversation(row)
                operations += try Store.operations(
                    db, conversation, synced: row["synced"], problem: row["problem"], now: now)
            }
            return operations
        }
    }

    private static func operations(
        _ db: Database, _ conversation: Conversation, synced: String?, problem: String?, now: Instant
    ) throws -> [OutboundOperation] {
        let pendingMembers = try pendingMembers(db, conversation)
        var operations: [OutboundOperation] = []
        // Invitations and the user's own leaving keep their order among messages: new members do not see earlier messages, and
        // own messages go out before leaving.
        var turns: ArraySlice<(member: ChatMember, after: Int64)> = []
        if conversation.role == nil {
            // Nothing is changed in a conversation that the user has left; the gateway rejects its queued messages.
        } else if conversation.remote == nil || synced == nil {
            // A rejected conversation waits until it is changed.
            if problem != nil { return [] }
            operations.append(.begin(conversation, others: pendingMembers.map(\.member)))
        } else if let base = synced.flatMap(SyncedConversation.init) {
            if let change = change(of: conversation, since: base) { operations.append(change) }
            turns = pendingMembers.filter { $0.member.pending == .invite || $0.member.isMe }[...]
            operations += pendingMembers.filter { $0.member.pending != .invite && !$0.member.isMe }.map {
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
            let number: Int64 = try row["n"]
            while let next = turns.first, next.after < number {
                operations.append(.member(conversation, turns.removeFirst().member))
            }
            if try (row["retry_at"] as Int64) > now.seconds { return operations }
            let message = try finished(db, try rows(db, "m.n = ?", [row["n"] as Int64]))
            guard let message = message.first else { continue }
            if message.number == nil {
                if !message.isDeleted { operations.append(.send(conversation, message)) }
            } else {
                operations.append(.edit(conversation, message, content: message.isDeleted ? nil : message.content))
            }
        }
        operations += turns.map { .member(conversation, $0.member) }
        return operations
    }

    /// The members with pending changes, each with the number of the message after which the change is made.
    private static func pendingMembers(
        _ db: Database, _ conversation: Conversation
    ) throws -> [(member: ChatMember, after: Int64)] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM chat_member WHERE conversation = ? AND pending IS NOT NULL AND problem IS NULL
                ORDER BY pending_after
                """, arguments: [conversation.id.text]
        ).map { row in
            let member = try ChatMember(
                user: row["user"], name: row["name"], role: ChatMember.Role(rawValue: row["role"]) ?? .member,
                isMe: row["is_me"], pending: (row["pending"] as String?).flatMap(ChatMember.PendingChange.init),
                seesAll: row["sees_all"])
            return try (member: member, after: row["pending_after"] as Int64)
        }
    }

    /// The change of a conversation's own fields since it was synced; nil if there is none.
    private static func change(of conversation: Conversation, since base: SyncedConversation) -> OutboundOperation? {
        let now = SyncedConversation(conversation)
        guard now != base else { return nil }
        return .change(conversation, ConversationEdit(now, since: base))
    }

    /// Whether there are outbound operations for a gateway now.
    /// - Throws: ``HelixError``.
    public func hasChatErrands(of account: EntityID) throws -> Bool { try !chatErrands(of: account).isEmpty }

    /// The refusals of a gateway that wait for the user: messages that are not sent, and changes of members.
    /// - Throws: ``HelixError``.
    public func chatRefusals(of account: EntityID) throws -> [String] {
        try read { db in
            let failed = try Int.fetchOne(
                db,
                sql: """
                    SELECT COUNT(*) FROM chat_message m JOIN conversation c ON c.id = m.conversation
                    WHERE c.account = ? AND m.state = 'failed'
                    """, arguments: [account.text])
            let members = try Row.fetchAll(
                db,
                sql: """
                    SELECT c.name, m.problem FROM chat_member m JOIN conversation c ON c.id = m.conversation
                    WHERE c.account = ? AND m.problem IS NOT NULL ORDER BY c.name, m.name
                    """, arguments: [account.text])
            var refusals = try members.map { try "'\($0["name"] as String)': \($0["problem"] as String)" }
            if let failed, failed > 0 {
                refusals.append("messages not sent: \(failed); 'helix outbox' shows why")
            }
            return refusals
        }
    }

    /// Records that a gateway accepted a message, with the number that it assigned.
    /// - Throws: ``HelixError``.
    public func didSend(_ message: ChatMessage, number: Int64?, sentAt: Instant?) throws {
        try writeDurably { db in
            try db.execute(
                sql: """
                    UPDATE chat_message SET seq = ifnull(?2, seq), synced = ?3, sent_at = ifnull(?4, sent_at), tries = 0,
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

    /// Records that sending a message failed.
    /// - Parameters:
    ///   - isFinal: True if a retry is pointless.
    ///   - wait: the minimum delay before the next retry, in seconds.
    /// - Returns: True if the message is parked now.
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

    /// The number of attempts after which a message is parked.
    static let mostChatTries = 8

    /// Records that a gateway applied an operation other than creating a conversation or sending or editing a message.
    /// - Throws: ``HelixError``.
    public func didTell(_ operation: OutboundOperation) throws {
        try writeDurably { db in
            switch operation {
            case .withdraw(let id), .forget(let id, _):
                try db.execute(sql: "DELETE FROM chat_withdrawal WHERE id = ?", arguments: [id.text])
            case .change(let conversation, _):
                try db.execute(
                    sql: "UPDATE conversation SET synced = ?, problem = NULL WHERE id = ?",
                    arguments: [SyncedConversation(conversation).json, conversation.id.text])
            case .member(let conversation, let member):
                try db.execute(
                    sql:
                        "UPDATE chat_member SET pending = NULL WHERE conversation = ? AND user = ? AND pending = ? AND role = ?",
                    arguments: [
                        conversation.id.text, member.user, member.pending?.rawValue ?? "", member.role.rawValue,
                    ])
            case .begin, .send, .edit: break
            }
        }
    }

    /// Records the remote ID of a conversation, and its state on the gateway, where it may have existed already.
    /// - Throws: ``HelixError``.
    public func didBegin(_ conversation: Conversation, remote: String) throws {
        try writeDurably { db in
            try db.execute(
                sql: "UPDATE conversation SET remote = ?, synced = ? WHERE id = ?",
                // The gateway has no archived, muted and read state yet.
                arguments: [remote, SyncedConversation(named: conversation.name).json, conversation.id.text])
            try db.execute(
                sql:
                    "UPDATE chat_member SET pending = NULL WHERE conversation = ? AND pending = 'invite' AND problem IS NULL",
                arguments: [conversation.id.text])
        }
    }

    /// The conversation with a remote ID; nil if it is not stored locally.
    /// - Throws: ``HelixError``.
    public func conversation(remote: String, of account: EntityID) throws -> EntityID? {
        try read { db in
            try String.fetchOne(
                db, sql: "SELECT id FROM conversation WHERE account = ? AND remote = ?",
                arguments: [account.text, remote]
            ).map { EntityID(stored: $0) }
        }
    }

    /// Conversations whose first messages are not stored locally yet, with the missing numbers.
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
                let first: Int64 = try row["first_seq"]
                let end = try max((row["have"] as Int64?).map { $0 - 1 } ?? 0, row["absent_to"] ?? 0)
                return try end < first ? nil : (EntityID(stored: row["id"]), row["remote"], first...end)
            }
        }
    }

    /// The conversation of a message; nil if it is not stored locally.
    /// - Throws: ``HelixError``.
    public func conversation(ofMessage id: String) throws -> Conversation? {
        try read { db in
            try String.fetchOne(db, sql: "SELECT conversation FROM chat_message WHERE id = ?", arguments: [id])
                .map { try Store.conversation(db, EntityID(stored: $0)) }
        }
    }

    /// Merges two conversations that are one on the gateway: the messages of the younger one move to the older one.
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

    /// The messages that wait for another attempt, which a sync before that time leaves queued: their conversation and number, the
    /// seconds to wait, and the reason.
    /// - Throws: ``HelixError``.
    public func delayedChat(
        of account: EntityID
    ) throws -> [(conversation: String, count: Int, wait: Int64, problem: String)] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT c.name, COUNT(*), MIN(m.retry_at) - ?2, ifnull(MIN(m.problem), '') FROM chat_message m
                    JOIN conversation c ON c.id = m.conversation
                    WHERE c.account = ?1 AND m.state = 'pending' AND m.retry_at > ?2 GROUP BY c.id ORDER BY c.n
                    """, arguments: [account.text, now.seconds]
            ).map { ($0[0], $0[1], $0[2], $0[3]) }
        }
    }

    /// Records why a gateway rejected a change of a conversation or its members.
    /// - Throws: ``HelixError``.
    public func didRefuse(_ operation: OutboundOperation, _ problem: String) throws {
        try writeDurably { db in
            switch operation {
            case .change(let conversation, _):
                // The gateway's values are restored; its messages are still sent.
                let row = try Row.fetchOne(
                    db, sql: "SELECT synced FROM conversation WHERE id = ?", arguments: [conversation.id.text])
                let synced = try (row?["synced"] as String?).flatMap(SyncedConversation.init)
                try db.execute(
                    sql: """
                        UPDATE conversation SET problem = ?, name = ?, is_archived = ?, is_muted = ?, description = ?
                        WHERE id = ?
                        """,
                    arguments: [
                        problem, synced?.name ?? conversation.name, synced?.isArchived ?? conversation.isArchived,
                        synced?.isMuted ?? conversation.isMuted, synced?.description ?? conversation.description,
                        conversation.id.text,
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
                        UPDATE chat_member SET problem = ?, pending = CASE pending WHEN 'invite' THEN pending END
                        WHERE conversation = ? AND user = ?
                        """, arguments: [problem, conversation.id.text, member.user])
            case .withdraw(let id), .forget(let id, _):
                try db.execute(sql: "DELETE FROM chat_withdrawal WHERE id = ?", arguments: [id.text])
            case .send, .edit: break
            }
        }
    }
}
