import FoundationEssentials
import HelixMail
import HelixModel
import HelixSQLite

extension Store {
    /// Message rows that share their file with another row.
    private static let twins = """
        SELECT m.n, m.id, m.mailbox, m.file FROM message m JOIN (
            SELECT mailbox, file FROM message GROUP BY mailbox, file HAVING COUNT(*) > 1
        ) t ON t.mailbox = m.mailbox AND t.file = m.file
        """

    /// The maximum distance of a message's number from its date, for many messages of one second.
    private static let mostNumbersOff = 30_000_000

    /// Descriptions of inconsistencies between message rows and files. An account whose folder has changed since it was last
    /// indexed is left out, because mail is arriving just now.
    func mailProblems(_ db: Database) throws -> [String] {
        var problems: [String] = []
        let rows = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM (\(Store.twins))") ?? 0
        let files = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM (\(Store.twins) GROUP BY m.mailbox, m.file)") ?? 0
        if rows > files {
            let extra = rows - files
            problems.append("\(extra) message\(extra == 1 ? " is" : "s are") listed twice, for one file")
        }
        // A message's number is the second of its date, or one soon after.
        let undated =
            try Int.fetchOne(
                db, sql: "SELECT COUNT(*) FROM message WHERE date > n OR date < n - \(Store.mostNumbersOff)") ?? 0
        if undated > 0 { problems.append("\(undated) message\(undated == 1 ? " has" : "s have") a wrong date") }
        let indexer = MailIndexer(store: self, progress: nil)
        for account in try Store.mailAccounts(db) where MaildirFolder.changedAt(account.path) != nil {
            guard try indexer.inspect(account, isThorough: false).isNothing else { continue }
            let (missing, lost, different) = try difference(db, account)
            if missing > 0 {
                problems.append("\(missing) file\(missing == 1 ? "" : "s") of mail in '\(account.name)' are not listed")
            }
            if lost > 0 {
                problems.append("\(lost) message\(lost == 1 ? " has" : "s have") no file in '\(account.name)'")
            }
            if different > 0 {
                problems.append(
                    "\(different) message\(different == 1 ? "" : "s") of '\(account.name)' have other flags than their files"
                )
            }
        }
        return problems
    }

    /// The numbers of an account's files without a row, of rows without a file, and of rows with other flags than their files.
    private func difference(
        _ db: Database, _ account: Account
    ) throws -> (missing: Int, lost: Int, different: Int) {
        var (missing, lost, different) = (0, 0, 0)
        let boxes = try Row.fetchAll(
            db, sql: "SELECT n, path FROM mailbox WHERE account = ? AND role IS NOT 'deleted'",
            arguments: [account.number])
        for box in boxes {
            let folder = try Mailbox.folder(account: account.path, path: box["path"])
            var rows: [String: (isNew: Bool, flags: Int64)] = [:]
            let row = try Statement(db, "SELECT file, is_new, flags FROM message WHERE mailbox = ?1")
            try row.bind(1, box["n"] as Int64)
            while try row.step() { rows[row.text(0) ?? ""] = (row.integer(1) != 0, row.integer(2)) }
            for part in ["/cur", "/new"] {
                try MaildirFolder.names(folder + part) { bytes in
                    // 'helix mail index' reports these.
                    guard String(validating: bytes, as: UTF8.self) != nil else { return }
                    let name = MaildirName(String(decoding: bytes, as: UTF8.self))
                    guard let row = rows.removeValue(forKey: name.base) else {
                        missing += 1
                        return
                    }
                    let flags = MessageFlags(maildir: name.letters.utf8)
                    if row.isNew != (part == "/new") || row.flags != flags.rawValue { different += 1 }
                }
            }
            lost += rows.count
        }
        // Their mailbox is missing, or belongs to another account.
        lost +=
            try Int.fetchOne(
                db,
                sql: """
                    SELECT COUNT(*) FROM message WHERE account = ?1
                        AND mailbox NOT IN (SELECT n FROM mailbox WHERE account = ?1)
                    """, arguments: [account.number]) ?? 0
        return (missing, lost, different)
    }

