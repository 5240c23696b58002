import HelixModel
import HelixStore
import HelixTerminal

/// A project's file in a report.
struct FileItem: DescribedItem {
    let file: FileRecord
    /// The project's name.
    let project: String
    let state: FileState
    /// The path of the stored file.
    let path: String?

    static let described = list {
        Field("kind", .choice(["file"]), "The kind of the item.") { _ in "file" }
        Field("id", .id, "The file's identity.") { $0.file.id.text }
        Field("name", .string, "Its name.") { $0.file.name }
        Field("project", .string, "The project's name.") { $0.project }
        Field("role", .choice(FileRole.allCases.map(\.rawValue)), "Description.") { $0.file.role.rawValue }
        Field("size", .integer, "Size in bytes.") { $0.file.size }
        Field("sha256", .string, "The SHA-256 of its content.") { $0.file.sha256 }
        Field("state", .choice(FileState.allCases.map(\.rawValue)), "The state of the stored file.") {
            $0.state.rawValue
        }
        Field("path", .string, required: false, "The path of the stored file; read-only.") { $0.path }
        Field("created_at", .time, "When it was attached.") { $1.iso($0.file.createdAt) }
        Field("links", .array(.id), "Always empty here; 'helix show' lists them.") { _ in [String]() }
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
