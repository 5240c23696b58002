import HelixModel

/// A time entry of another program, before it is imported.
public struct ForeignTimeEntry: Hashable, Sendable {
    /// Its fields; the project is not set yet.
    public var entry: TimeEntry
    /// The name of the project.
    public var project: String?
    /// The name of the project's customer.
    public var customer: String?
    /// The ID of its task, if helix wrote one.
    public var task: EntityID?
    /// The ID of the entry, if helix wrote one.
    public var id: EntityID?

    /// Creates an entry that has only times.
    public init(start: Instant, end: Instant?) { entry = TimeEntry(start: start, end: end) }
}

/// A UID derived from the content of an item that has none.
enum ForeignUID {
    /// `PROGRAM-9f86d081884c7d65`, the same for the same text.
    static func of(_ text: String, _ program: String) -> String {
        program + "-" + String(StableHash.of(text.utf8), radix: 16)
    }
}
