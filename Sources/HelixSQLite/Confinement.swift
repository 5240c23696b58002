import CSQLite

/// A restriction of a connection to the rows that views select.
///
/// Each view has the name of a table, and SQLite looks a name up among temporary views first: every statement, those of
/// counts and searches included, reads the view. Statements that write are directed to the tables themselves. A second guard
/// refuses to compile any statement that reads such a table past its view.
struct Confinement {
    /// The tables with a view, in lower case.
    let tables: Set<String>
    /// The second guard, which its connection frees.
    let guardian: OpaquePointer

    /// A statement for a confined connection: writes go to the tables, and an index, which a view has not, is not named.
    func rewritten(_ sql: String) -> (text: String, writes: Bool) {
        var out: [UInt8] = []
        out.reserveCapacity(sql.utf8.count + 16)
        var writes = false
        var previous = ""
        var beforePrevious = ""
        var skipsWord = false
        var bytes = Array(sql.utf8)[...]
        while let byte = bytes.first {
            switch UnicodeScalar(byte) {
            case "'", "\"", "`":
                // Quoted text and names are copied whole; two quotes stand for one.
                var end = bytes.index(after: bytes.startIndex)
                while end < bytes.endIndex, bytes[end] != byte { end += 1 }
                end = min(end + 1, bytes.endIndex)
                let quoted = String(decoding: bytes[bytes.startIndex..<end].dropFirst().dropLast(), as: UTF8.self)
                if byte == 0x22, isTarget(quoted.lowercased(), after: previous, beforePrevious) {
                    out += Array("main.".utf8)
                    writes = true
                }
                out += bytes[bytes.startIndex..<end]
                (beforePrevious, previous) = (previous, "")
                bytes = bytes[end...]
            case "a"..."z", "A"..."Z", "_", "0"..."9":
                let end =
                    bytes.firstIndex {
                        !(($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || $0 == 0x5F || $0 >= 0x30 && $0 <= 0x39)
                    } ?? bytes.endIndex
                let raw = bytes[bytes.startIndex..<end]
                let word = String(decoding: raw, as: UTF8.self).lowercased()
                bytes = bytes[end...]
                if skipsWord {
                    skipsWord = false
                    continue
                }
                if word == "by", previous == "indexed" {
                    // Removes INDEXED, which was copied, and the name that follows.
                    out.removeLast("indexed".utf8.count + 1)
                    skipsWord = true
                    (beforePrevious, previous) = ("", "")
                    continue
                }
                if isTarget(word, after: previous, beforePrevious) {
                    out += Array("main.".utf8)
                    writes = true
                }
                out += raw
                (beforePrevious, previous) = (previous, word)
            case "-" where bytes.dropFirst().first == byte:
                let end = bytes.firstIndex(of: 0x0A) ?? bytes.endIndex
                bytes = bytes[end...]
            default:
                out.append(byte)
                bytes = bytes.dropFirst()
            }
        }
        return (String(decoding: out, as: UTF8.self), writes)
    }

    /// Whether a word is the table that a statement writes.
    private func isTarget(_ word: String, after previous: String, _ beforePrevious: String) -> Bool {
        guard tables.contains(word) else { return false }
        switch previous {
        case "into", "update": return true
        case "from": return beforePrevious == "delete"
        // UPDATE OR IGNORE name
        case "ignore", "replace", "abort", "fail", "rollback": return beforePrevious == "or"
        default: return false
        }
    }
}

extension Database {
    /// Restricts the connection to what views select, for as long as it is open.
    /// - Parameters:
    ///   - views: the tables, each with the condition on a row `e` of it that a row must meet.
    ///   - more: the definitions of further temporary views over them.
    /// - Throws: ``DatabaseError``.
    public func confine(to views: [(table: String, condition: String)], and more: [String] = []) throws {
        guard confinement == nil else { throw DatabaseError(SQLITE_MISUSE, message: "confined twice", sql: nil) }
        for view in views {
            try execute(
                sql: "CREATE TEMP VIEW \(view.table) AS SELECT * FROM main.\(view.table) AS e WHERE \(view.condition)")
        }
        for definition in more { try execute(sql: definition) }
        finalizeStatements()
        guard let made = helix_sqlite_guard_create(connection, views.map(\.table).joined(separator: " ")) else {
            throw DatabaseError(SQLITE_NOMEM, message: nil, sql: nil)
        }
        confinement = Confinement(tables: Set(views.map(\.table)), guardian: made)
    }

    /// Whether it is confined.
    public var isConfined: Bool { confinement != nil }
}
