import ArgumentParser
import HelixModel

/// `helix outbox`
struct Outbox: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox", abstract: "What waits to leave.",
        discussion: """
            What is sent waits here until it can leave, in order, and nothing is ever dropped from here in silence.

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
        return try store.outgoing(try store.entity(EntityPrefix(text), kinds: [.outgoing]).id)
    }
}
