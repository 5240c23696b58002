/// Reads dates and times as people type them. One parser serves all commands.
///
/// `2026-12-01`, `12-01`, `14:30`, `fri`, `next tue 9am`, `tomorrow 12:30 for 45m`, `in 2 weeks`, `eom`, `-3d`,
/// `10 min ago`, `mon..fri`, `9-17`, `2026-12`, `this week`, `today 7d`.
public struct DatePhraseParser: Sendable {
    /// The moment that `now` and `today` mean.
    public var now: Instant
    /// The zone of the clock that the phrases are read on.
    public var zone: Zone
    /// The day on which weeks start.
    public var firstWeekday: Weekday

    /// A parser for phrases said at `now` in `zone`.
    public init(now: Instant, zone: Zone, firstWeekday: Weekday = .monday) {
        self.now = now
        self.zone = zone
        self.firstWeekday = firstWeekday
    }

    /// The day that `today` means.
    public var today: CivilDate { zone.date(now) }

    /// The moment that `text` says: a day, or a time. A time without a day is today's.
    /// - Throws: ``HelixError`` of code `usage`, naming the word that is not understood.
    public func moment(_ text: String) throws -> PhraseMoment {
        let parts = try parts(text)
        if let instant = parts.instant { return .instant(instant) }
        if let period = parts.period, parts.time == nil { return .date(period.first) }
        guard let time = parts.time else {
            guard let date = parts.date else { throw notUnderstood(text, text) }
            return .date(date)
        }
        return .civil(CivilDateTime(parts.date ?? parts.period?.first ?? today) + time)
    }

    /// The day that `text` says.
    /// - Throws: ``HelixError`` of code `usage`.
    public func date(_ text: String) throws -> CivilDate { try moment(text).date(in: zone) }

    /// The stretch of time that `text` says. A day alone is the whole day.
    /// - Throws: ``HelixError`` of code `usage`.
    public func range(_ text: String) throws -> PhraseRange {
        let trimmed = text.trimmingBlanks()
        if let marker = trimmed.firstRange(of: "..") {
            let left = String(trimmed[..<marker.lowerBound]).trimmingBlanks()
            let right = String(trimmed[marker.upperBound...]).trimmingBlanks()
            let start = left.isEmpty ? PhraseMoment.date(today) : try range(left).start
            var reading = self
            // `mon..fri` is the Friday after that Monday.
            if case .date(let date) = start { reading.now = max(now, zone.startOfDay(date)) }
            guard !right.isEmpty else { throw notUnderstood("..", text) }
            var end = try reading.range(right).end
            if case .civil(let civil) = try reading.moment(right) { end = .civil(civil) }
            guard start.instant(in: zone) < end.instant(in: zone) else {
                throw HelixError(.usage, "the range '\(text)' ends before it starts")
            }
            return PhraseRange(start: start, end: end)
        }
        let parts = try parts(trimmed)
        return try range(parts, text)
    }

    /// A length of time in seconds: `45m`, `1h30m`, `90 min`, `2 days`, `1.5h`, `1:30`.
    /// - Throws: ``HelixError`` of code `usage`.
    public func duration(_ text: String) throws -> Int {
        let matcher = PhraseMatcher(text, parser: self)
        if let match = matcher.duration(at: 0), match.used == matcher.words.count, match.value >= 0 {
            return match.value
        }
        let sides = text.split(separator: ":")
        if sides.count == 2, let hours = Int(sides[0]), let minutes = Int(sides[1]), hours >= 0,
            (0..<60).contains(minutes), hours < 100_000
        {
            return hours * 3600 + minutes * 60
        }
        throw HelixError(
            .usage, "'\(text)' is no length of time", hint: "Say it like 45m, 1h30m, '2 days' or 1:30.")
    }

    /// Hours of a day in seconds after midnight: `9-17`, `8:30-12`, `22-6`.
    /// - Throws: ``HelixError`` of code `usage`.
    public func hours(_ text: String) throws -> (start: Int, end: Int) {
        let matcher = PhraseMatcher(text, parser: self)
        guard let match = matcher.hours(at: 0), match.used == matcher.words.count else {
            throw HelixError(.usage, "'\(text)' are no hours of the day", hint: "Say them like 9-17 or 8:30-12:15.")
        }
        return match.value
    }

