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

    /// - Returns: whether the device was not there before.
    func add(_ client: ClientHandle) -> Bool {
        let session = client.session
        return clients.withLock { all in
            let isNew = all[session.user.id]?.values.contains { $0.session.device == session.device } != true
            all[session.user.id, default: [:]][session.connection] = client
            return isNew
        }
    }

    /// - Returns: whether the device is gone with it.
    func remove(_ session: ClientSession) -> Bool {
        clients.withLock { all in
            guard all[session.user.id]?.removeValue(forKey: session.connection) != nil else { return false }
            let isGone = all[session.user.id]?.values.contains { $0.session.device == session.device } != true
            if all[session.user.id]?.isEmpty == true { all[session.user.id] = nil }
            return isGone
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
