import Foundation
import HelixMail
import HelixModel
import HelixSQLite

// Mailboxes that somebody makes, renames and deletes. Their folders change with them; of an account with a server, the wish
// is kept until the server has heard of it.
extension Store {
    /// The mailbox of that name.
    ///
    /// - Parameter account: only this account's; nil for all.
    /// - Throws: ``HelixError`` of code `notFound`; also where several accounts have one.
    public func mailbox(named name: String, of account: String?) throws -> (mailbox: Mailbox, count: Int) {
        let word = name.lowercased()
        let all = try mailboxes().filter { account == nil || $0.account.lowercased() == account?.lowercased() }
        let found = all.filter { $0.mailbox.name.lowercased() == word }
        guard let first = found.first else {
            throw HelixError(
                .notFound, "there is no mailbox '\(name)'", hint: "'helix mail mailboxes' lists them.")
        }
        guard found.count == 1 else {
            throw HelixError(
                .notFound, "several accounts have a mailbox '\(name)'",
                hint: "Say whose: --account \(found.map(\.account).joined(separator: "|")).")
        }
        return (first.mailbox, first.count)
    }

    /// Makes an empty mailbox.
    /// - Throws: ``HelixError``: `usage` for what is no name, `conflict` for one that is taken.
    public func addMailbox(_ name: String, in account: MailAccount) throws {
        try requireFree(name, in: account)
        var folder = ""
        try writeWithFolders { db in
            let change = Change(store: self, db: db, command: "", summary: "", messageFiles: MessageFiles())
            let number = try change.mailbox(.made(name), of: account.number)
            let path = try String.fetchOne(db, sql: "SELECT path FROM mailbox WHERE n = ?", arguments: [number]) ?? ""
            folder = Mailbox.folder(account: account.path, path: path)
            return (.mailbox(number, path: path), [MoveIntent.Move(from: "", to: folder)])
        } folders: {
            try MaildirFolder.make(folder)
        }
    }

