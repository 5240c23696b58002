import HelixModel
import HelixSQLite

/// The tables of a gateway.
enum GatewaySchema {
    static let version = 1

    static func prepare(_ database: Database) throws {
        func number() throws -> Int { try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0 }
        let found = try number()
        if found == version { return }
        guard found < version else {
            throw HelixError(
                .configuration, "the gateway's store was made by a newer helix",
                hint: "Update helix. Nothing was changed.")
        }
        try database.execute(sql: "PRAGMA journal_mode = WAL")
        for (index, sql) in migrations.enumerated() {
            try database.transaction(.immediate) {
                guard try number() == index else { return }
                try database.execute(sql: sql)
                try database.execute(sql: "PRAGMA user_version = \(index + 1)")
            }
        }
    }

    /// What makes each version of the one before it. One that was released is never changed again.
    private static let migrations = [people]

    private static let people = """
        CREATE TABLE user (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL UNIQUE COLLATE NOCASE,
            -- Argon2id, salt and parameters in it.
            password TEXT NOT NULL,
            is_admin INTEGER NOT NULL DEFAULT 0,
            is_disabled INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL
        ) WITHOUT ROWID;

        -- A device that a user lets in. `id` follows from the key.
        CREATE TABLE device (
            user TEXT NOT NULL REFERENCES user(id),
            id TEXT NOT NULL,
            public_key TEXT NOT NULL,
            name TEXT NOT NULL,
            platform TEXT NOT NULL,
            -- Between blanks.
            scopes TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            seen_at INTEGER NOT NULL,
            PRIMARY KEY (user, id)
        ) WITHOUT ROWID;

        -- A device that asks to be let in, or for more than it may do.
        CREATE TABLE pairing (
            id TEXT PRIMARY KEY,
            user TEXT NOT NULL REFERENCES user(id),
            device TEXT NOT NULL,
            public_key TEXT NOT NULL,
            name TEXT NOT NULL,
            platform TEXT NOT NULL,
            scopes TEXT NOT NULL,
            remote TEXT NOT NULL,
            made_at INTEGER NOT NULL,
            UNIQUE (user, device)
        ) WITHOUT ROWID;

        -- What lets a device in without the password. The token itself is kept by the device alone.
        CREATE TABLE session (
            token TEXT PRIMARY KEY,
            user TEXT NOT NULL,
            device TEXT NOT NULL,
            made_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            FOREIGN KEY (user, device) REFERENCES device(user, id) ON DELETE CASCADE
        ) WITHOUT ROWID;
        CREATE INDEX session_device ON session(user, device);

        CREATE TABLE audit (
            n INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            user TEXT,
            device TEXT,
            remote TEXT,
            action TEXT NOT NULL,
            detail TEXT NOT NULL DEFAULT ''
        );
        """
}
