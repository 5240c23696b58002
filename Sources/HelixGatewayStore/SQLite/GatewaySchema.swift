import HelixModel
import HelixSQLite

/// The schema of a gateway's store.
enum GatewaySchema {
    static var version: Int { migrations.count }

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
                if sql == userKeys { try fillUserKeys(database) }
                try database.execute(sql: "PRAGMA user_version = \(index + 1)")
            }
        }
    }

    /// The migrations to each version from the previous one. A released one is never changed again.
    private static let migrations = [
        people, chat, places, ownership, glossaryNames, messageDetails, profiles, reactions,
        pushTargets, sessionKeys, shares, userKeys, failures,
    ]

    /// The failed sign-ins by address, network and name.
    private static let failures = """
        CREATE TABLE signin_failure (key TEXT PRIMARY KEY, count INTEGER NOT NULL, last INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX signin_failure_last ON signin_failure(last);
        """

    /// The keys by which users are found, and the copies of shares by their members; the tables of accounts are those of
    /// PostgreSQL.
    private static let userKeys = """
        CREATE TABLE user_key (
            -- name, email or shape.
            kind TEXT NOT NULL,
            key TEXT NOT NULL,
            -- An address is taken before its user is stored.
            user TEXT NOT NULL,
            PRIMARY KEY (kind, key)
        ) WITHOUT ROWID;
        CREATE INDEX user_key_user ON user_key(user);
        DROP INDEX share_copy;
        CREATE TABLE share_copy (
            member TEXT NOT NULL,
            copy TEXT NOT NULL,
            owner TEXT NOT NULL,
            entity TEXT NOT NULL,
            PRIMARY KEY (member, copy)
        ) WITHOUT ROWID;
        INSERT INTO share_copy SELECT member, copy, owner, entity FROM share;
        CREATE VIEW user_conversation AS SELECT user, conversation FROM member;
        """

    private static func fillUserKeys(_ database: Database) throws {
        let rows = try Row.fetchAll(database, sql: "SELECT id, name, email, display_name FROM user")
        for row in rows {
            let (id, name, email, display): (String, String, String, String) = try (
                row["id"], row["name"], row["email"], row["display_name"]
            )
            var keys = [(UserKey.name, UserName.key(name)), (.shape, UserName.shape(name))]
            if !email.isEmpty { keys.append((.email, email)) }
            if !display.isEmpty { keys.append((.shape, UserName.shape(display))) }
            for (kind, key) in keys {
                try database.execute(
                    sql: "INSERT OR IGNORE INTO user_key (kind, key, user) VALUES (?, ?, ?)",
                    arguments: [kind.rawValue, key, id])
            }
        }
    }

    private static let ownership = """
        -- What identities that follow from something are made with, so that nobody else can work them out.
        CREATE TABLE secret (value BLOB NOT NULL);
        INSERT INTO secret (value) VALUES (randomblob(32));
        -- The conversation with the assistant that each user has without beginning it.
        CREATE TABLE main_room (
            user TEXT PRIMARY KEY REFERENCES user(id),
            conversation TEXT NOT NULL UNIQUE REFERENCES conversation(id)
        ) WITHOUT ROWID;
        -- Grows when all who have signed in as this user are to be out; but for one device, which made it grow.
        ALTER TABLE user ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE user ADD COLUMN kept_device TEXT;
        ALTER TABLE user ADD COLUMN kept_since INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX conversation_creator ON conversation(created_by, created_at);
        """

    /// Names as the glossary of docs/architecture.md has them.
    private static let glossaryNames = """
        ALTER TABLE main_room RENAME TO main_conversation;
        ALTER TABLE chat_tick RENAME COLUMN chance TO nonce;
        """

    /// The data of messages and conversations that the family's apps know beside texts and names.
    private static let messageDetails = """
        -- A JSON object of texts; the device that sent it; what the assistant thought; when the gateway stored it.
        ALTER TABLE message ADD COLUMN metadata TEXT;
        ALTER TABLE message ADD COLUMN platform TEXT;
        ALTER TABLE message ADD COLUMN device TEXT;
        ALTER TABLE message ADD COLUMN thinking TEXT;
        ALTER TABLE message ADD COLUMN stored_at INTEGER;
        ALTER TABLE conversation ADD COLUMN description TEXT NOT NULL DEFAULT '';
        """

    /// Reactions, pinned messages, and messages that owners and admins removed.
    private static let reactions = """
        CREATE TABLE reaction (
            message TEXT NOT NULL,
            user TEXT NOT NULL REFERENCES user(id),
            emoji TEXT NOT NULL,
            made_at INTEGER NOT NULL,
            PRIMARY KEY (message, user, emoji)
        ) WITHOUT ROWID;
        ALTER TABLE message ADD COLUMN pinned_at INTEGER;
        ALTER TABLE message ADD COLUMN removed_by TEXT;
        """

    /// The tasks and projects that users share with those they are assigned to.
    private static let shares = """
        CREATE TABLE share (
            owner TEXT NOT NULL REFERENCES user(id),
            entity TEXT NOT NULL,
            kind TEXT NOT NULL,
            member TEXT NOT NULL REFERENCES user(id),
            -- The entity in the member's store.
            copy TEXT NOT NULL,
            -- The fields on which both agreed last, as a JSON object; null if the member does not want it.
            base TEXT,
            PRIMARY KEY (owner, entity)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX share_copy ON share(member, copy);
        -- The last change set of each user's journal whose assignments were shared.
        CREATE TABLE share_cursor (user TEXT PRIMARY KEY REFERENCES user(id), n INTEGER NOT NULL) WITHOUT ROWID;
        """

    /// The keys that clients of the family chose for conversations.
    private static let sessionKeys = "ALTER TABLE conversation ADD COLUMN session_key TEXT;"

    /// The places that are notified while devices are away.
    private static let pushTargets = """
        CREATE TABLE push_target (
            id TEXT PRIMARY KEY,
            user TEXT NOT NULL,
            -- The device that registered it.
            device TEXT NOT NULL,
            kind TEXT NOT NULL,
            -- A token or a URL.
            address TEXT NOT NULL,
            -- While that device is away, while all of the user's are, or always.
            condition TEXT NOT NULL,
            topic TEXT,
            is_sandbox INTEGER NOT NULL DEFAULT 0,
            key TEXT,
            authentication TEXT,
            secret TEXT,
            created_at INTEGER NOT NULL,
            -- Failures in a row, and the reason for the last one.
            failures INTEGER NOT NULL DEFAULT 0,
            problem TEXT NOT NULL DEFAULT '',
            UNIQUE (user, kind, address),
            FOREIGN KEY (user, device) REFERENCES device(user, id) ON DELETE CASCADE
        ) WITHOUT ROWID;
        CREATE INDEX push_target_address ON push_target(kind, address);
        CREATE INDEX push_target_device ON push_target(user, device);
        """

    /// Profiles, blocked users and invitations by link.
    private static let profiles = """
        ALTER TABLE user ADD COLUMN display_name TEXT NOT NULL DEFAULT '';
        ALTER TABLE user ADD COLUMN email TEXT NOT NULL DEFAULT '';
        ALTER TABLE user ADD COLUMN status TEXT NOT NULL DEFAULT '';
        ALTER TABLE user ADD COLUMN avatar BLOB;
        ALTER TABLE user ADD COLUMN avatar_type TEXT;
        ALTER TABLE user ADD COLUMN avatar_hash TEXT;
        -- The time at which the user ended the account.
        ALTER TABLE user ADD COLUMN ended_at INTEGER;
        CREATE UNIQUE INDEX user_email ON user(email) WHERE email <> '';

        CREATE TABLE block (
            user TEXT NOT NULL REFERENCES user(id),
            other TEXT NOT NULL REFERENCES user(id),
            made_at INTEGER NOT NULL,
            PRIMARY KEY (user, other)
        ) WITHOUT ROWID;

        CREATE TABLE invitation (
            id TEXT PRIMARY KEY,
            -- The SHA-256 of the secret in the link.
            token TEXT NOT NULL UNIQUE,
            conversation TEXT NOT NULL REFERENCES conversation(id),
            made_by TEXT NOT NULL REFERENCES user(id),
            made_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            -- How many users may still join with it.
            uses_left INTEGER NOT NULL,
            sees_all INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX invitation_conversation ON invitation(conversation);
        """

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

    private static let places = """
        -- Every count of changes has a number of chance: a client that names another one has it from a store that counted on
        -- after this one was copied.
        CREATE TABLE chat_tick (n INTEGER PRIMARY KEY, chance INTEGER NOT NULL);
        """

    private static let chat = """
        -- Counts every change of what is said and who is where: by it clients learn what is new.
        CREATE TABLE chat_clock (n INTEGER NOT NULL);
        INSERT INTO chat_clock (n) VALUES (0);

        CREATE TABLE conversation (
            id TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            -- Of two people there is one conversation: their identities, in order.
            pair TEXT UNIQUE,
            created_by TEXT NOT NULL REFERENCES user(id),
            created_at INTEGER NOT NULL,
            -- The number of the last message.
            last INTEGER NOT NULL DEFAULT 0,
            version INTEGER NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE member (
            conversation TEXT NOT NULL REFERENCES conversation(id),
            user TEXT NOT NULL REFERENCES user(id),
            role TEXT NOT NULL,
            -- The first message that they see, and the last that came to them and that they read.
            first INTEGER NOT NULL,
            -- The first one since they came in: what they deleted themselves they can have again.
            origin INTEGER NOT NULL,
            delivered INTEGER NOT NULL DEFAULT 0,
            read INTEGER NOT NULL DEFAULT 0,
            is_archived INTEGER NOT NULL DEFAULT 0,
            is_muted INTEGER NOT NULL DEFAULT 0,
            -- The name that they alone call it by.
            name TEXT,
            -- The count of changes when they left; what changed later they do not see.
            left_version INTEGER,
            -- Whether they deleted it. It comes back when something is said in it.
            is_hidden INTEGER NOT NULL DEFAULT 0,
            version INTEGER NOT NULL,
            PRIMARY KEY (conversation, user)
        ) WITHOUT ROWID;
        CREATE INDEX member_user ON member(user, conversation);

        CREATE TABLE message (
            conversation TEXT NOT NULL REFERENCES conversation(id),
            seq INTEGER NOT NULL,
            -- Chosen by the client that sent it: what comes twice is there once.
            id TEXT NOT NULL UNIQUE,
            -- Null for an assistant and for what the conversation itself says.
            sender TEXT REFERENCES user(id),
            role TEXT NOT NULL,
            content TEXT NOT NULL,
            sent_at INTEGER NOT NULL,
            reply_to TEXT,
            edited_at INTEGER,
            is_deleted INTEGER NOT NULL DEFAULT 0,
            version INTEGER NOT NULL,
            PRIMARY KEY (conversation, seq)
        ) WITHOUT ROWID;
        CREATE INDEX message_version ON message(conversation, version);

        CREATE TABLE message_file (
            message TEXT NOT NULL,
            position INTEGER NOT NULL,
            id TEXT NOT NULL,
            name TEXT NOT NULL,
            type TEXT NOT NULL,
            size INTEGER NOT NULL,
            sha256 TEXT NOT NULL,
            PRIMARY KEY (message, position)
        ) WITHOUT ROWID;
        CREATE INDEX message_file_hash ON message_file(sha256);

        -- Files that users have given, whole or in part: nobody may name one that they did not give.
        CREATE TABLE upload (
            user TEXT NOT NULL REFERENCES user(id),
            sha256 TEXT NOT NULL,
            size INTEGER NOT NULL,
            is_whole INTEGER NOT NULL DEFAULT 0,
            made_at INTEGER NOT NULL,
            PRIMARY KEY (user, sha256)
        ) WITHOUT ROWID;
        """
}
