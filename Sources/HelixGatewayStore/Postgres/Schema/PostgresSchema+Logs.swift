extension PostgresSchema {
    /// The logs of users' entities: distributed by user.
    static let logs = """
        -- The end of each log. Whoever appends counts from the end that they know, so that only one succeeds.
        CREATE TABLE user_head (
            "user" text COLLATE "C" PRIMARY KEY,
            seq bigint NOT NULL,
            mark text NOT NULL,
            changed xid8 NOT NULL DEFAULT pg_current_xact_id()
        ) PARTITION BY HASH ("user");
        CREATE INDEX user_head_latest ON user_head USING brin ((changed::text::bigint))
            WITH (pages_per_range = 4, autosummarize = on);

        CREATE TABLE user_log (
            "user" text COLLATE "C" NOT NULL,
            seq bigint NOT NULL,
            kind text COLLATE "C" NOT NULL,
            id text COLLATE "C" NOT NULL,
            version text COLLATE "C" NOT NULL,
            -- Null for a deleted entity.
            fields jsonb,
            changed_at bigint,
            device text NOT NULL,
            -- Whether it is the present version of its entity.
            is_current boolean NOT NULL DEFAULT true,
            PRIMARY KEY ("user", seq)
        ) PARTITION BY HASH ("user");
        CREATE UNIQUE INDEX user_log_entity ON user_log ("user", id) WHERE is_current;
        CREATE INDEX user_log_current ON user_log ("user", seq) WHERE is_current;
        """

    static let logFunctions = """
        -- The mark of an entry.
        CREATE OR REPLACE FUNCTION log_mark(p_seq bigint, p_id text, p_version text) RETURNS text LANGUAGE sql IMMUTABLE AS
            $$ SELECT substr(md5(p_seq || ' ' || p_id || ' ' || p_version), 1, 8) $$;

        -- Appends entries, each [kind, id, version, fields, time], if nobody was first. Returns the new end, or null.
        CREATE OR REPLACE FUNCTION append_log(p_user text, p_seq bigint, p_mark text, entries json, p_device text)
        RETURNS text LANGUAGE plpgsql AS $$
        DECLARE
            n bigint := json_array_length(entries);
            last_entry json := entries->(n::int - 1);
            new_mark text := log_mark(p_seq + n, last_entry->>1, last_entry->>2);
            former bigint[];
        BEGIN
            UPDATE user_head SET seq = p_seq + n, mark = new_mark, changed = pg_current_xact_id()
                WHERE "user" = p_user AND seq = p_seq AND mark = p_mark;
            IF NOT FOUND THEN
                IF p_seq <> 0 THEN
                    RETURN NULL;
                END IF;
                INSERT INTO user_head ("user", seq, mark) VALUES (p_user, n, new_mark) ON CONFLICT DO NOTHING;
                IF NOT FOUND THEN
                    RETURN NULL;
                END IF;
            END IF;
            -- An order and a limit leave one good plan, a search for each entity: by a comparison with a list PostgreSQL reads
            -- the whole log of a user with many more entities than others have.
            SELECT array_agg(x.seq) INTO former FROM json_array_elements(entries) e, LATERAL (
                SELECT l.id, l.seq FROM user_log l WHERE l."user" = p_user AND l.id >= e->>1 AND l.is_current
                ORDER BY l.id LIMIT 1) x WHERE x.id = e->>1;
            UPDATE user_log l SET is_current = false WHERE l."user" = p_user AND l.seq = ANY (former);
            INSERT INTO user_log ("user", seq, kind, id, version, fields, changed_at, device)
                SELECT p_user, p_seq + e.n, e.entry->>0, e.entry->>1, e.entry->>2,
                    CASE WHEN json_typeof(e.entry->3) <> 'null' THEN (e.entry->3)::jsonb END, (e.entry->>4)::bigint,
                    p_device FROM json_array_elements(entries) WITH ORDINALITY e(entry, n);
            RETURN (p_seq + n) || '.' || new_mark;
        END $$;
        """
}
