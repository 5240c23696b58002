import HelixCalendar
import HelixModel

/// Start and end of an event, from a phrase and options.
struct EventSpan {
    var start: EventTime
    var end: EventTime
    /// The duration in seconds, if the wall time of the end is ambiguous.
    var length: Int?

    /// - Parameters:
    ///   - when: the parsed phrase.
    ///   - current: the event's present times, as defaults.
    /// - Throws: ``HelixError`` of code `usage` if the phrase and the options contradict each other, or if the event
    ///   would end before it starts.
    init?(
        _ when: PhraseParts, _ options: EventOptions?, current: (start: EventTime, end: EventTime)?,
        _ context: CommandContext
    ) throws {
        var parts = try EventSpan.parts(when, options, current: current, context)
        let saysEnd = options?.end != nil || parts.duration != nil
        if parts.saysNoTime && !saysEnd && !parts.isAllDay { return nil }
        let zone = parts.zone ?? context.zone
        try EventSpan.refuseMoves(parts, saysEnd: saysEnd, current: current)
        start = try EventSpan.start(&parts, current: current, context)
        end = start
        end = try EventSpan.end(start, parts, options, current, context)
        if end.instant(in: zone) < start.instant(in: zone) {
            throw HelixError(.usage, "the event would end before it starts", hint: "Add the day of the end.")
        }
        // iCalendar writes years with four digits (RFC 5545 §3.3.4), in UTC, too.
        guard end.civil.date.year <= 9999, end.instant(in: zone) < Instant(253_402_214_400) else {
            throw HelixError(.usage, "the event would end after the year 9999", hint: "Choose an earlier day.")
        }
        if case .zoned = start, options?.end == nil, parts.endTime == nil, parts.lastDate == nil,
            parts.endInstant == nil
        {
            var wanted = parts.duration ?? context.configuration.seconds(.duration)
            if parts.duration == nil, let current, !current.start.isDate {
                wanted = current.end.instant(in: zone) - current.start.instant(in: zone)
            }
            if end.instant(in: zone) - start.instant(in: zone) != wanted { length = wanted }
        }
    }

    /// Rejects a time for an all-day event of several days, and a move of all-day events by less than a day.
    private static func refuseMoves(
        _ parts: PhraseParts, saysEnd: Bool, current: (start: EventTime, end: EventTime)?
    ) throws {
        guard let current, current.start.isDate else { return }
        if current.end.civil.date - current.start.civil.date > 1, parts.time != nil, !parts.saysEnd, !saysEnd {
            throw HelixError(
                .usage, "it is an all-day event of several days, which a time would replace",
                hint: "Set both: --start 'dec 1 10:00' --end 'dec 3 12:00'.")
        }
        if let shift = parts.shift, shift.seconds != 0, parts.time == nil {
            throw HelixError(
                .usage, "cannot move an all-day event by hours or minutes",
                hint: "Use days, like +1d, or a time of day, like 'fri 10:00'.")
        }
    }

    /// The start; a range of days that begins on a weekday moves with it.
    private static func start(
        _ parts: inout PhraseParts, current: (start: EventTime, end: EventTime)?, _ context: CommandContext
    ) throws -> EventTime {
        let zone = parts.zone ?? context.zone
        if let shift = parts.shift, let current {
            let moved = shift.applied(to: current.start.civil)
            let civil = parts.time.map { CivilDateTime(moved.date) + $0 } ?? moved
            return current.start.at(current.start.isDate ? CivilDateTime(civil.date) : civil)
        }
        if let instant = parts.instant { return timed(zone.civil(instant), zone, like: current?.start, context) }
        let currentCivil = current.map { zone.civil($0.start.instant(in: zone)) }
        let said = parts.date ?? day(of: parts.period, like: currentCivil) ?? currentCivil?.date
        var date = said ?? context.today
        if parts.time == nil, parts.isAllDay || (current?.start.isDate ?? true) { return .date(date) }
        let time = parts.time ?? currentCivil?.secondOfDay ?? 0
        // `12:30` in the afternoon, or `fri 9:00` on a Friday noon, mean the next one; `today` means today.
        let isPast = zone.instant(CivilDateTime(date) + time) < context.now
        if current == nil, isPast, date == context.today, parts.period == nil {
            if parts.date == nil {
                date = date + 1
            } else if parts.isWeekday {
                date = date + 7
                parts.lastDate = parts.lastDate.map { $0 + 7 }
            }
        }
        let start = timed(CivilDateTime(date) + time, zone, like: current?.start, context)
        try refuseSkipped(CivilDateTime(date) + time, zone, context)
        return start
    }

