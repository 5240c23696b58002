import ArgumentParser
import HelixModel
import HelixStore

/// `helix mail mark`
struct MailMark: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "mark", abstract: "Mark messages as read, unread, starred or unstarred.",
        discussion: """
            Flags are stored in the Maildir, so other programs see them.

              helix mail mark read k3f7 m2pa
              helix mail mark starred from:ana subject:contract
              helix mail mark read in:lists before:2026-01-01 --dry-run
            """)
    static let reports: [PrintedReport] = [.json(MailChangeReport.self)]

    @Argument(
        help: "read, unread, starred, unstarred, answered or unanswered.",
        completion: .list(["read", "unread", "starred", "unstarred", "answered", "unanswered"]))
    var mark: String

    @OptionGroup var targets: MailTargets
    var dryRun: Bool { targets.dryRun }
    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        var edit = MessageEdit()
        switch mark.lowercased() {
        case "read", "seen": edit.set = .seen
        case "unread", "unseen": edit.clear = .seen
        case "starred", "flagged": edit.set = .flagged
        case "unstarred", "unflagged": edit.clear = .flagged
        case "answered": edit.set = .answered
        case "unanswered": edit.clear = .answered
        default:
            throw HelixError(
                .usage, "unknown mark '\(mark)'",
                hint: "Use read, unread, starred, unstarred, answered or unanswered.")
        }
        try context.changeMessages(targets, mail, verb: mark.lowercased(), command: "mail mark", edit)
    }
}

/// `helix mail label`
struct MailLabel: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "label", abstract: "Add or remove labels of messages.",
        discussion: """
            Words with + or - are labels; the others select messages.

              helix mail label k3f7 +billing -todo
              helix mail label from:ana +family
            """)
    static let reports: [PrintedReport] = [.json(MailChangeReport.self)]

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("Messages, and labels with + or - before them.", valueName: "messages|+label|-label"),
        completion: .custom(CompletionLists.messageIDs))
    var words: [String]

    @Option(
        name: [.long, .customShort("q")],
        help: ArgumentHelp("Select messages by a query; required if a word could be an id.", valueName: "query"),
        completion: .custom(CompletionLists.mailQuery))
    var query: String?

    @Flag(name: .long, help: "Show what would change, and change nothing.")
    var dryRun = false

    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        var edit = MessageEdit()
        var others: [String] = []
        for word in try words.plainWords(of: "mail label") {
            if word.hasPrefix("+"), word.count > 1 {
                edit.addedLabels.append(String(word.dropFirst()))
            } else if word.hasPrefix("-"), word.count > 1 {
                edit.removedLabels.append(String(word.dropFirst()))
            } else {
                others.append(word)
            }
        }
        guard !edit.isEmpty else {
            throw HelixError(.usage, "no label given", hint: "helix mail label k3f7 +billing -todo")
        }
        var targets = MailTargets()
        (targets.messages, targets.query, targets.dryRun) = (others, query, dryRun)
        try context.changeMessages(targets, mail, verb: "labelled", command: "mail label", edit)
    }
}
