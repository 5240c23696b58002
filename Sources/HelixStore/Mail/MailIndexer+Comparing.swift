import HelixMail
import HelixModel
import HelixSQLite

// The comparison of a mailbox's files with its rows.
extension MailIndexer {
    /// A message known to be in a folder; folders and rows are compared by hashes of the names.
    private struct Known {
        var n: Int64
        var isNew: Bool
        var flags: Int64
        var letters: String?
    }

    /// The files of a mailbox, compared one by one with the messages known to be in it.
    private struct Comparison {
        let mailbox: Mailbox
        /// The messages whose files were not found yet, by the hash of their names.
        var known: [UInt64: Known]
        /// Messages with other flags, or in the other folder.
        var changed: [(n: Int64, name: MaildirName, isNew: Bool)] = []
        var seen: Set<UInt64> = []
        /// Names of several files that differ only in flags.
        var twins: Set<String> = []
        /// The number of files whose names cannot be stored.
        var unreadable = 0

        /// Compares a file by its name.
        mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, isNew: Bool, _ arrivals: inout [MailArrival]) {
            let end = MaildirName.endOfBase(bytes)
            let key = StableHash.of(bytes[..<end])
            // No command could open it, because names are stored as text.
            guard bytes.allSatisfy({ $0 < 0x80 }) || String(validating: bytes, as: UTF8.self) != nil else {
                unreadable += 1
                return
            }
            // The same file twice, while it is being moved, or two files whose names differ only in flags.
            guard seen.insert(key).inserted else {
                twins.insert(String(decoding: bytes[..<end], as: UTF8.self))
                return
            }
            guard let row = known.removeValue(forKey: key) else {
                let name = String(decoding: bytes, as: UTF8.self)
                arrivals.append(MailArrival(mailbox: mailbox.number, entry: MaildirEntry(name: name, isNew: isNew)))
                return
            }
            let letters = UnsafeBufferPointer(rebasing: bytes[min(end + 3, bytes.count)...])
            let flags = MessageFlags(maildir: letters).rawValue
            if row.isNew == isNew, row.flags == flags, row.letters == nil, letters.count == flags.nonzeroBitCount {
                return
            }
            let name = MaildirName(String(decoding: bytes, as: UTF8.self))
            if row.isNew != isNew || row.flags != flags || row.letters != MailIndexer.foreign(name.letters) {
                changed.append((row.n, name, isNew))
            }
        }
    }

    /// Compares the files of a mailbox with its rows.
    /// - Returns: True if all files could be listed.
    mutating func compare(
        _ mailbox: Mailbox, _ account: Account, _ hasCur: Bool, _ hasNew: Bool, _ arrivals: inout [MailArrival],
        _ gone: inout [Int64: Int64]
    ) throws -> Bool {
        // A message moves from new to cur when it is seen, so both are read if cur has changed.
        let onlyNew = !hasCur
        var comparison = Comparison(mailbox: mailbox, known: try known(in: mailbox, onlyNew: onlyNew))
        let folder = mailbox.folder(in: account)
        for isNew in onlyNew ? [true] : [false, true] {
            try MaildirFolder.names(folder + (isNew ? "/new" : "/cur")) {
                comparison.add($0, isNew: isNew, &arrivals)
            }
        }
        for row in comparison.known.values { gone[row.n] = mailbox.number }
        let unreadable = comparison.unreadable
        if unreadable > 0 {
            outcome.problems.append(
                "\(unreadable == 1 ? "1 file" : "\(unreadable) files") in \(folder) with a name that is not UTF-8: rename it"
            )
        }
        for base in comparison.twins.sorted() { arrivals += try separate(base, mailbox, folder) }
        if !comparison.changed.isEmpty { try update(comparison.changed, mailbox, folder) }
        return unreadable == 0
    }

    /// The messages known to be in a mailbox, by the hash of their names.
    private func known(in mailbox: Mailbox, onlyNew: Bool) throws -> [UInt64: Known] {
        var known: [UInt64: Known] = [:]
        try store.read { db in
            let row = try Statement(
                db,
                """
                SELECT n, file, is_new, flags, letters FROM message INDEXED BY message_file
                WHERE mailbox = ?1 \(onlyNew ? "AND is_new = 1" : "")
                """)
            row.bind(1, mailbox.number)
            while try row.step() {
                let key = row.utf8(1) { StableHash.of($0) } ?? 0
                known[key] = Known(
                    n: row.integer(0), isNew: row.integer(2) != 0, flags: row.integer(3), letters: row.text(4))
            }
        }
        return known
    }

    /// Stores the flags and folders of changed messages.
    private mutating func update(
        _ changed: [(n: Int64, name: MaildirName, isNew: Bool)], _ mailbox: Mailbox, _ folder: String
    ) throws {
        outcome.changed += changed.count
        try store.writeDerived { db in
            let check = try recheck(db)
            for (n, name, isNew) in changed where try check?.isAt(n, mailbox.number, name, isNew, folder) ?? true {
                try db.execute(
                    sql: "UPDATE message SET flags = ?, letters = ?, is_new = ? WHERE n = ?",
                    arguments: [
                        MessageFlags(maildir: name.letters.utf8).rawValue, Self.foreign(name.letters), isNew ? 1 : 0, n,
                    ])
            }
        }
    }
}
