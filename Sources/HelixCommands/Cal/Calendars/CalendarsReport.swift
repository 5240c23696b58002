import HelixModel
import HelixStore
import HelixTerminal

extension CalendarRecord: DescribedItem {
    static let described = list {
        Field("kind", .choice(["calendar"]), "The kind of the item.") { _ in EntityKind.calendar.rawValue }
        Field("id", .id, "The calendar's identity.") { $0.id }
        Field("name", .string, "Its name.") { $0.name }
        Field("color", .choice(CalendarColor.allCases.map(\.rawValue)), "Its colour.") { $0.color.rawValue }
        Field("hidden", .bool, "Whether it is hidden in views.") { $0.isHidden }
        Field("default", .bool, "Whether it is the default calendar for new events.") { $0.isDefault }
        Field("read_only", .bool, "Whether it is read-only on its server.") { $0.isReadOnly }
        Field("events", .integer, "Number of events.") { $0.count }
        Field("links", .array(.id), "Identities of entities it is linked with.") { _ in [String]() }
    }
}

/// Calendars.
struct CalendarsReport: OrderedReport {
    static let schema = "helix.cal.calendars/1"
    var items: [CalendarRecord]
    var isTruncated = false

    func limited(to count: Int) -> CalendarsReport {
        CalendarsReport(items: Array(items.prefix(count)), isTruncated: items.count > count)
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty {
            canvas.line(StyledText("No calendars yet. 'helix cal add' and 'helix cal import' create one.", .dim))
        }
        var table = Table([.init(), .init(minimum: 8), .init(right: true), .init()])
        for calendar in items {
            var notes: [String] = []
            if calendar.isDefault { notes.append("default") }
            if calendar.isHidden { notes.append("hidden") }
            if calendar.isReadOnly { notes.append("read-only") }
            table.row([
                StyledText("■", TextStyle(calendar.color.terminal)),
                StyledText(calendar.name, TextStyle(bold: !calendar.isHidden, dim: calendar.isHidden)),
                StyledText("\(calendar.count) event\(calendar.count == 1 ? "" : "s")"),
                StyledText(notes.joined(separator: ", "), .dim),
            ])
        }
        table.draw(on: &canvas)
    }
}
