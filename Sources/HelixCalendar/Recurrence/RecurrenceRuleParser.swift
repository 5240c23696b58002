import HelixModel

/// The reason why a recurrence rule is invalid: a phrase such as `BYMONTH=13 is out of range`.
public struct RecurrenceRuleError: Error, Hashable, Sendable {
    /// The reason, without a capital or a full stop.
    public let reason: String
}

extension RecurrenceRule {
    /// Parses the value of an RRULE property.
    ///
    /// Lower case, blanks and a stray semicolon are accepted; violations of RFC 5545 §3.3.10 are not.
    /// - Throws: ``RecurrenceRuleError``.
    public init(_ text: String) throws(RecurrenceRuleError) {
        var parts: [(name: String, value: String)] = []
        for part in text.uppercased().split(separator: ";") {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(sides[0]).trimmingBlanks()
            if name.isEmpty && sides.count == 1 { continue }
            guard sides.count == 2 else { throw RecurrenceRuleError(reason: "'\(name)' has no value") }
            guard !parts.contains(where: { $0.name == name }) else {
                throw RecurrenceRuleError(reason: "\(name) is given twice")
            }
            parts.append((name, String(sides[1]).trimmingBlanks()))
        }
        guard let word = parts.first(where: { $0.name == "FREQ" })?.value else {
            throw RecurrenceRuleError(reason: "FREQ is missing")
        }
        guard let frequency = Frequency(rawValue: word) else {
            throw RecurrenceRuleError(reason: "FREQ=\(word) is not a frequency")
        }
        self.init(frequency)
        for (name, value) in parts where name != "FREQ" { try set(name, to: value) }
        try checkCombination()
    }

    private mutating func set(_ name: String, to value: String) throws(RecurrenceRuleError) {
        switch name {
        case "INTERVAL": interval = try Self.number(value, name, in: 1...1_000_000_000)
        case "COUNT": count = try Self.number(value, name, in: 1...1_000_000_000)
        case "UNTIL": until = try Self.until(value)
        case "BYSECOND": seconds = try Self.list(value, name, in: 0...60, signed: false)
        case "BYMINUTE": minutes = try Self.list(value, name, in: 0...59, signed: false)
        case "BYHOUR": hours = try Self.list(value, name, in: 0...23, signed: false)
        case "BYMONTH": months = try Self.list(value, name, in: 1...12, signed: false)
        case "BYMONTHDAY": monthDays = try Self.list(value, name, in: 1...31, signed: true)
        case "BYYEARDAY": yearDays = try Self.list(value, name, in: 1...366, signed: true)
        case "BYWEEKNO": weekNumbers = try Self.list(value, name, in: 1...53, signed: true)
        case "BYSETPOS": setPositions = try Self.list(value, name, in: 1...366, signed: true)
        case "BYDAY": weekdays = try Self.weekdayNumbers(value)
        case "WKST":
            guard let weekday = Weekday(code: value) else {
                throw RecurrenceRuleError(reason: "WKST=\(value) is not a weekday")
            }
            weekStart = weekday
        case "RSCALE" where value == "GREGORIAN": break
        case "SKIP" where value == "OMIT": break
        default: throw RecurrenceRuleError(reason: "unknown rule part \(name)")
        }
    }

    /// Rejects combinations that RFC 5545 §3.3.10 forbids.
    private func checkCombination() throws(RecurrenceRuleError) {
        func refuse(_ reason: String) throws(RecurrenceRuleError) { throw RecurrenceRuleError(reason: reason) }
        let name = frequency.rawValue
        if count != nil && until != nil { try refuse("COUNT and UNTIL exclude each other") }
        if !weekNumbers.isEmpty && frequency != .yearly { try refuse("BYWEEKNO cannot be combined with FREQ=\(name)") }
        if !yearDays.isEmpty && [.daily, .weekly, .monthly].contains(frequency) {
            try refuse("BYYEARDAY cannot be combined with FREQ=\(name)")
        }
        if !monthDays.isEmpty && frequency == .weekly { try refuse("BYMONTHDAY cannot be combined with FREQ=WEEKLY") }
        if weekdays.contains(where: { $0.ordinal != nil }) {
            if frequency != .monthly && frequency != .yearly {
                try refuse("a numbered BYDAY cannot be combined with FREQ=\(name)")
            }
            if frequency == .yearly && !weekNumbers.isEmpty {
                try refuse("a numbered BYDAY cannot be combined with BYWEEKNO")
            }
        }
        var others = self
        others.setPositions = []
        if !setPositions.isEmpty && others.isPlain { try refuse("BYSETPOS needs another BYxxx part") }
    }

