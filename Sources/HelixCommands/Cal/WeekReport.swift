import HelixCalendar
import HelixModel
import HelixTerminal

/// Several days side by side, with a time axis.
struct WeekReport: Report {
    static let schema = "helix.cal.week/1"
    let items: [OccurrenceItem]
    let isTruncated: Bool
    let first: CivilDate
    let dayCount: Int
    /// Hours that are shown even if empty, in seconds after midnight.
    let hours: (start: Int, end: Int)
    /// The chosen item, on a full screen.
    var chosen: Int?
    /// The lines that there are for the hours; nil for any number.
    var lineLimit: Int?
    /// Other zones whose clocks stand beside the local one.
    var otherZones: [Zone] = []

    init(
        items: [OccurrenceItem], first: CivilDate, dayCount: Int, hours: (start: Int, end: Int),
        isTruncated: Bool = false
    ) {
        self.items = items
        self.first = first
        self.dayCount = dayCount
        self.hours = hours
        self.isTruncated = isTruncated
    }

    func limited(to count: Int) -> WeekReport {
        WeekReport(
            items: Array(items.prefix(count)), first: first, dayCount: dayCount, hours: hours,
            isTruncated: items.count > count)
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) { draw(nil, on: &canvas, for: viewer) }

    /// Draws the days, with a grid that was made before.
    func draw(_ made: TimeGrid?, on canvas: inout Canvas, for viewer: Viewer) {
        canvas.line(heading(viewer).fitted(canvas.textWidth))
        if isList(in: canvas.width) {
            AgendaReport(items: items, first: first, dayCount: dayCount, showsEmptyDays: true).drawDays(
                on: &canvas, for: viewer)
        } else {
            (made ?? grid(viewer)).draw(on: &canvas)
        }
        let legend = items.legend()
        if legend.width > 0 { canvas.line(legend.fitted(canvas.textWidth)) }
        if items.isEmpty { canvas.line(StyledText("No events.", .dim)) }
        if isTruncated { canvas.line(StyledText("More results: raise --limit.", .dim)) }
    }

    /// Whether the days are listed one below the other: the columns would be too narrow for a word.
    func isList(in width: Int) -> Bool { dayCount > 1 && (width - 7) / dayCount < 7 }

    /// The days in words: `16 – 22 November 2026`, `30 November – 6 December 2026`.
    static func title(from first: CivilDate, to last: CivilDate) -> String {
        let (a, b) = (first.components, last.components)
        let start =
            a.year != b.year
            ? "\(a.day) \(DateWords.fullName(month: a.month)) \(a.year)"
            : a.month != b.month ? "\(a.day) \(DateWords.fullName(month: a.month))" : "\(a.day)"
        return "\(start) – \(b.day) \(DateWords.fullName(month: b.month)) \(b.year)"
    }

    private func heading(_ viewer: Viewer) -> StyledText {
        let last = first + (dayCount - 1)
        var line = StyledText()
        if dayCount == 1 {
            line.append(viewer.day(first), .bold)
        } else {
            line.append(WeekReport.title(from: first, to: last), .bold)
        }
        line.append("  week \((first + min(3, dayCount - 1)).week().week)", .dim)
        line.append("  \(viewer.zone.identifier)", .dim)
        // In the order of the clocks.
        for zone in otherZones { line.append(" · \(zone.identifier)", .dim) }
        return line
    }

    /// The grid with the hours.
    func grid(_ viewer: Viewer) -> TimeGrid {
        var grid = TimeGrid()
        for offset in 0..<dayCount {
            let date = first + offset
            let name = "\(DateWords.name(date.weekday)) \(date.day)"
            let style =
                date == viewer.today
                ? TextStyle(bold: true, reversed: true) : TextStyle(bold: true, dim: date.weekday.isWeekend)
            grid.headings.append(StyledText(dayCount == 1 ? DateWords.fullName(date.weekday) : name, style))
        }
        for (place, item) in items.enumerated() { add(item, at: place, to: &grid, viewer) }
        let starts = grid.blocks.map(\.start).min() ?? hours.start / 60
        let ends = grid.blocks.map(\.end).max() ?? hours.end / 60
        var low = min(hours.start / 60, starts) / 60 * 60
        var high = min(1440, (max(hours.end > hours.start ? hours.end / 60 : 1440, ends) + 59) / 60 * 60)
        if let now = now(viewer) {
            grid.now = now
            if now.minute >= high, now.minute < high + 120 { high = min(1440, now.minute / 60 * 60 + 60) }
            if now.minute < low, now.minute >= low - 120 { low = now.minute / 60 * 60 }
        }
        grid.minutes = low..<max(high, low + 60)
        if high - low > 15 * 60 { grid.folded = quietHours(of: grid) }
        let drawn = grid.minutes.count - grid.folded.reduce(0) { $0 + $1.count }
        grid.step = drawn > 15 * 60 ? 60 : 30
        if let lineLimit {
            // On a screen, hours are folded only where they have no room.
            let room = lineLimit - grid.headHeight
            if (high - low) / 60 <= room {
                grid.folded = []
                (grid.minutes, grid.step) = filled(low..<high, room: room)
            } else {
                grid.step = [15, 30, 60].first { drawn / $0 + grid.folded.count <= room } ?? 60
            }
        }
        let clock = viewer
        let day = dayCount == 1 ? first : nil
        let (others, shown) = (otherZones, first)
        grid.label = { minute in
            // The clocks skip that hour of the day.
            let isSkipped = day.map { clock.zone.skips(CivilDateTime($0, secondOfDay: minute % 1440 * 60)) } ?? false
            let label = isSkipped ? "–" : clock.clock(minute * 60)
            if others.isEmpty { return label }
            let instant = clock.zone.instant(CivilDateTime(shown, secondOfDay: minute % 1440 * 60))
            return others.reduce(label) { $0 + " " + clock.on($1).clock(instant) }
        }
        return grid
    }

