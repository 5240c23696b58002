import HelixCrypto
import HelixSQLite

/// The number of rows of a table, and a sum of their hashes: equal for equal rows in any order.
public struct TransferSum: Hashable, Sendable {
    /// The number of rows.
    public private(set) var count = 0
    /// The sum.
    public private(set) var hash: UInt64 = 0

    /// Creates the sum of no rows.
    public init() {}

    /// Adds a row of texts, numbers and bytes.
    mutating func add(_ values: [DatabaseValue]) {
        var bytes: [UInt8] = []
        for value in values {
            switch value {
            case .null: bytes.append(0)
            case .int64(let number): bytes += Array("1\(number)".utf8)
            case .double(let number): bytes += Array("2\(number)".utf8)
            // PostgreSQL stores no NUL.
            case .string(let text): bytes += Array("3\(text.replacing("\0", with: "\u{FFFD}"))".utf8)
            case .blob(let data): bytes += Array("4".utf8) + SHA256.hash(Array(data))
            }
            bytes.append(0x1F)
        }
        count += 1
        hash &+= SHA256.hash(bytes).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Adds a row of texts.
    mutating func add(_ texts: [String]) { add(texts.map { .string($0) }) }
}

/// A part of a gateway's store in both places.
public struct TransferPart: Sendable {
    /// The name of the table, or of the kind of files.
    public let name: String
    /// The sum in the folder, with SQLite.
    public let folder: TransferSum
    /// The sum in the database.
    public let database: TransferSum
    /// Whether both are equal.
    public var isEqual: Bool { folder == database }
}
