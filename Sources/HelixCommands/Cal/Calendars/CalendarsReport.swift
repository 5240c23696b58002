import HelixModel
import HelixStore
import HelixTerminal

/// A calendar with the number of its events.
struct CalendarItem: DescribedItem {
    let calendar: CalendarRecord
    let count: Int

    static let described = list {
        Field("kind", .choice(["calendar"]), "The kind of the item.") { _ in EntityKind.calendar.rawValue }
        Field("id", .id, "The calendar's identity.") { $0.calendar.id }
        Field("name", .string, "Its name.") { $0.calendar.name }
        Field("color", .choice(CalendarColor.allCases.map(\.rawValue)), "Its colour.") { $0.calendar.color.rawValue }
        Field("hidden", .bool, "Whether it is hidden in views.") { $0.calendar.isHidden }
        Field("default", .bool, "Whether it is the default calendar for new events.") { $0.calendar.isDefault }
        Field("read_only", .bool, "Whether it is read-only on its server.") { $0.calendar.isReadOnly }
        Field("events", .integer, "Number of events.") { $0.count }
        Field("links", .array(.id), "Identities of entities it is linked with.") { _ in [String]() }
    }
}

extension CommandContext {
    /// All calendars with the numbers of their events, or the one with an ID.
    /// - Throws: ``HelixError``.
    func calendarItems(_ id: EntityID? = nil) throws -> [CalendarItem] {
        let counts = try store().eventCounts()
        return try store().calendars().filter { id == nil || $0.id == id }
            .map { CalendarItem(calendar: $0, count: counts[$0.id] ?? 0) }
    }
}

/// Calendars.
struct CalendarsReport: CuttableReport {
    static let schema = "helix.cal.calendars/1"
    var items: [CalendarItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty {
            canvas.line(StyledText("No calendars yet. 'helix cal add' and 'helix cal import' create one.", .dim))
        }
        var table = Table([.init(), .init(minimum: 8), .init(right: true), .init()])
        for (calendar, count) in items.map({ ($0.calendar, $0.count) }) {
            var notes: [String] = []
            if calendar.isDefault { notes.append("default") }
            if calendar.isHidden { notes.append("hidden") }
            if calendar.isReadOnly { notes.append("read-only") }
            table.row([
                StyledText("■", TextStyle(calendar.color.terminal)),
                StyledText(calendar.name, TextStyle(bold: !calendar.isHidden, dim: calendar.isHidden)),
                StyledText("\(count) event\(count == 1 ? "" : "s")"),
                StyledText(notes.joined(separator: ", "), .dim),
            ])
        }
        table.draw(on: &canvas)
    }
}
