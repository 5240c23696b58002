import HelixModel
import HelixStore

/// Keeps and restores containers, and the entities in them, if one side deletes them and the other one adds to them.
extension ReplicaIntake {
    /// The entities that others deleted together with what they belong to, and that stay because that stays: it was changed
    /// here, or something was added to it.
    mutating func keptWithContainers(
        _ deleted: [ReplicaRecord], _ change: Change, _ book: ReplicaBook
    ) throws -> Set<EntityID> {
        if isReset { return [] }
        var (staying, kept): (Set<EntityID>, Set<EntityID>) = ([], [])
        var present: [EntityID: (record: ReplicaRecord, fields: JSONText)] = [:]
        for record in deleted {
            guard let fields = try change.replica(record.kind, record.id) else { continue }
            present[record.id] = (record, fields)
            if try fields != book.base(of: record.id) || holdsUnsaid(record.kind, record.id, change, book) {
                staying.insert(record.id)
            }
        }
        while true {
            let more = present.filter { id, item in
                !staying.contains(id)
                    && ReplicaRelation.above(item.record.kind).contains { relation in
                        relation.effect == .deletes
                            && item.fields[relation.column]?.text.flatMap { EntityID($0) }.map(staying.contains) == true
                    }
            }
            if more.isEmpty { return kept }
            staying.formUnion(more.keys)
            kept.formUnion(more.keys)
        }
    }

    /// Restores what a record belongs to if that was deleted locally: somebody has added to it since.
    /// - Returns: whether something was restored.
    mutating func restoreParents(
        of record: ReplicaRecord, _ change: Change, _ book: ReplicaBook
    ) throws -> Bool {
        var isRestored = false
        for relation in ReplicaRelation.above(record.kind) {
            let kind = relation.parent
            guard let id = record.fields?[relation.column]?.text.flatMap({ EntityID($0) }),
                try change.replica(kind, id) == nil, let base = try book.base(of: id)
            else { continue }
            let parent = ReplicaRecord(kind: kind, id: id, fields: base)
            _ = try restoreParents(of: parent, change, book)
            try put(parent, synced: base, change, book)
            guard try change.replica(kind, id) != nil else { continue }
            isRestored = true
            notes.append("\(label(kind, base)), deleted here, is restored: something was added to it elsewhere")
        }
        return isRestored
    }

    /// Imports an entity that was deleted here and is kept on the gateway.
    /// - Throws: ``HelixError``.
    mutating func restore(_ record: ReplicaRecord, _ change: Change, _ book: ReplicaBook) throws {
        try put(record, synced: record.fields, change, book)
        guard !ReplicaRelation.below(record.kind).isEmpty else { return }
        notes.append(
            "\(label(record.kind, record.fields)), deleted here, is restored: something was added to it elsewhere")
    }

    /// Restores what was deleted here with an entity, or was released by its deletion, and belongs to it on the gateway.
    mutating func restoreContents(of record: ReplicaRecord, _ change: Change, _ book: ReplicaBook) throws {
        for relation in ReplicaRelation.below(record.kind) {
            for (id, base) in try book.synced(relation.kind, where: relation.column, is: record.id) {
                let present = try change.replica(relation.kind, id)
                if let present, relation.effect == .releases, present[relation.column]?.text == nil {
                    let fields = present.setting(relation.column, .string(record.id.text))
                    try put(ReplicaRecord(kind: relation.kind, id: id, fields: fields), synced: base, change, book)
                } else if present == nil {
                    let child = ReplicaRecord(kind: relation.kind, id: id, fields: base)
                    try put(child, synced: base, change, book)
                    try restoreContents(of: child, change, book)
                }
            }
        }
    }

    /// Whether local changes that were not sent belong to an entity.
    func holdsUnsaid(
        _ kind: EntityKind, _ id: EntityID, _ change: Change, _ book: ReplicaBook
    ) throws -> Bool {
        for relation in ReplicaRelation.below(kind) {
            for child in try book.ids(relation.kind, where: relation.column, is: id) {
                if try change.replica(relation.kind, child) != book.base(of: child) { return true }
                if try holdsUnsaid(relation.kind, child, change, book) { return true }
            }
        }
        return false
    }
}
