import HelixModel
import HelixStore
import HelixTerminal

/// A time entry in a report.
struct TimeItem: DescribedItem {
    let details: TimeEntryDetails
    /// The present, up to which running entries are measured.
    let now: Instant

    var entry: TimeEntry { details.entry }
    /// The duration in seconds.
    var seconds: Int { entry.duration(at: now) }

    static let described = list {
        Field("kind", .choice(["time_entry"]), "The kind of item.") { _ in "time_entry" }
        Field("id", .id, "The entry's identity.") { $0.entry.id.text }
        Field("start", .time, "Start.") { $1.iso($0.entry.start) }
        Field("end", .time, required: false, "End; absent while it runs.") { $0.entry.end.map($1.iso) }
        Field("duration", .seconds, "Duration in seconds, up to now if it runs.") { $0.seconds }
        Field("running", .bool, "Whether the timer runs.") { $0.entry.end == nil }
        Field("title", .string, "Description.") { $0.details.title }
            // A task's title may be that of a message.
            .foreign(if: { $0.entry.task != nil })
        Field("task", .id, required: false, "The task it was spent on.") { $0.entry.task?.text }
        Field("project", .string, required: false, "The project's name.") { $0.details.project }
        Field("customer", .string, required: false, "The project's customer.") { $0.details.customer }
        Field("tags", .array(.string), "Labels.") { $0.entry.tags }
        Field("billable", .bool, "Whether it is billable.") { $0.entry.isBillable }
        Field("note", .string, required: false, "Notes.") { $0.entry.note }
        Field("links", .array(.id), "Identities of entities it is linked with.") { item in
            [item.entry.task, item.entry.origin].compactMap { $0?.text }
        }
    }

    /// `9:00–10:30`, `9:00–…`
    func hours(_ viewer: Viewer) -> String {
        viewer.clock(entry.start) + "–" + (entry.end.map { viewer.clock($0) } ?? "…")
    }

    /// The cells of a table: id, hours, length, title, project, tags.
    /// - Parameter part: the part of the entry within one day.
    func cells(_ viewer: Viewer, part: TimeRange) -> [StyledText] {
        let isOpen = entry.end == nil && part.end >= now
        // A part up to midnight ends at 24:00.
        let end = viewer.zone.civil(part.end).secondOfDay
        let hours = viewer.clock(part.start) + "–" + (isOpen ? "…" : viewer.clock(end == 0 ? 86_400 : end))
        var title = StyledText(entry.end == nil ? "▶ " : "", TextStyle(.green, bold: true))
        title.append(details.title.isEmpty ? "(no title)" : details.title)
        if entry.isBillable { title.append(" $", TextStyle(.green)) }
        return [
            StyledText(viewer.short(entry.id), .dim), StyledText(hours),
            StyledText(DateWords.text(hours: part.duration)), title,
            StyledText(details.project ?? "", TextStyle(.blue)),
            StyledText(entry.tags.map { "+" + $0 }.joined(separator: " "), TextStyle(.cyan)),
        ]
    }
}

/// A report of time entries by day, with totals.
struct TimeLogReport: Report {
    static let schema = "helix.time.log/1"
    var items: [TimeItem]
    var isTruncated = false
    var empty = "No time was tracked."
    /// The range that is shown; entries are cut to it.
    var span: TimeRange?

    func limited(to count: Int) -> TimeLogReport {
        TimeLogReport(items: Array(items.prefix(count)), isTruncated: items.count > count, empty: empty, span: span)
    }

    /// The parts of the entries by day, as in the report of totals: an entry over midnight has two parts.
    func parts(_ zone: Zone) -> [(day: CivilDate, range: TimeRange, item: TimeItem)] {
        items.flatMap { item -> [(day: CivilDate, range: TimeRange, item: TimeItem)] in
            let whole = item.entry.range(at: max(item.now, item.entry.start))
            guard let shown = span.map({ whole.intersection($0) }) ?? whole, shown.duration > 0 else {
                return [(zone.date(whole.start), whole, item)]
            }
            var parts: [(day: CivilDate, range: TimeRange, item: TimeItem)] = []
            var from = shown.start
            while from < shown.end {
                let day = zone.date(from)
                let to = min(shown.end, zone.startOfDay(day + 1))
                parts.append((day, TimeRange(start: from, end: to), item))
                from = to
            }
            return parts
        }
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty {
            canvas.line(StyledText(empty, .dim))
            return
        }
        let days = Dictionary(grouping: parts(viewer.zone)) { $0.day.dayNumber }
        for (index, number) in days.keys.sorted().enumerated() {
            let own = days[number] ?? []
            if index > 0 { canvas.line() }
            var head = StyledText(viewer.day(CivilDate(dayNumber: number)), .bold)
            head.append("  " + DateWords.text(hours: own.reduce(0) { $0 + $1.range.duration }), .dim)
            canvas.line(head)
            var table = Table([
                .init(), .init(), .init(right: true), .init(minimum: 10), .init(minimum: 6), .init(minimum: 5),
            ])
            for part in own {
                var cells = part.item.cells(viewer, part: part.range)
                if canvas.width < 60 { (cells[4], cells[5]) = ("", "") }
                table.row(cells)
            }
            table.draw(on: &canvas, indent: canvas.width < 60 ? 0 : 2)
        }
        if days.count > 1 {
            canvas.line()
            let total = days.values.joined().reduce(0) { $0 + $1.range.duration }
            canvas.line(StyledText("Total \(DateWords.text(hours: total)).", .dim))
        }
        if isTruncated { canvas.line(StyledText("More results: raise --limit.", .dim)) }
    }
}

