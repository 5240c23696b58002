import HelixCrypto
import HelixModel
import HelixPostgres

/// The schema `helix` of a gateway's database: tables that are partitioned by user or by conversation, and the functions that
/// hold the rules of conversations, so that a request takes one round trip.
enum PostgresSchema {
    /// The number of partitions of each table. It may differ between databases, and is fixed when one is made.
    static let partitions = 8

    /// The migrations to each version from the previous one. A released one is never changed again.
    static let migrations = [accounts, chat, logs, AppSchema.tables, keeping, tracing]

    /// The functions, which are replaced as a whole.
    static let functions = [
        helperFunctions, conversationFunctions, memberFunctions, messageFunctions, changeFunctions, pageFunctions,
        invitationFunctions, logFunctions, keepingFunctions, eventFunctions,
        AppSchema.functions,
    ].joined(separator: "\n")

    /// A mark of the present functions.
    static var functionsMark: String { SHA256.hash(Array(functions.utf8)).prefix(8).hexadecimal }

    /// The state of a database.
    struct State: Equatable {
        /// The version of the tables; 0 without any.
        var version: Int
        /// Whether the functions are those of this program.
        var hasPresentFunctions: Bool
    }

    /// The state of the database.
    /// - Throws: ``PostgresError``.
    static func state(_ connection: PostgresConnection) throws -> State {
        let hasTables = try connection.rows("SELECT to_regclass('helix.setting') IS NOT NULL").first?[0] ?? false
        guard hasTables else { return State(version: 0, hasPresentFunctions: false) }
        var values: [String: String] = [:]
        for row in try connection.rows("SELECT name, value FROM helix.setting WHERE name IN ('version', 'functions')") {
            values[row[0]] = row[1]
        }
        let version = values["version"].map { Int($0) ?? -1 } ?? 0
        guard version >= 0 else {
            throw HelixError(
                .configuration, "the database's setting 'version' is '\(values["version"] ?? "")', which is no version",
                hint: "Restore the database from a backup.")
        }
        return State(
            version: version,
            hasPresentFunctions: values["functions"] == functionsMark)
    }

    /// The error for a database that this program does not know.
    static let newer = HelixError(
        .configuration, "the database was made by a newer helix", hint: "Update helix. Nothing was changed.")

    /// Makes the tables and functions, or brings them up to date, in one transaction. Gateways may go on serving.
    /// - Returns: the state before.
    /// - Throws: ``PostgresError``; ``HelixError`` of code `configuration` for a database of a newer helix.
    @discardableResult
    static func migrate(_ connection: PostgresConnection) throws -> State {
        try connection.transaction {
            // One at a time: two gateways may start at the same moment.
            _ = try connection.rows("SELECT pg_advisory_xact_lock(hashtext('helix.migrate'))")
            let found = try state(connection)
            guard found.version <= migrations.count else { throw newer }
            if found.version == migrations.count, found.hasPresentFunctions { return found }
            try connection.script("CREATE SCHEMA IF NOT EXISTS helix; SET LOCAL search_path = helix")
            for sql in migrations[found.version...] { try connection.script(sql) }
            try connection.script(partitioning)
            // Functions name each other, in any order.
            try connection.script("SET LOCAL check_function_bodies = off")
            try connection.script(functions)
            for (name, value) in [("version", String(migrations.count)), ("functions", functionsMark)] {
                try connection.run(
                    """
                    INSERT INTO setting (name, value) VALUES (?1, ?2)
                    ON CONFLICT (name) DO UPDATE SET value = excluded.value
                    """, [name, value])
            }
            return found
        }
    }

    /// Makes the missing partitions of each partitioned table, with room in their pages for rows that are updated.
    private static let partitioning = """
        DO $$
        DECLARE
            parent regclass;
            partition text;
        BEGIN
            FOR parent IN SELECT p.partrelid::regclass FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid
                WHERE c.relnamespace = 'helix'::regnamespace ORDER BY c.relname
            LOOP
                FOR n IN 0..\(partitions - 1) LOOP
                    partition := format('%s_%s', (SELECT relname FROM pg_class WHERE oid = parent), n);
                    IF to_regclass(format('helix.%I', partition)) IS NULL THEN
                        EXECUTE format('CREATE TABLE helix.%I PARTITION OF %s FOR VALUES WITH (MODULUS %s, REMAINDER %s)',
                            partition, parent, \(partitions), n);
                        EXECUTE format('ALTER TABLE helix.%I SET (fillfactor = %s)', partition,
                            CASE WHEN parent IN ('conversation'::regclass, 'member'::regclass) THEN 80 ELSE 95 END);
                    END IF;
                END LOOP;
            END LOOP;
        END $$;
        """
}
