/// A parser for dates, times, lengths, repetitions and zones as users type them. All commands share it.
///
/// `2026-12-01`, `12-01`, `14:30`, `fri`, `next tue 9am`, `tomorrow 12:30 for 45m`, `in 2 weeks`, `eom`, `-3d`,
/// `10 min ago`, `mon..fri`, `9-17`, `2026-12`, `this week`, `today 7d`.
public struct DatePhraseParser: Sendable {
    /// The direction in which a day without a year or a week is resolved.
    public enum Direction: Hashable, Sendable {
        /// The next one, today included: for plans.
        case ahead
        /// The last one, today included: for past work.
        case back
        /// The next one, but `soy` is the start of this year: for views and filters.
        case neutral
    }

    /// The moment to which `now` and `today` refer.
    public var now: Instant
    /// The zone in which phrases are read.
    public var zone: Zone
    /// The day on which weeks start.
    public var firstWeekday: Weekday
    /// The direction in which days are resolved.
    public var direction = Direction.neutral
    /// The default time of each part of the day, in seconds after midnight.
    public var partHours: [DayPart: Int] = [
        .morning: 9 * 3600, .afternoon: 15 * 3600, .evening: 19 * 3600, .night: 20 * 3600,
    ]
    let vocabulary: DateVocabulary
    /// Whether a number alone is an hour, where only a time is expected: `--at 9`.
    public var readsHours = false
    /// Whether the text is a repetition, in which `every` may be omitted.
    var readsRepetitions = false

    /// Creates a parser for phrases typed at `now` in `zone`.
    ///
    /// - Parameter languages: ISO 639-1 codes of the languages to read besides English.
    public init(now: Instant, zone: Zone, firstWeekday: Weekday = .monday, languages: [String] = []) {
        self.now = now
        self.zone = zone
        self.firstWeekday = firstWeekday
        vocabulary = .of(languages)
    }

    /// The day to which `today` refers.
    public var today: CivilDate { zone.date(now) }

    /// Returns the parser with another direction.
    public func looking(_ direction: Direction) -> DatePhraseParser {
        var parser = self
        parser.direction = direction
        return parser
    }

    /// Parses a moment: a day, or a time. A time without a day is today's.
    /// - Throws: ``HelixError`` of code `usage`, naming the unknown word.
    public func moment(_ text: String) throws -> PhraseMoment {
        let parts = try parts(text)
        guard parts.endTime == nil, parts.lastDate == nil, parts.endInstant == nil, parts.duration == nil else {
            throw HelixError(
                .usage, "'\(text)' is a range of time, but a single moment is expected",
                hint: "Write it like 2026-12-01, fri 14:30 or 'next tue 9am'.")
        }
        try refuseRepetition(parts, text)
        if let instant = parts.instant { return .instant(instant) }
        if let period = parts.period, parts.time == nil {
            // `due:nov` in November, `due:2026`, `due:this week` on Tuesday: the start has passed.
            guard direction != .ahead || period.first >= today else {
                throw HelixError(
                    .usage, "'\(text)' began on \(DateWords.text(period.first)), which has passed",
                    hint: "Name the day; 'eow', 'eom' and 'eoy' are the ends of this week, month and year.")
            }
            return .date(period.first)
        }
        guard let time = parts.time else {
            guard let date = parts.date else { throw notUnderstood(text) }
            return .date(date)
        }
        let civil = CivilDateTime(parts.date ?? parts.period?.first ?? today) + time
        try refuseSkipped(civil, in: parts.zone ?? zone)
        return parts.zone.map { .instant($0.instant(civil)) } ?? .civil(civil)
    }

    /// Parses the times in the value of a field, which must be only about time.
    /// - Throws: ``HelixError`` of code `usage`.
    public func when(_ text: String) throws -> PhraseParts { try parts(text) }

