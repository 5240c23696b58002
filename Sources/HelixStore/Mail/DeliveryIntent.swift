import Foundation
import HelixModel
import HelixSQLite

/// A command that is bringing messages into a mailbox, in a file beside the store until its change set is committed.
///
/// Files of messages come one by one, and the history says so at the end. A process that dies in between, or whose disk is
/// full, leaves this file; the next one that opens the store writes into the history what came, so that `helix undo` takes
/// it back. The file is locked while its process lives.
public struct DeliveryIntent {
    /// The part that all names of the delivered files have in common; ``MailDelivery/mark``.
    let mark: String
    /// The account that takes them.
    let account: EntityID
    /// The mailbox's folder.
    let folder: String
    /// As the history names it: `mail import`.
    let command: String
    private let path: String
    private let descriptor: Int32

    /// The folder for such files, which is there only while one of them is.
    static func folder(store: String) -> String { store + ".deliveries" }

    /// Writes down what is about to happen, and waits until it is on the disk.
    /// - Throws: ``HelixError`` of code `io`.
    init(_ mark: String, account: EntityID, folder: String, command: String, store: String) throws {
        (self.mark, self.account, self.folder, self.command) = (mark, account, folder, command)
        let place = DeliveryIntent.folder(store: store)
        path = place + "/" + mark
        var made: Int32 = -1
        var isLocked = false
        // Another process may take the folder away that ends just now, or the file, which nothing stands in yet.
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

    /// The delivery that a process has left in a file; nil while that process lives, or where it was not written whole.
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
            // Nothing was delivered before it was written.
            unlink(path)
            close(descriptor)
            return nil
        }
        (mark, account, folder, command) = (words[0], EntityID(stored: words[1]), words[2], words[3])
        (self.path, self.descriptor) = (path, descriptor)
    }

    /// The history says what came.
    public func end() {
        unlink(path)
        rmdir((path as NSString).deletingLastPathComponent)
        close(descriptor)
    }

    /// Leaves it to the next process that opens the store.
    public func leave() { close(descriptor) }

    /// The files that processes have left.
    fileprivate static func left(store: String) -> [DeliveryIntent] {
        let place = folder(store: store)
        guard access(place, F_OK) == 0 else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        if names.isEmpty { rmdir(place) }
        return names.sorted().compactMap { DeliveryIntent(left: place + "/" + $0) }
    }

    private static func failure(_ path: String, _ problem: Int32) -> HelixError {
        HelixError(
            .io, "\(path) cannot be written: \(String(cString: strerror(problem)))",
            hint: problem == ENOSPC || problem == EDQUOT ? "Make room and do it again; nothing was changed." : nil)
    }
}

extension Store {
    /// Begins to bring messages into a mailbox.
    /// - Returns: what the one that delivers ends when ``noteDelivery(_:command:summary:)`` is done.
    /// - Throws: ``HelixError``; then nothing may be delivered.
    public func beginDelivery(
        _ delivery: MailDelivery, to account: MailAccount, command: String
    ) throws -> DeliveryIntent {
        try DeliveryIntent(
            delivery.mark, account: account.id, folder: delivery.folder, command: command, store: path)
    }

    /// Writes into the history what commands brought that were broken off.
    /// - Returns: sentences about it.
    func settleDeliveries() -> [String] {
        if isReadOnly { return [] }
        return DeliveryIntent.left(store: path).compactMap { intent in
            do {
                let part = intent.folder + "/tmp"
                for name in (try? FileManager.default.contentsOfDirectory(atPath: part)) ?? []
                where name.contains("." + intent.mark) {
                    unlink(part + "/" + name)
                }
                guard try mailAccounts().contains(where: { $0.id == intent.account }) else {
                    intent.end()
                    return nil
                }
                try indexMail(account: intent.account, waits: true)
                let count = try noteDelivery(intent.mark, command: intent.command) {
                    "\($0 == 1 ? "1 message" : "\($0) messages") of a '\(intent.command)' that was broken off"
                }
                intent.end()
                guard count > 0 else { return nil }
                return "A 'helix \(intent.command)' that was broken off had brought "
                    + "\(count == 1 ? "1 message" : "\(count) messages"). 'helix undo' takes them away again."
            } catch {
                intent.leave()
                return "A 'helix \(intent.command)' was broken off, and what it brought is not in the history yet: "
                    + "\(HelixError.reason(error))."
            }
        }
    }

    /// Writes down that messages came by a command, so that it can be undone: they then go into helix's own keeping.
    ///
    /// - Parameters:
    ///   - mark: what their files have in their names; ``MailDelivery/mark``.
    ///   - summary: what the history says of so many messages.
    /// - Returns: how many came.
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
                // One that was moved into helix's own keeping meanwhile is taken back already.
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
