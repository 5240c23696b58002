import CFiles
import Foundation
import HelixMail
import HelixModel
import HelixSQLite

/// Puts messages into helix's own Maildir, as a delivery agent does: whole into `tmp`, on the disk, then renamed.
public final class MailDelivery {
    /// The mailbox's folder.
    let folder: String
    /// Whether the folder was made for this delivery.
    private let isNew: Bool
    private var count = 0
    private let stamp: String
    private let host: String
    /// Folders in which names were made, to be put on the disk once.
    private var isDirty = false

    /// - Parameter folder: the mailbox's folder, which is made if it is not there.
    /// - Throws: ``HelixError``.
    public init(folder: String) throws {
        self.folder = folder
        isNew = MaildirFolder.changedAt(folder + "/cur") == nil
        if isNew { try MaildirFolder.make(folder) }
        stamp = EntityID().text
        // Nobody else has to know the name of the machine.
        host = "helix"
    }

    /// Writes a message.
    ///
    /// - Parameters:
    ///   - time: when it was delivered, which its name begins with.
    ///   - flags: its flags; without any it is new.
    /// - Returns: the name of its file without flags.
    /// - Throws: ``HelixError`` of code `io`: the disk is full, say.
    @discardableResult
    public func deliver(_ bytes: [UInt8], at time: Instant, flags: MessageFlags) throws -> String {
        try deliver(at: time, flags: flags) { try $0(bytes) }
    }

    /// Writes a message as `body` gives its bytes.
    /// - Throws: as ``deliver(_:at:flags:)``, and what `body` throws; then there is no message.
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
                .io, "a message cannot be written into \(folder): \(String(cString: strerror(problem)))",
                hint: problem == ENOSPC || problem == EDQUOT
                    ? "Make room and do it again; what came before is kept." : nil)
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

    /// What all names of this delivery have in them.
    public var mark: String { stamp }

    /// Makes sure that the names are on the disk, too. A mailbox that was made for messages that did not come goes again.
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

    /// helix's own account, made if there is none of that name.
    /// - Throws: ``HelixError``.
    public func localAccount(named name: String) throws -> MailAccount {
        if let found = try mailAccounts().first(where: { $0.name.lowercased() == name.lowercased() }) { return found }
        guard MailAccount.isName(name) else {
            throw HelixError(.usage, "'\(name)' is no name for an account", hint: "Use one word of letters and digits.")
        }
        let folder = localMail + "/" + name
        if !isRehearsal { try MaildirFolder.make(folder) }
        // Beside the journal: nobody asked for it, and `undo` takes back what somebody did.
        try writeDurably { db in
            let change = Change(store: self, db: db, command: "", summary: "", isJournaled: false)
            _ = try change.addMailAccount(name, kind: .local, path: folder)
        }
        return try mailAccount(named: name)
    }

    /// Makes the folder of an account whose mail helix keeps itself.
    /// - Throws: ``HelixError`` of code `cannotCreate`.
    public func prepareFolder(of account: MailAccount) throws { try MaildirFolder.make(account.path) }

    /// Whether there is a mailbox in a folder, or below it.
    /// - Throws: ``HelixError``.
    public static func hasMailbox(below folder: String) throws -> Bool {
        try !MaildirFolder.mailboxes(below: folder).mailboxes.isEmpty
    }

    /// The folder of a mailbox by its name, also of one that is yet to be made.
    /// - Throws: ``HelixError`` of code `usage` if it is no name for one.
    public func mailboxFolder(_ name: String, in account: MailAccount) throws -> String {
        if name.lowercased() == "inbox" { return account.path }
        let row = try read { db in
            try String.fetchOne(
                db, sql: "SELECT path FROM mailbox WHERE account = ? AND name = ? AND role IS NOT 'deleted'",
                arguments: [account.number, name])
        }
        if let row { return Mailbox.folder(account: account.path, path: row) }
        // Maildir++ has a dot between levels, so that one in a name would make a level.
        return account.path + "/."
            + (try Store.mailboxParts(name)).joined(separator: ".")
    }

    /// The levels of a mailbox's name as folders of a Maildir have them.
    /// - Throws: ``HelixError`` of code `usage` if it is no name for one.
    static func mailboxParts(_ name: String) throws -> [String] {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard name.utf8.count <= 200, !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }),
            parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !["cur", "new", "tmp"].contains($0) })
        else {
            throw HelixError(.usage, "'\(name)' is no name for a mailbox", hint: "Use words, with '/' between levels.")
        }
        return parts.map(MaildirFolder.part)
    }
}
