import FoundationEssentials
import HelixModel
import HelixPostgres
import HelixSQLite

/// The logs of users in PostgreSQL.
final class PostgresUserLogs: GatewayUserLogs {
    private let pool: PostgresPool

    /// The maximum size of a page in bytes, approximately.
    private static let pageBytes = 1 << 20
    /// The size of the pieces of a file.
    private static let pieceBytes = 256 << 10

    init(_ pool: PostgresPool) { self.pool = pool }

    func append(
        _ entries: [LogEntry], toLogOf user: EntityID, after position: LogPosition, device: String
    ) throws -> LogPosition? {
        guard !entries.isEmpty else { return position }
        let document = PostgresUserLogs.document(entries)
        return try pool.with { session in
            try session.perform { connection in
                let end: String? = try connection.rows(
                    "SELECT append_log(?, ?, ?, ?, ?)",
                    [user.text, position.number, position.mark, document, device]
                ).first?[0]
                return end.flatMap { LogPosition($0) }
            }
        }
    }

    /// Entries as the function `append_log` takes them.
    static func document(_ entries: [LogEntry]) -> String {
        var bytes: [UInt8] = []
        JSONText.array(
            entries.map { entry in
                [
                    .string(entry.kind.rawValue), .string(entry.id.text), .string(entry.version), entry.fields ?? .null,
                    entry.changedAt.map { .integer($0.seconds) } ?? .null,
                ]
            }
        ).write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    func replace(_ entry: LogEntry, base: String?, inLogOf user: EntityID) throws -> Bool {
        let document = try JSONText(Array(PostgresUserLogs.document([entry]).utf8)).elements?.first?.compact ?? "null"
        return try pool.with { session in
            try session.perform { connection in
                try connection.rows(
                    "SELECT replace_entity(?, ?, ?, '')", [user.text, base, document]
                ).first?[0] ?? false
            }
        }
    }

    func usersWhoAssign() throws -> [EntityID] {
        try read(
            """
            SELECT DISTINCT l."user" FROM user_log l JOIN "user" u ON u.id = l."user" AND u.is_disabled = 0
            WHERE l.is_current AND l.kind IN ('task', 'project') AND l.fields->>'assignee' <> 'me'
            """, []
        ).map { EntityID(stored: $0[0]) }
    }

    func keep(_ bytes: [UInt8], sha256: String, of user: EntityID) throws {
        try pool.with { session in
            for (number, start) in stride(from: 0, to: max(1, bytes.count), by: Self.pieceBytes).enumerated() {
                let piece = Data(bytes[start..<min(start + Self.pieceBytes, bytes.count)])
                _ = try session.perform(repeats: true) { connection in
                    try connection.rows(
                        "INSERT INTO kept_file (\"user\", sha256, n, bytes) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                        [user.text, sha256, number, DatabaseValue.blob(piece)])
                }
            }
        }
    }

    func bytes(ofFile sha256: String, of user: EntityID) throws -> [UInt8]? {
        let pieces = try read(
            "SELECT bytes FROM kept_file WHERE \"user\" = ? AND sha256 = ? ORDER BY n", [user.text, sha256])
        if pieces.isEmpty { return nil }
        return pieces.flatMap { row -> [UInt8] in
            if case .blob(let data) = row[0] as DatabaseValue { Array(data) } else { [] }
        }
    }

    func end(ofLogOf user: EntityID) throws -> LogPosition {
        try read("SELECT seq, mark FROM user_head WHERE \"user\" = ?", [user.text]).first.map {
            LogPosition(number: $0[0], mark: $0[1])
        } ?? .start
    }

    func contains(_ position: LogPosition, inLogOf user: EntityID) throws -> Bool {
        if position == .start { return true }
        return try read(
            "SELECT 1 FROM user_log WHERE \"user\" = ?1 AND seq = ?2 AND log_mark(seq, id, version) = ?3",
            [user.text, position.number, position.mark]
        ).first != nil
    }

    func wasDeleted(_ id: EntityID, inLogOf user: EntityID) throws -> Bool {
        try read(
            "SELECT 1 FROM user_log WHERE \"user\" = ?1 AND id = ?2 AND is_current AND fields IS NULL",
            [user.text, id.text]
        ).first != nil
    }

    func page(ofLogOf user: EntityID, after number: Int64, skipsDeleted: Int64?, limit: Int) throws -> LogPage {
        let rows = try read(
            """
            SELECT seq, kind, id, version, CAST(fields AS text), changed_at, log_mark(seq, id, version) FROM user_log
            WHERE "user" = ?1 AND seq > ?2 AND is_current AND (fields IS NOT NULL OR seq > ?3) ORDER BY seq LIMIT ?4
            """, [user.text, number, skipsDeleted ?? 0, limit + 1])
        var (entries, position, bytes) = ([LogEntry](), LogPosition(number: number, mark: ""), 0)
        for row in rows.prefix(limit) {
            let fields: String? = row[4]
            if bytes > Self.pageBytes { break }
            bytes += 64 + (fields?.utf8.count ?? 0)
            guard let kind = EntityKind(rawValue: row[1]) else {
                throw HelixError(.configuration, "the database was written by a newer helix", hint: "Update helix.")
            }
            let json = try fields.map { try JSONText(Array($0.utf8)) }
            entries.append(
                LogEntry(
                    kind: kind, id: EntityID(stored: row[2]), version: row[3],
                    fields: json.map { .object(($0.fields ?? []).sorted { $0.name < $1.name }) },
                    changedAt: (row[5] as Int64?).map { Instant($0) }))
            position = LogPosition(number: row[0], mark: row[6])
        }
        let total =
            number == 0 && skipsDeleted != nil
            ? try read(
                """
                SELECT count(*) FROM user_log
                WHERE "user" = ? AND is_current AND fields IS NOT NULL AND kind NOT IN ('account', 'outgoing')
                """, [user.text]
            ).first?[0] as Int? : nil
        return LogPage(entries: entries, position: position, hasMore: entries.count < rows.count, total: total)
    }

    private func read(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
        try pool.with { session in try session.perform(repeats: true) { try $0.rows(sql, arguments) } }
    }
}
