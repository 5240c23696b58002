import HelixModel
import HelixTasks
import HelixTerminal

/// The result of an import.
struct TaskImportResult: DescribedItem {
    var isDryRun: Bool
    var created = 0
    var updated = 0
    var unchanged = 0
    var older = 0
    var defects: [ForeignDefect] = []
    var kept: [String: Int] = [:]
    var omitted: [String: Int] = [:]

    static let described = list {
        Field("kind", .choice(["import"]), "The kind of item.") { _ in "import" }
        Field("dry_run", .bool, "Whether it was a dry run: nothing was saved.") { $0.isDryRun }
        Field("created", .integer, "New tasks.") { $0.created }
        Field("updated", .integer, "Existing tasks that are newer in the file.") { $0.updated }
        Field("unchanged", .integer, "Existing tasks that are equal in the file.") { $0.unchanged }
        Field("older", .integer, "Existing tasks that are older in the file.") { $0.older }
        Field(
            "kept", listing: { $0.kept.sorted { $0.key < $1.key } },
            "Properties without a field in helix, kept for export."
        ) {
            ReportField("name", .string, "The property.") { $0.key }
            ReportField("count", .integer, "Its count.") { $0.value }
        }
        Field(
            "omitted", listing: { $0.omitted.sorted { $0.key < $1.key } }, "Items of the file that were not imported."
        ) {
            ReportField("name", .string, "The kind of item.") { $0.key }
            ReportField("count", .integer, "Its count.") { $0.value }
        }
        Field("defects", listing: { $0.defects }, "Parts that could not be imported.") {
            ReportField("place", .string, "The location.") { $0.place }
            ReportField("reason", .string, "The reason.") { $0.reason }
        }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
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
        let partial = result.defects.count { $0.isPartial }
        for (count, noun, verb) in [
            (result.defects.count - partial, "part", "could not be imported"), (partial, "value", "could not be used"),
        ] where count > 0 {
            canvas.paragraph("\(count) \(noun)\(count == 1 ? "" : "s") \(verb).", style: TextStyle(.yellow))
        }
    }
}
