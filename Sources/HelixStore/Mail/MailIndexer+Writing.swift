import CFiles
import FoundationEssentials
import Glibc
import HelixMail
import HelixModel
import HelixSQLite

/// Updates of the index with the changes found in the folders.
extension MailIndexer {
    /// The check that repeats observations made before the transaction began; nil if no other process has changed rows since. A
    /// helix command renames a file and its row together, and the folder may have been read in between.
    func recheck(_ db: Database) throws -> MailRecheck? {
        try db.othersMark() == mark ? nil : MailRecheck(db: db)
    }

    /// Detects moved files: a file that disappeared from one mailbox and appeared with the same name in another need not be read.
    mutating func move(
        _ arrivals: inout [MailArrival], _ gone: inout [Int64: Int64], _ paths: [Int64: String]
    ) throws {
        if arrivals.isEmpty { return }
        try findStrays(arrivals, &gone)
        if gone.isEmpty { return }
        var byName: [String: (n: Int64, size: Int64)] = [:]
        let left = gone.keys
        try store.read { db in
            let row = try Statement(db, "SELECT file, size FROM message WHERE n = ?1")
            for n in left {
                row.bind(1, n)
                while try row.step() { byName[row.text(0) ?? ""] = (n, row.integer(1)) }
            }
        }
        var moved: [(Int64, MailArrival)] = []
        arrivals.removeAll { arrival in
            guard let (n, size) = byName[MaildirName(arrival.entry.name).base], gone[n] != arrival.mailbox,
                // Another message may have arrived with that name.
                let folder = paths[arrival.mailbox],
                MailIndexer.size(folder + (arrival.entry.isNew ? "/new/" : "/cur/") + arrival.entry.name) == size,
                gone.removeValue(forKey: n) != nil
            else { return false }
            moved.append((n, arrival))
            return true
        }
        try relocate(moved)
    }

    private static func size(_ path: String) -> Int64? {
        var info = stat()
        return stat(path, &info) == 0 ? Int64(info.st_size) : nil
    }

    /// The maximum number of arrivals to search for in other mailboxes: those of a first run are new.
    private static let strayLimit = 100

    /// Finds rows whose files were moved to a mailbox of the arrivals, although their own mailbox appears unchanged.
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

    /// Renames files whose names differ only in flags, because they are separate messages.
    /// - Returns: the renamed files.
    mutating func separate(_ base: String, _ mailbox: Mailbox, _ folder: String) throws -> [MailArrival] {
        var files: [(path: String, entry: MaildirEntry)] = []
        for isNew in [false, true] {
            let part = folder + (isNew ? "/new/" : "/cur/")
            try MaildirFolder.names(part) { bytes in
                guard let name = String(validating: bytes, as: UTF8.self), MaildirName(name).base == base else {
                    return
                }
                files.append((part + name, MaildirEntry(name: name, isNew: isNew)))
            }
        }
        // A file that another program renames while the folder is read appears under both names.
        files = files.filter { access($0.path, F_OK) == 0 }
        guard files.count > 1 else { return [] }
        let known = try store.read { db in
            try Row.fetchOne(
                db, sql: "SELECT is_new, flags FROM message WHERE mailbox = ? AND file = ?",
                arguments: [mailbox.number, base])
        }
        // The one that the row describes keeps the name.
        let kept = try files.firstIndex { file in
            guard let known else { return false }
            let flags = MessageFlags(maildir: MaildirName(file.entry.name).letters.utf8).rawValue
            return try known["is_new"] == file.entry.isNew && known["flags"] == Int64(flags)
        }
        var arrivals: [MailArrival] = []
        for (index, file) in files.enumerated() where index != kept ?? 0 {
            let other = MaildirName.another(for: base) + file.entry.name.dropFirst(base.count)
            let part = file.path.deletingLastPathComponent
            guard helix_rename_new(file.path, part + "/" + other) == 0 else {
                outcome.problems.append(
                    "\(file.path) has the name of another message; cannot rename it: \(String(cString: strerror(errno)))"
                )
                continue
            }
            arrivals.append(
                MailArrival(mailbox: mailbox.number, entry: MaildirEntry(name: other, isNew: file.entry.isNew)))
        }
        return arrivals
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

    /// Writes a batch of messages that were read. A message that another program moved and renamed is recognized by its
    /// Message-ID and size.
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
