import CMemory
import Dispatch
import FoundationEssentials
import HelixGateway
import HelixGatewayStore
import HelixModel
import HelixSystem
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import Synchronization

/// A gateway server: one port that speaks WebSocket and some HTTP, for the devices of its users.
public final class GatewayServer: Sendable {
    let configuration: GatewayConfiguration
    let log: Logger
    let metrics = GatewayMetrics()
    let clients = ClientRegistry()
    let methods = MethodTable()
    let users: UserServices
    private let accounts: AccountKeeper
    let accountsQueue: GatewayQueue
    private let chat: ChatQueue
    private let files: ChatQueue
    /// The queue for changing passwords.
    private let passwords: ChatQueue
    /// The threads that hash passwords at sign-in.
    let hashing = PasswordWorkers()
    /// The limits on connections, including idle ones before the handshake.
    let limits: ConnectionLimits
    /// The limits on connections by the addresses that a proxy names.
    let forwarded: ConnectionLimits
    /// The limits on requests of each user.
    let userLimits = UserLimits()
    let identities: SecretIdentities
    /// The bytes queued for all clients together.
    let unsent = Atomic<Int>(0)
    /// Pending events that are sent once although they happened several times within a moment.
    private let coalesced = Mutex<Set<String>>([])
    let assistant: AssistantRuns
    /// Failed attempts of signed-in clients at a user's password.
    let failedLogins = Mutex(FailureGuard())
    private let group: MultiThreadedEventLoopGroup
    private let ready = Mutex(false)
    private let started = ContinuousClock.now
    /// The users whose devices are to be notified about presence.
    private let absent = Mutex<Set<EntityID>>([])

    /// - Throws: ``HelixError`` if the store cannot be opened.
    public init(_ configuration: GatewayConfiguration, log: Logger) throws {
        self.configuration = configuration
        self.log = log
        umask(0o077)
        try FileModes.check(configuration)
        limits = ConnectionLimits(
            wanted: configuration.mostConnections, mostEach: GatewayConfiguration.mostOfNetwork)
        forwarded = ConnectionLimits(
            wanted: configuration.mostConnections, mostEach: GatewayConfiguration.mostOfNetwork)
        accountsQueue = try GatewayQueue(folder: configuration.folder, allowsSignUp: configuration.allowsSignUp)
        chat = try ChatQueue(
            folder: configuration.folder, label: "helix.gateway.chat", qos: .userInteractive, keeping: 2_000)
        // Pages for the hourly maintenance need not stay cached until the next run.
        files = try ChatQueue(
            folder: configuration.folder, label: "helix.gateway.files", qos: .utility, keeping: 256)
        passwords = try ChatQueue(
            folder: configuration.folder, label: "helix.gateway.password", qos: .utility, keeping: 256)
        identities = SecretIdentities(secret: try GatewayStore(folder: configuration.folder).secret())
        assistant = AssistantRuns(configuration.assistant)
        users = UserServices(folder: configuration.folder)
        accounts = AccountKeeper(users: users, log: log)
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    }

