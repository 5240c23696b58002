import HelixModel
import HelixSQLite

/// Numbers for messages whose server identifies them by texts, and the sync state of their accounts.
extension Store {
    /// The server's state string as of the last sync, and its session state; nil if the account was never synced.
    /// - Throws: ``HelixError``.
    public func remoteMailState(_ account: Account) throws -> (state: String, session: String?)? {
        try read { db in
            let row = try Statement(db, "SELECT state, session FROM remote_mail_state WHERE account = ?1")
            row.bind(1, account.number)
            var found: (String, String?)?
            while try row.step() { found = (row.text(0) ?? "", row.text(1)) }
            return found
        }
    }

    /// Writes the server's state string as of the last sync.
    /// - Throws: ``HelixError``.
    public func setRemoteMailState(_ state: String, session: String?, of account: Account) throws {
        try writeDerived { db in
            try db.execute(
                sql: """
                    INSERT INTO remote_mail_state (account, state, session) VALUES (?1, ?2, ?3)
                    ON CONFLICT (account) DO UPDATE SET state = excluded.state, session = excluded.session
                    """, arguments: [account.number, state, session])
        }
    }

    /// The numbers of messages by the server's IDs. An ID without a number is assigned one.
    ///
    /// A number is derived from the ID: files are named after it, and a store that was lost or restored must map them to the
    /// right messages.
    /// - Throws: ``HelixError``.
    public func remoteEmailNumbers(_ ids: [String], of account: Account) throws -> [String: UInt32] {
        var numbers = try read { db -> [String: UInt32] in
            var found: [String: UInt32] = [:]
            let row = try Statement(db, "SELECT n FROM remote_email WHERE account = ?1 AND id = ?2")
            row.bind(1, account.number)
            for id in ids {
                row.bind(2, id)
                while try row.step() { found[id] = UInt32(clamping: row.integer(0)) }
            }
            return found
        }
        let new = ids.filter { numbers[$0] == nil }
        if new.isEmpty { return numbers }
        try writeDerived { db in
            let taken = try Statement(db, "SELECT id FROM remote_email WHERE account = ?1 AND n = ?2")
            taken.bind(1, account.number)
            for id in new where numbers[id] == nil {
                var number = UInt32(truncatingIfNeeded: StableHash.of(id.utf8, seed: 5)) & 0x7FFF_FFFF
                // If the number of an ID is taken, the next free one is used.
                while true {
                    var owner: String?
                    taken.bind(2, Int64(number))
                    while try taken.step() { owner = taken.text(0) }
                    if number > 0, owner == nil || owner == id { break }
                    number = number == 0x7FFF_FFFF ? 1 : number + 1
                }
                try db.execute(
                    sql: "INSERT OR IGNORE INTO remote_email (account, n, id) VALUES (?, ?, ?)",
                    arguments: [account.number, Int64(number), id])
                numbers[id] = number
            }
        }
        return numbers
    }

    /// The server's IDs of messages, by number.
    /// - Throws: ``HelixError``.
    public func remoteEmailNames(_ numbers: [UInt32], of account: Account) throws -> [UInt32: String] {
        try read { db in
            var found: [UInt32: String] = [:]
            let row = try Statement(db, "SELECT id FROM remote_email WHERE account = ?2 AND n = ?1")
            row.bind(2, account.number)
            for number in numbers {
                row.bind(1, Int64(number))
                while try row.step() { found[number] = row.text(0) }
            }
            return found
        }
    }

    /// The names of the mailboxes that contained one of these messages as of the last sync.
    /// - Throws: ``HelixError``.
    public func remoteMailboxNames(holding numbers: [UInt32], of account: Account) throws -> Set<String> {
        try read { db in
            var found: Set<String> = []
            let row = try Statement(
                db,
                """
                SELECT b.name FROM remote_mailbox b JOIN remote_message m ON m.mailbox = b.n
                WHERE b.account = ?1 AND m.uid = ?2
                """)
            row.bind(1, account.number)
            for number in numbers {
                row.bind(2, Int64(number))
                while try row.step() { if let name = row.text(0) { found.insert(name) } }
            }
            return found
        }
    }
}
