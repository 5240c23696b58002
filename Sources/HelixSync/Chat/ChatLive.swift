import Foundation
import HelixGateway
import HelixModel
import HelixStore
import Synchronization

/// Keeps lines to gateways open for as long as somebody talks: a thread for each account brings what comes into the store,
/// and lets go what waits there. A line that breaks is made anew, ever less often while that fails.
public final class ChatLive: Sendable {
    /// What happened.
    public enum Event: Sendable {
        /// The store has something new.
        case news
        /// A message has other words, or was deleted.
        case changed(EntityID)
        /// Somebody writes something.
        case typing(conversation: EntityID, name: String)
        /// An answer has come further.
        case answer(RunStream)
        /// Somebody may want to know that.
        case note(String)
        /// An account's line is open.
        case online(String)
        /// An account's line is broken, and why; `isFinal` if trying again soon makes no sense.
        case offline(String, HelixError, isFinal: Bool)
    }

    private enum Order: Sendable {
        case push
        case expect(EntityID)
        case abort(EntityID)
        case type(EntityID)
    }

    /// One account's orders, and what wakes its thread.
    private final class Line: Sendable {
        let account: MailAccount
        let orders = Mutex<[Order]>([])
        let bell = Bell()

        init(_ account: MailAccount) { self.account = account }

        func give(_ order: Order) {
            orders.withLock { $0.append(order) }
            bell.ring()
        }

        /// Whether something waits to be sent; all else stays.
        func takePushes() -> Bool {
            orders.withLock { all in
                let count = all.count
                all.removeAll { if case .push = $0 { true } else { false } }
                return all.count < count
            }
        }

        func take() -> [Order] {
            bell.still()
            return orders.withLock { all in
                defer { all = [] }
                return all
            }
        }
    }

    /// Can be read when something happened.
    public var descriptor: Int32 { bell.descriptor }
    private let bell = Bell()
    private let events = Mutex<[Event]>([])
    private let isOver = Mutex(false)
    private let lines: [Line]
    private let path: String
    private let access: @Sendable (MailAccount) -> GatewayAccess

    /// - Parameters:
    ///   - path: the store.
    ///   - access: how this device signs in.
    public init(
        path: String, accounts: [MailAccount], access: @escaping @Sendable (MailAccount) -> GatewayAccess
    ) {
        self.path = path
        self.access = access
        lines = accounts.map(Line.init)
    }

    /// Begins.
    public func start() {
        for line in lines {
            let thread = Thread { [self] in follow(line) }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    /// Ends it.
    public func stop() {
        isOver.withLock { $0 = true }
        for line in lines { line.give(.push) }
    }

    /// What happened since the last time.
    public func take() -> [Event] {
        bell.still()
        return events.withLock { all in
            defer { all = [] }
            return all
        }
    }

    /// Lets what waits leave now.
    public func push() { for line in lines { line.give(.push) } }

    /// Tells of the answer to a message as it is made.
    public func expect(answerTo message: ChatMessage) { for line in lines { line.give(.expect(message.id)) } }

    /// Breaks the answer to a message off.
    public func abort(_ message: ChatMessage) { for line in lines { line.give(.abort(message.id)) } }

    /// Tells others that one writes something.
    public func type(in conversation: Conversation) {
        for line in lines where line.account.id == conversation.account { line.give(.type(conversation.id)) }
    }

    private func tell(_ event: Event) {
        events.withLock { $0.append(event) }
        bell.ring()
    }

    private func follow(_ line: Line) {
        var failures = 0
        while !isOver.withLock({ $0 }) {
            do {
                let store = try Store(path: path, now: ChatLive.now)
                let connection = try ChatConnection(store, line.account, access(line.account))
                defer { connection.close() }
                tell(.online(line.account.name))
                try stay(connection, store, line) { failures = 0 }
            } catch {
                let error = error as? HelixError ?? HelixError(.unexpected, "\(error)")
                // To ask again makes no sense where the answer will be the same.
                let isFinal = [.authentication, .notAllowed, .protocol, .configuration].contains(error.code)
                tell(.offline(line.account.name, error, isFinal: isFinal))
                failures += isFinal ? 0 : 1
                pause(isFinal ? ChatLive.longestPause : .milliseconds(Int(Retry.delay(failures) * 1000)), line)
            }
        }
    }

    /// Whoever was not let in tries again after so long: somebody may have changed that.
    private static let longestPause = Duration.seconds(60)
    /// So long nothing is tried, whatever is said.
    private static let shortestPause = Duration.seconds(3)

    /// Waits before the next try; less long if somebody says something meanwhile.
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
            switch try connection.wait(milliseconds: 5000, wake: line.bell.descriptor) {
            case .messages: tell(.news)
            case .changed(let id): tell(.changed(id))
            case .typing(let conversation, let name): tell(.typing(conversation: conversation, name: name))
            case .answer(let stream):
                tell(.answer(stream))
                if stream.end != nil { tell(.news) }
            case .woken: break
            // What was parked for a while may go now, and what another process left.
            case .nothing:
                store.now = ChatLive.now
                if try store.hasChatErrands(of: line.account.id) { try push(connection, store) }
            }
            store.didServe()
            for order in line.take() {
                store.now = ChatLive.now
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

    private static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(Int64(time.tv_sec))
    }
}
