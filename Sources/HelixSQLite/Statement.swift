import CSQLite
import FoundationEssentials
import Synchronization

/// A prepared statement, bound and read value by value. A text is prepared once, and again only while a reader of it is not
/// at its end; step through a statement to the end, or reset it, before it runs again.
public struct Statement {
    @usableFromInline let handle: OpaquePointer

    /// Prepares a statement, or reuses a cached one.
    /// - Throws: ``DatabaseError``.
    public init(_ db: Database, _ sql: String) throws { handle = try db.prepared(sql) }

    /// The text.
    public var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

    /// Binds an integer to a parameter, counted from 1.
    public func bind(_ index: Int32, _ value: Int64) { check(sqlite3_bind_int64(handle, index, value)) }

    /// Binds an integer or null.
    public func bind(_ index: Int32, _ value: Int64?) {
        check(value.map { sqlite3_bind_int64(handle, index, $0) } ?? sqlite3_bind_null(handle, index))
    }

    /// Binds a text or null.
    public func bind(_ index: Int32, _ value: String?) {
        guard var value else { return check(sqlite3_bind_null(handle, index)) }
        value.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { chars in
                // SQLite copies the text before this returns.
                check(sqlite3_bind_text64(handle, index, chars.baseAddress, UInt64(chars.count), transient, encoding))
            }
        }
    }

    /// Binds a text in UTF-8.
    public func bind(_ index: Int32, utf8 bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { chars in
                check(sqlite3_bind_text64(handle, index, chars.baseAddress, UInt64(chars.count), transient, encoding))
            }
        }
    }

    /// Binds any value.
    public func bind(_ index: Int32, _ value: DatabaseValue) {
        switch value {
        case .null: check(sqlite3_bind_null(handle, index))
        case .int64(let number): check(sqlite3_bind_int64(handle, index, number))
        case .double(let number): check(sqlite3_bind_double(handle, index, number))
        case .string(let text): bind(index, text as String?)
        case .blob(let data):
            data.withUnsafeBytes { bytes in
                check(sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), transient))
            }
        }
    }

    /// Binds values to the parameters, from the first.
    public func bind(_ values: [DatabaseValue]) {
        for (index, value) in values.enumerated() { bind(Int32(index + 1), value) }
    }

    /// Steps to the next row; false after the last, which resets the statement.
    /// - Throws: ``DatabaseError``.
    public func step() throws -> Bool {
        try requireBound()
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        defer { sqlite3_reset(handle) }
        guard code == SQLITE_DONE else { throw failure(code) }
        return false
    }

    /// Runs the statement to its end.
    /// - Throws: ``DatabaseError``.
    public func run() throws {
        try requireBound()
        defer { sqlite3_reset(handle) }
        let code = sqlite3_step(handle)
        guard code == SQLITE_DONE || code == SQLITE_ROW else { throw failure(code) }
    }

    /// Runs the statement with values.
    /// - Throws: ``DatabaseError``.
    public func execute(arguments: StatementArguments = []) throws {
        bind(arguments.values)
        try run()
    }

    /// Resets the statement before its last row was read.
    public func reset() { sqlite3_reset(handle) }

    /// The number of columns in a row.
    public var columnCount: Int32 { sqlite3_column_count(handle) }

    /// The names of the columns.
    public var columnNames: [String] {
        (0..<columnCount).map { sqlite3_column_name(handle, $0).map { String(cString: $0) } ?? "" }
    }

    /// The integer in a column of the row, counted from 0.
    @inlinable public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// The text in a column of the row, or nil for null.
    @inlinable public func text(_ column: Int32) -> String? { utf8(column) { String(decoding: $0, as: UTF8.self) } }

    /// Calls `body` with the bytes of the text in a column of the row; nil for null. They are valid only during the call.
    @inlinable public func utf8<Value>(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value? {
        guard let bytes = sqlite3_column_text(handle, column) else { return nil }
        return body(UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// Calls `body` with the bytes of the blob in a column of the row; nil for null. They are valid only during the call.
    @inlinable public func bytes<Value>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Value) -> Value? {
        guard let bytes = sqlite3_column_blob(handle, column) else { return nil }
        return body(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// Whether a column of the row is null.
    @inlinable public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// The value in a column of the row.
    public func value(_ column: Int32) -> DatabaseValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return .int64(integer(column))
        case SQLITE_FLOAT: return .double(sqlite3_column_double(handle, column))
        case SQLITE_TEXT: return .string(text(column) ?? "")
        case SQLITE_BLOB:
            guard let bytes = sqlite3_column_blob(handle, column) else { return .blob(Data()) }
            return .blob(Data(bytes: bytes, count: Int(sqlite3_column_bytes(handle, column))))
        default: return .null
        }
    }

    /// Records the failure of a bind: the next step throws it.
    private func check(_ code: Int32) {
        guard code != SQLITE_OK else { return }
        let key = UInt(bitPattern: handle)
        BindFailures.codes.withLock { $0[key] = code }
        BindFailures.count.add(1, ordering: .relaxed)
    }

    /// - Throws: ``DatabaseError`` if a value could not be bound: without it the statement would do something else.
    private func requireBound() throws {
        guard BindFailures.count.load(ordering: .relaxed) > 0 else { return }
        let key = UInt(bitPattern: handle)
        guard let code = BindFailures.codes.withLock({ $0.removeValue(forKey: key) })
        else { return }
        sqlite3_reset(handle)
        throw failure(code)
    }

    private func failure(_ code: Int32) -> DatabaseError {
        let message = sqlite3_db_handle(handle).flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
        return DatabaseError(code, message: message, sql: sql)
    }
}

/// Statements whose values could not be bound, which is rare: a statement itself has no room for it.
private enum BindFailures {
    /// The number of failures so far, so that a step need not take the lock.
    static let count = Atomic<Int>(0)
    static let codes = Mutex<[UInt: Int32]>([:])
}

private let encoding = UInt8(SQLITE_UTF8)
/// SQLITE_TRANSIENT, a cast that Swift does not import.
var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
