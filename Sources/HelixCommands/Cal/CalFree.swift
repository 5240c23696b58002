import ArgumentParser
import HelixCalendar
import HelixMail
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// `helix cal free`
struct CalFree: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "free", abstract: "Find free time.",
        discussion: """
            Searches your working hours of the next seven days by default, in all visible calendars.

              helix cal free --duration 30m
              helix cal free next week --duration 2h --hours 9-12 --days mon-thu
              helix cal free tomorrow --buffer 10m --tz America/New_York
              helix cal free next week --with bo@example.org
            """)
    static let reports: [PrintedReport] = [.json(FreeReport.self)]

    @Argument(help: ArgumentHelp("The days to search.", valueName: "range"))
    var range: [String] = []

    @Option(name: .long, help: ArgumentHelp("Required duration: 30m.", valueName: "length"))
    var duration: String?

    @Option(name: .long, help: ArgumentHelp("Hours of the day to consider.", valueName: "9-17"))
    var hours: String?

    @Option(name: .long, help: ArgumentHelp("Days of the week to consider.", valueName: "mon-fri"))
    var days: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Time to keep free before and after events.", valueName: "length"))
    var buffer: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Person who must be free as well, according to the calendar server; may be repeated.",
            valueName: "address"))
    var with: [String] = []

    @OptionGroup var bounds: RangeOptions
    @OptionGroup var calendars: CalendarOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let today = context.today
        // `next week 2h`: the required duration is the last word.
        let said = try range.last.flatMap { word -> String? in
            guard range.count > 1 || bounds.isGiven, let seconds = try? context.dates.duration(word), seconds < 86_400
            else {
                return nil
            }
            if let duration {
                throw HelixError(
                    .usage, "two durations: '\(word)', and --duration '\(duration)'", hint: "Remove one of the two.")
            }
            return word
        }
        let words = said == nil ? range : Array(range.dropLast())
        let phrase = try bounds.range(words, context) {
            PhraseRange(start: .date(today), end: .date(today + 7))
        }
        var span = phrase.timeRange(in: context.zone)
        // Past time is not free: it begins at the next full five minutes.
        span.start = max(span.start, Instant((context.now.seconds + 299) / 300 * 300))
        let length = try context.dates.duration(duration ?? said ?? "30m")
        guard length > 0 else { throw HelixError(.usage, "invalid duration '\(duration ?? said ?? "")'") }
        var slots = try context.freeSlots(
            in: span, duration: length, hours: hours, days: days, buffer: buffer,
            calendars: calendars.calendar)
        if !with.isEmpty { slots = try context.withoutBusyTimes(of: with, slots, span, atLeast: length) }
        let shown = slots.prefix(context.listLimit(20))
        try context.present(
            FreeReport(
                items: shown.map { FreeItem(range: $0) }, isTruncated: slots.count > shown.count, duration: length,
                reason: slots.isEmpty ? try context.reasonForNothing(in: span, hours: hours, days: days) : nil))
    }
}

extension CommandContext {
    /// The working hours from the options or settings.
    /// - Throws: ``HelixError`` of code `usage`.
    private func workingHours(_ hours: String?, _ days: String?) throws -> WorkingHours {
        let (start, end) = try hours.map { try dates.hours($0) } ?? configuration.hours
        let weekdays = try days.map { try dates.weekdays($0) } ?? configuration.days
        return WorkingHours(start: start, end: end, weekdays: weekdays)
    }

    /// The reason why there is no free time, if the span has no working hours.
    /// - Throws: ``HelixError`` of code `usage`.
    fileprivate func reasonForNothing(in span: TimeRange, hours: String?, days: String?) throws -> String? {
        let working = try workingHours(hours, days)
        guard span.start >= span.end || working.windows(in: span, zone: zone).isEmpty else { return nil }
        if span.start >= span.end { return "the range is in the past." }
        let names = Weekday.allCases.filter { working.weekdays.contains($0) }.map { DateWords.name($0) }
        return "no working hours in this range. They are \(names.joined(separator: ", ")) from "
            + "\(viewer.clock(working.start)) to \(viewer.clock(working.end)); change them with --days and --hours, or the "
            + "settings calendar.days and calendar.hours."
    }

