import ArgumentParser
import HelixModel
import HelixStore

/// `helix outbox`
struct Outbox: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox", abstract: "Manage outgoing messages and list unsynced changes.",
        discussion: """
            Queues outgoing mail and chat messages until they are sent, in order; nothing is dropped silently. 'show', \
            'retry' and 'cancel' also accept chat messages.

              helix outbox list
              helix outbox hold k3f7
            """,
        subcommands: [
            OutboxList.self, OutboxChanges.self, OutboxShow.self, OutboxHold.self, OutboxRelease.self, OutboxEdit.self,
            OutboxCancel.self,
            OutboxRetry.self,
        ],
        defaultSubcommand: OutboxList.self)
}

extension CommandContext {
    /// The queued message whose id begins with `text`.
    /// - Throws: ``HelixError``.
    func outgoing(_ text: String) throws -> OutgoingMessage {
        let store = try store()
        let found = try store.entity(EntityPrefix(text), kinds: [.outgoing, .chatMessage])
        guard found.kind == .outgoing else {
            throw HelixError(
                .usage, "'\(found.title.prefix(40))' is a chat message, not mail",
                hint: "'helix chat message \(text)' shows, changes and deletes it.")
        }
        return try store.outgoing(found.id)
    }

    /// Changes the queued chat messages among those named.
    /// - Returns: the ids of the rest.
    /// - Throws: ``HelixError``.
    func changeWaitingChat(
        _ ids: [String], verb: String, command: String, _ body: (Change, ChatMessage) throws -> Void
    ) throws -> [String] {
        let store = try store()
        let chat = try ids.filter { text in
            try store.entity(EntityPrefix(text), kinds: [.outgoing, .chatMessage]).kind == .chatMessage
        }
        if chat.isEmpty { return ids }
        let waiting = try store.chatOutbox()
        let messages = try chat.map { try chatMessage($0) }.uniqued
        for message in messages where !waiting.contains(where: { $0.id == message.id }) {
            throw HelixError(.notFound, "'\(message.title.prefix(40))' is not queued for sending")
        }
        try store.change("\(command) \(messages.count == 1 ? "a message" : "messages")", command: command) { change in
            for message in messages { try body(change, message) }
        }
        // The current outbox: removed messages are no longer in it.
        let present = try store.chatOutbox()
        if messages.contains(where: { message in present.contains { $0.id == message.id } }) {
            try presentOutbox(present.filter { item in messages.contains { $0.id == item.id } }, verb: verb)
        } else {
            for message in messages { note("'\(message.title.prefix(60))' is \(verb).") }
        }
        for id in Set(messages.map(\.conversation)) { deliverChat(try store.conversation(id)) }
        return ids.filter { !chat.contains($0) }
    }
}
