import FoundationEssentials
import Glibc
import HelixMail
import HelixModel
import HelixSQLite

/// The result of indexing the accounts' files.
public struct MailIndexOutcome: Hashable, Sendable {
    /// The number of new messages.
    public var added = 0
    /// The number of messages whose files were removed.
    public var removed = 0
    /// The number of messages that were moved to another mailbox.
    public var moved = 0
    /// The number of messages whose flags were changed.
    public var changed = 0
    /// The number of new messages that are broken and were read as far as possible.
    public var broken = 0
    /// Files that cannot be read, with the reason.
    public var problems: [String] = []
    /// Folders that cannot be read, with the reason; they are among the ``problems``.
    public var unreadable: [String] = []

    /// Whether nothing has changed.
    public var isNothing: Bool { added + removed + moved + changed == 0 }
}

extension Store {
    /// Finds new, moved, re-flagged and removed messages in the folders of the accounts, and updates the index.
    ///
    /// Only changed folders are read. The index is written batch by batch, so that an interrupted run continues where it
    /// stopped, and readers see new messages early.
    ///
    /// - Parameters:
    ///   - account: the only account to index.
    ///   - isThorough: True to read all folders, changed or not.
    ///   - waits: True to wait for another process that is indexing.
    ///   - progress: receives the number of indexed messages, and the total.
    /// - Throws: ``HelixError``.
    @discardableResult
    public func indexMail(
        account: EntityID? = nil, isThorough: Bool = false, waits: Bool = false,
        progress: ((Int, Int) -> Void)? = nil
    ) throws -> MailIndexOutcome {
        // The branch of an agent is rolled back, and an index with it; another connection would wait for its lock.
        if isReadOnly || branch != nil { return MailIndexOutcome() }
        if database.isConfined {
            return try unconfined {
                try $0.indexMail(account: account, isThorough: isThorough, waits: waits, progress: progress)
            }
        }
        let accounts = try mailAccounts().filter { account == nil || $0.id == account }
        if accounts.isEmpty { return MailIndexOutcome() }
        if waits { purgeDeletedMail() }
        var indexer = MailIndexer(store: self, progress: progress)
        // An account whose folder is missing does not prevent indexing the others.
        var failure: (any Error)?
        func inspect(_ account: Account) throws -> MailIndexer.Changes? {
            do {
                let found = try indexer.inspect(account, isThorough: isThorough)
                return found.isNothing ? nil : found
            } catch let error as HelixError where [.notFound, .notAllowed, .io].contains(error.code) {
                failure = failure ?? error
                return nil
            }
        }
        guard try accounts.contains(where: { try inspect($0) != nil }) else {
            if let failure { throw failure }
            return indexer.outcome
        }
        // One process at a time; the system releases the lock of a process that dies.
        let lock = open(path + ".mail-lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { if lock >= 0 { close(lock) } }
        if lock >= 0, flock(lock, LOCK_EX | (waits ? 0 : LOCK_NB)) != 0 {
            // Another process is indexing; the next command sees its results.
            return indexer.outcome
        }
        // Changes found before the lock was acquired may be outdated.
        for account in accounts { if let found = try inspect(account) { try indexer.apply(found) } }
        foldLog()
        if let failure { throw failure }
        return indexer.outcome
    }

    /// Whether a mail folder has changed since it was indexed: a few system calls for each mailbox.
    /// - Throws: ``HelixError``.
    public func hasUnindexedMail() throws -> Bool {
        let indexer = MailIndexer(store: self, progress: nil)
        return try mailAccounts().contains { try !indexer.inspect($0, isThorough: false).isNothing }
    }
}

/// A comparison of folders with rows.
struct MailIndexer {
    let store: Store
    let progress: ((Int, Int) -> Void)?
    var outcome = MailIndexOutcome()
    /// A mark that tells whether others have changed rows since the folders were compared with them.
    var mark: Int64 = 0

    /// The number of messages written in one batch.
    private static let batchCount = 1000

    init(store: Store, progress: ((Int, Int) -> Void)?) {
        self.store = store
        self.progress = progress
    }

    /// The changes in one account.
    struct Changes {
        var account: Account
        /// The account's folders, if they differ from the known ones.
        var tree: (mailboxes: [String], folders: [String: Int64], problems: [String])?
        /// Mailboxes with a changed folder, and the times of change.
        var boxes: [(mailbox: Mailbox, cur: Int64?, new: Int64?)] = []

