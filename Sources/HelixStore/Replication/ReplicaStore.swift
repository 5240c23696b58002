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
            let outcomes = try change.apply(changes)
            if changes.contains(where: { $0.record.kind == .column && $0.record.fields == nil }) {
                try change.addMissingColumns()
            }
            return (outcomes, change.count)
        }
        return ReplicaReceipt(outcomes: outcomes, hasChanges: count > 0, cursor: try replicaHead())
    }
}

extension Change {
    /// Applies changes that a device sent, in their order. A refused one may depend on a later one, which frees its name.
    func apply(_ changes: [ReplicaChange]) throws -> [ReplicaOutcome] {
        var outcomes = [ReplicaOutcome](repeating: .already, count: changes.count)
        for (place, change) in changes.enumerated() where change.record.fields != nil {
            outcomes[place] = try apply(change)
        }
        let deletions = changes.filter { $0.record.fields == nil }
        let held = try heldDeletions(deletions)
        for (place, change) in changes.enumerated() where change.record.fields == nil {
            outcomes[place] = try apply(change, isHeld: held.contains(change.record.id))
        }
        func refused() -> [Int] { outcomes.indices.filter { if case .refused = outcomes[$0] { true } else { false } } }
        func retry(_ places: [Int]) throws { for place in places { outcomes[place] = try apply(changes[place]) } }
        var left = refused()
        while !left.isEmpty {
            try retry(left)
            let rest = refused()
            if rest.count == left.count { break }
            left = rest
        }
        // Entities that exchange their names need other ones in between.
        let named = try refused().compactMap { place -> (place: Int, present: ReplicaRecord)? in
            let record = changes[place].record
            guard record.fields?["name"] != nil,
                let present = try replica(record.kind, record.id)
            else { return nil }
            return (place, ReplicaRecord(kind: record.kind, id: record.id, fields: present))
        }
        guard named.count > 1 else { return outcomes }
        func clearNames() throws {
            for (_, present) in named {
                try put(
                    ReplicaRecord(
                        kind: present.kind, id: present.id,
                        fields: present.fields?.setting("name", .string(present.id.text))))
            }
        }
        try clearNames()
        do {
            for (place, _) in named { try put(changes[place].record) }
        } catch is HelixError {
            // One of the names is taken by another entity: all are as they were.
            try clearNames()
            for (_, present) in named { try put(present) }
            return outcomes
        }
        for (place, _) in named {
            let record = changes[place].record
            if let moment = record.changedAt { try note(record.id, changedAt: moment) }
            outcomes[place] = .applied
        }
        return outcomes
    }

    /// The deletions that are not applied because the device did not know all of it: an entity with others in it that are not
    /// deleted as well, or one that was changed since, and all that belongs to such an entity.
    private func heldDeletions(_ deletions: [ReplicaChange]) throws -> Set<EntityID> {
        var going: [EntityID: (change: ReplicaChange, fields: JSONText, contents: [EntityID])] = [:]
        var held: Set<EntityID> = []
        for deletion in deletions {
            let record = deletion.record
            guard let fields = try replica(record.kind, record.id) else { continue }
            going[record.id] = (deletion, fields, try contents(of: record.kind, record.id))
            if ReplicaRecord.version(fields) != deletion.base { held.insert(record.id) }
        }
        while true {
            let more = going.filter { id, item in
                if held.contains(id) { return false }
                if item.contents.contains(where: { going[$0] == nil || held.contains($0) }) { return true }
                return ReplicaRelation.above(item.change.record.kind).contains { relation in
                    guard relation.effect == .deletes,
                        let parent = item.fields[relation.column]?.text.flatMap({ EntityID($0) })
                    else { return false }
                    return held.contains(parent)
                }
            }
            if more.isEmpty { return held }
            held.formUnion(more.keys)
        }
    }

    /// Applies a change that a device sent.
    fileprivate func apply(_ pushed: ReplicaChange, isHeld: Bool = false) throws -> ReplicaOutcome {
        let record = pushed.record
        let present = try replica(record.kind, record.id)
        let wanted = record.fields.map { fields in
            JSONText.object((fields.fields ?? []).filter { !$0.value.isNull }.sorted { $0.name < $1.name })
        }
        if present == wanted { return .already }
        guard present.map({ ReplicaRecord.version($0) }) == pushed.base else {
            return .conflict(fields: present, changedAt: try changedAt(record.id))
        }
        if record.fields == nil, isHeld { return .notEmpty(fields: present) }
        if record.kind == .link, let fields = record.fields, try !dependencyPath(closedBy: fields).isEmpty {
            return .refused("the tasks would depend on each other")
        }
        do {
            try put(record)
            if let moment = record.changedAt { try note(record.id, changedAt: moment) }
            return .applied
        } catch let error as HelixError where [.badInput, .conflict, .notFound].contains(error.code) {
            return .refused(error.message)
        }
    }
}
