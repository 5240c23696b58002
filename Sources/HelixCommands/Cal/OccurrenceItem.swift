import HelixCalendar
import HelixModel
import HelixStore
import HelixTerminal

/// An occurrence in a report, with the events that it conflicts with.
struct OccurrenceItem: DescribedItem {
    let occurrence: Occurrence
    let conflicts: [EntityID]
    /// Whether it has conflicts; a sheet knows that without knowing which.
    let isInConflict: Bool
    /// The linked entities; looked up for programs only.
    var links: [EntityID] = []

    init(occurrence: Occurrence, conflicts: [EntityID]) {
        self.occurrence = occurrence
        self.conflicts = conflicts
        isInConflict = !conflicts.isEmpty
    }

    init(occurrence: Occurrence, isInConflict: Bool) {
        self.occurrence = occurrence
        self.isInConflict = isInConflict
        conflicts = []
    }

    static let described = list {
        Field("kind", .choice(["event"]), "The kind of the item.") { _ in EntityKind.event.rawValue }
        Field("id", .id, "The event's identity; the same for all its occurrences.") { $0.occurrence.event }
        Field("uid", .string, "UID of RFC 5545.") { $0.occurrence.uid }.foreignUnlessWord
        Field("calendar", .string, "The calendar's name.") { $0.occurrence.calendar.name }
        Field("title", .string, "SUMMARY.") { $0.occurrence.title }.foreign
        Field("start", .time, "Start; a date if it is all-day.") { $1.ends(of: $0.occurrence.time).start }
        Field("end", .time, "End; if it is all-day, the day after the last.") { $1.ends(of: $0.occurrence.time).end }
        Field("all_day", .bool, "Whether it is all-day.") { $0.occurrence.time.isAllDay }
        Field("zone", .string, required: false, "The zone whose wall time the event keeps.") { $0.occurrence.zone }
            .foreign { $0.occurrence.zone.map { ZoneDatabase.zone(named: $0) == nil } ?? false }
        Field("location", .string, required: false, "LOCATION.") { $0.occurrence.location }.foreign
        Field("url", .string, required: false, "URL.") { $0.occurrence.url }.foreign
        Field("categories", .array(.string), "CATEGORIES.") { $0.occurrence.categories }.foreignUnlessWord
        Field("status", .choice(EventStatus.allCases.map(\.rawValue)), "STATUS.") { $0.occurrence.status.rawValue }
        Field("busy", .bool, "Whether the time is shown as busy.") { $0.occurrence.isBusy }
        Field("declined", .bool, "Whether you declined it.") { $0.occurrence.isDeclined }
        Field("recurring", .bool, "Whether the event repeats.") { $0.occurrence.isRecurring }
        Field(
            "recurrence_id", .string, required: false, "The occurrence's original start, in RFC 5545 format."
        ) { $0.occurrence.recurrenceID }
        Field("travel", .seconds, required: false, "Travel time before the start, in seconds.") {
            $0.occurrence.travel > 0 ? $0.occurrence.travel : nil
        }
        Field("conflicts", .array(.string), "Identities of the events it conflicts with.") { $0.conflicts }
        Field("links", .array(.id), "Identities of entities it is linked with.") { $0.links }
    }
    /// `!` if it has conflicts.
    var mark: String { isInConflict ? "!" : "" }

    /// The title with signs in addition to colours: `?` tentative, `✗` cancelled or declined.
    var label: String {
        let title = occurrence.title.isEmpty ? "(no title)" : occurrence.title
        if occurrence.status == .cancelled || occurrence.isDeclined { return "✗ " + title }
        return occurrence.status == .tentative ? "? " + title : title
    }

    /// The label for a place where lines break: the sign stays with the title.
    var unbrokenLabel: String {
        let label = label
        return label.hasPrefix("? ") || label.hasPrefix("✗ ") ? String(label.prefix(1) + label.dropFirst(2)) : label
    }

    /// How the title looks: in its calendar's colour, fainter if it takes no time.
    var style: TextStyle {
        if isInConflict { return TextStyle(.red, bold: true) }
        if occurrence.status == .cancelled || occurrence.isDeclined { return TextStyle(dim: true, struck: true) }
        return TextStyle(occurrence.calendar.color.terminal, dim: !occurrence.isBusy)
    }

    /// Creates items of occurrences, with the conflicts among them.
    static func list(_ occurrences: [Occurrence], policy: ConflictPolicy) -> [OccurrenceItem] {
        zip(occurrences, occurrences.conflictPartners(policy: policy)).map { occurrence, partners in
            OccurrenceItem(occurrence: occurrence, conflicts: partners)
        }
    }
}

extension CommandContext {
    /// Items with their links, if the output is for programs.
    /// - Throws: ``HelixError``.
    func linked(_ items: [OccurrenceItem]) throws -> [OccurrenceItem] {
        guard output.isMachine else { return items }
        let links = try store().partners(of: Set(items.map(\.occurrence.event)))
        return items.map { item in
            var linked = item
            linked.links = links[item.occurrence.event] ?? []
            return linked
        }
    }
}

extension CalendarColor {
    /// The corresponding terminal colour.
    var terminal: TerminalColor {
        switch self {
        case .blue: .blue
        case .green: .green
        case .magenta: .magenta
        case .yellow: .yellow
        case .cyan: .cyan
        case .red: .red
        case .orange: .orange
        case .gray: .gray
        }
    }
}

extension [OccurrenceItem] {
    /// A line with the names of the calendars in their colours, and the number of conflicts.
    func legend() -> StyledText {
        var known: Set<EntityID> = []
        var calendars: [CalendarRef] = []
        for item in self where known.insert(item.occurrence.calendar.id).inserted {
            calendars.append(item.occurrence.calendar)
        }
        return .legend(calendars, conflicts: count { $0.isInConflict })
    }
}

extension StyledText {
    /// A line with the names of the calendars in their colours, and the number of conflicts.
    static func legend(_ calendars: [CalendarRef], conflicts count: Int) -> StyledText {
        var line = StyledText()
        for (place, calendar) in calendars.enumerated() {
            if place > 0 { line.append("  ") }
            line.append("■ ", TextStyle(calendar.color.terminal))
            line.append(calendar.name, .dim)
        }
        if count > 0 {
            line.append(line.width > 0 ? "  " : "")
            line.append("! \(count) in conflict", TextStyle(.red, bold: true))
        }
        return line
    }
}

extension Viewer {
    /// The start and the end of an occurrence in JSON: days, or times on the viewer's clock.
    func ends(of time: OccurrenceTime) -> (start: String, end: String) {
        switch time {
        case .days(let first, let end): (ISO8601.text(first), ISO8601.text(end))
        case .timed(let range): (iso(range.start), iso(range.end))
        }
    }
}
