import FoundationEssentials
import Glibc
import HelixMail
import HelixModel
import HelixSystem
import HelixTerminal

/// Files attached to drafts.
enum DraftFiles {
    /// An attachment for a file path.
    /// - Throws: ``HelixError``: the file does not exist, is a folder, or cannot be read.
    static func attachment(_ typed: String, _ context: CommandContext) throws -> DraftAttachment {
        let path = UserPath.expanded(typed, context.environment)
        var info = stat()
        guard stat(path, &info) == 0 else {
            throw HelixError(.notFound, "no file \(typed)", hint: "Check its name. Nothing was written.")
        }
        guard info.st_mode & S_IFMT == S_IFREG else {
            let isFolder = info.st_mode & S_IFMT == S_IFDIR
            throw HelixError(
                .usage, "\(typed) is \(isFolder ? "a folder" : "not a regular file")",
                hint: isFolder ? "Pack it first, with tar or zip." : "Copy its output to a file first.")
        }
        guard access(path, R_OK) == 0 else {
            throw HelixError(.notAllowed, "\(typed) cannot be read", hint: "Check its permissions.")
        }
        let name = path.lastPathComponent
        let type = MediaType.of(name)
        return DraftAttachment(
            name: name, type: type, size: Int(info.st_size), charset: type.hasPrefix("text/") ? charset(path) : nil,
            source: .file(URL(fileURLWithPath: path).path))
    }

    /// `utf-8` if the beginning of a text file is valid UTF-8; otherwise nil.
    private static func charset(_ path: String) -> String? {
        guard let handle = FileStream(reading: path) else { return nil }
        defer { try? handle.close() }
        var bytes = Array((try? handle.read(upToCount: 1 << 16)) ?? Data())
        // The last character may be incomplete.
        if bytes.count == 1 << 16, let last = bytes.lastIndex(where: { $0 & 0xC0 != 0x80 }) {
            bytes.removeSubrange(last...)
        }
        return String(validating: bytes, as: UTF8.self) == nil ? nil : "utf-8"
    }

    /// Passes the bytes of an attachment to `body`, in pieces.
    /// - Throws: ``HelixError``: the file is missing or cannot be read to its end.
    static func read(_ attachment: DraftAttachment, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        switch attachment.source {
        case .content(let bytes): try bytes.withUnsafeBufferPointer { try body($0) }
        case .file(let path), .message(let path):
            guard let handle = FileStream(reading: path) else {
                throw HelixError(.notFound, "cannot read the attachment \(path)")
            }
            defer { try? handle.close() }
            while true {
                let piece: Data
                do {
                    piece = try handle.read(upToCount: 1 << 20)
                } catch {
                    throw HelixError(.io, "cannot read \(path) to its end: \(error.systemReason)")
                }
                if piece.isEmpty { return }
                try Array(piece).withUnsafeBufferPointer { try body($0) }
            }
        case .part(let file, let index):
            let message = try MIMEMessage(path: file)
            guard let part = message.parts.first(where: { $0.index == index }) else {
                throw HelixError(.badInput, "'\(attachment.name)' is no longer in its message")
            }
            var failure: (any Error)?
            let isRead = message.read(part) { piece in
                do {
                    try body(piece)
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
            if let failure { throw failure }
            if !isRead { throw HelixError(.badInput, "cannot read '\(attachment.name)' from its message") }
        }
    }
}
