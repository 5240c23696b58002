import HelixCalendar
import HelixModel

/// Start and end of an event, from what a phrase and options say.
struct EventSpan {
    var start: EventTime
    var end: EventTime
    /// The length in seconds, where the end's reading of the clock comes twice and would not say it.
    var length: Int?

    /// - Parameters:
    ///   - when: what a phrase says.
    ///   - current: the event's present times, for what is not said.
    /// - Throws: ``HelixError`` of code `usage` if the phrase and the options contradict each other, or if the event
    ///   would end before it starts.
    init?(
        _ when: PhraseParts, _ options: EventOptions?, current: (start: EventTime, end: EventTime)?,
        _ context: CommandContext
    ) throws {
        var parts = try EventSpan.parts(when, options, current: current, context)
        let isAllDay = parts.isAllDay
        let saysEnd = options?.end != nil || parts.duration != nil
        if parts.saysNoTime && !saysEnd && !isAllDay { return nil }
        let zone = parts.zone ?? context.zone

        func timed(_ civil: CivilDateTime) -> EventTime {
            // An event that has a zone of its own stays on its clock.
            if let current, case .zoned(_, let own) = current.start, !context.isZoneNamed {
                return .zoned(own.civil(zone.instant(civil)), own)
            }
            if let current, case .floating = current.start { return .floating(civil) }
            return EventSpan.keepsZone(zone) ? .zoned(civil, zone) : .utc(zone.instant(civil))
        }
        let currentCivil = current.map { zone.civil($0.start.instant(in: zone)) }
        if let current, current.start.isDate, current.end.civil.date - current.start.civil.date > 1, parts.time != nil,
            !parts.saysEnd, !saysEnd
        {
            throw HelixError(
                .usage, "the event has several whole days, and would keep none of them",
                hint: "Say both: --start 'dec 1 10:00' --end 'dec 3 12:00'.")
        }
        if let shift = parts.shift, shift.seconds != 0, parts.time == nil, current?.start.isDate == true {
            throw HelixError(
                .usage, "the event has whole days, which hours and minutes do not move",
                hint: "Say days, like +1d, or a time of day, like 'fri 10:00'.")
        }
        if let shift = parts.shift, let current {
            let moved = shift.applied(to: current.start.civil)
            let civil = parts.time.map { CivilDateTime(moved.date) + $0 } ?? moved
            start = current.start.at(current.start.isDate ? CivilDateTime(civil.date) : civil)
        } else if let instant = parts.instant {
            start = timed(zone.civil(instant))
        } else if parts.time == nil, isAllDay || (current?.start.isDate ?? (parts.time == nil && currentCivil == nil)) {
            let first = parts.date ?? EventSpan.day(of: parts.period, like: currentCivil) ?? currentCivil?.date
            start = .date(first ?? context.today)
        } else {
            let time = parts.time ?? currentCivil?.secondOfDay ?? 0
            var date =
                parts.date ?? EventSpan.day(of: parts.period, like: currentCivil) ?? currentCivil?.date ?? context.today
            // `12:30` said in the afternoon, or `fri 9:00` on a Friday noon, mean the next one; `today` means today.
            let isPast = zone.instant(CivilDateTime(date) + time) < context.now
            if current == nil, isPast, date == context.today, parts.period == nil {
                if parts.date == nil {
                    date = date + 1
                } else if parts.isWeekday {
                    date = date + 7
                    parts.lastDate = parts.lastDate.map { $0 + 7 }
                }
            }
            start = timed(CivilDateTime(date) + time)
            try EventSpan.refuseSkipped(CivilDateTime(date) + time, zone, context)
        }
        end = start
        end = try EventSpan.end(start, parts, options, current, context)
        if end.instant(in: zone) < start.instant(in: zone) {
            throw HelixError(.usage, "the event would end before it starts", hint: "Say the end with its day.")
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

    /// The day of a week that is named, for something that has a weekday: `week 50` keeps it.
    private static func day(of period: DayPeriod?, like current: CivilDateTime?) -> CivilDate? {
        guard let period, let current, period.end - period.first == 7 else { return period?.first }
        return period.first + current.date.weekday.index(inWeekStartingOn: period.first.weekday)
    }

    /// The phrase and the options as one.
    private static func parts(
        _ when: PhraseParts, _ options: EventOptions?, current: (start: EventTime, end: EventTime)?,
        _ context: CommandContext
    ) throws -> PhraseParts {
        var parts = when
        let dates = context.dates.looking(.ahead)
        func contradiction(_ option: String, _ value: String) -> HelixError {
            HelixError(
                .usage, "the line says \(dates.description(of: when)), and \(option) says '\(value)'",
                hint: "Say it in one of the two.")
        }
        if let start = options?.start {
            // `+1h` is counted from the present start.
            var dates = dates
            dates.readsHours = true
            let said = try current == nil ? dates.when(start) : dates.move(start)
            guard let both = parts.merging(said) else { throw contradiction("--start", start) }
            parts = both
            if said.saysNoTime { throw HelixError(.usage, "cannot read '\(start)' as a date or time") }
            if let repetition = said.repetition {
                throw HelixError(
                    .usage, "--start '\(start)' says that it repeats '\(repetition.phrase)'",
                    hint: "Say the first time with --start, and how it repeats with --repeat.")
            }
        }
        if let end = options?.end, when.saysEnd || parts.saysEnd {
            throw when.saysEnd
                ? contradiction("--end", end)
                : HelixError(.usage, "--start says an end, and so does --end", hint: "Say it in one of the two.")
        }
        if let duration = options?.duration {
            var seconds: Int
            if let current, let sign = duration.first, "+-".contains(sign) {
                // `+30m` is so much longer.
                let change = try dates.duration(String(duration.dropFirst()))
                let length = current.end.instant(in: context.zone) - current.start.instant(in: context.zone)
                seconds = length + (sign == "+" ? change : -change)
                guard seconds > 0 else { throw HelixError(.usage, "the event would end before it starts") }
            } else {
                seconds = try dates.duration(duration)
            }
            guard seconds > 0 else {
                throw HelixError(.usage, "--duration \(duration) leaves no time", hint: "Say 30m.")
            }
            guard !parts.saysEnd || parts.duration == seconds else { throw contradiction("--duration", duration) }
            parts.duration = seconds
        }
        if options?.allDay == true {
            guard parts.time == nil, parts.instant == nil else {
                throw HelixError(
                    .usage, "--all-day is for whole days, but a time is said: \(dates.description(of: parts))",
                    hint: "Leave one of the two out.")
            }
            parts.isAllDay = true
        }
        if let current, parts.isWeekday, let date = parts.date {
            // `fri` said of something next month is the Friday of its week.
            let own = context.zone.civil(current.start.instant(in: context.zone)).date
            let week = own.startOfWeek(on: context.configuration.firstWeekday)
            let near = week + date.weekday.index(inWeekStartingOn: context.configuration.firstWeekday)
            if near >= context.today { parts.date = near }
        }
        if parts.time == nil, parts.instant == nil, current == nil, !parts.isAllDay, let duration = parts.duration,
            duration % 86_400 != 0
        {
            throw HelixError(
                .usage, "it says how long it lasts, but not at what time it starts",
                hint: "Say it like 'tomorrow 9:00 for 45m'.")
        }
        return parts
    }

    /// Refuses a time that no clock shows: 2:30 in the night in which the clocks go from 2:00 to 3:00.
    static func refuseSkipped(_ civil: CivilDateTime, _ zone: Zone, _ context: CommandContext) throws {
        try context.dates.refuseSkipped(civil, in: zone)
    }

    /// Whether calendars elsewhere know the zone by its name.
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
            // `+30m` is counted from the present end.
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
                        .usage, "the event has whole days, and cannot last \(DateWords.text(duration: duration))",
                        hint: "Say the time at which it starts as well, or a length in days.")
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

    /// The end that an option says: of whole days the last one, of a time alone the day of the start.
    private static func end(
        _ start: EventTime, _ text: String, _ zone: Zone, _ context: CommandContext
    ) throws -> EventTime {
        let dates = context.dates.looking(.ahead)
        let early = HelixError(
            .usage, "the event would end before it starts", hint: "Say the end with its day: --end 'sat 8:00'.")
        if case .date(let first) = start {
            guard case .date(let last) = try dates.moment(text) else {
                throw HelixError(
                    .usage, "--end '\(text)' has a time, but the event has whole days",
                    hint: "Say the start with a time, or the last day alone.")
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
            // Only what begins in the afternoon goes on into the night.
            guard civil > begin || begin.hour >= 12 else { throw early }
            if civil <= begin { civil = civil + 86_400 }
            // `--end 12:00` of 12:30 is a slip; `--end 2:00` of 22:00 is a night.
            guard civil - begin <= 14 * 3600 else { throw early }
            return start.at(start.basis == .floating ? civil : start.clock.civil(zone.instant(civil)))
        }
        guard said.time != nil || said.instant != nil else {
            throw HelixError(
                .usage, "the start has a time, but --end '\(text)' has none",
                hint: "Say the end with its time, or use --all-day.")
        }
        let instant = try dates.moment(text).instant(in: zone)
        return start.at(
            start.clock.civil(start.basis == .floating ? Instant(zone.civil(instant).seconds) : instant))
    }
}
