import HelixMail
import HelixModel
import HelixNetwork

/// The server's mailboxes that a sync skips, for its report.
struct MailboxOmissions {
    /// The mailboxes that cannot be opened, by the reason.
    private var refusals: [ServerMailbox.Refusal: [String]] = [:]
    /// The mailboxes of other users.
    private var foreign: [String] = []
    /// The mailboxes that show messages of others.
    private var views: [String] = []

    mutating func add(_ box: ServerMailbox, _ refusal: ServerMailbox.Refusal) {
        refusals[refusal, default: []].append(box.label)
    }

    /// Adds a mailbox that is not selected by default.
    mutating func addDeselected(_ box: ServerMailbox) {
        if box.isForeign { foreign.append(box.label) } else { views.append(box.label) }
    }

    /// Adds notes and problems to the outcome of a sync.
    /// - Parameter showsDeselected: whether mailboxes that are not selected by default are listed.
    func report(to sync: MailSync, showsDeselected: Bool) {
        reportRefusals(to: sync)
        if !views.isEmpty, showsDeselected {
            let names = views.map { "'\($0)'" }.joined(separator: ", ")
            sync.outcome.notes.append(
                "\(names) \(views.count == 1 ? "shows" : "show") messages of other mailboxes and \(views.count == 1 ? "is" : "are") left"
                    + " out; to fetch: helix account edit \(sync.account.name) --mailboxes '*,\(views[0])'")
        }
        if !foreign.isEmpty, showsDeselected {
            let first = foreign[0].split(separator: "/")[0]
            sync.outcome.notes.append(
                "\(foreign.count) mailbox\(foreign.count == 1 ? "" : "es") of other users \(foreign.count == 1 ? "is" : "are") left out;"
                    + " to fetch: helix account edit \(sync.account.name) --mailboxes '*,\(first)/*'")
        }
    }

    /// Reports the mailboxes that cannot be opened, with the reason.
    private func reportRefusals(to sync: MailSync) {
        for (refusal, labels) in refusals.sorted(by: { $0.value[0] < $1.value[0] }) {
            let names = labels.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
            let more = labels.count > 5 ? " and \(labels.count - 5) more" : ""
            let text =
                (labels.count == 1
                    ? "the mailbox \(names) cannot" : "\(labels.count) mailboxes (\(names)\(more)) cannot")
                + " be opened: \(refusal.text)"
            if refusal.isLasting { sync.outcome.notes.append(text) } else { sync.outcome.problems.append(text) }
        }
    }
}
