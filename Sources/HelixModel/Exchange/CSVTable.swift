/// A table in a CSV file (RFC 4180), whose first record names the columns. Commas, semicolons and tabs separate fields.
public struct CSVTable {
    /// A record, with its fields by the name of their column.
    public struct Record {
        /// The line of the file on which it begins.
        public let line: Int
        fileprivate let fields: [String]
        fileprivate let places: [String: Int]

        /// The field in a column, without blanks around it; empty if there is none.
        public subscript(column: String) -> String {
            guard let place = places[column.lowercased()], place < fields.count else { return "" }
            return fields[place].trimmingBlanks()
        }

        /// The field in a column as it is written; nil if the table has no such column.
        public func whole(_ column: String) -> String? {
            guard let place = places[column.lowercased()], place < fields.count else { return nil }
            return fields[place]
        }
    }

    /// The names of the columns, in lower case.
    public let columns: [String]
    /// The records, except empty ones.
    public let records: [Record]
    /// Records with more fields than there are columns: a separator within a field may have moved the others.
    public let surplus: [ForeignDefect]

    /// Parses a file.
    /// - Throws: ``HelixError`` of code `badInput` for text that is not UTF-8, and for a quote that is not closed.
    public init(_ bytes: [UInt8]) throws {
        var bytes = bytes[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
            let isWide = bytes.contains(0)
            throw HelixError(
                .badInput, isWide ? "the CSV file is not text: it contains NUL bytes" : "the CSV file is not UTF-8",
                hint: "Convert it: iconv -f \(isWide ? "UTF-16" : "WINDOWS-1252") -t UTF-8 FILE.")
        }
        let separator = Self.separator(bytes)
        var rows: [(line: Int, fields: [String])] = []
        var (fields, field): ([String], [UInt8]) = ([], [])
        var (line, start, quoted) = (1, 1, 0)
        var wasQuoted = false
        func text() -> String { String(decoding: field, as: UTF8.self) }
        var place = bytes.startIndex
        while place < bytes.endIndex {
            let byte = bytes[place]
            place += 1
            if byte == 0x0A { line += 1 }
            if quoted > 0 {
                if byte != 0x22 {
                    field.append(byte)
                } else if place < bytes.endIndex, bytes[place] == 0x22 {
                    field.append(0x22)
                    place += 1
                } else {
                    (quoted, wasQuoted) = (0, true)
                }
            } else if byte == 0x22, field.isEmpty, !wasQuoted {
                quoted = line
            } else if byte == separator {
                fields.append(text())
                (field, wasQuoted) = ([], false)
            } else if byte == 0x0A || byte == 0x0D {
                if byte == 0x0D, place < bytes.endIndex, bytes[place] == 0x0A { continue }
                fields.append(text())
                if fields.contains(where: { !$0.isEmpty }) { rows.append((start, fields)) }
                (fields, field, wasQuoted, start) = ([], [], false, line)
            } else {
                field.append(byte)
            }
        }
        guard quoted == 0 else {
            throw HelixError(.badInput, "the quote that opens on line \(quoted) of the CSV file is not closed")
        }
        fields.append(text())
        if fields.contains(where: { !$0.isEmpty }) { rows.append((start, fields)) }
        columns = rows.first?.fields.map { $0.trimmingBlanks().lowercased() } ?? []
        var places: [String: Int] = [:]
        for (place, name) in columns.enumerated() where places[name] == nil { places[name] = place }
        records = rows.dropFirst().map { Record(line: $0.line, fields: $0.fields, places: places) }
        let width = columns.count
        surplus = rows.dropFirst().compactMap { row in
            guard row.fields.dropFirst(width).contains(where: { !$0.trimmingBlanks().isEmpty }) else { return nil }
            return ForeignDefect(
                "line \(row.line)", "it has \(row.fields.count) fields for \(width) columns; a text may need quotes",
                isPartial: true)
        }
    }

    /// Whether the table has all these columns.
    public func has(_ names: String...) -> Bool { names.allSatisfy { columns.contains($0.lowercased()) } }

    /// The separator that is most frequent in the first line.
    private static func separator(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        let head = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        func count(_ byte: UInt8) -> Int { head.reduce(0) { $0 + ($1 == byte ? 1 : 0) } }
        let comma = UInt8(ascii: ",")
        return [UInt8(ascii: ";"), UInt8(ascii: "\t")].first { count($0) > count(comma) } ?? comma
    }
}

/// Fields of CSV files that spreadsheets open safely: text that would be evaluated as a formula begins with an apostrophe.
public enum CSVField {
    private static func isFormula(_ text: some StringProtocol) -> Bool {
        guard let first = text.first, "=+-@\t\r".contains(first) else { return false }
        return Double(String(text)) == nil
    }

    /// A field, quoted if needed.
    public static func text(_ text: String) -> String {
        var text = text
        if isFormula(text.drop { $0 == "'" }) { text = "'" + text }
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    /// The text of a field that ``text(_:)`` wrote.
    public static func value(_ field: String) -> String {
        field.hasPrefix("'") && isFormula(field.drop { $0 == "'" }) ? String(field.dropFirst()) : field
    }
}
