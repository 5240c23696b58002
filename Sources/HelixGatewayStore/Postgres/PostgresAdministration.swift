import HelixModel
import HelixPostgres
import HelixSQLite

/// The state of a gateway's database.
public struct DatabaseState: Sendable {
    /// The address, without a password.
    public var address: String
    /// The host and port of the server that accepts writes.
    public var host: String
    /// The version of the server.
    public var server: String
    /// Whether the connection is encrypted.
    public var isEncrypted: Bool
    /// The role that signed in.
    public var role: String
    /// The version of the tables; 0 without any.
    public var version: Int
    /// The version of the tables that this program needs.
    public var wantedVersion: Int
    /// Whether the functions are those of this program.
    public var hasPresentFunctions: Bool
    /// Whether a commit waits until it is on disk, and where: `on`, `remote_apply`, `off`.
    public var synchronousCommit: String
    /// The standby servers, with their states: `standby1: streaming, sync`.
    public var standbys: [String]
    /// The size of the database in bytes.
    public var bytes: Int64
    /// The number of rows of the tables of most interest, estimated for large ones.
    public var rows: [(table: String, count: Int64)]
}

/// The tasks of the owner of a gateway's database.
public enum PostgresAdministration {
    /// The role whose members are the gateways: they read and write rows, and change no tables.
    public static let gatewayRole = "helix_gateway"

    private static func connect(_ target: PostgresTarget) throws -> PostgresConnection {
        do { return try PostgresConnection(target, application: "helix") } catch let error as PostgresError {
            throw PostgresSession.problem(error, target)
        }
    }

    /// Runs work with a connection of its own.
    /// - Throws: ``HelixError``.
    public static func withConnection<Value>(
        _ target: PostgresTarget, _ body: (PostgresConnection) throws -> Value
    ) throws -> Value { try perform(target, body) }

    /// Entries of a log as the database takes them.
    public static func logDocument(_ entries: [LogEntry]) -> String { PostgresUserLogs.document(entries) }

    private static func perform<Value>(
        _ target: PostgresTarget, _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        let connection = try connect(target)
        do { return try body(connection) } catch let error as PostgresError {
            throw PostgresSession.problem(error, target)
        }
    }

    /// Makes the tables and functions of the database, or brings them up to date, and grants the gateways' role what it needs.
    /// - Parameter isRehearsal: whether nothing is changed.
    /// - Returns: the version before, the one now, and whether only the functions were not those of this program.
    /// - Throws: ``HelixError``.
    public static func migrate(
        _ target: PostgresTarget, isRehearsal: Bool
    ) throws -> (from: Int, to: Int, replacesFunctions: Bool) {
        try perform(target) { connection in
            let former =
                try isRehearsal ? PostgresSchema.state(connection) : PostgresSchema.migrate(connection)
            if !isRehearsal { try grant(connection) }
            let wanted = PostgresSchema.migrations.count
            if former.version > wanted { throw PostgresSchema.newer }
            return (former.version, wanted, former.version == wanted && !former.hasPresentFunctions)
        }
    }

    /// Checks that the tables are those of this program.
    /// - Throws: ``HelixError`` of code `configuration`; ``PostgresError``.
    public static func requirePresentSchema(_ connection: PostgresConnection) throws {
        let state = try PostgresSchema.state(connection)
        let wanted = PostgresSchema.migrations.count
        guard state.version != wanted || !state.hasPresentFunctions else { return }
        if state.version > wanted { throw PostgresSchema.newer }
        throw HelixError(
            .configuration,
            state.version == 0
                ? "the database has no tables of helix"
                : "the database has the tables of another version: \(state.version), not \(wanted)",
            hint: "Run: helix gateway database migrate")
    }

    /// Grants the rights of least need; the roles are made if the owner may make roles.
    private static func grant(_ connection: PostgresConnection) throws {
        let mayMakeRoles: Bool =
            try connection.rows("SELECT rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = current_user").first?[0]
            ?? false
        try connection.transaction {
            _ = try connection.rows("SELECT pg_advisory_xact_lock(hashtext('helix.roles'))")
            try connection.script(
                """
                REVOKE ALL ON SCHEMA helix FROM PUBLIC;
                REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA helix FROM PUBLIC;
                """)
            if try exists(gatewayRole, connection, makes: mayMakeRoles) {
                try connection.script(
                    """
                    GRANT USAGE ON SCHEMA helix TO \(gatewayRole);
                    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA helix TO \(gatewayRole);
                    REVOKE INSERT, UPDATE, DELETE ON helix.setting FROM \(gatewayRole);
                    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA helix TO \(gatewayRole);
                    """)
            }
            if try exists(AppSchema.role, connection, makes: mayMakeRoles) {
                try connection.script(AppSchema.grants)
                try connection.script(AppSchema.settings)
            }
        }
    }

    /// Whether there is a role, which is made if that is allowed.
    private static func exists(
        _ role: String, _ connection: PostgresConnection, makes: Bool
    ) throws -> Bool {
        func isThere() throws -> Bool {
            try connection.rows("SELECT 1 FROM pg_roles WHERE rolname = ?", [role]).first != nil
        }
        if try !isThere(), makes {
            // Roles belong to the server: the owner of another database may make it at the same time.
            try connection.script(
                """
                DO $$ BEGIN CREATE ROLE \(role) NOLOGIN;
                EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$
                """)
        }
        return try isThere()
    }

    /// The state of the database.
    /// - Throws: ``HelixError``.
    public static func state(_ target: PostgresTarget) throws -> DatabaseState {
        try perform(target) { connection in
            let schema = try PostgresSchema.state(connection)
            let facts = try connection.rows(
                "SELECT current_user, current_setting('synchronous_commit'), pg_database_size(current_database())"
            ).first
            let standbys = try connection.rows(
                "SELECT application_name, coalesce(state, 'unknown'), coalesce(sync_state, '') FROM pg_stat_replication"
            )
            let rows = schema.version == 0 ? [] : try counts(connection)
            return DatabaseState(
                address: target.shown, host: connection.host, server: connection.serverVersion,
                isEncrypted: connection.isEncrypted, role: facts?[0] ?? "", version: schema.version,
                wantedVersion: PostgresSchema.migrations.count, hasPresentFunctions: schema.hasPresentFunctions,
                synchronousCommit: facts?[1] ?? "",
                standbys: standbys.map { row in
                    [row[1] as String, row[2]].filter { !$0.isEmpty }.joined(separator: ", ")
                }.enumerated().map { place, state in "\(standbys[place][0] as String): \(state)" },
                bytes: facts?[2] ?? 0, rows: rows)
        }
    }

    /// The number of rows of the tables of most interest; of large ones as of the last analysis.
    private static func counts(_ connection: PostgresConnection) throws -> [(table: String, count: Int64)] {
        try ["user", "conversation", "message", "user_log"].map { table in
            let estimate: Int64 =
                try connection.rows(
                    """
                    SELECT sum(greatest(c.reltuples, 0))::int8 FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                    WHERE i.inhparent = to_regclass(?)
                    """, ["helix.\"\(table)\""]
                ).first?[0] ?? 0
            if estimate > exactRows { return (table: table, count: estimate) }
            let count: Int64 = try connection.rows("SELECT count(*) FROM helix.\"\(table)\"").first?[0] ?? 0
            return (table: table, count: count)
        }
    }

    /// The number of rows up to which they are counted one by one.
    private static let exactRows: Int64 = 50_000
}
