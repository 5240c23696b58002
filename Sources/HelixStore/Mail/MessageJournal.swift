import HelixModel
import HelixSQLite

/// The journal's rules for messages: their flags are part of file names, and their rows are an index of the files.
enum MessageJournal {
    static let rules = JournalRules(
        words: ["labels": .list, "mailbox": .custom(mailbox)],
        update: { change, id, fields in try change.updateMessage(id, fields) },
        locate: locate,
        // Another program may have added a UID to the name of a message's file since.
        isSame: { column, current, journaled in
            guard column == "file", case .string(let name)? = current, case .string(let known) = journaled else {
                return current == journaled
            }
            return MaildirName.withoutUID(name) == known
        })

    /// The name of the mailbox with a row number.
    private static func mailbox(_ number: String, _ db: Database) throws -> String? {
        try String.fetchOne(
            db, sql: "SELECT CASE role WHEN 'deleted' THEN 'deleted' ELSE name END FROM mailbox WHERE n = ?",
            arguments: [number]) ?? "a former mailbox"
    }

    /// Indexes the accounts' files if a change set names messages without a row: the messages of an account that was just
    /// restored are not indexed yet.
    private static func locate(_ store: Store, _ changeSet: Int64) throws {
        let isMissing = try store.read { db in
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM change WHERE change_set = ? AND kind = 'message'
                        AND entity NOT IN (SELECT id FROM message))
                    """, arguments: [changeSet])
        }
        // An account without its folder has no messages to find; each missing message is then reported as a conflict.
        if isMissing == true { _ = try? store.indexMail(waits: true) }
    }
}
