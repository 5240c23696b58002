import HelixCalendar
import HelixModel
import HelixSQLite

/// A change set as `helix history` shows it.
public struct ChangeSetSummary: Hashable, Sendable {
    /// Its identity.
    public var id: EntityID
    /// When it was made.
    public var madeAt: Instant
    /// The command that made it, without its arguments: `cal add`.
    public var command: String
    /// What it did.
    public var summary: String
    /// How many entities it changed.
    public var count: Int
    /// Whether it was taken back.
    public var isUndone: Bool
    /// Whether it takes another one back.
    public var isReversal: Bool
}

/// What became of a field.
public struct FieldChange: Hashable, Sendable {
    /// Its name, for people.
    public var name: String
    /// What it was; nil for nothing.
    public var before: String?
    /// What it became.
    public var after: String?

    /// A field's value for people.
    static func words(_ name: String, _ fields: [String: DatabaseValue], _ db: Database) throws -> String? {
        guard let plain = text(fields[name]) else { return nil }
        switch name {
        case "tags", "labels": return plain.trimmingBlanks()
        case "priority": return Int(plain).flatMap(TaskPriority.init(rawValue:))?.name ?? plain
        case "estimate", "budget_time": return Int(plain).map { DateWords.text(duration: $0) } ?? plain
        case "column_id":
            return try String.fetchOne(db, sql: "SELECT name FROM board_column WHERE id = ?", arguments: [plain])
                ?? plain
        case "project", "parent", "task":
            let sql =
                name == "project" ? "SELECT name FROM project WHERE id = ?" : "SELECT title FROM task WHERE id = ?"
            return try String.fetchOne(db, sql: sql, arguments: [plain]) ?? plain
        case "due", "scheduled", "hidden_until", "started_at", "completed_at", "created_at", "start", "end",
            "leaves_at":
            guard let seconds = Int64(plain) else { return plain }
            if case .int64(1)? = fields[name.replacing("_until", with: "") + "_day"] {
                return ISO8601.text(CivilDateTime(seconds: seconds).date)
            }
            return ISO8601.text(Instant(seconds), in: .utc)
        default: return plain
        }
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
        s.n, s.id, s.made_at, s.command, s.summary, s.reverses, s.reversed_by,
        (SELECT COUNT(*) FROM change c WHERE c.change_set = s.n) AS count
        """

    /// The change sets, the latest first.
    ///
    /// - Parameter entity: only those that touched it.
    /// - Throws: ``HelixError``.
    public func history(of entity: EntityID? = nil, limit: Int) throws -> [ChangeSetSummary] {
        try read { db in
            let filter = entity == nil ? "" : "WHERE s.n IN (SELECT change_set FROM change WHERE entity = ?)"
            let rows = try Row.fetchAll(
                db, sql: "SELECT \(Store.columns) FROM change_set s \(filter) ORDER BY s.n DESC LIMIT ?",
                arguments: entity.map { [$0.text, limit] } ?? [limit])
            return rows.compactMap(Store.summary)
        }
    }

    /// What a change set changed of an entity, field by field; of an event, property by property.
    /// - Throws: ``HelixError``.
    public func fieldChanges(_ changeSet: EntityID, of entity: EntityID) throws -> [FieldChange] {
        let rows = try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT c.before, c.after FROM change c JOIN change_set s ON s.n = c.change_set
                    WHERE s.id = ? AND c.entity = ? AND c.operation = 'update' ORDER BY c.ordinal
                    """, arguments: [changeSet.text, entity.text]
            ).map { (before: $0[0] as String?, after: $0[1] as String?) }
        }
        var found: [FieldChange] = []
        for row in rows {
            let old = try row.before.map { try JournalFields(json: $0).values } ?? [:]
            let new = try row.after.map { try JournalFields(json: $0).values } ?? [:]
            for name in Set(old.keys).union(new.keys).sorted() where !["rank", "source", "zones"].contains(name) {
                let (before, after) = (FieldChange.text(old[name]), FieldChange.text(new[name]))
                guard name == "text" else {
                    func words(_ fields: [String: DatabaseValue]) throws -> String? {
                        try read { try FieldChange.words(name, fields, $0) }
                    }
                    let label = name == "column_id" ? "column" : name.replacing("_", with: " ")
                    if name.hasSuffix("_day") { continue }
                    found.append(FieldChange(name: label, before: try words(old), after: try words(new)))
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
        }
        return found
    }

    /// The identity that begins with `prefix` among all that were ever changed, if there is exactly one.
    /// - Throws: ``HelixError``.
    public func formerEntity(_ prefix: EntityPrefix) throws -> EntityID? {
        try read { db in
            let found = try String.fetchAll(
                db, sql: "SELECT DISTINCT entity FROM change WHERE entity >= ? AND entity < ? LIMIT 2",
                arguments: [prefix.text, prefix.text + "~"])
            return found.count == 1 ? EntityID(found[0]) : nil
        }
    }

    /// The change sets that `undo` would take back next, the first one first. What came from a server is none of them: it
    /// is taken back only by its id.
    /// - Throws: ``HelixError``.
    public func undoable(limit: Int) throws -> [ChangeSetSummary] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT \(Store.columns) FROM change_set s
                    WHERE s.reversed_by IS NULL AND s.reverses IS NULL AND s.command <> 'sync' ORDER BY s.n DESC LIMIT ?
                    """, arguments: [limit + 20]
            ).filter { try hasBytes(db, $0["n"]) }.prefix(limit).compactMap(Store.summary)
        }
    }

    /// Whether the bytes of all files that a change set took away are still there: without them it cannot be undone, and
    /// must not stand in the way of what can.
    private func hasBytes(_ db: Database, _ changeSet: Int64) throws -> Bool {
        let gone = try String.fetchAll(
            db,
            sql: """
                SELECT before FROM change
                WHERE change_set = ? AND kind IN ('file', 'outgoing', 'chat_attachment') AND before IS NOT NULL
                """, arguments: [changeSet])
        return try gone.allSatisfy { json in
            guard case .string(let hash)? = try JournalFields(json: json).values["sha256"] else { return true }
            return files.path(hash) != nil
        }
    }

    /// The undone change sets that `redo` would make again next, the first one first: those undone since the last
    /// ordinary change.
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
                            (SELECT MAX(n) FROM change_set WHERE reverses IS NULL AND command <> 'sync'), 0)
                    ORDER BY u.n DESC LIMIT ?
                    """, arguments: [limit]
            ).compactMap(Store.summary)
        }
    }

    /// Takes back a change set by writing its opposite.
    ///
    /// - Returns: the change set taken back.
    /// - Throws: ``HelixError``: `notFound` if there is none; `conflict` if something has changed since.
    @discardableResult
    public func undo(_ id: EntityID) throws -> ChangeSetSummary {
        try reverse(id, isRedo: false)
    }

    /// Makes an undone change set again.
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
            }), let summary = Store.summary(found)
        else { throw HelixError(.notFound, "there is no change set \(id.text)") }
        let original: Int64 = found["n"]
        // To make a change again is to take back what took it back.
        let target: Int64 = isRedo ? (found["reversed_by"] as Int64? ?? original) : original
        if !isRedo, summary.isUndone {
            throw HelixError(.notFound, "'\(summary.summary)' is undone already", hint: "'helix redo' makes it again.")
        }
        let verb = isRedo ? "redo" : "undo"
        if ["chat invite", "chat leave", "chat members"].contains(summary.command) {
            throw HelixError(
                .conflict,
                "cannot \(verb) '\(summary.summary)': whoever was let in may have read, and whoever left is gone",
                hint: "'helix chat members NAME --remove WHO' and 'helix chat invite' change it.")
        }
        try findMessages(of: target)
        try change("\(verb) '\(summary.summary)'", command: verb, reverses: target) { change in
            let rows = try Row.fetchAll(
                change.db,
                sql:
                    "SELECT kind, entity, operation, before, after FROM change WHERE change_set = ? ORDER BY ordinal DESC",
                arguments: [target])
            let isAside = rows.contains { ($0["kind"] as String) == EntityKind.event.rawValue }
            for row in rows { try self.reverse(row, change, verb, isAside: isAside) }
            // Even if nothing was left to take back: it shall not be offered again.
            try change.begin()
            if isRedo {
                // The original stands again, so that it can be undone again.
                try change.db.execute(
                    sql: "UPDATE change_set SET reversed_by = NULL WHERE n = ?", arguments: [original])
            }
        }
        return summary
    }

    /// Looks through the accounts' files if a change set names messages that have no row: those of an account that has
    /// just come back are not indexed yet.
    private func findMessages(of changeSet: Int64) throws {
        let isMissing = try read { db in
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM change WHERE change_set = ? AND kind = 'message'
                        AND entity NOT IN (SELECT id FROM message))
                    """, arguments: [changeSet])
        }
        // An account whose folder is away has nothing to find; what is missing is refused one by one.
        if isMissing == true { _ = try? indexMail(waits: true) }
    }

    /// - Parameter isAside: whether a message that was queued is not what the change was for.
    private func reverse(_ row: Row, _ change: Change, _ verb: String, isAside: Bool) throws {
        guard let kind = EntityKind(rawValue: row["kind"]), let id = EntityID(row["entity"] as String) else {
            throw HelixError(.unexpected, "the journal names an entity that helix does not know")
        }
        let table = JournaledTable.table(kind)
        let current = try table.row(change.db, id)
        func refuse(_ what: String) -> HelixError {
            HelixError(
                .conflict, "cannot \(verb): \(kind.rawValue) \(id.text.prefix(6)) \(what) since",
                hint: "'helix history \(id.text.prefix(6))' lists its changes; \(verb) the later ones first.")
        }
        switch row["operation"] as String {
        case "create":
            if kind == .outgoing, current == nil, try change.hasDeparted(id) {
                // That others were told of it does not keep what it was about from being taken back.
                if isAside { return }
                throw HelixError(
                    .conflict, "cannot \(verb): the message has left, and cannot be called back",
                    hint: "'helix mail list --mailbox Sent' shows it.")
            }
            if current != nil { try change.delete(kind, id) }
        case "delete":
            if let current, try change.revive(kind, id, current, try JournalFields(json: row["before"])) { return }
            if current != nil { throw refuse("was made again") }
            do {
                try change.create(kind, id, try JournalFields(json: row["before"]))
            } catch let error as DatabaseError where error.code == .constraint {
                throw refuse("cannot come back: its name, UID or calendar was taken or removed")
            }
        default:
            let after = try JournalFields(json: row["after"])
            guard let current else {
                // What went with a gateway, or became one with another conversation, has nothing left to be taken back.
                if [.conversation, .chatMessage].contains(kind), try !isDeleted(id, change.db) { return }
                throw refuse("was deleted")
            }
            for (name, value) in after.values where !JournaledTable.isSame(current.values[name], value, as: name) {
                throw refuse("was changed")
            }
            try change.update(kind, id, try JournalFields(json: row["before"]))
        }
    }

    /// Whether the last thing that somebody did with an entity was to delete it.
    private func isDeleted(_ id: EntityID, _ db: Database) throws -> Bool {
        let last = try String.fetchOne(
            db, sql: "SELECT operation FROM change WHERE entity = ? ORDER BY change_set DESC, ordinal DESC LIMIT 1",
            arguments: [id.text])
        return last == "delete"
    }

    private static func summary(_ row: Row) -> ChangeSetSummary? {
        guard let id = EntityID(row["id"] as String) else { return nil }
        return ChangeSetSummary(
            id: id, madeAt: Instant(row["made_at"]), command: row["command"], summary: row["summary"],
            count: row["count"], isUndone: (row["reversed_by"] as Int64?) != nil,
            isReversal: (row["reverses"] as Int64?) != nil)
    }
}
