import HelixModel
import HelixPostgres
import HelixSQLite

/// The connection of a gateway's store to PostgreSQL, which is made when it is first needed, and again after it was lost.
///
/// After a failover libpq finds the host that accepts writes; until then every request fails at once, and says when to try
/// again.
final class PostgresSession: GatewayDatabase {
    private let target: PostgresTarget
    private let settings: [String: String]
    private var present: PostgresConnection?
    private var isRehearsal = false
    /// The time until which no further attempt is made, after one that failed.
    private var pauseEnd: ContinuousClock.Instant?

    private(set) var changedRows = 0

    /// The pause between attempts to connect.
    private static let pause = Duration.milliseconds(300)
    /// The number of attempts of a transaction that others were faster than.
    private static let attempts = 5

    /// The settings of every session. A transaction that takes longer is rolled back: cursors wait for the oldest one. All
    /// statements look up few rows by index: other joins would read whole tables, and all of their partitions. A plan is made
    /// once: PostgreSQL takes one for all users for dearer than it is, since it counts partitions that are left out later, and
    /// would make a new one for each message, which is a third of the work.
    static let settings = [
        "search_path": "helix", "statement_timeout": "10s", "lock_timeout": "5s",
        "idle_in_transaction_session_timeout": "15s", "timezone": "UTC", "jit": "off",
        "enable_hashjoin": "off", "enable_mergejoin": "off", "enable_material": "off",
        "plan_cache_mode": "force_generic_plan",
    ]

    /// The time limit of a statement with its commit, in milliseconds: longer than the server's own, which ends no commit.
    static let patience = 20_000

    /// - Parameter settings: the session's settings.
    init(_ target: PostgresTarget, settings: [String: String] = PostgresSession.settings) {
        (self.target, self.settings) = (target, settings)
    }

    /// The connection.
    /// - Throws: ``PostgresError``.
    func connection() throws -> PostgresConnection {
        if let present, present.isOpen { return present }
        present = nil
        if let pauseEnd, pauseEnd > .now {
            throw PostgresError(state: "", message: "there is no connection at present")
        }
        do {
            let made = try PostgresConnection(
                target, application: "helix-gateway", settings: settings, patience: Self.patience)
            // A former standby may lack the last changes of the former primary, which clients have seen.
            if try made.rows("SELECT to_regproc('helix.note_timeline') IS NOT NULL").first?[0] ?? false {
                _ = try made.rows("SELECT note_timeline()")
            }
            (present, pauseEnd) = (made, nil)
            return made
        } catch {
            pauseEnd = .now + PostgresSession.pause
            throw error
        }
    }

    /// Runs work that is one statement, or a transaction of its own.
    /// - Parameter repeats: whether it may run again if the connection is lost, because it only reads.
    /// - Throws: ``HelixError``.
    func perform<Value>(repeats: Bool = false, _ body: (PostgresConnection) throws -> Value) throws -> Value {
        var attempt = 1
        while true {
            let wasOpen = present?.isOpen == true
            do { return try inRehearsal(try connection(), body) } catch let error as PostgresError {
                if error.endsConnection { present = nil }
                // A connection that was lost while nobody used it is found only now.
                let isLost = error.endsConnection && repeats && wasOpen && attempt == 1
                guard isLost || error.isConcurrency && attempt < PostgresSession.attempts, !isRehearsal else {
                    throw PostgresSession.problem(error, target)
                }
                attempt += 1
            }
        }
    }

    /// Runs a read transaction: all statements see the same state.
    /// - Throws: ``HelixError``.
    func read<Value>(_ body: () throws -> Value) throws -> Value {
        try perform(repeats: true) { connection in
            if isRehearsal { return try body() }
            return try connection.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", body: body)
        }
    }

    /// Runs a write transaction, again if another one was faster.
    /// - Throws: ``HelixError``.
    func write<Value>(_ body: () throws -> Value) throws -> Value {
        try perform { connection in
            if isRehearsal { return try body() }
            return try connection.transaction(body: body)
        }
    }

    func fetchRows(sql: String, arguments: StatementArguments) throws -> [Row] {
        try connection().rows(sql, arguments)
    }

    func execute(sql: String, arguments: StatementArguments) throws {
        changedRows = try connection().run(sql, arguments)
    }

    /// Starts a dry run: one transaction around all that follows, which is never committed.
    /// - Throws: ``HelixError``.
    func rehearse() throws {
        try perform { try $0.script("BEGIN") }
        isRehearsal = true
    }

    private func inRehearsal<Value>(
        _ connection: PostgresConnection, _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        guard isRehearsal else { return try body(connection) }
        try connection.script("SAVEPOINT step")
        do {
            let value = try body(connection)
            try connection.script("RELEASE step")
            return value
        } catch {
            // The first error is the one to tell.
            try? connection.script("ROLLBACK TO step; RELEASE step")
            throw error
        }
    }

    /// The error as helix reports it. Those of the schema's functions have codes of their own.
    static func problem(_ error: PostgresError, _ target: PostgresTarget) -> HelixError {
        let codes: [String: HelixError.Code] = [
            "HX400": .usage, "HX403": .notAllowed, "HX404": .notFound, "HX409": .conflict,
        ]
        if let code = codes[error.state] { return HelixError(code, error.message, hint: error.hint) }
        let first = error.message.split(separator: "\n").first.map(String.init) ?? ""
        if error.state == "28P01" || error.state == "28000" {
            return HelixError(
                .authentication, "the database \(target.shown) refuses the sign-in: \(first)", hint: error.hint)
        }
        if error.isConcurrency { return HelixError(.busy, "the gateway's database is busy: \(first)") }
        if error.endsConnection || error.isOverload || error.isTimeout {
            return HelixError(
                .offline, "the gateway's database is not available: \(first)",
                hint: error.hint ?? "Check \(target.shown), and try again.")
        }
        if ["22P02", "22P05", "22021", "22023"].contains(error.state) {
            return HelixError(.badInput, "the database cannot store that: \(first)")
        }
        if error.state == "3D000" {
            return HelixError(
                .configuration, "there is no database \(target.shown)",
                hint: "Make it, and its tables: createdb; helix gateway database migrate")
        }
        if ["3F000", "42P01", "42883"].contains(error.state) {
            return HelixError(
                .configuration, "the database \(target.shown) is not prepared: \(first)",
                hint: "Run: helix gateway database migrate --database '\(target.shown)'")
        }
        if error.state == "42501" {
            return HelixError(
                .notAllowed, "the role may not do that in the database: \(first)",
                hint: "docs/gateway.md, \"Roles of the database\", lists what each role may do.")
        }
        return HelixError(.io, "the gateway's database failed: \(first)", hint: error.hint)
    }
}
