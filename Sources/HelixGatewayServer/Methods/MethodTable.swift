import HelixGateway
import HelixGatewayLogs
import HelixGatewayStore
import HelixModel
import HelixStore
import Logging

/// A request with its context.
struct MethodCall {
    /// The parameters; those that the method does not consume are rejected.
    var params: Params
    /// The client's session.
    let session: ClientSession
    let services: MethodServices
    let now: Instant
    /// The events for the user's other devices when the call is done.
    var events: [(name: String, payload: JSONText)] = []
    /// The events for other users, and for the user's other devices, when the call is done.
    var deliveries: [Delivery] = []
    /// The messages that devices which are away are notified of when the call is done.
    var notices: [PushNotice] = []
    /// The work that begins when the effects of the call are stored; it is told whether they are.
    var afterwards: [@Sendable (Bool) -> Void] = []
    /// Whether the user's clients are to be checked when the call is answered, because their sessions may have ended.
    var endsSessions = false

    /// An event for users.
    struct Delivery {
        var users: [EntityID]
        var name: String
        var payload: JSONText
        /// The event for other gateways.
        var event: GatewayEvent
    }
}

/// A method with its required scope and the place that runs it.
struct GatewayMethod: Sendable {
    /// The code of a method that answers later, on any thread.
    typealias Later =
        @Sendable (
            inout MethodCall, @escaping @Sendable (Result<JSONText, GatewayError>) -> Void
        ) throws -> Void

    /// The code of a method, with the part of the store that it may use.
    typealias Run<Access> = @Sendable (inout MethodCall, Access) throws -> JSONText

    /// The place where a method runs.
    enum Place: Sendable {
        /// In the user's own store.
        case user(Run<Store>)
        /// In the user's own store, as its devices sync it.
        case replica(Run<any ReplicaStore>)
        /// On the accounts queue, in the store of users and devices.
        case accounts(Run<any GatewayAccountStore>)
        /// On the conversations queue.
        case chat(Run<any GatewayMessageStore>)
        /// On a queue of its own: hashing a password takes a tenth of a second.
        case password(Run<any GatewayUserStore & GatewayPeopleStore & GatewayFailureStore>)
        /// On a queue of its own: a large upload must not delay messages.
        case files(Run<any GatewayFileStore>)
        /// On no queue: it calls back when it has an answer.
        case later(Later)

        /// Whether it is the user's own store.
        var isOwnStore: Bool {
            switch self {
            case .user, .replica: true
            default: false
            }
        }
    }

    var name: String
    var scope: GatewayProtocol.Scope
    var place: Place
    /// Whether clients of the role `node`, which have no scopes, may call it.
    var isForNodes = false

    /// The same method, which clients of the role `node` may call, too.
    var forNodes: GatewayMethod {
        var method = self
        method.isForNodes = true
        return method
    }

    static func user(
        _ name: String, _ scope: GatewayProtocol.Scope, _ run: @escaping Run<Store>
    ) -> GatewayMethod { GatewayMethod(name: name, scope: scope, place: .user(run)) }

    static func replica(
        _ name: String, _ scope: GatewayProtocol.Scope, _ run: @escaping Run<any ReplicaStore>
    ) -> GatewayMethod { GatewayMethod(name: name, scope: scope, place: .replica(run)) }

    static func accounts(
        _ name: String, _ scope: GatewayProtocol.Scope, _ run: @escaping Run<any GatewayAccountStore>
    ) -> GatewayMethod { GatewayMethod(name: name, scope: scope, place: .accounts(run)) }

    static func chat(
        _ name: String, _ scope: GatewayProtocol.Scope, _ run: @escaping Run<any GatewayMessageStore>
    ) -> GatewayMethod { GatewayMethod(name: name, scope: scope, place: .chat(run)) }

    static func password(
        _ name: String, _ scope: GatewayProtocol.Scope,
        _ run: @escaping Run<any GatewayUserStore & GatewayPeopleStore & GatewayFailureStore>
    ) -> GatewayMethod { GatewayMethod(name: name, scope: scope, place: .password(run)) }

    static func later(
        _ name: String, _ scope: GatewayProtocol.Scope, _ run: @escaping Later
    ) -> GatewayMethod { GatewayMethod(name: name, scope: scope, place: .later(run)) }

