import HelixModel

/// The text of a file of another program: UTF-8, or Windows-1252 as old programs write it, without a byte order mark.
struct ForeignText {
    let text: String
    /// The first line that is not UTF-8, if there is one.
    let defects: [ForeignDefect]

    /// - Throws: ``HelixError`` of code `badInput` if it is not text.
    init(_ bytes: [UInt8]) throws {
        if bytes.contains(0) {
            throw HelixError(
                .badInput, "the file is not text: it contains NUL bytes",
                hint: "If it is UTF-16, convert it: iconv -f UTF-16 -t UTF-8 FILE.")
        }
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        if let text = String(validating: body, as: UTF8.self) {
            (self.text, defects) = (text, [])
            return
        }
        // Line by line: one bad byte does not change the other lines.
        var (lines, foreign): ([String], [Int]) = ([], [])
        for (number, line) in body.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            if let valid = String(validating: line, as: UTF8.self) {
                lines.append(valid)
            } else {
                lines.append(String(windows1252: line))
                foreign.append(number + 1)
            }
        }
        text = lines.joined(separator: "\n")
        defects = foreign.prefix(1).map {
            let more = foreign.count > 1 ? ", as \(foreign.count - 1) more" : ""
            return ForeignDefect("line \($0)", "not UTF-8\(more); read as Windows-1252", isPartial: true)
        }
    }
}
