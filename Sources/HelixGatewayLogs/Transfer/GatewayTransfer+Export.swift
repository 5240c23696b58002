import FoundationEssentials
import Glibc
import HelixGatewayStore
import HelixModel
import HelixPostgres
import HelixSQLite
import HelixStore
import HelixSystem

/// Copies from PostgreSQL to SQLite.
extension GatewayTransfer {
    /// Copies everything from the database to the folder, which must have no store yet. The gateways of the database may go on
    /// serving; what changes afterwards is not copied.
    /// - Throws: ``HelixError``.
    public func exportAll() throws {
        let present = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        guard present?.isEmpty ?? !FileManager.default.fileExists(atPath: folder.path) else {
            throw HelixError(
                .cannotCreate, "the folder \(folder.path) is not empty", hint: "Name a new folder.")
        }
        // The folder has its name when it is complete: a part of a store would look like a whole one.
        let part = folder.path + ".part"
        try? FileManager.default.removeItem(atPath: part)
        let transfer = GatewayTransfer(folder: part, target: target, now: now, progress: progress)
        do { try transfer.exportParts() } catch {
            try? FileManager.default.removeItem(atPath: part)
            throw error
        }
        if present != nil { rmdir(folder.path) }
        guard rename(part, folder.path) == 0 else {
            throw HelixError(.io, "cannot rename \(part) to \(folder.path)", hint: "Rename it by hand: it is complete.")
        }
    }

    private func exportParts() throws {
        let target: Database
        do {
            target = try postgres { connection in
                // No folder is made for a database that cannot be copied.
                _ = try folder.open()
                let target = try GatewayTransfer.database(folder)
                try connection.script("SET statement_timeout = 0")
                try connection.transaction(GatewayTransfer.snapshot) {
                    try target.transaction(.immediate) {
                        try target.execute(sql: "PRAGMA defer_foreign_keys = ON")
                        for table in TransferTable.all { try export(table, connection, target) }
                        try GatewayTransfer.renumber(target)
                        try exportSecret(connection, target)
                    }
                    try exportFiles(connection)
                }
                return target
            }
        } catch let error as DatabaseError {
            throw HelixError(.io, "the store in \(folder.path) cannot be written: \(error.message ?? "")")
        }
        try exportEntities(target)
    }

    /// The columns that SQLite has besides the shared ones, with the expressions for them in PostgreSQL, in the table with the
    /// alias `t`. Versions are those of one conversation until they are numbered anew.
    private static func more(_ table: String) -> [(name: String, sql: String)] {
        switch table {
        case "conversation":
            [("version", "t.version"), ("pair", "(SELECT p.pair FROM pair p WHERE p.conversation = t.id)")]
        case "member": [("left_version", "t.left_version"), ("version", "0")]
        case "message": [("version", "t.version")]
        default: []
        }
    }

    private func export(_ table: TransferTable, _ connection: PostgresConnection, _ target: Database) throws {
        progress(table.name)
        let more = GatewayTransfer.more(table.name)
        let select = (table.shared.map { "t.\"\($0)\"" } + more.map(\.sql)).joined(separator: ", ")
        let names = (table.shared + more.map(\.name)).map { "\"\($0)\"" }.joined(separator: ", ")
        let places = Array(repeating: "?", count: table.shared.count + more.count).joined(separator: ", ")
        let insert = "INSERT INTO \"\(table.name)\" (\(names)) VALUES (\(places))"
        try GatewayTransfer.forEach(connection, "SELECT \(select) FROM \"\(table.name)\" t") { row in
            try target.execute(sql: insert, arguments: StatementArguments(row.all))
        }
    }

    /// Gives all changes of all conversations one order, which a store with SQLite has.
    private static func renumber(_ target: Database) throws {
        try target.execute(
            sql: """
                CREATE TEMP TABLE ticks (conversation TEXT, version INTEGER, n INTEGER, PRIMARY KEY (conversation, version));
                INSERT INTO ticks SELECT conversation, version, ROW_NUMBER() OVER (ORDER BY conversation, version)
                    FROM (SELECT DISTINCT conversation, version FROM message);
                UPDATE message SET version = (SELECT n FROM ticks t WHERE t.conversation = message.conversation
                    AND t.version = message.version);
                UPDATE member SET left_version = (SELECT ifnull(MAX(n), 0) FROM ticks t
                    WHERE t.conversation = member.conversation AND t.version <= member.left_version)
                    WHERE left_version IS NOT NULL;
                UPDATE chat_clock SET n = (SELECT COUNT(*) + 1 FROM ticks);
                INSERT INTO chat_tick (n, nonce) SELECT n, random() & 4294967295 FROM chat_clock;
                UPDATE member SET version = (SELECT n FROM chat_clock);
                UPDATE conversation SET version = (SELECT n FROM chat_clock);
                DROP TABLE ticks;
                """)
    }

    private func exportSecret(_ connection: PostgresConnection, _ target: Database) throws {
        let text: String = try connection.rows("SELECT value FROM setting WHERE name = 'secret'").first?[0] ?? ""
        let digits = text.compactMap(\.hexDigitValue)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        try target.execute(
            sql: "UPDATE secret SET value = ?", arguments: [DatabaseValue.blob(Data(bytes))])
    }

    private func exportFiles(_ connection: PostgresConnection) throws {
        progress("files")
        let hashes = try connection.rows("SELECT DISTINCT sha256 FROM file_piece WHERE \"user\" = '' ORDER BY 1")
        for row in hashes {
            let hash: String = row[0]
            let place = "\(folder.path)/files/\(hash.prefix(2))"
            do {
                try FileManager.default.createDirectory(
                    atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                var bytes = Data()
                let numbers = try connection.rows(
                    "SELECT n FROM file_piece WHERE sha256 = ? AND \"user\" = '' ORDER BY n", [hash])
                for number in numbers {
                    let piece: Data? = try connection.rows(
                        "SELECT bytes FROM file_piece WHERE sha256 = ? AND \"user\" = '' AND n = ?",
                        [hash, number[0] as Int]
                    ).first?[0]
                    bytes += piece ?? Data()
                }
                try bytes.write(to: URL(filePath: "\(place)/\(hash)"), options: .atomic)
            } catch let error as PostgresError { throw error } catch {
                throw HelixError(.io, "cannot write \(place)/\(hash)", hint: "Check the free disk space.")
            }
        }
    }

    private func exportEntities(_ target: Database) throws {
        progress("entities")
        guard let logs = GatewayFolder(folder.path, database: self.target).userLogs(connections: 1) else { return }
        for id in try String.fetchAll(target, sql: "SELECT id FROM user ORDER BY id") {
            let user = EntityID(stored: id)
            guard try logs.end(ofLogOf: user) != .start else { continue }
            let store = try Store(path: folder.storePath(of: user), now: now)
            let log = UserLog(user, logs)
            try log.catchUp(store)
            if let first = log.waiting.first {
                throw HelixError(
                    .unexpected, "\(log.waiting.count) entities of a user cannot be stored, such as \(first.id.text)")
            }
        }
    }

    static func database(_ folder: GatewayFolder) throws -> Database {
        do { return try Database(path: folder.path + "/gateway.db") } catch {
            throw HelixError(.io, "the gateway's store in \(folder.path) cannot be opened")
        }
    }
}