    /// Gives a mailbox another name, and those below it with it.
    ///
    /// - Parameter checksRights: whether a server that does not allow it is reason to refuse.
    /// - Throws: ``HelixError``: `usage` for what is no name, `conflict` for one that is taken, `notAllowed` where the server lets
    ///   nobody do that, `io` if its folder cannot be renamed; then nothing is changed.
    public func renameMailbox(
        _ mailbox: Mailbox, of account: MailAccount, to name: String, checksRights: Bool = true
    ) throws {
        guard !mailbox.path.isEmpty, mailbox.role != .inbox else {
            throw HelixError(.conflict, "'\(mailbox.name)' is where mail arrives, and keeps its name")
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
            throw HelixError(.conflict, "the mailbox is called '\(name)' already")
        }
        guard !path.hasPrefix(mailbox.path + separator) else {
            throw HelixError(.usage, "'\(mailbox.name)' cannot lie below itself")
        }
        let all = try mailboxes().map(\.mailbox).filter { $0.account == mailbox.account }
        let inner = all.filter { $0.path.hasPrefix(mailbox.path + separator) }
        let root = account.path + "/"
        // Plain folders take what lies in them along; those with dots lie side by side.
        let moves = (hasDots ? [mailbox] + inner : [mailbox]).filter { access(root + $0.path, F_OK) == 0 }
            .map { MoveIntent.Move(from: root + $0.path, to: root + path + $0.path.dropFirst(mailbox.path.count)) }
        try writeWithFolders { db in
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
                sql: "UPDATE remote_mailbox SET wish = 'rename' WHERE account = ? AND path = ?",
                arguments: [account.number, path])
            return (.mailbox(mailbox.number, path: path), moves)
        } folders: {
            for move in moves {
                try FileManager.default.createDirectory(
                    atPath: (move.to as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
                guard isSameButCase || access(move.to, F_OK) != 0, rename(move.from, move.to) == 0 else {
                    throw HelixError(
                        .io, "the folder \(move.from) cannot be renamed to \(move.to)",
                        hint: "Is there something of that name? Nothing was changed.")
                }
            }
        }
    }

    /// Takes an empty mailbox away.
    /// - Throws: ``HelixError`` of code `conflict` if something is in it, or it is one that helix needs.
    public func deleteMailbox(_ mailbox: Mailbox, of account: MailAccount) throws {
        guard !mailbox.path.isEmpty, mailbox.role != .inbox else {
            throw HelixError(.conflict, "'\(mailbox.name)' is where mail arrives, and stays")
        }
        try requireRight("delete", mailbox, of: account)
        let folder = Mailbox.folder(account: account.path, path: mailbox.path)
        for part in ["cur", "new", "tmp"]
        where !((try? FileManager.default.contentsOfDirectory(atPath: folder + "/" + part)) ?? []).isEmpty {
            throw HelixError(
                .conflict, "there is something in '\(mailbox.name)' still",
                hint: "Move or delete it first: helix mail delete 'in:\"\(mailbox.name)\"'.")
        }
        try writeWithFolders { db in
            let isEmpty = try Bool.fetchOne(
                db, sql: "SELECT NOT EXISTS (SELECT 1 FROM message WHERE mailbox = ?)", arguments: [mailbox.number])
            guard isEmpty == true else {
                throw HelixError(
                    .conflict, "there is something in '\(mailbox.name)' still",
                    hint: "Move or delete it first: helix mail delete 'in:\"\(mailbox.name)\"'.")
            }
            try db.execute(
                sql: "UPDATE remote_mailbox SET wish = 'delete' WHERE account = ? AND path = ?",
                arguments: [account.number, mailbox.path])
            try db.execute(sql: "DELETE FROM mailbox WHERE n = ?", arguments: [mailbox.number])
            return (.noMailbox(mailbox.number), [MoveIntent.Move(from: folder, to: "")])
        } folders: {
            // What comes in between must not lie in half a mailbox, which nobody looks into.
            for part in ["/new", "/cur", "/tmp"] where rmdir(folder + part) != 0 && errno != ENOENT {
                throw HelixError(
                    .conflict, "something has come into '\(mailbox.name)' just now", hint: "Nothing was changed.")
            }
            // What other programs keep beside the messages stays, and with it the folder.
            unlink(folder + "/maildirfolder")
            rmdir(folder)
        }
    }

    /// Writes rows of mailboxes and changes their folders with them: both, or neither.
    ///
    /// - Parameter rows: writes them; returns the row that says whether it was committed, and what `folders` does, so that
    ///   it can be taken back.
    private func writeWithFolders(
        _ rows: (Database) throws -> (proof: MoveIntent.Proof, moves: [MoveIntent.Move]), folders: () throws -> Void
    ) throws {
        if isRehearsal { return try writeDurably { db in _ = try rows(db) } }
        var intent: MoveIntent?
        var committing: MoveIntent.Proof?
        do {
            try writeDurably { db in
                let (proof, moves) = try rows(db)
                intent = try MoveIntent(moves, proof: proof, store: path) { _ = try settleMovesInTransaction() }
                try folders()
                let parents = moves.flatMap { [$0.from, $0.to] }.filter { !$0.isEmpty }
                    .map { ($0 as NSString).deletingLastPathComponent }
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
                .io, "\(HelixError.reason(error)); the mailbox may be one thing in the list and another on the disk",
                hint: "The next command of helix puts that right. Is the disk in order?")
        }
    }

    private func requireFree(_ name: String, in account: MailAccount) throws {
        _ = try Store.mailboxParts(name)
        let taken = try mailboxes().first {
            $0.mailbox.account == account.number && $0.mailbox.name.lowercased() == name.lowercased()
        }
        guard let taken else {
            guard name.lowercased() != "inbox" else {
                throw HelixError(.conflict, "'\(name)' is where mail arrives")
            }
            return
        }
        throw HelixError(
            .conflict, "there is a mailbox '\(taken.mailbox.name)' in '\(account.name)' already",
            hint: "Give it another name.")
    }
}
