import Foundation
import HelixModel

/// A partial download of an attachment.
public struct ChatPart {
    let store: Store
    let file: ChatAttachment
    let path: String

    /// Opens the file with the bytes received so far, for appending.
    /// - Throws: ``HelixError`` of code `io`.
    public func open() throws -> FileHandle {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw OpenFile.cannotWrite(path) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Stores the finished download under its hash.
    /// - Throws: ``HelixError``: `badInput` if its hash or size is wrong; it must be downloaded again then.
    public func keep() throws {
        let staged = try store.stageFile(path)
        defer { staged.discard() }
        unlink(path)
        try store.keep(staged, as: file)
    }
}

extension Store {
    /// The partial download of an attachment.
    /// - Throws: ``HelixError`` of code `io`.
    public func chatPart(of file: ChatAttachment) throws -> ChatPart {
        let folder = files.folder + "/coming"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw OpenFile.cannotWrite(folder) }
        return ChatPart(store: self, file: file, path: folder + "/" + file.sha256)
    }
}
