import HelixGateway
import HelixModel
import NIOCore
import Synchronization

/// A signed-in client, as the rest of the gateway sees it. May be used on any thread.
struct ClientHandle: Sendable {
    let session: ClientSession
    private let loop: any EventLoop
    private let send: @Sendable (EventWords) -> Void
    private let close: @Sendable (_ code: Int, _ reason: String) -> Void

    /// - Parameters:
    ///   - loop: the connection's event loop, where the closures are called.
    ///   - send: sends an event.
    ///   - close: closes the connection.
    init(
        _ session: ClientSession, _ loop: any EventLoop, send: @escaping @Sendable (EventWords) -> Void,
        close: @escaping @Sendable (_ code: Int, _ reason: String) -> Void
    ) {
        self.session = session
        self.loop = loop
        self.send = send
        self.close = close
    }

    /// Sends the client an event.
    func tell(_ name: String, _ payload: JSONText) { ClientHandle.tell([self], name, payload) }

    /// Sends several clients the same event, which is encoded once for each form of it.
    static func tell(_ clients: [ClientHandle], _ name: String, _ payload: JSONText) {
        var forms: [ClientDialect.Form: EventWords] = [:]
        let conversation =
            ["chat", "agent"].contains(name) ? payload["sessionKey"]?.text.flatMap { EntityID($0) } : nil
        let all = clients.filter { $0.session.dialect.form.takes(name) }.map { client -> (ClientHandle, EventWords) in
            let dialect = client.session.dialect
            // The apps ignore events whose key is not the one that they asked with.
            if let key = conversation.flatMap({ dialect.key(of: $0) }) {
                let own = dialect.form.payload(payload, of: name).setting("sessionKey", .string(key))
                return (client, EventWords(name, own))
            }
            if let words = forms[dialect.form] { return (client, words) }
            let words = EventWords(name, dialect.form.payload(payload, of: name))
            forms[dialect.form] = words
            return (client, words)
        }
        // Each event loop is woken once.
        for (_, some) in Dictionary(grouping: all, by: { ObjectIdentifier($0.0.loop) }) {
            some.first?.0.loop.execute { for (client, words) in some { client.send(words) } }
        }
    }

    /// Closes the connection.
    func end(code: Int, reason: String) {
        loop.execute { close(code, reason) }
    }
}

/// An event as it is sent; only its number differs between clients.
struct EventWords: Sendable {
    private let head: [UInt8]

    init(_ name: String, _ payload: JSONText) {
        let json: JSONText = ["type": "event", "event": .string(name), "payload": payload]
        var bytes: [UInt8] = []
        json.write(to: &bytes)
        // Without the closing brace.
        bytes.removeLast()
        head = bytes
    }

    /// The whole event with a client's number.
    func bytes(number: Int64) -> [UInt8] { head + ",\"seq\":\(number)}".utf8 }
}

/// The clients that are signed in.
final class ClientRegistry: Sendable {
    private let clients = Mutex<[EntityID: [String: ClientHandle]]>([:])

    /// - Returns: whether the device was offline before.
    func add(_ client: ClientHandle) -> Bool {
        let session = client.session
        return clients.withLock { all in
            let isNew = all[session.user.id]?.values.contains { $0.session.device == session.device } != true
            all[session.user.id, default: [:]][session.connection] = client
            return isNew
        }
    }

    /// - Returns: whether that was the device's last connection.
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

    /// Sends an event to all devices of several users, except on the connection that it originates from.
    func tell(_ users: [EntityID], _ name: String, _ payload: JSONText, except connection: String? = nil) {
        let chosen = clients.withLock { all in
            users.flatMap { all[$0].map { Array($0.values) } ?? [] }.filter {
                // Clients without the `read` scope receive no events.
                $0.session.connection != connection && $0.session.can(.read)
            }
        }
        ClientHandle.tell(chosen, name, payload)
    }

    /// Whether a user is online.
    func isPresent(_ user: EntityID) -> Bool { clients.withLock { $0[user] != nil } }
}
