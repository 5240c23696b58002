/// A query as a tree of conditions; the filter of each noun conforms to it.
public protocol QueryTree {
    /// The query that matches everything.
    static var everything: Self { get }
    /// The query that matches if all parts do.
    static func all(_ parts: [Self]) -> Self
    /// The query that matches if any part does.
    static func any(_ parts: [Self]) -> Self
    /// The query that matches if the part does not.
    static func not(_ part: Self) -> Self
}

/// A comparison operator.
public enum QueryComparison: String, Sendable, CaseIterable {
    case less = "<"
    case lessOrEqual = "<="
    case equal = "="
    case notEqual = "!="
    case greaterOrEqual = ">="
    case greater = ">"
}

/// A range of time on both scales: instants, and the wall clock, on which days are counted.
public struct QueryTimes: Hashable, Sendable {
    /// From the first up to but excluding the last, in seconds of UTC.
    public var instants: Range<Int64>
    /// The same range on the wall clock.
    public var civil: Range<Int64>

    /// Creates a range.
    public init(instants: Range<Int64>, civil: Range<Int64>) {
        self.instants = instants
        self.civil = civil
    }
}

/// The value that a field is compared with, parsed according to the kind of the field.
public enum QueryValue: Hashable, Sendable {
    /// `none`, or nothing after the sign.
    case none
    /// `any`: every value that is set.
    case any
    /// Text, a name or a person.
    case text(String, isQuoted: Bool)
    /// One of the field's named values, by its first name.
    case choice(String)
    /// A range of time.
    case times(QueryTimes)
    /// A duration in seconds, a size in bytes, or a number in hundredths.
    case number(Int)
    /// The prefix of an id.
    case id(EntityPrefix)
}

/// A condition of a query, as the grammar parses it.
public enum QueryTerm: Hashable, Sendable {
    /// Words to search for; `isPrefix` if a `*` follows them.
    case words(String, isQuoted: Bool, isPrefix: Bool)
    /// `+tag`, by its name.
    case tag(String)
    /// A field by its first name, compared with a value. Fields without an order use only `.equal`.
    case field(String, QueryComparison, QueryValue)
}

extension String {
    /// Whether the text contains a letter or number, as full-text indexes require.
    public var hasIndexedWord: Bool {
        unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    }
}