    static func files(
        _ name: String, _ scope: GatewayProtocol.Scope, _ run: @escaping Run<any GatewayFileStore>
    ) -> GatewayMethod { GatewayMethod(name: name, scope: scope, place: .files(run)) }
}

/// All methods, by name.
final class MethodTable: Sendable {
    private let methods: [String: GatewayMethod]
    /// The names of all methods, sorted.
    let names: [String]
    /// The scope that each method needs, by its name.
    var scopes: [String: GatewayProtocol.Scope] { methods.mapValues(\.scope) }

    private let queues: StoreQueues
    private let services: MethodServices
    private let metrics: GatewayMetrics
    private let log: Logger

    init(queues: StoreQueues, services: MethodServices, metrics: GatewayMetrics, log: Logger) {
        self.queues = queues
        self.services = services
        self.metrics = metrics
        self.log = log
        methods = Dictionary(uniqueKeysWithValues: MethodTable.all.map { ($0.name, $0) })
        names = methods.keys.sorted()
    }

    private static let all = [
        DeviceMethods.all, UserMethods.all, SyncMethods.all, FileMethods.all, ChatMethods.all, ChatLinkMethods.all,
        ChatFileMethods.all,
        ChatRunMethods.all, SessionMethods.all, TaskMethods.all, CalendarMethods.all, EmailMethods.all,
        MailMethods.all, ProjectMethods.all, PushMethods.all,
    ].flatMap { $0 }

    /// Runs a request, and calls `done` on any thread.
    func run(
        _ name: String, _ json: JSONText?, _ session: ClientSession,
        isWanted: @escaping @Sendable () -> Bool = { true },
        then answer: @escaping @Sendable (Result<JSONText, GatewayError>) -> Void
    ) {
        let scope = methods[name]?.scope
        @Sendable func done(_ result: Result<JSONText, GatewayError>) {
            answer(result.mapError { $0.forApps(AppErrorCode($0, of: name, scope)) })
        }
        guard let method = methods[name] else {
            return done(.failure(GatewayError(.invalidRequest, "unknown method: \(name)")))
        }
        guard session.can(method.scope) || method.isForNodes && session.role == "node" else {
            return done(.failure(MethodTable.missing(method.scope, session)))
        }
        let params: Params
        do { params = try Params(json, of: name) } catch {
            return done(.failure(error as? GatewayError ?? GatewayError(.invalidRequest, "invalid params")))
        }
        let request = PendingRequest(
            method: method, params: params, session: session, now: services.clock.now, isWanted: isWanted, done: done)
        switch method.place {
        case .chat(let run):
            let changes = method.scope != .read
            queues.chat.perform(for: request.asker) { [self] store in
                begin(request) { call in
                    let answer = try run(&call, store)
                    return changes ? try MethodTable.withCursor(answer, &call, store) : answer
                }
            }
        case .files(let run):
            queues.files.perform(for: request.asker) { [self] store in begin(request) { try run(&$0, store) } }
        case .accounts(let run):
            queues.accounts.perform(for: request.asker) { [self] all in begin(request) { try run(&$0, all.store) } }
        case .password(let run):
            queues.passwords.perform(for: request.asker) { [self] store in begin(request) { try run(&$0, store) } }
        case .later(let run):
            var call = request.call(services)
            do { try run(&call, done) } catch { done(.failure(self.error(for: error, of: name))) }
        case .user(let run):
            withOwnStore(request) { own, call in
                // Another gateway may be first: then the same call runs again.
                let fresh = call
                return try own.perform { store in
                    call = fresh
                    if method.readsMail, own.log != nil { try call.checkMailIsHere(store) }
                    return try run(&call, store)
                }
            }
        case .replica(let run): withOwnStore(request) { own, call in try run(&call, own.replica) }
        }
    }

    /// A request that is to run.
    private struct PendingRequest: Sendable {
        let method: GatewayMethod
        let params: Params
        let session: ClientSession
        let now: Instant
        let isWanted: @Sendable () -> Bool
        let done: @Sendable (Result<JSONText, GatewayError>) -> Void
        let start = ContinuousClock.now

        /// Its sender, as queues know them: the user.
        var asker: Asker {
            Asker(user: session.user.id.text, isWanted: isWanted) { [done] in done(.failure($0)) }
        }

