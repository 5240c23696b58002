import HelixModel
import HelixStore
import HelixTerminal

extension CalendarRecord: ReportItem {
    static let fields = [
        SchemaField("kind", .choice(["calendar"]), "The kind of the item."),
        SchemaField("id", .id, "The calendar's identity."),
        SchemaField("name", .string, "Its name."),
        SchemaField("color", .choice(CalendarColor.allCases.map(\.rawValue)), "Its colour."),
        SchemaField("hidden", .bool, "Whether it is hidden in views."),
        SchemaField("default", .bool, "Whether it is the default calendar for new events."),
        SchemaField("read_only", .bool, "Whether it is read-only on its server."),
        SchemaField("events", .integer, "Number of events."),
        SchemaField("links", .array(.id), "Identities of entities it is linked with."),
    ]

    func json(for viewer: Viewer) -> JSONObject {
        var json = JSONObject()
        json.set("kind", EntityKind.calendar.rawValue)
        json.set("id", id.text)
        json.set("name", name)
        json.set("color", color.rawValue)
        json.set("hidden", isHidden)
        json.set("default", isDefault)
        json.set("read_only", isReadOnly)
        json.set("events", count)
        json.set("links", [String]())
        return json
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
