import CFiles
import FoundationEssentials
import Glibc
import HelixMail
import HelixModel

/// Delivers messages from a server to the account's Maildir.
///
/// A file's name contains the message's UID, so that a delivery that was interrupted before its row was written is recognized
/// by name, and neither fetched nor sent again. Files are flushed to disk together, before the rows are written: after a power
/// failure, missing files must not look like deletions.
public final class RemoteDelivery {
    private let folder: String
    private let mark: String
    private var descriptor: Int32 = -1
    private var part = ""
    private var hasReturn = false

    /// - Parameters:
    ///   - folder: the folder of the mailbox, created if it does not exist.
    /// - Throws: ``HelixError``.
    public init(_ mailbox: RemoteMailbox, in account: Account) throws {
        folder = Mailbox.folder(account: account.path, path: mailbox.path)
        mark = RemoteDelivery.mark(mailbox)
        if MaildirFolder.changedAt(folder + "/cur") == nil { try MaildirFolder.make(folder) }
    }

    /// A mark that distinguishes a mailbox from others, and its UIDs from those of an earlier UIDVALIDITY.
    private static func mark(_ mailbox: RemoteMailbox) -> String {
        let hash = StableHash.of(mailbox.name.utf8, seed: 2)
        return "V\(mailbox.uidValidity)." + String(hash, radix: 36)
    }

    /// The UID of the message for which a file was made; nil if the file belongs to another mailbox.
    public static func uid(of file: String, in mailbox: RemoteMailbox) -> UInt32? {
        let parts = file.split(separator: ".", maxSplits: 2)
        guard parts.count == 3, parts[1].hasPrefix("U"), parts[2] == mark(mailbox) else { return nil }
        return UInt32(parts[1].dropFirst())
    }

    /// Begins a message.
    /// - Throws: ``HelixError`` of code `io`, for example if the disk is full.
    public func begin(_ uid: UInt32) throws {
        part = folder + "/tmp/U\(uid).\(mark)"
        hasReturn = false
        descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw problem(errno) }
    }

    /// Appends bytes to it, with CRLF converted to LF as in a Maildir.
    /// - Throws: ``HelixError`` of code `io`.
    public func add(_ bytes: [UInt8]) throws {
        var lines = [UInt8]()
        lines.reserveCapacity(bytes.count + 1)
        bytes.withUnsafeBufferPointer { whole in
            for byte in whole {
                if hasReturn, byte != 10 { lines.append(13) }
                hasReturn = byte == 13
                if !hasReturn { lines.append(byte) }
            }
        }
        try write(lines)
    }

    private func write(_ bytes: [UInt8]) throws {
        let code = bytes.withUnsafeBytes { WholeWrite.write($0, to: descriptor) }
        if code != 0 { throw problem(code) }
    }

    /// Ends the message and moves it into the mailbox.
    ///
    /// - Parameter date: the time at which the server received it.
    /// - Returns: the name of its file, without flags.
    /// - Throws: ``HelixError`` of code `io`.
    public func end(_ uid: UInt32, date: Instant, flags: MessageFlags) throws -> String {
        if hasReturn { try write([13]) }
        let code = close(descriptor)
        descriptor = -1
        if code != 0 { throw problem(errno) }
        let base = "\(max(0, date.seconds)).U\(uid).\(mark)"
        let target = flags.isEmpty ? folder + "/new/" + base : folder + "/cur/" + base + ":2," + flags.maildir()
        if helix_rename_new(part, target) != 0 { throw problem(errno) }
        return base
    }

    /// Ends the message and replaces a file that had only its headers.
    /// - Throws: ``HelixError`` of code `io`.
    public func end(replacing path: String) throws {
        if hasReturn { try write([13]) }
        let isSafe = fsync(descriptor) == 0
        let code = errno
        let isClosed = close(descriptor) == 0
        descriptor = -1
        guard isSafe, isClosed, rename(part, path) == 0 else {
            let reason = isSafe ? errno : code
            unlink(part)
            throw problem(reason)
        }
    }

    /// Discards the message that was begun.
    public func abandon() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
        unlink(part)
    }

    /// Flushes all files and their names to disk.
    /// - Throws: ``HelixError`` of code `io`.
    public func settle() throws {
        let place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard place >= 0 else { throw problem(errno) }
        defer { close(place) }
        if helix_sync_file_system(place) != 0 { throw problem(errno) }
    }

    private func problem(_ code: Int32) -> HelixError {
        HelixError(
            .io, "cannot write a message to \(folder): \(String(cString: strerror(code)))",
            hint: code == ENOSPC || code == EDQUOT ? "Free disk space and sync again; stored messages are kept." : nil)
    }
}
