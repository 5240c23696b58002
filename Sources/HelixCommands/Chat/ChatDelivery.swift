import ArgumentParser
import FoundationEssentials
import Glibc
import HelixGateway
import HelixModel
import HelixNetwork
import HelixStore
import HelixSync
import HelixTerminal

extension CommandContext {
    /// Sends the queued messages of a conversation in the background, without blocking the command.
    ///
    /// `HELIX_BACKGROUND=off` leaves that to 'helix sync'.
    func deliverChat(_ conversation: Conversation) {
        guard !isDryRun, let id = conversation.account, environment["HELIX_BACKGROUND"] != "off",
            let account = try? store().accounts().first(where: { $0.id == id })
        else { return }
        ChildProcess.detach(["chat", "deliver", account.name])
    }

    /// Checks that messages to a conversation can be sent.
    /// - Throws: ``HelixError`` of code `notAllowed`.
    func checkWritable(_ conversation: Conversation) throws {
        if let account = try store().accounts().first(where: { $0.id == conversation.account }) {
            try checkWritable(account)
        }
    }

    /// - Throws: ``HelixError`` of code `notAllowed` for a read-only account.
    func checkWritable(_ account: Account) throws {
        guard account.settings.isReadOnly == true else { return }
        throw HelixError(
            .notAllowed, "the account '\(account.name)' is read-only",
            hint: "Allow writing: helix account edit \(account.name) --no-read-only")
    }

    /// Sends the queued messages of a conversation to its gateway, and waits for the confirmation.
    /// - Throws: ``HelixError``: `offline`; `conflict` for a message that the gateway rejected.
    func sendChat(_ message: ChatMessage, in conversation: Conversation) throws {
        let connection = try chatConnection(conversation)
        defer { connection.close() }
        try connection.exchange()
        try checkSent(message.id)
    }

    /// A connection to the gateway of a conversation.
    /// - Throws: ``HelixError``.
    func chatConnection(_ conversation: Conversation) throws -> ChatConnection {
        let store = try store()
        guard let id = conversation.account, let account = try store.accounts().first(where: { $0.id == id }) else {
            throw HelixError(.configuration, "the account of '\(conversation.name)' was removed")
        }
        return try ChatConnection(store, account, gatewayAccess(account))
    }

    /// - Throws: ``HelixError`` if a message was not sent.
    func checkSent(_ id: EntityID) throws {
        let said = try store().chatMessage(id)
        switch said.state {
        case .failed:
            throw HelixError(
                .conflict, "the message was not sent: \(said.problem ?? "the gateway rejected it")",
                hint: "Retry with 'helix chat message \(said.id.text.prefix(6)) --retry'.")
        case .pending:
            let problem = try store().conversations(only: said.conversation).first?.problem
            if let problem { throw HelixError(.conflict, "the message was not sent: \(problem)") }
            throw HelixError(
                .offline, "the message is not sent yet: \(said.problem ?? "others are queued before it")",
                hint: "It is queued, and sent by the next 'helix sync'.")
        case .sent, .delivered, .read: break
        }
    }

    /// The path of an attachment's file, which is fetched if necessary.
    /// - Throws: ``HelixError``: `offline`, `notFound`.
    func chatFile(_ file: ChatAttachment, of message: ChatMessage) throws -> String {
        let store = try store()
        if let path = store.path(of: file) { return path }
        let conversation = try store.conversation(message.conversation)
        guard conversation.account != nil else {
            throw HelixError(.badInput, "the contents of '\(file.name)' are missing", hint: "Restore a backup.")
        }
        let connection = try chatConnection(conversation)
        defer { connection.close() }
        try connection.fetch(file, of: message)
        guard let path = store.path(of: file) else {
            throw HelixError(.notFound, "the contents of '\(file.name)' did not arrive")
        }
        return path
    }
}

/// `helix chat deliver`, which other commands start in the background.
struct ChatDeliver: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "deliver", abstract: "Send and fetch once, or keep syncing.",
        discussion: """
            Chat commands start this in the background. HELIX_BACKGROUND=off prevents that; 'helix sync' sends the \
            messages then.
            """, shouldDisplay: false)
    static let reports: [PrintedReport] = []

    @Argument(help: "The gateway's account.", completion: .custom(CompletionLists.gatewayAccounts))
    var account: String

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        // The store may have been removed since.
        guard access(context.paths.store, F_OK) == 0 else { return }
        let store = try context.store()
        let account = try context.gatewayAccount(account)
        // One process at a time: the first sends everything that is queued.
        try FileManager.default.createDirectory(
            atPath: context.gatewayFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let lock = open(context.gatewayFolder + "/chat.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { if lock >= 0 { close(lock) } }
        if lock >= 0 { while flock(lock, LOCK_EX) != 0 && errno == EINTR {} }
        guard try store.hasChatErrands(of: account.id) else { return }
        let connection = try ChatConnection(store, account, context.gatewayAccess(account))
        defer { connection.close() }
        try connection.exchange()
    }
}
