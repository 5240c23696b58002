import HelixCalendar
import HelixContacts
import HelixCrypto
import HelixModel
import HelixSQLite

extension Change {
    /// The time at which an entity was last changed.
    /// - Throws: ``HelixError``.
    public func changedAt(_ id: EntityID) throws -> Instant? { try Store.changedAt(db, id) }

    /// Records the time at which a device changed the entity just received, at most the current time.
    /// - Throws: ``HelixError``.
    public func note(_ id: EntityID, changedAt moment: Instant) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO replica_time (entity, change_set, at) VALUES (?, ?, ?)",
            arguments: [id.text, try changeSet(), min(moment, store.now).seconds])
    }

    /// The current fields of an entity.
    /// - Throws: ``HelixError``.
    public func replica(_ kind: EntityKind, _ id: EntityID) throws -> JSONText? {
        try JournaledTable.table(kind).row(db, id)?.replica
    }

    /// The start of a time entry that overlaps another one; nil if it does not, or if it is no time entry.
    /// - Throws: ``HelixError``.
    public func overlappingStart(_ id: EntityID) throws -> Instant? {
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT start, ifnull(\"end\", start + 1) AS last FROM time_entry WHERE id = ?",
                arguments: [id.text])
        else { return nil }
        let (start, last): (Int64, Int64) = try (row["start"], row["last"])
        let isShared = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM time_entry WHERE id <> ?
                    AND \(Store.touches(start: "\(start)", end: "\(last)", of: "")))
                """, arguments: [id.text])
        return isShared == true ? Instant(start) : nil
    }

    /// Adds a column to boards without one: two devices may each delete the columns that the other one keeps. All stores add
    /// the same one.
    /// - Throws: ``HelixError``.
    public func addMissingColumns() throws {
        let bare = try String.fetchAll(
            db, sql: "SELECT id FROM board WHERE id NOT IN (SELECT board FROM board_column) ORDER BY id")
        for board in bare {
            try put(
                ReplicaRecord(
                    kind: .column, id: EntityID(digest: SHA256.hash(Array("column\u{0}\(board)".utf8))),
                    fields: ["board": .string(board), "is_done": 0, "name": "todo", "position": 0]))
        }
    }

    /// The entities that belong to another one.
    /// - Throws: ``HelixError``.
    public func contents(of kind: EntityKind, _ id: EntityID) throws -> [EntityID] {
        try ReplicaRelation.below(kind).flatMap { relation in
            try String.fetchAll(
                db,
                sql: "SELECT id FROM \(JournaledTable.table(relation.kind).name) WHERE \"\(relation.column)\" = ?",
                arguments: [id.text]
            ).map { EntityID(stored: $0) }
        }
    }

    /// Creates or updates an entity from a record. Conflicting singletons are resolved: there is one default calendar and one
    /// running clock.
    ///
    /// - Throws: ``HelixError``: `badInput` for invalid fields, `conflict` if another entity has the name, `notFound` if an
    ///   entity to which it belongs is missing.
    public func put(_ record: ReplicaRecord) throws {
        let table = JournaledTable.table(record.kind)
        guard ReplicaRecord.rank[record.kind] != nil else {
            throw HelixError(.badInput, "cannot replicate a \(record.kind.name)")
        }
        guard let json = record.fields else { return try remove(record) }
        var fields = try JournalFields(replica: json)
        if let strange = fields.values.keys.first(where: { !table.columns.contains($0) }) {
            throw HelixError(.badInput, "a \(record.kind.name) has no '\(strange)'", hint: "Update helix on this side.")
        }
        // A record is complete: missing fields are null.
        for column in table.columns where fields.values[column] == nil { fields.values[column] = .null }
        try check(record, fields, types: columnTypes(of: table))
        try check(record, fields)
        let former = try table.row(db, record.id)
        try makeRoom(for: record, &fields, former: former)
        do {
            // The bytes of a file are transferred after its record.
            isReplicating = true
            defer { isReplicating = false }
            if former == nil {
                try create(record.kind, record.id, fields)
            } else {
                try update(record.kind, record.id, fields, former: former)
            }
        } catch {
            // Partial writes are reverted by hand: a savepoint for each record would cost more than all the rest.
            if let former {
                try table.update(db, record.id, former, now: store.now)
                try table.didWrite(store, db, record.id)
            } else if try table.row(db, record.id) != nil {
                try? table.willDelete(store, db, record.id)
                try table.delete(db, record.id)
            }
            throw Change.refusal(error, record)
        }
        try settleDefault(record, fields)
    }

    private static func refusal(_ error: any Error, _ record: ReplicaRecord) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        guard error.code == .constraint else { return error }
        let what = "the \(record.kind.name) \(record.id.text)"
        if error.message?.contains("UNIQUE") == true {
            return HelixError(.conflict, "\(what) conflicts with another one with the same name or time")
        }
        if error.message?.contains("FOREIGN") == true {
            return HelixError(.notFound, "\(what) belongs to an unknown entity")
        }
        if let message = error.message, message.contains("NOT NULL"), let column = message.split(separator: ".").last {
            return HelixError(.badInput, "\(what) has no '\(column)'")
        }
        return HelixError(.badInput, "\(what) has invalid fields")
    }

    /// The columns that hold whole numbers; all others hold texts.
    private func columnTypes(of table: JournaledTable) throws -> Set<String> {
        if let known = store.numberColumns[table.kind] { return known }
        let names = try String.fetchAll(
            db, sql: "SELECT name FROM pragma_table_info(?) WHERE type = 'INTEGER'", arguments: [table.name])
        store.numberColumns[table.kind] = Set(names)
        return Set(names)
    }

    /// Checks the types of fields from others: SQLite accepts any type in any column.
    private func check(_ record: ReplicaRecord, _ fields: JournalFields, types numbers: Set<String>) throws {
        for (column, value) in fields.values {
            switch value {
            case .int64 where !numbers.contains(column):
                throw HelixError(.badInput, "'\(column)' of the \(record.kind.name) \(record.id.text) must be a text")
            case .string where numbers.contains(column):
                throw HelixError(
                    .badInput, "'\(column)' of the \(record.kind.name) \(record.id.text) must be a whole number")
            default: break
            }
        }
    }

    /// Checks constraints that the column types cannot express.
    private func check(_ record: ReplicaRecord, _ fields: JournalFields) throws {
        switch record.kind {
        case .event:
            var zones = ""
            if case .string(let text)? = fields.values["zones"] { zones = text }
            guard case .string(let text)? = fields.values["text"],
                !EventText.components(text, zones: ZoneResolver(definitions: zones)).isEmpty
            else {
                throw HelixError(.badInput, "the event \(record.id.text) is not valid iCalendar")
            }
        case .contact:
            guard case .string(let text)? = fields.values["text"], VCard(text: text) != nil else {
                throw HelixError(.badInput, "the contact \(record.id.text) is not a valid vCard")
            }
        case .file: try check(file: record, fields)
        case .task:
            guard case .string(let parent)? = fields.values["parent"] else { return }
            // Reject cycles in the task tree.
            var (above, steps): (String?, Int) = (parent, 0)
            while let id = above, steps < 1000 {
                if id == record.id.text {
                    throw HelixError(.badInput, "the task \(record.id.text) cannot be its own subtask")
                }
                above = try String.fetchOne(db, sql: "SELECT parent FROM task WHERE id = ?", arguments: [id])
                steps += 1
            }
        default: break
        }
    }

    /// Checks the fields of a file, of which a path is made.
    private func check(file record: ReplicaRecord, _ fields: JournalFields) throws {
        guard case .string(let hash)? = fields.values["sha256"], FileFolder.isHash(hash), hash == hash.lowercased()
        else {
            throw HelixError(.badInput, "the file \(record.id.text) has no SHA-256")
        }
        guard case .int64(let size)? = fields.values["size"], size >= 0 else {
            throw HelixError(.badInput, "the file \(record.id.text) has no size")
        }
        guard case .string(let role)? = fields.values["role"], FileRole(rawValue: role) != nil else {
            throw HelixError(.badInput, "the file \(record.id.text) has an unknown role")
        }
        // The bytes of a hash have one size.
        let other = try Int64.fetchOne(
            db, sql: "SELECT size FROM attachment WHERE sha256 = ? AND id <> ? AND size <> ?",
            arguments: [hash, record.id.text, size])
        if other != nil { throw HelixError(.badInput, "the file \(record.id.text) has a wrong size") }
    }

    /// Clears the default flag of the previous default calendar or board: the last one set wins.
    private func settleDefault(_ record: ReplicaRecord, _ fields: JournalFields) throws {
        guard [.calendar, .board, .addressBook].contains(record.kind), fields.values["is_default"] == .int64(1) else {
            return
        }
        let table = JournaledTable.table(record.kind).name
        for id in try String.fetchAll(
            db, sql: "SELECT id FROM \(table) WHERE is_default = 1 AND id <> ?", arguments: [record.id.text])
        {
            try update(record.kind, EntityID(stored: id), JournalFields(["is_default": .int64(0)]))
        }
    }

    private func makeRoom(
        for record: ReplicaRecord, _ fields: inout JournalFields, former: JournalFields?
    ) throws {
        switch record.kind {
        case .timeEntry:
            guard fields.values["end"] == .null, case .int64(let start)? = fields.values["start"] else { return }
            guard
                let other = try Row.fetchOne(
                    db, sql: "SELECT id, start FROM time_entry WHERE \"end\" IS NULL AND id <> ?",
                    arguments: [record.id.text])
            else { return }
            // Two clocks were started on two machines: the later one keeps running and stops the earlier one.
            let begun: Int64 = try other["start"]
            if begun <= start {
                try update(
                    .timeEntry, EntityID(stored: other["id"]), JournalFields(["end": .int64(max(start, begun + 1))]))
            } else {
                fields.values["end"] = .int64(max(begun, start + 1))
            }
        default: break
        }
    }

    /// Deletes an entity and the entities that depend on it.
    private func remove(_ record: ReplicaRecord) throws {
        for relation in ReplicaRelation.below(record.kind) {
            let name = JournaledTable.table(relation.kind).name
            for text in try String.fetchAll(
                db, sql: "SELECT id FROM \(name) WHERE \"\(relation.column)\" = ?", arguments: [record.id.text])
            {
                let id = EntityID(stored: text)
                if relation.effect == .releases {
                    try update(relation.kind, id, JournalFields([relation.column: .null]))
                } else {
                    try remove(ReplicaRecord(kind: relation.kind, id: id, fields: nil))
                }
            }
        }
        try delete(record.kind, record.id)
    }
}