    /// The minutes and the step that fill the lines of a screen: the same for all days whose events fit in, so that the hours
    /// stay where they are while one goes from week to week.
    private func filled(_ needed: Range<Int>, room: Int) -> (minutes: Range<Int>, step: Int) {
        // Quarters of hours only where most of a day has room with them.
        let step = room >= 60 ? 15 : needed.count / 30 <= room ? 30 : 60
        let most = min(1440, room * step / 60 * 60)
        guard needed.count <= most else { return (needed, 60) }
        let work = hours.end > hours.start ? hours.start / 3600 * 60..<(hours.end + 3599) / 3600 * 60 : 0..<1440
        var start = max(0, min(1440 - most, work.lowerBound - max(0, most - work.count) / 180 * 60))
        start = max(min(start, needed.lowerBound), needed.upperBound - most)
        return (start..<start + most, step)
    }

    /// The hours of a long grid, beyond those of work, in which nothing begins or ends: two or more in a row are one line.
    private func quietHours(of grid: TimeGrid) -> [Range<Int>] {
        var quiet: [Range<Int>] = []
        for start in stride(from: grid.minutes.lowerBound, to: grid.minutes.upperBound, by: 60) {
            let hour = start..<start + 60
            let isWork = hours.end > hours.start && hour.overlaps(hours.start / 60..<hours.end / 60)
            let isBusy = grid.blocks.contains { hour.contains($0.start) || hour.contains($0.end - 1) }
            if isWork || isBusy || grid.now.map({ hour.contains($0.minute) }) ?? false { continue }
            if let last = quiet.last, last.upperBound == start {
                quiet[quiet.count - 1] = last.lowerBound..<hour.upperBound
            } else {
                quiet.append(hour)
            }
        }
        return quiet.filter { $0.count > 60 }
    }

    private func now(_ viewer: Viewer) -> (column: Int, minute: Int)? {
        let civil = viewer.zone.civil(viewer.now)
        let column = civil.date - first
        return (0..<dayCount).contains(column) ? (column, civil.secondOfDay / 60) : nil
    }

    private func add(_ item: OccurrenceItem, at place: Int, to grid: inout TimeGrid, _ viewer: Viewer) {
        let event = item.occurrence
        let days = event.time.days(in: viewer.zone)
        let isLong: Bool
        var range = TimeRange(start: viewer.now, end: viewer.now)
        switch event.time {
        case .days: isLong = true
        case .timed(let own):
            range = own
            isLong = own.duration >= 86_400
        }
        if isLong {
            let left = max(first, days.first)
            let right = min(first + dayCount, days.end)
            guard left < right else { return }
            var bar = TimeGrid.Bar(
                first: left - first, end: right - first, comesFromBefore: days.first < first,
                goesOn: days.end > first + dayCount, title: item.mark + item.label, style: item.style)
            (bar.isChosen, bar.tag) = (place == chosen, place)
            grid.bars.append(bar)
            return
        }
        for offset in 0..<dayCount {
            let date = first + offset
            guard date >= days.first, date < days.end else { continue }
            let start = viewer.zone.civil(range.start)
            let end = viewer.zone.civil(range.end)
            let from = start.date == date ? start.secondOfDay / 60 : 0
            let to = end.date == date ? (end.secondOfDay + 59) / 60 : 1440
            let (begin, finish) = (viewer.clock(range.start), viewer.clock(range.end))
            let showsHours = dayCount == 1 || range.duration > 1800
            var block = TimeGrid.Block(
                column: offset, start: from, end: max(to, from + 1), mark: item.mark, title: item.unbrokenLabel,
                hours: showsHours ? ["\(begin)–\(finish)", begin] : [],
                details: event.location.map { [$0] } ?? [], style: item.style,
                edge: TextStyle(event.calendar.color.terminal))
            (block.isChosen, block.tag) = (place == chosen, place)
            grid.blocks.append(block)
        }
    }
}
