import ArgumentParser
import HelixCalendar
import HelixGraphics
import HelixModel
import HelixStore
import HelixTerminal

/// `helix cal stats`
struct CalStats: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "stats", abstract: "Show calendar statistics.",
        discussion: """
            Counts timed busy events, by default of this month. Overlapping events both count.

              helix cal stats
              helix cal stats 2026 --calendar work
              helix cal stats mon..fri --json
              helix cal stats 2026 --output year.svg
            """)
    static let reports: [PrintedReport] = [.json(StatsReport.self)]

    @Argument(help: ArgumentHelp("The days to count.", valueName: "range"))
    var range: [String] = []

    @OptionGroup var bounds: RangeOptions
    @OptionGroup var calendars: CalendarOptions
    @OptionGroup var charts: ChartOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let month = context.today.startOfMonth
        let phrase = try bounds.range(range, context, of: .month) {
            PhraseRange(start: .date(month), end: .date(month.adding(months: 1)))
        }
        let span = phrase.timeRange(in: context.zone)
        let store = try context.store()
        let found = try store.occurrences(
            in: span, zone: context.zone, calendars: try context.selection(calendars.calendar))
        var stats = CalendarStats(span: span)
        let people = try store.people(of: Set(found.map(\.event)))
        let own = Set(context.configuration.list(.email).map { $0.lowercased() })
        for occurrence in found {
            stats.add(occurrence, people: people[occurrence.event] ?? [], own: own, zone: context.zone)
        }
        stats.conflicts = found.conflicts(policy: context.conflictPolicy).conflicts.count
        try context.present(StatsReport(items: [stats], top: output.limit ?? 10), charts: charts)
        // JSON of one item has no place for what was cut.
        if output.isMachine { context.tellBesides() }
    }
}

/// Hours by calendar, weekday and person.
struct CalendarStats: DescribedItem {
    let span: TimeRange
    var events = 0
    var seconds = 0
    var allDayEvents = 0
    var conflicts = 0
    var byCalendar: [CalendarRef: Int] = [:]
    var byWeekday: [Weekday: Int] = [:]
    var byPerson: [String: Int] = [:]
    var byDay: [CivilDate: Int] = [:]

    init(span: TimeRange) { self.span = span }

    /// Counts the part of an occurrence that is in the span.
    mutating func add(_ occurrence: Occurrence, people: [String], own: Set<String>, zone: Zone) {
        guard occurrence.isBusy else { return }
        guard case .timed(let whole) = occurrence.time, let range = whole.intersection(span) else {
            if occurrence.time.isAllDay { allDayEvents += 1 }
            return
        }
        events += 1
        seconds += range.duration
        byCalendar[occurrence.calendar, default: 0] += range.duration
        var day = zone.date(range.start)
        while zone.startOfDay(day) < range.end {
            if let part = range.intersection(zone.range(from: day, to: day + 1)) {
                byWeekday[day.weekday, default: 0] += part.duration
                byDay[day, default: 0] += part.duration
            }
            day = day + 1
        }
        for person in people where !own.contains(where: { person.lowercased().contains($0) }) {
            byPerson[person, default: 0] += range.duration
        }
    }

    static let described = list {
        Field("start", .time, "The first day counted.") { $1.iso($0.span.start) }
        Field("end", .time, "The day after the last.") { $1.iso($0.span.end) }
        Field("events", .integer, "Busy events with times.") { $0.events }
        Field("all_day_events", .integer, "Busy all-day events; not in the hours.") { $0.allDayEvents }
        Field("seconds", .seconds, "Their total time.") { $0.seconds }
        Field("average", .seconds, "Average duration of an event.") { $0.average }
        Field("conflicts", .integer, "Conflicts among them.") { $0.conflicts }
        Field("busiest_day", .time, required: false, "The day with the most time.") {
            $0.busiest.map { ISO8601.text($0.day) }
        }
        Field("busiest_seconds", .seconds, required: false, "Its time.") { $0.busiest?.seconds }
        share("by_calendar", "Time by calendar.") { ranked($0.byCalendar, \.name).map { ($0.name, $0.seconds) } }
        share("by_weekday", "Time by weekday.") { item in
            Weekday.allCases.compactMap { day in item.byWeekday[day].map { (DateWords.fullName(day), $0) } }
        }
        share("by_person", "Time by attendee, except yourself.") {
            ranked($0.byPerson) { $0 }.map { ($0.name, $0.seconds) }
        }
    }

