/// A query as a tree of conditions, which the query of each noun is.
public protocol QueryTree {
    /// The query that everything fulfils.
    static var everything: Self { get }
    /// The query that all parts must hold for.
    static func all(_ parts: [Self]) -> Self
    /// The query that one of the parts must hold for.
    static func any(_ parts: [Self]) -> Self
    /// The query that the part must not hold for.
    static func not(_ part: Self) -> Self
}

/// How a value is compared.
public enum QueryComparison: String, Sendable, CaseIterable {
    case less = "<"
    case lessOrEqual = "<="
    case equal = "="
    case notEqual = "!="
    case greaterOrEqual = ">="
    case greater = ">"
}

/// A stretch of time on both scales: instants, and the wall clock, on which days are counted.
public struct QueryTimes: Hashable, Sendable {
    /// From the first up to but not including the last, in seconds of UTC.
    public var instants: Range<Int64>
    /// The same on the wall clock.
    public var civil: Range<Int64>

    /// Such a stretch.
    public init(instants: Range<Int64>, civil: Range<Int64>) {
        self.instants = instants
        self.civil = civil
    }
}

/// The value that a field is compared with, read by the kind of the field.
public enum QueryValue: Hashable, Sendable {
    /// `none` or nothing behind the sign.
    case none
    /// `any`: whatever it is, there is one.
    case any
    /// Text, a name or a person.
    case text(String, isQuoted: Bool)
    /// One of the values that the field can have, by its first name.
    case choice(String)
    /// A stretch of time.
    case times(QueryTimes)
    /// A length in seconds, a size in bytes, or a number in hundredths.
    case number(Int)
    /// The beginning of an id.
    case id(EntityPrefix)
}

/// A condition of a query, as the grammar reads it.
public enum QueryTerm: Hashable, Sendable {
    /// Words to be found, `isPrefix` if a `*` stands behind them.
    case words(String, isQuoted: Bool, isPrefix: Bool)
    /// `+tag`, by its name.
    case tag(String)
    /// A field by its first name, compared with a value. Fields that have no order are only `.equal`.
    case field(String, QueryComparison, QueryValue)
}

extension String {
    /// Whether there is a letter or number in it, which full-text indexes have.
    public var hasIndexedWord: Bool {
        unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    }
}
