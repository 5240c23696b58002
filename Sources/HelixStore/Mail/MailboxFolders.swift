import FoundationEssentials
import Glibc
import HelixMail
import HelixModel
import HelixSQLite

// Creating, renaming and deleting mailboxes. Their folders change with them; for an account with a server, the pending change
// is stored until it is sent.
extension Store {
    /// The mailbox with a name.
    ///
    /// - Parameter account: the account to search; nil for all.
    /// - Throws: ``HelixError`` of code `notFound`, also if several accounts have one.
    public func mailbox(named name: String, of account: String?) throws -> (mailbox: Mailbox, count: Int) {
        let word = name.lowercased()
        let all = try mailboxes().filter { account == nil || $0.account.lowercased() == account?.lowercased() }
        let found = all.filter { $0.mailbox.name.lowercased() == word }
        guard let first = found.first else {
            throw HelixError(
                .notFound, "unknown mailbox '\(name)'", hint: "List mailboxes with 'helix mail mailboxes'.")
        }
        guard found.count == 1 else {
            throw HelixError(
                .notFound, "several accounts have a mailbox '\(name)'",
                hint: "Choose one: --account \(found.map(\.account).joined(separator: "|")).")
        }
        return (first.mailbox, first.count)
    }

    /// Creates an empty mailbox.
    /// - Parameter entry: the change in the history.
    /// - Throws: ``HelixError``: `usage` for an invalid name, `conflict` for one that is taken.
    public func addMailbox(_ name: String, in account: Account, as entry: MailboxChange? = nil) throws {
        try requireMailboxChange()
        try requireFree(name, in: account)
        var folder = ""
        try writeWithFolders(entry) { db in
            let change = Change(store: self, db: db, command: "", summary: "")
            let number = try change.mailbox(.made(name), of: account.number)
            let path = try String.fetchOne(db, sql: "SELECT path FROM mailbox WHERE n = ?", arguments: [number]) ?? ""
            folder = Mailbox.folder(account: account.path, path: path)
            return (.mailbox(number, path: path), [MoveIntent.Move(from: "", to: folder)])
        } folders: {
            try MaildirFolder.make(folder)
        }
    }

    /// Renames a mailbox and those below it.
    ///
    /// - Parameters:
    ///   - checksRights: True to refuse if the server does not allow it.
    ///   - entry: the change in the history.
    /// - Throws: ``HelixError``: `usage` for an invalid name, `conflict` for one that is taken, `notAllowed` if the server denies
    ///   it, `io` if its folder cannot be renamed; then nothing is changed.
    public func renameMailbox(
        _ mailbox: Mailbox, of account: Account, to name: String, checksRights: Bool = true,
        as entry: MailboxChange? = nil
    ) throws {
        try requireMailboxChange()
        guard !mailbox.path.isEmpty, mailbox.role != .inbox else {
            throw HelixError(.conflict, "cannot rename '\(mailbox.name)': it is the inbox")
        }
        if checksRights { try requireRight("rename", mailbox, of: account) }
        try read { try Mailbox.requireOneLevel(name, account: account.number, $0) }
        let isSameButCase = name.lowercased() == mailbox.name.lowercased()
        if !isSameButCase { try requireFree(name, in: account) }
        let parts = try Store.mailboxParts(name)
        let hasDots = mailbox.path.hasPrefix(".")
        let separator = hasDots ? "." : "/"
        let path = (hasDots ? "." : "") + parts.joined(separator: separator)
        guard path != mailbox.path else {
            throw HelixError(.conflict, "the mailbox is already called '\(name)'")
        }
        guard !path.hasPrefix(mailbox.path + separator) else {
            throw HelixError(.usage, "cannot move '\(mailbox.name)' below itself")
        }
        let all = try mailboxes().map(\.mailbox).filter { $0.account == mailbox.account }
        let inner = all.filter { $0.path.hasPrefix(mailbox.path + separator) }
        let root = account.path + "/"
        // Plain folders are renamed with their contents; Maildir++ folders are siblings.
        let moves = (hasDots ? [mailbox] + inner : [mailbox]).filter { access(root + $0.path, F_OK) == 0 }
            .map { MoveIntent.Move(from: root + $0.path, to: root + path + $0.path.dropFirst(mailbox.path.count)) }
        try writeWithFolders(entry) { db in
            for box in [mailbox] + inner {
                let rest = box.path.dropFirst(mailbox.path.count)
                let newName = name + box.name.dropFirst(mailbox.name.count)
                try db.execute(
                    sql: "UPDATE mailbox SET path = ?, name = ?, role = ? WHERE n = ?",
                    arguments: [path + rest, newName, box.role?.rawValue, box.number])
                try db.execute(
                    sql: "UPDATE remote_mailbox SET path = ? WHERE account = ? AND path = ?",
                    arguments: [path + rest, account.number, box.path])
            }
            try db.execute(
                sql: "UPDATE remote_mailbox SET pending = 'rename' WHERE account = ? AND path = ?",
                arguments: [account.number, path])
            return (.mailbox(mailbox.number, path: path), moves)
        } folders: {
            for move in moves {
                try FileManager.default.createDirectory(
                    atPath: move.to.deletingLastPathComponent, withIntermediateDirectories: true)
                guard isSameButCase || access(move.to, F_OK) != 0, rename(move.from, move.to) == 0 else {
                    throw HelixError(
                        .io, "cannot rename the folder \(move.from) to \(move.to)",
                        hint: "Check whether that name exists. Nothing was changed.")
                }
            }
        }
    }

