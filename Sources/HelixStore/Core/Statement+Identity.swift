import HelixModel
import HelixSQLite

extension Statement {
    /// The ID in a column of the row, or nil for null, read from the bytes without creating a string.
    func id(_ column: Int32) -> EntityID? { utf8(column) { EntityID(stored: $0) } }

    /// The number of times that a byte occurs in a text column of the row.
    func count(of byte: UInt8, in column: Int32) -> Int { utf8(column) { $0.count { $0 == byte } } ?? 0 }
}
