extension Schema {
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
