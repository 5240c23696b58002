import HelixModel
import HelixSQLite

/// What became of conversations whose gateway has lost something.
public struct ChatRecovery: Hashable, Sendable {
    /// How many of one's own messages are said again.
    public var again = 0
    /// The names of the conversations that the gateway does not know any more.
    public var unknown: [String] = []
}

extension Store {
    /// Whether there are conversations of an account here that its gateway knows.
    /// - Throws: ``HelixError``.
    public func hasSharedConversations(of account: EntityID) throws -> Bool {
        try read { db in
            try Bool.fetchOne(
                db, sql: "SELECT 1 FROM conversation WHERE account = ? AND remote IS NOT NULL LIMIT 1",
                arguments: [account.text]) ?? false
        }
    }

    /// Brings what is here in line with a gateway that told all it has, and may have lost some of it: it came back from a
    /// backup, say, or was made anew.
    ///
    /// One's own messages that it does not know are said again, in their order; those of others stay where they are, until they
    /// say them again. What it does not know at all stays here to be read: whoever is called the same at a gateway that was
    /// made anew need not be the same person.
    ///
    /// - Parameters:
    ///   - told: all conversations that it has.
    ///   - heard: all messages that it has.
    ///   - new: those of them that were not here before.
    ///   - saysAgain: whether anything may be said there.
    /// - Throws: ``HelixError``.
    public func recoverChat(
        of account: MailAccount, told: [RemoteConversation], heard: Set<EntityID>, new: Set<EntityID>, saysAgain: Bool
    ) throws -> ChatRecovery {
        let told = Dictionary(told.map { ($0.conversation.remote, $0) }, uniquingKeysWith: { $1 })
        return try writeDurably { db in
            var recovery = ChatRecovery()
            let rows = try Row.fetchAll(
                db, sql: "SELECT * FROM conversation WHERE account = ? AND remote IS NOT NULL AND role IS NOT NULL",
                arguments: [account.id.text])
            for conversation in rows.map(Store.conversation) {
                if let remote = told[conversation.remote] {
                    recovery.again += try recover(db, conversation, remote.first, heard, new, saysAgain: saysAgain)
                } else {
                    try db.execute(
                        sql: "UPDATE conversation SET role = NULL WHERE id = ?", arguments: [conversation.id.text])
                    try db.execute(
                        sql: "DELETE FROM chat_member WHERE conversation = ?", arguments: [conversation.id.text])
                    recovery.unknown.append(conversation.name)
                }
            }
            return recovery
        }
    }

    /// - Parameter first: the number of the first message that one may see there.
    /// - Returns: how many messages are said again.
    private func recover(
        _ db: Database, _ conversation: Conversation, _ first: Int64, _ heard: Set<EntityID>, _ new: Set<EntityID>,
        saysAgain: Bool
    ) throws -> Int {
        let messages = try Row.fetchAll(
            db,
            sql: """
                SELECT n, id, seq, is_mine = 1 AND is_deleted = 0 AND role = 'user' AS says FROM chat_message
                WHERE conversation = ? AND seq >= ? ORDER BY sent_at, seq
                """, arguments: [conversation.id.text, first])
        // What was lost has its place after what was said before it.
        var (place, known) = (first - 1, first - 1)
        var (count, isWhole) = (0, true)
        for message in messages {
            let (row, id, number): (Int64, EntityID, Int64) = (
                message["n"], EntityID(stored: message["id"]), message["seq"]
            )
            if heard.contains(id) {
                place = max(place, number)
                if !new.contains(id) { known = max(known, number) }
                continue
            }
            isWhole = false
            if saysAgain, message["says"], try hasFiles(db, of: id) {
                count += 1
                try db.execute(
                    sql: """
                        UPDATE chat_message SET seq = NULL, state = 'pending', agreed = NULL, tries = 0, retry_at = 0,
                            problem = NULL WHERE n = ?
                        """, arguments: [row])
            } else {
                try db.execute(sql: "UPDATE chat_message SET seq = ? WHERE n = ?", arguments: [place, row])
            }
        }
        // The numbers of what was lost are given to something else, which nobody has read.
        if !isWhole {
            try db.execute(
                sql: "UPDATE conversation SET read_up_to = min(read_up_to, ?) WHERE id = ?",
                arguments: [known, conversation.id.text])
        }
        return count
    }

    /// Whether the bytes of all files of a message are here: only then it can be said again.
    private func hasFiles(_ db: Database, of message: EntityID) throws -> Bool {
        try String.fetchAll(
            db, sql: "SELECT sha256 FROM chat_attachment WHERE message = ?", arguments: [message.text]
        ).allSatisfy { files.path($0) != nil }
    }
}
