import ArgumentParser
import HelixCalendar
import HelixModel

/// The options that describe an event, for `add` and `edit`.
struct EventOptions: ParsableArguments {
    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("When it starts.", valueName: "when"))
    var start: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("When it ends; of whole days the last one.", valueName: "when"))
    var end: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("How long it lasts.", valueName: "length"))
    var duration: String?

    @Flag(name: .long, help: "Whole days, without times.")
    var allDay = false

    @Option(name: .long, help: ArgumentHelp("Where; empty removes it.", valueName: "text"))
    var location: String?

    @Option(name: .long, help: ArgumentHelp("What else there is to say; empty removes it.", valueName: "text"))
    var description: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Who is asked: an address or 'Name <address>'; may be repeated.", valueName: "who"))
    var attendee: [String] = []

    @Option(name: .long, help: ArgumentHelp("Remind so long before; may be repeated.", valueName: "length"))
    var alarm: [String] = []

    @Option(name: .long, help: ArgumentHelp("A category; may be repeated.", valueName: "word"))
    var category: [String] = []

    @Option(name: .long, help: "confirmed, tentative or cancelled.")
    var status: EventStatus?

    @Flag(inversion: .prefixedNo, help: "Whether the time stays free.")
    var free: Bool?

    @Option(name: .long, help: ArgumentHelp("A link; empty removes it.", valueName: "address"))
    var url: String?

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp(
            "How it repeats: 'every 2 weeks mon,thu until 2027-03-01', 'last fri of the month', weekdays, never.",
            valueName: "phrase"))
    var repetition: String?

    @Option(name: .long, help: ArgumentHelp("How it repeats, as RFC 5545 writes it.", valueName: "rule"))
    var rrule: String?

    /// None given.
    static var unset: EventOptions {
        var options = EventOptions()
        (options.start, options.end, options.duration, options.allDay) = (nil, nil, nil, false)
        (options.location, options.description, options.url, options.status) = (nil, nil, nil, nil)
        (options.attendee, options.alarm, options.category, options.free) = ([], [], [], nil)
        (options.repetition, options.rrule) = (nil, nil)
        return options
    }

    func validate() throws {
        if end != nil && duration != nil { throw ValidationError("--end and --duration exclude each other.") }
        if repetition != nil && rrule != nil { throw ValidationError("--repeat and --rrule exclude each other.") }
    }

    /// What the options set, times and rule excepted.
    /// - Throws: ``HelixError`` of code `usage`.
    func changes(_ context: CommandContext) throws -> EventChanges {
        var changes = EventChanges()
        changes.location = location
        changes.description = description
        changes.url = url
        changes.status = status
        changes.isOpaque = free.map { !$0 }
        if !category.isEmpty { changes.categories = category.filter { !$0.isEmpty } }
        if !attendee.isEmpty { changes.attendees = try attendee.filter { !$0.isEmpty }.map(EventOptions.person) }
        if !alarm.isEmpty {
            changes.alarms = try alarm.filter { !$0.isEmpty && $0 != "none" }.map { try context.dates.duration($0) }
        }
        return changes
    }

    /// The rule asked for, for an event that starts at `start`; empty text for none.
    /// - Throws: ``HelixError`` of code `usage`.
    func rule(start: EventTime, _ context: CommandContext) throws -> String? {
        if let rrule {
            let text = rrule.uppercased().hasPrefix("RRULE:") ? String(rrule.dropFirst(6)) : rrule
            if text.isEmpty { return "" }
            do throws(RecurrenceRuleError) {
                return try RecurrenceRule(text).text
            } catch {
                throw HelixError(
                    .usage, "'\(rrule)' is no rule: \(error.reason)", hint: "Write it like FREQ=WEEKLY;BYDAY=MO,TH.")
            }
        }
        guard let repetition else { return nil }
        if ["never", "none", "no", ""].contains(repetition.lowercased()) { return "" }
        return try RepeatPhrase.rule(repetition, start: start) { try context.dates.date($0) }.text
    }

    static func person(_ text: String) throws -> Attendee {
        var address = text.trimmingBlanks()
        var name: String?
        if let open = address.lastIndex(of: "<"), address.hasSuffix(">") {
            name = String(address[..<open]).trimmingBlanks()
            address = String(address[address.index(after: open)...].dropLast())
        }
        let sides = address.split(separator: "@", omittingEmptySubsequences: false)
        guard sides.count == 2, sides.allSatisfy({ !$0.isEmpty }),
            !address.contains(where: { $0.isWhitespace || "<>,;:\"".contains($0) })
        else {
            throw HelixError(
                .usage, "'\(text)' is no mail address",
                hint: "Write it like ana@example.com or 'Ana Rossi <ana@example.com>'.")
        }
        return Attendee(address: address.lowercased(), name: name?.isEmpty ?? true ? nil : name)
    }
}

extension EventStatus: ExpressibleByArgument {}

/// Start and end of an event, from what a phrase and options say.
struct EventSpan {
    var start: EventTime
    var end: EventTime
    /// The length in seconds, where the end's reading of the clock comes twice and would not say it.
    var length: Int?

