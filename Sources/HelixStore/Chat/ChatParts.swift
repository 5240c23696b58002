import Foundation
import HelixModel

/// A file of a message on its way here.
public struct ChatPart {
    let store: Store
    let file: ChatAttachment
    let path: String

    /// The bytes that came so far, to be added to.
    /// - Throws: ``HelixError`` of code `io`.
    public func open() throws -> FileHandle {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw OpenFile.cannotWrite(path) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Keeps them under their hash.
    /// - Throws: ``HelixError``: `badInput` if they are not what was sent; they are fetched anew then.
    public func keep() throws {
        let staged = try store.stageFile(path)
        defer { staged.discard() }
        unlink(path)
        try store.keep(staged, as: file)
    }
}

extension Store {
    /// Where a file of a message lies while it comes here.
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
