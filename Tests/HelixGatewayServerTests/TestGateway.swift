import Foundation
import HelixGateway
import HelixGatewayStore
import HelixModel
import Logging
import NIOCore
import NIOEmbedded
import Synchronization

@testable import HelixGatewayServer

/// The parts of a gateway without a network: methods are called, and events are recorded. Its clock stands still, and events
/// that wait for a moment do so until ``advance(_:)``.
final class TestGateway: Sendable {
    /// 2026-11-18 10:00 UTC.
    static let now = Instant(1_795_255_200)

    let folder: String
    let queues: StoreQueues
    let clients: ClientNotifier
    let methods: MethodTable
    private let loop = NIOAsyncTestingEventLoop()

    /// - Parameter open: opens the store of a folder.
    init(open: (GatewayFolder, Int) throws -> any GatewayStore = { try $0.open(keeping: $1) }) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("helix-\(UUID().uuidString)").path
        let place = GatewayFolder(folder)
        let clock = GatewayClock { TestGateway.now.seconds * 1000 + 123 }
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        clients = ClientNotifier(clock: clock, loop: loop)
        let users = UserServices(folder: place)
        queues = try StoreQueues(users: users, allowsSignUp: false) { try open(place, $0) }
        let identities = SecretIdentities(secret: try open(place, 256).secret())
        let push = PushSender(
            PushConfiguration(), secret: [1], targets: queues.push, clients: clients, clock: clock,
            metrics: GatewayMetrics(), log: log)
        let assistant = AssistantRuns(
            AssistantConfiguration(url: "http://127.0.0.1:9", model: "none", key: nil, prompt: nil, history: 10),
            clock: clock, clients: clients, chat: queues.chat, identities: identities, push: push, log: log)
        methods = MethodTable(
            queues: queues,
            services: MethodServices(
                clock: clock, clients: clients, sessions: SessionChecker(accounts: queues.accounts),
                assistant: assistant, identities: identities,
                accounts: AccountKeeper(users: users, leases: nil, name: "", clock: clock, clients: clients, log: log),
                push: push,
                shares: ShareKeeper(
                    queues: queues, clients: clients, identities: identities, directory: .all, allowsSignUp: false,
                    clock: clock, log: log),
                directory: .all),
            metrics: GatewayMetrics(), log: log)
    }

    deinit {
        queues.finish()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Waits until all queued work is done: events follow an answer.
    func settle(_ user: EntityID) async {
        await withCheckedContinuation { done in queues.accounts.perform { _ in done.resume() } }
        await withCheckedContinuation { done in queues.passwords.perform { _ in done.resume() } }
        await withCheckedContinuation { done in queues.chat.perform { _ in done.resume() } }
        await withCheckedContinuation { done in queues.files.perform { _ in done.resume() } }
        let asker = Asker(user: "", isWanted: { true }, refuse: { _ in })
        await withCheckedContinuation { done in
            queues.users.service(user).perform(for: asker, now: TestGateway.now) { _ in done.resume() }
        }
    }

    /// Lets time pass for waiting events.
    func advance(_ time: TimeAmount) async { await loop.advanceTime(by: time) }

    /// A user with a device that is signed in.
    func client(
        _ name: String, device: String = "laptop", scopes: Set<GatewayProtocol.Scope> = [.read, .write, .pairing],
        dialect: ClientDialect = ClientDialect(version: 4, isHelix: true)
    ) async throws -> TestClient {
        let user: GatewayUser = try await withCheckedThrowingContinuation { done in
            queues.accounts.perform { accounts in
                done.resume(
                    with: Result {
                        let store = accounts.store
                        if let known = try store.users().first(where: { $0.name == name }) { return known }
                        return try store.addUser(
                            name, hash: GatewayPassword.hash("\(name)-password"), isAdmin: false, now: TestGateway.now)
                    })
            }
        }
        let session = ClientSession(
            connection: EntityID().text, version: dialect.form.version, user: user, device: "\(name)-\(device)",
            deviceName: device,
            platform: "linux", role: "operator", dialect: dialect, scopes: scopes, token: nil)
        let client = TestClient(gateway: self, session: session)
        clients.add(client.handle(loop)) {}
        return client
    }
}

/// A device that is signed in.
final class TestClient: Sendable {
    let gateway: TestGateway
    let session: ClientSession
    private let received = Mutex<[JSONText]>([])
    private let closed = Mutex<String?>(nil)

    init(gateway: TestGateway, session: ClientSession) {
        self.gateway = gateway
        self.session = session
    }

    func handle(_ loop: any EventLoop) -> ClientHandle {
        ClientHandle(session, loop) { [self] words in
            received.withLock { all in if let json = try? JSONText(words.bytes(number: 1)) { all.append(json) } }
        } close: { [self] _, reason in
            closed.withLock { $0 = reason }
        }
    }

    /// The reason for which the gateway closed the connection.
    var end: String? { closed.withLock { $0 } }

    /// The events of a name that arrived, with what waits for its moment.
    func events(_ name: String) async -> [JSONText] {
        await gateway.settle(session.user.id)
        await gateway.advance(.seconds(1))
        return received.withLock { $0 }.filter { $0["event"]?.text == name }.compactMap { $0["payload"] }
    }

    /// Calls a method, and waits until the events that follow are on their way.
    @discardableResult
    func call(_ method: String, _ params: JSONText? = nil) async throws -> JSONText {
        let answer = await withCheckedContinuation { done in
            gateway.methods.run(method, params, session) { done.resume(returning: $0) }
        }
        await gateway.settle(session.user.id)
        return try answer.get()
    }
}
