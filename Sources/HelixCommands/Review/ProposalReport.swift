import HelixModel
import HelixStore
import HelixTerminal

/// A proposal in a report.
struct ProposalItem: DescribedItem {
    let proposal: Proposal
    /// The reason why its open steps cannot be accepted together; nil if they can, or if it was not looked for.
    var conflict: String?

    static let described = list {
        Field("kind", .choice(["proposal"]), "The kind of the item.") { _ in "proposal" }
        Field("id", .id, "The proposal's identity.") { $0.proposal.id.text }
        Field("by", .string, "The agent.") { $0.proposal.profile }
        Field("run", .string, "The agent's run.") { $0.proposal.run }
        Field("made_at", .time, "When its first step was made.") { $1.iso($0.proposal.madeAt) }
        Field("pending", .integer, "The number of steps without a decision.") {
            $0.proposal.steps.count { $0.state == .pending }
        }
        Field("steps", listing: { $0.proposal.steps }, "Its steps, one for each command.") {
            ReportField("number", .integer, "Its number.") { $0.number }
            ReportField("state", .choice(Proposal.State.allCases.map(\.rawValue)), "The decision.") {
                $0.state.rawValue
            }
            ReportField("command", .string, "The command.") { $0.command }
            ReportField("summary", .string, "The changes in words.") { $0.summary }.foreign
            ReportField("made_at", .time, "When the agent made them.") { $1.iso($0.madeAt) }
            ReportField("entities", listing: { $0.entities }, "The changed items.") { EntityDifference.described }
        }
        Field(
            "conflict", .string, required: false,
            "Why the steps without a decision cannot be accepted together; 'helix review show' looks for it."
        ) { $0.conflict }
        Field("comments", listing: { $0.proposal.comments }, "The comments.") {
            ReportField("author", .string, "The author: person, or the agent.") { $0.author }
            ReportField("made_at", .time, "When it was made.") { $1.iso($0.madeAt) }
            ReportField("text", .string, "The comment.") { $0.text }
        }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }
}

/// Proposals, with their differences if one is shown alone.
struct ProposalReport: CuttableReport {
    static let schema = "helix.review/1"
    var items: [ProposalItem]
    var isTruncated = false
    var empty = ""
    /// Whether the differences are shown.
    var isWhole = false
    /// The steps about which the command decided, and the decision.
    var decided: Set<Int> = []
    var verb = ""
    /// Additional remarks.
    var remarks: [String] = []

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { canvas.line(StyledText(empty, .dim)) }
        for (place, item) in items.enumerated() {
            if place > 0 { canvas.line("") }
            if verb.isEmpty {
                draw(item.proposal, on: &canvas, for: viewer)
                if let conflict = item.conflict {
                    canvas.line("")
                    canvas.paragraph(
                        SafeText.line("It cannot be accepted as it is: \(conflict)."), style: TextStyle(.yellow))
                }
            } else {
                draw(decisions: item.proposal, on: &canvas)
            }
        }
        if isTruncated { canvas.line(StyledText("More results: raise --limit.", .dim)) }
        if !remarks.isEmpty { canvas.line("") }
        for remark in remarks { canvas.paragraph(remark, style: TextStyle(.yellow)) }
    }

    private func draw(decisions proposal: Proposal, on canvas: inout Canvas) {
        for step in proposal.steps where decided.contains(step.number) {
            var line = StyledText(
                verb + "  ", TextStyle(verb == "accepted" ? .green : verb == "rejected" ? .red : .yellow))
            line.append(step.summary)
            canvas.line(line.fitted(canvas.textWidth))
        }
        let left = proposal.steps.count { $0.state == .pending }
        if left > 0 {
            canvas.line(
                StyledText("\(left) step\(left == 1 ? "" : "s") of \(proposal.id.text.prefix(4)) left to review", .dim))
        }
    }

    private func draw(_ proposal: Proposal, on canvas: inout Canvas, for viewer: Viewer) {
        let civil = viewer.zone.civil(proposal.madeAt)
        var head = StyledText(String(proposal.id.text.prefix(4)), .bold)
        head.append("  by ")
        head.append(proposal.profile, TextStyle(.magenta))
        head.append("  \(DateWords.text(civil.date)) \(viewer.clock(civil.secondOfDay))", .dim)
        if !proposal.run.isEmpty { head.append("  run \(proposal.run)", .dim) }
        canvas.line(head.fitted(canvas.textWidth))
        for step in proposal.steps {
            var line = StyledText("  \(step.number)  ", .dim)
            line.append(step.summary, step.state == .pending ? .plain : .dim)
            if step.state != .pending {
                line.append("  \(step.state.rawValue)", TextStyle(step.state == .accepted ? .green : .red))
            }
            canvas.line(line.fitted(canvas.textWidth))
            if isWhole { for entity in step.entities { entity.draw(on: &canvas, for: viewer) } }
            if isWhole, !step.entities.isEmpty, step.number != proposal.steps.last?.number { canvas.line("") }
        }
        if isWhole, !proposal.comments.isEmpty { canvas.line("") }
        for comment in proposal.comments {
            canvas.paragraph("\(comment.author): \(SafeText.line(comment.text))", indent: 2, style: .dim)
        }
    }
}
