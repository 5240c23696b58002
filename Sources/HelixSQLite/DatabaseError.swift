/// An error reported by SQLite.
public struct DatabaseError: Error, Sendable, CustomStringConvertible {
    /// The class of an error: the SQLite result codes (https://www.sqlite.org/rescode.html) that callers check.
    public enum Code: Int32, Sendable {
        case permission = 3
        case busy = 5
        case locked = 6
        case readOnly = 8
        case inputOutput = 10
        case corrupt = 11
        case full = 13
        case cannotOpen = 14
        case constraint = 19
        case authorization = 23
        case notADatabase = 26
        case other = 1
    }

    /// The class of the error.
    public let code: Code
    /// The extended result code.
    public let number: Int32
    /// The message of SQLite.
    public let message: String?
    /// The statement that failed.
    public let sql: String?

    init(_ number: Int32, message: String?, sql: String?) {
        code = Code(rawValue: number & 0xFF) ?? .other
        self.number = number
        self.message = message
        self.sql = sql
    }

    /// A description for logs.
    public var description: String {
        "SQLite error \(number): \(message ?? "no message")" + (sql.map { " in '\($0)'" } ?? "")
    }
}
