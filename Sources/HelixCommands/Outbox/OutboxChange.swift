import ArgumentParser
import HelixMail
import HelixModel
import HelixStore

/// `helix outbox hold`
struct OutboxHold: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "hold", abstract: "Keep something from leaving.",
        discussion: """
            'helix outbox retry' lets it go.

              helix outbox hold k3f7
            """)

    @Argument(help: ArgumentHelp("By their ids.", valueName: "id"), completion: .custom(CompletionLists.outgoingIDs))
    var ids: [String]

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.changeOutgoing(ids, verb: "held", command: "outbox hold") { $0.state = .held }
    }
}

/// `helix outbox retry`
struct OutboxRetry: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "retry", abstract: "Let something leave that was held or refused, or that waits.",
        discussion: """
            It may leave at once, whatever time was said.

              helix outbox retry k3f7
            """)

    @Argument(help: ArgumentHelp("By their ids.", valueName: "id"), completion: .custom(CompletionLists.outgoingIDs))
    var ids: [String]

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.changeOutgoing(ids, verb: "queued", command: "outbox retry") { message in
            (message.state, message.problem) = (.queued, nil)
            message.leavesAt = min(message.leavesAt, context.now)
        }
    }
}

/// `helix outbox cancel`
struct OutboxCancel: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "cancel", abstract: "Take something out; it becomes a draft again.",
        discussion: "  helix outbox cancel k3f7")

    @Argument(help: ArgumentHelp("By their ids.", valueName: "id"), completion: .custom(CompletionLists.outgoingIDs))
    var ids: [String]

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        var drafts: [EntityID] = []
        for message in try ids.map({ try context.outgoing($0) }) {
            let session = try context.session(message)
            drafts.append(try session.cancel(message))
        }
        let items = try store.messages(ids: drafts).map { MailItem(message: $0) }
        try context.present(MailChangeReport(verb: "a draft again", items: items), ids: drafts)
    }
}

/// `helix outbox edit`
struct OutboxEdit: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "edit", abstract: "Change what waits to leave, or when it does.",
        discussion: """
            It is held while the editor is open. Its Message-ID stays.

              helix outbox edit k3f7
              helix outbox edit k3f7 --subject 'Plans, once more'
              helix outbox edit k3f7 --at 'mon 8:00'
            """)

    @Argument(help: ArgumentHelp("By its id.", valueName: "id"), completion: .custom(CompletionLists.outgoingIDs))
    var id: String

    @OptionGroup var write: WriteOptions

    @Option(name: .long, help: ArgumentHelp("Let it leave then.", valueName: "when"))
    var at: String?

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        var message = try context.outgoing(id)
        var session = try context.session(message)
        let before = session.draft
        if write.body != nil { session.draft.body = "" }
        try write.apply(to: &session.draft, in: context)
        let isSaid = session.draft != before
        if let at { message.leavesAt = try context.leaves(at) }
        if isSaid || at != nil, !write.edit {
            return try session.replace(message, isChanged: isSaid)
        }
        let state = message.state
        try context.store().change("hold '\(message.subject)'", command: "outbox edit") { change in
            var held = message
            held.state = .held
            try change.replace(held, nil)
        }
        var isEdited = false
        defer {
            // Whatever happened in the editor, it waits as it did before.
            if !isEdited, state != .held {
                try? context.store().change("release '\(message.subject)'", command: "outbox edit") { change in
                    try change.replace(message, nil)
                }
            }
        }
        guard try session.edit(isKept: false) else { return }
        isEdited = true
        try session.replace(message, isChanged: true)
    }
}

extension CommandContext {
    /// Changes what waits, and says so.
    /// - Throws: ``HelixError``.
    fileprivate func changeOutgoing(
        _ ids: [String], verb: String, command: String, _ body: (inout OutgoingMessage) -> Void
    ) throws {
        var messages = try ids.map { try outgoing($0) }
        let store = try store()
        let what = messages.count == 1 ? "'\(messages[0].subject)'" : "\(messages.count) messages"
        try store.change("\(command) \(what)", command: command) { change in
            for place in messages.indices {
                body(&messages[place])
                try change.replace(messages[place], nil)
            }
        }
        try presentOutbox(messages, verb: verb)
    }

    /// What waits, as somebody writes on it once more.
    /// - Throws: ``HelixError``: its bytes are gone.
    fileprivate func session(_ message: OutgoingMessage) throws -> DraftSession {
        let store = try store()
        let file = try store.outgoingFile(message)
        var draft = try MessageDraft(MIMEMessage(path: file), file: file, isOutgoing: true)
        // What leaves says nothing of Bcc.
        let shown = Set((draft.to + draft.cc).map { $0.address.lowercased() })
        draft.bcc = message.recipients.map { MailAddress(text: $0) }
            .filter { !shown.contains($0.address.lowercased()) }
        let account = try store.mailAccounts().first { $0.id == message.account } ?? writingAccount(nil)
        return try DraftSession(draft, in: account, command: "outbox edit", context: self)
    }
}