    /// Whether `text` has a time of day, but no day.
    public func saysClockAlone(_ text: String) -> Bool {
        guard let said = try? parts(text), said.time != nil else { return false }
        return said.date == nil && said.period == nil && said.instant == nil && said.shift == nil
    }

    /// Parses a day.
    /// - Throws: ``HelixError`` of code `usage`.
    public func date(_ text: String) throws -> CivilDate { try moment(text).date(in: zone) }

    /// Parses a range of time. A day alone is the whole day.
    /// - Throws: ``HelixError`` of code `usage`.
    public func range(_ text: String) throws -> PhraseRange {
        let trimmed = text.trimmingBlanks()
        if let marker = trimmed.firstRange(of: "..") {
            let left = String(trimmed[..<marker.lowerBound]).trimmingBlanks()
            let right = String(trimmed[marker.upperBound...]).trimmingBlanks()
            let start = left.isEmpty ? PhraseMoment.date(today) : try range(left).start
            var reading = looking(direction == .back ? .neutral : direction)
            // `mon..fri` is the Friday after that Monday.
            if case .date(let date) = start {
                let isWeekday = (try? reading.parts(right))?.isWeekday ?? false
                reading.now = isWeekday ? zone.startOfDay(date) : max(now, zone.startOfDay(date))
            }
            guard !right.isEmpty else { throw notUnderstood(text) }
            var end = try reading.range(right).end
            if let moment = try? reading.moment(right), case .civil(let civil) = moment { end = .civil(civil) }
            // `fri 9:00..10:00` ends on that Friday.
            if case .civil(let from) = start, let said = try? reading.parts(right), let time = said.time,
                said.date == nil, said.period == nil, said.zone == nil
            {
                end = .civil(CivilDateTime(from.date) + time)
            }
            guard start.instant(in: zone) < end.instant(in: zone) else {
                throw HelixError(.usage, "the range '\(text)' ends before it starts")
            }
            return PhraseRange(start: start, end: end)
        }
        if let found = try openRange(trimmed) { return found }
        let parts = try parts(trimmed)
        try refuseRepetition(parts, text)
        return try range(parts, text)
    }

    /// Parses a length of time into seconds: `45m`, `1h30m`, `90 min`, `2 days`, `1.5h`, `1:30`.
    /// - Throws: ``HelixError`` of code `usage`.
    public func duration(_ text: String) throws -> Int {
        let grammar = PhraseGrammar(text, parser: self, isLine: false)
        let start = grammar.has(.for, 0) ? 1 : 0
        if let match = grammar.length(start), match.end == grammar.tokens.count { return match.seconds }
        let sides = text.split(separator: ":")
        if sides.count == 2, let hours = Int(sides[0]), let minutes = Int(sides[1]), hours >= 0,
            (0..<60).contains(minutes), hours < 100_000
        {
            return hours * 3600 + minutes * 60
        }
        throw HelixError(
            .usage, "'\(text)' is not a length of time", hint: "Write it like 45m, 1h30m, '2 days' or 1:30.")
    }

    /// The languages that can be read besides English: their ISO 639-1 codes and names.
    public static var languages: [(code: String, name: String)] {
        DateLanguage.all.dropFirst().map { ($0.code, $0.name) }
    }

    /// Parses a time of day into seconds after midnight: `9:00`, `8pm`, `9`.
    /// - Throws: ``HelixError`` of code `usage`.
    public func timeOfDay(_ text: String) throws -> Int {
        if let hour = Int(text), (0...23).contains(hour) { return hour * 3600 }
        let parts = try parts(text)
        guard let time = parts.time, parts.date == nil, !parts.saysEnd else {
            throw HelixError(.usage, "'\(text)' is not a time of day", hint: "Write it like 9:00 or 8pm.")
        }
        return time
    }

