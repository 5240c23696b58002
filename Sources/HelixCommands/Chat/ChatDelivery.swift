import ArgumentParser
import Foundation
import HelixGateway
import HelixModel
import HelixNetwork
import HelixStore
import HelixSync
import HelixTerminal

extension CommandContext {
    /// Lets what waits in a conversation leave, in the background: nobody waits for it.
    ///
    /// `HELIX_BACKGROUND=off` leaves that to 'helix sync'.
    func deliverChat(_ conversation: Conversation) {
        guard !isDryRun, let id = conversation.account, environment["HELIX_BACKGROUND"] != "off",
            let account = try? store().accounts().first(where: { $0.id == id })
        else { return }
        ChildProcess.detach(["chat", "deliver", account.name])
    }

    /// Refuses to say anything where nothing leaves.
    /// - Throws: ``HelixError`` of code `notAllowed`.
    func checkWritable(_ conversation: Conversation) throws {
        if let account = try store().accounts().first(where: { $0.id == conversation.account }) {
            try checkWritable(account)
        }
    }

    /// - Throws: ``HelixError`` of code `notAllowed` for an account that is only read.
    func checkWritable(_ account: MailAccount) throws {
        guard account.settings.isReadOnly == true else { return }
        throw HelixError(
            .notAllowed, "the account '\(account.name)' is only read, and nothing is said there",
            hint: "helix account edit \(account.name) --no-read-only")
    }

    /// Tells a gateway what waits in a conversation, and waits until it has it.
    /// - Throws: ``HelixError``: `offline`; `conflict` for a message that it would not have.
    func sendChat(_ message: ChatMessage, in conversation: Conversation) throws {
        let connection = try chatConnection(conversation)
        defer { connection.close() }
        try connection.exchange()
        try checkSent(message.id)
    }

    /// A line to the gateway of a conversation.
    /// - Throws: ``HelixError``.
    func chatConnection(_ conversation: Conversation) throws -> ChatConnection {
        let store = try store()
        guard let id = conversation.account, let account = try store.accounts().first(where: { $0.id == id }) else {
            throw HelixError(.configuration, "the account of '\(conversation.name)' is gone")
        }
        return try ChatConnection(store, account, gatewayAccess(account))
    }

    /// - Throws: ``HelixError`` if a message has not left.
    func checkSent(_ id: EntityID) throws {
        let said = try store().chatMessage(id)
        switch said.state {
        case .failed:
            throw HelixError(
                .conflict, "it was not sent: \(said.problem ?? "the gateway would not have it")",
                hint: "'helix chat message \(said.id.text.prefix(6)) --retry' tries again.")
        case .pending:
            let problem = try store().conversations(only: said.conversation).first?.problem
            if let problem { throw HelixError(.conflict, "it was not sent: \(problem)") }
            throw HelixError(
                .offline, "it was not sent yet: \(said.problem ?? "others wait before it")",
                hint: "It waits, and leaves by itself with 'helix sync'.")
        case .sent, .delivered, .read: break
        }
    }

    /// The bytes of a file that came with a message; fetched, if they are not here yet.
    /// - Throws: ``HelixError``: `offline`, `notFound`.
    func chatFile(_ file: ChatAttachment, of message: ChatMessage) throws -> String {
        let store = try store()
        if let path = store.path(of: file) { return path }
        let conversation = try store.conversation(message.conversation)
        guard conversation.account != nil else {
            throw HelixError(.badInput, "the bytes of '\(file.name)' are gone", hint: "A backup may have them.")
        }
        let connection = try chatConnection(conversation)
        defer { connection.close() }
        try connection.fetch(file, of: message)
        guard let path = store.path(of: file) else {
            throw HelixError(.notFound, "the bytes of '\(file.name)' did not come")
        }
        return path
    }
}

/// `helix chat deliver`, which other commands start and nobody waits for.
struct ChatDeliver: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "deliver", abstract: "Send and fetch once, or keep syncing.",
        discussion: """
            Chat commands start this in the background. HELIX_BACKGROUND=off prevents that; 'helix sync' sends the \
            messages then.
            """, shouldDisplay: false)

    @Argument(help: "The gateway's account.", completion: .custom(CompletionLists.gatewayAccounts))
    var account: String

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        // Somebody may have taken the store away since.
        guard access(context.paths.store, F_OK) == 0 else { return }
        let store = try context.store()
        let account = try context.gatewayAccount(account)
        // One after the other: what two would send at the same time is sent by the first.
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