    /// Free time minus the busy times of other people.
    /// - Throws: ``HelixError``.
    fileprivate func withoutBusyTimes(
        of people: [String], _ slots: [TimeRange], _ span: TimeRange, atLeast length: Int
    ) throws -> [TimeRange] {
        let addresses = try people.flatMap { try self.addresses($0) }.map { $0.address.lowercased() }
        let accounts = try store().accounts().filter { account in
            try account.kind == .caldav && store().remoteCalendars(account).contains { $0.schedules == true }
        }
        guard let account = accounts.first else {
            throw HelixError(
                .notFound, "no account has a server that provides the busy times of others (RFC 6638)",
                hint: "helix account add NAME caldav https://…; 'helix sync NAME --full' checks an existing one.")
        }
        let busy = try BusyTimes.of(addresses, in: span, account: account, own: ownAddresses.map(\.address))
            .values.flatMap { $0 }.sorted { $0.start < $1.start }
        return slots.flatMap { slot -> [TimeRange] in
            var rest: [TimeRange] = []
            var start = slot.start
            for other in busy where other.end > start && other.start < slot.end {
                if other.start > start { rest.append(TimeRange(start: start, end: other.start)) }
                start = max(start, other.end)
            }
            if start < slot.end { rest.append(TimeRange(start: start, end: slot.end)) }
            return rest.filter { $0.duration >= length }
        }
    }

    /// The free time slots within working hours.
    /// - Throws: ``HelixError``.
    func freeSlots(
        in span: TimeRange, duration: Int, hours: String? = nil, days: String? = nil, buffer: String? = nil,
        calendars: [String] = [], near known: [Occurrence]? = nil
    ) throws -> [TimeRange] {
        guard span.start < span.end else { return [] }
        let working = try workingHours(hours, days)
        let gap = try buffer.map { try dates.duration($0) } ?? configuration.seconds(.conflictsBuffer)
        let busy = try known ?? near(span, calendars)
        let slots = FreeTime.slots(
            in: working.windows(in: span, zone: zone), busy: busy, duration: duration, buffer: gap,
            policy: conflictPolicy)
        // Time that could not be checked is not offered.
        let unknown = try store().unlisted.map(\.range)
        if unknown.isEmpty { return slots }
        return slots.compactMap { slot in
            let end = unknown.filter { $0.end > slot.start }.map(\.start).min() ?? slot.end
            let known = TimeRange(start: slot.start, end: min(slot.end, end))
            return known.duration >= duration ? known : nil
        }
    }

    /// The occurrences in a range and a day before and after it, whose travel and buffers may reach into it.
    func near(_ span: TimeRange, _ calendars: [String] = []) throws -> [Occurrence] {
        let around = TimeRange(start: span.start - 86_400, end: span.end + 86_400)
        return try store().occurrences(in: around, zone: zone, calendars: try selection(calendars))
    }
}

/// A free time slot.
struct FreeItem: DescribedItem {
    let range: TimeRange

    static let described = list {
        Field("kind", .choice(["free"]), "The kind of the item.") { _ in "free" }
        Field("start", .time, "Start.") { $1.iso($0.range.start) }
        Field("end", .time, "End.") { $1.iso($0.range.end) }
        Field("seconds", .seconds, "Duration.") { $0.range.duration }
        Field("links", .array(.id), "Always empty: free time is not an entity.") { _ in [String]() }
    }

}

/// Free time in a range.
struct FreeReport: CuttableReport {
    static let schema = "helix.cal.free/1"
    var items: [FreeItem]
    var isTruncated: Bool
    let duration: Int
    /// The reason why nothing is free, if it is not that all time is busy.
    var reason: String?

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty {
            let reason = reason.map { ": " + $0 } ?? " there."
            canvas.paragraph("No free time of \(DateWords.text(duration: duration))\(reason)", style: .dim)
        }
        var table = Table([.init(minimum: 10), .init(), .init(right: true)])
        var day: CivilDate?
        for item in items {
            let date = viewer.zone.date(item.range.start)
            table.row([
                StyledText(date == day ? "" : viewer.day(date), .bold),
                StyledText(viewer.clock(item.range.start) + "–" + viewer.clock(item.range.end), TextStyle(.green)),
                StyledText(DateWords.text(duration: item.range.duration), .dim),
            ])
            day = date
        }
        table.draw(on: &canvas)
        if isTruncated { canvas.line(StyledText("More results: raise --limit.", .dim)) }
    }
}
