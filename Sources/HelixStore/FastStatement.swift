import GRDB
import GRDBSQLite
import HelixModel

/// A cached statement that is bound and read value by value: what an import of 20,000 events does a million times, and a
/// view of a full month some thousand times.
struct FastStatement {
    private let statement: Statement
    private let handle: OpaquePointer

    init(_ db: Database, _ sql: String) throws {
        statement = try db.cachedStatement(sql: sql)
        handle = statement.sqliteStatement
    }

    func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

    func bind(_ index: Int32, _ value: Int64?) {
        if let value { sqlite3_bind_int64(handle, index, value) } else { sqlite3_bind_null(handle, index) }
    }

    func bind(_ index: Int32, _ value: String?) {
        guard var value else {
            sqlite3_bind_null(handle, index)
            return
        }
        value.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { chars in
                // SQLite copies the text before this returns.
                _ = sqlite3_bind_text(handle, index, chars.baseAddress, Int32(chars.count), transient)
            }
        }
    }

    /// Binds values from the first place on.
    func bind(_ values: [DatabaseValue]) throws {
        for (index, value) in values.enumerated() {
            switch value.storage {
            case .int64(let number): bind(Int32(index + 1), number)
            case .string(let text): bind(Int32(index + 1), text)
            default: bind(Int32(index + 1), nil as String?)
            }
        }
    }

    func bind(_ index: Int32, utf8 bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { chars in
                _ = sqlite3_bind_text(handle, index, chars.baseAddress, Int32(chars.count), transient)
            }
        }
    }

    /// Steps to the next row; false after the last, which makes the statement ready to run again.
    func step() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        defer { sqlite3_reset(handle) }
        guard code == SQLITE_DONE else { throw failure(code) }
        return false
    }

    /// The whole number in a column of the row.
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// The text in a column of the row, or nil for null.
    func text(_ column: Int32) -> String? {
        guard let bytes = sqlite3_column_text(handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// The identity in a column of the row, or nil for null; read from the bytes, without a text between.
    func id(_ column: Int32) -> EntityID? {
        guard let bytes = sqlite3_column_text(handle, column) else { return nil }
        return EntityID(stored: UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// How often a byte stands in the text in a column of the row.
    func count(of byte: UInt8, in column: Int32) -> Int {
        guard let bytes = sqlite3_column_text(handle, column) else { return 0 }
        return UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))).count { $0 == byte }
    }

    /// Whether a column of the row is null.
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    private func failure(_ code: Int32) -> DatabaseError {
        let message = sqlite3_db_handle(handle).flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: statement.sql)
    }

    /// Runs the statement to its end.
    func run() throws {
        defer { sqlite3_reset(handle) }
        let code = sqlite3_step(handle)
        guard code == SQLITE_DONE || code == SQLITE_ROW else {
            throw failure(code)
        }
    }
}

/// SQLITE_TRANSIENT, a cast that Swift does not import.
private var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
