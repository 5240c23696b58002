import HelixCalendar
import HelixModel
import HelixTerminal

/// Occurrences as a list by day.
struct AgendaReport: Report {
    static let schema = "helix.cal.agenda/1"
    let items: [OccurrenceItem]
    let isTruncated: Bool
    let first: CivilDate
    let dayCount: Int
    let showsEmptyDays: Bool
    /// Tasks, listed on the days on which they are due.
    var tasks: [TaskItem] = []

    init(
        items: [OccurrenceItem], first: CivilDate, dayCount: Int, showsEmptyDays: Bool = false,
        isTruncated: Bool = false
    ) {
        self.items = items
        self.first = first
        self.dayCount = dayCount
        self.showsEmptyDays = showsEmptyDays
        self.isTruncated = isTruncated
    }

    func limited(to count: Int) -> AgendaReport {
        var copy = AgendaReport(
            items: Array(items.prefix(count)), first: first, dayCount: dayCount, showsEmptyDays: showsEmptyDays,
            isTruncated: items.count > count)
        copy.tasks = tasks
        return copy
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty && tasks.isEmpty {
            let last = first + (dayCount - 1)
            let span = dayCount == 1 ? viewer.day(first) : "\(DateWords.text(first)) – \(DateWords.text(last))"
            canvas.paragraph("No events: \(span).", style: .dim)
            return
        }
        drawDays(on: &canvas, for: viewer)
        if !listsAllDays(for: viewer) {
            canvas.line()
            canvas.paragraph(
                "Events of more than \(AgendaReport.longEvent) days are listed on their first days only.", style: .dim)
        }
        let legend = items.legend()
        if legend.width > 0 {
            canvas.line()
            canvas.line(legend.fitted(canvas.textWidth))
        }
        if isTruncated { canvas.line(StyledText("More results: raise --limit.", .dim)) }
    }

    func drawDays(on canvas: inout Canvas, for viewer: Viewer) {
        // Indices into the list: the items themselves are large.
        var byDay: [Int: [Int]] = [:]
        let listsAllDays = listsAllDays(for: viewer)
        for (place, item) in items.enumerated() {
            let days = item.occurrence.time.days(in: viewer.zone)
            let from = max(days.first, first)
            let to = min(days.end, first + dayCount)
            // A very long event is listed on the days of the view only.
            var day = from
            while day < (listsAllDays ? to : min(to, from + AgendaReport.longEvent)) {
                byDay[day.dayNumber, default: []].append(place)
                day = day + 1
            }
        }
        let due = Dictionary(grouping: tasks) { $0.task.due?.date(in: viewer.zone).dayNumber ?? 0 }
        let days =
            showsEmptyDays ? (0..<dayCount).map { first.dayNumber + $0 } : Set(byDay.keys).union(due.keys).sorted()
        let wide = canvas.width >= 60
        var table = Table([.init(), .init(), .init(minimum: 8), .init(minimum: 6), .init(minimum: 4)])
        for number in days {
            let date = CivilDate(dayNumber: number)
            if number != days.first { table.heading("") }
            let style = date == viewer.today ? TextStyle(.cyan, bold: true) : .bold
            table.heading(StyledText(viewer.day(date), style))
            for place in byDay[number] ?? [] {
                let item = items[place]
                var title = StyledText(item.mark, TextStyle(.red, bold: true))
                title.append(item.label, item.style)
                if item.occurrence.isRecurring { title.append(" ↻", .dim) }
                table.row([
                    StyledText(viewer.short(item.occurrence.event), .dim), StyledText(hours(item, on: date, viewer)),
                    title,
                    StyledText(wide ? item.occurrence.location ?? "" : "", .dim),
                    StyledText(
                        wide ? item.occurrence.calendar.name : "", TextStyle(item.occurrence.calendar.color.terminal)),
                ])
            }
            for task in due[number] ?? [] {
                var hour: StyledText = "due"
                if case .moment(let instant)? = task.task.due { hour = StyledText("due " + viewer.clock(instant)) }
                table.row([
                    StyledText(viewer.short(task.task.id), .dim), hour, StyledText("☐ ") + task.headline(viewer), "",
                    StyledText(wide ? task.details.project ?? "" : "", TextStyle(.blue)),
                ])
            }
            if byDay[number] == nil && due[number] == nil { table.heading(StyledText("  –", .dim)) }
        }
        table.draw(on: &canvas, indent: wide ? 2 : 1)
    }

    /// The maximum number of days of an event that a very long list shows.
    private static let longEvent = 7
    /// The number of lines above which long events are no longer listed on all their days: a view of 30 years would take
    /// gigabytes.
    private static let mostLines = 20_000

    /// Whether events are listed on each of their days.
    func listsAllDays(for viewer: Viewer) -> Bool {
        var lines = 0
        for item in items {
            let days = item.occurrence.time.days(in: viewer.zone)
            lines += max(0, min(days.end, first + dayCount) - max(days.first, first))
            if lines > AgendaReport.mostLines { return false }
        }
        return true
    }

    private func hours(_ item: OccurrenceItem, on date: CivilDate, _ viewer: Viewer) -> String {
        guard case .timed(let range) = item.occurrence.time else { return "all day" }
        let start = viewer.zone.civil(range.start)
        let end = viewer.zone.civil(range.end)
        if range.duration <= 0 { return viewer.clock(start.secondOfDay) }
        let endsHere = end.date == date || end.date == date + 1 && end.secondOfDay == 0
        if start.date != date && !endsHere { return "all day" }
        var hours = start.date == date ? viewer.clock(start.secondOfDay) : "…"
        hours += "–"
        hours += endsHere ? viewer.clock(end.date == date ? end.secondOfDay : 86_400) : "…"
        return hours
    }
}
