import ArgumentParser
import HelixMail
import HelixModel
import HelixStore

/// `helix outbox hold`
struct OutboxHold: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "hold", abstract: "Hold an outgoing message.",
        discussion: """
            'helix outbox release' releases it.

              helix outbox hold k3f7
            """)
    static let reports: [PrintedReport] = [.json(OutboxReport.self)]

    @Argument(help: ArgumentHelp("Message ids.", valueName: "id"), completion: .custom(CompletionLists.outgoingIDs))
    var ids: [String]

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.changeOutgoing(ids, verb: "held", command: "outbox hold") { $0.state = .held }
    }
}

/// `helix outbox release`
struct OutboxRelease: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "release", abstract: "Release held messages for sending.",
        discussion: """
            They are queued with their scheduled time, if any. An agent cannot release what it wrote.

              helix outbox release k3f7
            """)
    static let reports: [PrintedReport] = [.json(OutboxReport.self)]

    @Argument(help: ArgumentHelp("Message ids.", valueName: "id"), completion: .custom(CompletionLists.outgoingIDs))
    var ids: [String]

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        for id in ids {
            let message = try context.outgoing(id)
            guard message.state == .held else {
                throw HelixError(
                    .conflict, "'\(message.subject)' is not held",
                    hint: "'helix outbox list' shows the state of each message.")
            }
            try context.refuseUnfinished(message.id, "outbox edit")
        }
        try context.changeOutgoing(ids, verb: "released", command: "outbox release") { $0.state = .queued }
    }
}

/// `helix outbox retry`
struct OutboxRetry: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "retry", abstract: "Send a held, rejected or waiting message.",
        discussion: """
            Held messages are queued again, with their scheduled time if any; others are sent at once.

              helix outbox retry k3f7
            """)
    static let reports: [PrintedReport] = [.json(OutboxReport.self)]

    @Argument(help: ArgumentHelp("Message ids.", valueName: "id"), completion: .custom(CompletionLists.outgoingIDs))
    var ids: [String]

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let ids = try context.changeWaitingChat(ids, verb: "queued", command: "outbox retry") { try $0.retry($1) }
        if ids.isEmpty { return }
        for id in ids { try context.refuseUnfinished(try context.outgoing(id).id, "outbox edit") }
        try context.changeOutgoing(ids, verb: "queued", command: "outbox retry") { message in
            // A held message keeps its time.
            if message.state != .held { message.leavesAt = min(message.leavesAt, context.now) }
            (message.state, message.problem) = (.queued, nil)
        }
    }
}

/// `helix outbox cancel`
struct OutboxCancel: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel an outgoing message; it becomes a draft again.",
        discussion: """
            If some recipients already got it, the draft is for the rest. Chat messages are deleted.

              helix outbox cancel k3f7
            """)
    static let reports: [PrintedReport] = [.json(MailChangeReport.self)]

    @Argument(help: ArgumentHelp("Message ids.", valueName: "id"), completion: .custom(CompletionLists.outgoingIDs))
    var ids: [String]

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let ids = try context.changeWaitingChat(ids, verb: "cancelled", command: "outbox cancel") { try $0.delete($1) }
        if ids.isEmpty { return }
        // A cancelled message becomes a draft.
        try store.requireDrafts()
        let messages = try ids.map { try context.outgoing($0) }.uniqued
        for message in messages { try context.refuseUnfinished(message.id, "outbox edit") }
        if let message = try messages.first(where: { try store.isBounce($0) }) {
            throw HelixError(
                .usage, "'\(message.subject)' is sent on as it is, and cannot be a draft",
                hint: "'helix undo' takes it out of the outbox; 'helix outbox hold' keeps it from leaving.")
        }
        let staged = try messages.map { message in
            var session = try DraftSession(message, command: "outbox cancel", context: context)
            let gone = session.draft.keepOnly(message.recipients)
            if !gone.isEmpty {
                context.note(
                    "'\(message.subject)' has been sent to \(gone.joined(separator: ", ")); the draft is for the rest.")
            }
            return try session.stage()
        }
        let what = messages.count == 1 ? "'\(messages[0].subject)'" : "\(messages.count) messages"
        let drafts = try store.change("cancel \(what)", command: "outbox cancel") { change in
            try zip(messages, staged).map { message, draft in
                try change.removeOutgoing(message.id)
                return try change.place(draft, in: .role(.drafts))
            }
        }
        let items = try store.messages(ids: drafts).map { MailItem(message: $0) }
        try context.present(MailChangeReport(verb: "a draft again", items: items), ids: drafts)
    }
}

