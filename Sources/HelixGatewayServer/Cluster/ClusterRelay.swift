import HelixGatewayStore
import HelixModel
import Logging
import Synchronization

/// Carries events between the clients of this gateway and those of the others with the same database.
final class ClusterRelay: Sendable {
    private let events: any GatewayEvents
    private let clock: GatewayClock
    private let log: Logger
    /// The users who are at other gateways.
    let presence = ClusterPresence()

    init(_ events: any GatewayEvents, clock: GatewayClock, log: Logger) {
        (self.events, self.clock, self.log) = (events, clock, log)
    }

    /// The name of this gateway among the others.
    var name: String { events.name }

    /// Whether the database answered a short time ago.
    var isReachable: Bool { events.isReachable }

    /// Tells the clients of other gateways.
    func publish(_ event: GatewayEvent) { events.publish([event]) }

    /// Starts to listen.
    /// - Parameters:
    ///   - clients: the clients of this gateway.
    ///   - checkSessions: checks the sessions of a user's clients.
    ///   - entitiesChanged: is told whose entities another gateway has changed.
    ///   - share: shares a user's tasks and projects with their assignees.
    ///   - notify: sends notices of a message to devices that are away.
    /// - Throws: ``HelixError``.
    func start(
        _ clients: ClientNotifier, checkSessions: @escaping @Sendable (EntityID) -> Void,
        entitiesChanged: @escaping @Sendable (EntityID) -> Void, share: @escaping @Sendable (EntityID) -> Void,
        notify: @escaping @Sendable (GatewayMessage) -> Void
    ) throws {
        try events.start(
            note: { [log] problem in log.warning("cluster", metadata: ["problem": "\(problem)"]) },
            receive: { [self] events in
                receive(events, clients, checkSessions)
                for case .entities(let user) in events { entitiesChanged(user) }
                for case .appEntities(let user) in events
                where attempt({ try self.events.takeAssignments(of: user) }) == true {
                    share(user)
                }
                for case .appMessage(let conversation, let number) in events {
                    if let message = attempt({ try self.events.takeNotices(of: number, in: conversation) }) ?? nil {
                        notify(message)
                    }
                }
            })
    }

    /// Stops listening.
    func finish() { events.finish() }

    private func receive(
        _ events: [GatewayEvent], _ clients: ClientNotifier, _ checkSessions: (EntityID) -> Void
    ) {
        var (new, changed) = ([EntityID: Set<Int64>](), [EntityID: Set<Int64>]())
        for event in events {
            switch event {
            case .message(let conversation, let number, let isNew):
                if isNew {
                    new[conversation, default: []].insert(number)
                } else {
                    changed[conversation, default: []].insert(number)
                }
            case .appMessage, .appEntities: continue
            case .conversation(let conversation, let users):
                let payload: JSONText = [
                    "conversation": .string(conversation.text), "ts": .integer(clock.milliseconds),
                ]
                let told = users.isEmpty ? attempt { try self.events.members(of: conversation) } ?? [] : users
                clients.tellHere(told, "chat.changed", payload)
            case .entities(let user):
                clients.tellHere([user], "sync.changed", ["ts": .integer(clock.milliseconds)])
            case .sessions(let user): checkSessions(user)
            case .words(let users, let name, let payload):
                if let json = try? JSONText(Array(payload.utf8)) { clients.tellHere(users, name, json) }
            case .memberWords(let conversation, let author, let name, let payload):
                guard let json = try? JSONText(Array(payload.utf8)),
                    let users = attempt({ try self.events.members(of: conversation) })
                else { continue }
                clients.tellHere(users.filter { $0 != author }, name, json)
            case .presence(let gateway, let present, let absent):
                presence.note(gateway, present: present, absent: absent)
            case .devices(let gateway, let present, let absent):
                presence.note(gateway, devices: present, absent: absent)
            case .life(let gateway, let asks):
                presence.noteLife(gateway)
                if asks { clients.announceAll() }
            }
        }
        for (conversation, numbers) in new { tell(conversation, numbers, isNew: true, clients) }
        for (conversation, numbers) in changed { tell(conversation, numbers, isNew: false, clients) }
    }

    private func tell(_ conversation: EntityID, _ numbers: Set<Int64>, isNew: Bool, _ clients: ClientNotifier) {
        guard let found = attempt({ try events.messages(numbers.sorted(), in: conversation) }) else { return }
        let members = found.members.filter { clients.isPresentHere($0.user) }
        guard !members.isEmpty else { return }
        for message in found.messages {
            let here = members.filter { $0.first <= message.number }.map(\.user)
            if isNew {
                clients.tellHere(here, "chat", ChatWire.event(message))
            } else {
                clients.tellHere(here, "chat.edited", ["entry": ChatWire.json(message)])
            }
        }
    }

    /// The result of a read; nil if it fails: clients learn it when they fetch what has changed.
    private func attempt<Value>(_ body: () throws -> Value) -> Value? {
        do { return try body() } catch {
            log.warning("cluster", metadata: ["problem": "\((error as? HelixError)?.message ?? "\(error)")"])
            return nil
        }
    }
}
