import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix mail index`
struct MailIndex: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "index", abstract: "Index changes in mail folders.",
        discussion: """
            Mail commands do this automatically; only changed folders are read. It can be interrupted and resumes where \
            it stopped.

              helix mail index
              helix mail index --full
            """)
    static let reports: [PrintedReport] = [.json(MailIndexReport.self)]

    @Option(
        name: .long, help: ArgumentHelp("Only this account.", valueName: "name"),
        completion: .custom(CompletionLists.accounts))
    var account: String?

    @Flag(name: .long, help: "Read all folders, including unchanged ones.")
    var full = false

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let id = try account.map { try store.mailAccount(named: $0).id }
        let outcome = try context.indexing {
            try store.indexMail(account: id, isThorough: full, waits: true, progress: $0)
        }
        if !context.configuration.bool(.indexDecrypted) { try context.forgetDecrypted() }
        try context.present(MailIndexReport(outcome: outcome))
    }
}

/// The result of indexing the folders.
struct MailIndexReport: Report, DescribedItem {
    static let schema = "helix.mail.index/1"
    static let isList = false
    let outcome: MailIndexOutcome
    var items: [MailIndexReport] { [self] }

    static let described = list {
        Field("added", .integer, "New messages.") { $0.outcome.added }
        Field("removed", .integer, "Messages whose files were removed.") { $0.outcome.removed }
        Field("moved", .integer, "Messages moved to another mailbox.") { $0.outcome.moved }
        Field("changed", .integer, "Messages whose flags changed.") { $0.outcome.changed }
        Field("broken", .integer, "Malformed messages among the new ones.") { $0.outcome.broken }
        Field("problems", .array(.string), "Files that could not be read, with reasons.") { $0.outcome.problems }
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        var parts: [String] = []
        if outcome.added > 0 { parts.append("\(outcome.added) new") }
        if outcome.moved > 0 { parts.append("\(outcome.moved) moved") }
        if outcome.changed > 0 { parts.append("\(outcome.changed) with changed flags") }
        if outcome.removed > 0 { parts.append("\(outcome.removed) removed") }
        canvas.line(parts.isEmpty ? StyledText("Nothing new.", .dim) : StyledText(parts.joined(separator: ", ") + "."))
        if outcome.broken > 0 {
            canvas.paragraph(
                "\(outcome.broken) of the new messages are malformed and only partly readable: helix mail list has:broken",
                style: .dim)
        }
        for problem in outcome.problems.prefix(10) {
            canvas.paragraph("Not read: \(problem)", style: TextStyle(.yellow))
        }
        if outcome.problems.count > 10 {
            canvas.line(StyledText("… and \(outcome.problems.count - 10) more.", .dim))
        }
    }
}
