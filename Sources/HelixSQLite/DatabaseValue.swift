import FoundationEssentials

/// A value as SQLite stores it.
public enum DatabaseValue: Hashable, Sendable {
    case null
    case int64(Int64)
    case double(Double)
    case string(String)
    case blob(Data)
}

/// A type whose values SQLite can store.
public protocol DatabaseValueConvertible {
    /// The default for null where a non-optional value is read.
    static var missing: Self { get }
    /// Converts a value; nil for null and for values of another type.
    init?(databaseValue: DatabaseValue)
    /// The value as stored by SQLite.
    var databaseValue: DatabaseValue { get }
}

extension DatabaseValue: DatabaseValueConvertible {
    /// The default for null.
    public static var missing: DatabaseValue { .null }
    /// Nil for null, and for a value of another type.
    public init?(databaseValue: DatabaseValue) { self = databaseValue }
    /// The value as stored by SQLite.
    public var databaseValue: DatabaseValue { self }
}

extension Int64: DatabaseValueConvertible {
    /// The default for null.
    public static var missing: Int64 { 0 }
    /// Nil for null, and for a value of another type.
    public init?(databaseValue: DatabaseValue) {
        guard case .int64(let number) = databaseValue else { return nil }
        self = number
    }
    /// The value as stored by SQLite.
    public var databaseValue: DatabaseValue { .int64(self) }
}

extension Int: DatabaseValueConvertible {
    /// The default for null.
    public static var missing: Int { 0 }
    /// Nil for null, and for a value of another type.
    public init?(databaseValue: DatabaseValue) {
        guard case .int64(let number) = databaseValue else { return nil }
        self = Int(number)
    }
    /// The value as stored by SQLite.
    public var databaseValue: DatabaseValue { .int64(Int64(self)) }
}

extension Bool: DatabaseValueConvertible {
    /// The default for null.
    public static var missing: Bool { false }
    /// Nil for null, and for a value of another type.
    public init?(databaseValue: DatabaseValue) {
        guard case .int64(let number) = databaseValue else { return nil }
        self = number != 0
    }
    /// The value as stored by SQLite.
    public var databaseValue: DatabaseValue { .int64(self ? 1 : 0) }
}

extension String: DatabaseValueConvertible {
    /// The default for null.
    public static var missing: String { "" }
    /// Nil for null, and for a value of another type.
    public init?(databaseValue: DatabaseValue) {
        switch databaseValue {
        case .string(let text): self = text
        case .int64(let number): self = String(number)
        default: return nil
        }
    }
    /// The value as stored by SQLite.
    public var databaseValue: DatabaseValue { .string(self) }
}

extension Data: DatabaseValueConvertible {
    /// The default for null.
    public static var missing: Data { Data() }
    /// Nil for null, and for a value of another type.
    public init?(databaseValue: DatabaseValue) {
        guard case .blob(let data) = databaseValue else { return nil }
        self = data
    }
    /// The value as stored by SQLite.
    public var databaseValue: DatabaseValue { .blob(self) }
}

extension Optional where Wrapped: DatabaseValueConvertible {
    /// The value as stored by SQLite; nil is null.
    public var databaseValue: DatabaseValue { self?.databaseValue ?? .null }
}

/// The values of a statement's parameters (`?`), in order.
public struct StatementArguments: ExpressibleByArrayLiteral {
    /// The values.
    public var values: [DatabaseValue]

    /// Creates an empty list.
    public init() { values = [] }
    /// Creates a list of values.
    public init(_ values: [DatabaseValue]) { self.values = values }
    /// Creates a list of texts.
    public init(_ texts: [String]) { values = texts.map { .string($0) } }
    /// Creates a list of values; nil is null.
    public init(arrayLiteral elements: (any DatabaseValueConvertible)?...) {
        values = elements.map { $0?.databaseValue ?? .null }
    }

    /// Concatenates two lists.
    public static func + (one: StatementArguments, other: StatementArguments) -> StatementArguments {
        StatementArguments(one.values + other.values)
    }

    /// Appends values.
    public static func += (one: inout StatementArguments, other: StatementArguments) { one.values += other.values }
}
