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

/// A gateway server: one port that speaks WebSocket and some HTTP, for the devices of its users. It puts the parts together;
/// none of them knows it.
public final class GatewayServer: Sendable {
    private let configuration: GatewayConfiguration
    private let log: Logger
    private let clock: GatewayClock
    private let metrics = GatewayMetrics()
    private let lock: GatewayLock
    private let queues: StoreQueues
    /// The other gateways of the database; nil for a single gateway.
    private let relay: ClusterRelay?
    private let clients: ClientNotifier
    private let accounts: AccountKeeper
    private let assistant: AssistantRuns
    private let push: PushSender
    private let shares: ShareKeeper
    private let connections: ConnectionServices
    private let agents: AgentEndpoint
    /// The limits on connections, including idle ones before the handshake.
    private let limits: ConnectionLimits
    /// The limits on connections by the addresses that a proxy names.
    private let forwarded: ConnectionLimits
    private let group: MultiThreadedEventLoopGroup
    private let phase = Mutex(GatewayPhase.starting)
    private let sharesBegun = Atomic(false)

    /// The number of event loops: one for two processors, since the threads of the stores need as many.
    private static let eventLoops = max(1, min(System.coreCount / 2, 16))

    /// - Throws: ``HelixError`` if the store cannot be opened.
    public init(_ configuration: GatewayConfiguration, log: Logger) throws {
        self.configuration = configuration
        self.log = log
        clock = .system
        umask(0o077)
        try FileModes.check(configuration)
        limits = ConnectionLimits(
            wanted: configuration.mostConnections, mostEach: GatewayConfiguration.mostOfNetwork)
        forwarded = ConnectionLimits(
            wanted: configuration.mostConnections, mostEach: GatewayConfiguration.mostOfNetwork)
        let folder = GatewayFolder(configuration.folder, database: configuration.database)
        let secret = try folder.open().secret()
        let identities = SecretIdentities(secret: secret)
        lock = try GatewayLock(folder: configuration.folder)
        let tokens = configuration.tokens.map { JWTVerifier($0) }
        tokens?.refresh(clock.now)
        queues = try StoreQueues(
            users: UserServices(
                folder: folder, logs: folder.userLogs(connections: configuration.databaseConnections)),
            allowsSignUp: configuration.allowsSignUp, tokens: tokens,
            lanes: configuration.database == nil ? 1 : configuration.databaseConnections
        ) { try folder.open(keeping: $0) }
        group = MultiThreadedEventLoopGroup(numberOfThreads: Self.eventLoops)
        relay = folder.events().map { [clock] in ClusterRelay($0, clock: clock, log: log) }
        clients = ClientNotifier(clock: clock, loop: group.next(), relay: relay)
        accounts = AccountKeeper(
            users: queues.users, leases: folder.accountLeases(), name: relay?.name ?? "", clock: clock,
            clients: clients,
            log: log)
        push = PushSender(
            configuration.push, secret: secret, targets: queues.push, clients: clients, clock: clock, metrics: metrics,
            log: log)
        assistant = AssistantRuns(
            configuration.assistant, clock: clock, clients: clients, chat: queues.chat, identities: identities,
            push: push, log: log)
        shares = ShareKeeper(
            queues: queues, clients: clients, identities: identities, directory: configuration.directory,
            allowsSignUp: configuration.allowsSignUp, clock: clock, log: log)
        let sessions = SessionChecker(accounts: queues.accounts)
        let userLimits = UserLimits()
        let methods = MethodTable(
            queues: queues,
            services: MethodServices(
                clock: clock, clients: clients, sessions: sessions,
                assistant: assistant, identities: identities, accounts: accounts,
                push: push, shares: shares, directory: configuration.directory),
            metrics: metrics, log: log)
        connections = ConnectionServices(
            clock: clock, metrics: metrics, clients: clients, sessions: sessions, userLimits: userLimits,
            unsent: UnsentBytes(),
            admission: ClientAdmission(
                accounts: queues.accounts, clients: clients, assistant: assistant, clock: clock, metrics: metrics,
                log: log),
            methods: methods,
            hello: GatewayGreeting(
                version: configuration.version, methods: methods.names, clients: clients, clock: clock))
        agents = AgentEndpoint(
            admission: AgentAdmission(accounts: queues.accounts, clock: clock, metrics: metrics), methods: methods,
            limits: userLimits, origins: configuration.origins, version: configuration.version)
    }

