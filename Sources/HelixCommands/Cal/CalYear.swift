import ArgumentParser
import HelixModel
import HelixTerminal

/// `helix cal year`
struct CalYear: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "year", abstract: "Show the busy hours of a year as a heat map.",
        discussion: """
              helix cal year
              helix cal year 2025 --calendar work
            """)

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
        let zone = context.zone
        let found = try context.store().occurrences(
            in: zone.range(from: first, to: first + count), zone: zone,
            calendars: try context.selection(calendars.calendar))
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
        try context.present(YearReport(items: shades, year: year))
    }
}

/// A day of a year.
struct YearDay: ReportItem {
    let date: CivilDate
    /// Seconds, of timed events; two at the same time count twice.
    let busy: Int
    let events: Int

    static let fields = [
        SchemaField("kind", .choice(["day"]), "What the item is."),
        SchemaField("date", .time, "The day."),
        SchemaField("busy", .seconds, "Seconds of busy events; two at the same time count twice."),
        SchemaField("events", .integer, "Events that touch the day."),
        SchemaField("links", .array(.id), "Always empty: a day is no entity."),
    ]

    func json(for viewer: Viewer) -> JSONObject {
        var json = JSONObject()
        json.set("kind", "day")
        json.set("date", ISO8601.text(date))
        json.set("busy", busy)
        json.set("events", events)
        json.set("links", [String]())
        return json
    }
}

/// A heat map: a column a week, a line a weekday.
struct YearReport: Report {
    static let schema = "helix.cal.year/1"
    let items: [YearDay]
    var isTruncated = false
    let year: Int

    func limited(to count: Int) -> YearReport {
        YearReport(items: Array(items.prefix(count)), isTruncated: items.count > count, year: year)
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        canvas.line(StyledText("\(year)  busy hours  ", .bold) + StyledText(viewer.zone.identifier, .dim))
        guard let first = items.first?.date else { return }
        let start = first.startOfWeek(on: viewer.firstWeekday)
        let end = first + items.count
        let weeks = (end - 1 - start) / 7 + 1
        let cell = canvas.width >= 53 * 3 + 6 ? 3 : canvas.width >= 53 * 2 + 6 ? 2 : 1
        let perBlock = min(weeks, max(4, (canvas.width - 5) / cell))
        // Even parts look better than a full one and a rest.
        let blocks = (weeks + perBlock - 1) / perBlock
        let size = (weeks + blocks - 1) / blocks
        for block in 0..<blocks {
            let from = block * size
            drawBlock(block, from: start + from * 7, weeks: min(size, weeks - from), cell: cell, on: &canvas, viewer)
        }
        drawSummary(on: &canvas)
    }

    private func drawBlock(
        _ block: Int, from start: CivilDate, weeks: Int, cell: Int, on canvas: inout Canvas, _ viewer: Viewer
    ) {
        guard let begin = items.first?.date else { return }
        let shown = begin..<(begin + items.count)
        var months = CellGrid(width: 5 + weeks * cell, height: 1)
        for week in 0..<weeks {
            let days = (0..<7).map { start + (week * 7 + $0) }
            if let first = days.first(where: { $0.day == 1 && shown.contains($0) }) {
                // A name that the edge would cut stands at the beginning of the next block.
                if (weeks - week) * cell >= 3 {
                    months.put(DateWords.name(month: first.month), x: 5 + week * cell, y: 0, style: .dim)
                }
            } else if week == 0, block > 0 || shown.lowerBound.day > 1,
                let inside = days.first(where: { shown.contains($0) })
            {
                months.put(DateWords.name(month: inside.month), x: 5, y: 0, style: .dim)
            }
        }
        months.draw(on: &canvas)
        for weekday in 0..<7 {
            var line = StyledText(DateWords.name((start + weekday).weekday).padded(5), .dim)
            for week in 0..<weeks {
                let date = start + (week * 7 + weekday)
                let index = date - begin
                guard items.indices.contains(index) else {
                    line.append(String(repeating: " ", count: cell))
                    continue
                }
                let (sign, style) = YearReport.shade(items[index].busy)
                let shown = date == viewer.today ? TextStyle(.red, bold: true) : style
                line.append(String(repeating: sign, count: max(1, cell - 1)), shown)
                if cell > 1 { line.append(" ") }
            }
            canvas.line(line)
        }
        canvas.line()
    }

    private static func shade(_ busy: Int) -> (String, TextStyle) {
        switch busy {
        case 0: ("·", .dim)
        case ..<7200: ("░", TextStyle(.blue))
        case ..<14_400: ("▒", TextStyle(.blue))
        case ..<21_600: ("▓", TextStyle(.blue))
        default: ("█", TextStyle(.blue, bold: true))
        }
    }

    private func drawSummary(on canvas: inout Canvas) {
        var legend = StyledText("· free  ", .dim)
        for (busy, text) in [(3600, "to 2 h"), (7200, "to 4 h"), (14_400, "to 6 h"), (21_600, "more")] {
            let (sign, style) = YearReport.shade(busy)
            legend.append(sign, style)
            legend.append(" \(text)  ", .dim)
        }
        canvas.line(legend.fitted(canvas.textWidth))
        let total = items.reduce(0) { $0 + $1.busy }
        let busyDays = items.filter { $0.busy > 0 }.count
        if let most = items.max(by: { $0.busy < $1.busy }), most.busy > 0 {
            let line =
                "\(DateWords.text(hours: total)) on \(busyDays) days; "
                + "most on \(DateWords.text(most.date)): \(DateWords.text(hours: most.busy))"
            canvas.paragraph(line)
        }
    }
}
