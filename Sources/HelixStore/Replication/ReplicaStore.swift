import HelixModel

/// A change that a device sends.
public struct ReplicaChange: Sendable {
    /// The entity after the change.
    public var record: ReplicaRecord
    /// The version that the change is based on; nil for a new entity.
    public var base: String?

    /// Creates a change.
    public init(_ record: ReplicaRecord, base: String?) {
        self.record = record
        self.base = base
    }
}

/// The result of a change that a device sent.
public enum ReplicaOutcome: Hashable, Sendable {
    /// It was applied.
    case applied
    /// The entity was in that state already.
    case already
    /// The entity was changed since by another device: its fields, nil if it was deleted, and the time of that change.
    case conflict(fields: JSONText?, changedAt: Instant?)
    /// It cannot be deleted because it contains others: its fields.
    case notEmpty(fields: JSONText?)
    /// It cannot be stored, with the reason.
    case refused(String)
}

/// The result of several changes.
public struct ReplicaReceipt: Sendable {
    /// The results, in the order of the changes.
    public var outcomes: [ReplicaOutcome]
    /// Whether an entity changed.
    public var hasChanges: Bool
    /// The cursor behind the changes.
    public var cursor: String
}

/// The entities of a user as their devices sync them: pages of changes since a cursor, and changes based on versions.
public protocol ReplicaStore {
    /// The changes since a cursor, in their order. Without a cursor, or with one that is unknown, the full list of entities.
    ///
    /// - Parameter seen: the newest cursor that the requester has seen.
    /// - Throws: ``HelixError`` of code `badInput` for an invalid cursor.
    func replicaPage(since cursor: String?, seen: String?) throws -> ReplicaPage

    /// Applies changes, all in one transaction. One that cannot be applied does not prevent the others.
    /// - Parameter device: the name of the device that sent them.
    /// - Throws: ``HelixError``.
    func push(_ changes: [ReplicaChange], from device: String) throws -> ReplicaReceipt
}

extension Store: ReplicaStore {
    /// Applies changes, all in one transaction.
    /// - Throws: ``HelixError``.
    public func push(_ changes: [ReplicaChange], from device: String) throws -> ReplicaReceipt {
        let (outcomes, count) = try change("sync from \(device)", from: .sync) { change in
            (try changes.map { try change.apply($0) }, change.count)
        }
        return ReplicaReceipt(outcomes: outcomes, hasChanges: count > 0, cursor: try replicaHead())
    }
}

extension Change {
    /// Applies a change that a device sent.
    fileprivate func apply(_ pushed: ReplicaChange) throws -> ReplicaOutcome {
        let record = pushed.record
        let present = try replica(record.kind, record.id)
        let wanted = record.fields.map { fields in
            JSONText.object((fields.fields ?? []).filter { !$0.value.isNull }.sorted { $0.name < $1.name })
        }
        if present == wanted { return .already }
        guard present.map({ ReplicaRecord.version($0) }) == pushed.base else {
            return .conflict(fields: present, changedAt: try changedAt(record.id))
        }
        if record.fields == nil, try hasContents(record) { return .notEmpty(fields: present) }
        do {
            try put(record)
            if let moment = record.changedAt { try note(record.id, changedAt: moment) }
            return .applied
        } catch let error as HelixError where [.badInput, .conflict, .notFound].contains(error.code) {
            return .refused(error.message)
        }
    }
}
