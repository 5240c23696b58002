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
struct PlanItem: DescribedItem {
    let action: String

    static let described = list {
        Field("kind", .choice(["plan"]), "The kind of the item.") { _ in "plan" }
        Field("action", .string, "The step, in words.") { $0.action }
    }

}

extension CommandContext {
    /// Prints a step that would be done outside of the store.
    /// - Throws: ``HelixError``.
    func presentPlan(_ action: String) throws { try present(PlanReport(items: [PlanItem(action: action)])) }
}
