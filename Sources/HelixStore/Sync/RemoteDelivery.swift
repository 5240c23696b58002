import CFiles
import Foundation
import HelixMail
import HelixModel

/// Puts messages that come from a server into the account's Maildir.
///
/// A file's name says which message of the server it is, so that a delivery which was broken off before it was written down
/// is known by its name, and neither fetched nor sent again. Files are put on the disk together, before what they are is
/// written down: a power cut must not look as if somebody had deleted them.
public final class RemoteDelivery {
    private let folder: String
    private let mark: String
    private var descriptor: Int32 = -1
    private var part = ""
    private var hasReturn = false

    /// - Parameters:
    ///   - folder: the folder of the mailbox, which is made if it is not there.
    /// - Throws: ``HelixError``.
    public init(_ mailbox: RemoteMailbox, in account: MailAccount) throws {
        folder = Mailbox.folder(account: account.path, path: mailbox.path)
        mark = RemoteDelivery.mark(mailbox)
        if MaildirFolder.changedAt(folder + "/cur") == nil { try MaildirFolder.make(folder) }
    }

    /// What tells a mailbox from all others, and its numbers from earlier ones.
    private static func mark(_ mailbox: RemoteMailbox) -> String {
        let hash = StableHash.of(mailbox.name.utf8, seed: 2)
        return "V\(mailbox.uidValidity)." + String(hash, radix: 36)
    }

    /// The number of the message of a mailbox that a file was made for; nil if it was made for another one.
    public static func uid(of file: String, in mailbox: RemoteMailbox) -> UInt32? {
        let parts = file.split(separator: ".", maxSplits: 2)
        guard parts.count == 3, parts[1].hasPrefix("U"), parts[2] == mark(mailbox) else { return nil }
        return UInt32(parts[1].dropFirst())
    }

    /// Begins a message.
    /// - Throws: ``HelixError`` of code `io`: the disk is full, say.
    public func begin(_ uid: UInt32) throws {
        part = folder + "/tmp/U\(uid).\(mark)"
        hasReturn = false
        descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw problem(errno) }
    }

    /// Adds bytes of it. A Maildir's lines end with a line feed alone.
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

    /// Ends the message and puts it into the mailbox.
    ///
    /// - Parameter date: when the server got it.
    /// - Returns: the name of its file without flags.
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

    /// Ends the message, and puts it into the place of a file that was only its head.
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

    /// Takes back what was begun.
    public func abandon() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
        unlink(part)
    }

    /// Makes sure that all files are on the disk, with their names.
    /// - Throws: ``HelixError`` of code `io`.
    public func settle() throws {
        let place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard place >= 0 else { throw problem(errno) }
        defer { close(place) }
        if helix_sync_file_system(place) != 0 { throw problem(errno) }
    }

    private func problem(_ code: Int32) -> HelixError {
        HelixError(
            .io, "a message cannot be written into \(folder): \(String(cString: strerror(code)))",
            hint: code == ENOSPC || code == EDQUOT ? "Make room and sync again; what came before is kept." : nil)
    }
}
