import ArgumentParser
import HelixModel
import HelixStore

/// `helix outbox`
struct Outbox: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox", abstract: "Manage outgoing messages.",
        discussion: """
            Holds outgoing mail and chat messages until they are sent, in order; nothing is dropped silently. 'show', \
            'retry' and 'cancel' also take chat messages.

              helix outbox list
              helix outbox hold k3f7
            """,
        subcommands: [
            OutboxList.self, OutboxShow.self, OutboxHold.self, OutboxEdit.self, OutboxCancel.self, OutboxRetry.self,
        ],
        defaultSubcommand: OutboxList.self)
}

extension CommandContext {
    /// What waits that a person means by the beginning of its id.
    /// - Throws: ``HelixError``.
    func outgoing(_ text: String) throws -> OutgoingMessage {
        let store = try store()
        let found = try store.entity(EntityPrefix(text), kinds: [.outgoing, .chatMessage])
        guard found.kind == .outgoing else {
            throw HelixError(
                .usage, "'\(found.title.prefix(40))' is chat, and no mail",
                hint: "'helix chat message \(text)' shows, changes and deletes it.")
        }
        return try store.outgoing(found.id)
    }

    /// Does something with the chat messages among what is meant.
    /// - Returns: the ids of the others.
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
            throw HelixError(.notFound, "'\(message.title.prefix(40))' does not wait to leave")
        }
        try store.change("\(command) \(messages.count == 1 ? "a message" : "messages")", command: command) { change in
            for message in messages { try body(change, message) }
        }
        // As it is now: what was taken out waits no more.
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
