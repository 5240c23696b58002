import HelixModel
import HelixSQLite

extension Statement {
    /// The identity in a column of the row, or nil for null; read from the bytes, without a text between.
    func id(_ column: Int32) -> EntityID? { utf8(column) { EntityID(stored: $0) } }

    /// How often a byte stands in the text in a column of the row.
    func count(of byte: UInt8, in column: Int32) -> Int { utf8(column) { $0.count { $0 == byte } } ?? 0 }
}
