import CFiles
import FoundationEssentials
import Glibc
import HelixMail
import HelixModel
import HelixSQLite

/// Delivers messages to a Maildir as a delivery agent does: written to `tmp`, synced to the disk, then renamed.
public final class MailDelivery {
    /// The mailbox's folder.
    let folder: String
    /// Whether the folder was created for this delivery.
    private let isNew: Bool
    private var count = 0
    private let stamp: String
    private let host: String
    /// Whether new names are still to be synced to the disk.
    private var isDirty = false

    /// - Parameter folder: the mailbox's folder, which is created if it does not exist.
    /// - Throws: ``HelixError``.
    public convenience init(folder: String) throws { try self.init(folder: folder, stamp: EntityID().text) }

    /// - Parameter stamp: the common part of all file names, which no other delivery has.
    /// - Throws: ``HelixError``.
    init(folder: String, stamp: String) throws {
        self.folder = folder
        isNew = MaildirFolder.changedAt(folder + "/cur") == nil
        if isNew { try MaildirFolder.make(folder) }
        self.stamp = stamp
        // A constant, so that the name of the machine is not disclosed.
        host = "helix"
    }

    /// Delivers a message.
    ///
    /// - Parameters:
    ///   - time: the time of delivery, with which the file name begins.
    ///   - flags: the flags; a message without flags is delivered to `new`.
    /// - Returns: the name of its file without flags.
    /// - Throws: ``HelixError`` of code `io`, for example if the disk is full.
    @discardableResult
    public func deliver(_ bytes: [UInt8], at time: Instant, flags: MessageFlags) throws -> String {
        try deliver(at: time, flags: flags) { try $0(bytes) }
    }

    /// Delivers a message whose bytes `body` produces.
    /// - Throws: as ``deliver(_:at:flags:)``, and what `body` throws; then no message is delivered.
    @discardableResult
    func deliver(
        at time: Instant, flags: MessageFlags, _ body: (([UInt8]) throws -> Void) throws -> Void
    ) throws -> String {
        count += 1
        let base = "\(max(0, time.seconds)).\(stamp)\(count).\(host)"
        let part = folder + "/tmp/" + base
        let target = flags.isEmpty ? folder + "/new/" + base : folder + "/cur/" + base + ":2," + flags.maildir()
        let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        func fail(_ problem: Int32) -> HelixError {
            HelixError(
                .io, "cannot write a message to \(folder): \(String(cString: strerror(problem)))",
                hint: problem == ENOSPC || problem == EDQUOT
                    ? "Free some space and try again; earlier messages are kept." : nil)
        }
        guard descriptor >= 0 else { throw fail(errno) }
        do {
            try body { bytes in
                let problem = bytes.withUnsafeBytes { WholeWrite.write($0, to: descriptor) }
                if problem != 0 { throw fail(problem) }
            }
        } catch {
            close(descriptor)
            unlink(part)
            throw error
        }
        var problem: Int32 = 0
        if problem == 0, fdatasync(descriptor) != 0 { problem = errno }
        if close(descriptor) != 0, problem == 0 { problem = errno }
        if problem == 0, helix_rename_new(part, target) != 0 { problem = errno }
        if problem != 0 {
            unlink(part)
            throw fail(problem)
        }
        isDirty = true
        return base
    }

    /// The common part of all file names of this delivery.
    public var mark: String { stamp }

    /// Syncs the names to the disk, too. A mailbox that was created for this delivery and is still empty is removed.
    public func finish() {
        guard isDirty else {
            if isNew { MaildirFolder.removeEmpty(folder) }
            return
        }
        for part in ["/new", "/cur"] {
            let descriptor = open(folder + part, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            if descriptor >= 0 {
                fsync(descriptor)
                close(descriptor)
            }
        }
        isDirty = false
    }
}

extension Store {
    /// The folder of helix's own mail.
    public var localMail: String {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        return "/" + folder + "/mail"
    }

    /// The local account with a name, created if it does not exist.
    /// - Throws: ``HelixError``.
    public func localAccount(named name: String) throws -> Account {
        if let found = try mailAccounts().first(where: { $0.name.lowercased() == name.lowercased() }) { return found }
        guard Account.isName(name) else {
            throw HelixError(.usage, "invalid account name '\(name)'", hint: "Use one word of letters and digits.")
        }
        let folder = localMail + "/" + name
        if !isRehearsal { try MaildirFolder.make(folder) }
        // Not journaled: `undo` covers only changes that the user requested.
        try writeDurably { db in
            let change = Change(store: self, db: db, command: "", summary: "", isJournaled: false)
            _ = try change.addMailAccount(name, kind: .local, path: folder)
        }
        return try mailAccount(named: name)
    }

    /// Creates the folder of a local account.
    /// - Throws: ``HelixError`` of code `cannotCreate`.
    public func prepareFolder(of account: Account) throws { try MaildirFolder.make(account.path) }

    /// Whether a folder is or contains a mailbox.
    /// - Throws: ``HelixError``.
    public static func hasMailbox(below folder: String) throws -> Bool {
        try !MaildirFolder.mailboxes(below: folder).mailboxes.isEmpty
    }

    /// The folder of a mailbox with a name, even if it does not exist yet.
    /// - Throws: ``HelixError`` of code `usage` for an invalid name.
    public func mailboxFolder(_ name: String, in account: Account) throws -> String {
        if name.lowercased() == "inbox" { return account.path }
        let row = try read { db in
            try String.fetchOne(
                db, sql: "SELECT path FROM mailbox WHERE account = ? AND name = ? AND role IS NOT 'deleted'",
                arguments: [account.number, name])
        }
        if let row { return Mailbox.folder(account: account.path, path: row) }
        // Maildir++ separates levels by dots, so a dot in a name would create a level.
        return account.path + "/."
            + (try Store.mailboxParts(name)).joined(separator: ".")
    }

    /// The levels of a mailbox's name, encoded for Maildir folders.
    /// - Throws: ``HelixError`` of code `usage` for an invalid name.
    static func mailboxParts(_ name: String) throws -> [String] {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard name.utf8.count <= 200, !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }),
            parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !["cur", "new", "tmp"].contains($0) })
        else {
            throw HelixError(.usage, "invalid mailbox name '\(name)'", hint: "Use words, with '/' between levels.")
        }
        return parts.map(MaildirFolder.part)
    }
}