/// Changed time entries, with remarks.
struct TimeChangeReport: Report {
    static let schema = "helix.time.changed/1"
    /// The change of each entry: `Started`, `Stopped`.
    var changes: [(verb: String, item: TimeItem)]
    var remarks: [String] = []

    var items: [TimeItem] { changes.map(\.item) }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if changes.isEmpty, remarks.isEmpty { canvas.line(StyledText("Nothing changed.", .dim)) }
        for (verb, item) in changes {
            var line = StyledText(viewer.short(item.entry.id) + "  ", .dim)
            line.append(verb + "  ", TextStyle(.green))
            let range = item.entry.range(at: item.now)
            line.append(item.entry.end == nil ? viewer.moment(range.start) + "–…" : viewer.span(.timed(range)))
            line.append("  ")
            if item.seconds > 0 { line.append(DateWords.text(hours: item.seconds) + "  ", .dim) }
            line.append(item.details.title.isEmpty ? "(no title)" : item.details.title, .bold)
            if let project = item.details.project { line.append("  " + project, TextStyle(.blue)) }
            for tag in item.entry.tags { line.append(" +" + tag, TextStyle(.cyan)) }
            canvas.line(line.fitted(canvas.textWidth))
            var facts: [String] = []
            if let home = viewer.atHome {
                let own = home.span(.timed(range)) + (item.entry.end == nil ? "–…" : "")
                facts.append("\(viewer.zone.identifier); \(own) \(home.zone.identifier)")
            }
            if item.entry.isBillable { facts.append("billable") }
            if let note = item.entry.note { facts.append("note: " + SafeText.line(note)) }
            for fact in facts { canvas.line(StyledText("      " + fact, .dim).fitted(canvas.textWidth)) }
        }
        for remark in remarks { canvas.paragraph(remark, style: .dim) }
    }
}

extension CommandContext {
    /// The report items of time entries.
    func items(_ entries: [TimeEntryDetails]) -> [TimeItem] { entries.map { TimeItem(details: $0, now: now) } }

    /// Finds a time entry by a prefix of its id.
    /// - Throws: ``HelixError``.
    func timeEntry(_ prefix: String) throws -> TimeEntryDetails {
        let store = try store()
        return try store.timeEntry(try store.entity(EntityPrefix(prefix), kinds: [.timeEntry]).id)
    }

    /// Reports changed time entries.
    /// - Throws: ``HelixError``.
    func presentTime(_ changes: [(String, TimeEntryDetails)], remarks: [String] = []) throws {
        let report = TimeChangeReport(
            changes: changes.map { (verb: $0.0, item: TimeItem(details: $0.1, now: now)) }, remarks: remarks)
        let live = try store().entities(changes.map(\.1.entry.id))
        var short = output.isMachine ? [:] : try store().shortIDs(live.keys.map { $0 })
        for (_, details) in changes where short[details.entry.id] == nil {
            short[details.entry.id] = String(details.entry.id.text.prefix(4))
        }
        try present(report, shortIDs: short)
    }

    /// Remarks on overlapping entries that were adjusted.
    static func remarks(_ adjustment: TimeAdjustment) -> [String] {
        func count(_ ids: [EntityID], _ what: String) -> String? {
            ids.isEmpty ? nil : "\(ids.count) entr\(ids.count == 1 ? "y was" : "ies were") \(what)."
        }
        return [
            count(adjustment.trimmed, "trimmed"), count(adjustment.divided, "divided"),
            count(adjustment.removed, "removed"),
        ].compactMap { $0 }
    }
}
