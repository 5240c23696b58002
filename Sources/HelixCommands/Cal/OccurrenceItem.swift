import HelixCalendar
import HelixModel
import HelixTerminal

/// An occurrence in a report, with the events that it conflicts with.
struct OccurrenceItem: ReportItem {
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

    static let fields = [
        SchemaField("kind", .choice(["event"]), "The kind of the item."),
        SchemaField("id", .id, "The event's identity; the same for all its occurrences."),
        SchemaField("uid", .string, "UID of RFC 5545."),
        SchemaField("calendar", .string, "The calendar's name."),
        SchemaField("title", .string, "SUMMARY."),
        SchemaField("start", .time, "Start; a date if it is all-day."),
        SchemaField("end", .time, "End; if it is all-day, the day after the last."),
        SchemaField("all_day", .bool, "Whether it is all-day."),
        SchemaField("zone", .string, required: false, "The zone whose wall time the event keeps."),
        SchemaField("location", .string, required: false, "LOCATION."),
        SchemaField("url", .string, required: false, "URL."),
        SchemaField("categories", .array(.string), "CATEGORIES."),
        SchemaField("status", .choice(EventStatus.allCases.map(\.rawValue)), "STATUS."),
        SchemaField("busy", .bool, "Whether the time is shown as busy."),
        SchemaField("declined", .bool, "Whether you declined it."),
        SchemaField("recurring", .bool, "Whether the event repeats."),
        SchemaField(
            "recurrence_id", .string, required: false, "The occurrence's original start, in RFC 5545 format."),
        SchemaField("travel", .seconds, required: false, "Travel time before the start, in seconds."),
        SchemaField("conflicts", .array(.string), "Identities of the events it conflicts with."),
        SchemaField("links", .array(.id), "Identities of entities it is linked with."),
    ]

    func json(for viewer: Viewer) -> JSONObject {
        let event = occurrence
        var json = JSONObject()
        json.set("kind", EntityKind.event.rawValue)
        json.set("id", event.event.text)
        json.set("uid", event.uid)
        json.set("calendar", event.calendar.name)
        json.set("title", event.title)
        switch event.time {
        case .days(let first, let end):
            json.set("start", ISO8601.text(first))
            json.set("end", ISO8601.text(end))
        case .timed(let range):
            json.set("start", viewer.iso(range.start))
            json.set("end", viewer.iso(range.end))
        }
        json.set("all_day", event.time.isAllDay)
        json.set("zone", event.zone)
        json.set("location", event.location)
        json.set("url", event.url)
        json.set("categories", event.categories)
        json.set("status", event.status.rawValue)
        json.set("busy", event.isBusy)
        json.set("declined", event.isDeclined)
        json.set("recurring", event.isRecurring)
        json.set("recurrence_id", event.recurrenceID)
        json.set("travel", event.travel > 0 ? event.travel : nil)
        json.set("conflicts", conflicts.map(\.text))
        json.set("links", links.map(\.text))
        return json
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
