extension Schema {
    static let outbox = """
        -- What is to leave this machine, until it has left. The bytes lie in the folder of files, under their hash.
        CREATE TABLE outgoing (
            n INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            -- The identity of the account that it was written in.
            account TEXT NOT NULL,
            state TEXT NOT NULL,
            made_at INTEGER NOT NULL,
            -- Not before.
            leaves_at INTEGER NOT NULL,
            tries INTEGER NOT NULL DEFAULT 0,
            -- Why it did not leave.
            problem TEXT,
            message_id TEXT NOT NULL,
            sender TEXT NOT NULL,
            -- All whom it goes to, on lines.
            recipients TEXT NOT NULL,
            subject TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            size INTEGER NOT NULL
        );
        CREATE INDEX outgoing_hash ON outgoing(sha256);

        DROP VIEW IF EXISTS entity;
        """
}
