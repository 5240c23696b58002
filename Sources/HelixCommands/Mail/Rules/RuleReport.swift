import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// A rule for mail in a report.
struct RuleItem: DescribedItem {
    let rule: MailRule
    /// Why it did not run when mail arrived last.
    var problem: String?
    /// The accounts whose servers run it.
    var servers: [String] = []

    static let described = list {
        Field("kind", .choice(["rule"]), "The kind of item.") { _ in EntityKind.rule.rawValue }
        Field("id", .id, "Its identity.") { $0.rule.id }
        Field("name", .string, "Its name.") { $0.rule.name }
        Field("query", .string, "The messages, as a query.") { $0.rule.query }
        Field("actions", .array(.string), "The actions in order, such as 'label bills'.") {
            $0.rule.actions.map(\.text)
        }
        Field("stop", .bool, "Whether later rules pass over the messages that match.") { $0.rule.stops }
        Field("active", .bool, "Whether it is used.") { $0.rule.isActive }
        Field("problem", .string, required: false, "Why it did not run when mail arrived last.") { $0.problem }
    }

    /// All rules, in order.
    /// - Throws: ``HelixError``.
    static func list(_ store: Store) throws -> [RuleItem] {
        let problems = try store.ruleProblems()
        return try store.mailRules().map { RuleItem(rule: $0, problem: problems[$0.id]) }
    }

    /// The actions in one line.
    var actions: String {
        (rule.actions.map(\.text) + (rule.stops ? ["stop"] : [])).joined(separator: ", ")
    }
}

/// Rules for mail, in their order.
struct RulesReport: CuttableReport {
    static let schema = "helix.mail.rules/1"
    var items: [RuleItem]
    var isTruncated = false
    var isDeleted = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if isDeleted {
            for item in items { canvas.line("Deleted '\(item.rule.name)'. 'helix undo' restores it.") }
            return
        }
        if items.isEmpty {
            canvas.line(StyledText("No rules. 'helix mail rules add NAME QUERY --label bills' adds one.", .dim))
        }
        for item in items {
            var head = StyledText(item.rule.name, .bold)
            if !item.rule.isActive { head.append(" (off)", TextStyle(.yellow)) }
            // A query is never cut: what is hidden could be the part that matters.
            if head.width + 2 + StyledText(item.rule.query).width <= canvas.textWidth {
                canvas.flow([head, StyledText(item.rule.query)])
            } else {
                canvas.paragraph(item.rule.name + (item.rule.isActive ? "" : " (off)"), style: .bold)
                canvas.paragraph(item.rule.query, indent: 2)
            }
            canvas.paragraph("→ " + item.actions, indent: 2, style: .dim)
            if let problem = item.problem {
                canvas.paragraph("did not run: \(problem)", indent: 2, style: TextStyle(.yellow))
            }
        }
    }
}
