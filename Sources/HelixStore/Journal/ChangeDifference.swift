import HelixCalendar
import HelixModel
import HelixSQLite

/// The difference that a change set made to an entity.
public struct EntityDifference: Hashable, Sendable {
    /// The kind of change. The raw value is written to the journal and to JSON.
    public enum Operation: String, Sendable, CaseIterable {
        case create
        case update
        case delete
    }

    /// The entity's kind.
    public var kind: EntityKind
    /// The entity.
    public var id: EntityID
    /// Its title; nil if it has none, or if it is gone.
    public var title: String?
    /// The kind of change.
    public var operation: Operation
    /// The changed fields; of a created entity those that it has now, of a deleted one those that it had.
    public var fields: [FieldChange]
}

extension Store {
    /// The difference that a change set made, in the order of its changes.
    /// - Throws: ``HelixError``.
    public func difference(of changeSet: EntityID) throws -> [EntityDifference] {
        try read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT c.kind, c.entity, c.operation, c.before, c.after FROM change c
                    JOIN change_set s ON s.n = c.change_set WHERE s.id = ? ORDER BY c.ordinal
                    """, arguments: [changeSet.text])
            var all: [EntityDifference] = []
            var places: [EntityID: Int] = [:]
            for row in rows {
                guard let kind = EntityKind(rawValue: try row["kind"]),
                    let operation = EntityDifference.Operation(rawValue: try row["operation"])
                else { continue }
                let id = EntityID(stored: try row["entity"])
                let before = try (row["before"] as String?).map { try JournalFields(json: $0) }
                var after = try (row["after"] as String?).map { try JournalFields(json: $0) }
                if operation == .create { after = try JournaledTable.table(kind).row(db, id) }
                var fields = try fieldChanges(kind, id, before?.values ?? [:], after?.values ?? [:])
                if operation == .create { fields = EntityDescriptor.of(kind).rules.worthTelling(fields) }
                // An entity that one command changed twice is one difference.
                if let place = places[id], operation == .update {
                    all[place].fields.merge(fields)
                    continue
                }
                places[id] = all.count
                let title = try title(kind, id, db) ?? before.flatMap { FieldChange.title($0.values) }
                all.append(EntityDifference(kind: kind, id: id, title: title, operation: operation, fields: fields))
            }
            return all
        }
    }

    private func title(_ kind: EntityKind, _ id: EntityID, _ db: Database) throws -> String? {
        let descriptor = EntityDescriptor.of(kind)
        let title = try String.fetchOne(
            db, sql: "SELECT \(descriptor.title) FROM \(descriptor.table.name) e WHERE e.id = ?", arguments: [id.text])
        return title.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension FieldChange {
    /// The title among the fields of an entity that is gone.
    static func title(_ fields: [String: DatabaseValue]) -> String? {
        if let name = text(fields["title"]) ?? text(fields["name"]) ?? text(fields["subject"]) { return name }
        return text(fields["text"]).flatMap { PropertyWords.value("SUMMARY", in: $0) }
    }
}

extension [FieldChange] {
    /// Adds later changes to earlier ones of the same fields.
    mutating func merge(_ later: [FieldChange]) {
        for change in later {
            if let place = firstIndex(where: { $0.name == change.name }) {
                self[place].after = change.after
                self[place].timeAfter = change.timeAfter
            } else {
                append(change)
            }
        }
    }
}