    /// Deletes an empty mailbox.
    /// - Parameter entry: the change in the history.
    /// - Throws: ``HelixError`` of code `conflict` if it is not empty or is the inbox, `notAllowed` if the server denies it.
    public func deleteMailbox(_ mailbox: Mailbox, of account: Account, as entry: MailboxChange? = nil) throws {
        try requireMailboxChange()
        guard !mailbox.path.isEmpty, mailbox.role != .inbox else {
            throw HelixError(.conflict, "cannot delete '\(mailbox.name)': it is the inbox")
        }
        try requireRight("delete", mailbox, of: account)
        let folder = Mailbox.folder(account: account.path, path: mailbox.path)
        for part in ["/cur", "/new", "/tmp"] {
            // Files whose names begin with a dot count, too.
            if access(folder + part, F_OK) != 0, errno == ENOENT { continue }
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder + part) else {
                throw HelixError(
                    .io, "cannot read the folder \(folder + part): whether it is empty is unknown",
                    hint: "Check its permissions.")
            }
            if names.isEmpty { continue }
            throw HelixError(
                .conflict, "cannot delete '\(mailbox.name)': it is not empty",
                hint: "Move or delete its mail: helix mail delete 'in:\"\(mailbox.name)\"'.")
        }
        try writeWithFolders(entry) { db in
            let isEmpty = try Bool.fetchOne(
                db, sql: "SELECT NOT EXISTS (SELECT 1 FROM message WHERE mailbox = ?)", arguments: [mailbox.number])
            guard isEmpty == true else {
                throw HelixError(
                    .conflict, "cannot delete '\(mailbox.name)': it is not empty",
                    hint: "Move or delete its mail: helix mail delete 'in:\"\(mailbox.name)\"'.")
            }
            try db.execute(
                sql: "UPDATE remote_mailbox SET pending = 'delete' WHERE account = ? AND path = ?",
                arguments: [account.number, mailbox.path])
            try db.execute(sql: "DELETE FROM mailbox WHERE n = ?", arguments: [mailbox.number])
            return (.noMailbox(mailbox.number), [MoveIntent.Move(from: folder, to: "")])
        } folders: {
            // A message that arrives meanwhile must not be left in a partial mailbox, which no program reads.
            for part in ["/new", "/cur", "/tmp"] where rmdir(folder + part) != 0 && errno != ENOENT {
                throw HelixError(
                    .conflict, "cannot delete '\(mailbox.name)': mail has just arrived", hint: "Nothing was changed.")
            }
            // Files of other programs are kept, and with them the folder.
            unlink(folder + "/maildirfolder")
            rmdir(folder)
        }
    }

    /// Writes rows of mailboxes and changes their folders, atomically.
    ///
    /// - Parameters:
    ///   - entry: the change in the history.
    ///   - rows: writes the rows; returns the proof of the commit, and the moves that `folders` makes, so that they can be undone.
    private func writeWithFolders(
        _ entry: MailboxChange?,
        _ rows: (Database) throws -> (proof: MoveIntent.Proof, moves: [MoveIntent.Move]), folders: () throws -> Void
    ) throws {
        if isRehearsal { return try writeDurably { db in _ = try rows(db) } }
        var intent: MoveIntent?
        var committing: MoveIntent.Proof?
        do {
            try writeDurably { db in
                let (proof, moves) = try rows(db)
                try entry?.record(self, db)
                intent = try MoveIntent(moves, proof: proof, store: path) { _ = try settleMovesInTransaction() }
                try folders()
                let parents = moves.flatMap { [$0.from, $0.to] }.filter { !$0.isEmpty }
                    .map { $0.deletingLastPathComponent }
                for folder in Set(parents) { try MessageFiles.sync(folder) }
                committing = proof
            }
            intent?.end()
        } catch {
            guard let intent else { throw error }
            if let committing, isCommitted(committing) == true {
                warnings.append(Store.unsafeChange)
                return intent.end()
            }
            intent.leave()
            _ = try? settleMoves()
            guard access(MoveIntent.path(store: path), F_OK) == 0 else { throw error }
            throw HelixError(
                .io, "\(HelixError.reason(error)); the list of mailboxes and the folders on disk may differ",
                hint: "Check the disk. The next helix command repairs this.")
        }
    }

    private func requireFree(_ name: String, in account: Account) throws {
        _ = try Store.mailboxParts(name)
        let taken = try mailboxes().first {
            $0.mailbox.account == account.number && $0.mailbox.name.lowercased() == name.lowercased()
        }
        guard let taken else {
            guard name.lowercased() != "inbox" else {
                throw HelixError(.conflict, "'\(name)' is the name of the inbox")
            }
            return
        }
        throw HelixError(
            .conflict, "the mailbox '\(taken.mailbox.name)' already exists in '\(account.name)'",
            hint: "Choose another name.")
    }
}

extension Store {
    /// Checks that the profile may change mailboxes: with a list of them, what it adds or renames could leave what it sees.
    /// - Throws: ``HelixError`` of code `notAllowed`.
    private func requireMailboxChange() throws {
        try requireChange(.message)
        if let profile, profile.changes == .propose {
            throw profile.refusal("add or change mailboxes, which cannot be proposed", rule: .changes)
        }
        if let profile, profile.mailboxes != nil {
            throw profile.refusal("add or change mailboxes, of which it sees some", rule: .mailboxes)
        }
    }
}
