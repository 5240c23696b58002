import HelixGateway
import HelixGatewayStore
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
    /// The other gateways; nil for a single one.
    private let relay: ClusterRelay?
    /// The name of this gateway among them.
    private var name: String { relay?.name ?? "" }
    /// Pending events that are sent once although they happened several times within a moment.
    private let coalesced = Mutex<[String: Set<EntityID>]>([:])
    /// The users whose devices are to be notified about presence.
    private let absent = Mutex<Set<EntityID>>([])
    /// The devices of users of which other gateways were told that they are here.
    private let told = Mutex<[EntityID: Set<String>]>([:])

    /// - Parameters:
    ///   - loop: where events wait for their moment.
    ///   - relay: the other gateways; nil for a single one.
    init(clock: GatewayClock, loop: any EventLoop, relay: ClusterRelay? = nil) {
        (self.clock, self.loop, self.relay) = (clock, loop, relay)
    }

    /// All clients.
    var all: [ClientHandle] { clients.all }
    /// The clients of a user.
    func clients(of user: EntityID) -> [ClientHandle] { clients.clients(of: user) }
    /// Whether a user is online, at any gateway.
    func isPresent(_ user: EntityID) -> Bool { clients.isPresent(user) || relay?.presence.isPresent(user) == true }
    /// Whether a user is online at this gateway.
    func isPresentHere(_ user: EntityID) -> Bool { clients.isPresent(user) }

    /// Whether a user has a connection that receives messages, at any gateway; one that may not read receives none.
    func isReading(_ user: EntityID) -> Bool {
        clients.clients(of: user).contains { $0.session.can(.read) } || relay?.presence.isPresent(user) == true
    }
    /// Whether a device has a connection that receives messages, at any gateway.
    func isReading(device: String, of user: EntityID) -> Bool {
        readingDevices(of: user).contains(device) || relay?.presence.isPresent(device: device) == true
    }

    private func readingDevices(of user: EntityID) -> Set<String> {
        Set(clients.clients(of: user).filter { $0.session.can(.read) }.map(\.session.device))
    }

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
    /// - Parameter event: the event for other gateways; nil to send it as it is.
    func tell(
        _ user: EntityID, _ name: String, _ payload: JSONText, except connection: String? = nil,
        as event: GatewayEvent? = nil
    ) { tell([user], name, payload, except: connection, as: event) }

    /// Sends an event to all devices of several users, except on the connection that it originates from.
    /// - Parameter event: the event for other gateways; nil to send it as it is.
    func tell(
        _ users: [EntityID], _ name: String, _ payload: JSONText, except connection: String? = nil,
        as event: GatewayEvent? = nil
    ) {
        clients.tell(users, name, payload, except: connection)
        relay?.publish(event ?? .words(users: users, name: name, payload: payload.compact))
    }

    /// Sends an event to the devices of users at this gateway.
    func tellHere(_ users: [EntityID], _ name: String, _ payload: JSONText) { clients.tell(users, name, payload) }

    /// Tells other gateways to check the sessions of a user.
    func sessionsMayHaveEnded(of user: EntityID) { relay?.publish(.sessions(user: user)) }

    /// Tells other gateways which users are at this one.
    func announceAll() {
        let users = Array(Set(clients.all.map(\.session.user.id)))
        for start in stride(from: 0, to: users.count, by: 300) {
            relay?.publish(
                .presence(gateway: name, present: Array(users[start..<min(start + 300, users.count)]), absent: []))
        }
        let devices = Array(Set(clients.all.filter { $0.session.can(.read) }.map(\.session.device)))
        for start in stride(from: 0, to: devices.count, by: 50) {
            relay?.publish(
                .devices(gateway: name, present: Array(devices[start..<min(start + 50, devices.count)]), absent: []))
        }
    }

    /// Sends each user one event for several about the same thing within a moment: if a hundred people read a message, its
    /// author is notified once.
    func tellSoon(
        _ users: Set<EntityID>, _ name: String, about subject: EntityID, _ payload: JSONText
    ) {
        let key = name + " " + subject.text
        let isFirst = coalesced.withLock { pending in
            let known = pending[key]
            pending[key] = (known ?? []).union(users)
            return known == nil
        }
        guard isFirst else { return }
        loop.scheduleTask(in: .milliseconds(GatewayConfiguration.moment)) { [weak self] in
            guard let self else { return }
            let told = coalesced.withLock { $0.removeValue(forKey: key) } ?? []
            tell(Array(told), name, payload, as: .conversation(subject, users: told.count <= 100 ? Array(told) : []))
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
            let isHere = clients.isPresent(user)
            guard let relay else { return }
            relay.publish(.presence(gateway: name, present: isHere ? [user] : [], absent: isHere ? [] : [user]))
            let reading = readingDevices(of: user)
            let gone = told.withLock { told in
                defer { told[user] = reading.isEmpty ? nil : reading }
                return (told[user] ?? []).subtracting(reading)
            }
            relay.publish(.devices(gateway: name, present: reading.sorted(), absent: gone.sorted()))
        }
    }
}
