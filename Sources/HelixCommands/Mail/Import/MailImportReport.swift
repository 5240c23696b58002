import HelixModel
import HelixTerminal

/// The result of an import, as a report.
struct MailImportReport: Report, DescribedItem {
    static let schema = "helix.mail.import/1"
    static let isList = false
    let outcome: MailFileImporter.Outcome
    let isDryRun: Bool
    var items: [MailImportReport] { [self] }

    static let described = list {
        Field("copied", .integer, "Messages copied.") { $0.outcome.copied }
        Field("mailboxes", listing: { $0.mailboxes }, "The mailboxes that got messages.") {
            ReportField("name", .string, "The mailbox.") { $0.key }
            ReportField("copied", .integer, "Messages copied to it.") { $0.value }
        }
        Field("labelled", .integer, "Messages that got labels from notmuch's tags.") { $0.outcome.labelled }
        Field("unlabelled", .integer, "Messages in the list of tags that helix does not have.") {
            $0.outcome.unlabelled
        }
        Field("known", .integer, "Messages that existed already.") { $0.outcome.known }
        Field("broken", .integer, "Malformed messages among those copied.") { $0.outcome.broken }
        Field("deleted", .integer, "Messages marked as deleted by the program that wrote the file.") {
            $0.outcome.deleted
        }
        Field("problems", .array(.string), "Files that could not be read, with reasons.") { $0.outcome.problems }
    }

    /// The mailboxes that got messages, the inbox first.
    private var mailboxes: [(key: String, value: Int)] {
        outcome.mailboxes.sorted { ($0.key == "INBOX" ? "" : $0.key) < ($1.key == "INBOX" ? "" : $1.key) }
    }
    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        let verb = isDryRun ? "would be copied" : "copied"
        let name = outcome.copied == 1 ? "message" : "messages"
        if mailboxes.count == 1 {
            canvas.line("\(outcome.copied) \(name) \(verb) to \(mailboxes[0].key).")
        } else if outcome.copied > 0 || outcome.labelled + outcome.unlabelled == 0 {
            canvas.line("\(outcome.copied) \(name) \(verb)\(mailboxes.isEmpty ? "." : ":")")
            let width = mailboxes.map { String($0.value).count }.max() ?? 0
            for (mailbox, count) in mailboxes {
                let number = String(count)
                canvas.line("  " + String(repeating: " ", count: width - number.count) + "\(number) to \(mailbox)")
            }
        }
        if outcome.labelled > 0 {
            let verb = isDryRun ? "would get labels" : outcome.labelled == 1 ? "has new labels" : "have new labels"
            canvas.line("\(outcome.labelled) \(outcome.labelled == 1 ? "message" : "messages") \(verb).")
        }
        if outcome.unlabelled > 0 {
            let verb = outcome.unlabelled == 1 ? "message of the list is" : "messages of the list are"
            canvas.line(StyledText("\(outcome.unlabelled) \(verb) not in helix.", TextStyle(.yellow)))
        }
        if outcome.known > 0 { canvas.line(StyledText("\(outcome.known) existed already.", .dim)) }
        if outcome.broken > 0 {
            let verb = outcome.broken == 1 ? "message is malformed and was" : "messages are malformed and were"
            canvas.line(StyledText("\(outcome.broken) \(verb) stored unchanged.", .dim))
        }
        if outcome.deleted > 0 {
            let verb = outcome.deleted == 1 ? "message was" : "messages were"
            canvas.line(
                StyledText(
                    "\(outcome.deleted) \(verb) deleted in the program that wrote the file, and skipped.", .dim))
        }
        for problem in outcome.problems.prefix(10) {
            canvas.paragraph("Not read: \(problem)", style: TextStyle(.yellow))
        }
        if outcome.problems.count > 10 {
            canvas.line(
                StyledText("… and \(outcome.problems.count - 10) more; --json lists all.", TextStyle(.yellow)))
        }
    }
}
