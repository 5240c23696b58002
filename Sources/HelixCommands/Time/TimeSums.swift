import HelixModel
import HelixStore

/// Totals of time by group.
struct TimeSums {
    private struct Sum {
        var name: String
        var order: Int
        var task: EntityID?
        var seconds = 0
        var billable = 0
        var planned: Int?
        var ahead = 0

        mutating func add(_ seconds: Int, _ billable: Int, ahead: Int) {
            self.seconds += seconds
            self.billable += billable
            self.ahead += ahead
        }
    }

    private let by: TimeGrouping
    /// The rounding unit in seconds; 0 for none.
    private let unit: Int
    private let zone: Zone
    /// Time that begins after it is planned.
    private let now: Instant
    private var sums: [String: Sum] = [:]
    /// The day of the latest entry: most entries are on the day of the one before.
    private var latestDay: (date: CivilDate, start: Instant, end: Instant)?

    init(by: TimeGrouping, unit: Int, zone: Zone, now: Instant) {
        self.by = by
        self.unit = unit
        self.zone = zone
        self.now = now
    }

    /// The tasks with tracked time.
    var tasks: [EntityID] { sums.values.compactMap(\.task) }

    /// Adds a slice of time that counts `seconds`; by default, its rounded duration.
    mutating func add(_ slice: TimeSlice, seconds: Int? = nil) {
        let now = now
        split(slice, as: slice.key, seconds: seconds) { key, name, order, seconds, range, sums in
            let billable = slice.isBillable ? seconds : 0
            let ahead = range.start > now ? seconds : 0
            // In place: a year has more entries than totals.
            if sums[key]?.add(seconds, billable, ahead: ahead) == nil {
                sums[key] = Sum(
                    name: name(), order: order, task: slice.task, seconds: seconds, billable: billable, ahead: ahead)
            }
        }
    }

    /// Adds a slice of time to the totals of its group.
    ///
    /// - Returns: the keys of those totals, each with its part and the seconds that count.
    mutating func add(group slice: TimeSlice) -> [(key: String, part: TimeSlice, seconds: Int)] {
        var found: [(key: String, part: TimeSlice, seconds: Int)] = []
        split(slice, as: slice.group, seconds: nil) { key, name, order, seconds, range, sums in
            if sums[key]?.add(seconds, 0, ahead: 0) == nil {
                sums[key] = Sum(name: name(), order: order, seconds: seconds)
            }
            var part = slice
            part.range = range
            found.append((key, part, seconds))
        }
        return found
    }

    /// Calls `put` with each key of a slice, its name, order, seconds and part.
    private mutating func split(
        _ slice: TimeSlice, as text: String?, seconds: Int?,
        _ put: (String, () -> String, Int, Int, TimeRange, inout [String: Sum]) -> Void
    ) {
        let range = slice.range
        var rounded = range.duration
        if unit > 0 { rounded = (rounded + unit / 2) / unit * unit }
        rounded = seconds ?? rounded
        switch by {
        case .day:
            // An entry over midnight is split by day; the rounding difference is added to the first part.
            var extra = rounded - range.duration
            var from = range.start
            for (day, seconds) in parts(range) {
                let part = TimeRange(start: from, end: from + seconds)
                put("\(day.dayNumber)", { DateWords.text(day) }, day.dayNumber, seconds + extra, part, &sums)
                (extra, from) = (0, part.end)
            }
        case .project: put(text ?? "", { text ?? "no project" }, 0, rounded, range, &sums)
        case .customer: put(text ?? "", { text ?? "no customer" }, 0, rounded, range, &sums)
        case .task:
            let title = text ?? ""
            let key = slice.task?.text ?? "\u{1}" + title
            put(key, { title.isEmpty ? "(no title)" : title }, 0, rounded, range, &sums)
        case .tag:
            // Time with several tags counts for each of them.
            let tags = (text ?? "").split(separator: " ")
            if tags.isEmpty { put("", { "no tag" }, 0, rounded, range, &sums) }
            for tag in tags { put(String(tag), { "+" + tag }, 0, rounded, range, &sums) }
        }
    }

    /// Adds time planned on days.
    mutating func plan(_ range: TimeRange) {
        for (day, seconds) in parts(range) {
            let key = "\(day.dayNumber)"
            var sum = sums[key] ?? Sum(name: DateWords.text(day), order: day.dayNumber)
            sum.planned = (sum.planned ?? 0) + seconds
            sums[key] = sum
        }
    }

    /// Sets the planned time of a task.
    mutating func plan(_ task: EntityID, _ seconds: Int?) { sums[task.text]?.planned = seconds }

    private mutating func parts(_ range: TimeRange) -> [(CivilDate, Int)] {
        var parts: [(CivilDate, Int)] = []
        var from = range.start
        while from < range.end {
            let (date, end) = day(of: from)
            let to = min(range.end, end)
            parts.append((date, to - from))
            from = to
        }
        return parts
    }

    /// The day of an instant, and its end.
    private mutating func day(of instant: Instant) -> (date: CivilDate, end: Instant) {
        if let latestDay, latestDay.start <= instant, instant < latestDay.end { return (latestDay.date, latestDay.end) }
        let date = zone.date(instant)
        // A day whose clock goes back over midnight ends before an instant of it: then it lasts until the next one.
        let end = zone.startOfDay(date + 1) > instant ? zone.startOfDay(date + 1) : zone.startOfDay(date + 2)
        latestDay = (date, instant, end)
        return (date, end)
    }

    func items() -> [TimeSumItem] { keyedItems().map(\.item) }

    /// The totals with their keys: days in order, other groups largest first.
    func keyedItems() -> [(key: String, item: TimeSumItem)] {
        sums.sorted {
            if by == .day { return $0.value.order < $1.value.order }
            return $0.value.seconds != $1.value.seconds
                ? $0.value.seconds > $1.value.seconds : $0.value.name < $1.value.name
        }.map { key, sum in
            let date = by == .day ? CivilDate(dayNumber: sum.order) : nil
            return (
                key,
                TimeSumItem(
                    name: sum.name, date: date, task: sum.task, seconds: sum.seconds, billable: sum.billable,
                    planned: sum.planned, ahead: sum.ahead)
            )
        }
    }
}
