import ArgumentParser
import FoundationEssentials
import HelixMail
import HelixModel
import HelixStore

/// `helix mail bounce`
struct MailBounce: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "bounce", abstract: "Send a message on unchanged.",
        discussion: """
            Its text, attachments, signature and From stay as they are, so that the recipient answers its author; headers say that \
            you sent it on (RFC 5322, Resent-From). 'helix mail forward' sends it in a message of yours.

              helix mail bounce k3f7 --to bo@example.org
            """)
    static let reports: [PrintedReport] = [.json(OutboxReport.self)]

    @Argument(
        help: ArgumentHelp("A message by its id.", valueName: "id"), completion: .custom(CompletionLists.messageIDs))
    var id: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Recipients: addresses, contacts, groups; may be repeated or separated by commas.", valueName: "address"),
        completion: .custom(CompletionLists.people))
    var to: [String]

    @Option(name: .long, help: ArgumentHelp("Sender; default: the address of the account.", valueName: "address"))
    var from: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Send at this time: 'mon 8:00', 'in 2 hours'.", valueName: "when"))
    var at: String?

    @OptionGroup var mail: MailOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.mailStore(mail)
        let message = try store.message(try context.messageID(id))
        guard !message.flags.contains(.draft) else {
            throw HelixError(
                .usage, "'\(message.subject)' is a draft", hint: "'helix mail send \(id)' sends it.")
        }
        let recipients = try to.flatMap { try context.addresses($0) }.uniqued
        guard !recipients.isEmpty else { throw HelixError(.usage, "no recipient given", hint: "--to bo@example.org") }
        let own = try store.account(of: message.id)
        let account = own.settings.canSend ? own : try context.writingAccount(nil)
        let typed = try from.map { try MailAddress.typed($0) }
        if let typed, typed.count != 1 { throw HelixError(.usage, "a message has one sender, not \(typed.count)") }
        guard let sender = typed?.first ?? context.sender(in: account) else {
            throw HelixError(
                .configuration, "your own address is not known", hint: "helix config set user.email me@example.org")
        }
        let leaves = try context.leaves(at)
        let file = try context.wholeFile(message.id)
        let new = MessageDraft.newMessageID(for: sender)
        let bytes = ResentMessage.bytes(
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: file))), from: sender, to: recipients, id: new,
            at: at == nil ? context.clock : leaves, in: context.zone)
        let staged = try store.stageOutgoing { try $0(bytes) }
        defer { staged.discard() }
        let queued = OutgoingMessage(
            id: EntityID(), account: account.id, state: .queued, madeAt: context.now, leavesAt: leaves,
            messageID: new, sender: sender.text, recipients: recipients.map(\.text), subject: message.subject,
            sha256: staged.hash, size: staged.size)
        try store.change("bounce '\(message.subject)'", command: "mail bounce") { change in
            try change.queue(queued, staged)
            var edit = MessageEdit()
            (edit.set, edit.isOptional) = (.passed, true)
            try change.editMessages([message.id], edit)
        }
        // The store may hold the message of an agent.
        let shown = context.isDryRun ? queued : try store.outgoing(queued.id)
        try context.presentOutbox([shown], verb: "queued")
    }
}

extension Store {
    /// Whether an outgoing message is sent on as somebody else wrote it.
    /// - Throws: ``HelixError``.
    func isBounce(_ message: OutgoingMessage) throws -> Bool {
        guard message.kind == .mail else { return false }
        return ResentMessage.isResent(try Data(contentsOf: URL(fileURLWithPath: try outgoingFile(message))))
    }
}
