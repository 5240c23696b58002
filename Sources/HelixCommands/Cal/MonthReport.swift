import HelixModel
import HelixStore
import HelixTerminal

/// A month as a sheet: weeks under each other, with their ISO numbers.
struct MonthReport: Report {
    static let schema = "helix.cal.month/1"
    let items: [OccurrenceItem]
    let isTruncated: Bool
    /// The first day, and the first after the last; mostly those of a month.
    let first: CivilDate
    let end: CivilDate
    /// How many occurrences a day has beside the items, by its number.
    private let further: [Int: Int]
    private let legend: StyledText

    init(items: [OccurrenceItem], first: CivilDate, end: CivilDate, isTruncated: Bool = false) {
        self.items = items
        self.first = first
        self.end = end
        self.isTruncated = isTruncated
        further = [:]
        legend = items.legend()
    }

    /// The sheet for a person, with the items that have a place on it.
    init(_ sheet: MonthSheet, first: CivilDate, end: CivilDate) {
        items = zip(sheet.occurrences, sheet.isInConflict).map { OccurrenceItem(occurrence: $0, isInConflict: $1) }
        self.first = first
        self.end = end
        isTruncated = false
        further = sheet.further
        legend = .legend(sheet.calendars, conflicts: sheet.conflictCount)
    }

    /// How many lines a day has at most on a canvas so wide; where a column is very narrow, how many dots.
    static func lines(in width: Int) -> Int { width >= 120 || isNarrow(width) ? 6 : 4 }

    private static let gutter = 3
    private static func columnWidth(_ width: Int) -> Int { max(4, (width - gutter) / 7) }
    private static func isNarrow(_ width: Int) -> Bool { columnWidth(width) < 8 }

    func limited(to count: Int) -> MonthReport {
        MonthReport(items: Array(items.prefix(count)), first: first, end: end, isTruncated: items.count > count)
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
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
        let isMonth = first.day == 1 && end == first.adding(months: 1)
        let name =
            isMonth
            ? "\(DateWords.fullName(month: first.month)) \(first.year)"
            : "\(DateWords.text(first)) – \(DateWords.text(end - 1))"
        var title = StyledText(name, .bold)
        title.append("  \(viewer.zone.identifier)", .dim)
        canvas.line(title.fitted(canvas.textWidth))
        let gutter = Self.gutter
        let width = Self.columnWidth(canvas.width)
        var head = StyledText("wk ", .dim)
        for offset in 0..<7 {
            let weekday = (monday + offset).weekday
            head.append(
                StyledText(width > 12 ? DateWords.fullName(weekday) : DateWords.name(weekday), .bold).padded(width))
        }
        canvas.line(head)
        // What fits on the screen, but at least two lines of events and as many as the fullest day needs at most.
        let fullest =
            (0..<weeks * 7).map { (monday + $0).dayNumber }
            .map { byDay[$0, default: []].count + further[$0, default: 0] }.max() ?? 0
        let rows = Self.isNarrow(canvas.width) ? 1 : min(max(2, fullest), Self.lines(in: canvas.width))
        for week in 0..<weeks {
            drawWeek(from: monday + week * 7, rows: rows, width: width, gutter: gutter, byDay, on: &canvas, viewer)
        }
        if legend.width > 0 { canvas.line(legend.fitted(canvas.textWidth)) }
        if isTruncated { canvas.line(StyledText("More results: raise --limit.", .dim)) }
    }

    private func drawWeek(
        from monday: CivilDate, rows: Int, width: Int, gutter: Int, _ byDay: [Int: [OccurrenceItem]],
        on canvas: inout Canvas, _ viewer: Viewer
    ) {
        var grid = CellGrid(width: gutter + width * 7, height: rows + 1)
        grid.put(String(repeating: "─", count: gutter + width * 7 - 1), x: 0, y: 0, style: .dim)
        grid.put(ISO8601.padded((monday + 3).week().week, 2), x: 0, y: 0, style: .dim)
        for offset in 0..<7 {
            let date = monday + offset
            let x = gutter + offset * width
            let isInside = date >= first && date < end
            let style =
                date == viewer.today
                ? TextStyle(bold: true, reversed: true) : TextStyle(bold: isInside, dim: !isInside)
            let label =
                date.day == 1 && width > 9 ? " \(date.day) \(DateWords.name(month: date.month)) " : " \(date.day) "
            grid.put(label, x: x, y: 0, limit: width - 1, style: style)
            let found = byDay[date.dayNumber] ?? []
            let count = found.count + further[date.dayNumber, default: 0]
            if width < 8 {
                for (index, item) in found.prefix(width - 1).enumerated() {
                    let isLast = index == width - 2 && count > width - 1
                    grid.put(isLast ? "+" : "•", x: x + index, y: 1, style: item.style)
                }
                continue
            }
            let shown = count > rows ? rows - 1 : count
            for (index, item) in found.prefix(shown).enumerated() {
                draw(item, on: date, isFirstColumn: offset == 0, x: x, y: index + 1, width: width - 1, &grid, viewer)
            }
            if count > shown {
                grid.put("+\(count - shown) more", x: x, y: rows, limit: width - 1, style: .dim)
            }
        }
        grid.draw(on: &canvas)
    }

    private func draw(
        _ item: OccurrenceItem, on date: CivilDate, isFirstColumn: Bool, x: Int, y: Int, width: Int,
        _ grid: inout CellGrid, _ viewer: Viewer
    ) {
        let days = item.occurrence.time.days(in: viewer.zone)
        if days.end - days.first > 1, days.first < date, !isFirstColumn {
            grid.put(String(repeating: "─", count: width), x: x, y: y, limit: width, style: item.style)
            return
        }
        grid.put("▌", x: x, y: y, style: TextStyle(item.occurrence.calendar.color.terminal))
        var text = item.mark + item.label
        if case .timed(let range) = item.occurrence.time, width >= 14, days.first == date {
            text = item.mark + viewer.clock(range.start) + " " + item.label
        }
        grid.put(text, x: x + 1, y: y, limit: width - 1, style: item.style)
    }
}
