extension PostgresSchema {
    /// Users, their devices, and what belongs to those: distributed by user. Identities compare as bytes.
    static let accounts = """
        -- Facts about the whole database: its identity, its secret, and the version of the functions.
        CREATE TABLE setting (name text COLLATE "C" PRIMARY KEY, value text NOT NULL);
        INSERT INTO setting VALUES
            ('secret', encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'hex')),
            ('generation', substr(md5(gen_random_uuid()::text), 1, 12));

        -- The transactions at which a former standby became the primary: a cursor of before that may name lost ones.
        CREATE TABLE timeline (id bigint PRIMARY KEY, first_transaction xid8 NOT NULL);

        CREATE TABLE "user" (
            id text COLLATE "C" PRIMARY KEY,
            name text COLLATE "C" NOT NULL,
            -- Argon2id, with salt and parameters.
            password text NOT NULL,
            is_admin smallint NOT NULL DEFAULT 0,
            is_disabled smallint NOT NULL DEFAULT 0,
            created_at bigint NOT NULL,
            -- Incremented to end all sessions of the user; but for one device, which initiated that.
            epoch bigint NOT NULL DEFAULT 0,
            kept_device text,
            kept_since bigint NOT NULL DEFAULT 0,
            display_name text NOT NULL DEFAULT '',
            email text NOT NULL DEFAULT '',
            status text NOT NULL DEFAULT '',
            avatar bytea,
            avatar_type text,
            avatar_hash text,
            ended_at bigint
        ) PARTITION BY HASH (id);

        -- The keys by which users are found: name, email or shape. Distributed by key.
        CREATE TABLE user_key (
            kind text COLLATE "C" NOT NULL,
            key text COLLATE "C" NOT NULL,
            "user" text COLLATE "C" NOT NULL,
            PRIMARY KEY (kind, key)
        ) PARTITION BY HASH (key);

        CREATE TABLE device (
            "user" text COLLATE "C" NOT NULL,
            -- The SHA-256 of the key.
            id text COLLATE "C" NOT NULL,
            public_key text NOT NULL,
            name text NOT NULL,
            platform text NOT NULL,
            -- Between blanks.
            scopes text NOT NULL,
            created_at bigint NOT NULL,
            seen_at bigint NOT NULL,
            PRIMARY KEY ("user", id)
        ) PARTITION BY HASH ("user");

        CREATE TABLE pairing (
            id text COLLATE "C" NOT NULL,
            "user" text COLLATE "C" NOT NULL,
            device text COLLATE "C" NOT NULL,
            public_key text NOT NULL,
            name text NOT NULL,
            platform text NOT NULL,
            scopes text NOT NULL,
            remote text NOT NULL,
            made_at bigint NOT NULL,
            PRIMARY KEY ("user", device)
        ) PARTITION BY HASH ("user");

        -- The SHA-256 of a device's token.
        CREATE TABLE session (
            token text COLLATE "C" NOT NULL,
            "user" text COLLATE "C" NOT NULL,
            device text COLLATE "C" NOT NULL,
            made_at bigint NOT NULL,
            expires_at bigint NOT NULL,
            PRIMARY KEY ("user", token)
        ) PARTITION BY HASH ("user");
        CREATE INDEX session_token ON session (token);

        CREATE TABLE audit (
            at bigint NOT NULL,
            "user" text COLLATE "C",
            device text,
            remote text,
            action text NOT NULL,
            detail text NOT NULL DEFAULT '',
            changed xid8 NOT NULL DEFAULT pg_current_xact_id()
        ) PARTITION BY HASH ("user");
        CREATE INDEX audit_changed ON audit (changed);
        CREATE INDEX audit_at ON audit USING brin (at);

        CREATE TABLE push_target (
            id text COLLATE "C" NOT NULL,
            "user" text COLLATE "C" NOT NULL,
            device text COLLATE "C" NOT NULL,
            kind text COLLATE "C" NOT NULL,
            address text COLLATE "C" NOT NULL,
            condition text NOT NULL,
            topic text,
            is_sandbox smallint NOT NULL DEFAULT 0,
            key text,
            authentication text,
            secret text,
            created_at bigint NOT NULL,
            failures integer NOT NULL DEFAULT 0,
            problem text NOT NULL DEFAULT '',
            PRIMARY KEY ("user", kind, address)
        ) PARTITION BY HASH ("user");
        CREATE INDEX push_target_address ON push_target (address) WHERE kind = 'apns';
        CREATE INDEX push_target_id ON push_target (id);

        CREATE TABLE block (
            "user" text COLLATE "C" NOT NULL,
            other text COLLATE "C" NOT NULL,
            made_at bigint NOT NULL,
            PRIMARY KEY ("user", other)
        ) PARTITION BY HASH ("user");

        -- The tasks and projects that users share with those they are assigned to: by owner, and found by the member's copy.
        CREATE TABLE share (
            owner text COLLATE "C" NOT NULL,
            entity text COLLATE "C" NOT NULL,
            kind text NOT NULL,
            member text COLLATE "C" NOT NULL,
            copy text COLLATE "C" NOT NULL,
            base text,
            PRIMARY KEY (owner, entity)
        ) PARTITION BY HASH (owner);
        CREATE TABLE share_copy (
            member text COLLATE "C" NOT NULL,
            copy text COLLATE "C" NOT NULL,
            owner text COLLATE "C" NOT NULL,
            entity text COLLATE "C" NOT NULL,
            PRIMARY KEY (member, copy)
        ) PARTITION BY HASH (member);
        -- Failed sign-ins by address, network and name, at all gateways.
        CREATE TABLE signin_failure (
            key text COLLATE "C" PRIMARY KEY,
            count bigint NOT NULL,
            last bigint NOT NULL
        ) PARTITION BY HASH (key);

        CREATE TABLE upload (
            "user" text COLLATE "C" NOT NULL,
            sha256 text COLLATE "C" NOT NULL,
            size bigint NOT NULL,
            is_whole smallint NOT NULL DEFAULT 0,
            made_at bigint NOT NULL,
            PRIMARY KEY ("user", sha256)
        ) PARTITION BY HASH ("user");
        CREATE INDEX upload_hash ON upload (sha256);
        CREATE INDEX upload_time ON upload USING brin (made_at);

        -- Files in pieces of 256 KiB; incomplete ones are under their user, too. Distributed by hash.
        CREATE TABLE file_piece (
            sha256 text COLLATE "C" NOT NULL,
            -- Empty for a complete file.
            "user" text COLLATE "C" NOT NULL,
            n integer NOT NULL,
            bytes bytea NOT NULL,
            PRIMARY KEY (sha256, "user", n)
        ) PARTITION BY HASH (sha256);
        ALTER TABLE file_piece ALTER COLUMN bytes SET STORAGE EXTERNAL;
        """
}
