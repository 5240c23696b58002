import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix cal year`
struct CalYear: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "year", abstract: "Show a year as a calendar, shaded by busy hours.",
        discussion: """
              helix cal year
              helix cal year 2025 --calendar work
            """)
    static let reports: [PrintedReport] = [.json(YearReport.self)]

    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("The year, or a day in it.", valueName: "date"))
    var date: [String] = []

    @Option(name: .long, help: ArgumentHelp("Number of days to show.", valueName: "n"))
    var days: Int?

    @OptionGroup var calendars: CalendarOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let days, !(1...731).contains(days) { throw ValidationError("--days takes 1 to 731.") }
    }

    func run(in context: CommandContext) throws {
        let day = try context.day(date.plainWords(of: "cal year"), of: .year)
        let year = day.year
        let first = days == nil ? CivilDate(year: year, month: 1, day: 1) : day
        let count = days ?? (CivilDate.isLeap(year) ? 366 : 365)
        try context.present(try context.yearReport(from: first, count: count, calendars: calendars))
    }
}

extension CommandContext {
    /// The busy hours of some days.
    /// - Throws: ``HelixError``.
    func yearReport(from first: CivilDate, count: Int, calendars: CalendarOptions) throws -> YearReport {
        let found = try store().occurrences(
            in: zone.range(from: first, to: first + count), zone: zone,
            calendars: try selection(calendars.calendar))
        var seconds = [Int](repeating: 0, count: count)
        var events = [Int](repeating: 0, count: count)
        for occurrence in found {
            let days = occurrence.time.days(in: zone)
            var day = max(days.first, first)
            while day < min(days.end, first + count) {
                events[day - first] += 1
                if occurrence.isBusy, case .timed(let range) = occurrence.time,
                    let part = range.intersection(zone.range(from: day, to: day + 1))
                {
                    seconds[day - first] += part.duration
                }
                day = day + 1
            }
        }
        let shades = (0..<count).map { YearDay(date: first + $0, busy: seconds[$0], events: events[$0]) }
        return YearReport(items: shades, year: first.year)
    }
}

/// A day of a year.
struct YearDay: DescribedItem {
    let date: CivilDate
    /// The seconds of timed events; overlapping ones count twice.
    let busy: Int
    let events: Int

    static let described = list {
        Field("kind", .choice(["day"]), "The kind of the item.") { _ in "day" }
        Field("date", .time, "The day.") { ISO8601.text($0.date) }
        Field("busy", .seconds, "Seconds of busy events; overlapping ones count twice.") { $0.busy }
        Field("events", .integer, "Number of events on the day.") { $0.events }
        Field("links", .array(.id), "Always empty: a day is not an entity.") { _ in [String]() }
    }

}

/// A calendar of numbers, shaded by busy hours.
struct YearReport: Report {
    static let schema = "helix.cal.year/1"
    let items: [YearDay]
    var isTruncated = false
    let year: Int

    func limited(to count: Int) -> YearReport {
        YearReport(items: Array(items.prefix(count)), isTruncated: items.count > count, year: year)
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        guard let first = items.first?.date, let last = items.last?.date else { return }
        let isYear = first.components.year == last.components.year && items.count > 31
        let span = isYear ? "\(year)" : "\(DateWords.text(first)) – \(DateWords.text(last))"
        canvas.line(StyledText("\(span)  busy hours  ", .bold) + StyledText(viewer.zone.identifier, .dim))
        canvas.line()
        canvas.days(
            items.map(\.date), for: viewer, hasDot: { items[$0].events > 0 },
            level: { YearReport.level(items[$0].busy) })
        drawSummary(on: &canvas)
    }

    /// The shade of a number of seconds: one for each two hours.
    static func level(_ busy: Int) -> Int { busy <= 0 ? 0 : min(DayCalendar.levels, 1 + (busy - 1) / 7200) }

    /// The meaning of each shade.
    static let levelWords = ["", "to 2 h", "to 4 h", "to 6 h", "more"]

    private func drawSummary(on canvas: inout Canvas) {
        let words = ["all day or free"] + YearReport.levelWords.dropFirst()
        canvas.flow(DayCalendar.legend(words))
        let total = items.reduce(0) { $0 + $1.busy }
        let busyDays = items.filter { $0.busy > 0 }.count
        if let most = items.max(by: { $0.busy < $1.busy }), most.busy > 0 {
            let line =
                "\(DateWords.text(hours: total)) on \(busyDays) day\(busyDays == 1 ? "" : "s"); "
                + "most on \(DateWords.text(most.date)): \(DateWords.text(hours: most.busy))"
            canvas.paragraph(line)
        }
    }
}

extension Canvas {
    /// Adds consecutive days as calendars of numbers, a block for each month.
    /// - Parameters:
    ///   - hasDot: whether the day with that place in `days` has a dot where it has no shade.
    ///   - level: its shade, from 0 to ``DayCalendar/levels``.
    mutating func days(
        _ days: [CivilDate], for viewer: Viewer, hasDot: (Int) -> Bool = { _ in false }, level: (Int) -> Int
    ) {
        guard let first = days.first, let last = days.last else { return }
        let isOneYear = first.components.year == last.components.year
        var months: [DayCalendar.Month] = []
        for (place, date) in days.enumerated() {
            if place == 0 || date.day == 1 {
                let name = DateWords.fullName(month: date.month)
                months.append(
                    DayCalendar.Month(
                        title: isOneYear ? name : "\(name) \(date.components.year)",
                        lead: date - date.startOfWeek(on: viewer.firstWeekday), days: []))
            }
            months[months.count - 1].days.append(
                DayCalendar.Day(
                    number: date.day, level: level(place), hasDot: hasDot(place), isToday: date == viewer.today))
        }
        let week = (0..<7).map { DateWords.name(viewer.firstWeekday.advanced(by: $0)) }
        DayCalendar(months, weekdays: week).draw(on: &self)
    }
}