    /// The event time of a local one, with the zone of an event that has its own.
    private static func timed(
        _ civil: CivilDateTime, _ zone: Zone, like current: EventTime?, _ context: CommandContext
    ) -> EventTime {
        if case .zoned(_, let own)? = current, !context.isZoneNamed {
            return .zoned(own.civil(zone.instant(civil)), own)
        }
        if case .floating? = current { return .floating(civil) }
        return keepsZone(zone) ? .zoned(civil, zone) : .utc(zone.instant(civil))
    }

    /// The day in a named week that keeps the current weekday: `week 50`.
    private static func day(of period: DayPeriod?, like current: CivilDateTime?) -> CivilDate? {
        guard let period, let current, period.end - period.first == 7 else { return period?.first }
        return period.first + current.date.weekday.index(inWeekStartingOn: period.first.weekday)
    }

    /// The phrase merged with the options.
    private static func parts(
        _ when: PhraseParts, _ options: EventOptions?, current: (start: EventTime, end: EventTime)?,
        _ context: CommandContext
    ) throws -> PhraseParts {
        var parts = when
        let dates = context.dates.looking(.ahead)
        func contradiction(_ option: String, _ value: String) -> HelixError {
            HelixError(
                .usage, "\(option) '\(value)' contradicts the line: \(dates.description(of: when))",
                hint: "Remove one of the two, or put words that belong to the title in double quotes.")
        }
        if let start = options?.start {
            let said = try self.said(start, isMove: current != nil, dates)
            guard let both = parts.merging(said) else { throw contradiction("--start", start) }
            parts = both
            try refuseRepetition(said, start)
        }
        if let end = options?.end, when.saysEnd || parts.saysEnd {
            throw when.saysEnd
                ? contradiction("--end", end)
                : HelixError(.usage, "--start contains an end, but --end sets one, too", hint: "Remove one of the two.")
        }
        if let duration = options?.duration {
            let seconds = try seconds(duration, current: current, dates, context)
            guard !parts.saysEnd || parts.duration == seconds else { throw contradiction("--duration", duration) }
            parts.duration = seconds
        }
        if options?.allDay == true {
            guard parts.time == nil, parts.instant == nil else {
                throw HelixError(
                    .usage, "--all-day contradicts the time: \(dates.description(of: parts))",
                    hint: "Remove one of the two.")
            }
            parts.isAllDay = true
        }
        if let current, parts.isWeekday, let date = parts.date {
            // `fri` for an event next month is the Friday of its week.
            let own = context.zone.civil(current.start.instant(in: context.zone)).date
            let week = own.startOfWeek(on: context.configuration.firstWeekday)
            let near = week + date.weekday.index(inWeekStartingOn: context.configuration.firstWeekday)
            if near >= context.today { parts.date = near }
        }
        if parts.time == nil, parts.instant == nil, current == nil, !parts.isAllDay, let duration = parts.duration,
            duration % 86_400 != 0
        {
            throw HelixError(
                .usage, "it has a duration, but no start time",
                hint: "Write it like 'tomorrow 9:00 for 45m'.")
        }
        return parts
    }

    /// The time in --start; `+1h` is relative to the present start.
    private static func said(_ start: String, isMove: Bool, _ dates: DatePhraseParser) throws -> PhraseParts {
        var dates = dates
        dates.readsHours = true
        return try isMove ? dates.move(start) : dates.when(start)
    }

    /// Rejects --start without a time, or with a recurrence.
    private static func refuseRepetition(_ said: PhraseParts, _ start: String) throws {
        if said.saysNoTime { throw HelixError(.usage, "cannot read '\(start)' as a date or time") }
        if let repetition = said.repetition {
            throw HelixError(
                .usage, "--start '\(start)' contains a recurrence: '\(repetition.phrase)'",
                hint: "Set the first time with --start, and the recurrence with --repeat.")
        }
    }

    /// The seconds in --duration; `+30m` extends the present duration.
    private static func seconds(
        _ duration: String, current: (start: EventTime, end: EventTime)?, _ dates: DatePhraseParser,
        _ context: CommandContext
    ) throws -> Int {
        let seconds: Int
        if let current, let sign = duration.first, "+-".contains(sign) {
            let change = try dates.duration(String(duration.dropFirst()))
            let length = current.end.instant(in: context.zone) - current.start.instant(in: context.zone)
            seconds = length + (sign == "+" ? change : -change)
            guard seconds > 0 else { throw HelixError(.usage, "the event would end before it starts") }
        } else {
            seconds = try dates.duration(duration)
        }
        guard seconds > 0 else {
            throw HelixError(.usage, "--duration \(duration) leaves no time", hint: "Write it like 30m.")
        }
        return seconds
    }

