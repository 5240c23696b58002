import HelixModel
import HelixTerminal

/// A step outside of the store that a dry run leaves out.
struct PlanReport: CuttableReport {
    static let schema = "helix.plan/1"
    var items: [PlanItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        for item in items { canvas.paragraph("Would \(item.action).") }
    }
}

/// Such a step.
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
    /// Says what would be done elsewhere.
    /// - Throws: ``HelixError``.
    func presentPlan(_ action: String) throws { try present(PlanReport(items: [PlanItem(action: action)])) }
}
