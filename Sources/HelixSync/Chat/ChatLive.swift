import FoundationEssentials
import Glibc
import HelixGateway
import HelixModel
import HelixStore
import HelixSystem
import Synchronization

/// Keeps connections to gateways open during a chat: a thread per account receives messages into the store, and sends the queued
/// ones. A broken connection is retried, less often with each failure.
public final class ChatLive: Sendable {
    /// An event for the chat.
    public enum Event: Sendable {
        /// The store has changed.
        case news
        /// A message was edited or deleted.
        case changed(EntityID)
        /// Another member is typing.
        case typing(conversation: EntityID, name: String)
        /// An answer has grown.
        case answer(RunStream)
        /// A note for the user.
        case note(String)
        /// An account's connection is open.
        case online(String)
        /// An account's connection is broken, with the reason; `isFinal` if an early retry is pointless.
        case offline(String, HelixError, isFinal: Bool)
    }

    private enum Order: Sendable {
        case push
        case expect(EntityID)
        case abort(EntityID)
        case type(EntityID)
    }

    /// The commands for one account's thread, and the wake pipe for it.
    private final class Line: Sendable {
        let account: Account
        let orders = Mutex<[Order]>([])
        let wakePipe = WakePipe()

        init(_ account: Account) { self.account = account }

        func give(_ order: Order) {
            orders.withLock { $0.append(order) }
            wakePipe.ring()
        }

        /// Consumes the orders to send, and returns whether there was one; the rest is kept.
        func takePushes() -> Bool {
            orders.withLock { all in
                let count = all.count
                all.removeAll { if case .push = $0 { true } else { false } }
                return all.count < count
            }
        }

        func take() -> [Order] {
            wakePipe.still()
            return orders.withLock { all in
                defer { all = [] }
                return all
            }
        }
    }

    /// Becomes readable after an event.
    public var descriptor: Int32 { wakePipe.descriptor }
    private let wakePipe = WakePipe()
    private let events = Mutex<[Event]>([])
    private let isOver = Mutex(false)
    private let lines: [Line]
    private let path: String
    private let access: @Sendable (Account) -> GatewayAccess

    /// - Parameters:
    ///   - path: the store.
    ///   - access: the sign-in of this device.
    public init(
        path: String, accounts: [Account], access: @escaping @Sendable (Account) -> GatewayAccess
    ) {
        self.path = path
        self.access = access
        lines = accounts.map(Line.init)
    }

    /// Starts the threads.
    public func start() {
        for line in lines {
            let isStarted: Void? = try? DetachedThread.start(stackSize: 8 << 20) { [self] in follow(line) }
            if isStarted == nil {
                let error = HelixError(.io, "the system has no thread left: new messages are not followed")
                tell(.offline(line.account.name, error, isFinal: true))
            }
        }
    }

    /// Stops the threads.
    public func stop() {
        isOver.withLock { $0 = true }
        for line in lines { line.give(.push) }
    }

    /// Consumes the events since the last call.
    public func take() -> [Event] {
        wakePipe.still()
        return events.withLock { all in
            defer { all = [] }
            return all
        }
    }

    /// Sends the queued messages now.
    public func push() { for line in lines { line.give(.push) } }

    /// Follows the answer to a message.
    public func expect(answerTo message: ChatMessage) { for line in lines { line.give(.expect(message.id)) } }

    /// Aborts the answer to a message.
    public func abort(_ message: ChatMessage) { for line in lines { line.give(.abort(message.id)) } }

    /// Notifies the others that the user is typing.
    public func type(in conversation: Conversation) {
        for line in lines where line.account.id == conversation.account { line.give(.type(conversation.id)) }
    }

    private func tell(_ event: Event) {
        events.withLock { $0.append(event) }
        wakePipe.ring()
    }

    private func follow(_ line: Line) {
        var failures = 0
        while !isOver.withLock({ $0 }) {
            do {
                let store = try Store(path: path, now: Instant.current)
                let connection = try ChatConnection(store, line.account, access(line.account))
                defer { connection.close() }
                tell(.online(line.account.name))
                try stay(connection, store, line) { failures = 0 }
            } catch {
                let error = error as? HelixError ?? HelixError(.unexpected, "\(error)")
                // An early retry is pointless if the answer will be the same.
                let isFinal = [.authentication, .notAllowed, .protocol, .configuration].contains(error.code)
                tell(.offline(line.account.name, error, isFinal: isFinal))
                failures += isFinal ? 0 : 1
                pause(isFinal ? ChatLive.longestPause : .milliseconds(Int(Retry.delay(failures) * 1000)), line)
            }
        }
    }

    /// The pause after a final error, whose cause may be fixed meanwhile.
    private static let longestPause = Duration.seconds(60)
    /// The shortest pause after a final error, also with new messages to send.
    private static let shortestPause = Duration.seconds(3)

    /// Waits before the next try; less long after a new message to send.
    private func pause(_ duration: Duration, _ line: Line) {
        let (start, isShort) = (ContinuousClock.now, duration < ChatLive.shortestPause)
        var isAsked = false
        while !isOver.withLock({ $0 }) {
            let waited = ContinuousClock.now - start
            if waited >= duration || !isShort && isAsked && waited >= ChatLive.shortestPause { return }
            usleep(100_000)
            if !isShort, line.takePushes() { isAsked = true }
        }
    }

    private func stay(
        _ connection: ChatConnection, _ store: Store, _ line: Line, _ isThere: () -> Void
    ) throws {
        try connection.exchange()
        isThere()
        for note in connection.notes { tell(.note(note)) }
        tell(.news)
        while !isOver.withLock({ $0 }) {
            switch try connection.wait(milliseconds: 5000, wake: line.wakePipe.descriptor) {
            case .messages: tell(.news)
            case .changed(let id): tell(.changed(id))
            case .typing(let conversation, let name): tell(.typing(conversation: conversation, name: name))
            case .answer(let stream):
                tell(.answer(stream))
                if stream.end != nil { tell(.news) }
            case .woken: break
            // A parked message may be due, or another process may have queued one.
            case .nothing:
                store.now = Instant.current
                if try store.hasChatErrands(of: line.account.id) { try push(connection, store) }
            }
            store.didServe()
            for order in line.take() {
                store.now = Instant.current
                switch order {
                case .push: try push(connection, store)
                case .expect(let id): connection.expect(answerTo: id)
                case .abort(let id):
                    if let message = try? store.chatMessage(id) { try connection.abort(message) }
                case .type(let id):
                    if let conversation = try? store.conversation(id) { try connection.type(in: conversation) }
                }
            }
        }
    }

    private func push(_ connection: ChatConnection, _ store: Store) throws {
        try connection.push()
        tell(.news)
    }
}
