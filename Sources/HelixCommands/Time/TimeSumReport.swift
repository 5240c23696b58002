import HelixGraphics
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// A total of time in a report.
struct TimeSumItem: DescribedItem {
    let name: String
    let date: CivilDate?
    let task: EntityID?
    /// The total in seconds.
    let seconds: Int
    let billable: Int
    let planned: Int?
    /// The part of the total that begins after now, in seconds.
    let ahead: Int
    /// The outer group: the name of a project, a day.
    var group: String?
    /// The day of the outer group.
    var groupDate: CivilDate?

    static let described = list {
        Field("kind", .choice(["time"]), "The kind of item.") { _ in "time" }
        Field("name", .string, "The group's name, or the day.") { $0.name }.foreignUnlessWord
        Field("group", .string, required: false, "The outer group's name or day, with two fields.") { $0.group }
            .foreignUnlessWord
        Field("date", .time, required: false, "The day.") { item in
            item.date.map { ISO8601.text($0) }
        }
        Field("seconds", .seconds, "Total time in seconds.") { $0.seconds }
        Field("billable", .seconds, "Billable part of it, in seconds.") { $0.billable }
        Field("ahead", .seconds, "Part of the total that is planned, since it begins after now, in seconds.") {
            $0.ahead
        }
        Field("planned", .seconds, required: false, "Planned time, from the calendar or the estimate, in seconds.") {
            $0.planned
        }
        Field("links", .array(.id), "The task's identity.") { item in
            item.task.map { [$0.text] } ?? []
        }
    }

}

/// A report of totals with bars.
struct TimeSumReport: ChartedReport {
    static let schema = "helix.time.report/1"
    let items: [TimeSumItem]
    let by: TimeGroupings
    let span: TimeRange
    let isRounded: Bool

    /// The totals as CSV, one per line, with decimal hours.
    var csv: String {
        func column(_ field: TimeGrouping) -> String { field == .day ? "date" : field.rawValue }
        let first = by.outer.map { column($0) + "," } ?? ""
        var lines = ["\(first)\(column(by.inner)),hours,seconds,billable_seconds,planned_seconds"]
        for item in items {
            let name = item.date.map { ISO8601.text($0) } ?? item.name
            let fields =
                (item.group.map { [$0] } ?? []) + [
                    name, ProjectHours.decimal(item.seconds), "\(item.seconds)", "\(item.billable)",
                    item.planned.map { "\($0)" } ?? "",
                ]
            lines.append(fields.map(CSVField.text).joined(separator: ","))
        }
        return lines.map { $0 + "\r\n" }.joined()
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        canvas.flow([
            StyledText("Time by \((by.outer.map { "\($0.rawValue), " } ?? "") + by.inner.rawValue)", .bold),
            StyledText(days(viewer), .dim),
        ])
        if items.isEmpty {
            canvas.line(StyledText("No time was tracked.", .dim))
            return
        }
        if !drawCalendar(on: &canvas, viewer) { canvas.bars(bars, indent: by.outer == nil ? 0 : 2) }
        // Time with several tags counts more than once, so there is no sum of tags.
        if by.inner != .tag, by.outer != .tag { drawSums(on: &canvas) }
    }

    /// Draws the days of many weeks as a calendar: a bar for each would fill pages.
    /// - Returns: false where the report has other sums, or few days, or years of them.
    private func drawCalendar(on canvas: inout Canvas, _ viewer: Viewer) -> Bool {
        let dates = items.compactMap(\.date)
        guard by.inner == .day, by.outer == nil, let first = dates.min(), let last = dates.max(), last - first >= 62,
            last - first <= 370
        else { return false }
        var seconds: [CivilDate: Int] = [:]
        for item in items { item.date.map { seconds[$0] = item.seconds } }
        let start = first.startOfMonth
        let days = (0..<(last.startOfMonth.adding(months: 1) - start)).map { start + $0 }
        canvas.line()
        canvas.days(days, for: viewer) { YearReport.level(seconds[days[$0]] ?? 0) }
        canvas.flow(DayCalendar.legend(YearReport.levelWords))
        return true
    }