        /// Its context.
        func call(_ services: MethodServices) -> MethodCall {
            MethodCall(params: params, session: session, services: services, now: now)
        }
    }

    /// Runs a method in the user's own store, whose queue serves connections in turns.
    private func withOwnStore(
        _ request: PendingRequest, _ body: @escaping @Sendable (LoggedStore, inout MethodCall) throws -> JSONText
    ) {
        var asker = request.asker
        asker.user = request.session.connection
        queues.users.service(request.session.user.id).perform(for: asker, now: request.now) { [self] own in
            begin(request) { try body(try own.get(), &$0) }(nil)
        }
    }

    /// Runs a method. It is answered by the completion, when its effects are stored.
    private func begin(
        _ request: PendingRequest, _ body: (inout MethodCall) throws -> JSONText
    ) -> FairQueue.Completion {
        let (method, session) = (request.method, request.session)
        var call = request.call(services)
        let made = Result { AppDialect.shaped(try body(&call), of: method.name, for: session.dialect) }.mapError {
            error(for: $0, of: method.name)
        }
        let finished = call
        return { [self] problem in
            let result = problem.map { .failure(error(for: $0, of: method.name)) } ?? made
            let time = request.start.duration(to: .now).components
            metrics.called(method.name, seconds: Double(time.seconds) + Double(time.attoseconds) / 1e18)
            request.done(result)
            guard case .success = result else {
                for work in finished.afterwards { work(false) }
                return
            }
            notify(finished)
            for work in finished.afterwards { work(true) }
            if method.place.isOwnStore, method.scope != .read { services.shares.changed(session.user.id) }
        }
    }

    /// Sends the events of a call that was answered.
    private func notify(_ call: MethodCall) {
        let session = call.session
        if call.endsSessions {
            services.clients.sessionsMayHaveEnded(of: session.user.id)
            for client in services.clients.clients(of: session.user.id) { services.sessions.check(client) }
        }
        for event in call.events {
            services.clients.tell(
                session.user.id, event.name, event.payload, except: session.connection,
                as: event.name == "sync.changed" ? .entities(user: session.user.id) : nil)
        }
        for delivery in call.deliveries {
            services.clients.tell(
                delivery.users, delivery.name, delivery.payload, except: session.connection, as: delivery.event)
        }
        for notice in call.notices { services.push.send(notice) }
    }

    /// Adds the latest cursor to a response and its events: a client that knows it can detect whether a gateway has lost data
    /// since.
    private static func withCursor(
        _ answer: JSONText, _ call: inout MethodCall, _ store: any GatewayChatStore
    ) throws -> JSONText {
        // Answers of the family have no such field.
        guard answer.fields != nil, call.session.dialect.form.isHelix else { return answer }
        let cursor = JSONText.string(try store.chatCursor().text)
        for place in call.deliveries.indices {
            call.deliveries[place].payload = call.deliveries[place].payload.setting("cursor", cursor)
        }
        return answer.setting("cursor", cursor)
    }

    private static func missing(_ scope: GatewayProtocol.Scope, _ session: ClientSession) -> GatewayError {
        GatewayError(
            session.version >= 4 ? .forbidden : .invalidRequest, "missing scope: \(scope.rawValue)",
            details: [
                "code": "MISSING_SCOPE", "missingScope": .string(scope.rawValue),
                "requiredScopes": [.string(scope.rawValue)],
            ])
    }

    /// The error for a client, without internals such as the gateway's files.
    private func error(for error: any Error, of method: String) -> GatewayError {
        if let error = error as? GatewayError { return error }
        guard let error = error as? HelixError else {
            log.error("a method failed", metadata: ["method": "\(method)", "error": "\(error)"])
            return GatewayError(.unavailable, "\(method) failed")
        }
        let details: JSONText = ["code": .string(error.code.rawValue)]
        switch error.code {
        case .usage, .badInput, .notFound, .ambiguous, .conflict, .notAllowed, .syncConflict:
            return GatewayError(.invalidRequest, error.message, details: details)
        case .busy, .offline:
            return GatewayError(.unavailable, error.message, details: details, isRetryable: true, retryAfter: 1000)
        default:
            log.error("a method failed", metadata: ["method": "\(method)", "error": "\(error.message)"])
            return GatewayError(.unavailable, "\(method) failed", details: details)
        }
    }
}
