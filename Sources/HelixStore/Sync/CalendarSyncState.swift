import HelixModel
import HelixSQLite

/// The state of the sync of an account's calendars, as another store of the same user continues from it: with it a change that
/// is not on the server yet is known as one, and an event is not taken for a new one.
extension Store {
    /// The tables below a calendar of the other side, with their columns.
    private static let stateTables: [(name: String, columns: [String])] = [
        ("remote_object", ["href", "etag", "event", "task", "contact", "text", "is_sent"]),
        ("remote_sending", ["href", "event", "task", "contact", "text"]), ("refused_object", ["href", "text"]),
        ("sync_conflict", ["href", "etag", "theirs", "zones", "found_at"]),
    ]
    /// The columns of a calendar. The last local change that was looked at has another number in each store.
    private static let calendarColumns = [
        "href", "calendar", "board", "book", "marker", "token", "is_read_only", "schedules", "appearance",
    ]

    /// The state of an account; nil if it has no calendars.
    /// - Throws: ``HelixError``.
    public func calendarSyncState(_ account: Account) throws -> String? {
        try read { db in
            let names = Store.calendarColumns
            let calendars = try Row.fetchAll(
                db,
                sql: "SELECT \(names.joined(separator: ", ")), n FROM remote_calendar WHERE account = ? ORDER BY href",
                arguments: [account.number])
            if calendars.isEmpty { return nil }
            return JSONText.array(
                try calendars.map { row in
                    let number: Int64 = row[names.count]
                    var fields = Store.values(row, names)
                    for table in Store.stateTables {
                        let rows = try Row.fetchAll(
                            db,
                            sql: """
                                SELECT \(table.columns.joined(separator: ", ")) FROM \(table.name) WHERE calendar = ? ORDER BY href
                                """, arguments: [number])
                        if rows.isEmpty { continue }
                        fields.append(
                            JSONText.Field(
                                name: table.name, value: .array(rows.map { .object(Store.values($0, table.columns)) })))
                    }
                    return .object(fields)
                }
            ).compact
        }
    }

    private static func values(_ row: Row, _ names: [String]) -> [JSONText.Field] {
        names.enumerated().compactMap { place, name in
            switch row[place] as DatabaseValue {
            case .string(let text): JSONText.Field(name: name, value: .string(text))
            case .int64(let number): JSONText.Field(name: name, value: .integer(number))
            default: nil
            }
        }
    }

    /// Replaces the state of an account by that of another store.
    /// - Throws: ``HelixError`` of code `badInput` if it is not one.
    public func setCalendarSyncState(_ text: String, of account: Account) throws {
        guard let calendars = try JSONText(Array(text.utf8)).elements else {
            throw HelixError(.badInput, "invalid state of a sync")
        }
        try writeDurably { db in
            try db.execute(sql: "DELETE FROM remote_calendar WHERE account = ?", arguments: [account.number])
            for calendar in calendars {
                try Store.insert(
                    calendar, Store.calendarColumns, into: "remote_calendar", owner: ("account", account.number), db)
                let number = db.lastInsertedRowID
                for table in Store.stateTables {
                    for row in calendar[table.name]?.elements ?? [] {
                        try Store.insert(row, table.columns, into: table.name, owner: ("calendar", number), db)
                    }
                }
            }
        }
    }

    private static func insert(
        _ json: JSONText, _ columns: [String], into table: String, owner: (name: String, number: Int64), _ db: Database
    ) throws {
        let present = columns.filter { json[$0]?.isNull == false }
        let values: [DatabaseValue] = present.map { name in
            if let number = json[name]?.integer { number.databaseValue } else { (json[name]?.text ?? "").databaseValue }
        }
        let names = ([owner.name] + present).joined(separator: ", ")
        let marks = Array(repeating: "?", count: present.count + 1).joined(separator: ", ")
        try db.execute(
            sql: "INSERT INTO \(table) (\(names)) VALUES (\(marks))",
            arguments: StatementArguments([owner.number.databaseValue] + values))
    }
}
