/// Parses the value of a field according to its kind.
struct QueryValueReader {
    let field: QueryField
    let dates: DatePhraseParser

    /// The two ends of a range `a..b`, one of which may be empty; nil if it is no range, or if its kind parses ranges itself.
    func sides(_ value: String) -> (low: String, high: String)? {
        guard field.hasOrder, let marker = value.firstRange(of: "..") else { return nil }
        let (low, high) = (String(value[..<marker.lowerBound]), String(value[marker.upperBound...]))
        if case .time = field.kind, !low.isEmpty, !high.isEmpty { return nil }
        return (low, high)
    }

    /// - Throws: ``HelixError`` of code `usage`.
    func value(_ text: String, isQuoted: Bool) throws -> QueryValue {
        switch field.kind {
        case .words, .name, .person: return .text(text, isQuoted: isQuoted)
        case .choice, .level:
            let word = text.lowercased()
            let choices = field.choices
            if let found = choices.first(where: { $0.contains(word) }) { return .choice(found[0]) }
            let names = choices.map { $0[0] }
            let begun = names.filter { !word.isEmpty && $0.hasPrefix(word) }
            if begun.count == 1 { return .choice(begun[0]) }
            let near = EditDistance.suggestion(for: word, among: Array(choices.joined()))
            throw HelixError(
                .usage, "'\(field.name)' cannot be '\(text)'",
                hint: (near.map { "Did you mean \($0)? " } ?? "") + "It can be \(names.joined(separator: ", ")).")
        case .time(let direction): return .times(try times(text, direction))
        case .length: return .number(try dates.duration(text))
        case .decimal: return .number(try hundredths(text))
        case .size: return .number(try bytes(text))
        case .id: return .id(EntityPrefix(text))
        }
    }

    private func times(_ text: String, _ direction: DatePhraseParser.Direction) throws -> QueryTimes {
        let zone = dates.zone
        let range = try dates.looking(direction).range(text.replacing("_", with: " "))
        let instants = range.timeRange(in: zone)
        func civil(_ moment: PhraseMoment) -> Int64 {
            switch moment {
            case .date(let date): CivilDateTime(date).seconds
            case .civil(let civil): civil.seconds
            case .instant(let instant): zone.civil(instant).seconds
            }
        }
        let first = civil(range.start)
        // A moment stands for the minute that begins with it.
        let isMoment = instants.duration <= 0
        return QueryTimes(
            instants: instants.start.seconds..<(isMoment ? instants.start.seconds + 60 : instants.end.seconds),
            civil: first..<max(first, isMoment ? first + 60 : civil(range.end)))
    }

    private func hundredths(_ text: String) throws -> Int {
        let isNumber = text.allSatisfy { $0.isASCII && ($0.isNumber || ".-+".contains($0)) }
        guard isNumber, let number = Double(text), abs(number) < 1e9 else {
            throw HelixError(.usage, "'\(text)' is not a number", hint: "Write it like 5 or 7.5.")
        }
        return Int((number * 100).rounded())
    }

    private func bytes(_ text: String) throws -> Int {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let factors: [String: Double] = [
            "": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9, "kib": 1024,
            "mib": 1_048_576, "gib": 1_073_741_824,
        ]
        guard let number = Double(digits), let factor = factors[text[digits.endIndex...].lowercased()],
            number * factor < 1e15
        else { throw HelixError(.usage, "'\(text)' is not a size", hint: "Write it like 500k or 1M.") }
        return Int(number * factor)
    }
}
