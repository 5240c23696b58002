import HelixModel
import HelixStore
import HelixTerminal

/// A month as a sheet: one week per row, with ISO week numbers.
struct MonthReport: Report {
    static let schema = "helix.cal.month/1"
    let items: [OccurrenceItem]
    let isTruncated: Bool
    /// The first day; usually the first of a month.
    let first: CivilDate
    let end: CivilDate
    /// The number of occurrences beside the items, by day number.
    private let further: [Int: Int]
    private let legend: StyledText
    /// The chosen day, on a full screen.
    var chosenDay: CivilDate?

    init(items: [OccurrenceItem], first: CivilDate, end: CivilDate, isTruncated: Bool = false) {
        self.items = items
        self.first = first
        self.end = end
        self.isTruncated = isTruncated
        further = [:]
        legend = items.legend()
    }

    /// Creates the sheet for a person, with the items that fit on it.
    init(_ sheet: MonthSheet, first: CivilDate, end: CivilDate) {
        items = zip(sheet.occurrences, sheet.isInConflict).map { OccurrenceItem(occurrence: $0, isInConflict: $1) }
        self.first = first
        self.end = end
        isTruncated = false
        further = sheet.further
        legend = .legend(sheet.calendars, conflicts: sheet.conflictCount)
    }

    /// The maximum number of lines of a day on a canvas of this width; in very narrow columns, of dots.
    static func lines(in width: Int) -> Int { width >= 120 || isNarrow(width) ? 6 : 4 }

    private static let gutter = 3
    private static func columnWidth(_ width: Int) -> Int { max(4, (width - gutter) / 7) }
    private static func isNarrow(_ width: Int) -> Bool { columnWidth(width) < 8 }

    func limited(to count: Int) -> MonthReport {
        MonthReport(items: Array(items.prefix(count)), first: first, end: end, isTruncated: items.count > count)
    }

    /// The places of events in the weeks.
    private struct Plan {
        var weeks: [MonthWeek]
        var byDay: [Int: [OccurrenceItem]] = [:]
        /// The lines of each week below that of its dates.
        var rows: Int
    }

    private func plan(width: Int, _ viewer: Viewer) -> Plan {
        let monday = first.startOfWeek(on: viewer.firstWeekday)
        let weeks = (end - 1 - monday) / 7 + 1
        var byDay: [Int: [OccurrenceItem]] = [:]
        for item in items {
            let days = item.occurrence.time.days(in: viewer.zone)
            var day = max(days.first, monday)
            while day < min(days.end, monday + weeks * 7) {
                byDay[day.dayNumber, default: []].append(item)
                day = day + 1
            }
        }
        let lines = Self.lines(in: width)
        let plans = (0..<weeks).map { MonthWeek(from: monday + $0 * 7, byDay, further, lines: lines, viewer.zone) }
        // As many lines as the fullest week needs, but at least two.
        let rows = Self.isNarrow(width) ? 1 : max(2, min(lines, plans.map(\.height).max() ?? 0))
        return Plan(weeks: plans, byDay: byDay, rows: rows)
    }

    /// The lines above the weeks: the title and the names of the days.
    static let headHeight = 2

    /// The lines of each week.
    func weekHeight(width: Int, _ viewer: Viewer) -> Int { plan(width: width, viewer).rows + 1 }

