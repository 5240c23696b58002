import FoundationEssentials
import HelixCrypto
import HelixGatewayStore
import HelixModel
import HelixPostgres
import HelixSQLite
import HelixStore

/// Copies a gateway's store between SQLite in a folder and PostgreSQL, and compares the two.
public struct GatewayTransfer {
    let folder: GatewayFolder
    let target: PostgresTarget
    let now: Instant
    /// Is told what is copied.
    let progress: (String) -> Void

    /// The number of rows that are written at once.
    static let batch = 400
    /// The size of a piece of a file.
    static let pieceSize = 256 << 10

    /// - Parameters:
    ///   - folder: the folder of the gateway with SQLite.
    ///   - target: the database.
    ///   - progress: is told the name of each table.
    public init(folder: String, target: PostgresTarget, now: Instant, progress: @escaping (String) -> Void) {
        self.folder = GatewayFolder(folder)
        (self.target, self.now, self.progress) = (target, now, progress)
    }

    /// Copies everything from the folder to the database, whose rows are replaced, in one transaction: the gateway of the folder
    /// may go on serving. What changes there afterwards is copied by another run.
    /// - Throws: ``HelixError``; then the database is unchanged.
    public func importAll() throws {
        let source = try sqlite()
        try postgres { connection in
            try connection.transaction {
                try connection.script("SET LOCAL statement_timeout = 0; SET LOCAL synchronous_commit = on")
                for table in TransferTable.emptied { try connection.script("TRUNCATE \"\(table)\"") }
                try source.transaction(.deferred) {
                    for table in TransferTable.all { try copy(table, source, connection) }
                    try connection.run(
                        "UPDATE setting SET value = ? WHERE name = 'secret'", [try secret(source)])
                    try connection.script(
                        "UPDATE setting SET value = substr(md5(gen_random_uuid()::text), 1, 12) WHERE name = 'generation'"
                    )
                    for sql in TransferTable.derived + TransferTable.orphans { try connection.script(sql) }
                    try copyFiles(source, connection)
                }
                try copyEntities(try users(source), connection)
            }
            try connection.script("ANALYZE")
        }
    }

    /// Compares the folder with the database.
    /// - Throws: ``HelixError``.
    public func compare() throws -> [TransferPart] {
        let source = try sqlite()
        return try postgres { connection in
            try connection.script("SET statement_timeout = 0")
            return try connection.transaction(GatewayTransfer.snapshot) { try parts(source, connection) }
        }
    }

    private func parts(_ source: Database, _ connection: PostgresConnection) throws -> [TransferPart] {
        var parts: [TransferPart] = []
        for table in TransferTable.all {
            progress(table.name)
            let columns = table.shared.map { "\"\($0)\"" }.joined(separator: ", ")
            let sql = "SELECT \(columns) FROM \"\(table.name)\""
            var (here, there) = (TransferSum(), TransferSum())
            try Row.forEach(source, sql: sql) { here.add($0.all) }
            try GatewayTransfer.forEach(connection, sql) { there.add($0.all) }
            parts.append(TransferPart(name: table.name, folder: here, database: there))
        }
        parts.append(try compareFiles(source, connection))
        parts.append(try compareEntities(try users(source), connection))
        return parts
    }

    // MARK: Tables

    private func copy(_ table: TransferTable, _ source: Database, _ connection: PostgresConnection) throws {
        progress(table.name)
        let columns = table.columns.filter { $0.sqlite != nil }
        let select = columns.compactMap(\.sqlite).joined(separator: ", ")
        var rows: [[DatabaseValue]] = []
        func flush() throws {
            try GatewayTransfer.insert(rows, table.name, columns.map(\.name), connection)
            rows = []
        }
        try Row.forEach(source, sql: "SELECT \(select) FROM \"\(table.name)\" t") { row in
            rows.append(row.all)
            if rows.count >= GatewayTransfer.batch { try flush() }
        }
        try flush()
    }

    static func insert(
        _ rows: [[DatabaseValue]], _ table: String, _ columns: [String], _ connection: PostgresConnection
    ) throws {
        guard !rows.isEmpty else { return }
        let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        let row = "(" + columns.map { _ in "?" }.joined(separator: ", ") + ")"
        try connection.run(
            "INSERT INTO \"\(table)\" (\(names)) VALUES " + rows.map { _ in row }.joined(separator: ", "),
            StatementArguments(rows.flatMap { $0 }))
    }

    /// Calls `body` with each row of a large result, which is read in parts, in an open transaction.
    static func forEach(_ connection: PostgresConnection, _ sql: String, _ body: (Row) throws -> Void) throws {
        try connection.script("DECLARE transfer NO SCROLL CURSOR FOR \(sql)")
        while true {
            let rows = try connection.rows("FETCH 2000 FROM transfer")
            if rows.isEmpty { break }
            for row in rows { try body(row) }
        }
        try connection.script("CLOSE transfer")
    }

    /// The beginning of a transaction whose statements see one state.
    static let snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    private func secret(_ source: Database) throws -> String {
        let data = try Data.fetchOne(source, sql: "SELECT value FROM secret") ?? Data()
        return Array(data).hexadecimal
    }

    private func users(_ source: Database) throws -> [EntityID] {
        try String.fetchAll(source, sql: "SELECT id FROM user ORDER BY id").map { EntityID(stored: $0) }
    }

    // MARK: Connections

    func sqlite() throws -> Database {
        guard folder.hasStore else {
            throw HelixError(.notFound, "there is no gateway's store in \(folder.path)")
        }
        // Brings an older store up to date.
        _ = try folder.open()
        do { return try Database(path: folder.path + "/gateway.db") } catch {
            throw HelixError(.io, "the gateway's store in \(folder.path) cannot be read")
        }
    }

    func postgres<Value>(_ body: (PostgresConnection) throws -> Value) throws -> Value {
        try PostgresAdministration.withConnection(target) { connection in
            try PostgresAdministration.requirePresentSchema(connection)
            try connection.script("SET search_path = helix")
            return try body(connection)
        }
    }
}

extension Row {
    /// All values.
    var all: [DatabaseValue] { (0..<count).map { self[$0] as DatabaseValue } }
}
