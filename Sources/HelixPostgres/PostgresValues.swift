import CPostgres
import FoundationEssentials
import HelixSQLite

extension PostgresConnection {
    /// The statement with parameters as PostgreSQL writes them: `$1`. Question marks in texts and names stay.
    static func numbered(_ sql: String) -> String {
        var (made, count): ([UInt8], Int) = ([], 0)
        var quote: UInt8?
        let bytes = Array(sql.utf8)
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if let open = quote {
                if byte == open { quote = nil }
                made.append(byte)
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
                made.append(byte)
            } else if byte == UInt8(ascii: "?") {
                var digits = ""
                while place < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place]) {
                    digits.unicodeScalars.append(Unicode.Scalar(bytes[place]))
                    place += 1
                }
                if digits.isEmpty { count += 1 }
                made += Array("$\(digits.isEmpty ? String(count) : digits)".utf8)
            } else {
                made.append(byte)
            }
        }
        return String(decoding: made, as: UTF8.self)
    }

    /// The types whose values are not texts (https://www.postgresql.org/docs/15/catalog-pg-type.html).
    private enum TypeOID {
        static let bool: UInt32 = 16
        static let bytes: UInt32 = 17
        static let integers: Set<UInt32> = [20, 21, 23]
        static let floats: Set<UInt32> = [700, 701]
    }

    /// The value in a row.
    static func value(_ result: OpaquePointer, _ row: Int32, _ column: Int32, _ type: UInt32) throws -> DatabaseValue {
        guard helix_pg_is_null(result, row, column) == 0, let start = helix_pg_value(result, row, column) else {
            return .null
        }
        let count = Int(helix_pg_length(result, row, column))
        let text = start.withMemoryRebound(to: UInt8.self, capacity: count) {
            String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
        }
        switch type {
        case TypeOID.bool: return .int64(text == "t" ? 1 : 0)
        case TypeOID.bytes: return .blob(try unhex(text))
        case _ where TypeOID.integers.contains(type): return .int64(Int64(text) ?? 0)
        case _ where TypeOID.floats.contains(type): return .double(Double(text) ?? 0)
        default: return .string(text)
        }
    }

    /// The bytes of `\x0a1b`, the form in which a server sends them.
    private static func unhex(_ text: String) throws -> Data {
        let digits = Array(text.utf8.dropFirst(2))
        guard text.hasPrefix("\\x"), digits.count % 2 == 0 else {
            throw PostgresError(state: "22P03", message: "bytes in an unknown form")
        }
        func value(_ digit: UInt8) -> UInt8 { digit > 57 ? (digit | 32) - 87 : digit - 48 }
        var data = Data(capacity: digits.count / 2)
        for place in stride(from: 0, to: digits.count, by: 2) {
            data.append(value(digits[place]) << 4 | value(digits[place + 1]))
        }
        return data
    }

    /// A value as it is sent, ending with a NUL; nil for null. Texts cannot contain NUL, which PostgreSQL does not store: it is
    /// sent as the replacement character U+FFFD.
    static func bytes(_ value: DatabaseValue) -> (bytes: [UInt8], isBinary: Bool)? {
        switch value {
        case .null: nil
        case .int64(let number): (Array(String(number).utf8) + [0], false)
        case .double(let number): (Array(String(number).utf8) + [0], false)
        case .string(let text):
            (Array((text.utf8.contains(0) ? text.replacing("\0", with: "\u{FFFD}") : text).utf8) + [0], false)
        case .blob(let data): (Array(data) + [0], true)
        }
    }

    /// Calls `body` with pointers to values that end with NUL; nil for null.
    static func withBytes<Value>(
        _ values: [[UInt8]?], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value
    ) -> Value {
        // All values stand in one block, so that one pointer keeps them in place.
        var block: [UInt8] = []
        block.reserveCapacity(values.reduce(0) { $0 + ($1?.count ?? 0) })
        var starts: [Int?] = []
        for value in values {
            starts.append(value == nil ? nil : block.count)
            if let value { block += value }
        }
        return block.withUnsafeBytes { buffer in
            let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = starts.map { start in start.flatMap { place in base.map { $0 + place } } } + [nil]
            return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
        }
    }

    /// Calls `body` with pointers to texts, ending with NULL.
    static func withTexts<Value>(_ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value) -> Value {
        withBytes(texts.map { Array($0.utf8) + [0] }, body)
    }
}

extension String {
    /// The text without white space at its ends.
    var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
