import ArgumentParser
import HelixMail
import HelixModel
import HelixStore

/// `helix mail reply`
struct MailReply: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "reply", abstract: "Reply to a message.",
        discussion: """
            Replies to the sender or the Reply-To address, never to yourself. Quotes the message, and marks it as \
            answered when the reply is sent.

              helix mail reply k3f7
              helix mail reply k3f7 --body 'Yes, ten is fine.' --signature
              helix mail reply k3f7 --list
              helix mail reply k3f7 --suggest
            """)
    static let reports: [PrintedReport] = [
        .json(OutboxReport.self), .json(MailChangeReport.self), .json(AssistantReport.self, with: "--suggest"),
    ]

    @Argument(
        help: ArgumentHelp("A message by its id.", valueName: "id"), completion: .custom(CompletionLists.messageIDs))
    var id: String

    @Flag(name: .long, help: "Reply to the mailing list.")
    var list = false

    @Flag(name: .long, help: "Do not quote the original.")
    var noQuote = false

    @Flag(name: .long, help: "Let an assistant suggest three replies; the one that you choose opens in the editor.")
    var suggest = false

    @OptionGroup var write: WriteOptions
    @OptionGroup var sending: SendOptions
    @OptionGroup var mail: MailOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if suggest, write.body != nil { throw ValidationError("--suggest and --body exclude each other.") }
    }

    func run(in context: CommandContext) throws {
        var text: String?
        if suggest {
            let assistant = try Assistant(context, isDryRun: context.isDryRun)
            let message = try context.mailStore(mail).message(try context.messageID(id))
            try context.presentingSentText {
                let source = AssistantSource(id: message.id.text, kind: "message", title: message.subject)
                text = try context.choose(
                    ReplySuggestion.replies(toMail: message.id, assistant), of: assistant, from: [source], "Open which?"
                )
            }
            guard text != nil else { return }
        }
        try context.answer(
            id, list ? .list : .sender, quotes: !noQuote, write, sending, mail, command: "mail reply",
            text: text)
    }
}

/// `helix mail reply-all`
struct MailReplyAll: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "reply-all", abstract: "Reply to all recipients of a message.",
        discussion: """
              helix mail reply-all k3f7
              helix mail reply-all k3f7 --body 'I can come.' --no-quote
            """)
    static let reports: [PrintedReport] = [.json(OutboxReport.self), .json(MailChangeReport.self)]

    @Argument(
        help: ArgumentHelp("A message by its id.", valueName: "id"), completion: .custom(CompletionLists.messageIDs))
    var id: String

    @Flag(name: .long, help: "Do not quote the original.")
    var noQuote = false

    @OptionGroup var write: WriteOptions
    @OptionGroup var sending: SendOptions
    @OptionGroup var mail: MailOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.answer(id, .all, quotes: !noQuote, write, sending, mail, command: "mail reply-all")
    }
}

/// `helix mail forward`
struct MailForward: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "forward", abstract: "Forward a message.",
        discussion: """
            Includes the original text and its attachments.

              helix mail forward k3f7 --to bo@example.org
              helix mail forward k3f7 --to bo@example.org --body 'For you' --as-attachment
            """)
    static let reports: [PrintedReport] = [.json(OutboxReport.self), .json(MailChangeReport.self)]

    @Argument(
        help: ArgumentHelp("A message by its id.", valueName: "id"), completion: .custom(CompletionLists.messageIDs))
    var id: String

    @Flag(name: .long, help: "Attach the original message.")
    var asAttachment = false

    @OptionGroup var write: WriteOptions
    @OptionGroup var sending: SendOptions
    @OptionGroup var mail: MailOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.mailStore(mail)
        let message = try store.message(try context.messageID(id))
        let file = try context.wholeFile(message.id)
        let readable = try context.readable(file)
        let original = try readable.answered(file)
        var draft = original.forward(
            asAttachment: asAttachment, own: context.ownAddresses, when: context.words(message.date))
        try context.seal(&draft, answering: readable, write)
        try write.apply(to: &draft, in: context)
        var session = try DraftSession(
            draft, in: try store.account(of: message.id), command: "mail forward", context: context)
        try session.run(write, sending)
    }
}

extension CommandContext {
    /// Writes a reply to a message.
    /// - Throws: ``HelixError``.
    fileprivate func answer(
        _ id: String, _ audience: ReplyAudience, quotes: Bool, _ write: WriteOptions, _ sending: SendOptions,
        _ options: MailOptions, command: String, text: String? = nil
    ) throws {
        let store = try mailStore(options)
        let message = try store.message(try messageID(id))
        let file = try wholeFile(message.id)
        let readable = try readable(file)
        let original = try readable.answered(file)
        var draft = try original.reply(to: audience, own: ownAddresses, when: words(message.date))
        if !quotes { draft.body = "" }
        if let text { draft.body = text + "\n" + draft.body }
        try seal(&draft, answering: readable, write)
        try write.apply(to: &draft, in: self)
        var session = try DraftSession(draft, in: try store.account(of: message.id), command: command, context: self)
        try session.run(write, sending, hasText: text != nil)
    }
}
