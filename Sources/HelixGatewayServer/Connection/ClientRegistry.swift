import HelixGateway
import HelixModel
import NIOCore
import Synchronization

/// A client that is signed in, as the rest of the gateway sees it. May be used on any thread.
struct ClientHandle: Sendable {
    let session: ClientSession
    private let loop: any EventLoop
    private let connection: NIOLoopBound<GatewayConnection>

    init(_ session: ClientSession, _ loop: any EventLoop, _ connection: GatewayConnection) {
        self.session = session
        self.loop = loop
        self.connection = NIOLoopBound(connection, eventLoop: loop)
    }

    /// Tells the client something.
    func tell(_ name: String, _ payload: JSONText) {
        loop.execute { connection.value.tell(name, payload) }
    }

    /// Ends the connection.
    func end(code: Int, reason: String) {
        loop.execute { connection.value.end(code: code, reason: reason) }
    }
}

/// Who is there.
final class ClientRegistry: Sendable {
    private let clients = Mutex<[EntityID: [String: ClientHandle]]>([:])

    func add(_ client: ClientHandle) {
        clients.withLock { $0[client.session.user.id, default: [:]][client.session.connection] = client }
    }

    func remove(_ session: ClientSession) {
        clients.withLock { all in
            all[session.user.id]?[session.connection] = nil
            if all[session.user.id]?.isEmpty == true { all[session.user.id] = nil }
        }
    }

    /// The clients of a user.
    func clients(of user: EntityID) -> [ClientHandle] {
        clients.withLock { $0[user].map { Array($0.values) } ?? [] }
    }

    /// All clients.
    var all: [ClientHandle] { clients.withLock { $0.values.flatMap(\.values) } }

    /// Tells all devices of a user something, but not the one that it comes from.
    func tell(_ user: EntityID, _ name: String, _ payload: JSONText, except connection: String? = nil) {
        for client in clients(of: user) where client.session.connection != connection { client.tell(name, payload) }
    }

    /// Whether a user is there.
    func isPresent(_ user: EntityID) -> Bool { clients.withLock { $0[user] != nil } }
}
