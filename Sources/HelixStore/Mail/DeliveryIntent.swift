import FoundationEssentials
import Glibc
import HelixModel
import HelixSQLite

/// A record of a running delivery of messages to an account: a file next to the store, until its change set is committed.
///
/// Message files are delivered one by one, and journaled at the end. A process that dies in between, or whose disk is
/// full, leaves this file; the next process that opens the store then journals the delivered messages, so that `helix undo`
/// can remove them. The file is locked while its process lives.
public struct DeliveryIntent {
    /// The part that the names of all delivered files have in common; ``MailDeliveries/mark``.
    let mark: String
    /// The account that receives the messages.
    let account: EntityID
    /// The account's folder.
    let folder: String
    /// The command, as in the history: `mail import`.
    let command: String
    private let path: String
    private let descriptor: Int32

    /// The folder for such files, which exists only while there are any.
    static func folder(store: String) -> String { store + ".deliveries" }

    /// Writes the record of a delivery, and waits until it is on the disk.
    /// - Throws: ``HelixError`` of code `io`.
    init(_ mark: String, account: EntityID, folder: String, command: String, store: String) throws {
        (self.mark, self.account, self.folder, self.command) = (mark, account, folder, command)
        let place = DeliveryIntent.folder(store: store)
        path = place + "/" + mark
        var made: Int32 = -1
        var isLocked = false
        // A process that ends just now may remove the folder, or the file, which is still empty.
        for _ in 0..<10 where !isLocked {
            mkdir(place, 0o700)
            made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if made < 0 { continue }
            isLocked = flock(made, LOCK_EX) == 0 && access(path, F_OK) == 0
            if !isLocked { close(made) }
        }
        descriptor = made
        guard isLocked else { throw DeliveryIntent.failure(path, errno) }
        let words = [mark, account.text, folder, command, "end"]
        let bytes = Array(words.joined(separator: "\0").utf8)
        var problem = bytes.withUnsafeBytes { WholeWrite.write($0, to: descriptor) }
        if problem == 0, fdatasync(descriptor) != 0 { problem = errno }
        if problem != 0 {
            end()
            throw DeliveryIntent.failure(path, problem)
        }
    }

    /// Reads the record that a process has left; nil while that process lives, or if the record is incomplete.
    fileprivate init?(left path: String) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, access(path, F_OK) == 0 else {
            close(descriptor)
            return nil
        }
        let data = FileManager.default.contents(atPath: path) ?? Data()
        let words = data.split(separator: 0, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard words.count == 5, words[4] == "end" else {
            // Nothing was delivered before the record was complete.
            unlink(path)
            close(descriptor)
            return nil
        }
        (mark, account, folder, command) = (words[0], EntityID(stored: words[1]), words[2], words[3])
        (self.path, self.descriptor) = (path, descriptor)
    }

    /// Removes the record after the delivery was journaled.
    public func end() {
        unlink(path)
        rmdir(path.deletingLastPathComponent)
        close(descriptor)
    }

    /// Leaves the record to the next process that opens the store.
    public func leave() { close(descriptor) }

    /// The records that processes have left.
    fileprivate static func left(store: String) -> [DeliveryIntent] {
        let place = folder(store: store)
        guard access(place, F_OK) == 0 else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        if names.isEmpty { rmdir(place) }
        return names.sorted().compactMap { DeliveryIntent(left: place + "/" + $0) }
    }

    private static func failure(_ path: String, _ problem: Int32) -> HelixError {
        HelixError(
            .io, "cannot write \(path): \(String(cString: strerror(problem)))",
            hint: problem == ENOSPC || problem == EDQUOT ? "Free some space and try again; nothing was changed." : nil)
    }
}

extension Store {
    /// Starts a delivery of messages to the mailboxes of an account.
    /// - Returns: the record that the caller must end after ``noteDelivery(_:command:summary:)``.
    /// - Throws: ``HelixError``; then nothing may be delivered.
    public func beginDelivery(
        _ delivery: MailDeliveries, to account: Account, command: String
    ) throws -> DeliveryIntent {
        try DeliveryIntent(
            delivery.mark, account: account.id, folder: account.path, command: command, store: path)
    }

    /// Journals the messages that interrupted commands delivered.
    /// - Returns: sentences that describe them.
    func settleDeliveries() -> [String] {
        if isReadOnly { return [] }
        return DeliveryIntent.left(store: path).compactMap { intent in
            do {
                for mailbox in try MaildirFolder.mailboxes(below: intent.folder).mailboxes {
                    let part = Mailbox.folder(account: intent.folder, path: mailbox) + "/tmp"
                    for name in (try? FileManager.default.contentsOfDirectory(atPath: part)) ?? []
                    where name.contains("." + intent.mark) {
                        unlink(part + "/" + name)
                    }
                }
                guard try mailAccounts().contains(where: { $0.id == intent.account }) else {
                    intent.end()
                    return nil
                }
                try indexMail(account: intent.account, waits: true)
                let count = try noteDelivery(intent.mark, command: intent.command) {
                    "\($0 == 1 ? "1 message" : "\($0) messages") of an interrupted '\(intent.command)'"
                }
                intent.end()
                guard count > 0 else { return nil }
                return "An interrupted 'helix \(intent.command)' had delivered "
                    + "\(count == 1 ? "1 message" : "\(count) messages"). Remove them with 'helix undo'."
            } catch {
                intent.leave()
                return "A 'helix \(intent.command)' was interrupted; its messages are not in the history yet: "
                    + "\(HelixError.reason(error))."
            }
        }
    }

    /// Journals the delivery of messages by a command. Undoing it moves them to helix's hidden mailbox.
    ///
    /// - Parameters:
    ///   - mark: the common part of their file names; ``MailDeliveries/mark``.
    ///   - summary: the history's text for a number of messages.
    /// - Returns: the number of messages.
    /// - Throws: ``HelixError``.
    @discardableResult
    public func noteDelivery(_ mark: String, command: String, summary: (Int) -> String) throws -> Int {
        try change("", command: command) { change in
            let row = try Statement(
                change.db, "SELECT id, mailbox, account FROM message WHERE file LIKE ?1 ORDER BY n")
            row.bind(1, "%.\(mark)%")
            var count = 0
            while try row.step() {
                let keeping = try change.mailbox(.deleted, of: row.integer(2))
                // A message that was moved to the hidden mailbox meanwhile is undone already.
                if keeping == row.integer(1) { continue }
                try change.record(
                    .message, row.id(0) ?? EntityID(stored: ""), "update",
                    before: JournalFields(["mailbox": .int64(keeping)]),
                    after: JournalFields(["mailbox": .int64(row.integer(1))]))
                count += 1
            }
            change.summary = summary(count)
            return count
        }
    }
}
