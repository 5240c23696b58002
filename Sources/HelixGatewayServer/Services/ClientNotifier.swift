import HelixGateway
import HelixModel
import NIOCore
import Synchronization

/// Sends events to the clients that are signed in.
final class ClientNotifier: Sendable {
    /// The names of all events.
    static let eventNames = [
        "connect.challenge", "tick", "shutdown", "presence", "sync.changed", "chat", "agent", "chat.changed",
        "chat.edited", "chat.typing",
    ]

    private let clients = ClientRegistry()
    private let clock: GatewayClock
    private let loop: any EventLoop
    /// Pending events that are sent once although they happened several times within a moment.
    private let coalesced = Mutex<[String: Set<EntityID>]>([:])
    /// The users whose devices are to be notified about presence.
    private let absent = Mutex<Set<EntityID>>([])

    /// - Parameter loop: where events wait for their moment.
    init(clock: GatewayClock, loop: any EventLoop) {
        self.clock = clock
        self.loop = loop
    }

    /// All clients.
    var all: [ClientHandle] { clients.all }
    /// The clients of a user.
    func clients(of user: EntityID) -> [ClientHandle] { clients.clients(of: user) }
    /// Whether a user is online.
    func isPresent(_ user: EntityID) -> Bool { clients.isPresent(user) }

    /// Adds a client that has signed in, and notifies the user's devices.
    /// - Parameter greet: called before, when the client is known already: its first frame must be the greeting.
    func add(_ client: ClientHandle, greet: () -> Void) {
        let isNew = clients.add(client)
        greet()
        if isNew { presenceChanged(of: client.session.user.id) }
    }

    /// Removes a client whose connection ends, and notifies the user's devices.
    func remove(_ session: ClientSession) {
        if clients.remove(session) { presenceChanged(of: session.user.id) }
    }

    /// Sends an event to all devices of a user, except on the connection that it originates from.
    func tell(_ user: EntityID, _ name: String, _ payload: JSONText, except connection: String? = nil) {
        clients.tell([user], name, payload, except: connection)
    }

    /// Sends an event to all devices of several users, except on the connection that it originates from.
    func tell(_ users: [EntityID], _ name: String, _ payload: JSONText, except connection: String? = nil) {
        clients.tell(users, name, payload, except: connection)
    }

    /// Sends each user one event for several about the same thing within a moment: if a hundred people read a message, its
    /// author is notified once.
    func tellSoon(_ users: Set<EntityID>, _ name: String, about subject: String, _ payload: JSONText) {
        let key = name + " " + subject
        let isFirst = coalesced.withLock { pending in
            let known = pending[key]
            pending[key] = (known ?? []).union(users)
            return known == nil
        }
        guard isFirst else { return }
        loop.scheduleTask(in: .milliseconds(GatewayConfiguration.moment)) { [weak self] in
            guard let self else { return }
            let told = coalesced.withLock { $0.removeValue(forKey: key) } ?? []
            clients.tell(Array(told), name, payload)
        }
    }

    /// A user's online devices; only the first ones if there are many.
    func presence(of user: EntityID) -> [JSONText] {
        var known: Set<String> = []
        let sessions = clients.clients(of: user).map(\.session).sorted { $0.connection < $1.connection }
            .filter { known.insert($0.device).inserted }
        return sessions.prefix(50).map { session in
            [
                "ts": .integer(clock.milliseconds), "host": .string(session.deviceName),
                "platform": .string(session.platform),
                "mode": "cli", "deviceId": .string(session.device), "roles": ["operator"],
                "scopes": .strings(session.scopes.map(\.rawValue).sorted()),
            ]
        }
    }

    /// Sends a user's devices their presence after a moment: many changes at once are sent as one event.
    private func presenceChanged(of user: EntityID) {
        guard absent.withLock({ $0.insert(user).inserted }) else { return }
        loop.scheduleTask(in: .milliseconds(200)) { [weak self] in
            guard let self else { return }
            _ = absent.withLock { $0.remove(user) }
            clients.tell([user], "presence", ["presence": .array(presence(of: user))])
        }
    }
}
