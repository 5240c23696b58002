import HelixCalendar
import HelixModel
import HelixTerminal

extension CalendarPlace {
    /// The report of the days, as `helix cal week` and `helix cal day` have it.
    private var report: WeekReport {
        let (first, count) = span
        var report = WeekReport(items: shownItems, first: first, dayCount: count, hours: hours)
        report.chosen = moving?.index ?? chosen
        report.lineLimit = height - 2
        report.otherZones = otherZones
        return report
    }

    private var viewer: Viewer {
        Viewer(
            now: zone.startOfDay(today), zone: zone, homeZone: zone, firstWeekday: firstWeekday, usesTwelveHours: false)
    }

    /// The days that are drawn: a narrow screen has one day below the other, of which the chosen one is shown.
    private var drawnReport: WeekReport {
        let report = report
        guard report.isList(in: width) else { return report }
        var single = WeekReport(
            items: report.items, first: day, dayCount: 1, hours: hours, isTruncated: report.isTruncated)
        (single.chosen, single.lineLimit, single.otherZones) = (report.chosen, report.lineLimit, otherZones)
        return single
    }

    /// The part of the hours under the mouse.
    struct Point {
        /// The day, and its column.
        var day: CivilDate
        var column: Int
        /// The minute; nil in the head.
        var minute: Int?
        /// The place of the event that is drawn there.
        var event: Int?
        /// The minutes of a line.
        var step: Int
    }

    /// The day, the minute and the event under the mouse; nil outside of the days.
    func point(_ mouse: MouseEvent) -> Point? {
        let report = drawnReport
        let grid = report.grid(viewer)
        // Below the head, which stays, the hours are scrolled.
        let isHead = mouse.y < 1 + grid.headHeight
        let y = mouse.y - 1 + (isHead ? 0 : top(report, grid, viewer))
        guard mouse.y > 0, let column = grid.column(x: mouse.x, width: width) else { return nil }
        let minute = grid.point(x: mouse.x, y: y, width: width)?.minute
        guard isHead || minute != nil else { return nil }
        return Point(
            day: report.first + column, column: column, minute: minute,
            event: grid.tag(x: mouse.x, y: y, width: width), step: grid.step)
    }

    /// The day of the month under the mouse.
    func dayOfMonth(_ mouse: MouseEvent) -> CivilDate? {
        let report = monthReport
        guard mouse.y >= MonthReport.headHeight, mouse.y < sheetRoom(viewer) else { return nil }
        var canvas = Canvas(width: width)
        report.draw(on: &canvas, for: viewer)
        let top = sheetTop(report, lines: canvas.lines.count, viewer)
        return report.day(x: mouse.x, y: mouse.y + top, width: width, viewer)
    }

    /// The first line of the hours that is shown: so that the chosen event is on the screen.
    private func top(_ report: WeekReport, _ grid: TimeGrid, _ viewer: Viewer) -> Int {
        guard let place = report.chosen, report.items.indices.contains(place),
            case .timed(let range) = report.items[place].occurrence.time
        else { return 0 }
        let civil = viewer.zone.civil(range.start)
        let line = grid.line(of: max(grid.minutes.lowerBound, civil.secondOfDay / 60))
        return max(0, min(line - grid.headHeight, line - (height - 4)))
    }

    func draw(on frame: inout ScreenFrame, in area: ScreenArea, for viewer: Viewer) {
        switch scale {
        case .day, .week: drawDays(on: &frame, in: area, viewer)
        case .month: drawMonth(on: &frame, in: area, viewer)
        case .year: drawYear(on: &frame, in: area, viewer)
        }
    }

    private func drawDays(on frame: inout ScreenFrame, in area: ScreenArea, _ viewer: Viewer) {
        let report = drawnReport
        var canvas = Canvas(width: area.width)
        let grid = report.grid(viewer)
        report.draw(grid, on: &canvas, for: viewer)
        let skipped = top(report, grid, viewer)
        // The heading, the names of the days and the events of whole days stay.
        let head = 1 + grid.headHeight
        frame.grid.put(Array(canvas.lines.prefix(head)) + canvas.lines.dropFirst(head + skipped), in: area)
        if report.dayCount > 1 {
            let column = day - report.first
            if let x = grid.columnStart(column, width: area.width) {
                frame.grid.put("▾", x: area.x + x - 1, y: area.y + 1, style: .bold)
            }
        }
    }

