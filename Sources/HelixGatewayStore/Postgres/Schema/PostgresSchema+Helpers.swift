extension PostgresSchema {
    /// The parts of the other functions. Failures have states of their own, which ``PostgresGatewayStore`` reads: `HX400`
    /// usage, `HX403` not allowed, `HX404` not found, `HX409` conflict.
    static let helperFunctions = """
        CREATE OR REPLACE FUNCTION fail(state text, message text, hint text DEFAULT NULL) RETURNS void
        LANGUAGE plpgsql AS $$
        DECLARE
            -- PostgREST makes statuses of HTTP of the states 'PT…'.
            code text := coalesce(nullif(current_setting('helix.status', true), ''), 'HX') || right(state, 3);
        BEGIN
            IF hint IS NULL THEN
                RAISE EXCEPTION USING ERRCODE = code, MESSAGE = message;
            END IF;
            RAISE EXCEPTION USING ERRCODE = code, MESSAGE = message, HINT = hint;
        END $$;

        CREATE OR REPLACE FUNCTION is_in_charge(role text) RETURNS boolean LANGUAGE sql IMMUTABLE AS
            $$ SELECT role IN ('owner', 'admin') $$;

        CREATE OR REPLACE FUNCTION fail_not_member(p_conversation text) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM fail('HX404', format('you are not in a conversation %s', p_conversation));
        END $$;

        -- Locks a conversation until the end of the transaction: what is read afterwards stays true.
        CREATE OR REPLACE FUNCTION lock_conversation(p_conversation text) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM 1 FROM conversation WHERE id = p_conversation FOR NO KEY UPDATE;
        END $$;

        -- Counts a change of a conversation, and locks it until the end of the transaction: changes have an order.
        CREATE OR REPLACE FUNCTION tick(p_conversation text, changes_members boolean DEFAULT false) RETURNS bigint
        LANGUAGE plpgsql AS $$
        DECLARE
            counted bigint;
        BEGIN
            UPDATE conversation SET version = version + 1, members_version = members_version + changes_members::int
                WHERE id = p_conversation RETURNING version INTO counted;
            RETURN counted;
        END $$;

        -- The user with a name, unless disabled; `key` is the name without regard to case.
        CREATE OR REPLACE FUNCTION active_user(key text, name text) RETURNS "user" LANGUAGE plpgsql STABLE AS $$
        DECLARE
            found_id text;
            found_user "user";
        BEGIN
            SELECT k."user" INTO found_id FROM user_key k WHERE k.kind = 'name' AND k.key = active_user.key;
            SELECT * INTO found_user FROM "user" u WHERE u.id = found_id AND u.is_disabled = 0;
            IF found_user.id IS NULL THEN
                PERFORM fail('HX404', format('unknown user ''%s''', name));
            END IF;
            RETURN found_user;
        END $$;

        -- Rejects writing to a user who has blocked the other, or adding them to a group.
        CREATE OR REPLACE FUNCTION check_not_blocked(p_other text, p_user text) RETURNS void LANGUAGE plpgsql STABLE AS $$
        DECLARE
            other_name text;
        BEGIN
            IF EXISTS (SELECT 1 FROM block WHERE "user" = p_user AND other = p_other) THEN
                SELECT name INTO other_name FROM "user" WHERE id = p_other;
                PERFORM fail('HX403', format('you have blocked ''%s''', other_name),
                    format('Unblock them first: helix chat unblock ''%s''.', other_name));
            END IF;
            IF EXISTS (SELECT 1 FROM block WHERE "user" = p_other AND other = p_user) THEN
                SELECT name INTO other_name FROM "user" WHERE id = p_other;
                PERFORM fail('HX403', format('''%s'' does not accept messages from you', other_name));
            END IF;
        END $$;

        -- The cursor of a snapshot: the database, its timeline, the latest transaction that the client has seen something of,
        -- and the snapshot.
        CREATE OR REPLACE FUNCTION cursor_text(latest xid8, s pg_snapshot) RETURNS text LANGUAGE plpgsql STABLE AS $$
        BEGIN
            RETURN (SELECT value FROM setting WHERE name = 'generation') || '-'
                || coalesce((SELECT max(id) FROM timeline), 0) || '-' || latest::text || '-' || short_snapshot(s);
        END $$;

        -- The present cursor of a client that has just seen the result of a transaction.
        CREATE OR REPLACE FUNCTION present_cursor() RETURNS text LANGUAGE plpgsql STABLE AS $$
        BEGIN
            RETURN cursor_text(coalesce(pg_current_xact_id_if_assigned(), '1'), pg_current_snapshot());
        END $$;

        -- Records that the server has recovered from a crash, has become the primary, or was started since the last gateway
        -- connected: then it may use numbers of transactions again, those of transactions that failed, that it had not
        -- received, or that its files lack since they come from a backup. After an ordinary start all cursors stay known.
        CREATE OR REPLACE FUNCTION note_timeline() RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            IF EXISTS (SELECT 1 FROM alive WHERE started = pg_postmaster_start_time()) THEN
                RETURN;
            END IF;
            PERFORM pg_advisory_xact_lock(hashtext('helix.timeline'));
            IF NOT EXISTS (SELECT 1 FROM alive WHERE started = pg_postmaster_start_time()) THEN
                -- Microseconds since 2026: a backup does not know the timelines after it, whose numbers must not come again.
                INSERT INTO timeline (id, first_transaction) SELECT greatest(coalesce(max(id), 0) + 1,
                    (extract(epoch FROM clock_timestamp()) * 1000000)::bigint - 1767225600000000), pg_snapshot_xmax(pg_current_snapshot())
                    FROM timeline;
                DELETE FROM alive;
                INSERT INTO alive VALUES (true, pg_postmaster_start_time());
            END IF;
        END $$;

        -- A snapshot as a short text. One with many transactions in progress is shortened to the oldest of them: then some
        -- changes are sent twice.
        CREATE OR REPLACE FUNCTION short_snapshot(s pg_snapshot) RETURNS text LANGUAGE sql IMMUTABLE AS $$
            SELECT CASE WHEN length(s::text) <= 64 THEN s::text
                ELSE pg_snapshot_xmin(s)::text || ':' || pg_snapshot_xmin(s)::text || ':' END
        $$;

        -- Whether a change came after one snapshot and before another.
        CREATE OR REPLACE FUNCTION is_between(changed xid8, low pg_snapshot, high pg_snapshot) RETURNS boolean
        LANGUAGE sql IMMUTABLE AS $$
            SELECT NOT pg_visible_in_snapshot(changed, low) AND pg_visible_in_snapshot(changed, high)
        $$;

        -- The first transaction that a former standby, or a restored database, has used in place of those of a timeline; of the
        -- present timeline, the next one.
        CREATE OR REPLACE FUNCTION end_of_timeline(p_timeline bigint) RETURNS xid8 LANGUAGE plpgsql STABLE AS $$
        BEGIN
            RETURN least((SELECT first_transaction FROM timeline WHERE id > p_timeline ORDER BY first_transaction LIMIT 1),
                pg_snapshot_xmax(pg_current_snapshot()));
        END $$;

        -- A snapshot of an earlier timeline: transactions of later numbers are others by now.
        CREATE OR REPLACE FUNCTION known_snapshot(s pg_snapshot, p_timeline bigint) RETURNS pg_snapshot
        LANGUAGE plpgsql STABLE AS $$
        DECLARE
            stop xid8 := end_of_timeline(p_timeline);
        BEGIN
            IF pg_snapshot_xmax(s) <= stop THEN
                RETURN s;
            END IF;
            RETURN (least(pg_snapshot_xmin(s), stop)::text || ':' || stop::text || ':'
                || coalesce((SELECT string_agg(x::text, ',' ORDER BY x) FROM pg_snapshot_xip(s) x WHERE x < stop), ''))::pg_snapshot;
        END $$;

        -- Whether a cursor is a place in this database, which has lost nothing that its client has seen.
        CREATE OR REPLACE FUNCTION is_known_cursor(p_cursor text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
        BEGIN
            RETURN p_cursor ~ '^[0-9a-f]{12}-[0-9]{1,18}-[0-9]{1,19}-[0-9]{1,19}:[0-9]{1,19}:[0-9,]*(-[0-9]{1,19}:[0-9]{1,19}:[0-9,]*-[0-9a-z]{16}-[0-9]{1,18})?$'
                AND split_part(p_cursor, '-', 1) = (SELECT value FROM setting WHERE name = 'generation')
                AND split_part(p_cursor, '-', 3)::xid8 < end_of_timeline(split_part(p_cursor, '-', 2)::bigint);
        END $$;
        """
}
