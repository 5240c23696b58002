import HelixMail
import HelixModel
import HelixSQLite

/// Writes down what was found in the folders.
extension MailIndexer {
    /// A second look at what was seen before a transaction began, where others have changed rows since: a command of helix
    /// renames a file and its row together, and the folder may have been read in between.
    func recheck(_ db: Database) throws -> MailRecheck? {
        try db.othersMark() == mark ? nil : MailRecheck(db: db)
    }

    /// Files of one name that left a mailbox and came to another were moved; they need not be read.
    mutating func move(
        _ arrivals: inout [MailArrival], _ gone: inout [Int64: Int64]
    ) throws {
        if arrivals.isEmpty { return }
        try findStrays(arrivals, &gone)
        if gone.isEmpty { return }
        var byName: [String: Int64] = [:]
        let left = gone.keys
        try store.read { db in
            let row = try Statement(db, "SELECT file FROM message WHERE n = ?1")
            for n in left {
                row.bind(1, n)
                while try row.step() { byName[row.text(0) ?? ""] = n }
            }
        }
        var moved: [(Int64, MailArrival)] = []
        arrivals.removeAll { arrival in
            guard let n = byName[MaildirName(arrival.entry.name).base], gone[n] != arrival.mailbox,
                gone.removeValue(forKey: n) != nil
            else { return false }
            moved.append((n, arrival))
            return true
        }
        try relocate(moved)
    }

    /// How many arrivals are looked for in other mailboxes: those of a first look are new.
    private static let strayLimit = 100

    /// Rows that name another mailbox than the one their files came to, without that one having changed.
    private func findStrays(_ arrivals: [MailArrival], _ gone: inout [Int64: Int64]) throws {
        guard arrivals.count <= Self.strayLimit else { return }
        try store.read { db in
            let row = try Statement(
                db,
                """
                SELECT n, mailbox FROM message
                WHERE file = ?1 AND mailbox <> ?2 AND mailbox IN
                    (SELECT n FROM mailbox WHERE account = (SELECT account FROM mailbox WHERE n = ?2))
                """)
            for arrival in arrivals {
                row.bind(1, MaildirName(arrival.entry.name).base)
                row.bind(2, arrival.mailbox)
                while try row.step() {
                    let n = row.integer(0)
                    if gone[n] == nil, try MailRecheck(db: db).isGone(n) { gone[n] = row.integer(1) }
                }
            }
        }
    }

    mutating func relocate(_ moved: [(Int64, MailArrival)]) throws {
        if moved.isEmpty { return }
        outcome.moved += moved.count
        try store.writeDerived { db in
            let check = try recheck(db)
            for (n, arrival) in moved where try check?.isGone(n) ?? true && check?.isNew(arrival) ?? true {
                let name = MaildirName(arrival.entry.name)
                try db.execute(
                    sql: """
                        UPDATE message SET mailbox = ?, file = ?, is_new = ?, flags = ?, letters = ? WHERE n = ?
                        """,
                    arguments: [
                        arrival.mailbox, name.base, arrival.entry.isNew ? 1 : 0,
                        MessageFlags(maildir: name.letters.utf8).rawValue, Self.foreign(name.letters), n,
                    ])
            }
        }
    }

    /// Writes a batch of messages that were read. What another program moved and gave a new name is known by its
    /// Message-ID.
    mutating func write(
        _ batch: [MailArrival], _ accounts: [Int64: (number: Int64, id: EntityID)],
        _ gone: inout [Int64: Int64]
    ) throws {
        var batch = batch
        if !gone.isEmpty {
            var byID: [String: Int64] = [:]
            let left = gone.keys
            try store.read { db in
                let row = try Statement(db, "SELECT message_id, size FROM message WHERE n = ?1")
                for n in left {
                    row.bind(1, n)
                    while try row.step() { if let id = row.text(0) { byID["\(id) \(row.integer(1))"] = n } }
                }
            }
            var moved: [(Int64, MailArrival)] = []
            batch.removeAll { arrival in
                guard let summary = arrival.summary, let id = summary.messageID,
                    let n = byID.removeValue(forKey: "\(id) \(summary.size)")
                else { return false }
                gone[n] = nil
                moved.append((n, arrival))
                return true
            }
            try relocate(moved)
        }
        let found = batch
        let (added, broken) = try store.writeDerived { db -> (Int, Int) in
            let check = try recheck(db)
            let still = try found.filter { try check?.isNew($0) ?? true }
            let broken = try MailWriter(db: db, now: store.now).insert(still, accounts: accounts)
            return (still.count { $0.summary != nil }, broken)
        }
        outcome.broken += broken
        outcome.added += added
    }
}
