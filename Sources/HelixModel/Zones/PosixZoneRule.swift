/// A zone's rule for ever, as POSIX `TZ` writes it and TZif files end with it: `CET-1CEST,M3.5.0,M10.5.0/3`.
public struct PosixZoneRule: Hashable, Sendable {
    /// The day of a change.
    enum Day: Hashable, Sendable {
        /// Day 1–365; 29 February is never counted.
        case julian(Int)
        /// Day 0–365 of the year.
        case zeroBased(Int)
        /// Weekday (0 is Sunday) of week 1–5 (5: the last) of the month.
        case weekday(month: Int, week: Int, weekday: Int)

        func date(in year: Int) -> CivilDate {
            let newYear = CivilDate(year: year, month: 1, day: 1)
            switch self {
            case .julian(let day):
                return newYear + (day - 1 + (CivilDate.isLeap(year) && day >= 60 ? 1 : 0))
            case .zeroBased(let day):
                return newYear + day
            case .weekday(let month, let week, let weekday):
                let first = CivilDate(year: year, month: month, day: 1)
                let shift = (weekday - first.weekday.rawValue % 7 + 7) % 7
                let last = CivilDate.daysIn(month: month, year: year)
                var day = 1 + shift + (week - 1) * 7
                while day > last { day -= 7 }
                return CivilDate(year: year, month: month, day: day)
            }
        }
    }

    struct Change: Hashable, Sendable {
        var day: Day
        /// Seconds after the day's midnight on the clock before the change; may be negative or over a day.
        var time: Int
    }

    let standard: Zone.Transition
    let daylight: Zone.Transition?
    let toDaylight: Change?
    let toStandard: Change?

    /// What holds at `instant` by the rule.
    func state(at instant: Instant) -> Zone.Transition {
        guard let daylight, let toDaylight, let toStandard else { return standard }
        let year = CivilDateTime(seconds: instant.seconds + Int64(standard.offset)).date.year
        let start = CivilDateTime(toDaylight.day.date(in: year)).seconds + Int64(toDaylight.time - standard.offset)
        let end = CivilDateTime(toStandard.day.date(in: year)).seconds + Int64(toStandard.time - daylight.offset)
        let isDaylight =
            start < end
            ? (start..<end).contains(instant.seconds) : !(end..<start).contains(instant.seconds)
        return isDaylight ? daylight : standard
    }

    /// A change that comes every year on the same weekday of a month.
    public struct YearlyChange: Hashable, Sendable {
        /// What holds after it.
        public var state: Zone.Transition
        /// The offset before it.
        public var from: Int
        /// The first time, on the clock before it.
        public var onset: CivilDateTime
        /// Whether it is the last such weekday of the month.
        public var isLastWeek: Bool
    }

    /// The first change of each kind after `instant`; none where the rule has no daylight-saving time, or does not go
    /// by weekdays of a month on the day itself.
    public func yearlyChanges(after instant: Instant) -> [YearlyChange] {
        guard let daylight, let toDaylight, let toStandard else { return [] }
        var changes: [YearlyChange] = []
        for (change, state, from) in [(toDaylight, daylight, standard.offset), (toStandard, standard, daylight.offset)]
        {
            guard case .weekday(_, let week, _) = change.day, (0..<86_400).contains(change.time) else { return [] }
            var year = CivilDateTime(seconds: instant.seconds).date.year
            var onset = CivilDateTime(change.day.date(in: year)) + change.time
            while onset.seconds - Int64(from) <= instant.seconds {
                year += 1
                onset = CivilDateTime(change.day.date(in: year)) + change.time
            }
            changes.append(YearlyChange(state: state, from: from, onset: onset, isLastWeek: week == 5))
        }
        return changes
    }

    /// The rule written as `text`, or nil if it is none.
    public init?(_ text: String) {
        var parser = Parser(rest: Substring(text))
        guard let name = parser.name(), let west = parser.time() else { return nil }
        standard = Zone.Transition(at: .min, offset: -west, isDaylight: false, abbreviation: name)
        guard !parser.rest.isEmpty else {
            daylight = nil
            toDaylight = nil
            toStandard = nil
            return
        }
        guard let summerName = parser.name() else { return nil }
        var offset = standard.offset + 3600
        if !parser.rest.isEmpty, parser.rest.first != "," {
            guard let summerWest = parser.time() else { return nil }
            offset = -summerWest
        }
        daylight = Zone.Transition(at: .min, offset: offset, isDaylight: true, abbreviation: summerName)
        if parser.rest.isEmpty { parser.rest = ",M3.2.0,M11.1.0" }
        guard let start = parser.change(), let end = parser.change(), parser.rest.isEmpty else { return nil }
        toDaylight = start
        toStandard = end
    }

    private struct Parser {
        var rest: Substring

        mutating func name() -> String? {
            if rest.first == "<" {
                guard let close = rest.firstIndex(of: ">") else { return nil }
                let name = rest[rest.index(after: rest.startIndex)..<close]
                rest = rest[rest.index(after: close)...]
                return name.isEmpty ? nil : String(name)
            }
            let name = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(name.count)
            return name.count >= 3 ? String(name) : nil
        }

        mutating func number(_ range: ClosedRange<Int>) -> Int? {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            guard let number = Int(digits), range.contains(number) else { return nil }
            return number
        }

        mutating func take(_ character: Character) -> Bool {
            guard rest.first == character else { return false }
            rest = rest.dropFirst()
            return true
        }

        /// `[+-]h[:m[:s]]` in seconds.
        mutating func time() -> Int? {
            let isNegative = rest.first == "-"
            if isNegative || rest.first == "+" { rest = rest.dropFirst() }
            guard var seconds = number(0...167).map({ $0 * 3600 }) else { return nil }
            if take(":") {
                guard let minutes = number(0...59) else { return nil }
                seconds += minutes * 60
                if take(":") {
                    guard let more = number(0...59) else { return nil }
                    seconds += more
                }
            }
            return isNegative ? -seconds : seconds
        }

        mutating func change() -> Change? {
            guard take(",") else { return nil }
            let day: Day
            if take("J") {
                guard let number = number(1...365) else { return nil }
                day = .julian(number)
            } else if take("M") {
                guard let month = number(1...12), take("."), let week = number(1...5), take("."),
                    let weekday = number(0...6)
                else { return nil }
                day = .weekday(month: month, week: week, weekday: weekday)
            } else {
                guard let number = number(0...365) else { return nil }
                day = .zeroBased(number)
            }
            guard take("/") else { return Change(day: day, time: 7200) }
            guard let time = time() else { return nil }
            return Change(day: day, time: time)
        }
    }
}