    private static func number(_ text: String, _ name: String, in range: ClosedRange<Int>)
        throws(RecurrenceRuleError) -> Int
    {
        let digits = text.hasPrefix("+") ? text.dropFirst() : Substring(text)
        guard let number = Int(digits), digits.first != "+" else {
            throw RecurrenceRuleError(reason: "\(name)=\(text) is not a number")
        }
        guard range.contains(number) else { throw RecurrenceRuleError(reason: "\(name)=\(number) is out of range") }
        return number
    }

    /// Parses a list of numbers, sorted and without duplicates; at most as many as are in the range.
    private static func list(_ text: String, _ name: String, in range: ClosedRange<Int>, signed: Bool)
        throws(RecurrenceRuleError) -> [Int]
    {
        var numbers: Set<Int> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let item = String(word).trimmingBlanks()
            let isNegative = signed && item.hasPrefix("-")
            let size = try number(isNegative ? String(item.dropFirst()) : item, name, in: range)
            numbers.insert(isNegative ? -size : size)
        }
        return numbers.sorted()
    }

    private static func weekdayNumbers(_ text: String) throws(RecurrenceRuleError) -> [WeekdayNumber] {
        var found: [WeekdayNumber] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let item = String(word).trimmingBlanks()
            guard let weekday = Weekday(code: String(item.suffix(2))) else {
                throw RecurrenceRuleError(reason: "BYDAY=\(item) is not a weekday")
            }
            var entry = WeekdayNumber(weekday)
            if item.count > 2 {
                let digits = String(item.dropLast(2))
                let isNegative = digits.hasPrefix("-")
                let size = try number(isNegative ? String(digits.dropFirst()) : digits, "BYDAY", in: 1...53)
                entry.ordinal = isNegative ? -size : size
            }
            if !found.contains(entry) { found.append(entry) }
        }
        return found
    }

    private static func until(_ text: String) throws(RecurrenceRuleError) -> Until {
        switch ICalendarTime(text) {
        case .date(let date)?: return .date(date)
        case .floating(let civil)?: return .floating(civil)
        case .utc(let instant)?: return .utc(instant)
        case nil: throw RecurrenceRuleError(reason: "UNTIL=\(text) is not a date")
        }
    }
}

extension Weekday {
    private static let codes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    /// The two-letter code of RFC 5545: `MO`.
    public var code: String { Weekday.codes[rawValue - 1] }

    /// Creates the weekday of a two-letter code.
    public init?(code: String) {
        guard let index = Weekday.codes.firstIndex(of: code) else { return nil }
        self = Weekday.allCases[index]
    }
}

extension RecurrenceRule {
    /// The rule as the value of an RRULE property.
    public var text: String {
        var parts = ["FREQ=\(frequency.rawValue)"]
        if interval != 1 { parts.append("INTERVAL=\(interval)") }
        if let count { parts.append("COUNT=\(count)") }
        switch until {
        case .date(let date)?: parts.append("UNTIL=\(ICalendarTime.date(date).text)")
        case .floating(let civil)?: parts.append("UNTIL=\(ICalendarTime.floating(civil).text)")
        case .utc(let instant)?: parts.append("UNTIL=\(ICalendarTime.utc(instant).text)")
        case nil: break
        }
        func add(_ name: String, _ numbers: [Int]) {
            if !numbers.isEmpty { parts.append("\(name)=\(numbers.map(String.init).joined(separator: ","))") }
        }
        add("BYMONTH", months)
        add("BYWEEKNO", weekNumbers)
        add("BYYEARDAY", yearDays)
        add("BYMONTHDAY", monthDays)
        if !weekdays.isEmpty {
            let words = weekdays.map { ($0.ordinal.map(String.init) ?? "") + $0.weekday.code }
            parts.append("BYDAY=\(words.joined(separator: ","))")
        }
        add("BYHOUR", hours)
        add("BYMINUTE", minutes)
        add("BYSECOND", seconds)
        add("BYSETPOS", setPositions)
        if weekStart != .monday { parts.append("WKST=\(weekStart.code)") }
        return parts.joined(separator: ";")
    }
}
