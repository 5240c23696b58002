import HelixGateway
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// The connections to gateways while chat is on the screen: messages arrive at once, and others see that one writes.
final class ChatLink {
    private let live: ChatLive
    private var told = ContinuousClock.now - .seconds(60)

    /// The news of the connections since the last look.
    struct News {
        /// Whether the store has changed.
        var hasChanged = false
        /// The people who are writing, each with the conversation.
        var typing: [(conversation: EntityID, name: String)] = []
        /// A remark for the person.
        var remark: StyledText?
    }

    /// Connects; nil if there is no gateway.
    /// - Throws: ``HelixError``.
    init?(_ context: CommandContext) throws {
        guard try context.store().accounts().contains(where: { $0.kind == .gateway }) else { return nil }
        live = context.chatLive(nil)
        live.start()
    }

    deinit { live.stop() }

    /// The descriptor that becomes readable when something came.
    var descriptor: Int32 { live.descriptor }

    /// Takes what came.
    func take() -> News {
        var news = News()
        for event in live.take() {
            switch event {
            case .news, .changed, .online: news.hasChanged = true
            case .typing(let conversation, let name): news.typing.append((conversation, name))
            case .answer(let stream): news.hasChanged = news.hasChanged || stream.end != nil
            case .note(let text): news.remark = StyledText(text + ".", TextStyle(.yellow))
            case .offline(let name, let error, let isFinal):
                // A broken connection is retried; what cannot come back by itself is told.
                if isFinal { news.remark = StyledText("\(name): \(error.message).", TextStyle(.red)) }
            }
        }
        return news
    }

    /// Sends queued messages.
    func push() { live.push() }

    /// Tells the others that one writes, every few seconds at most.
    func type(in conversation: Conversation) {
        guard conversation.account != nil, told.duration(to: .now) > .seconds(4) else { return }
        told = .now
        live.type(in: conversation)
    }
}