    /// A bar for each total, under a heading for each outer group.
    private var bars: [ChartBar] {
        var group: String?
        return items.map { item in
            var heading: ChartHeading?
            if let name = item.group, name != group {
                let sum = items.reduce(0) { $0 + ($1.group == name ? $1.seconds : 0) }
                heading = ChartHeading(
                    item.groupDate.map { DateWords.text($0) } ?? name, text: DateWords.text(hours: sum))
                group = name
            }
            let label =
                item.date.map { "\(DateWords.name($0.weekday)) \($0.day) \(DateWords.name(month: $0.month))" }
                ?? item.name
            var text = item.seconds > 0 ? DateWords.text(hours: item.seconds) : "–"
            if let planned = item.planned { text += " of \(DateWords.text(hours: planned))" }
            let isOver = by.inner == .task && item.planned.map { item.seconds > $0 } ?? false
            return ChartBar(
                label, value: Double(item.seconds), text: text,
                color: isOver ? .red : item.billable > 0 ? .green : .blue, heading: heading)
        }
    }

    func charts(for viewer: Viewer) -> ChartPage {
        let words = (by.outer.map { "\($0.rawValue), " } ?? "") + by.inner.rawValue
        let total = items.reduce(0) { $0 + $1.seconds }
        let parts = [
            ("billable", items.reduce(0) { $0 + $1.billable }), ("still to come", items.reduce(0) { $0 + $1.ahead }),
        ]
        let shares = parts.filter { $0.1 > 0 }.map { ", \(DateWords.text(hours: $0.1)) \($0.0)" }.joined()
        // Time with several tags counts more than once.
        let sum = by.inner == .tag || by.outer == .tag ? "" : ". \(DateWords.text(hours: total)) in total\(shares)"
        let page = { (panels: [ChartPanel]) in
            ChartPage(
                "Time by \(words)", subtitle: days(viewer) + (total == 0 ? ". No time was tracked." : sum),
                panels: panels)
        }
        let dates = items.compactMap(\.date)
        guard by.inner == .day, by.outer == nil, let first = dates.min(), let last = dates.max() else {
            return page(items.isEmpty ? [] : [ChartPanel("", .bars(bars))])
        }
        let byDay = Dictionary(items.compactMap { item in item.date.map { ($0, item) } }) { first, _ in first }
        // The days of the report, unless it is about all time.
        let asked = (viewer.zone.date(span.start), viewer.zone.date(span.end - 1))
        let shown = asked.1 - asked.0 > 3660 ? (first, last) : asked
        if shown.0 == shown.1 { return page([ChartPanel("", .bars(bars))]) }
        let chart = ChartDays(from: shown.0, to: shown.1)
        let series: [(String, TerminalColor, (CivilDate) -> Int)] = [
            ("billable", .green, { byDay[$0]?.billable ?? 0 }),
            ("not billable", .blue, { day in byDay[day].map { $0.seconds - $0.billable } ?? 0 }),
        ]
        var panels = total > 0 ? chart.panel(series, .seconds, viewer) : []
        if items.contains(where: { $0.planned ?? 0 > 0 }) {
            panels += chart.panel(.seconds, viewer) { byDay[$0]?.planned ?? 0 }.map {
                ChartPanel("In the calendar", $0.kind)
            }
        }
        return page(panels)
    }

    /// The days of the report, in words.
    private func days(_ viewer: Viewer) -> String {
        let first = viewer.zone.date(span.start)
        let last = viewer.zone.date(span.end - 1)
        return last - first > 100_000 ? "all time" : "\(DateWords.text(first)) – \(DateWords.text(last))"
    }

    private func drawSums(on canvas: inout Canvas) {
        let total = items.reduce(0) { $0 + $1.seconds }
        let billable = items.reduce(0) { $0 + $1.billable }
        var sums = [StyledText("Total \(DateWords.text(hours: total))", .bold)]
        if billable > 0 {
            sums.append(StyledText("\(DateWords.text(hours: billable)) billable", TextStyle(.green)))
        }
        if by.inner == .day, by.outer == nil, items.contains(where: { $0.planned != nil }) {
            let planned = items.reduce(0) { $0 + ($1.planned ?? 0) }
            sums.append(StyledText("\(DateWords.text(hours: planned)) in the calendar", .dim))
        }
        let ahead = items.reduce(0) { $0 + $1.ahead }
        if ahead > 0 {
            sums.append(StyledText("\(DateWords.text(hours: ahead)) of it still to come", TextStyle(.yellow)))
        }
        if isRounded { sums.append(StyledText("rounded", .dim)) }
        canvas.flow(sums)
    }
}
