extension PostgresSchema {
    /// The accounts that gateways keep for users: who syncs them, and how far: distributed by user. The accounts themselves and
    /// their outgoing messages are in the users' logs.
    static let keeping = """
        -- The bytes of outgoing messages, in pieces of 256 KiB.
        CREATE TABLE kept_file (
            "user" text COLLATE "C" NOT NULL,
            sha256 text COLLATE "C" NOT NULL,
            n integer NOT NULL,
            bytes bytea NOT NULL,
            PRIMARY KEY ("user", sha256, n)
        ) PARTITION BY HASH ("user");
        ALTER TABLE kept_file ALTER COLUMN bytes SET STORAGE EXTERNAL;

        -- The gateway that syncs a user's accounts, until a time. The number counts the gateways that did: what one of them
        -- writes after another has taken over is refused.
        CREATE TABLE account_lease (
            "user" text COLLATE "C" PRIMARY KEY,
            gateway text NOT NULL,
            fence bigint NOT NULL,
            until timestamptz NOT NULL,
            synced_at timestamptz
        ) PARTITION BY HASH ("user");

        -- The state of the last sync of an account's calendars, which the next gateway continues from.
        CREATE TABLE account_state (
            "user" text COLLATE "C" NOT NULL,
            account text COLLATE "C" NOT NULL,
            state text NOT NULL,
            PRIMARY KEY ("user", account)
        ) PARTITION BY HASH ("user");

        -- Empty after a crash of the server, and on a standby that became the primary.
        CREATE UNLOGGED TABLE alive (is_alive boolean NOT NULL);

        CREATE INDEX user_log_assigned ON user_log ("user")
            WHERE is_current AND kind IN ('task', 'project') AND fields->>'assignee' <> 'me';
        CREATE INDEX user_log_account ON user_log ("user") WHERE is_current AND kind = 'account' AND fields IS NOT NULL;
        """

    /// Columns that distinguish starts of the server, authors of references, and changes by apps.
    static let tracing = """
        -- Empty after a crash and on a former standby; of another start of the server if its files are those of a backup.
        ALTER TABLE alive ADD COLUMN started timestamptz;

        -- A reference is unique for its author, in their conversation.
        ALTER TABLE app_message ADD COLUMN author text COLLATE "C";
        UPDATE app_message a SET author = coalesce(m.sender, (SELECT min(o."user") FROM member o
            WHERE o.conversation = a.conversation)) FROM message m WHERE m.conversation = a.conversation AND m.seq = a.seq;
        DROP INDEX app_message_client;
        CREATE UNIQUE INDEX app_message_author ON app_message (conversation, author, client_id);

        -- Whether a gateway has shared what an app has changed.
        ALTER TABLE user_head ADD COLUMN is_told boolean NOT NULL DEFAULT true;
        CREATE INDEX user_head_untold ON user_head ("user") WHERE NOT is_told;
        """

    static let keepingFunctions = """
        -- Appends the state of one entity, [kind, id, version, fields, time], if it follows a version. Returns whether it did.
        CREATE OR REPLACE FUNCTION replace_entity(p_user text, p_base text, entry json, p_device text) RETURNS boolean
        LANGUAGE plpgsql AS $$
        DECLARE
            head user_head;
        BEGIN
            INSERT INTO user_head ("user", seq, mark) VALUES (p_user, 0, '') ON CONFLICT DO NOTHING;
            SELECT * INTO head FROM user_head WHERE "user" = p_user FOR NO KEY UPDATE;
            IF coalesce((SELECT l.version FROM user_log l WHERE l."user" = p_user AND l.id = entry->>1 AND l.is_current), '')
                <> coalesce(p_base, '') THEN
                RETURN false;
            END IF;
            PERFORM append_log(p_user, head.seq, head.mark, json_build_array(entry), p_device);
            IF entry->>0 = 'outgoing' AND json_typeof(entry->3) = 'null' THEN
                PERFORM forget_bytes(p_user);
            END IF;
            RETURN true;
        END $$;

        -- Removes the bytes of messages that have left.
        CREATE OR REPLACE FUNCTION forget_bytes(p_user text) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            DELETE FROM kept_file k WHERE k."user" = p_user AND NOT EXISTS (SELECT 1 FROM user_log l WHERE l."user" = p_user
                AND l.kind = 'outgoing' AND l.is_current AND l.fields->>'sha256' = k.sha256);
        END $$;

        -- Takes or renews the right to sync a user's accounts for 30 seconds. Returns its number; null if another gateway has
        -- it, or if the last sync was less than a pause ago.
        CREATE OR REPLACE FUNCTION take_accounts(p_user text, p_gateway text, pause bigint) RETURNS bigint
        LANGUAGE plpgsql AS $$
        DECLARE
            present timestamptz := clock_timestamp();
            number bigint;
        BEGIN
            INSERT INTO account_lease AS l ("user", gateway, fence, until)
                VALUES (p_user, p_gateway, 1, present + interval '30 seconds')
                ON CONFLICT ("user") DO UPDATE SET gateway = p_gateway, until = excluded.until,
                    fence = l.fence + (l.gateway <> p_gateway)::int
                WHERE (l.gateway = p_gateway OR l.until < present)
                    AND (l.synced_at IS NULL OR l.synced_at <= present - pause * interval '1 second')
                RETURNING fence INTO number;
            RETURN number;
        END $$;

        -- Stores the state of an account's sync, if the gateway still has the right. Returns whether it has.
        CREATE OR REPLACE FUNCTION save_account_state(p_user text, p_fence bigint, p_account text, p_state text)
        RETURNS boolean LANGUAGE plpgsql AS $$
        BEGIN
            UPDATE account_lease SET synced_at = clock_timestamp() WHERE "user" = p_user AND fence = p_fence;
            IF FOUND AND p_account IS NOT NULL THEN
                INSERT INTO account_state ("user", account, state) VALUES (p_user, p_account, p_state)
                    ON CONFLICT ("user", account) DO UPDATE SET state = excluded.state;
                RETURN true;
            END IF;
            RETURN FOUND;
        END $$;
        """
}
