import HelixModel
import HelixStore
import HelixTerminal

/// A project's file in a report.
struct FileItem: ReportItem {
    let file: FileRecord
    /// The project's name.
    let project: String
    let state: FileState
    /// The path of the stored file.
    let path: String?

    static let fields = [
        SchemaField("kind", .choice(["file"]), "The kind of the item."),
        SchemaField("id", .id, "The file's identity."),
        SchemaField("name", .string, "Its name."),
        SchemaField("project", .string, "The project's name."),
        SchemaField("role", .choice(FileRole.allCases.map(\.rawValue)), "Description."),
        SchemaField("size", .integer, "Size in bytes."),
        SchemaField("sha256", .string, "The SHA-256 of its content."),
        SchemaField("state", .choice(FileState.allCases.map(\.rawValue)), "The state of the stored file."),
        SchemaField("path", .string, required: false, "The path of the stored file; read-only."),
        SchemaField("created_at", .time, "When it was attached."),
        SchemaField("links", .array(.id), "Always empty here; 'helix show' lists them."),
    ]

    func json(for viewer: Viewer) -> JSONObject {
        var json = JSONObject()
        json.set("kind", "file")
        json.set("id", file.id.text)
        json.set("name", file.name)
        json.set("project", project)
        json.set("role", file.role.rawValue)
        json.set("size", file.size)
        json.set("sha256", file.sha256)
        json.set("state", state.rawValue)
        json.set("path", path)
        json.set("created_at", viewer.iso(file.createdAt))
        json.set("links", [String]())
        return json
    }

    /// `340 B`, `12 KB`, `3.4 MB`
    var sizeText: String { ByteCount.text(file.size) }
}

/// Files of projects.
struct FileReport: CuttableReport {
    static let schema = "helix.projects.files/1"
    var items: [FileItem]
    var isTruncated = false
    /// Whether the contents were verified.
    var isChecked = false
    /// The path of the written copy, if any.
    var savedTo: String?

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if let savedTo {
            var line = StyledText("Saved  ", TextStyle(.green))
            line.append(savedTo)
            return canvas.line(line)
        }
        if items.isEmpty {
            canvas.line(StyledText("No files. 'helix projects attach PROJECT FILE' attaches one.", .dim))
        }
        FileReport.table(items, isChecked: isChecked, viewer, hasProject: Set(items.map(\.project)).count > 1)
            .draw(on: &canvas)
    }

    /// One line for each file.
    static func table(_ items: [FileItem], isChecked: Bool = false, _ viewer: Viewer, hasProject: Bool) -> Table {
        var table = Table([
            .init(), .init(minimum: 12), .init(importance: 3), .init(right: true, importance: 4), .init(importance: 1),
            .init(minimum: 6, importance: 2), .init(),
        ])
        for item in items {
            var state = StyledText()
            switch item.state {
            case .whole: state = StyledText(isChecked ? "✓" : "", TextStyle(.green))
            case .changed: state = StyledText("✗ changed", TextStyle(.red, bold: true))
            case .missing: state = StyledText("✗ missing", TextStyle(.red, bold: true))
            }
            table.row([
                StyledText(viewer.short(item.file.id), .dim), StyledText(item.file.name),
                StyledText(item.file.role.rawValue, TextStyle(.cyan)), StyledText(item.sizeText),
                StyledText(viewer.near(.date(viewer.zone.date(item.file.createdAt))), .dim),
                StyledText(hasProject ? item.project : "", TextStyle(.blue)), state,
            ])
        }
        return table
    }
}