        var isNothing: Bool { tree == nil && boxes.isEmpty }
    }

    /// Finds the changed folders, with a few system calls per mailbox.
    func inspect(_ account: Account, isThorough: Bool) throws -> Changes {
        var changes = Changes(account: account)
        try store.read { db in
            var isSame = !isThorough
            var count = 0
            let folders = try Statement(db, "SELECT path, changed_at FROM mail_folder WHERE account = ?1")
            folders.bind(1, account.number)
            while try folders.step() {
                count += 1
                let path = folders.text(0) ?? ""
                let whole = path.isEmpty ? account.path : account.path + "/" + path
                if isSame, MaildirFolder.changedAt(whole) != folders.integer(1) { isSame = false }
            }
            if !isSame || count == 0 {
                if MaildirFolder.changedAt(account.path) == nil {
                    throw HelixError(
                        .notFound, "no folder \(account.path) for the account '\(account.name)'",
                        hint: "If it was moved: helix account remove, then add. The index is kept.")
                }
                changes.tree = try MaildirFolder.mailboxes(below: account.path)
            }
            let row = try Statement(db, "SELECT n, path, name, role, cur_at, new_at FROM mailbox WHERE account = ?1")
            row.bind(1, account.number)
            while try row.step() {
                let mailbox = Mailbox(
                    number: row.integer(0), account: account.number, name: row.text(2) ?? "", path: row.text(1) ?? "",
                    role: row.text(3).flatMap(Mailbox.Role.init(rawValue:)))
                let whole = mailbox.folder(in: account)
                let cur = MaildirFolder.changedAt(whole + "/cur")
                if cur == nil { try MaildirFolder.requireWhole(whole) }
                let new = MaildirFolder.changedAt(whole + "/new")
                let hasCur = isThorough || cur != row.integer(4)
                let hasNew = isThorough || new != row.integer(5)
                if hasCur || hasNew {
                    changes.boxes.append((mailbox, hasCur ? cur ?? 0 : nil, hasNew ? new ?? 0 : nil))
                }
            }
        }
        return changes
    }

    /// The files of an account that differ from the index.
    private struct Findings {
        var arrivals: [MailArrival] = []
        /// The mailboxes of the messages whose files are gone.
        var gone: [Int64: Int64] = [:]
        /// The folders of the mailboxes.
        var paths: [Int64: String] = [:]
        /// Mailboxes with files that could not be read: they may be readable next time, without their folder having changed.
        var unread: Set<Int64> = []
    }

    /// Reads the changed folders and updates the index.
    mutating func apply(_ found: Changes) throws {
        var changes = found
        mark = try store.read { try $0.othersMark() }
        if let tree = changes.tree {
            changes.boxes = try register(tree, changes)
            outcome.problems += tree.problems
            outcome.unreadable += tree.problems
        }
        var findings = Findings()
        try compareAll(&changes, &findings)
        try move(&findings.arrivals, &findings.gone, findings.paths)
        if !findings.arrivals.isEmpty { try index(changes, &findings) }
        try settle(changes, findings)
    }

    /// Compares the files of all changed mailboxes with their rows, and leaves out mailboxes that cannot be read.
    private mutating func compareAll(_ changes: inout Changes, _ findings: inout Findings) throws {
        var unreadable: Set<Int64> = []
        for (mailbox, cur, new) in changes.boxes {
            findings.paths[mailbox.number] = mailbox.folder(in: changes.account)
            do {
                let isWhole = try compare(
                    mailbox, changes.account, cur != nil, new != nil, &findings.arrivals, &findings.gone)
                // Reported each time, until the file is renamed.
                if !isWhole { findings.unread.insert(mailbox.number) }
            } catch let error as HelixError where [.notAllowed, .io].contains(error.code) {
                // The others are still indexed; the index of this one is kept.
                outcome.problems.append(error.message)
                outcome.unreadable.append(error.message)
                unreadable.insert(mailbox.number)
                findings.arrivals.removeAll { $0.mailbox == mailbox.number }
            }
        }
        changes.boxes.removeAll { unreadable.contains($0.mailbox.number) }
    }