    private func drawMonth(on frame: inout ScreenFrame, in area: ScreenArea, _ viewer: Viewer) {
        let report = monthReport
        var canvas = Canvas(width: area.width)
        report.draw(on: &canvas, for: viewer)
        drawSheet(canvas, report, on: &frame, in: area, viewer)
    }

    private var monthReport: MonthReport {
        let month = day.startOfMonth
        var report = MonthReport(items: items, first: month, end: month.adding(months: 1))
        report.chosenDay = day
        return report
    }

    /// The lines for the month, above the events of the chosen day.
    private func sheetRoom(_ viewer: Viewer) -> Int { max(4, height - min(dayLines(viewer).count + 1, height / 3)) }

    /// The lines of the weeks that are left out, so that the chosen week is shown.
    private func sheetTop(_ report: MonthReport, lines: Int, _ viewer: Viewer) -> Int {
        let (weekHeight, room) = (report.weekHeight(width: width, viewer), sheetRoom(viewer))
        if lines <= room { return 0 }
        // Whole weeks, the chosen one among them.
        let (shown, all) = (max(1, (room - MonthReport.headHeight) / weekHeight), span.count / 7)
        let week = (day - span.first) / 7
        return max(0, min(week - shown / 2, all - shown)) * weekHeight
    }

    private func drawYear(on frame: inout ScreenFrame, in area: ScreenArea, _ viewer: Viewer) {
        guard let year else { return }
        var canvas = Canvas(width: area.width)
        year.draw(on: &canvas, for: viewer)
        frame.grid.put(StyledText("Chosen: \(DateWords.text(day))", .bold), x: area.x, y: area.y)
        // The part with the month of the chosen day.
        let skipped = canvas.lines.firstIndex { $0.plain.contains(DateWords.fullName(month: day.month)) } ?? 0
        let top = skipped > area.height - 12 ? max(0, min(skipped - 1, canvas.lines.count - area.height + 1)) : 0
        frame.grid.put(
            canvas.lines.dropFirst(top),
            in: ScreenArea(x: area.x, y: area.y + 1, width: area.width, height: area.height - 1))
    }

    /// Draws a month, from the line of the chosen week if it is too long, with the events of the day below it.
    private func drawSheet(
        _ canvas: Canvas, _ report: MonthReport, on frame: inout ScreenFrame, in area: ScreenArea, _ viewer: Viewer
    ) {
        let lines = canvas.lines
        let list = dayLines(viewer)
        let room = sheetRoom(viewer)
        let top = sheetTop(report, lines: lines.count, viewer)
        let head = Array(lines.prefix(MonthReport.headHeight))
        var body = Array(lines.dropFirst(MonthReport.headHeight + top).prefix(room - MonthReport.headHeight))
        let weekHeight = lines.count > room ? report.weekHeight(width: width, viewer) : 1
        let shown = max(1, (room - MonthReport.headHeight) / weekHeight)
        // A part of a week would have events without their days.
        if lines.count > room { body = Array(body.prefix(shown * weekHeight)) }
        frame.grid.put(head + body, in: area)
        if lines.count > room {
            let below = span.count / 7 - top / weekHeight - shown
            var words = top > 0 ? "↑ \(top / weekHeight) earlier" : ""
            if below > 0 { words += (words.isEmpty ? "" : "  ") + "↓ \(below) later" }
            frame.grid.put(words, x: area.x + max(0, area.width - words.count - 1), y: area.y, style: .bold)
        }
        let y = area.y + min(lines.count, room) + (lines.count < room ? 1 : 0)
        for (offset, line) in list.prefix(max(0, area.y + area.height - y)).enumerated() {
            frame.grid.put(line.text, x: area.x + 1, y: y + offset, limit: area.width - 1)
            if line.place == chosen, line.place != nil {
                frame.grid.lay(.selection, x: area.x, y: y + offset, width: area.width)
            }
        }
    }

    /// The events of the chosen day in lines.
    private func dayLines(_ viewer: Viewer) -> [(text: StyledText, place: Int?)] {
        let heading = (text: StyledText(viewer.day(day), TextStyle(.cyan, bold: true)), place: Int?.none)
        return [heading]
            + dayPlaces.map { place in
                let item = items[place]
                var hours = "all day"
                if case .timed(let range) = item.occurrence.time {
                    hours = viewer.clock(range.start) + "–" + viewer.clock(range.end)
                }
                var line = StyledText(hours, .dim).padded(14)
                line.append(item.mark, TextStyle(.red, bold: true))
                line.append(item.label, item.style)
                if let place = item.occurrence.location { line.append("  " + place, .dim) }
                return (line, place)
            }
    }
}
