import HelixModel
import HelixSQLite

/// What became of conversations whose gateway has lost something.
public struct ChatRecovery: Hashable, Sendable {
    /// How many of one's own messages are said again.
    public var again = 0
    /// How many wait for somebody to decide that.
    public var parked = 0
    /// The names of the conversations that the gateway does not know any more.
    public var unknown: [String] = []
    /// What somebody must know of who is in conversations now.
    public var people: [String] = []

    private static let gone = "the gateway does not know it any more"
    private static let lost = "the gateway has lost it"
    private static let changed = "the gateway came back from a backup, and others are in the conversation than were"

    /// Ends the conversations that a gateway does not know: they can be read, and nothing is said in them any more. Whoever is
    /// called the same at a gateway that was made anew need not be the same person.
    ///
    /// - Parameters:
    ///   - told: what the gateway calls those that it knows.
    ///   - keepsOwn: whether those in which nobody else is are begun there again.
    /// - Returns: the names of those that ended.
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
                // What was said stays before all that is said from now on.
                try db.execute(
                    sql: """
                        UPDATE chat_message SET seq = seq - 1 - (SELECT MAX(seq) FROM chat_message WHERE conversation = ?1)
                        WHERE conversation = ?1 AND seq IS NOT NULL
                        """, arguments: [id])
                try db.execute(
                    sql: """
                        UPDATE conversation SET remote = NULL, agreed = NULL, problem = NULL, read_up_to = 0, first_seq = 1
                        WHERE id = ?
                        """, arguments: [id])
            } else {
                try db.execute(
                    sql: "UPDATE conversation SET role = NULL, remote = NULL, agreed = NULL, problem = ? WHERE id = ?",
                    arguments: [gone, id])
                try park(db, conversation, gone)
                names.append(conversation.name)
            }
            try db.execute(sql: "DELETE FROM chat_member WHERE conversation = ?", arguments: [id])
        }
        return names
    }

    /// What waits to be said waits for somebody to decide.
    private static func park(_ db: Database, _ conversation: Conversation, _ reason: String) throws {
        try db.execute(
            sql: "UPDATE chat_message SET state = 'failed', problem = ? WHERE conversation = ? AND state = 'pending'",
            arguments: [reason, conversation.id.text])
    }

    /// Brings a conversation in line with a gateway that told all it has of it, and may have lost some.
    ///
    /// - Parameters:
    ///   - heard: the messages that the gateway has, and whether they are one's own.
    ///   - new: those of them that were not here before.
    ///   - first: the number of the first message that one may see there.
    ///   - isSame: whether nobody is in it who was not in it before.
    mutating func recover(
        _ db: Database, _ conversation: Conversation, heard: [EntityID: Bool], new: Set<EntityID>, first: Int64,
        isSame: Bool, hasFile: (String) -> Bool
    ) throws {
        let messages = try Row.fetchAll(
            db,
            sql: """
                SELECT n, id, seq, is_mine, is_mine = 1 AND role = 'user' AS says, is_deleted, role = 'system' AS tells
                FROM chat_message
                WHERE conversation = ? AND seq >= ? ORDER BY sent_at, seq
                """, arguments: [conversation.id.text, first])
        // Where the conversation told something of itself since, others may have been there when it was said.
        let isSame = isSame && !messages.contains { $0["tells"] && heard[EntityID(stored: $0["id"])] == nil }
        // What was lost has its place after what was said before it.
        var (place, known, isWhole) = (first - 1, first - 1, true)
        for message in messages {
            let (row, id, number): (Int64, EntityID, Int64) = (
                message["n"], EntityID(stored: message["id"]), message["seq"]
            )
            if heard[id] == message["is_mine"] as Bool {
                place = max(place, number)
                if !new.contains(id) { known = max(known, number) }
                continue
            }
            isWhole = false
            guard message["says"] else {
                try db.execute(sql: "UPDATE chat_message SET seq = ? WHERE n = ?", arguments: [place, row])
                continue
            }
            if message["is_deleted"] {
                // Should another device say it again, it is deleted again.
                try db.execute(
                    sql: "UPDATE chat_message SET seq = ?, state = 'sent', agreed = '', problem = NULL WHERE n = ?",
                    arguments: [place, row])
                continue
            }
            // To whom it was said is known where nobody came in; an assistant would answer once more.
            let hashes = try String.fetchAll(
                db, sql: "SELECT sha256 FROM chat_attachment WHERE message = ?", arguments: [id.text])
            let isAgain = isSame && conversation.kind != .assistant && hashes.allSatisfy(hasFile)
            if isAgain { again += 1 } else { parked += 1 }
            try db.execute(
                sql: """
                    UPDATE chat_message SET seq = NULL, agreed = NULL, tries = 0, retry_at = 0, state = ?, problem = ?
                    WHERE n = ?
                    """,
                arguments: [
                    isAgain ? "pending" : "failed",
                    isAgain ? nil : isSame ? ChatRecovery.lost : ChatRecovery.changed, row,
                ])
        }
        // The numbers of what was lost are given to something else, which nobody has read.
        if !isWhole {
            try db.execute(
                sql: "UPDATE conversation SET read_up_to = min(read_up_to, ?) WHERE id = ?",
                arguments: [known, conversation.id.text])
        }
        if !isSame { try ChatRecovery.park(db, conversation, ChatRecovery.changed) }
    }
}

