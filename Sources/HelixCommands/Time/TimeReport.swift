import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

extension TimeGrouping: ExpressibleByArgument {}

/// `helix time report`
struct TimeReport: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "report", abstract: "Sum up time by day, project, task, tag or customer.",
        discussion: """
            Without a range, this week. Beside the days stands what the calendar had planned, beside tasks their \
            estimates. With --round, each entry counts to the nearest so many minutes.

              helix time report
              helix time report 2026-11 --by customer --billable --round 15m
              helix time report this year --by project --where '+phone' --csv
            """)

    @Argument(help: ArgumentHelp("The days.", valueName: "range"))
    var range: [String] = []

    @Option(name: .long, help: ArgumentHelp("day, project, task, tag or customer.", valueName: "field"))
    var by: TimeGrouping = .day

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Round each entry to the nearest so much.", valueName: "length"))
    var round: String?

    @Flag(name: .long, help: "Only what somebody pays for.")
    var billable = false

    @Option(
        name: .long, help: ArgumentHelp("Only entries that a filter means: see helix-query(7).", valueName: "filter"))
    var `where`: String?

    @Flag(name: .long, help: "Print the sums as CSV; 'helix time export' prints the entries.")
    var csv = false

    @OptionGroup var bounds: RangeOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        var command = Self()
        (command.range, command.by, command.round, command.billable) = (words, .day, nil, false)
        (command.where, command.csv, command.bounds, command.output) = (nil, false, .unset, .unset)
        return command
    }

    mutating func take(_ option: String, _ value: String) -> Bool {
        guard option == "--by", let grouping = TimeGrouping(rawValue: value) else { return false }
        by = grouping
        return true
    }

    func run(in context: CommandContext) throws {
        let span = try context.timeRange(range, bounds)
        let filter = try context.timeFilters.filter(`where` ?? "")
        let unit = try round.map { try context.dates.duration($0) } ?? 0
        let store = try context.store()
        var sums = TimeSums(by: by, unit: unit, zone: context.zone)
        try store.timeSlices(in: span, by: by, filter: filter, billable: billable, zone: context.zone) { sums.add($0) }
        switch by {
        case .day:
            for busy in try store.busyTimes(in: span, zone: context.zone) { sums.plan(busy) }
        case .task:
            for task in try store.tasks(sums.tasks) { sums.plan(task.task.id, task.task.estimate) }
        default: break
        }
        let report = TimeSumReport(items: sums.items(), by: by, span: span, isRounded: unit > 0)
        if csv {
            try output.refuseMachine("CSV")
            return try context.write(report.csv)
        }
        try context.present(report)
    }
}

/// Sums of time under their names.
struct TimeSums {
    private struct Sum {
        var name: String
        var order: Int
        var task: EntityID?
        var seconds = 0
        var billable = 0
        var planned: Int?

        mutating func add(_ seconds: Int, _ billable: Int) {
            self.seconds += seconds
            self.billable += billable
        }
    }

    private let by: TimeGrouping
    /// Seconds to round to; 0 for none.
    private let unit: Int
    private let zone: Zone
    private var sums: [String: Sum] = [:]

    init(by: TimeGrouping, unit: Int, zone: Zone) {
        self.by = by
        self.unit = unit
        self.zone = zone
    }

    /// The tasks that time was spent on.
    var tasks: [EntityID] { sums.values.compactMap(\.task) }

    mutating func add(_ slice: TimeSlice) {
        let range = slice.range
        var rounded = range.duration
        if unit > 0 { rounded = (rounded + unit / 2) / unit * unit }
        func put(
            _ key: String, _ name: @autoclosure () -> String, _ seconds: Int, order: Int = 0, task: EntityID? = nil,
            in sums: inout [String: Sum]
        ) {
            let billable = slice.isBillable ? seconds : 0
            // In place: a year has more entries than sums.
            if sums[key]?.add(seconds, billable) == nil {
                sums[key] = Sum(name: name(), order: order, task: task, seconds: seconds, billable: billable)
            }
        }
        switch by {
        case .day:
            // Over midnight, each day gets its own part; what rounding adds goes to the first.
            var extra = rounded - range.duration
            for (day, seconds) in parts(range) {
                put("\(day.dayNumber)", DateWords.text(day), seconds + extra, order: day.dayNumber, in: &sums)
                extra = 0
            }
        case .project: put(slice.key ?? "", slice.key ?? "no project", rounded, in: &sums)
        case .customer: put(slice.key ?? "", slice.key ?? "no customer", rounded, in: &sums)
        case .task:
            let title = slice.key ?? ""
            let key = slice.task?.text ?? "\u{1}" + title
            put(key, title.isEmpty ? "(no title)" : title, rounded, task: slice.task, in: &sums)
        case .tag:
            // Time with several tags counts for each of them.
            let tags = (slice.key ?? "").split(separator: " ")
            if tags.isEmpty { put("", "no tag", rounded, in: &sums) }
            for tag in tags { put(String(tag), "+" + tag, rounded, in: &sums) }
        }
    }

    /// Notes time that was planned on days.
    mutating func plan(_ range: TimeRange) {
        for (day, seconds) in parts(range) {
            let key = "\(day.dayNumber)"
            var sum = sums[key] ?? Sum(name: DateWords.text(day), order: day.dayNumber)
            sum.planned = (sum.planned ?? 0) + seconds
            sums[key] = sum
        }
    }

    /// Notes what was planned for a task.
    mutating func plan(_ task: EntityID, _ seconds: Int?) { sums[task.text]?.planned = seconds }

