import Foundation

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
    /// What stands for null where no optional was asked for.
    static var missing: Self { get }
    /// The value, or nil for null and for what is none.
    init?(databaseValue: DatabaseValue)
    /// As SQLite stores it.
    var databaseValue: DatabaseValue { get }
}

extension DatabaseValue: DatabaseValueConvertible {
    /// Stands for null.
    public static var missing: DatabaseValue { .null }
    /// Nil for null, and for a value of another kind.
    public init?(databaseValue: DatabaseValue) { self = databaseValue }
    /// As SQLite stores it.
    public var databaseValue: DatabaseValue { self }
}

extension Int64: DatabaseValueConvertible {
    /// Stands for null.
    public static var missing: Int64 { 0 }
    /// Nil for null, and for a value of another kind.
    public init?(databaseValue: DatabaseValue) {
        guard case .int64(let number) = databaseValue else { return nil }
        self = number
    }
    /// As SQLite stores it.
    public var databaseValue: DatabaseValue { .int64(self) }
}

extension Int: DatabaseValueConvertible {
    /// Stands for null.
    public static var missing: Int { 0 }
    /// Nil for null, and for a value of another kind.
    public init?(databaseValue: DatabaseValue) {
        guard case .int64(let number) = databaseValue else { return nil }
        self = Int(number)
    }
    /// As SQLite stores it.
    public var databaseValue: DatabaseValue { .int64(Int64(self)) }
}

extension Bool: DatabaseValueConvertible {
    /// Stands for null.
    public static var missing: Bool { false }
    /// Nil for null, and for a value of another kind.
    public init?(databaseValue: DatabaseValue) {
        guard case .int64(let number) = databaseValue else { return nil }
        self = number != 0
    }
    /// As SQLite stores it.
    public var databaseValue: DatabaseValue { .int64(self ? 1 : 0) }
}

extension String: DatabaseValueConvertible {
    /// Stands for null.
    public static var missing: String { "" }
    /// Nil for null, and for a value of another kind.
    public init?(databaseValue: DatabaseValue) {
        switch databaseValue {
        case .string(let text): self = text
        case .int64(let number): self = String(number)
        default: return nil
        }
    }
    /// As SQLite stores it.
    public var databaseValue: DatabaseValue { .string(self) }
}

extension Data: DatabaseValueConvertible {
    /// Stands for null.
    public static var missing: Data { Data() }
    /// Nil for null, and for a value of another kind.
    public init?(databaseValue: DatabaseValue) {
        guard case .blob(let data) = databaseValue else { return nil }
        self = data
    }
    /// As SQLite stores it.
    public var databaseValue: DatabaseValue { .blob(self) }
}

extension Optional where Wrapped: DatabaseValueConvertible {
    /// As SQLite stores it; nil is null.
    public var databaseValue: DatabaseValue { self?.databaseValue ?? .null }
}

/// The values for the question marks of a statement, in order.
public struct StatementArguments: ExpressibleByArrayLiteral {
    /// The values.
    public var values: [DatabaseValue]

    /// None.
    public init() { values = [] }
    /// Such values.
    public init(_ values: [DatabaseValue]) { self.values = values }
    /// Such texts.
    public init(_ texts: [String]) { values = texts.map { .string($0) } }
    /// Such values; nil is null.
    public init(arrayLiteral elements: (any DatabaseValueConvertible)?...) {
        values = elements.map { $0?.databaseValue ?? .null }
    }

    /// The one's values, then the other's.
    public static func + (one: StatementArguments, other: StatementArguments) -> StatementArguments {
        StatementArguments(one.values + other.values)
    }

    /// Adds values.
    public static func += (one: inout StatementArguments, other: StatementArguments) { one.values += other.values }
}
