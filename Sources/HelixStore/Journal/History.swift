import HelixCalendar
import HelixModel
import HelixSQLite

/// A change set in `helix history`.
public struct ChangeSetSummary: Hashable, Sendable {
    /// The ID of the change set.
    public var id: EntityID
    /// The time at which it was made.
    public var madeAt: Instant
    /// The command that made it, without its arguments: `cal add`.
    public var command: String
    /// The origin of the change.
    public var origin: ChangeOrigin
    /// The one who made it; nil if that was not recorded.
    public var actor: ChangeActor?
    /// The reason for which it cannot be undone; nil if it can.
    public var final: FinalChange?
    /// A description of the change.
    public var summary: String
    /// The number of changes in it.
    public var count: Int
    /// Whether it was undone.
    public var isUndone: Bool
    /// Whether it undoes another one.
    public var isReversal: Bool
}

/// The change of a field.
public struct FieldChange: Hashable, Sendable {
    /// The name, for display.
    public var name: String
    /// The old value; nil for none.
    public var before: String?
    /// The new value; nil for none.
    public var after: String?
    /// The old value, if it is a time; people read it on their own clock.
    public var timeBefore: Instant?
    /// The new value, if it is a time.
    public var timeAfter: Instant?

    /// A field's value, for display.
    static func words(
        _ name: String, _ fields: [String: DatabaseValue], _ rules: JournalRules, _ db: Database
    ) throws -> String? {
        guard let plain = text(fields[name]) else { return nil }
        return try rules.words[name].map { try $0.text(plain, among: fields, db) } ?? plain
    }

    static func instant(_ name: String, _ day: String?, _ fields: [String: DatabaseValue]) -> Instant? {
        guard case .int64(let seconds)? = fields[name] else { return nil }
        return day.map { fields[$0] == .int64(1) } == true ? nil : Instant(seconds)
    }

    static func text(_ value: DatabaseValue?) -> String? {
        switch value {
        case .string(let text)?: text.isEmpty ? nil : text
        case .int64(let number)?: "\(number)"
        case .double(let number)?: "\(number)"
        case .null?, .blob?, nil: nil
        }
    }
}

extension Store {
    private static let columns = """
        s.n, s.id, s.made_at, s.command, s.origin, s.final, s.summary, s.reverses, s.reversed_by,
        s.actor, s.actor_name, s.run,
        (SELECT COUNT(*) FROM change c WHERE c.change_set = s.n)
            + (SELECT COUNT(*) FROM mailbox_change b WHERE b.change_set = s.n) AS count
        """

