import HelixModel
import HelixPostgres
import HelixSystem
import Synchronization

/// Events between gateways by LISTEN and NOTIFY.
///
/// Notifications are sent apart from the changes, several at once, since a transaction that notifies holds a lock of the whole
/// database while it commits. A gateway that dies in between tells nobody; so do apps that write to the database. That is found
/// by looking for changes since the last look, at intervals, and at once after the connection was lost. Where the connection
/// cannot listen, as behind a pool that shares connections between transactions, the look is all there is, once a second.
final class PostgresEvents: GatewayEvents {
    let name: String
    private let pool: PostgresPool
    private let target: PostgresTarget
    private let pending = Mutex<[String]>([])
    private let work = WakeSignal()
    private let isStopping = Atomic(false)
    private let seen = Mutex(RecentEvents())
    /// The time of the last look that succeeded.
    private let answered = Mutex(ContinuousClock.now)

    /// The time without an answer after which the database counts as unreachable: more than two looks.
    private static let silence = Duration.seconds(12)

    /// The channel of all gateways.
    private static let channel = "helix_gateways"
    /// The interval between two looks for messages while notifications arrive, and for everything without them, in
    /// milliseconds.
    private static let (calm, alone) = (5_000, 1_000)
    /// The number of looks for messages after which one looks for everything.
    private static let rounds = 12
    /// The time in which notifications are collected, in seconds.
    private static let moment = 0.002
    /// The time without a sign of any other gateway after which this one is alone.
    private static let patience = Duration.seconds(30)
    /// The time of the last sign of another gateway; at first there may be some.
    private let others = Mutex(ContinuousClock.now)
    /// The maximum size of a notification in bytes (https://www.postgresql.org/docs/15/sql-notify.html).
    private static let largest = 7_800

    init(_ target: PostgresTarget, _ pool: PostgresPool) {
        (self.target, self.pool) = (target, pool)
        name = EntityID().text
    }

    var isReachable: Bool { answered.withLock { $0.duration(to: .now) < PostgresEvents.silence } }

    func publish(_ events: [GatewayEvent]) {
        let lines = events.map(\.text).filter { $0.utf8.count <= GatewayEvent.largest }
        guard !lines.isEmpty else { return }
        // A message that this gateway has sent to its own clients is not sent again when a look finds it.
        _ = seen.withLock { $0.insert(events) }
        // A gateway that comes later looks for what has changed itself.
        let isAlone = others.withLock { $0.duration(to: .now) > PostgresEvents.patience }
        guard !isAlone || events.contains(where: \.isLife) else { return }
        pending.withLock { $0 += lines }
        work.signal()
    }

    func start(
        note: @escaping @Sendable (String) -> Void, receive: @escaping @Sendable ([GatewayEvent]) -> Void
    ) throws {
        let first = try snapshot()
        do {
            try DetachedThread.start { [self] in speak(note) }
            try DetachedThread.start { [self] in listen(from: first, note, receive) }
        } catch { throw HelixError(.io, "the system has no thread left") }
    }

    func finish() {
        isStopping.store(true, ordering: .relaxed)
        work.signal()
    }

    // MARK: Speaking

    private func speak(_ note: (String) -> Void) {
        let session = PostgresSession(target)
        while !isStopping.load(ordering: .relaxed) {
            work.wait()
            // Events of a moment are sent together: each notification takes a lock of the whole database.
            sleep(seconds: PostgresEvents.moment)
            let lines = pending.withLock { all in
                defer { all = [] }
                return all
            }
            if lines.isEmpty { continue }
            do {
                let payloads = JSONText.strings(PostgresEvents.packed(lines, name)).compact
                _ = try session.perform { connection in
                    try connection.rows(
                        "SELECT pg_notify(?1, value) FROM json_array_elements_text(CAST(?2 AS json))",
                        [PostgresEvents.channel, payloads])
                }
            } catch {
                // The others find it when they look.
                note("cannot notify other gateways: \((error as? HelixError)?.message ?? "\(error)")")
            }
        }
    }

    /// Lines in as few notifications as possible, each once, behind the name of their gateway.
    static func packed(_ lines: [String], _ name: String) -> [String] {
        var (payloads, known) = ([String](), Set<String>())
        var last = name
        for line in lines where known.insert(line).inserted {
            if last.utf8.count + 1 + line.utf8.count > largest {
                payloads.append(last)
                last = name
            }
            last += "\n" + line
        }
        return payloads + [last]
    }

    // MARK: Listening

