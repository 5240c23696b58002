import Dispatch
import FoundationEssentials
import HelixModel
import HelixNetwork
import Synchronization

/// A thread that sends requests to push services, with the connections that it keeps.
///
/// `@unchecked`: the connections are used only in the queue.
final class PushWorker: @unchecked Sendable {
    let queue: DispatchQueue
    private let configuration: PushConfiguration
    /// The connections by server, the most recently used last.
    private var connections: [(origin: String, client: HTTPClient)] = []
    private let isStopping = Atomic<Bool>(false)

    /// The maximum number of kept connections.
    private static let mostConnections = 8
    /// The timeout of a request in seconds.
    private static let patience = 10

    init(_ label: String, _ configuration: PushConfiguration) {
        queue = DispatchQueue(label: label, qos: .utility)
        self.configuration = configuration
    }

    /// Runs a delivery after those before it.
    /// - Parameter skip: called instead when the gateway stops.
    func run(orElse skip: @escaping @Sendable () -> Void = {}, _ body: @escaping @Sendable (PushWorker) -> Void) {
        queue.async { [self] in isStopping.load(ordering: .relaxed) ? skip() : body(self) }
    }

    /// Sends a request; redirects are not followed.
    /// - Throws: ``HelixError``.
    func send(_ request: PushRequest) throws -> HTTPClient.Answer {
        guard let url = URL(string: request.url) else {
            throw HelixError(.badInput, "the address of the push target is invalid")
        }
        let client = try client(for: url)
        return try client.send("POST", url, headers: request.headers, body: request.body)
    }

    private func client(for url: URL) throws -> HTTPClient {
        let origin = "\(url.scheme ?? "")://\(url.host ?? ""):\(url.port ?? 0)"
        if let place = connections.firstIndex(where: { $0.origin == origin }) {
            let known = connections.remove(at: place)
            connections.append(known)
            return known.client
        }
        let client = try HTTPClient(
            url, user: "", credential: .none, authorities: configuration.authorities, patience: Self.patience)
        client.prefersHTTP2 = true
        client.reachesPrivateNetworks = configuration.allowsPrivate
        if connections.count >= Self.mostConnections { connections.removeFirst() }
        connections.append((origin, client))
        return client
    }

    /// Waits for the running delivery, and starts no more.
    func finish() {
        isStopping.store(true, ordering: .relaxed)
        queue.sync { connections = [] }
    }
}
