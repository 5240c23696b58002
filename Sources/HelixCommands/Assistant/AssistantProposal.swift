import HelixModel
import HelixStore
import HelixTerminal

/// Changes that an assistant proposes: each command is a step that a person accepts or rejects.
struct AssistantProposal {
    private let assistant: Assistant
    /// The changes that were not proposed, with the reasons.
    private(set) var remarks: [String]

    /// - Parameter remarks: remarks from before.
    init(_ assistant: Assistant, remarks: [String] = []) { (self.assistant, self.remarks) = (assistant, remarks) }

    /// Adds a remark.
    mutating func remark(_ text: String) { remarks.append(text) }

    /// Runs a command as a step of the proposal; a failure becomes a remark.
    /// - Parameter what: the change in words, for the remark.
    /// - Returns: the JSON of the command; nil if it failed.
    @discardableResult
    mutating func propose(_ words: [String], _ what: String) -> JSONText? {
        do { return try assistant.propose(words) } catch {
            remarks.append("Not proposed: \(what): \((error as? HelixError)?.message ?? "the command failed").")
            return nil
        }
    }

    /// Presents the proposal with its differences.
    /// - Parameter reasons: a line for the reason of each step, in the order of the steps.
    /// - Throws: ``HelixError``.
    func present(nothing: String, reasons: [String] = []) throws {
        let context = assistant.context
        let made = try context.store().proposals(isPending: true).first { $0.run == assistant.run }
        guard let made else {
            return try context.present(ProposalReport(items: [], empty: nothing, remarks: remarks))
        }
        if !reasons.isEmpty {
            // The comment is the assistant's own.
            _ = try assistant.propose(["review", "comment", made.id.text, reasons.joined(separator: "\n")])
        }
        let proposal = try context.store().proposal(EntityPrefix(made.id.text))
        try context.present(
            ProposalReport(items: [ProposalItem(proposal: proposal)], isWhole: true, remarks: remarks),
            ids: [proposal.id])
        context.note(
            StyledText(
                "'helix review accept \(proposal.id.text.prefix(4))' accepts all of it; nothing is changed before.",
                .dim))
    }
}