    /// Parses a repetition: `every 2 weeks mon,thu until 2027-03-01`, `last fri of the month`.
    /// - Throws: ``HelixError`` of code `usage`.
    public func repetition(_ text: String) throws -> Repetition {
        var parser = self
        parser.readsRepetitions = true
        let reading: PhraseParts
        do { reading = try parser.parts(text) } catch {
            throw HelixError(
                .usage, error.message.replacing("as a date or time", with: "as a repetition"),
                hint: "Use 'daily', 'weekdays', 'every 2 weeks mon,thu', 'last fri of the month', "
                    + "'every month on the 15th', with 'until DATE' or '10 times'; or use --rrule.")
        }
        guard var repetition = reading.repetition else {
            throw HelixError(
                .usage, "'\(text)' is not a repetition",
                hint: "Use 'daily', 'weekdays', 'every 2 weeks mon,thu' or 'last fri of the month'.")
        }
        guard reading.time == nil, reading.period == nil, reading.instant == nil else {
            throw HelixError(
                .usage, "'\(text)' has a time; a repetition has only days", hint: "Give the time with the start."
            )
        }
        if let date = reading.date {
            // `every 2 weeks on friday`
            guard reading.isWeekday, repetition.weekdays.isEmpty, repetition.unit == .week else {
                throw HelixError(.usage, "'\(text)' has a start day; give it with the start")
            }
            repetition.weekdays = [.init(date.weekday)]
        }
        return repetition
    }

    // MARK: Parts

    /// Parses `text`, all words of which must be about time.
    func parts(_ text: String) throws(HelixError) -> PhraseParts {
        let grammar = PhraseGrammar(text, parser: self, isLine: false)
        let problem = PhraseProblem(line: text, parser: self)
        guard !grammar.tokens.isEmpty else { throw notUnderstood(text) }
        // No time has this many words.
        guard grammar.tokens.count <= 200 else { throw problem.unknown(text.startIndex..<text.endIndex) }
        let readings = PhraseReader(grammar: grammar).readings()
        let whole = readings.filter { $0.leftovers.isEmpty && covers($0, grammar) }
        guard let best = whole.first else {
            let nearest = readings.first ?? PhraseReading()
            let words = ForeignDateWords(without: vocabulary.languages, among: Set(grammar.tokens.map { $0.text[...] }))
            if let (index, code) = words.first(grammar, at: Array(grammar.tokens.indices)) {
                throw words.error(grammar, index, code)
            }
            let range = firstUnused(nearest, grammar)
            throw problem.unknown(range)
        }
        return try settled(best, among: whole, problem)
    }

    /// Resolves the parts of the best reading.
    /// - Throws: ``HelixError`` of code `usage` if another one is as good, or if it leaves something undecided.
    func settled(
        _ best: PhraseReading, among readings: [PhraseReading], _ problem: PhraseProblem
    ) throws(HelixError) -> PhraseParts {
        var parts: PhraseParts
        do { parts = try best.parts.settled(self) } catch { throw problem.doubt(error) }
        for other in readings.dropFirst() where other.score >= best.score {
            guard let rest = try? other.parts.settled(self), rest.meaning(self) != parts.meaning(self) else { continue }
            throw problem.ambiguous(parts, rest)
        }
        if parts.isEmpty { throw notUnderstood(problem.line) }
        skipPast(&parts)
        return parts
    }

    /// In plans, a weekday whose hour has passed today is the next one: `mon 9:00`, typed on a Monday at ten.
    private func skipPast(_ parts: inout PhraseParts) {
        guard direction == .ahead, parts.isWeekday, let date = parts.date, date == today, let time = parts.time,
            (parts.zone ?? zone).instant(CivilDateTime(date) + time) < now
        else { return }
        parts.date = date + 7
        parts.lastDate = parts.lastDate.map { $0 + 7 }
    }

    /// Whether all words are about time.
    private func covers(_ reading: PhraseReading, _ grammar: PhraseGrammar) -> Bool {
        var next = 0
        for span in reading.spans {
            guard span.start == next else { return false }
            next = span.piece.end
        }
        return next == grammar.tokens.count
    }