extension ChatIntake {
    /// Brings what is here in line with a gateway that told all it has, and has lost some of it: it came back from a backup.
    ///
    /// One's own messages that it does not know are said again, in their order, unless others are in the conversation by now;
    /// those of others stay where they are, until they say them again.
    ///
    /// - Parameters:
    ///   - told: all conversations that it has.
    ///   - heard: all messages that it has, and whether they are one's own.
    ///   - new: those of them that were not here before.
    ///   - known: who was in the conversations before.
    ///   - hasLeft: those in which one was not any more.
    ///   - hasFile: whether the bytes with that hash are here.
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
            guard let conversation = row.map(Store.conversation) else { continue }
            let (present, name) = (Set(remote.members.map(\.user)), conversation.name)
            let back = remote.members.filter { !former.contains($0.user) && !$0.isMe }.map(\.name).sorted()
            if hasLeft.contains(key) {
                // Whoever left is not made to listen again.
                try db.execute(
                    sql: "UPDATE chat_member SET wish = 'remove' WHERE conversation = ? AND is_me = 1",
                    arguments: [conversation.id.text])
                recovery.people.append("you were in '\(name)' again, and leave it again")
            } else if !back.isEmpty {
                recovery.people.append("in '\(name)' there is again: \(back.joined(separator: ", "))")
            }
            if !hasLeft.contains(key), former.subtracting(present).count > 0 {
                recovery.people.append("in '\(name)' there are fewer than there were: helix chat members '\(name)'")
            }
            try recovery.recover(
                db, conversation, heard: heard, new: new, first: remote.first,
                isSame: former.isSuperset(of: present), hasFile: hasFile)
        }
        return recovery
    }
}

extension Store {
    /// The conversations of an account in which one is not any more, by what its gateway calls them.
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

    /// Who is in the conversations of an account, by what its gateway calls them.
    /// - Throws: ``HelixError``.
    public func chatOccupants(of account: EntityID) throws -> [String: Set<String>] {
        try read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT c.remote, m.user FROM conversation c LEFT JOIN chat_member m
                        ON m.conversation = c.id AND m.wish IS NOT 'invite'
                    WHERE c.account = ? AND c.remote IS NOT NULL
                    """, arguments: [account.text])
            var all: [String: Set<String>] = [:]
            for row in rows {
                if let user = row["user"] as String? {
                    all[row["remote"], default: []].insert(user)
                } else {
                    all[row["remote"]] = []
                }
            }
            return all
        }
    }
}
