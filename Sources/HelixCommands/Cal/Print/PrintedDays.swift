import HelixGraphics
import HelixModel
import HelixStore
import HelixTerminal

/// Occurrences as the sheets of a week or a month.
struct PrintedDays {
    let items: [OccurrenceItem]
    let first: CivilDate
    let count: Int
    /// The days of the month; nil for a week.
    let month: Range<CivilDate>?
    /// Hours that are shown even if empty, in seconds after midnight.
    let hours: (start: Int, end: Int)
    let viewer: Viewer

    func pages(_ paper: PaperSize, isPortrait: Bool) -> [Picture] {
        month == nil
            ? week(sheet(paper, isPortrait, title: WeekReport.title(from: first, to: first + (count - 1))))
            : weeks(sheet(paper, isPortrait, title: monthTitle))
    }

    private func sheet(_ paper: PaperSize, _ isPortrait: Bool, title: String) -> Sheet {
        var known: Set<EntityID> = []
        let calendars = items.map(\.occurrence.calendar).filter { known.insert($0.id).inserted }
        let number = month == nil ? "week \((first + 3).week().week)" : ""
        return Sheet(
            paper, isPortrait: isPortrait, title: title, subtitle: number,
            footer: "\(viewer.zone.identifier) · \(DateWords.text(viewer.today))",
            legend: calendars.map { ($0.name, $0.color.terminal) })
    }

    private var monthTitle: String {
        let parts = (month?.lowerBound ?? first).components
        return "\(DateWords.fullName(month: parts.month)) \(parts.year)"
    }

    /// The days of an item that are shown, counted from the first one; nil for an item beside them.
    private func columns(_ item: OccurrenceItem) -> Range<Int>? {
        let days = item.occurrence.time.days(in: viewer.zone)
        let (low, high) = (max(0, days.first - first), min(count, days.end - first))
        return low < high ? low..<high : nil
    }

    private func event(_ item: OccurrenceItem) -> SheetEvent {
        let occurrence = item.occurrence
        var time = ""
        if case .timed(let range) = occurrence.time {
            time = viewer.clock(range.start)
            if range.duration > 0 { time += "–" + viewer.clock(range.end) }
        }
        return SheetEvent(
            time: time, label: item.mark + (item.mark.isEmpty ? "" : " ") + item.label,
            detail: occurrence.location ?? "", color: occurrence.calendar.color.terminal,
            isFaint: !occurrence.isBusy || occurrence.status == .cancelled || occurrence.isDeclined)
    }

    /// Whether an item stands as a bar above the hours: it has no times, or lasts for a day.
    private func isLong(_ item: OccurrenceItem) -> Bool {
        guard case .timed(let range) = item.occurrence.time else { return true }
        return range.duration >= 86_400
    }

    private func week(_ sheet: Sheet) -> [Picture] {
        var bars: [SheetBar] = []
        var blocks: [WeekPages.Block] = []
        for item in items {
            guard let columns = columns(item) else { continue }
            let days = item.occurrence.time.days(in: viewer.zone)
            guard case .timed(let range) = item.occurrence.time, !isLong(item) else {
                bars.append(
                    SheetBar(
                        columns: columns, comesFromBefore: days.first < first, goesOn: days.end > first + count,
                        event: event(item)))
                continue
            }
            for column in columns {
                let (start, end) = (viewer.zone.civil(range.start), viewer.zone.civil(range.end))
                let from = start.date == first + column ? start.secondOfDay / 60 : 0
                let to = end.date == first + column ? (end.secondOfDay + 59) / 60 : 1440
                blocks.append(
                    WeekPages.Block(column: column, minutes: from..<max(to, from + 1), event: event(item)))
            }
        }
        let names = (0..<count).map { offset in
            "\(DateWords.name((first + offset).weekday)) \((first + offset).day)"
        }
        let shown = hours.start / 60..<max(hours.start / 60 + 60, hours.end > hours.start ? hours.end / 60 : 1440)
        return WeekPages(sheet, days: names, bars: bars, blocks: blocks, hours: shown) { viewer.clock($0 * 60) }
            .pages()
    }

    private func weeks(_ sheet: Sheet) -> [Picture] {
        let weeks = stride(from: 0, to: count, by: 7).map { start -> MonthPages.Week in
            let own = items.compactMap { item -> (item: OccurrenceItem, columns: Range<Int>)? in
                guard let columns = columns(item)?.clamped(to: start..<start + 7), !columns.isEmpty else { return nil }
                return (item, columns.lowerBound - start..<columns.upperBound - start)
            }
            // Longer bars first: they keep their lane, and shorter ones fill the others.
            let long = own.filter { isBar($0.item) }.enumerated().sorted {
                (-$0.element.columns.count, $0.offset) < (-$1.element.columns.count, $1.offset)
            }.map(\.element)
            let bars = long.map { item, columns in
                let days = item.occurrence.time.days(in: viewer.zone)
                return SheetBar(
                    columns: columns, comesFromBefore: days.first < first + start,
                    goesOn: days.end > first + start + 7, event: event(item))
            }
            let days = (0..<7).map { offset in
                day(first + start + offset, own.filter { !isBar($0.item) && $0.columns.contains(offset) }.map(\.item))
            }
            return MonthPages.Week(number: "\((first + start + 3).week().week)", days: days, bars: bars)
        }
        let weekdays = (0..<7).map { DateWords.fullName(viewer.firstWeekday.advanced(by: $0)) }
        return MonthPages(sheet, weekdays: weekdays, weeks: weeks).pages()
    }

    /// Whether an item is drawn as a bar in a month: it has no times, or touches several days.
    private func isBar(_ item: OccurrenceItem) -> Bool {
        let days = item.occurrence.time.days(in: viewer.zone)
        return isLong(item) || days.end - days.first > 1
    }

    private func day(_ date: CivilDate, _ items: [OccurrenceItem]) -> MonthPages.Day {
        MonthPages.Day(
            number: "\(date.day)", name: DateWords.text(date), isInside: month?.contains(date) ?? true,
            events: items.map(event))
    }
}