    /// Rebuilds all derived data, and repairs the problems found by `health()`: all mail is read again from its files, and of
    /// several rows for one file the one in use is kept.
    /// - Parameter progress: receives the number of messages read, and the total.
    /// - Throws: ``HelixError``.
    public func repair(progress: ((Int, Int) -> Void)? = nil) throws {
        // Rows are authoritative; an index that lacks some hides them. REINDEX fails only if rows contradict each other;
        // then the indexes are unchanged, and the check that follows reports them.
        try? writeDurably { db in try db.execute(sql: "REINDEX") }
        try? writeDurably { db in try repairValues(db) }
        try writeDurably { db in try Schema.restore(db) }
        try repairBoards()
        try repairCalendars()
        try writeDurably { db in try rehome(db) }
        try rereadMail(progress: progress)
        try reindex()
        try writeDurably { db in try removeTwins(db) }
        try indexMail(isThorough: true, waits: true)
    }

    /// Assigns messages without a mailbox of their account to the mailbox that contains their file. Messages without a file are
    /// removed; their labels are kept in case they return.
    private func rehome(_ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE OR IGNORE mailbox AS b SET account = (
                    SELECT a.n FROM mailbox_number f JOIN account a ON a.id = f.account WHERE f.n = b.n)
                WHERE account NOT IN (SELECT n FROM account) AND EXISTS (
                    SELECT 1 FROM mailbox_number f JOIN account a ON a.id = f.account WHERE f.n = b.n)
                """)
        let lost = try Row.fetchAll(
            db,
            sql: """
                SELECT n, account, file, is_new, flags, letters FROM message m WHERE mailbox NOT IN
                    (SELECT b.n FROM mailbox b WHERE b.account = m.account)
                """)
        for row in lost {
            let boxes = try Row.fetchAll(
                db, sql: "SELECT b.n, a.path, b.path FROM mailbox b JOIN account a ON a.n = b.account WHERE a.n = ?",
                arguments: [row["account"] as Int64])
            let letters = try MessageFlags(rawValue: row["flags"]).maildir(with: (row["letters"] as String?) ?? "")
            let home = try boxes.first { box in
                let folder = Mailbox.folder(account: box[1], path: box[2])
                return try HelixError.ifFound {
                    try MaildirFolder.find(row["file"], in: folder, isNew: row["is_new"], letters: letters)
                } != nil
            }
            if let home {
                try db.execute(
                    sql: "UPDATE message SET mailbox = ? WHERE n = ?",
                    arguments: [home[0] as Int64, row["n"] as Int64])
            } else {
                try MailWriter(db: db, now: now).remove(row["n"])
            }
        }
    }

    private func removeTwins(_ db: Database) throws {
        let writer = MailWriter(db: db, now: now)
        var kept: [String: (n: Int64, id: String)] = [:]
        let used = """
            SELECT EXISTS (SELECT 1 FROM change WHERE entity = ?1) + EXISTS (SELECT 1 FROM link WHERE a = ?1 OR b = ?1)
                + EXISTS (SELECT 1 FROM message WHERE id = ?1 AND labels IS NOT NULL)
            """
        let rows = try Row.fetchAll(db, sql: Store.twins).map { row in
            try (
                n: row["n"] as Int64, id: row["id"] as String,
                place: "\(row["mailbox"] as Int64) \(row["file"] as String)"
            )
        }
        let weighed = try rows.map { row in
            (row, try Int.fetchOne(db, sql: used, arguments: [row.id]) ?? 0)
        }
        for (row, _) in weighed.sorted(by: { ($0.1, $1.0.n) > ($1.1, $0.0.n) }) {
            guard let first = kept[row.place] else {
                kept[row.place] = (row.n, row.id)
                continue
            }
            // Links and labels of the removed row are moved to the kept one.
            for side in ["a", "b"] {
                try db.execute(
                    sql: "UPDATE OR IGNORE link SET \(side) = ? WHERE \(side) = ?", arguments: [first.id, row.id])
            }
            try db.execute(
                sql: """
                    UPDATE message SET labels = (SELECT labels FROM message WHERE n = ?2)
                    WHERE n = ?1 AND labels IS NULL
                    """, arguments: [first.n, row.n])
            try writer.remove(row.n)
            try db.execute(sql: "DELETE FROM lost_label WHERE id = ?", arguments: [row.id])
        }
    }
}
