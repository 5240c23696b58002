import HelixModel

/// The role of a project's file. Its raw value is written to the store and to JSON.
public enum FileRole: String, Sendable, CaseIterable {
    case document
    case photo
    case receipt
}

/// A file of a project. Its bytes are stored once next to the store, under their hash, even if they are attached repeatedly.
public struct FileRecord: Hashable, Sendable {
    /// The ID of the file.
    public var id: EntityID
    /// The project to which it belongs.
    public var project: EntityID
    /// The name, without a folder.
    public var name: String
    /// The role of the file.
    public var role: FileRole
    /// The SHA-256 of its bytes, as 64 hexadecimal digits.
    public var sha256: String
    /// The size in bytes.
    public var size: Int
    /// The time at which it was attached.
    public var createdAt: Instant

    /// The name, made safe for a file system: without slashes, control characters, or a leading dot or dash.
    public var safeName: String { FileName.safe(name, fallback: "file") }
}

/// The state of a file's bytes.
public enum FileState: String, Sendable, CaseIterable {
    /// Unchanged since they were attached.
    case whole
    /// Changed since they were attached.
    case changed
    case missing
}