/// `helix outbox edit`
struct OutboxEdit: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "edit", abstract: "Edit an outgoing message, or when it is sent.",
        discussion: """
            The message is held while the editor is open and keeps its Message-ID.

              helix outbox edit k3f7
              helix outbox edit k3f7 --subject 'Plans, once more'
              helix outbox edit k3f7 --at 'mon 8:00'
            """)
    static let reports: [PrintedReport] = [.json(OutboxReport.self)]

    @Argument(help: ArgumentHelp("Message id.", valueName: "id"), completion: .custom(CompletionLists.outgoingIDs))
    var id: String

    @OptionGroup var write: WriteOptions

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Send at this time.", valueName: "when"))
    var at: String?

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        var message = try context.outgoing(id)
        if try context.store().isBounce(message) {
            guard write.saysNothing, !write.edit, let at else {
                throw HelixError(
                    .usage, "'\(message.subject)' is sent on as it is", hint: "Only --at can be changed.")
            }
            message.leavesAt = try context.leaves(at, from: message.leavesAt)
            let changed = message
            try context.store().change("edit '\(message.subject)'", command: "outbox edit") {
                try $0.replace(changed, nil)
            }
            return try context.presentOutbox([changed], verb: "edited")
        }
        var session = try DraftSession(message, command: "outbox edit", context: context)
        if let at { message.leavesAt = try context.leaves(at, from: message.leavesAt) }
        if !write.saysNothing || at != nil {
            try context.refuseUnfinished(message.id, "outbox edit")
            try write.apply(to: &session.draft, in: context, isEdit: true)
            let changed = try session.replace(message, isChanged: !write.saysNothing)
            if !write.edit { return try context.presentOutbox([changed], verb: "changed") }
        }
        let state = message.state
        try setState(of: message, .held, "hold", context)
        // Whatever happens in the editor, the message is queued as before; if helix itself stops, it stays held.
        defer {
            if UnfinishedDrafts(context).text(message.id) == nil {
                try? setState(of: message, state, "release", context)
            }
        }
        session = try DraftSession(try context.outgoing(id), command: "outbox edit", context: context)
        if try session.edit(isWanted: write.edit) {
            try setState(of: message, state, "release", context)
            try context.presentOutbox([try context.outgoing(id)], verb: "changed")
        }
    }

    private func setState(
        of message: OutgoingMessage, _ state: OutgoingMessage.State, _ verb: String, _ context: CommandContext
    ) throws {
        var present = try context.store().outgoing(message.id)
        if present.state == state { return }
        present.state = state
        let changed = present
        try context.store().change("\(verb) '\(message.subject)'", command: "outbox edit") { change in
            try change.replace(changed, nil)
        }
    }
}

extension CommandContext {
    /// Changes queued messages, and prints them.
    /// - Throws: ``HelixError``.
    fileprivate func changeOutgoing(
        _ ids: [String], verb: String, command: String, _ body: (inout OutgoingMessage) -> Void
    ) throws {
        var messages = try ids.map { try outgoing($0) }.uniqued
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
}

extension MessageDraft {
    /// Removes the recipients to whom the message has been sent. For the rest it becomes another message.
    /// - Returns: the removed addresses.
    fileprivate mutating func keepOnly(_ recipients: [String]) -> [String] {
        let rest = Set(recipients.map { MailAddress(text: $0).address.lowercased() })
        let gone = (to + cc + bcc).map(\.address).filter { !rest.contains($0.lowercased()) }
        if gone.isEmpty { return [] }
        to.removeAll { !rest.contains($0.address.lowercased()) }
        cc.removeAll { !rest.contains($0.address.lowercased()) }
        bcc.removeAll { !rest.contains($0.address.lowercased()) }
        messageID = MessageDraft.newMessageID(for: from)
        return gone
    }
}