    /// A field with the time of each group.
    private static func share(
        _ name: String, _ summary: String, _ groups: @escaping @Sendable (CalendarStats) -> [(String, Int)]
    ) -> Field {
        Field(name, listing: groups, summary) {
            ReportField("name", .string, "The name.") { $0.0 }.foreignUnlessWord
            ReportField("seconds", .seconds, "The time.") { $0.1 }
        }
    }

    var busiest: (day: CivilDate, seconds: Int)? {
        byDay.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { ($0.key, $0.value) }
    }

    var average: Int { events == 0 ? 0 : seconds / events }

    static func ranked<Key: Hashable>(_ counts: [Key: Int], _ name: (Key) -> String) -> [(
        name: String, seconds: Int, key: Key
    )] {
        counts.map { (name($0.key), $0.value, $0.key) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    }

}

/// The statistics, with bars.
struct StatsReport: ChartedReport {
    static let schema = "helix.cal.stats/1"
    static let isList = false
    let items: [CalendarStats]
    let top: Int

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        guard let stats = items.first else { return }
        let first = viewer.zone.date(stats.span.start)
        let last = viewer.zone.date(stats.span.end - 1)
        canvas.line(StyledText("\(DateWords.text(first)) – \(DateWords.text(last))", .bold))
        guard stats.events > 0 else {
            canvas.line(StyledText("No timed busy events.", .dim))
            return
        }
        var line = "\(hours(stats.seconds)) in \(stats.events) events, \(hours(stats.average)) on average"
        if stats.allDayEvents > 0 { line += "; \(stats.allDayEvents) all-day" }
        canvas.paragraph(line)
        if let busiest = stats.busiest {
            canvas.line("Busiest: \(DateWords.text(busiest.day)) with \(hours(busiest.seconds))")
        }
        if stats.conflicts > 0 {
            canvas.line(StyledText("\(stats.conflicts) conflict\(stats.conflicts == 1 ? "" : "s")", TextStyle(.yellow)))
        }
        for panel in panels(stats, viewer) { canvas.panel(panel) }
    }

    private func panels(_ stats: CalendarStats, _ viewer: Viewer) -> [ChartPanel] {
        func bars(_ shares: some Sequence<(name: String, seconds: Int, color: TerminalColor)>) -> ChartPanel.Kind {
            .bars(
                shares.map { ChartBar($0.name, value: Double($0.seconds), text: hours($0.seconds), color: $0.color) })
        }
        let calendars = CalendarStats.ranked(stats.byCalendar, \.name).prefix(top)
        let weekdays = (0..<7).map { viewer.firstWeekday.advanced(by: $0) }
        let people = CalendarStats.ranked(stats.byPerson) { $0 }.prefix(top)
        return [
            ChartPanel("By calendar", bars(calendars.map { ($0.name, $0.seconds, $0.key.color.terminal) })),
            ChartPanel(
                "By weekday", bars(weekdays.map { (DateWords.fullName($0), stats.byWeekday[$0] ?? 0, .blue) })),
        ] + (people.isEmpty ? [] : [ChartPanel("By person", bars(people.map { ($0.name, $0.seconds, .green) }))])
    }

    func charts(for viewer: Viewer) -> ChartPage {
        guard let stats = items.first else { return ChartPage("Calendar", panels: []) }
        let first = viewer.zone.date(stats.span.start)
        let last = viewer.zone.date(stats.span.end - 1)
        let days = "\(DateWords.text(first)) – \(DateWords.text(last))"
        guard stats.events > 0 else {
            return ChartPage("Calendar", subtitle: days + ". No timed busy events.", panels: [])
        }
        let byDay = ChartDays(from: first, to: last).panel(.seconds, viewer) { stats.byDay[$0] ?? 0 }
        return ChartPage(
            "Calendar",
            subtitle: "\(days). \(hours(stats.seconds)) in \(stats.events) event\(stats.events == 1 ? "" : "s"), "
                + "\(stats.conflicts) conflict\(stats.conflicts == 1 ? "" : "s")",
            panels: byDay + panels(stats, viewer))
    }

    private func hours(_ seconds: Int) -> String { DateWords.text(hours: seconds) }
}
