import HelixModel
import HelixStore
import HelixTerminal

extension CommandContext {
    /// Lets what waits in a conversation leave, in the background: nobody waits for it.
    func deliverChat(_ conversation: Conversation) {}

    /// Tells a gateway what waits in a conversation, and waits until it has it.
    /// - Throws: ``HelixError``.
    func sendChat(_ conversation: Conversation) throws {}

    /// The bytes of a file that came with a message; fetched, if they are not here yet.
    /// - Throws: ``HelixError``: `offline`, `notFound`.
    func chatFile(_ file: ChatAttachment, of message: ChatMessage) throws -> String {
        if let path = try store().path(of: file) { return path }
        throw HelixError(.notFound, "the bytes of '\(file.name)' are not here")
    }
}
