import Foundation
import HelixMail
import HelixModel
import HelixSQLite

extension Store {
    /// Rows of messages that are about a file that another row is about, too.
    private static let twins = """
        SELECT m.n, m.id, m.mailbox, m.file FROM message m JOIN (
            SELECT mailbox, file FROM message GROUP BY mailbox, file HAVING COUNT(*) > 1
        ) t ON t.mailbox = m.mailbox AND t.file = m.file
        """

    /// How far a message's number may be from its date, where many came in one second.
    private static let mostNumbersOff = 30_000_000

    /// Where rows of messages and files of accounts do not agree, in words. An account whose folder changed since it was
    /// looked at last is left out: mail comes in just now.
    func mailProblems(_ db: Database) throws -> [String] {
        var problems: [String] = []
        let rows = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM (\(Store.twins))") ?? 0
        let files = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM (\(Store.twins) GROUP BY m.mailbox, m.file)") ?? 0
        if rows > files {
            let extra = rows - files
            problems.append("\(extra) message\(extra == 1 ? " is" : "s are") listed twice, for one file")
        }
        // A message's number is the second of its date, or one soon after it.
        let undated =
            try Int.fetchOne(
                db, sql: "SELECT COUNT(*) FROM message WHERE date > n OR date < n - \(Store.mostNumbersOff)") ?? 0
        if undated > 0 { problems.append("\(undated) message\(undated == 1 ? " has" : "s have") a wrong date") }
        let indexer = MailIndexer(store: self, progress: nil)
        for account in try Store.mailAccounts(db) where MaildirFolder.changedAt(account.path) != nil {
            guard try indexer.look(account, isThorough: false).isNothing else { continue }
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

    /// How many files of an account have no row, how many rows no file, and how many of the rest differ in their flags.
    private func difference(
        _ db: Database, _ account: MailAccount
    ) throws -> (missing: Int, lost: Int, different: Int) {
        var (missing, lost, different) = (0, 0, 0)
        let boxes = try Row.fetchAll(
            db, sql: "SELECT n, path FROM mailbox WHERE account = ? AND role IS NOT 'deleted'",
            arguments: [account.number])
        for box in boxes {
            let folder = Mailbox.folder(account: account.path, path: box["path"])
            var rows: [String: (isNew: Bool, flags: Int64)] = [:]
            let row = try Statement(db, "SELECT file, is_new, flags FROM message WHERE mailbox = ?1")
            row.bind(1, box["n"] as Int64)
            while try row.step() { rows[row.text(0) ?? ""] = (row.integer(1) != 0, row.integer(2)) }
            for part in ["/cur", "/new"] {
                try MaildirFolder.names(folder + part) { bytes in
                    // 'helix mail index' says that these cannot be listed.
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
        // Their mailbox is not there, or is another account's.
        lost +=
            try Int.fetchOne(
                db,
                sql: """
                    SELECT COUNT(*) FROM message WHERE account = ?1
                        AND mailbox NOT IN (SELECT n FROM mailbox WHERE account = ?1)
                    """, arguments: [account.number]) ?? 0
        return (missing, lost, different)
    }

    /// Makes everything anew that is made from other things, and heals what `health()` finds: all mail is read again from its
    /// files, and of rows about one file the one stays that somebody has used.
    /// - Parameter progress: gets how many messages were read, and of how many.
    /// - Throws: ``HelixError``.
    public func repair(progress: ((Int, Int) -> Void)? = nil) throws {
        // Rows are what counts; an index that lacks some of them hides them. It fails only where rows contradict each other,
        // and then the indexes stay as they are, and the check that follows names them.
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

    /// Gives messages whose row names no mailbox of their account the one in which their file lies. What lies nowhere is
    /// taken out; its labels are kept for when it comes back.
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
            let letters = MessageFlags(rawValue: row["flags"]).maildir(with: (row["letters"] as String?) ?? "")
            let home = boxes.first { box in
                let folder = Mailbox.folder(account: box[1], path: box[2])
                return (try? MaildirFolder.find(row["file"], in: folder, isNew: row["is_new"], letters: letters)) != nil
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
            (
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
            // Links and labels of the other one go to the one that stays.
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
