import HelixModel
import HelixSQLite

/// The fields of a journaled row, as stored in the journal.
struct JournalFields: Equatable {
    var values: [String: DatabaseValue]

    /// The fields as a JSON object; journaled tables contain only texts, integers and nulls.
    var json: String? {
        if values.isEmpty { return nil }
        let fields = values.sorted { $0.key < $1.key }.map { name, value in
            let text: JSONText =
                switch value {
                case .int64(let number): .number("\(number)")
                case .string(let text): .string(text)
                default: .null
                }
            return JSONText.Field(name: name, value: text)
        }
        return JSONText.object(fields).compact
    }

    init(_ values: [String: DatabaseValue]) { self.values = values }

    /// Parses fields from `json`.
    /// - Throws: ``HelixError`` of code `unexpected` if the journal is damaged.
    init(json: String?) throws {
        values = [:]
        guard let json else { return }
        guard case .object(let fields)? = try? JSONText(Array(json.utf8)) else {
            throw HelixError(.unexpected, "cannot read fields of the journal", hint: "Run 'helix doctor'.")
        }
        for field in fields {
            switch field.value {
            case .number(let digits): values[field.name] = (Int64(digits) ?? 0).databaseValue
            case .string(let text): values[field.name] = text.databaseValue
            default: values[field.name] = .null
            }
        }
    }
}

/// A table whose rows are entities that users change.
struct JournaledTable: Sendable {
    let kind: EntityKind
    let name: String
    /// The journaled columns, except `id`.
    let columns: [String]
    /// The columns of its full-text index `NAME_text`; empty if it has none.
    var textColumns: [String] = []
    /// The column with the time of a row's last change; nil if there is none.
    var stamp: String?
    /// Rebuilds the data derived from a written row.
    let didWrite: @Sendable (Store, Database, EntityID) throws -> Void
    /// Removes the data derived from a row before its deletion.
    let willDelete: @Sendable (Store, Database, EntityID) throws -> Void
    /// Composed once, because a command may write a hundred rows.
    private let selecting: String
    private let inserting: String
    /// The table that keeps row numbers for restored entities; nil if nothing refers to row numbers.
    private var numbers: String?

    /// Creates a table whose rows have no derived data, except by triggers.
    private init(_ kind: EntityKind, _ name: String, _ columns: [String]) {
        self.init(
            kind: kind, name: name, columns: columns, didWrite: { _, _, _ in }, willDelete: { _, _, _ in })
    }

    private init(
        kind: EntityKind, name: String, columns: [String], textColumns: [String] = [], stamp: String? = nil,
        numbers: String? = nil,
        didWrite: @escaping @Sendable (Store, Database, EntityID) throws -> Void,
        willDelete: @escaping @Sendable (Store, Database, EntityID) throws -> Void
    ) {
        self.kind = kind
        self.name = name
        self.columns = columns
        self.textColumns = textColumns
        self.stamp = stamp
        self.numbers = numbers
        self.didWrite = didWrite
        self.willDelete = willDelete
        let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        selecting = "SELECT \(list) FROM \(name) WHERE id = ?"
        let stamps = stamp.map { ", \"\($0)\"" } ?? ""
        let marks = Array(repeating: "?", count: columns.count + (stamp == nil ? 0 : 1)).joined(separator: ", ")
        inserting =
            if let numbers {
                "INSERT INTO \(name) (n, id, \(list)\(stamps)) "
                    + "VALUES ((SELECT n FROM \(numbers) WHERE \(name) = ?1), ?1, \(marks))"
            } else {
                "INSERT INTO \(name) (id, \(list)\(stamps)) VALUES (?, \(marks))"
            }
    }

    static func table(_ kind: EntityKind) -> JournaledTable {
        switch kind {
        case .calendar: calendar
        case .event: event
        case .task: task
        case .board: board
        case .column: column
        case .project: project
        case .timeEntry: timeEntry
        case .link: link
        case .view: view
        case .material: material
        case .file: file
        case .account: account
        case .message: message
        case .search: search
        case .outgoing: outgoing
        case .conversation: conversation
        case .chatMessage: chatMessage
        case .chatAttachment: chatAttachment
        }
    }