    /// The change sets, the latest first.
    ///
    /// - Throws: ``HelixError``.
    public func history(_ filter: HistoryFilter = HistoryFilter(), limit: Int) throws -> [ChangeSetSummary] {
        let (condition, arguments) = filter.condition
        return try read { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT \(Store.columns) FROM change_set s WHERE \(condition) ORDER BY s.n DESC LIMIT ?",
                arguments: arguments + [limit])
            return try rows.compactMap(Store.summary)
        }
    }

    /// The changes that a change set made to an entity, by field, or to an event, by property.
    /// - Throws: ``HelixError``.
    public func fieldChanges(_ changeSet: EntityID, of entity: EntityID) throws -> [FieldChange] {
        let rows = try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT c.before, c.after, c.kind FROM change c JOIN change_set s ON s.n = c.change_set
                    WHERE s.id = ? AND c.entity = ? AND c.operation = 'update' ORDER BY c.ordinal
                    """, arguments: [changeSet.text, entity.text]
            ).map { (before: $0[0] as String?, after: $0[1] as String?, kind: EntityKind(rawValue: $0[2])) }
        }
        return try rows.flatMap { row in
            let old = try row.before.map { try JournalFields(json: $0).values } ?? [:]
            let new = try row.after.map { try JournalFields(json: $0).values } ?? [:]
            return try fieldChanges(row.kind, entity, old, new)
        }
    }

    /// The differences of an entity's fields, and of an event's properties.
    func fieldChanges(
        _ kind: EntityKind?, _ id: EntityID, _ old: [String: DatabaseValue], _ new: [String: DatabaseValue]
    ) throws -> [FieldChange] {
        var found: [FieldChange] = []
        let rules = kind.map(EntityDescriptor.of)?.rules ?? JournalRules()
        var (old, new) = (old, new)
        try addDays(kind, id, rules, &old, &new)
        for name in Set(old.keys).union(new.keys).sorted() where !rules.hidden.contains(name) {
            let (before, after) = (FieldChange.text(old[name]), FieldChange.text(new[name]))
            if before == after { continue }
            guard name == "text" else {
                func words(_ fields: [String: DatabaseValue]) throws -> String? {
                    try read { try FieldChange.words(name, fields, rules, $0) }
                }
                let label = name == "column_id" ? "column" : name.replacing("_", with: " ")
                var change = FieldChange(name: label, before: try words(old), after: try words(new))
                if case .moment(let day)? = rules.words[name] {
                    change.timeBefore = FieldChange.instant(name, day, old)
                    change.timeAfter = FieldChange.instant(name, day, new)
                }
                found.append(change)
                continue
            }
            for property in PropertyWords.differences(before ?? "", after ?? "") {
                found.append(
                    FieldChange(
                        name: PropertyWords.word(property),
                        before: PropertyWords.value(property, in: before ?? ""),
                        after: PropertyWords.value(property, in: after ?? "")))
            }
        }
        return found
    }

    /// Adds whether a time is a day: a change of the time alone does not name it.
    private func addDays(
        _ kind: EntityKind?, _ id: EntityID, _ rules: JournalRules, _ old: inout [String: DatabaseValue],
        _ new: inout [String: DatabaseValue]
    ) throws {
        for (name, words) in rules.words where old[name] != nil || new[name] != nil {
            guard case .moment(let day?) = words, old[day] == nil, new[day] == nil, let kind else { continue }
            let value = try read { try JournaledTable.table(kind).row($0, id)?.values[day] }
            (old[day], new[day]) = (value, value)
        }
    }

    /// The ID that begins with `prefix` among all entities that were ever changed, if it is unique.
    /// - Throws: ``HelixError``.
    public func formerEntity(_ prefix: EntityPrefix) throws -> EntityID? {
        try read { db in
            let found = try String.fetchAll(
                db, sql: "SELECT DISTINCT entity FROM change WHERE entity >= ? AND entity < ? LIMIT 2",
                arguments: [prefix.text, prefix.text + "~"])
            return found.count == 1 ? EntityID(found[0]) : nil
        }
    }

    /// The change sets that `undo` would undo next, in that order. Changes from a server are excluded: they are undone only by
    /// ID.
    /// - Throws: ``HelixError``.
    public func undoable(_ filter: HistoryFilter = HistoryFilter(), limit: Int) throws -> [ChangeSetSummary] {
        var filter = filter
        // An agent takes back what it did itself.
        if let profile, filter.actor == nil { filter.actor = profile.name }
        let (condition, arguments) = filter.condition
        return try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT \(Store.columns) FROM change_set s
                    WHERE s.reversed_by IS NULL AND s.reverses IS NULL AND s.origin NOT IN ('sync', 'rule') AND \(condition)
                    ORDER BY s.n DESC LIMIT ?
                    """, arguments: arguments + [limit + 20]
            ).filter { try hasBytes(db, $0["n"]) }.prefix(limit).compactMap(Store.summary)
        }
    }

    /// Whether the bytes of all files that a change set removed still exist: without them it cannot be undone, and must not
    /// block other undos.
    private func hasBytes(_ db: Database, _ changeSet: Int64) throws -> Bool {
        let gone = try String.fetchAll(
            db,
            sql: """
                SELECT before FROM change
                WHERE change_set = ? AND kind IN (\(Store.kindsWithBytes)) AND before IS NOT NULL
                """, arguments: [changeSet])
        return try gone.allSatisfy { json in
            guard case .string(let hash)? = try JournalFields(json: json).values["sha256"] else { return true }
            return files.path(hash) != nil
        }
    }

    /// The kinds whose rows name bytes by their hash.
    private static let kindsWithBytes = EntityDescriptor.all.filter(\.table.hasBytes)
        .map { "'\($0.kind.rawValue)'" }.joined(separator: ", ")

    /// The undone change sets that `redo` would redo next, in that order: those undone since the last ordinary change.
    /// - Throws: ``HelixError``.
    public func redoable(limit: Int) throws -> [ChangeSetSummary] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT \(Store.columns) FROM change_set s
                    JOIN change_set u ON u.n = s.reversed_by
                    WHERE s.reverses IS NULL AND u.reversed_by IS NULL
                        AND u.n > IFNULL(
                            (SELECT MAX(n) FROM change_set WHERE reverses IS NULL AND origin NOT IN ('sync', 'rule')), 0)
                    ORDER BY u.n DESC LIMIT ?
                    """, arguments: [limit]
            ).compactMap(Store.summary)
        }
    }

    /// Undoes a change set by writing the reverse change set.
    ///
    /// - Returns: the change set that was undone.
    /// - Throws: ``HelixError``: `notFound` if there is none; `conflict` if an entity was changed since.
    @discardableResult
    public func undo(_ id: EntityID) throws -> ChangeSetSummary {
        try reverse(id, isRedo: false)
    }

    /// Redoes an undone change set.
    /// - Throws: as ``undo(_:)``.
    @discardableResult
    public func redo(_ id: EntityID) throws -> ChangeSetSummary {
        try reverse(id, isRedo: true)
    }

    private func reverse(_ id: EntityID, isRedo: Bool) throws -> ChangeSetSummary {
        guard
            let found = try read({ db in
                try Row.fetchOne(
                    db, sql: "SELECT \(Store.columns) FROM change_set s WHERE s.id = ?", arguments: [id.text])
            }), let summary = try Store.summary(found)
        else { throw HelixError(.notFound, "unknown change set \(id.text)") }
        let original: Int64 = try found["n"]
        // To redo a change is to undo its undo.
        let target: Int64 = try isRedo ? (found["reversed_by"] as Int64? ?? original) : original
        if !isRedo, summary.isUndone {
            throw HelixError(.notFound, "'\(summary.summary)' is already undone", hint: "Redo it with 'helix redo'.")
        }
        let verb = isRedo ? "redo" : "undo"
        try requireOwn(summary, verb, undoneBy: isRedo ? target : nil)
        if let final = summary.final {
            throw HelixError(
                .conflict, "cannot \(verb) '\(summary.summary)': \(final.reason)", hint: final.hint)
        }
        if let done = try mailboxChange(id) {
            try reverse(done, verb, target: target, original: original)
            return summary
        }
        for kind in EntityDescriptor.all { try kind.rules.locate?(self, target) }
        try change("\(verb): \(summary.summary)", command: verb, reverses: target) { change in
            let rows = try Row.fetchAll(
                change.db,
                sql:
                    "SELECT kind, entity, operation, before, after FROM change WHERE change_set = ? ORDER BY ordinal DESC",
                arguments: [target])
            let kinds = Set(try rows.compactMap { EntityKind(rawValue: try $0["kind"]) })
            do {
                for row in rows where try !Store.createsContainer(row) {
                    try self.reverse(row, change, verb, kinds: kinds)
                }
                try self.removeContainers(rows, change, verb, kinds: kinds)
            } catch let error as DatabaseError where error.code == .constraint {
                throw HelixError(
                    .conflict, "cannot \(verb) '\(summary.summary)': something else depends on it",
                    hint: "Undo later changes first: 'helix history' lists them.")
            }
            // Written even if nothing was left to undo, so that it is not offered again.
            try change.begin()
            if isRedo {
                // The original is in effect again, and can be undone again.
                try change.db.execute(
                    sql: "UPDATE change_set SET reversed_by = NULL WHERE n = ?", arguments: [original])
            }
        }
        return summary
    }

    private static func createsContainer(_ row: Row) throws -> Bool {
        guard let kind = EntityKind(rawValue: try row["kind"]) else { return false }
        return try row["operation"] == "create" && Change.containers[kind] != nil
    }

    /// Removes the calendars, boards, columns and projects that a change set created. If they came with something in them, they stay
    /// where something else is in one of them, too.
    private func removeContainers(_ rows: [Row], _ change: Change, _ verb: String, kinds: Set<EntityKind>) throws {
        let containers = try rows.filter(Store.createsContainer)
        if containers.isEmpty { return }
        do {
            try change.db.savepoint {
                for row in containers { try reverse(row, change, verb, kinds: kinds) }
            }
        } catch let error as DatabaseError where error.code == .constraint && containers.count < rows.count {
            let names = try containers.compactMap { row -> String? in
                guard let kind = EntityKind(rawValue: try row["kind"]), kind != .column,
                    let id = EntityID(try row["entity"] as String),
                    case .string(let name)? = try JournaledTable.table(kind).row(change.db, id)?.values["name"]
                else { return nil }
                return "the \(kind.name) '\(name)'"
            }
            remarks.append("Kept, as something else is in it: \(names.joined(separator: ", ")).")
        }
    }

    /// Refuses an agent to take back what others did, or to do again what others took back.
    /// - Parameter undo: the number of the change set that undid it.
    /// - Throws: ``HelixError`` of code `notAllowed`.
    private func requireOwn(_ summary: ChangeSetSummary, _ verb: String, undoneBy undo: Int64?) throws {
        guard let profile else { return }
        let isOwn = summary.actor?.kind == .agent && summary.actor?.name == profile.name
        let undoer = try undo.map { number in
            try read {
                try String.fetchOne(
                    $0, sql: "SELECT actor_name FROM change_set WHERE n = ? AND actor = 'agent'", arguments: [number])
            }
        }
        guard isOwn, undoer == nil || undoer == profile.name else {
            throw profile.refusal(
                "\(verb) '\(summary.summary)', which it did not do itself", rule: .change,
                hint: "The person's own 'helix \(verb)' can.")
        }
    }

    /// - Parameter kinds: the kinds of all entities that the change set changed.
    private func reverse(_ row: Row, _ change: Change, _ verb: String, kinds: Set<EntityKind>) throws {
        guard let kind = EntityKind(rawValue: try row["kind"]), let id = EntityID(try row["entity"] as String) else {
            throw HelixError(.unexpected, "unknown kind or ID of an entity in the journal")
        }
        let (table, rules) = (JournaledTable.table(kind), EntityDescriptor.of(kind).rules)
        let current = try table.row(change.db, id)
        let operation: String = try row["operation"]
        // A deleted entity is gone, in a proposal from its branch alone.
        if current == nil, operation != "delete" { try change.requireKnown(kind, id, verb: verb) }
        func refuse(_ what: String) -> HelixError {
            HelixError(
                .conflict, "cannot \(verb): \(kind.rawValue) \(id.text.prefix(6)) \(what) since",
                hint: "List its changes with 'helix history \(id.text.prefix(6))', and \(verb) the later ones first.")
        }
        func isSettled(isCreation: Bool) throws -> Bool {
            let gone = GoneRow(id: id, isCreation: isCreation, verb: verb, kinds: kinds)
            return try rules.isSettled?(change, gone) ?? false
        }
        switch operation {
        case "create":
            if current != nil { try change.delete(kind, id) } else { _ = try isSettled(isCreation: true) }
        case "delete":
            let former = try JournalFields(json: row["before"])
            if let current, try rules.revive?(change, id, current, former) == true { return }
            if current != nil { throw refuse("was created again") }
            do {
                try change.create(kind, id, former)
            } catch let error as DatabaseError where error.code == .constraint {
                throw refuse("cannot be restored: its name, UID or calendar was taken or removed")
            }
        default:
            let after = try JournalFields(json: row["after"])
            guard let current else {
                if try isSettled(isCreation: false) { return }
                throw refuse("was deleted")
            }
            for (name, value) in after.values {
                let now = current.values[name]
                if !(rules.isSame?(name, now, value) ?? (now == value)) { throw refuse("was changed") }
            }
            try change.update(kind, id, try JournalFields(json: row["before"]))
        }
    }

    private static func summary(_ row: Row) throws -> ChangeSetSummary? {
        guard let id = EntityID(try row["id"] as String) else { return nil }
        return try ChangeSetSummary(
            id: id, madeAt: Instant(row["made_at"]), command: row["command"],
            origin: ChangeOrigin(rawValue: row["origin"]) ?? .command,
            actor: ChangeActor.Kind(rawValue: row["actor"] ?? "").map { kind in
                ChangeActor(kind, name: try row["actor_name"], run: try row["run"])
            },
            final: (row["final"] as String?).flatMap(FinalChange.init), summary: row["summary"],
            count: row["count"], isUndone: (row["reversed_by"] as Int64?) != nil,
            isReversal: (row["reverses"] as Int64?) != nil)
    }
}

extension Change {
    /// Whether the last change of an entity was its deletion.
    func wasDeleted(_ id: EntityID) throws -> Bool {
        let last = try String.fetchOne(
            db, sql: "SELECT operation FROM change WHERE entity = ? ORDER BY change_set DESC, ordinal DESC LIMIT 1",
            arguments: [id.text])
        return last == "delete"
    }
}
