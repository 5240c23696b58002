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
              helix mail index --attachments

            The text of attached files (PDF, office, RTF, EPUB, HTML, text, names in archives) is read in the background after a sync, in a \
            process with limits on time and memory, and never from encrypted messages; 'mail.index-attachments false' prevents it.
            """)
    static let reports: [PrintedReport] = [.json(MailIndexReport.self)]

    @Option(
        name: .long, help: ArgumentHelp("Only this account.", valueName: "name"),
        completion: .custom(CompletionLists.accounts))
    var account: String?

    @Flag(name: .long, help: "Read all folders, including unchanged ones.")
    var full = false

    @Flag(name: .long, help: "Read the attached files of all messages that wait for it, too.")
    var attachments = false

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let id = try account.map { try store.mailAccount(named: $0).id }
        let outcome = try context.indexing {
            try store.indexMail(account: id, isThorough: full, waits: true, progress: $0)
        }
        if !context.configuration.bool(.indexDecrypted) { try context.forgetDecrypted() }
        var report = MailIndexReport(outcome: outcome)
        if attachments { try readAttachments(context, &report) }
        try context.present(report)
    }

    private func readAttachments(_ context: CommandContext, _ report: inout MailIndexReport) throws {
        let store = try context.store()
        guard let lock = AttachmentLock(beside: store.path) else {
            return context.note(StyledText("Another process reads the attachments already.", .dim))
        }
        defer { withExtendedLifetime(lock) {} }
        let progress = ProgressLine(
            "Reading attachments", .items("messages"), on: context.console,
            isQuiet: output.isMachine || output.quiet)
        defer { progress.end() }
        // The background does not try again what could not be read.
        let read = try context.indexAttachments(retries: !output.quiet) { progress.update($0, of: $1) }
        (report.attachments, report.unread) = (read.count, read.problems)
    }
}

/// The result of indexing the folders.
struct MailIndexReport: Report, DescribedItem {
    static let schema = "helix.mail.index/1"
    static let isList = false
    let outcome: MailIndexOutcome
    /// The number of messages whose attached files were read; nil if that was not asked.
    var attachments: Int?
    /// The attached files that could not be read, with the reason.
    var unread: [String] = []
    var items: [MailIndexReport] { [self] }

    static let described = list {
        Field("added", .integer, "New messages.") { $0.outcome.added }
        Field("removed", .integer, "Messages whose files were removed.") { $0.outcome.removed }
        Field("moved", .integer, "Messages moved to another mailbox.") { $0.outcome.moved }
        Field("changed", .integer, "Messages whose flags changed.") { $0.outcome.changed }
        Field("broken", .integer, "Malformed messages among the new ones.") { $0.outcome.broken }
        Field("attachments", .integer, required: false, "Messages whose attached files were read.") { $0.attachments }
        Field("unread", .array(.string), "Attached files that could not be read, with reasons.") { $0.unread }
        Field("problems", .array(.string), "Files that could not be read, with reasons.") { $0.outcome.problems }
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        var parts: [String] = []
        if outcome.added > 0 { parts.append("\(outcome.added) new") }
        if outcome.moved > 0 { parts.append("\(outcome.moved) moved") }
        if outcome.changed > 0 { parts.append("\(outcome.changed) with changed flags") }
        if outcome.removed > 0 { parts.append("\(outcome.removed) removed") }
        if let attachments, attachments > 0 {
            parts.append("attachments of \(attachments == 1 ? "1 message" : "\(attachments) messages") read")
        }
        canvas.line(parts.isEmpty ? StyledText("Nothing new.", .dim) : StyledText(parts.joined(separator: ", ") + "."))
        if outcome.broken > 0 {
            canvas.paragraph(
                "\(outcome.broken) of the new messages are malformed and only partly readable: helix mail list has:broken",
                style: .dim)
        }
        let problems = outcome.problems + unread
        for problem in problems.prefix(10) { canvas.paragraph("Not read: \(problem)", style: TextStyle(.yellow)) }
        if problems.count > 10 { canvas.line(StyledText("… and \(problems.count - 10) more.", .dim)) }
    }
}