    /// The token that grants other machines access to the metrics; nil if none is set.
    private static func metricsToken(_ folder: String) -> String? {
        let text = try? String(contentsOfFile: folder + "/metrics-token", encoding: .utf8)
        return text.map { $0.trimmingBlanks() }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether it accepts clients.
    private var isReady: Bool { phase.withLock { $0 == .serving } }

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
            try relay?.start(
                clients,
                checkSessions: { [self] user in
                    for client in clients.clients(of: user) { connections.sessions.check(client) }
                }, entitiesChanged: { [self] user in accounts.noteChange(of: user) },
                share: { [self] user in shares.changed(user) },
                notify: { [self] message in notify(of: message) })
            phase.withLock { $0 = .serving }
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

    /// Sends the notices of a message that an app has written to the database.
    private func notify(of message: GatewayMessage) {
        guard let sender = message.sender else { return }
        queues.chat.perform { [self] store in
            do {
                push.send(PushNotice(message, in: try store.conversation(message.conversation, of: sender)))
            } catch { log.error("push failed", metadata: ["error": "\(error)"]) }
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
                    let origin = ClientOrigin(channel, head, trustsProxy: server.configuration.trustsProxy)
                    let remote = origin.address
                    // Behind a proxy all connections have its address; the addresses that it names are counted here.
                    if remote != channel.remoteAddress?.ipAddress {
                        let network = Network.of(remote)
                        guard server.forwarded.enter(network, isLocal: false) else {
                            server.metrics.turnedAway()
                            return channel.close(promise: nil)
                        }
                        channel.closeFuture.whenComplete { _ in server.forwarded.leave(network) }
                    }
                    let connection = GatewayConnection(server.connections, remote: remote, isLocal: origin.isLocal)
                    try channel.pipeline.syncOperations.addHandler(FirstBytes(connection), position: .first)
                    try channel.pipeline.syncOperations.addHandler(connection)
                }
            })
        try pipeline.configureHTTPServerPipeline(
            withServerUpgrade: (
                upgraders: [upgrader],
                completionHandler: { $0.channel.pipeline.removeHandler(name: "endpoints", promise: nil) }
            ))
        try pipeline.addHandler(
            HTTPEndpoints(
                EndpointServices(
                    metrics: metrics, trustsProxy: configuration.trustsProxy, phase: { server.phase.withLock { $0 } },
                    isReachable: { server.relay?.isReachable ?? true },
                    metricsToken: { GatewayServer.metricsToken(server.configuration.folder) }, agents: server.agents)),
            name: "endpoints")
    }

    /// Starts the periodic syncs of users' accounts and the maintenance of the store.
    private func startMaintenance() {
        let pause = Duration.seconds(AccountKeeper.interval)
        group.next().scheduleRepeatedTask(initialDelay: .seconds(60), delay: .hours(1)) { [weak self] task in
            guard let self, isReady else { return task.cancel() }
            queues.files.maintain { [self] store in
                do {
                    try store.sweepFiles(now: clock.now)
                    try store.sweepAudit(now: clock.now)
                    try store.sweepCursors()
                } catch { log.error("maintenance failed", metadata: ["error": "\(error)"]) }
            }
        }
        group.next().scheduleRepeatedTask(initialDelay: .zero, delay: .hours(1)) { [weak self] task in
            guard let self, isReady else { return task.cancel() }
            let isFirst = sharesBegun.exchange(true, ordering: .relaxed) == false
            queues.accounts.perform { [self] accounts in
                shares.lookAtAll(isFirst: isFirst) {
                    ((try? accounts.store.users()) ?? []).filter { !$0.isDisabled }.map(\.id)
                }
            }
        }
        // Users and devices that another process disabled, such as 'helix gateway user disable', are disconnected in a second.
        let known = Mutex<String?>(nil)
        group.next().scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { [weak self] task in
            guard let self, isReady else { return task.cancel() }
            queues.accounts.perform { [self] accounts in
                let mark = known.withLock { $0 }
                guard let found = try? accounts.store.audited(since: mark) else { return }
                known.withLock { $0 = found.mark }
                // Some may have ended before the first look.
                if mark == nil || !found.users.isEmpty { assistant.becomeUser(accounts.store) }
                let some = mark == nil ? clients.all : found.users.flatMap(clients.clients(of:))
                for client in some { connections.sessions.check(client) }
            }
        }
        group.next().scheduleRepeatedTask(initialDelay: .seconds(5), delay: TimeAmount(pause)) { [weak self] task in
            guard let self, isReady else { return task.cancel() }
            queues.users.closeIdleStores(after: pause)
            helix_memory_trim()
            queues.accounts.perform { [self] accounts in
                self.accounts.syncAll {
                    ((try? accounts.store.users()) ?? []).filter { !$0.isDisabled }.map(\.id)
                }
            }
        }
    }

    /// Stops the gateway: notifies clients, and completes running work.
    public func stop() {
        phase.withLock { $0 = .stopping }
        for client in clients.all { client.tell("shutdown", ["reason": "the gateway is stopping"]) }
        connections.admission.finish()
        assistant.finish()
        push.finish()
        shares.finish()
        accounts.finish()
        // Every request is answered, if only by asking to repeat it, before the connections are closed.
        queues.finish()
        relay?.finish()
        // Requests that still arrive are answered with UNAVAILABLE, and repeated at another gateway.
        sleep(seconds: 0.5)
        for client in clients.all { client.end(code: 1012, reason: "service restart") }
        // Gives queued data time to be sent.
        sleep(seconds: 0.1)
        try? group.syncShutdownGracefully()
    }
}
