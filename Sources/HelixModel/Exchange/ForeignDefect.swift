/// A part of a file that could not be imported.
public struct ForeignDefect: Hashable, Sendable {
    /// The location: a line, or the number of the task.
    public var place: String
    /// The reason.
    public var reason: String
    /// Whether the rest of the item is imported.
    public var isPartial: Bool

    /// Creates a defect.
    public init(_ place: String, _ reason: String, isPartial: Bool = false) {
        (self.place, self.reason, self.isPartial) = (place, reason, isPartial)
    }
}
