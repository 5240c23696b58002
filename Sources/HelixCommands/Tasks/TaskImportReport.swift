import HelixTasks
import HelixTerminal

/// The result of an import.
struct TaskImportResult: ReportItem {
    var isDryRun: Bool
    var created = 0
    var updated = 0
    var unchanged = 0
    var older = 0
    var defects: [ForeignDefect] = []
    var kept: [String: Int] = [:]
    var omitted: [String: Int] = [:]

    static let fields = [
        SchemaField("kind", .choice(["import"]), "The kind of item."),
        SchemaField("dry_run", .bool, "Whether it was a dry run: nothing was saved."),
        SchemaField("created", .integer, "New tasks."),
        SchemaField("updated", .integer, "Existing tasks that are newer in the file."),
        SchemaField("unchanged", .integer, "Existing tasks that are equal in the file."),
        SchemaField("older", .integer, "Existing tasks that are older in the file."),
        SchemaField(
            "kept",
            .array(
                .object([SchemaField("name", .string, "The property."), SchemaField("count", .integer, "Its count.")])),
            "Properties without a field in helix, kept for export."),
        SchemaField(
            "omitted",
            .array(
                .object([
                    SchemaField("name", .string, "The kind of item."), SchemaField("count", .integer, "Its count."),
                ])
            ),
            "Items of the file that were not imported."),
        SchemaField(
            "defects",
            .array(
                .object([SchemaField("place", .string, "The location."), SchemaField("reason", .string, "The reason.")])
            ),
            "Parts that could not be imported."),
        SchemaField("links", .array(.id), "Always empty."),
    ]

    func json(for viewer: Viewer) -> JSONObject {
        var json = JSONObject()
        json.set("kind", "import")
        json.set("dry_run", isDryRun)
        json.set("created", created)
        json.set("updated", updated)
        json.set("unchanged", unchanged)
        json.set("older", older)
        json.set(
            "kept",
            kept.sorted { $0.key < $1.key }.map { name, count in
                var object = JSONObject()
                object.set("name", name)
                object.set("count", count)
                return object
            })
        json.set(
            "omitted",
            omitted.sorted { $0.key < $1.key }.map { name, count in
                var object = JSONObject()
                object.set("name", name)
                object.set("count", count)
                return object
            })
        json.set(
            "defects",
            defects.map { defect in
                var object = JSONObject()
                object.set("place", defect.place)
                object.set("reason", defect.reason)
                return object
            })
        json.set("links", [String]())
        return json
    }
}

/// A report of an import.
struct TaskImportReport: Report {
    static let schema = "helix.tasks.import/1"
    static let isList = false
    let items: [TaskImportResult]

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        guard let result = items.first else { return }
        let verb = result.isDryRun ? "Would import" : "Imported"
        var parts = ["\(result.created) new"]
        if result.updated > 0 { parts.append("\(result.updated) updated") }
        if result.unchanged > 0 { parts.append("\(result.unchanged) unchanged") }
        if result.older > 0 { parts.append("\(result.older) older than stored and skipped") }
        canvas.paragraph("\(verb) \(parts.joined(separator: ", ")).")
        if !result.kept.isEmpty {
            let list = result.kept.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
            canvas.paragraph("Kept for export, as helix has no field for them: \(list).", style: .dim)
        }
        if !result.omitted.isEmpty {
            let list = result.omitted.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }.joined(
                separator: ", ")
            canvas.paragraph("Not imported: \(list).", style: TextStyle(.yellow))
        }
        if !result.defects.isEmpty {
            canvas.paragraph(
                "\(result.defects.count) part\(result.defects.count == 1 ? "" : "s") could not be imported.",
                style: TextStyle(.yellow))
        }
    }
}