    /// - Parameters:
    ///   - when: what a phrase says.
    ///   - current: the event's present times, for what is not said.
    /// - Throws: ``HelixError`` of code `usage` if nothing says when.
    init?(
        _ when: PhraseParts, _ options: EventOptions?, current: (start: EventTime, end: EventTime)?,
        _ context: CommandContext
    ) throws {
        var parts = when
        let dates = context.dates
        if let start = options?.start {
            let said = dates.event(start)
            guard said.title.isEmpty, said.location == nil, !said.when.isEmpty else {
                _ = try dates.moment(start)
                return nil
            }
            if let date = said.when.date { (parts.date, parts.isWeekday) = (date, said.when.isWeekday) }
            parts.lastDate = said.when.lastDate ?? parts.lastDate
            parts.time = said.when.time ?? parts.time
            parts.instant = said.when.instant ?? parts.instant
            parts.period = said.when.period ?? parts.period
            parts.endTime = said.when.endTime ?? parts.endTime
            if said.when.time == nil, said.when.date == nil, said.when.instant == nil, said.when.period == nil {
                throw HelixError(.usage, "'\(start)' is no date or time")
            }
        }
        if let duration = options?.duration { parts.duration = try dates.duration(duration) }
        if let current, parts.isWeekday, let date = parts.date {
            // `fri` said of something next month is the Friday of its week.
            let own = context.zone.civil(current.start.instant(in: context.zone)).date
            let week = own.startOfWeek(on: context.configuration.firstWeekday)
            let near = week + date.weekday.index(inWeekStartingOn: context.configuration.firstWeekday)
            if near >= context.today { parts.date = near }
        }
        let isAllDay = options?.allDay ?? false
        if parts.time == nil, parts.instant == nil, current == nil, !isAllDay, let duration = parts.duration,
            duration % 86_400 != 0
        {
            throw HelixError(
                .usage, "it says how long it lasts, but not at what time it starts",
                hint: "Say it like 'tomorrow 9:00 for 45m'.")
        }
        let saysEnd = options?.end != nil || parts.duration != nil
        if parts.isEmpty && !saysEnd && !isAllDay { return nil }

        func timed(_ civil: CivilDateTime) -> EventTime {
            // An event that has a zone of its own stays on its clock.
            if let current, case .zoned(_, let zone) = current.start, !context.isZoneNamed {
                return .zoned(zone.civil(context.zone.instant(civil)), zone)
            }
            if let current, case .floating = current.start { return .floating(civil) }
            return EventSpan.keepsZone(context.zone) ? .zoned(civil, context.zone) : .utc(context.zone.instant(civil))
        }
        let currentCivil = current.map { context.zone.civil($0.start.instant(in: context.zone)) }
        if let instant = parts.instant {
            start = timed(context.zone.civil(instant))
        } else if parts.time == nil, isAllDay || (current?.start.isDate ?? (parts.time == nil && currentCivil == nil)) {
            let first = parts.date ?? parts.period?.first ?? currentCivil?.date ?? context.today
            start = .date(first)
        } else {
            let time = parts.time ?? currentCivil?.secondOfDay ?? 0
            var date = parts.date ?? parts.period?.first ?? currentCivil?.date ?? context.today
            // `12:30` said in the afternoon, or `fri 9:00` on a Friday noon, mean the next one; `today` means today.
            let isPast = context.zone.instant(CivilDateTime(date) + time) < context.now
            if current == nil, isPast, date == context.today, parts.period == nil {
                if parts.date == nil { date = date + 1 } else if parts.isWeekday { date = date + 7 }
            }
            start = timed(CivilDateTime(date) + time)
        }
        end = start
        end = try EventSpan.end(start, parts, options, current, context)
        if end.instant(in: context.zone) < start.instant(in: context.zone) {
            throw HelixError(.usage, "the event would end before it starts", hint: "Say the end with its day.")
        }
        if case .zoned = start, options?.end == nil, parts.endTime == nil, parts.lastDate == nil {
            var wanted = parts.duration ?? context.configuration.seconds(.duration)
            if parts.duration == nil, let current, !current.start.isDate {
                wanted = current.end.instant(in: context.zone) - current.start.instant(in: context.zone)
            }
            if end.instant(in: context.zone) - start.instant(in: context.zone) != wanted { length = wanted }
        }
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
        if let text = options?.end {
            if case .date(let first) = start {
                let last = try context.dates.date(text)
                guard last >= first else { throw HelixError(.usage, "the event would end before it starts") }
                return .date(last + 1)
            }
            let said = context.dates.event(text).when
            if let time = said.time, said.date == nil {
                let civil = CivilDateTime(start.civil.date) + time
                return start.at(civil > start.civil ? civil : civil + 86_400)
            }
            let instant = try context.dates.moment(text).instant(in: context.zone)
            return start.at(
                start.clock.civil(start.basis == .floating ? Instant(context.zone.civil(instant).seconds) : instant))
        }
        if case .date(let first) = start {
            if let last = parts.lastDate { return .date(last + 1) }
            if let period = parts.period, parts.date == nil { return .date(period.end) }
            if let duration = parts.duration { return .date(first + max(1, (duration + 86_399) / 86_400)) }
            if let current, current.start.isDate {
                return .date(first + (current.end.civil.date - current.start.civil.date))
            }
            return .date(first + 1)
        }
        if let endTime = parts.endTime {
            let date = parts.lastDate ?? context.zone.civil(start.instant(in: context.zone)).date
            var civil = CivilDateTime(date) + endTime
            let begin = context.zone.civil(start.instant(in: context.zone))
            if civil <= begin { civil = civil + 86_400 }
            return start.at(start.basis == .floating ? civil : start.clock.civil(context.zone.instant(civil)))
        }
        if let last = parts.lastDate, parts.time != nil, parts.duration == nil {
            return start.at(CivilDateTime(last, secondOfDay: 86_340))
        }
        var length = parts.duration ?? context.configuration.seconds(.duration)
        if parts.duration == nil, let current, !current.start.isDate {
            length = current.end.instant(in: context.zone) - current.start.instant(in: context.zone)
        }
        if start.basis == .floating { return start.at(start.civil + length) }
        return start.at(start.clock.civil(start.instant(in: context.zone) + length))
    }
}