    private func listen(
        from first: String, _ note: (String) -> Void, _ receive: ([GatewayEvent]) -> Void
    ) {
        var (place, connection, hears) = (first, PostgresConnection?.none, false)
        var (lastLook, looks) = (ContinuousClock.now, 0)
        while !isStopping.load(ordering: .relaxed) {
            do {
                if connection == nil {
                    let made = try PostgresConnection(
                        target, application: "helix-gateway events", settings: PostgresSession.settings,
                        patience: PostgresSession.patience)
                    try made.script("LISTEN \(PostgresEvents.channel)")
                    connection = made
                    hears = false
                    // Something may have happened meanwhile.
                    place = try look(since: place, forAll: true, receive)
                    lastLook = .now
                    publish([.life(gateway: name, asks: true)])
                }
                guard let present = connection else { continue }
                if case .notifications(let list) = try present.wait(milliseconds: 500) {
                    let (events, own) = PostgresEvents.events(list, except: name)
                    // Its own notification proves that it hears.
                    if own { hears = true }
                    if !events.isEmpty { others.withLock { $0 = .now } }
                    if events.contains(where: \.asks) { publish([.life(gateway: name, asks: false)]) }
                    deliver(events, receive)
                }
                let interval = hears ? PostgresEvents.calm : PostgresEvents.alone
                if lastLook.duration(to: .now) >= .milliseconds(interval) {
                    looks += 1
                    place = try look(
                        since: place, forAll: !hears || looks % PostgresEvents.rounds == 0, receive)
                    lastLook = .now
                    publish([.life(gateway: name, asks: false)])
                }
            } catch {
                connection = nil
                note("cannot listen to other gateways: \((error as? HelixError)?.message ?? "\(error)")")
                sleep(seconds: 0.5)
            }
        }
    }

    private static func events(
        _ list: [PostgresConnection.Notification], except name: String
    ) -> (events: [GatewayEvent], own: Bool) {
        var (events, own) = ([GatewayEvent](), false)
        for notification in list where notification.channel == channel {
            let lines = notification.payload.split(separator: "\n")
            guard lines.first.map(String.init) != name else {
                own = true
                continue
            }
            events += lines.dropFirst().compactMap { GatewayEvent(text: String($0)) }
        }
        return (events, own)
    }

    private func deliver(_ events: [GatewayEvent], _ receive: ([GatewayEvent]) -> Void) {
        let new = seen.withLock { $0.insert(events) }
        if !new.isEmpty { receive(new) }
    }

    private func snapshot() throws -> String {
        try pool.with { session in
            try session.perform(repeats: true) {
                try $0.rows(
                    "SELECT coalesce((SELECT max(id) FROM timeline), 0) || '-' || pg_current_snapshot()::text"
                ).first?[0] ?? ""
            }
        }
    }

    /// Looks for what has changed since a snapshot.
    /// - Parameter forAll: whether it looks for all changes, not for new messages alone.
    /// - Returns: the snapshot of the look.
    private func look(
        since place: String, forAll: Bool, _ receive: ([GatewayEvent]) -> Void
    ) throws -> String {
        let (present, events) = try pool.with { session in
            try session.perform(repeats: true) { connection -> (String, [GatewayEvent]) in
                let rows = try connection.rows("SELECT line FROM changes_since(?, ?)", [place, forAll])
                let lines = rows.map { $0[0] as String }
                return (lines.first ?? place, lines.dropFirst().compactMap { GatewayEvent(text: $0) })
            }
        }
        answered.withLock { $0 = .now }
        deliver(events, receive)
        return forAll ? present : place
    }

    // MARK: Reading

    func messages(_ numbers: [Int64], in conversation: EntityID) throws -> EventMessages {
        let found = try read(
            "event_messages(?, ?)",
            [conversation.text, JSONText.array(numbers.map { .integer($0) }).compact])
        return EventMessages(
            members: (found["users"]?.elements ?? []).map { pair in
                let parts = pair.elements ?? []
                return (EntityID(stored: parts.first?.text ?? ""), parts.last?.integer ?? 0)
            },
            messages: (found["messages"]?.elements ?? []).map { GatewayMessage(postgres: $0) })
    }

    func takeNotices(of number: Int64, in conversation: EntityID) throws -> GatewayMessage? {
        let isTaken = try pool.with { session in
            try session.perform { connection in
                try connection.rows(
                    """
                    UPDATE app_message SET is_told = true WHERE conversation = ? AND seq = ? AND NOT is_told RETURNING 1
                    """, [conversation.text, number]
                ).isEmpty == false
            }
        }
        return isTaken ? try messages([number], in: conversation).messages.first : nil
    }

    func takeAssignments(of user: EntityID) throws -> Bool {
        try pool.with { session in
            try session.perform { connection in
                try connection.rows(
                    "UPDATE user_head SET is_told = true WHERE \"user\" = ? AND NOT is_told RETURNING 1", [user.text]
                ).isEmpty == false
            }
        }
    }

    func members(of conversation: EntityID) throws -> [EntityID] {
        try messages([], in: conversation).members.map(\.user)
    }

    private func read(_ sql: String, _ values: [String]) throws -> JSONText {
        try pool.with { session in
            try session.perform(repeats: true) { connection in
                try connection.withBytes("SELECT \(sql)", .init(values)) {
                    $0.isEmpty ? .null : try JSONText($0)
                } ?? .null
            }
        }
    }
}