    /// The day at a place of a drawing of some width; nil outside of the weeks.
    func day(x: Int, y: Int, width: Int, _ viewer: Viewer) -> CivilDate? {
        let plan = plan(width: width, viewer)
        let (column, line) = (x - Self.gutter, y - Self.headHeight)
        guard column >= 0, line >= 0, column / Self.columnWidth(width) < 7, line / (plan.rows + 1) < plan.weeks.count
        else { return nil }
        return plan.weeks[line / (plan.rows + 1)].monday + column / Self.columnWidth(width)
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        let isMonth = first.day == 1 && end == first.adding(months: 1)
        let name =
            isMonth
            ? "\(DateWords.fullName(month: first.month)) \(first.year)"
            : "\(DateWords.text(first)) – \(DateWords.text(end - 1))"
        var title = StyledText(name, .bold)
        title.append("  \(viewer.zone.identifier)", .dim)
        canvas.line(title.fitted(canvas.textWidth))
        let width = Self.columnWidth(canvas.width)
        var head = StyledText("wk ", .dim)
        for offset in 0..<7 {
            let weekday = (first.startOfWeek(on: viewer.firstWeekday) + offset).weekday
            head.append(
                StyledText(width > 12 ? DateWords.fullName(weekday) : DateWords.name(weekday), .bold).padded(width))
        }
        canvas.line(head)
        let plan = plan(width: canvas.width, viewer)
        for week in plan.weeks { draw(week, rows: plan.rows, width: width, plan.byDay, on: &canvas, viewer) }
        if legend.width > 0 { canvas.line(legend.fitted(canvas.textWidth)) }
        if isTruncated { canvas.line(StyledText("More results: raise --limit.", .dim)) }
    }

    private func draw(
        _ week: MonthWeek, rows: Int, width: Int, _ byDay: [Int: [OccurrenceItem]], on canvas: inout Canvas,
        _ viewer: Viewer
    ) {
        let gutter = Self.gutter
        var grid = CellGrid(width: gutter + width * 7, height: rows + 1)
        grid.put(String(repeating: "─", count: gutter + width * 7 - 1), x: 0, y: 0, style: .dim)
        grid.put(ISO8601.padded((week.monday + 3).week().week, 2), x: 0, y: 0, style: .dim)
        for offset in 0..<7 {
            let date = week.monday + offset
            let x = gutter + offset * width
            let isInside = date >= first && date < end
            let style =
                date == viewer.today
                ? TextStyle(bold: true, reversed: true) : TextStyle(bold: isInside, dim: !isInside)
            let label =
                date.day == 1 && width > 9 ? " \(date.day) \(DateWords.name(month: date.month)) " : " \(date.day) "
            grid.put(label, x: x, y: 0, limit: width - 1, style: style)
            if date == chosenDay {
                grid.put("▸", x: x, y: 0, style: .bold)
                grid.lay(.selection, x: x, y: 0, width: width - 1)
            }
            if width < 8 {
                let found = byDay[date.dayNumber] ?? []
                let count = found.count + further[date.dayNumber, default: 0]
                for (index, item) in found.prefix(width - 1).enumerated() {
                    let isLast = index == width - 2 && count > width - 1
                    grid.put(isLast ? "+" : "•", x: x + index, y: 1, style: item.style)
                }
            } else if week.hidden[offset] > 0 {
                grid.put("+\(week.hidden[offset]) more", x: x, y: rows, limit: width - 1, style: .dim)
            }
        }
        if width >= 8 {
            for bar in week.bars { draw(bar, of: week, width: width, &grid, viewer) }
        }
        grid.draw(on: &canvas)
    }

    private func draw(_ bar: MonthWeek.Bar, of week: MonthWeek, width: Int, _ grid: inout CellGrid, _ viewer: Viewer) {
        let item = bar.item
        let days = item.occurrence.time.days(in: viewer.zone)
        let (from, to) = (week.monday + bar.columns.lowerBound, week.monday + bar.columns.upperBound)
        let room = bar.columns.count * width - 1
        var text = item.mark + item.label
        if case .timed(let range) = item.occurrence.time, room >= 13, days.first == from {
            let timed = item.mark + viewer.clock(range.start) + " " + item.label
            // The title is worth more than its hour, where only one of them fits.
            if TextWidth.of(timed) < room || TextWidth.of(text) >= room { text = timed }
        }
        grid.putBar(
            text, x: Self.gutter + bar.columns.lowerBound * width, y: bar.lane + 1, width: room,
            fills: bar.columns.count > 1, comesFromBefore: days.first < from, goesOn: days.end > to, style: item.style,
            edge: TextStyle(item.occurrence.calendar.color.terminal))
    }
}