    private static let task = JournaledTable(
        kind: .task, name: "task",
        columns: [
            "state", "kind", "column_id", "rank", "priority", "due", "due_day", "scheduled", "scheduled_day",
            "hidden_until", "hidden_day", "estimate", "project", "block", "parent", "assignee", "recurrence", "series",
            "percent", "created_at", "started_at", "completed_at", "tags", "title", "checklist", "uid", "notes",
            "source", "extra",
        ],
        textColumns: ["title", "tags", "notes"],
        // Not journaled: else every change of a task would conflict with undoing an earlier one.
        stamp: "modified_at", didWrite: { _, _, _ in }, willDelete: { _, _, _ in })
    private static let board = JournaledTable(.board, "board", ["name", "is_default", "position"])
    private static let column = JournaledTable(
        .column, "board_column", ["board", "name", "position", "wip_limit", "is_done"])
    private static let project = JournaledTable(
        .project, "project",
        [
            "name", "status", "customer", "start", "due", "assignee", "budget_time", "budget_money", "hourly_rate",
            "currency", "notes", "blocks", "created_at",
        ])
    private static let timeEntry = JournaledTable(
        .timeEntry, "time_entry", ["start", "end", "title", "task", "project", "tags", "is_billable", "note", "origin"])
    private static let link = JournaledTable(.link, "link", ["a", "b", "kind"])
    private static let view = JournaledTable(.view, "saved_view", ["name", "filter"])
    private static let material = JournaledTable(
        .material, "material",
        [
            "project", "name", "quantity", "unit", "unit_price", "supplier", "receipt", "bought_on", "created_at",
        ])
    private static let file = JournaledTable(
        .file, "attachment", ["project", "name", "role", "sha256", "size", "created_at"])

    private static let account = JournaledTable(
        kind: .account, name: "account", columns: ["name", "kind", "path", "position", "settings"],
        numbers: "account_number", didWrite: { _, _, _ in },
        // The mail index is rebuilt if the account is restored.
        willDelete: { _, db, id in try MailWriter.forget(db, account: id) })
    private static let search = JournaledTable(.search, "saved_search", ["name", "query"])
    private static let message = JournaledTable(.message, "message", ["flags", "labels", "mailbox", "file"])
    private static let outgoing = JournaledTable(
        .outgoing, "outgoing",
        [
            "kind", "account", "state", "made_at", "leaves_at", "tries", "problem", "message_id", "sender",
            "recipients", "subject", "sha256", "size",
        ])

    private static let calendar = JournaledTable(
        .calendar, "calendar", ["name", "color", "is_hidden", "is_default", "position"])

    private static let event = JournaledTable(
        kind: .event, name: "event", columns: ["calendar", "uid", "text", "zones"],
        didWrite: { store, db, id in try EventIndex(store: store, db: db).rebuild(id) },
        willDelete: { store, db, id in try EventIndex(store: store, db: db).remove(id) })

    private static let conversation = JournaledTable(
        kind: .conversation, name: "conversation",
        columns: ["kind", "name", "account", "created_at", "is_archived", "is_muted", "invited", "remote"],
        didWrite: { _, db, id in try ChatRows.didWriteConversation(db, id) },
        willDelete: { _, db, id in try ChatRows.willDeleteConversation(db, id) })
    private static let chatMessage = JournaledTable(
        kind: .chatMessage, name: "chat_message",
        columns: ["conversation", "content", "role", "sender", "is_mine", "sent_at", "reply_to", "is_deleted"],
        textColumns: ["content"],
        didWrite: { _, db, id in try ChatRows.didWriteMessage(db, id) },
        willDelete: { _, db, id in try ChatRows.willDeleteMessage(db, id) })
    private static let chatAttachment = JournaledTable(
        .chatAttachment, "chat_attachment", ["message", "position", "name", "type", "size", "sha256"])