    private func firstUnused(_ reading: PhraseReading, _ grammar: PhraseGrammar) -> Range<String.Index> {
        if let first = reading.leftovers.first { return grammar.place(first) }
        var next = 0
        for span in reading.spans where span.start <= next { next = max(next, span.piece.end) }
        return next < grammar.tokens.count
            ? grammar.place(next..<grammar.wordAfter(next)) : grammar.place(0..<grammar.tokens.count)
    }

    /// Returns the range of time of `parts`; `text` is used in errors.
    /// - Throws: ``HelixError`` of code `usage`.
    public func range(_ parts: PhraseParts, _ text: String) throws -> PhraseRange {
        let clock = parts.zone ?? zone
        func moment(_ civil: CivilDateTime) -> PhraseMoment {
            parts.zone == nil ? .civil(civil) : .instant(clock.instant(civil))
        }
        if let period = parts.period, parts.time == nil {
            if let duration = parts.duration, duration % 86_400 != 0 {
                throw HelixError(
                    .usage,
                    "'\(text)' has days and \(DateWords.text(duration: duration)), but no time at which that begins",
                    hint: "Write the days alone, or 'mon 9:00 for 2h'.")
            }
            let end = parts.duration.map { period.first + max(1, $0 / 86_400) }
            return PhraseRange(start: .date(period.first), end: .date(end ?? period.end))
        }
        if let instant = parts.instant {
            let end = parts.endInstant ?? instant + (parts.duration ?? 0)
            guard end >= instant else { throw HelixError(.usage, "'\(text)' ends before it starts") }
            return PhraseRange(start: .instant(instant), end: .instant(end))
        }
        if parts.isPartOnly, parts.duration == nil, let part = parts.part,
            let day = parts.date ?? parts.period?.first ?? Optional(today)
        {
            // `tomorrow afternoon` is the whole afternoon.
            let hours = part.hours
            let civil = CivilDateTime(day)
            return PhraseRange(start: moment(civil + hours.lowerBound), end: moment(civil + hours.upperBound))
        }
        if let time = parts.time {
            let start = CivilDateTime(parts.date ?? parts.period?.first ?? today) + time
            if let end = parts.endTime {
                let last = CivilDateTime(parts.lastDate ?? start.date) + end
                return PhraseRange(
                    start: moment(start), end: moment(last > start || parts.lastDate != nil ? last : last + 86_400))
            }
            let begin = clock.instant(start)
            if let end = parts.endInstant { return PhraseRange(start: moment(start), end: .instant(end)) }
            return PhraseRange(start: moment(start), end: .instant(begin + (parts.duration ?? 0)))
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
            // `7d` alone is the next seven days, today included; for past work, the last hours.
            if duration % 86_400 == 0 { return PhraseRange(start: .date(today), end: .date(today + duration / 86_400)) }
            if direction == .back { return PhraseRange(start: .instant(now - duration), end: .instant(now)) }
            return PhraseRange(start: .instant(now), end: .instant(now + duration))
        }
        throw notUnderstood(text)
    }

    private func refuseRepetition(_ parts: PhraseParts, _ text: String) throws {
        guard parts.repetition != nil else { return }
        throw HelixError(.usage, "'\(text)' repeats, but a single time is expected")
    }

    func notUnderstood(_ text: String) -> HelixError {
        PhraseProblem(line: text, parser: self).unknown(text.startIndex..<text.endIndex)
    }
}

extension PhraseGrammar {
    /// The place of tokens in the line.
    func place(_ range: Range<Int>) -> Range<String.Index> {
        tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound - 1].range.upperBound
    }

    /// The token after the word that begins at `index`.
    func wordAfter(_ index: Int) -> Int {
        var end = index + 1
        while end < tokens.count, tokens[end].isJoined { end += 1 }
        return end
    }
}

extension String {
    func firstRange(of needle: String) -> Range<Index>? { ranges(of: needle).first }
}
