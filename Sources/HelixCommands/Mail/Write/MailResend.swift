import ArgumentParser
import HelixMail
import HelixModel
import HelixStore

/// `helix mail resend`
struct MailResend: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "resend", abstract: "Write a new message from one that exists.",
        discussion: """
            Takes its recipients, subject, text and attachments; options replace them. It opens in the editor unless --body is \
            given, or --send to send it as it is. From is your address, and the conversation is a new one.

              helix mail resend k3f7
              helix mail resend k3f7 --to bo@example.org --send
            """)
    static let reports: [PrintedReport] = [.json(OutboxReport.self), .json(MailChangeReport.self)]

    @Argument(
        help: ArgumentHelp("A message by its id.", valueName: "id"), completion: .custom(CompletionLists.messageIDs))
    var id: String

    @OptionGroup var write: WriteOptions
    @OptionGroup var sending: SendOptions
    @OptionGroup var mail: MailOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.mailStore(mail)
        let message = try store.message(try context.messageID(id))
        let readable = try context.readable(try context.wholeFile(message.id), verifies: false)
        var draft = try readable.draft()
        let account = try store.account(of: message.id)
        let sender = draft.from?.address.lowercased()
        draft.from =
            context.ownAddresses.first { $0.address.lowercased() == sender } ?? context.sender(in: account)
        (draft.messageID, draft.inReplyTo, draft.forwarded) = (nil, nil, nil)
        (draft.references, draft.replyTo, draft.seal) = ([], [], MessageSeal())
        // An encrypted message stays encrypted.
        try context.seal(&draft, answering: readable, write)
        try write.apply(to: &draft, in: context, isEdit: true)
        var session = try DraftSession(draft, in: account, command: "mail resend", context: context)
        try session.run(write, sending, hasText: true, isWritten: sending.send && !write.edit)
    }
}