    /// Rejects a nonexistent local time: 2:30 in the night in which the clocks go from 2:00 to 3:00.
    static func refuseSkipped(_ civil: CivilDateTime, _ zone: Zone, _ context: CommandContext) throws {
        try context.dates.refuseSkipped(civil, in: zone)
    }

    /// Whether other calendar programs know the zone by its name.
    private static func keepsZone(_ zone: Zone) -> Bool {
        !zone.isUTC && ZoneDatabase.zone(named: zone.identifier) != nil
    }

    private static func end(
        _ start: EventTime, _ parts: PhraseParts, _ options: EventOptions?,
        _ current: (start: EventTime, end: EventTime)?,
        _ context: CommandContext
    ) throws -> EventTime {
        let zone = parts.zone ?? context.zone
        if let text = options?.end {
            // `+30m` is relative to the present end.
            if let current, let first = text.first, "+-".contains(first),
                let shift = try? context.dates.looking(.ahead).move(text).shift
            {
                let isExact = shift.days == 0 && shift.months == 0 && current.end.basis == .instant
                let clock = current.end.clock
                return current.end.at(
                    isExact
                        ? clock.civil(current.end.instant(in: zone) + shift.seconds)
                        : shift.applied(to: current.end.civil))
            }
            return try end(start, text, zone, context)
        }
        if let instant = parts.endInstant {
            return start.at(
                start.clock.civil(start.basis == .floating ? Instant(zone.civil(instant).seconds) : instant))
        }
        if case .date(let first) = start {
            if let last = parts.lastDate { return .date(last + 1) }
            if let period = parts.period, parts.date == nil { return .date(period.end) }
            if let duration = parts.duration {
                guard duration % 86_400 == 0, duration > 0 else {
                    throw HelixError(
                        .usage, "an all-day event cannot last \(DateWords.text(duration: duration))",
                        hint: "Add the start time, or use a duration in days.")
                }
                return .date(first + duration / 86_400)
            }
            if let current, current.start.isDate {
                return .date(first + (current.end.civil.date - current.start.civil.date))
            }
            return .date(first + 1)
        }
        if let endTime = parts.endTime {
            let begin = zone.civil(start.instant(in: zone))
            var civil = CivilDateTime(parts.lastDate ?? begin.date) + endTime
            if civil <= begin, parts.lastDate == nil { civil = civil + 86_400 }
            if start.basis != .floating { try refuseSkipped(civil, zone, context) }
            return start.at(start.basis == .floating ? civil : start.clock.civil(zone.instant(civil)))
        }
        var length = parts.duration ?? context.configuration.seconds(.duration)
        if parts.duration == nil, let current, !current.start.isDate {
            length = current.end.instant(in: zone) - current.start.instant(in: zone)
        }
        if start.basis == .floating { return start.at(start.civil + length) }
        return start.at(start.clock.civil(start.instant(in: zone) + length))
    }

    /// The end set by an option: the last day of all-day events; a time alone is on the day of the start.
    private static func end(
        _ start: EventTime, _ text: String, _ zone: Zone, _ context: CommandContext
    ) throws -> EventTime {
        let dates = context.dates.looking(.ahead)
        let early = HelixError(
            .usage, "the event would end before it starts", hint: "Add the day of the end: --end 'sat 8:00'.")
        if case .date(let first) = start {
            guard case .date(let last) = try dates.moment(text) else {
                throw HelixError(
                    .usage, "--end '\(text)' has a time, but the event is all-day",
                    hint: "Add a time to the start, or give only the last day.")
            }
            guard last >= first else { throw early }
            return .date(last + 1)
        }
        var hours = dates
        hours.readsHours = true
        let said = try hours.when(text)
        if let time = said.time, said.date == nil, said.endTime == nil {
            let begin = start.basis == .floating ? start.civil : zone.civil(start.instant(in: zone))
            var civil = CivilDateTime(begin.date) + time
            // Only events that begin in the afternoon can end after midnight.
            guard civil > begin || begin.hour >= 12 else { throw early }
            if civil <= begin { civil = civil + 86_400 }
            // `--end 12:00` after 12:30 is a mistake; `--end 2:00` after 22:00 is the next day.
            guard civil - begin <= 14 * 3600 else { throw early }
            return start.at(start.basis == .floating ? civil : start.clock.civil(zone.instant(civil)))
        }
        guard said.time != nil || said.instant != nil else {
            throw HelixError(
                .usage, "the start has a time, but --end '\(text)' has none",
                hint: "Add a time to the end, or use --all-day.")
        }
        let instant = try dates.moment(text).instant(in: zone)
        return start.at(
            start.clock.civil(start.basis == .floating ? Instant(zone.civil(instant).seconds) : instant))
    }
}