    private func parts(_ range: TimeRange) -> [(CivilDate, Int)] {
        var parts: [(CivilDate, Int)] = []
        var from = range.start
        while from < range.end {
            let day = zone.date(from)
            let to = min(range.end, zone.startOfDay(day + 1))
            parts.append((day, to - from))
            from = to
        }
        return parts
    }

    func items() -> [TimeSumItem] {
        sums.sorted {
            if by == .day { return $0.value.order < $1.value.order }
            return $0.value.seconds != $1.value.seconds
                ? $0.value.seconds > $1.value.seconds : $0.value.name < $1.value.name
        }.map { _, sum in
            TimeSumItem(
                name: sum.name, date: by == .day ? CivilDate(dayNumber: sum.order) : nil, task: sum.task,
                seconds: sum.seconds, billable: sum.billable, planned: sum.planned)
        }
    }
}

/// A sum of time in a report.
struct TimeSumItem: ReportItem {
    let name: String
    let date: CivilDate?
    let task: EntityID?
    /// Seconds.
    let seconds: Int
    let billable: Int
    let planned: Int?

    static let fields = [
        SchemaField("kind", .choice(["time"]), "What the item is."),
        SchemaField("name", .string, "What the time was spent on, or the day."),
        SchemaField("date", .time, required: false, "The day."),
        SchemaField("seconds", .integer, "How much time it was."),
        SchemaField("billable", .integer, "How much of it somebody pays for, in seconds."),
        SchemaField("planned", .integer, required: false, "What the calendar or the estimate had planned, in seconds."),
        SchemaField("links", .array(.string), "The task's identity."),
    ]

    func json(for viewer: Viewer) -> JSONObject {
        var json = JSONObject()
        json.set("kind", "time")
        json.set("name", name)
        json.set("date", date.map { ISO8601.text($0) })
        json.set("seconds", seconds)
        json.set("billable", billable)
        json.set("planned", planned)
        json.set("links", task.map { [$0.text] } ?? [])
        return json
    }
}

/// Sums of time with bars.
struct TimeSumReport: Report {
    static let schema = "helix.time.report/1"
    let items: [TimeSumItem]
    let by: TimeGrouping
    let span: TimeRange
    let isRounded: Bool

    /// One line for each sum, hours as a decimal number.
    var csv: String {
        var lines = ["\(by == .day ? "date" : by.rawValue),hours,seconds,billable_seconds,planned_seconds"]
        for item in items {
            let name = item.date.map { ISO8601.text($0) } ?? item.name
            let fields = [
                name, ProjectHours.decimal(item.seconds), "\(item.seconds)", "\(item.billable)",
                item.planned.map { "\($0)" } ?? "",
            ]
            lines.append(fields.map(TimeCSV.field).joined(separator: ","))
        }
        return lines.map { $0 + "\r\n" }.joined()
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        let first = viewer.zone.date(span.start)
        let last = viewer.zone.date(span.end - 1)
        canvas.flow([
            StyledText("Time by \(by.rawValue)", .bold),
            StyledText(
                last - first > 100_000 ? "all of it" : "\(DateWords.text(first)) – \(DateWords.text(last))", .dim),
        ])
        if items.isEmpty {
            canvas.line(StyledText("No time was tracked.", .dim))
            return
        }
        var chart = BarChart()
        for item in items {
            let label =
                item.date.map { "\(DateWords.name($0.weekday)) \($0.day) \(DateWords.name(month: $0.month))" }
                ?? item.name
            var text = item.seconds > 0 ? DateWords.text(hours: item.seconds) : "–"
            if let planned = item.planned { text += " of \(DateWords.text(hours: planned))" }
            let isOver = by == .task && item.planned.map { item.seconds > $0 } ?? false
            chart.bar(
                StyledText(label), value: Double(item.seconds), text: text,
                style: TextStyle(isOver ? .red : item.billable > 0 ? .green : .blue))
        }
        chart.draw(on: &canvas)
        // Time with several tags counts more than once, so there is no sum of tags.
        if by != .tag {
            let total = items.reduce(0) { $0 + $1.seconds }
            let billable = items.reduce(0) { $0 + $1.billable }
            var sums = [StyledText("In all \(DateWords.text(hours: total))", .bold)]
            if billable > 0 {
                sums.append(StyledText("\(DateWords.text(hours: billable)) billable", TextStyle(.green)))
            }
            if by == .day, items.contains(where: { $0.planned != nil }) {
                let planned = items.reduce(0) { $0 + ($1.planned ?? 0) }
                sums.append(StyledText("the calendar had \(DateWords.text(hours: planned))", .dim))
            }
            if isRounded { sums.append(StyledText("rounded", .dim)) }
            canvas.flow(sums)
        }
    }
}

/// Time entries as CSV (RFC 4180).
enum TimeCSV {
    static func text(_ entries: [TimeEntryDetails], now: Instant, zone: Zone) -> String {
        var lines = ["start,end,seconds,title,project,customer,tags,billable,note,task,id"]
        for details in entries {
            let entry = details.entry
            lines.append(
                [
                    ISO8601.text(entry.start, in: zone), entry.end.map { ISO8601.text($0, in: zone) } ?? "",
                    "\(entry.duration(at: now))", details.title, details.project ?? "", details.customer ?? "",
                    entry.tags.joined(separator: " "), entry.isBillable ? "yes" : "no", entry.note ?? "",
                    entry.task?.text ?? "", entry.id.text,
                ].map(field).joined(separator: ","))
        }
        return lines.map { $0 + "\r\n" }.joined()
    }

    /// A field, in quotes where it needs them. What a spreadsheet would take for a formula is kept from being one.
    static func field(_ text: String) -> String {
        var text = text
        if let first = text.first, "=+-@\t\r".contains(first), Double(text) == nil { text = "'" + text }
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
