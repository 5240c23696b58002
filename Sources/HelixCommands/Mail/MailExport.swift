import ArgumentParser
import FoundationEssentials
import HelixMail
import HelixModel
import HelixStore
import HelixSystem
import HelixTerminal

/// The form in which messages are exported.
enum MailForm: String, ExpressibleByArgument, CaseIterable {
    case mbox
    case maildir
    case eml

    /// The form that the ending of a path names; nil for an unknown one.
    init?(path: String) {
        switch path.pathExtension.lowercased() {
        case "mbox", "mbx": self = .mbox
        case "eml": self = .eml
        default: return nil
        }
    }
}

/// `helix mail export`
struct MailExport: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "export", abstract: "Export messages as mbox, as Maildir or as single files.",
        discussion: """
            Writes the messages that a query matches, oldest first. mbox stores flags and labels in Status, X-Status \
            and X-Keywords; a Maildir stores flags in the file names and labels as Dovecot keywords; .eml files are the \
            bytes of the messages, without flags and labels. When several mailboxes are exported, the mailbox of each \
            message is kept, as a folder or an X-Helix-Mailbox header; 'helix mail import' reads all of it. Messages \
            stored with headers only are downloaded.

              helix mail export from:ana --out ana.mbox
              helix mail export in:Archive before:2020 --format maildir --out old
              helix mail export k3f7 --out offer.eml
            """)
    static let reports: [PrintedReport] = []

    @OptionGroup var options: MailOptions

    @Argument(
        help: ArgumentHelp("Messages by their ids, '-' for ids on standard input, or a query.", valueName: "messages"),
        completion: .custom(CompletionLists.mailQuery))
    var messages: [String] = []

    @Option(
        name: [.long, .customShort("q")],
        help: ArgumentHelp("Select messages by a query; required if a word could be an id.", valueName: "query"),
        completion: .custom(CompletionLists.mailQuery))
    var query: String?

    @Option(name: .long, help: ArgumentHelp("mbox, maildir or eml; default: by the file extension.", valueName: "form"))
    var format: MailForm?

    @Option(
        name: [.customShort("o"), .customLong("output"), .customLong("out")],
        help: ArgumentHelp("Write to this file or new folder; '-' is standard output.", valueName: "file"),
        completion: .file())
    var out: String

    @Flag(name: .long, help: "Overwrite an existing file.")
    var force = false

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try output.refuseMachine("the messages themselves")
        guard let form = format ?? MailForm(path: out) ?? (out == "-" ? .mbox : nil) else {
            throw HelixError(.usage, "no export format given", hint: "Pass --format mbox, maildir or eml.")
        }
        if out != "-", !force, FileManager.default.fileExists(atPath: out) {
            throw HelixError(.cannotCreate, "\(out) exists already", hint: "Name another file, or pass --force.")
        }
        let store = try context.mailStore(options)
        let ids = try context.messageIDs(messages, query: query)
        let found = try store.messages(ids: ids).sorted { ($0.date, $0.number) < ($1.date, $1.number) }
        if found.isEmpty { throw HelixError(.notFound, "no messages match") }
        let isSingle = form == .eml && found.count == 1 && MailForm(path: out) == .eml
        if form == .eml, !isSingle, out != "-", MailForm(path: out) == .eml {
            throw HelixError(
                .usage, "\(found.count) messages do not fit into the file \(out)",
                hint: "Name a folder, or pass --format mbox.")
        }
        if out == "-", form != .mbox, !isSingle, found.count > 1 || form == .maildir {
            throw HelixError(
                .usage, "only mbox and a single message go to standard output", hint: "Name a folder with --out.")
        }
        var writer = try MailExportWriter(
            form, to: out, on: context.console, isSingle: isSingle || out == "-" && form == .eml,
            hasMailboxes: Set(found.map(\.mailbox)).count > 1)
        let progress = ProgressLine("Exporting mail", .items("messages"), on: context.console, isQuiet: output.quiet)
        defer { progress.end() }
        for (place, message) in found.enumerated() {
            var message = message
            let path = try context.wholeFile(&message)
            guard let data = FileManager.default.contents(atPath: path) else {
                throw HelixError(.io, "cannot read \(path)", hint: "Check its permissions.")
            }
            try writer.write([UInt8](data), message)
            progress.update(place + 1, of: found.count)
        }
        try writer.finish()
        if out != "-" {
            context.note("Exported \(found.count) message\(found.count == 1 ? "" : "s") to \(out).")
        }
    }
}