    /// Whether a column still has its journaled value, ignoring a UID that another program has added to a message's file name
    /// since.
    static func isSame(_ current: DatabaseValue?, _ journaled: DatabaseValue, as column: String) -> Bool {
        if column == "file", case .string(let name)? = current, case .string(let known) = journaled {
            return MaildirName.withoutUID(name) == known
        }
        return current == journaled
    }

    func row(_ db: Database, _ id: EntityID) throws -> JournalFields? {
        let statement = try Statement(db, selecting)
        statement.bind(1, id.text)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        var values: [String: DatabaseValue] = [:]
        for (index, column) in columns.enumerated() { values[column] = statement.value(Int32(index)) }
        return JournalFields(values)
    }

    func insert(_ db: Database, _ id: EntityID, _ fields: JournalFields, now: Instant) throws {
        if let numbers {
            try db.execute(sql: "INSERT OR IGNORE INTO \(numbers) (\(name)) VALUES (?)", arguments: [id.text])
        }
        let statement = try Statement(db, inserting)
        try statement.execute(
            arguments: StatementArguments(
                [id.text.databaseValue] + columns.map { fields.values[$0] ?? .null }
                    + (stamp == nil ? [] : [.int64(now.seconds)])))
    }

    func update(_ db: Database, _ id: EntityID, _ fields: JournalFields, now: Instant) throws {
        let names = fields.values.keys.sorted().filter(columns.contains)
        var list = names.map { "\"\($0)\" = ?" }.joined(separator: ", ")
        if let stamp { list += ", \(stamp) = ?" }
        let statement = try Statement(db, "UPDATE \(name) SET \(list) WHERE id = ?")
        try statement.execute(
            arguments: StatementArguments(
                names.map { fields.values[$0] ?? .null } + (stamp == nil ? [] : [.int64(now.seconds)])
                    + [id.text.databaseValue]))
    }

    /// The number of a row, and its texts as in its full-text index.
    func words(_ db: Database, _ id: EntityID) throws -> (row: Int64, words: [DatabaseValue])? {
        try words(db, where: "id", .string(id.text))
    }

    private func words(
        _ db: Database, where column: String, _ value: DatabaseValue
    ) throws -> (row: Int64, words: [DatabaseValue])? {
        let list = textColumns.joined(separator: ", ")
        let row = try Statement(db, "SELECT n, \(list) FROM \(name) WHERE \(column) = ?")
        row.bind(1, value)
        defer { row.reset() }
        guard try row.step() else { return nil }
        return (row.integer(0), textColumns.indices.map { row.value(Int32($0 + 1)) })
    }

    /// Removes the old texts of a row from the full-text index, and adds the current ones if the row still exists. A trigger
    /// cannot do it: SQLite considers writing to an FTS table from a trigger unsafe in an untrusted schema.
    func reindex(_ db: Database, _ row: Int64, _ words: [DatabaseValue]?) throws {
        let list = textColumns.joined(separator: ", ")
        let marks = textColumns.map { _ in "?" }.joined(separator: ", ")
        // With VALUES, never with a SELECT: a SELECT could fail halfway, so SQLite would set a savepoint for it, at which FTS5
        // writes a segment for every row.
        if let words {
            try Statement(db, "INSERT INTO \(name)_text (\(name)_text, rowid, \(list)) VALUES ('delete', ?, \(marks))")
                .execute(arguments: StatementArguments([.int64(row)] + words))
        }
        guard let present = try self.words(db, where: "n", .int64(row)) else { return }
        try Statement(db, "INSERT INTO \(name)_text (rowid, \(list)) VALUES (?, \(marks))")
            .execute(arguments: StatementArguments([.int64(row)] + present.words))
    }

    func delete(_ db: Database, _ id: EntityID) throws {
        try db.execute(sql: "DELETE FROM \(name) WHERE id = ?", arguments: [id.text])
    }
}
