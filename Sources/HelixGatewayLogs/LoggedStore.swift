import HelixGatewayStore
import HelixModel
import HelixStore

/// The store of a user on this gateway, with the log that it is made from; without a log it is the only one.
///
/// A request reads what the log has behind the store's position, runs, and appends what it changed before it is committed here.
/// If another gateway was first, nothing is changed, and the request runs again.
public struct LoggedStore {
    /// The store.
    public let store: Store
    /// The log; nil if the store is the only one.
    public let log: UserLog?

    /// Creates the pair. The store appends to the log itself.
    public init(store: Store, log: UserLog?) {
        (self.store, self.log) = (store, log)
        store.log = log
        store.isCopy = log != nil
    }

    /// The number of times that a request runs while others are first.
    private static let attempts = 8

    /// Runs a request. It runs again if another gateway was first, unless it has already changed something.
    /// - Throws: the errors of `body`; ``HelixError`` of code `busy` if others were always first.
    public func perform<Value>(_ body: (Store) throws -> Value) throws -> Value {
        guard let log else { return try body(store) }
        for _ in 0..<LoggedStore.attempts {
            try log.catchUp(store)
            let before = log.appended
            do { return try body(store) } catch is StoreIsBehind {
                if log.appended != before { break }
            }
        }
        throw HelixError(.busy, "another gateway changed the same data at the same time", hint: "Try again.")
    }

    /// The entities as the user's devices sync them.
    public var replica: any ReplicaStore { log.map { LoggedReplica(store: self, log: $0) } ?? store }
}

/// The entities of a user as their devices sync them: pages come from the log itself, so that a cursor is valid at every gateway.
private struct LoggedReplica: ReplicaStore {
    let store: LoggedStore
    let log: UserLog

    /// A cursor is a position in the log, `n.mark`, or a place in the full list, `s.head.n` (`r.` if the log may have lost data).
    func replicaPage(since cursor: String?, seen: String?) throws -> ReplicaPage {
        if let parts = cursor?.split(separator: ".", omittingEmptySubsequences: false).map(String.init),
            parts.count == 3, ["r", "s"].contains(parts[0]), let head = Int64(parts[1]), let place = Int64(parts[2])
        {
            return try list(head: head, after: place, isReset: parts[0] == "r")
        }
        let position = try cursor.map(Self.position)
        let isKnown = try [position, seen.map(Self.position)].compactMap { $0 }.allSatisfy { try log.contains($0) }
        guard isKnown, let position else {
            return try list(head: try log.end().number, after: 0, isReset: !isKnown)
        }
        let page = try log.page(after: position.number, skipsDeleted: nil)
        return ReplicaPage(
            records: records(of: page),
            cursor: page.entries.isEmpty ? position.text : page.position.text, hasMore: page.hasMore, isSnapshot: false)
    }

    /// A cursor of the journal of one gateway, before it had a log, is unknown.
    private static func position(_ cursor: String) throws -> LogPosition {
        if let position = LogPosition(cursor) { return position }
        guard (3...4).contains(cursor.split(separator: ".", omittingEmptySubsequences: false).count) else {
            throw HelixError(.badInput, "invalid cursor '\(cursor)'")
        }
        return LogPosition(number: -1, mark: "")
    }

    private func list(head: Int64, after place: Int64, isReset: Bool) throws -> ReplicaPage {
        let page = try log.page(after: place, skipsDeleted: head)
        let cursor =
            page.hasMore
            ? "\(isReset ? "r" : "s").\(head).\(page.position.number)"
            : page.entries.isEmpty ? try log.position(at: max(head, place)).text : page.position.text
        return ReplicaPage(
            records: records(of: page), cursor: cursor, hasMore: page.hasMore,
            isSnapshot: true, isReset: isReset, total: page.total)
    }

    /// The records of a page that devices sync, too.
    private func records(of page: LogPage) -> [ReplicaRecord] {
        page.entries.filter { !ReplicaRecord.keptKinds.contains($0.kind) }.map(ReplicaRecord.init(entry:))
    }

    func push(_ changes: [ReplicaChange], from device: String) throws -> ReplicaReceipt {
        log.device = device
        defer { log.device = "" }
        // The log cannot store them: the others must not wait for that.
        let isStorable = changes.map { !($0.record.fields?.containsNUL ?? false) }
        let storable = zip(changes, isStorable).filter(\.1).map(\.0)
        var receipt = try store.perform { try $0.push(storable, from: device) }
        var outcomes = receipt.outcomes[...]
        receipt.outcomes = isStorable.map { isStorable in
            isStorable ? outcomes.popFirst() ?? .already : .refused("a text contains the character U+0000")
        }
        receipt.cursor = try store.store.logPosition() ?? LogPosition.start.text
        return receipt
    }
}

extension JSONText {
    /// Whether a text in it contains U+0000, which PostgreSQL does not store.
    var containsNUL: Bool {
        switch self {
        case .string(let text): text.utf8.contains(0)
        case .array(let elements): elements.contains(where: \.containsNUL)
        case .object(let fields): fields.contains { $0.name.utf8.contains(0) || $0.value.containsNUL }
        case .null, .bool, .number: false
        }
    }
}

extension ReplicaRecord {
    /// A record of an entry of the log.
    init(entry: LogEntry) {
        self.init(kind: entry.kind, id: entry.id, fields: entry.fields, changedAt: entry.changedAt)
    }
}
