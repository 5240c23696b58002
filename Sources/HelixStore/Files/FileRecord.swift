import HelixModel

/// What a project's file is. The raw value stands in the store and in JSON.
public enum FileRole: String, Sendable, CaseIterable {
    case document
    case photo
    case receipt
}

/// A file of a project. Its bytes lie beside the store under their hash, once however often they are attached.
public struct FileRecord: Hashable, Sendable {
    /// Its identity.
    public var id: EntityID
    /// The project that it belongs to.
    public var project: EntityID
    /// Its name, without a folder.
    public var name: String
    /// What it is.
    public var role: FileRole
    /// The SHA-256 of its bytes, as 64 hexadecimal digits.
    public var sha256: String
    /// How many bytes it has.
    public var size: Int
    /// When it was attached.
    public var createdAt: Instant

    /// The name as one that a folder can hold: no slashes, no control characters, no dot or dash in front.
    public var safeName: String { FileName.safe(name, fallback: "file") }
}

/// How the bytes of a file are.
public enum FileState: String, Sendable, CaseIterable {
    /// As they were when they were attached.
    case whole
    /// Other bytes than those that were attached.
    case changed
    case missing
}
