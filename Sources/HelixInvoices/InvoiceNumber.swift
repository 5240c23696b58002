import HelixModel

/// The form of the numbers of invoices: text with `{number}`, `{number:4}` (digits) and `{year}`.
public struct InvoiceNumber: Hashable, Sendable {
    private enum Part: Hashable {
        case text(String)
        case year
        case number(digits: Int)
    }

    /// The usual form.
    public static let usual = "{year}-{number:4}"

    private let parts: [Part]

    /// - Returns: nil if the text has no `{number}`, has it twice, or has another name in braces.
    public init?(_ text: String) {
        var parts: [Part] = []
        var rest = Substring(text)
        while let brace = rest.firstIndex(of: "{") {
            if brace > rest.startIndex { parts.append(.text(String(rest[..<brace]))) }
            guard let end = rest[brace...].firstIndex(of: "}") else { return nil }
            let words = rest[rest.index(after: brace)..<end].split(separator: ":", omittingEmptySubsequences: false)
            switch (words.first, words.count) {
            case ("year", 1): parts.append(.year)
            case ("number", 1): parts.append(.number(digits: 1))
            case ("number", 2):
                guard let digits = Int(words[1]), (1...12).contains(digits) else { return nil }
                parts.append(.number(digits: digits))
            default: return nil
            }
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        let numbers = parts.count {
            if case .number = $0 { true } else { false }
        }
        guard numbers == 1, !rest.contains("}") else { return nil }
        self.parts = parts
    }

    /// The number after the greatest of its year, or of all years if the form has none.
    public func next(after numbers: some Sequence<String>, in year: Int) -> String {
        let greatest = numbers.compactMap { place(of: $0, in: year) }.max() ?? 0
        return text(greatest + 1, in: year)
    }

    private func text(_ number: Int, in year: Int) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .year: "\(year)"
            case .number(let digits): ISO8601.padded(number, digits)
            }
        }.joined()
    }

    /// The number in a text of this form and this year; nil for another text.
    private func place(of text: String, in year: Int) -> Int? {
        var rest = Substring(text)
        var found: Int?
        for (place, part) in parts.enumerated() {
            switch part {
            case .text(let fixed):
                guard rest.hasPrefix(fixed) else { return nil }
                rest = rest.dropFirst(fixed.count)
            case .year:
                guard rest.hasPrefix("\(year)") else { return nil }
                rest = rest.dropFirst("\(year)".count)
            case .number:
                // Digits of a year that follows at once are not those of the number.
                let after = parts[(place + 1)...].first == .year ? "\(year)".count : 0
                let digits = rest.prefix { $0.isASCII && $0.isNumber }
                guard let number = Int(digits.dropLast(after)) else { return nil }
                found = number
                rest = rest.dropFirst(digits.count - after)
            }
        }
        return rest.isEmpty ? found : nil
    }
}
