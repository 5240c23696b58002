import HelixModel
import HelixSQLite

/// A table whose rows are entities that users change.
struct JournaledTable: Sendable {
    let kind: EntityKind
    let name: String
    /// The journaled columns, except `id`.
    let columns: [String]
    /// Whether its rows name bytes by their hash.
    var hasBytes: Bool { columns.contains("sha256") }
    /// The columns that the journal keeps in its full-text index `NAME_text`; empty if another part keeps it, or it has none.
    var textColumns: [String] = []
    /// The name of its full-text index; nil if it has none.
    let textIndex: String?
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
    init(_ kind: EntityKind, _ name: String, _ columns: [String]) {
        self.init(
            kind: kind, name: name, columns: columns, didWrite: { _, _, _ in }, willDelete: { _, _, _ in })
    }

    init(
        kind: EntityKind, name: String, columns: [String], textColumns: [String] = [], textIndex: String? = nil,
        stamp: String? = nil, numbers: String? = nil,
        didWrite: @escaping @Sendable (Store, Database, EntityID) throws -> Void,
        willDelete: @escaping @Sendable (Store, Database, EntityID) throws -> Void
    ) {
        self.kind = kind
        self.name = name
        self.columns = columns
        self.textColumns = textColumns
        self.textIndex = textIndex ?? (textColumns.isEmpty ? nil : name + "_text")
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

    /// The table of a kind.
    static func table(_ kind: EntityKind) -> JournaledTable { EntityDescriptor.of(kind).table }

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
