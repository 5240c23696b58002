import FoundationEssentials
import HelixCrypto
import HelixGatewayStore
import HelixModel
import HelixPostgres
import HelixSQLite
import HelixStore
import HelixSystem

/// The files of messages, and the entities of users.
extension GatewayTransfer {
    private func path(_ hash: String) -> String { "\(folder.path)/files/\(hash.prefix(2))/\(hash)" }

    private func hashes(_ source: Database) throws -> [String] {
        try String.fetchAll(source, sql: "SELECT DISTINCT sha256 FROM upload WHERE is_whole = 1 ORDER BY sha256")
    }

    /// Calls `body` with the pieces of a file.
    private func forEachPiece(of hash: String, _ body: (Int, [UInt8]) throws -> Void) throws {
        guard let file = FileStream(reading: path(hash)) else { return }
        defer { try? file.close() }
        var number = 0
        while case let piece = try file.read(upToCount: GatewayTransfer.pieceSize), !piece.isEmpty {
            try body(number, Array(piece))
            number += 1
        }
        if number == 0 { try body(0, []) }
    }

    func copyFiles(_ source: Database, _ connection: PostgresConnection) throws {
        progress("files")
        for hash in try hashes(source) {
            try forEachPiece(of: hash) { number, bytes in
                try connection.run(
                    "INSERT INTO file_piece (sha256, \"user\", n, bytes) VALUES (?, '', ?, ?)",
                    [hash, number, DatabaseValue.blob(Data(bytes))])
            }
        }
        // Incomplete uploads begin anew.
        try connection.script("DELETE FROM upload WHERE is_whole = 0")
    }

    func compareFiles(_ source: Database, _ connection: PostgresConnection) throws -> TransferPart {
        progress("files")
        var (here, there) = (TransferSum(), TransferSum())
        for hash in try hashes(source) {
            try forEachPiece(of: hash) { number, bytes in
                here.add([hash, String(number), SHA256.hash(bytes).hexadecimal])
            }
        }
        let sql = "SELECT sha256, n::text, encode(sha256(bytes), 'hex') FROM file_piece WHERE \"user\" = ''"
        try GatewayTransfer.forEach(connection, sql) { there.add($0.all) }
        return TransferPart(name: "files", folder: here, database: there)
    }

    /// Calls `body` with the entities of a user's store in the folder, parents first.
    private func forEachEntity(of user: EntityID, _ body: ([ReplicaRecord], Store) throws -> Void) throws {
        let path = folder.storePath(of: user)
        guard FileManager.default.fileExists(atPath: path) else { return }
        let store = try Store(path: path, now: now)
        var cursor: String?
        while true {
            let page = try store.replicaPage(since: cursor, seen: nil)
            try body(page.records, store)
            if !page.hasMore { return try body(try store.keptRecords(), store) }
            cursor = page.cursor
        }
    }

    func copyEntities(_ users: [EntityID], _ connection: PostgresConnection) throws {
        progress("entities")
        let logs = GatewayFolder(folder.path, database: target).userLogs(connections: 1)
        for user in users {
            var end = LogPosition.start
            try forEachEntity(of: user) { records, store in
                guard !records.isEmpty else { return }
                if let logs { try store.keepBytes(of: records, in: UserLog(user, logs)) }
                if let bad = records.first(where: { $0.fields?.containsNUL == true }) {
                    throw HelixError(
                        .badInput,
                        "the \(bad.kind.name) \(bad.id.text) of a user contains the character U+0000, which PostgreSQL cannot store",
                        hint: "Change it: helix gateway as USER …")
                }
                let document = PostgresAdministration.logDocument(records.map(LogEntry.init(record:)))
                let text: String? = try connection.rows(
                    "SELECT append_log(?, ?, ?, ?, 'import')", [user.text, end.number, end.mark, document]
                ).first?[0]
                guard let next = text.flatMap({ LogPosition($0) }) else {
                    throw HelixError(.busy, "another gateway is writing to the database", hint: "Stop it first.")
                }
                end = next
            }
        }
    }

    func compareEntities(_ users: [EntityID], _ connection: PostgresConnection) throws -> TransferPart {
        progress("entities")
        var (here, there) = (TransferSum(), TransferSum())
        for user in users {
            try forEachEntity(of: user) { records, _ in
                for record in records {
                    let version = record.version ?? ""
                    here.add([user.text, record.kind.rawValue, record.id.text, version, version])
                }
            }
        }
        // The version that an entry says, and the one of its contents.
        let sql =
            "SELECT \"user\", kind, id, version, fields::text FROM user_log WHERE is_current AND fields IS NOT NULL"
        try GatewayTransfer.forEach(connection, sql) { row in
            let fields: String = row[4]
            let version = (try? JSONText(Array(fields.utf8))).map { ReplicaRecord.version($0) } ?? ""
            there.add([row[0], row[1], row[2], row[3], version.databaseValue])
        }
        return TransferPart(name: "entities", folder: here, database: there)
    }
}
