/// The rule of a zone for all future times, as in POSIX `TZ` and in the footer of TZif files: `CET-1CEST,M3.5.0,M10.5.0/3`.
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

        /// The onset in `year`, on the clock before the change.
        func onset(in year: Int) -> CivilDateTime { CivilDateTime(day.date(in: year)) + time }
    }

    let standard: Zone.Transition
    let daylight: Zone.Transition?
    let toDaylight: Change?
    let toStandard: Change?

    /// The state of the clock at `instant` by the rule.
    func state(at instant: Instant) -> Zone.Transition {
        guard let daylight, let toDaylight, let toStandard else { return standard }
        let date = CivilDateTime(seconds: instant.seconds + Int64(standard.offset)).date
        let year = date.year
        // A rule may name a change by a day of the year next to the one in which it falls.
        let week: Int64 = 8 * 86_400
        if date.month == 1 && date.day <= 8 || date.month == 12 && date.day >= 24 {
            return changes(in: instant.seconds - 366 * 86_400 - week..<instant.seconds + 1).last ?? standard
        }
        let start = toDaylight.onset(in: year).seconds - Int64(standard.offset)
        let end = toStandard.onset(in: year).seconds - Int64(daylight.offset)
        let isDaylight =
            start < end
            ? (start..<end).contains(instant.seconds) : !(end..<start).contains(instant.seconds)
        return isDaylight ? daylight : standard
    }

    /// The possible offsets from UTC in seconds: more than -25 hours and less than 26 (RFC 8536, 3.2).
    static let offsets = -89_999...93_599

    /// Parses the rule `text`; nil if it is invalid.
    public init?(_ text: String) {
        var parser = Parser(rest: Substring(text))
        guard let name = parser.name(), let west = parser.time() else { return nil }
        guard Self.offsets.contains(-west) else { return nil }
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
        guard Self.offsets.contains(offset) else { return nil }
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
