import ArgumentParser
import HelixMail
import HelixModel
import HelixStore

/// `helix mail new`
struct MailNew: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "new", abstract: "Write a message.",
        discussion: """
            Opens your editor with the headers, an empty line and the message. With --body, queues the message without \
            an editor; --draft saves it as a draft. Text is not lost if helix or the machine stops: 'helix mail drafts' \
            lists it.

              helix mail new --to ana@example.org --subject Plans
              helix mail new \\
                  --to ana@example.org -s Report -b - -a report.pdf < report.txt
              helix mail new --to ana@example.org -s Hello -b 'See **you**' --markdown \\
                  --at 'mon 8:00'
            """)
    static let reports: [PrintedReport] = [.json(OutboxReport.self), .json(MailChangeReport.self)]

    @OptionGroup var write: WriteOptions
    @OptionGroup var sending: SendOptions

    @Option(
        name: .long, help: ArgumentHelp("The account to send from.", valueName: "name"),
        completion: .custom(CompletionLists.accounts))
    var account: String?

    @OptionGroup var mail: MailOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        _ = try context.mailStore(mail)
        var draft = MessageDraft()
        draft.from = try write.sender()
        let account = try context.writingAccount(account, sender: draft.from)
        // Before the rest: the signature and the keys are those of the sender.
        if draft.from == nil { draft.from = context.sender(in: account) }
        try write.apply(to: &draft, in: context)
        var session = try DraftSession(draft, in: account, command: "mail new", context: context)
        try session.run(write, sending)
    }
}
