import HelixModel
import HelixSQLite

/// The result of recovering conversations from a gateway that has lost data.
public struct ChatRecovery: Hashable, Sendable {
    /// The number of own messages that are queued to be sent again.
    public var again = 0
    /// The number of own messages that are parked until the user decides.
    public var parked = 0
    /// The names of the conversations that the gateway no longer has.
    public var unknown: [String] = []
    /// Notes about changed members, for the user.
    public var people: [String] = []

    private static let gone = "the gateway no longer knows it"
    private static let lost = "the gateway has lost it"
    private static let changed = "the gateway was restored from a backup, and the conversation's members have changed"

    /// Closes the conversations that a gateway does not know: they become read-only. At a recreated gateway a user of the same
    /// name may be another person.
    ///
    /// - Parameters:
    ///   - told: the remote IDs of the conversations that the gateway knows.
    ///   - keepsOwn: True to create conversations without other members on the gateway again.
    /// - Returns: the names of the closed conversations.
    /// - Throws: ``DatabaseError``.
    static func close(_ db: Database, _ account: EntityID, told: Set<String>, keepsOwn: Bool) throws -> [String] {
        let all = try Row.fetchAll(
            db, sql: "SELECT * FROM conversation WHERE account = ? AND role IS NOT NULL", arguments: [account.text]
        ).map(Store.conversation)
        var names: [String] = []
        for conversation in all {
            let id = conversation.id.text
            if let remote = conversation.remote, told.contains(remote) { continue }
            if keepsOwn, conversation.remote == nil { continue }
            if keepsOwn, [.own, .assistant].contains(conversation.kind) {
                // Existing messages keep their place before all later ones.
                try db.execute(
                    sql: """
                        UPDATE chat_message SET seq = seq - 1 - (SELECT MAX(seq) FROM chat_message WHERE conversation = ?1)
                        WHERE conversation = ?1 AND seq IS NOT NULL
                        """, arguments: [id])
                try db.execute(
                    sql: """
                        UPDATE conversation SET remote = NULL, synced = NULL, problem = NULL, read_up_to = 0, first_seq = 1
                        WHERE id = ?
                        """, arguments: [id])
            } else {
                try db.execute(
                    sql: "UPDATE conversation SET role = NULL, remote = NULL, synced = NULL, problem = ? WHERE id = ?",
                    arguments: [gone, id])
                try park(db, conversation, gone)
                names.append(conversation.name)
            }
            try db.execute(sql: "DELETE FROM chat_member WHERE conversation = ?", arguments: [id])
        }
        return names
    }

    /// Parks the queued messages of a conversation until the user decides.
    private static func park(_ db: Database, _ conversation: Conversation, _ reason: String) throws {
        try db.execute(
            sql: "UPDATE chat_message SET state = 'failed', problem = ? WHERE conversation = ? AND state = 'pending'",
            arguments: [reason, conversation.id.text])
    }

    /// Reconciles a conversation with the full listing of a gateway that may have lost messages.
    ///
    /// - Parameters:
    ///   - heard: the messages that the gateway has; the value is true for own messages.
    ///   - new: those of them that were not stored locally before.
    ///   - first: the number of the first message that the user may see on the gateway.
    ///   - isSame: True if all members were members before.
    mutating func recover(
        _ db: Database, _ conversation: Conversation, heard: [EntityID: Bool], new: Set<EntityID>, first: Int64,
        isSame: Bool, hasFile: (String) -> Bool
    ) throws {
        let all = try Row.fetchAll(
            db,
            sql: """
                SELECT n, id, seq, is_mine, is_mine = 1 AND role = 'user' AS says, is_deleted, role = 'system' AS tells
                FROM chat_message
                WHERE conversation = ? AND seq >= ? ORDER BY seq, sent_at, n
                """, arguments: [conversation.id.text, first])
        // Numbers of lost messages are reused, and the clocks of devices differ: only whether a message was stored before
        // tells that it is older than the new ones.
        let isNew = { (row: Row) in new.contains(EntityID(stored: try row["id"])) }
        let messages = try all.filter { try !isNew($0) } + all.filter(isNew)
        // A system message that the gateway lost means that the members may have been others meanwhile.
        let isSame = try isSame && !messages.contains { try $0["tells"] && heard[EntityID(stored: $0["id"])] == nil }
        // A lost message is placed after the message before it.
        var (place, known, isWhole) = (first - 1, first - 1, true)
        for message in messages {
            let (id, number): (EntityID, Int64) = try (EntityID(stored: message["id"]), message["seq"])
            if heard[id] == (try message["is_mine"] as Bool) {
                place = max(place, number)
                if !new.contains(id) { known = max(known, number) }
                continue
            }
            isWhole = false
            try recover(db, message, id, in: conversation, at: place, isSame: isSame, hasFile: hasFile)
        }
        // The numbers of lost messages are reused for new messages, which are unread.
        if !isWhole {
            try db.execute(
                sql: "UPDATE conversation SET read_up_to = min(read_up_to, ?) WHERE id = ?",
                arguments: [known, conversation.id.text])
        }
        if !isSame { try ChatRecovery.park(db, conversation, ChatRecovery.changed) }
    }

