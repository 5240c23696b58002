import HelixModel
import HelixTerminal

/// The steps outside of the store that a dry run skips.
struct PlanReport: CuttableReport {
    static let schema = "helix.plan/1"
    var items: [PlanItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        for item in items { canvas.paragraph("Would \(item.action).") }
    }
}

/// A step that a dry run skips.
struct PlanItem: ReportItem {
    let action: String

    static let fields = [
        SchemaField("kind", .choice(["plan"]), "The kind of the item."),
        SchemaField("action", .string, "The step, in words."),
    ]

    func json(for viewer: Viewer) -> JSONObject {
        var json = JSONObject()
        json.set("kind", "plan")
        json.set("action", action)
        return json
    }
}

extension CommandContext {
    /// Prints a step that would be done outside of the store.
    /// - Throws: ``HelixError``.
    func presentPlan(_ action: String) throws { try present(PlanReport(items: [PlanItem(action: action)])) }
}
