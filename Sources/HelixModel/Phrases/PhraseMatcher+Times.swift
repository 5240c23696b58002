extension PhraseMatcher {
    /// A unit of time in words.
    enum Unit {
        case seconds
        case minutes
        case hours
        case days
        case weeks
        case months
        case years

        init?(_ word: String) {
            switch word {
            case "s", "sec", "secs", "second", "seconds": self = .seconds
            case "m", "min", "mins", "minute", "minutes": self = .minutes
            case "h", "hr", "hrs", "hour", "hours": self = .hours
            case "d", "day", "days": self = .days
            case "w", "wk", "week", "weeks": self = .weeks
            case "mo", "month", "months": self = .months
            case "y", "yr", "year", "years": self = .years
            default: return nil
            }
        }

        var isDays: Bool {
            switch self {
            case .seconds, .minutes, .hours: false
            default: true
            }
        }

        /// Of months and years the usual.
        var seconds: Int {
            switch self {
            case .seconds: 1
            case .minutes: 60
            case .hours: 3600
            case .days: 86_400
            case .weeks: 604_800
            case .months: 30 * 86_400
            case .years: 365 * 86_400
            }
        }
    }

    /// `in 2 weeks`, `2 weeks ago`, `+3d`, `-3d`: a signed number of a unit.
    func amount(at index: Int) -> (number: Int, unit: Unit, used: Int)? {
        var start = index
        let hasIn = word(index) == "in"
        if hasIn { start += 1 }
        let text = word(start)
        var sign = 0
        var digits = Substring(text)
        if digits.hasPrefix("+") || digits.hasPrefix("-") {
            sign = digits.hasPrefix("-") ? -1 : 1
            digits = digits.dropFirst()
        }
        let number =
            ["a": 1, "an": 1, "one": 1, "two": 2, "three": 3][text] ?? Int(digits.prefix { $0.isASCII && $0.isNumber })
        guard let number, number < 100_000 else { return nil }
        let rest = digits.first?.isNumber == true ? String(digits.drop { $0.isNumber }) : ""
        var used = start - index + 1
        let unit: Unit
        if let found = Unit(rest) {
            unit = found
        } else if rest.isEmpty, let found = Unit(word(start + 1)) {
            unit = found
            used += 1
        } else {
            return nil
        }
        if word(index + used) == "ago" {
            return sign == 0 && !hasIn ? (-number, unit, used + 1) : nil
        }
        if word(index + used) == "from", word(index + used + 1) == "now" { return (number, unit, used + 2) }
        if hasIn { return sign >= 0 ? (number, unit, used) : nil }
        return sign == 0 ? nil : (sign * number, unit, used)
    }

    /// `45m`, `1h30m`, `1h30`, `1.5h`, `90 minutes`, `1 hour 30 min`, `half an hour`: seconds.
    func duration(at index: Int) -> Match<Int>? {
        if word(index) == "half", word(index + 1) == "an", word(index + 2) == "hour" { return Match(1800, 3) }
        if ["a", "an", "one"].contains(word(index)), let unit = Unit(word(index + 1)), word(index + 1).count > 2 {
            return Match(unit.seconds, 2)
        }
        var total = 0
        var used = 0
        while let match = simpleDuration(at: index + used) {
            total += match.value
            used += match.used
            if used > 3 { break }
        }
        return used > 0 && total < 400_000_000 ? Match(total, used) : nil
    }

    private func simpleDuration(at index: Int) -> Match<Int>? {
        let text = word(index)
        guard text.first?.isNumber == true else { return nil }
        var total = 0.0
        var rest = Substring(text)
        var last: Unit?
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            guard let number = Double(digits), number < 10_000_000 else { return nil }
            rest = rest.dropFirst(digits.count)
            let name = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(name.count)
            if name.isEmpty {
                // `1h30` is an hour and a half; a number alone needs a unit after it.
                if case .hours? = last, rest.isEmpty {
                    return Match(Int(total) + Int(number) * 60, 1)
                }
                guard last == nil, rest.isEmpty, let unit = Unit(word(index + 1)) else { return nil }
                return Match(Int((number * Double(unit.seconds)).rounded()), 2)
            }
            guard let unit = Unit(String(name)) else { return nil }
            last = unit
            total += number * Double(unit.seconds)
        }
        return Match(Int(total.rounded()), 1)
    }

    /// `14:30`, `9am`, `9:30 pm`, `noon`, `midnight`, `14h30`: seconds after midnight.
    ///
    /// - Parameter allowsBareHour: whether `9` is a time; it is after `at`.
    func time(at index: Int, allowsBareHour: Bool) -> Match<Int>? {
        let text = word(index)
        switch text {
        case "noon", "midday": return Match(12 * 3600, 1)
        case "midnight": return Match(0, 1)
        default: break
        }
        if ["am", "pm"].contains(word(index + 1)), let match = clock(text + word(index + 1), bare: true) {
            return Match(match, 2)
        }
        let isBare = text.allSatisfy { $0.isASCII && $0.isNumber }
        if isBare && !allowsBareHour { return nil }
        return clock(text, bare: allowsBareHour).map { Match($0, 1) }
    }

    private func clock(_ text: String, bare: Bool) -> Int? {
        var rest = Substring(text)
        var isAfternoon: Bool?
        for (suffix, value) in [("am", false), ("pm", true), ("a.m.", false), ("p.m.", true)]
        where rest.hasSuffix(suffix) {
            isAfternoon = value
            rest = rest.dropLast(suffix.count)
        }
        let separator: Character = rest.contains("h") ? "h" : ":"
        let sides = rest.split(separator: separator, omittingEmptySubsequences: false)
        guard (1...3).contains(sides.count), sides.count > 1 || bare || isAfternoon != nil else { return nil }
        var numbers: [Int] = []
        for (position, side) in sides.enumerated() {
            if side.isEmpty && separator == "h" && position == 1 { continue }
            guard (1...2).contains(side.count), side.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(side),
                position == 0 || side.count == 2
            else { return nil }
            numbers.append(number)
        }
        guard var hour = numbers.first else { return nil }
        let minute = numbers.count > 1 ? numbers[1] : 0
        let second = numbers.count > 2 ? numbers[2] : 0
        if let isAfternoon {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        }
        guard hour < 24 || hour == 24 && minute == 0 && second == 0, minute < 60, second < 60 else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// `9-17`, `9:30-10:15`, `9am-5pm`: seconds after midnight. A range over midnight ends before it starts.
    func hours(at index: Int) -> Match<(start: Int, end: Int)>? {
        let text = word(index).replacing("–", with: "-")
        let sides = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty else { return nil }
        guard let end = clock(sides[1], bare: true) else { return nil }
        var start = clock(sides[0], bare: true)
        // `9-11am` means the morning for both.
        if let suffix = ["am", "pm"].first(where: { sides[1].hasSuffix($0) }), sides[0].allSatisfy({ !$0.isLetter }) {
            let same = clock(sides[0] + suffix, bare: true)
            start = same.map { $0 < end ? $0 : start ?? $0 } ?? start
        }
        guard let start, start < 86_400, start != end else { return nil }
        return Match((start, end), 1)
    }
}
