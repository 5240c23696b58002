import CPostgres
import FoundationEssentials
import HelixSQLite

/// A connection to a PostgreSQL database, for one thread at a time: prepared statements, typed values and transactions. Rows
/// and values are those of HelixSQLite, so that the same code can read both databases.
///
/// Parameters are written as in SQLite: `?` in order, or `?1`, `?2` by number.
public final class PostgresConnection {
    private let connection: OpaquePointer
    private var statements: [String: String] = [:]
    private let patience: Int32

    /// The oldest usable version: 150000 is 15.
    public static let oldestVersion = 150_000
    /// The limit of prepared statements.
    private static let mostStatements = 512

    /// - Parameters:
    ///   - application: the name that the server lists.
    ///   - settings: the session's settings, such as `statement_timeout`.
    ///   - patience: the milliseconds after which a statement without an answer ends the connection; -1 for no limit. A commit
    ///     that waits for a lost standby has no limit at the server.
    /// - Throws: ``PostgresError``, and the errors of the password's source.
    public init(_ target: PostgresTarget, application: String, settings: [String: String] = [:], patience: Int = -1)
        throws
    {
        guard helix_pg_load() == 1 else {
            throw PostgresError(
                state: "", message: "PostgreSQL's library libpq.so.5 is not installed",
                hint: "Install it: apt-get install libpq5")
        }
        let parameters = try target.parameters(application)
        guard var made = PostgresConnection.connect(parameters) else {
            throw PostgresError(state: "", message: "out of memory")
        }
        // libpq gives up at a host that accepts the connection and closes it, as a proxy does whose server is gone.
        for (host, port) in target.severalHosts where helix_pg_is_open(made) != 1 && helix_pg_needs_password(made) != 1
        {
            let one = [("host", host), ("port", port)].filter { !$0.1.isEmpty }.map { (name: $0.0, value: $0.1) }
            guard let next = PostgresConnection.connect(parameters + one) else { break }
            helix_pg_close(made)
            made = next
        }
        guard helix_pg_is_open(made) == 1 else {
            defer { helix_pg_close(made) }
            let text = String(cString: helix_pg_error(made))
            throw PostgresError(
                state: helix_pg_needs_password(made) == 1 ? "28P01" : PostgresConnection.state(ofRefusal: text),
                message: text.trimmed)
        }
        (connection, self.patience) = (made, Int32(clamping: patience))
        let version = helix_pg_parameter(made, "server_version").map { String(cString: $0) } ?? "0"
        let major = Int(version.prefix { $0.isNumber }) ?? 0
        guard major * 10_000 >= PostgresConnection.oldestVersion else {
            throw PostgresError(
                state: "0A000", message: "the server has PostgreSQL \(version)",
                hint: "helix needs version 15 or newer.")
        }
        for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
            _ = try rows("SELECT set_config(?1, ?2, false)", [name, value])
        }
    }

    private static func connect(_ parameters: [(name: String, value: String)]) -> OpaquePointer? {
        withTexts(parameters.map(\.name)) { names in
            withTexts(parameters.map(\.value)) { values in helix_pg_connect(names, values) }
        }
    }

    /// The SQLSTATE of a refused connection, which libpq does not tell: by the message of the server, if it is in English.
    private static func state(ofRefusal text: String) -> String {
        let signs = [
            ("database \"", "does not exist", "3D000"), ("role \"", "does not exist", "28000"),
            ("password authentication failed", "", "28P01"), ("no pg_hba.conf entry", "", "28000"),
        ]
        return signs.first { text.contains($0.0) && text.contains($0.1) }?.2 ?? ""
    }

    deinit { helix_pg_close(connection) }

    /// Whether the connection is usable, as far as is known.
    public var isOpen: Bool { helix_pg_is_open(connection) == 1 }
    /// Whether the stream is encrypted.
    public var isEncrypted: Bool { helix_pg_is_encrypted(connection) == 1 }
    /// The version of the server: `15.18 (Debian …)`.
    public var serverVersion: String {
        helix_pg_parameter(connection, "server_version").map { String(cString: $0) } ?? ""
    }
    /// The host and port: `db1.example.org:5432`.
    public var host: String {
        let (host, port) = (helix_pg_host(connection), helix_pg_port(connection))
        return [host, port].compactMap { $0.map { String(cString: $0) } }.joined(separator: ":")
    }

    /// Runs a statement and reads all rows.
    /// - Throws: ``PostgresError``.
    public func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
        try execute(sql, arguments) { result in
            let columns = helix_pg_columns(result)
            let names = (0..<columns).map { helix_pg_column(result, $0).map { String(cString: $0) } ?? "" }
            let types = (0..<columns).map { helix_pg_type(result, $0) }
            return try (0..<helix_pg_rows(result)).map { row in
                Row(
                    names: names,
                    values: try (0..<columns).map { try PostgresConnection.value(result, row, $0, types[Int($0)]) })
            }
        }
    }

    /// Runs a statement.
    /// - Returns: the number of rows that it changed.
    /// - Throws: ``PostgresError``.
    @discardableResult
    public func run(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try execute(sql, arguments) { Int(helix_pg_changed($0)) }
    }

    /// Calls `body` with the bytes of the only value of a statement: a document of JSON, for example. Nil for null or no row.
    /// - Throws: ``PostgresError``, and the errors of `body`.
    public func withBytes<Value>(
        _ sql: String, _ arguments: StatementArguments, _ body: (UnsafeBufferPointer<UInt8>) throws -> Value
    ) throws -> Value? {
        try execute(sql, arguments) { result in
            guard helix_pg_rows(result) > 0, helix_pg_is_null(result, 0, 0) == 0,
                let bytes = helix_pg_value(result, 0, 0)
            else { return nil }
            let count = Int(helix_pg_length(result, 0, 0))
            return try bytes.withMemoryRebound(to: UInt8.self, capacity: count) {
                try body(UnsafeBufferPointer(start: $0, count: count))
            }
        }
    }

    /// Runs statements without parameters, one after the other.
    /// - Throws: ``PostgresError``.
    public func script(_ sql: String) throws { try finish(helix_pg_run(connection, sql, patience)) { _ in } }

    /// Runs `body` in a transaction, which is committed, or rolled back if `body` throws.
    /// - Throws: ``PostgresError``, and the errors of `body`.
    public func transaction<Value>(_ kind: String = "BEGIN", body: () throws -> Value) throws -> Value {
        try script(kind)
        do {
            let value = try body()
            try script("COMMIT")
            return value
        } catch {
            // A lost connection has rolled it back already.
            if isOpen { try? script("ROLLBACK") }
            throw error
        }
    }

    private func execute<Value>(
        _ sql: String, _ arguments: StatementArguments, _ body: (OpaquePointer) throws -> Value
    ) throws -> Value {
        let name = try prepared(sql)
        let values = arguments.values.map(PostgresConnection.bytes)
        let lengths = values.map { Int32($0.map { $0.bytes.count - 1 } ?? 0) }
        let formats = values.map { Int32($0?.isBinary == true ? 1 : 0) }
        let result = PostgresConnection.withBytes(values.map { $0?.bytes }) { pointers in
            helix_pg_execute(connection, name, Int32(values.count), pointers, lengths, formats, patience)
        }
        return try finish(result, body)
    }

    private func prepared(_ sql: String) throws -> String {
        if let known = statements[sql] { return known }
        if statements.count >= PostgresConnection.mostStatements {
            try script("DEALLOCATE ALL")
            statements = [:]
        }
        let name = "s\(statements.count)"
        try finish(helix_pg_prepare(connection, name, PostgresConnection.numbered(sql), patience)) { _ in }
        statements[sql] = name
        return name
    }

    private func finish<Value>(_ result: OpaquePointer?, _ body: (OpaquePointer) throws -> Value) throws -> Value {
        guard let result else { throw lost() }
        defer { helix_pg_clear(result) }
        if helix_pg_succeeded(result) == 1 { return try body(result) }
        guard let state = helix_pg_state(result) else { throw lost(helix_pg_message(result)) }
        throw PostgresError(
            state: String(cString: state),
            message: helix_pg_message(result).map { String(cString: $0).trimmed } ?? "no message",
            hint: helix_pg_hint(result).map { String(cString: $0) })
    }

    private func lost(_ message: UnsafePointer<CChar>? = nil) -> PostgresError {
        let text = (message ?? helix_pg_error(connection)).map { String(cString: $0).trimmed } ?? ""
        return PostgresError(state: "", message: text.isEmpty ? "the connection was lost" : text)
    }

    // MARK: Notifications

    /// A notification of another session.
    public struct Notification: Sendable {
        /// The channel.
        public let channel: String
        /// The payload.
        public let payload: String
    }

    /// The outcome of a wait for notifications.
    public enum Arrival: Sendable {
        case notifications([Notification])
        /// Nothing arrived in time.
        case none
        /// The descriptor to wake up can be read.
        case woken
    }

    /// Waits for notifications of channels to which the session listens.
    /// - Parameters:
    ///   - wake: a descriptor that ends the wait when it can be read; -1 for none.
    ///   - milliseconds: the longest wait.
    /// - Throws: ``PostgresError`` if the connection is lost.
    public func wait(wake: Int32 = -1, milliseconds: Int32) throws -> Arrival {
        var found = pendingNotifications()
        if !found.isEmpty { return .notifications(found) }
        switch helix_pg_wait(connection, wake, milliseconds) {
        case 1:
            found = pendingNotifications()
            return found.isEmpty ? .none : .notifications(found)
        case 2: return .woken
        case 0: return .none
        default: throw lost()
        }
    }

    private func pendingNotifications() -> [Notification] {
        // A payload has at most 8000 bytes (https://www.postgresql.org/docs/15/sql-notify.html).
        let room = 8192
        var found: [Notification] = []
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: room * 2) { buffer in
            guard let channel = buffer.baseAddress else { return }
            let payload = channel + room
            while helix_pg_notification(connection, channel, payload, room) == 1 {
                found.append(Notification(channel: String(cString: channel), payload: String(cString: payload)))
            }
        }
        return found
    }
}
