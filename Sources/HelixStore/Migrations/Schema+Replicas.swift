extension Schema {
    /// Migration for gateways that lose data, and for the times at which devices made changes.
    static let lastSeenCursors = """
        -- The last place in the gateway's journal that was seen: a gateway that does not know it has lost something.
        ALTER TABLE replica_cursor ADD COLUMN seen TEXT;
        -- When a device changed what came from it, where that was before it came.
        CREATE TABLE replica_time (entity TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
        """

    /// These times are expendable: a change without one has the time at which it was received.
    static let changeTimes = """
        DROP TABLE replica_time;
        -- When a device changed what came from it, and with which change set it came here; a later one has its own time.
        CREATE TABLE replica_time (
            entity TEXT PRIMARY KEY,
            change_set INTEGER NOT NULL,
            at INTEGER NOT NULL
        ) WITHOUT ROWID;
        """

    /// An entity that the gateway lacks although it had it has an empty base: it is sent again.
    static let unsentReplicas = "CREATE INDEX replica_unsent ON replica(account) WHERE base = '';"

    /// The conflicts that the user must resolve, and those whose results are to be sent.
    static let replicaConflicts = """
        CREATE TABLE replica_conflict (
            account INTEGER NOT NULL REFERENCES account(n) ON DELETE CASCADE,
            entity TEXT NOT NULL,
            kind TEXT NOT NULL,
            -- The gateway's fields, as a JSON object.
            theirs TEXT NOT NULL,
            changed_at INTEGER,
            found_at INTEGER NOT NULL,
            is_resolved INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (account, entity)
        ) WITHOUT ROWID;
        """

    static let replicas = """
        -- What a gateway and this store last agreed on, entity by entity: all its columns, as a JSON object.
        CREATE TABLE replica (
            account INTEGER NOT NULL REFERENCES account(n) ON DELETE CASCADE,
            entity TEXT NOT NULL,
            kind TEXT NOT NULL,
            base TEXT NOT NULL,
            PRIMARY KEY (account, entity)
        ) WITHOUT ROWID;
        -- Up to where the gateway's changes were seen here, and the changes of this store were seen there.
        CREATE TABLE replica_cursor (
            account INTEGER PRIMARY KEY REFERENCES account(n) ON DELETE CASCADE,
            theirs TEXT,
            ours INTEGER
        );
        """
}