    /// Reads the new messages and adds them to the index, batch by batch.
    private mutating func index(_ changes: Changes, _ findings: inout Findings) throws {
        let account = changes.account
        // The newest first: users want to see them first.
        findings.arrivals.sort { $0.entry.name > $1.entry.name }
        let arrivals = findings.arrivals
        let batches = stride(from: 0, to: arrivals.count, by: Self.batchCount).map {
            Array(arrivals[$0..<min($0 + Self.batchCount, arrivals.count)])
        }
        let accounts = Dictionary(
            uniqueKeysWithValues: changes.boxes.map { ($0.mailbox.number, (account.number, account.id)) })
        let reading = MailReading(batches, paths: findings.paths)
        var done = 0
        for place in batches.indices {
            let batch = reading.next(place)
            if let failure = batch.lazy.compactMap(\.failure).first { throw failure }
            for arrival in batch {
                guard let problem = arrival.problem else { continue }
                outcome.problems.append(problem)
                findings.unread.insert(arrival.mailbox)
            }
            try write(batch, accounts, &findings.gone)
            done += batch.count
            progress?(done, arrivals.count)
        }
        // After a first run the full-text index has a dozen segments, and every search would open each of them.
        if batches.count > 5 {
            try store.writeDerived {
                try $0.execute(sql: "INSERT INTO message_text (message_text) VALUES ('optimize')")
            }
        }
    }

    /// Removes the messages whose files are gone, and stores the times of change of the folders that were read whole.
    private mutating func settle(_ changes: Changes, _ findings: Findings) throws {
        let rest = findings.gone.keys.sorted()
        let boxes = changes.boxes.filter { !findings.unread.contains($0.mailbox.number) }
        outcome.removed += try store.writeDerived { db in
            let writer = MailWriter(db: db, now: store.now)
            let check = try recheck(db)
            let absent = try rest.filter { try check?.isGone($0) ?? true }
            for n in absent { try writer.remove(n) }
            for (mailbox, cur, new) in boxes {
                try db.execute(
                    sql: "UPDATE mailbox SET cur_at = ifnull(?, cur_at), new_at = ifnull(?, new_at) WHERE n = ?",
                    arguments: [cur.map(MaildirFolder.settled), new.map(MaildirFolder.settled), mailbox.number])
            }
            return absent.count
        }
    }

    /// Stores the folders and mailboxes of an account.
    /// - Returns: the changed mailboxes, and new ones, which are to be read completely.
    private func register(
        _ tree: (mailboxes: [String], folders: [String: Int64], problems: [String]), _ changes: Changes
    ) throws -> [(mailbox: Mailbox, cur: Int64?, new: Int64?)] {
        let account = changes.account
        return try store.writeDerived { db in
            // The account may have been removed since its folders were read.
            let exists = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM account WHERE n = ? AND id = ?)",
                arguments: [account.number, account.id.text])
            guard exists == true else { return [] }
            try db.execute(sql: "DELETE FROM mail_folder WHERE account = ?", arguments: [account.number])
            for (path, time) in tree.folders {
                try db.execute(
                    sql: "INSERT INTO mail_folder (account, path, changed_at) VALUES (?, ?, ?)",
                    arguments: [account.number, path, MaildirFolder.settled(time)])
            }
            for path in tree.mailboxes {
                let name = MaildirFolder.name(of: path)
                try MailboxNumbers.add(
                    db, account: account.number, path: path, name: name, role: Mailbox.Role(name: name)?.rawValue)
            }
            var boxes = changes.boxes
            let row = try Statement(db, "SELECT n, path, name, role, cur_at FROM mailbox WHERE account = ?1")
            row.bind(1, account.number)
            while try row.step() {
                let number = row.integer(0)
                if boxes.contains(where: { $0.mailbox.number == number }) { continue }
                let mailbox = Mailbox(
                    number: number, account: account.number, name: row.text(2) ?? "", path: row.text(1) ?? "",
                    role: row.text(3).flatMap(Mailbox.Role.init(rawValue:)))
                let whole = mailbox.folder(in: account)
                if row.integer(4) == 0 {
                    boxes.append(
                        (mailbox, MaildirFolder.changedAt(whole + "/cur"), MaildirFolder.changedAt(whole + "/new")))
                }
            }
            return boxes
        }
    }

    /// The letters that are not standard flags.
    static func foreign(_ letters: String) -> String? {
        let foreign = letters.utf8.filter { MessageFlags(maildir: [$0]).isEmpty }
        return foreign.isEmpty ? nil : String(decoding: foreign, as: UTF8.self)
    }
}
