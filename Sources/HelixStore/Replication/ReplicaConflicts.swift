import HelixModel
import HelixSQLite

/// An entity that was changed here and at a gateway, and must be resolved by the user.
public struct HeldReplica: Hashable, Sendable {
    /// The kind of entity.
    public var kind: EntityKind
    /// The entity.
    public var id: EntityID
    /// The fields as of the last sync.
    public var base: JSONText
    /// The fields at the gateway.
    public var theirs: JSONText
    /// The time of the gateway's change, if it is known.
    public var changedAt: Instant?
    /// The time at which the conflict was found.
    public var foundAt: Instant

    /// The gateway's state as a record.
    public var record: ReplicaRecord { ReplicaRecord(kind: kind, id: id, fields: theirs, changedAt: changedAt) }
}

extension ReplicaBook {
    /// Stores a conflict with the gateway's state until the user resolves it.
    /// - Throws: ``HelixError``.
    public func hold(_ record: ReplicaRecord, at now: Instant) throws {
        try db.execute(
            sql: """
                INSERT INTO replica_conflict (account, entity, kind, theirs, changed_at, found_at) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (account, entity) DO UPDATE SET theirs = excluded.theirs, changed_at = excluded.changed_at,
                    is_resolved = 0
                """,
            arguments: [
                account, record.id.text, record.kind.rawValue, (record.fields ?? .null).compact,
                record.changedAt?.seconds, now.seconds,
            ])
    }

    /// Ends a conflict: its entity is sent by the next sync if it differs, whether the journal names it or not.
    /// - Throws: ``HelixError``.
    public func markResolved(_ id: EntityID) throws {
        try db.execute(
            sql: "UPDATE replica_conflict SET is_resolved = 1 WHERE account = ? AND entity = ?",
            arguments: [account, id.text])
    }

    /// Removes the resolved conflicts, whose entities were sent.
    /// - Throws: ``HelixError``.
    public func forgetResolved() throws {
        try db.execute(
            sql: "DELETE FROM replica_conflict WHERE account = ? AND is_resolved", arguments: [account])
    }

    /// The entities with an unresolved conflict.
    /// - Throws: ``HelixError``.
    public func heldIDs() throws -> Set<EntityID> {
        try Set(
            String.fetchAll(
                db, sql: "SELECT entity FROM replica_conflict WHERE account = ? AND NOT is_resolved",
                arguments: [account]
            ).map { EntityID(stored: $0) })
    }

    /// The resolved entities that are to be sent.
    /// - Throws: ``HelixError``.
    func resolved() throws -> [EntityID: EntityKind] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT entity, kind FROM replica_conflict WHERE account = ? AND is_resolved",
            arguments: [account])
        return try rows.reduce(into: [:]) { all, row in
            all[EntityID(stored: try row["entity"])] = EntityKind(rawValue: try row["kind"])
        }
    }

    /// The unresolved conflicts, oldest first.
    /// - Throws: ``HelixError``.
    public func heldReplicas() throws -> [HeldReplica] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT c.entity, c.kind, r.base, c.theirs, c.changed_at, c.found_at FROM replica_conflict c
                JOIN replica r ON r.account = c.account AND r.entity = c.entity
                WHERE c.account = ? AND NOT c.is_resolved AND r.base <> '' ORDER BY c.found_at, c.entity
                """, arguments: [account]
        ).compactMap { row in
            guard let kind = EntityKind(rawValue: try row["kind"]) else { return nil }
            let (base, theirs): (String, String) = try (row["base"], row["theirs"])
            let changedAt: Int64? = try row["changed_at"]
            return HeldReplica(
                kind: kind, id: EntityID(stored: try row["entity"]), base: try JSONText(Array(base.utf8)),
                theirs: try JSONText(Array(theirs.utf8)), changedAt: changedAt.map { Instant($0) },
                foundAt: Instant(try row["found_at"]))
        }
    }
}

extension Change {
    /// The time of the change set.
    public var time: Instant { store.now }
}

extension Store {
    /// The values of an entity's fields, for display; fields without a value are missing.
    /// - Throws: ``HelixError``.
    public func shownValues(_ kind: EntityKind, _ fields: JSONText) throws -> [String: String] {
        let values = try JournalFields(replica: fields).values
        let rules = EntityDescriptor.of(kind).rules
        return try read { db in
            try values.keys.reduce(into: [:]) { shown, name in
                shown[name] = try FieldChange.words(name, values, rules, db)
            }
        }
    }
}