    /// The days of the week: `mon-fri`, `mon,wed`, `weekdays`, `weekend`.
    /// - Throws: ``HelixError`` of code `usage`.
    public func weekdays(_ text: String) throws -> Set<Weekday> {
        var days: Set<Weekday> = []
        for item in text.lowercased().split(separator: ",") {
            let word = String(item).trimmingBlanks()
            let ends = word.split(separator: "-").map(String.init)
            if ["weekdays", "workdays", "weekday"].contains(word) {
                days.formUnion([.monday, .tuesday, .wednesday, .thursday, .friday])
            } else if ["weekend", "weekends"].contains(word) {
                days.formUnion([.saturday, .sunday])
            } else if let day = DateWords.weekday(word) {
                days.insert(day)
            } else if ends.count == 2, let first = DateWords.weekday(ends[0]), let last = DateWords.weekday(ends[1]) {
                for step in 0...last.index(inWeekStartingOn: first) { days.insert(first.advanced(by: step)) }
            } else {
                throw HelixError(.usage, "'\(word)' is no day of the week", hint: "Say them like mon-fri or mon,wed.")
            }
        }
        return days
    }

    /// What `text` says, all words of which must be about time.
    func parts(_ text: String) throws -> PhraseParts {
        let matcher = PhraseMatcher(text, parser: self)
        var parts = PhraseParts()
        var index = 0
        while index < matcher.words.count {
            if let used = matcher.take(at: index, into: &parts, isSentence: false) {
                index += used
            } else if PhraseMatcher.fillers.contains(matcher.words[index]) {
                index += 1
            } else {
                throw notUnderstood(matcher.originals[index], text)
            }
        }
        if parts.isEmpty { throw notUnderstood(text, text) }
        return parts
    }

    /// The range that `parts` say.
    func range(_ parts: PhraseParts, _ text: String) throws -> PhraseRange {
        if let period = parts.period, parts.time == nil {
            let end = parts.duration.map { period.first + max(1, $0 / 86_400) }
            return PhraseRange(start: .date(period.first), end: .date(end ?? period.end))
        }
        if let instant = parts.instant {
            return PhraseRange(start: .instant(instant), end: .instant(instant + (parts.duration ?? 0)))
        }
        if let time = parts.time {
            let start = CivilDateTime(parts.date ?? today) + time
            if let end = parts.endTime {
                let last = CivilDateTime(parts.lastDate ?? start.date) + end
                return PhraseRange(start: .civil(start), end: .civil(last > start ? last : last + 86_400))
            }
            let begin = zone.instant(start)
            return PhraseRange(start: .civil(start), end: .instant(begin + (parts.duration ?? 0)))
        }
        if let date = parts.date {
            if let last = parts.lastDate { return PhraseRange(start: .date(date), end: .date(last + 1)) }
            guard let duration = parts.duration else {
                return PhraseRange(start: .date(date), end: .date(date + 1))
            }
            if duration % 86_400 == 0 { return PhraseRange(start: .date(date), end: .date(date + duration / 86_400)) }
            return PhraseRange(start: .date(date), end: .instant(zone.startOfDay(date) + duration))
        }
        if let duration = parts.duration {
            // `7d` alone is the next seven days, today included.
            if duration % 86_400 == 0 { return PhraseRange(start: .date(today), end: .date(today + duration / 86_400)) }
            return PhraseRange(start: .instant(now), end: .instant(now + duration))
        }
        throw notUnderstood(text, text)
    }

    func notUnderstood(_ word: String, _ text: String) -> HelixError {
        let place = word == text ? "" : " in '\(text)'"
        if word.split(separator: "/").count == 3 {
            return HelixError(
                .usage, "'\(word)'\(place) could be two dates", hint: "Write dates as year-month-day: 2026-12-01.")
        }
        return HelixError(
            .usage, "'\(word)'\(place) is no date or time that helix understands",
            hint: "Say it like 2026-12-01, fri 14:30, 'next tue 9am', 'in 2 weeks', eom, mon..fri or 'this week'.")
    }
}

extension String {
    func firstRange(of needle: String) -> Range<Index>? { ranges(of: needle).first }
}
