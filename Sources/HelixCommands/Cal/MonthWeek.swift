import HelixModel
import HelixTerminal

/// The places of events in a week of a month: bars in lanes, one bar over all days of an event.
struct MonthWeek {
    /// An event in the week.
    struct Bar {
        let item: OccurrenceItem
        /// Its days, counted from the first of the week.
        let columns: Range<Int>
        let lane: Int
    }

    /// The first day.
    let monday: CivilDate
    private(set) var bars: [Bar] = []
    /// The number of events that have no place, by day.
    private(set) var hidden: [Int]
    /// The lines that the fullest day needs.
    private(set) var height = 0

    /// Places events in lanes: those of several days first, so that their bars go straight through.
    ///
    /// - Parameters:
    ///   - byDay: the events of each day, by its number.
    ///   - further: how many more a day has.
    ///   - lines: the lines of a day; the last one is kept for a count where not all have a place.
    init(
        from monday: CivilDate, _ byDay: [Int: [OccurrenceItem]], _ further: [Int: Int], lines: Int, _ zone: Zone
    ) {
        self.monday = monday
        hidden = (0..<7).map { further[(monday + $0).dayNumber, default: 0] }
        var placed: [Bar] = []
        var lanes = BarLanes()
        for (item, columns) in MonthWeek.spans(from: monday, byDay, zone) {
            guard let lane = lanes.place(columns) else { continue }
            placed.append(Bar(item: item, columns: columns, lane: lane))
        }
        var isFull = hidden.map { $0 > 0 }
        for bar in placed where bar.lane >= lines {
            for day in bar.columns { isFull[day] = true }
        }
        // A bar that is left out leaves a count on its other days, too, which needs the last line there.
        var isChanged = true
        while isChanged {
            isChanged = false
            for bar in placed where bar.lane >= lines - 1 && bar.columns.contains(where: { isFull[$0] }) {
                for day in bar.columns where !isFull[day] { (isFull[day], isChanged) = (true, true) }
            }
        }
        for bar in placed {
            if bar.lane < lines - 1 || bar.lane < lines && !bar.columns.contains(where: { isFull[$0] }) {
                bars.append(bar)
                height = max(height, bar.lane + 1)
            } else {
                for day in bar.columns { hidden[day] += 1 }
                height = lines
            }
        }
        if hidden.contains(where: { $0 > 0 }) { height = lines }
    }

    /// Each event with its days in the week: those of several days first, then in the order of the days' lists.
    private static func spans(
        from monday: CivilDate, _ byDay: [Int: [OccurrenceItem]], _ zone: Zone
    ) -> [(item: OccurrenceItem, columns: Range<Int>)] {
        var spans: [(item: OccurrenceItem, columns: Range<Int>, length: Int)] = []
        for offset in 0..<7 {
            for item in byDay[(monday + offset).dayNumber] ?? [] {
                let days = item.occurrence.time.days(in: zone)
                // Each event once, on the first of its days in the week.
                guard offset == 0 || days.first == monday + offset else { continue }
                let end = min(7, days.end - monday)
                spans.append((item, offset..<max(end, offset + 1), days.end - days.first))
            }
        }
        let order = spans.indices.sorted {
            let (a, b) = (spans[$0], spans[$1])
            if (a.length > 1) != (b.length > 1) { return a.length > 1 }
            return a.length > 1 && a.columns.lowerBound == b.columns.lowerBound && a.length != b.length
                ? a.length > b.length
                : a.columns.lowerBound != b.columns.lowerBound
                    ? a.columns.lowerBound < b.columns.lowerBound : $0 < $1
        }
        return order.map { (spans[$0].item, spans[$0].columns) }
    }
}
