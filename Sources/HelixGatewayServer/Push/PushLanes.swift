import Dispatch
import FoundationEssentials
import HelixModel
import HelixNetwork

/// The threads that send requests to push services, with the connections that they keep. A user's slow services occupy two of
/// them at most.
///
/// `@unchecked`: the state is used under the lock, and a connection by the thread that took it out of the state.
final class PushLanes: @unchecked Sendable {
    private struct Job {
        let user: EntityID
        let run: @Sendable () -> Void
        let skip: @Sendable () -> Void
    }

    private let queue = DispatchQueue(label: "helix.gateway.push.lanes", qos: .utility, attributes: .concurrent)
    private let lock = DispatchSemaphore(value: 1)
    private let configuration: PushConfiguration
    private var waiting: [Job] = []
    private var running = 0
    private var users: [EntityID: Int] = [:]
    /// The unused connections by server, the most recently used last.
    private var connections: [(origin: String, client: HTTPClient)] = []
    private var isStopping = false

    /// The maximum number of concurrent requests, and of those for one user.
    private static let (parallel, mostEach) = (8, 2)
    /// The maximum number of kept connections.
    private static let mostConnections = 16
    /// The timeout of a request in seconds.
    private static let patience = 6

    init(_ configuration: PushConfiguration) { self.configuration = configuration }

    private func locked<Value>(_ body: () throws -> Value) rethrows -> Value {
        lock.wait()
        defer { lock.signal() }
        return try body()
    }

    /// Runs a delivery for a user when there is room.
    /// - Parameter skip: called instead when the gateway stops.
    func run(
        for user: EntityID, orElse skip: @escaping @Sendable () -> Void = {}, _ body: @escaping @Sendable () -> Void
    ) {
        let isOpen = locked { () -> Bool in
            guard !isStopping else { return false }
            waiting.append(Job(user: user, run: body, skip: skip))
            return true
        }
        isOpen ? start() : skip()
    }

    private func start() {
        let job = locked { () -> Job? in
            guard running < Self.parallel,
                let place = waiting.firstIndex(where: { users[$0.user, default: 0] < Self.mostEach })
            else { return nil }
            let job = waiting.remove(at: place)
            running += 1
            users[job.user, default: 0] += 1
            return job
        }
        guard let job else { return }
        queue.async { [self] in
            job.run()
            locked {
                running -= 1
                let left = users[job.user, default: 1] - 1
                users[job.user] = left > 0 ? left : nil
            }
            start()
        }
    }

    /// Sends a request; redirects are not followed.
    /// - Throws: ``HelixError``.
    func send(_ request: PushRequest) throws -> HTTPClient.Answer {
        guard let url = URL(address: request.url) else {
            throw HelixError(.badInput, "the address of the push target is invalid")
        }
        let origin = "\(url.scheme ?? "")://\(url.host ?? ""):\(url.port ?? 0)"
        let known = locked { () -> HTTPClient? in
            connections.lastIndex { $0.origin == origin }.map { connections.remove(at: $0).client }
        }
        let client = try known ?? newClient(url)
        let answer = try client.send("POST", url, headers: request.headers, body: request.body)
        locked {
            connections.append((origin, client))
            if connections.count > Self.mostConnections { connections.removeFirst() }
        }
        return answer
    }

    private func newClient(_ url: URL) throws -> HTTPClient {
        let client = try HTTPClient(
            url, user: "", credential: .none, authorities: configuration.authorities, patience: Self.patience)
        client.prefersHTTP2 = true
        client.reachesPrivateNetworks = configuration.allowsPrivate
        return client
    }

    /// Starts no more deliveries, and waits for the running ones.
    func finish() {
        let left = locked { () -> [Job] in
            isStopping = true
            defer { waiting = [] }
            return waiting
        }
        for job in left { job.skip() }
        queue.sync(flags: .barrier) {}
    }
}