    /// The token that grants other machines access to the metrics; nil if none is set.
    var metricsToken: String? {
        let text = try? String(contentsOfFile: configuration.folder + "/metrics-token", encoding: .utf8)
        return text.map { $0.trimmingBlanks() }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether it accepts clients.
    var isReady: Bool { ready.withLock { $0 } }
    /// The current time, in milliseconds.
    var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
    /// The current time.
    var now: Instant { Instant(milliseconds / 1000) }

    /// Starts listening.
    /// - Returns: the port.
    /// - Throws: ``HelixError``: the port is taken, or the certificate cannot be read.
    public func start() throws -> Int {
        let tls = try GatewayCertificate.context(configuration)
        let server = self
        // Timers of Dispatch need descriptors, too, and end the process if there is none: create them now.
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now())
        timer.resume()
        timer.cancel()
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.maxMessagesPerRead, value: 16)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        AcceptLimiter(server.limits) { server.metrics.turnedAway() })
                }
            }
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 1024, maximum: 65536)
            )
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try server.prepare(channel, tls) }
            }
        do {
            let channel = try bootstrap.bind(host: configuration.host, port: configuration.port).wait()
            ready.withLock { $0 = true }
            startMaintenance()
            return channel.localAddress?.port ?? configuration.port
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw HelixError(
                .io, "port \(configuration.port) of \(configuration.host) is in use",
                hint: "Stop the other gateway, or choose a port with --port.")
        } catch {
            throw HelixError(.io, "cannot listen on \(configuration.host), port \(configuration.port): \(error)")
        }
    }

    private func prepare(_ channel: any Channel, _ tls: NIOSSLContext?) throws {
        let pipeline = channel.pipeline.syncOperations
        if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
        let server = self
        let upgrader = NIOWebSocketServerUpgrader(
            maxFrameSize: GatewayConfiguration.largestFrame(GatewayProtocol.newest),
            automaticErrorHandling: false,
            shouldUpgrade: { channel, head in
                // A foreign web page must not reach a gateway through its visitor's browser.
                let origin = head.headers.first(name: "origin")
                let isAllowed = origin.map { server.configuration.origins.contains($0) } ?? true
                // An upgrade is a GET of HTTP/1.1 with one Host (RFC 6455 §4.1).
                let isSound =
                    head.method == .GET && head.version == .http1_1 && head.headers["host"].count == 1
                    && head.headers["origin"].count <= 1
                let isWelcome = server.isReady && isAllowed && isSound
                return channel.eventLoop.makeSucceededFuture(isWelcome ? HTTPHeaders() : nil)
            },
            upgradePipelineHandler: { channel, head in
                channel.eventLoop.makeCompletedFuture {
                    let (remote, isLocal) = server.origin(of: channel, head)
                    // Behind a proxy all connections have its address; the addresses that it names are counted here.
                    if remote != channel.remoteAddress?.ipAddress {
                        let network = Network.of(remote)
                        guard server.forwarded.enter(network, isLocal: false) else {
                            server.metrics.turnedAway()
                            return channel.close(promise: nil)
                        }
                        channel.closeFuture.whenComplete { _ in server.forwarded.leave(network) }
                    }
                    let connection = GatewayConnection(server, remote: remote, isLocal: isLocal)
                    try channel.pipeline.syncOperations.addHandler(FirstBytes(connection), position: .first)
                    try channel.pipeline.syncOperations.addHandler(connection)
                }
            })
        try pipeline.configureHTTPServerPipeline(
            withServerUpgrade: (
                upgraders: [upgrader],
                completionHandler: { $0.channel.pipeline.removeHandler(name: "endpoints", promise: nil) }
            ))
        try pipeline.addHandler(HTTPEndpoints(self), name: "endpoints")
    }

    /// The address of a client, and whether it is this machine without a proxy in between.
    func origin(of channel: any Channel, _ head: HTTPRequestHead) -> (String, Bool) {
        let address = channel.remoteAddress?.ipAddress ?? "?"
        let forwarded = head.headers["x-forwarded-for"].last?.split(separator: ",").last
        let isLoopback = Network.isLoopback(address)
        if isLoopback, configuration.trustsProxy, let forwarded {
            return (String(forwarded).trimmingBlanks(), false)
        }
        // A proxy that names no address hides its client.
        if configuration.trustsProxy { return (address, false) }
        let isForwarded = ["x-forwarded-for", "forwarded", "x-real-ip", "via", "x-forwarded-host"].contains {
            head.headers.contains(name: $0)
        }
        var host = (head.headers.first(name: "host") ?? "").lowercased()
        if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") { host = String(host[..<colon]) }
        return (address, isLoopback && !isForwarded && ["localhost", "127.0.0.1", "[::1]"].contains(host))
    }

    /// Starts the periodic syncs of users' accounts and the maintenance of the store.
    private func startMaintenance() {
        let pause = Duration.seconds(AccountKeeper.interval)
        group.next().scheduleRepeatedTask(initialDelay: .seconds(60), delay: .hours(1)) { [weak self] task in
            guard let self, isReady else { return task.cancel() }
            withFiles { [self] store in
                do {
                    try store.sweepFiles(now: now)
                    try store.sweepAudit(now: now)
                    try store.sweepTicks()
                } catch { log.error("maintenance failed", metadata: ["error": "\(error)"]) }
            }
        }
        // Users and devices that another process disabled, such as 'helix gateway user disable', are disconnected in a second.
        let known = Mutex<Int64>(-1)
        group.next().scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { [weak self] task in
            guard let self, isReady else { return task.cancel() }
            withAccounts { [self] store in
                guard let last = try? store.lastAudit(), known.withLock({ $0 != last }) else { return }
                known.withLock { $0 = last }
                for client in clients.all { check(client) }
            }
        }
        group.next().scheduleRepeatedTask(initialDelay: .seconds(5), delay: TimeAmount(pause)) { [weak self] task in
            guard let self, isReady else { return task.cancel() }
            users.closeIdleStores(after: pause)
            helix_memory_trim()
            withAccounts { [self] store in
                for user in (try? store.users()) ?? [] where !user.isDisabled { syncAccounts(of: user.id) }
            }
        }
    }

    /// Syncs the accounts that a user has at the gateway, and notifies their devices.
    func syncAccounts(of user: EntityID) {
        accounts.sync(user, now: now) { [self] in
            clients.tell(user, "sync.changed", ["ts": .integer(milliseconds)])
        }
    }

    /// Stops the gateway: notifies clients, and completes running work.
    public func stop() {
        ready.withLock { $0 = false }
        for client in clients.all {
            client.tell("shutdown", ["reason": "the gateway is stopping"])
            client.end(code: 1012, reason: "service restart")
        }
        hashing.finish()
        assistant.finish()
        chat.finish()
        files.finish()
        passwords.finish()
        accountsQueue.finish()
        users.finish()
        // Gives queued data time to be sent.
        sleep(seconds: 0.1)
        try? group.syncShutdownGracefully()
    }

    // Requests of connections

    /// Runs work on the accounts queue for a client.
    func withAccounts(for asker: Asker, _ body: @escaping @Sendable (GatewayStore) -> Void) {
        accountsQueue.perform(for: asker) { store, _ in body(store) }
    }

    /// Changes a password for a client.
    func withPasswords(for asker: Asker, _ body: @escaping @Sendable (GatewayStore) -> Void) {
        passwords.perform(for: asker, body)
    }

    /// Runs work on conversations for a client.
    func withChat(for asker: Asker, _ body: @escaping @Sendable (GatewayStore) -> Void) {
        chat.perform(for: asker, body)
    }

    /// Runs work on message attachments for a client.
    func withFiles(for asker: Asker, _ body: @escaping @Sendable (GatewayStore) -> Void) {
        files.perform(for: asker, body)
    }

    /// Sends users one event for several within a moment: if a hundred people read a message, each of the others is notified
    /// once.
    func tellSoon(_ users: [EntityID], _ name: String, _ key: String, _ payload: JSONText, except connection: String) {
        guard coalesced.withLock({ $0.insert(key).inserted }) else { return }
        group.next().scheduleTask(in: .milliseconds(GatewayConfiguration.moment)) { [weak self] in
            guard let self else { return }
            _ = coalesced.withLock { $0.remove(key) }
            clients.tell(users, name, payload)
        }
    }

    /// Runs work on the accounts queue.
    func withAccounts(_ body: @escaping @Sendable (GatewayStore) -> Void) {
        accountsQueue.perform { store, _ in body(store) }
    }

    /// Runs work on conversations.
    func withChat(_ body: @escaping @Sendable (GatewayStore) -> Void) { chat.perform(body) }

    /// Runs work on message attachments.
    func withFiles(_ body: @escaping @Sendable (GatewayStore) -> Void) { files.perform(body) }

    /// The gateway's hello to a client.
    func hello(_ session: ClientSession) -> JSONText {
        let scopes = session.scopes.map(\.rawValue).sorted()
        return [
            "type": "hello-ok", "protocol": .integer(session.version),
            "server": ["version": .string(configuration.version), "connId": .string(session.connection)],
            "features": [
                "methods": .strings(methods.names), "events": .strings(GatewayServer.eventNames),
                "capabilities": ["helix-1"],
            ],
            "snapshot": [
                "presence": .array(presence(of: session.user.id)), "health": ["ok": true],
                "stateVersion": ["presence": 0, "health": 0],
                "uptimeMs": .integer(started.duration(to: .now).components.seconds * 1000),
                "sessionDefaults": [
                    "defaultAgentId": "main", "mainKey": "main", "mainSessionKey": "agent:main:main",
                ],
            ],
            "auth": [
                "deviceToken": session.token.map { .string($0) }, "role": "operator", "scopes": .strings(scopes),
                "issuedAtMs": session.token == nil ? nil : .integer(milliseconds),
            ],
            "policy": [
                "maxPayload": .integer(GatewayConfiguration.largestFrame(session.version)),
                "maxBufferedBytes": .integer(GatewayConfiguration.mostBuffered),
                "tickIntervalMs": .integer(GatewayConfiguration.tick * 1000),
                "maxPending": .integer(GatewayConfiguration.mostPending),
                "maxConnectionsPerUser": .integer(UserLimits.mostConnections),
                "maxConnectionsPerDevice": .integer(UserLimits.mostOfDevice),
                "maxGroupsPerDay": .integer(GatewayStore.mostBegun),
                "maxGroupMembers": .integer(GatewayStore.mostMembers),
                "maxFiles": .integer(GatewayStore.mostFiles),
            ],
        ]
    }

    static let eventNames = [
        "connect.challenge", "tick", "shutdown", "presence", "sync.changed", "chat", "chat.changed",
        "chat.edited", "chat.typing",
    ]

    /// A user's online devices; only the first ones if there are many.
    func presence(of user: EntityID) -> [JSONText] {
        var known: Set<String> = []
        let sessions = clients.clients(of: user).map(\.session).sorted { $0.connection < $1.connection }
            .filter { known.insert($0.device).inserted }
        return sessions.prefix(50).map { session in
            [
                "ts": .integer(milliseconds), "host": .string(session.deviceName),
                "platform": .string(session.platform),
                "mode": "cli", "deviceId": .string(session.device), "roles": ["operator"],
                "scopes": .strings(session.scopes.map(\.rawValue).sorted()),
            ]
        }
    }

    /// Sends a user's devices their presence after a moment: many changes at once are sent as one event.
    func presenceChanged(of user: EntityID) {
        guard absent.withLock({ $0.insert(user).inserted }) else { return }
        group.next().scheduleTask(in: .milliseconds(200)) { [weak self] in
            guard let self else { return }
            _ = absent.withLock { $0.remove(user) }
            clients.tell(user, "presence", ["presence": .array(presence(of: user))])
        }
    }
}