    /// Sends an own message again that the gateway lost, or parks it; other lost messages keep their place.
    ///
    /// - Parameters:
    ///   - place: the number of the message before it.
    ///   - isSame: True if the members are those from before the loss.
    private mutating func recover(
        _ db: Database, _ message: Row, _ id: EntityID, in conversation: Conversation, at place: Int64, isSame: Bool,
        hasFile: (String) -> Bool
    ) throws {
        let row: Int64 = try message["n"]
        guard try message["says"] else {
            try db.execute(sql: "UPDATE chat_message SET seq = ? WHERE n = ?", arguments: [place, row])
            return
        }
        if try message["is_deleted"] {
            // If another device sends it again, it is deleted again.
            try db.execute(
                sql: "UPDATE chat_message SET seq = ?, state = 'sent', synced = '', problem = NULL WHERE n = ?",
                arguments: [place, row])
            return
        }
        // Without new members the recipients are the original ones; an assistant would answer again.
        let hashes = try String.fetchAll(
            db, sql: "SELECT sha256 FROM chat_attachment WHERE message = ?", arguments: [id.text])
        let isAgain = isSame && conversation.kind != .assistant && hashes.allSatisfy(hasFile)
        if isAgain { again += 1 } else { parked += 1 }
        try db.execute(
            sql: """
                UPDATE chat_message SET seq = NULL, synced = NULL, tries = 0, retry_at = 0, state = ?, problem = ?
                WHERE n = ?
                """,
            arguments: [
                isAgain ? "pending" : "failed",
                isAgain ? nil : isSame ? ChatRecovery.lost : ChatRecovery.changed, row,
            ])
    }
}

extension ChatIntake {
    /// Reconciles the local store with the full listing of a gateway that lost data because it was restored from a backup.
    ///
    /// Own messages that the gateway lost are sent again in their order, unless the conversation has new members;
    /// messages of others keep their place until their devices send them again.
    ///
    /// - Parameters:
    ///   - told: all conversations that it has.
    ///   - heard: all messages that it has; the value is true for own messages.
    ///   - new: those of them that were not stored locally before.
    ///   - known: the former members of each conversation, by remote ID.
    ///   - hasLeft: the remote IDs of the conversations that the user had left.
    ///   - hasFile: True if the bytes with a hash are stored locally.
    /// - Throws: ``HelixError``.
    public func recover(
        _ told: [RemoteConversation], heard: [EntityID: Bool], new: Set<EntityID>, known: [String: Set<String>],
        hasLeft: Set<String>, hasFile: (String) -> Bool
    ) throws -> ChatRecovery {
        var recovery = ChatRecovery()
        recovery.unknown = try ChatRecovery.close(
            db, account, told: Set(told.compactMap(\.conversation.remote)), keepsOwn: true)
        for remote in told where remote.conversation.role != nil {
            guard let key = remote.conversation.remote, let former = known[key] else { continue }
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM conversation WHERE account = ? AND remote = ?", arguments: [account.text, key])
            guard let conversation = try row.map(Store.conversation) else { continue }
            let (present, name) = (Set(remote.members.map(\.user)), conversation.name)
            let back = remote.members.filter { !former.contains($0.user) && !$0.isMe }.map(\.name).sorted()
            if hasLeft.contains(key) {
                // A user who left is not made a member again.
                try db.execute(
                    sql: "UPDATE chat_member SET pending = 'remove' WHERE conversation = ? AND is_me = 1",
                    arguments: [conversation.id.text])
                recovery.people.append("the gateway added you to '\(name)' again; you leave it again")
            } else if !back.isEmpty {
                recovery.people.append("'\(name)' has former members again: \(back.joined(separator: ", "))")
            }
            if !hasLeft.contains(key), former.subtracting(present).count > 0 {
                recovery.people.append("'\(name)' has lost members: helix chat members '\(name)'")
            }
            try recovery.recover(
                db, conversation, heard: heard, new: new, first: remote.first,
                isSame: former.isSuperset(of: present), hasFile: hasFile)
        }
        return recovery
    }
}

extension Store {
    /// The remote IDs of the conversations of an account that the user has left.
    /// - Throws: ``HelixError``.
    public func chatsLeft(of account: EntityID) throws -> Set<String> {
        try read { db in
            Set(
                try String.fetchAll(
                    db,
                    sql: "SELECT remote FROM conversation WHERE account = ? AND role IS NULL AND remote IS NOT NULL",
                    arguments: [account.text]))
        }
    }

    /// The members of an account's conversations, by remote ID.
    /// - Throws: ``HelixError``.
    public func chatMemberNames(of account: EntityID) throws -> [String: Set<String>] {
        try read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT c.remote, m.user FROM conversation c LEFT JOIN chat_member m
                        ON m.conversation = c.id AND m.pending IS NOT 'invite'
                    WHERE c.account = ? AND c.remote IS NOT NULL
                    """, arguments: [account.text])
            var all: [String: Set<String>] = [:]
            for row in rows {
                let remote: String = try row["remote"]
                if let user = try row["user"] as String? {
                    all[remote, default: []].insert(user)
                } else {
                    all[remote] = []
                }
            }
            return all
        }
    }
}
