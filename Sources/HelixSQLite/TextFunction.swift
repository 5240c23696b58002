import CSQLite

extension Database {
    /// Adds an SQL function that makes texts equal which differ in small and capital letters alone; that of NULL is NULL.
    ///
    /// - Parameter body: folds texts with letters beyond ASCII; those of ASCII are folded here, in a tenth of the time.
    /// - Throws: ``DatabaseError``.
    public func addFolding(_ name: String, _ body: @escaping @Sendable (String) -> String) throws {
        let code = sqlite3_create_function_v2(
            connection, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
            Unmanaged.passRetained(TextFunction(body)).toOpaque(),
            { context, _, values in
                guard let data = sqlite3_user_data(context), let value = values?[0],
                    let text = sqlite3_value_text(value)
                else { return sqlite3_result_null(context) }
                let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
                if bytes.allSatisfy({ $0 < 0x80 }) {
                    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { lower in
                        for (place, byte) in bytes.enumerated() {
                            lower[place] = CChar(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte)
                        }
                        sqlite3_result_text(context, lower.baseAddress, Int32(bytes.count), transient)
                    }
                }
                let function = Unmanaged<TextFunction>.fromOpaque(data).takeUnretainedValue()
                let result = function.body(String(decoding: bytes, as: UTF8.self))
                sqlite3_result_text(context, result, Int32(result.utf8.count), transient)
            }, nil, nil, { data in data.map { Unmanaged<TextFunction>.fromOpaque($0).release() } })
        guard code == SQLITE_OK else {
            throw DatabaseError(code, message: sqlite3_errmsg(connection).map { String(cString: $0) }, sql: nil)
        }
    }
}

private final class TextFunction {
    let body: @Sendable (String) -> String
    init(_ body: @escaping @Sendable (String) -> String) { self.body = body }
}
