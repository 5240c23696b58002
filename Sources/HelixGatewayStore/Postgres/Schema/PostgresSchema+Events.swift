extension PostgresSchema {
    /// The reads for events about changes at other gateways.
    static let eventFunctions = """
        -- Messages of a conversation by number, and its present members with the first message that each sees.
        CREATE OR REPLACE FUNCTION event_messages(p_conversation text, numbers json) RETURNS json
        LANGUAGE sql STABLE AS $$
            SELECT json_build_object('users', (SELECT coalesce(json_agg(json_build_array(m."user", m.first)), '[]')
                    FROM member m WHERE m.conversation = p_conversation AND m.left_version IS NULL AND m.is_hidden = 0),
                'messages', (SELECT coalesce(json_agg(message_json(m) ORDER BY m.seq), '[]') FROM message m
                    WHERE m.conversation = p_conversation
                        AND m.seq = ANY (ARRAY(SELECT json_array_elements_text(numbers)::bigint))))
        $$;

        -- The present snapshot, and the users whom audit entries since a former one are about.
        CREATE OR REPLACE FUNCTION audited_since(mark text) RETURNS TABLE (word text) LANGUAGE plpgsql STABLE AS $$
        DECLARE
            low pg_snapshot := mark::pg_snapshot;
            high pg_snapshot := pg_current_snapshot();
        BEGIN
            RETURN QUERY SELECT high::text;
            IF low IS NOT NULL AND low::text <> high::text THEN
                RETURN QUERY SELECT DISTINCT a."user" FROM audit a WHERE a."user" IS NOT NULL
                    AND a.changed >= pg_snapshot_xmin(low) AND is_between(a.changed, low, high);
            END IF;
        END $$;

        -- The changes since a place, a timeline and a snapshot, as lines of events; the first line is the present place. The indexes on the
        -- transactions of changes have a few entries for each range of pages, so that the look costs little.
        CREATE OR REPLACE FUNCTION changes_since(place text, for_all boolean) RETURNS TABLE (line text) LANGUAGE plpgsql STABLE AS $$
        DECLARE
            low pg_snapshot := known_snapshot(split_part(place, '-', 2)::pg_snapshot, split_part(place, '-', 1)::bigint);
            high pg_snapshot := pg_current_snapshot();
            start bigint := pg_snapshot_xmin(low)::text::bigint;
        BEGIN
            RETURN QUERY SELECT coalesce((SELECT max(id) FROM timeline), 0) || '-' || high::text;
            IF high::text = low::text THEN
                RETURN;
            END IF;
            RETURN QUERY SELECT CASE WHEN m.made = m.changed THEN 'm' ELSE 'e' END || ' ' || m.conversation || ' ' || m.seq
                FROM message m WHERE m.changed::text::bigint >= start AND is_between(m.changed, low, high) LIMIT 20000;
            IF NOT for_all THEN
                RETURN;
            END IF;
            RETURN QUERY SELECT 'c ' || m.conversation || ' ' FROM member m
                WHERE m.changed::text::bigint >= start AND is_between(m.changed, low, high)
                UNION SELECT 'c ' || c.id || ' ' FROM conversation c
                WHERE c.changed::text::bigint >= start AND is_between(c.changed, low, high) LIMIT 20000;
            RETURN QUERY SELECT 'u ' || h."user" FROM user_head h
                WHERE h.changed::text::bigint >= start AND is_between(h.changed, low, high) LIMIT 20000;
            RETURN QUERY SELECT 'b ' || h."user" FROM user_head h WHERE NOT h.is_told LIMIT 20000;
            RETURN QUERY SELECT DISTINCT 's ' || a."user" FROM audit a
                WHERE a."user" IS NOT NULL AND a.changed >= pg_snapshot_xmin(low) AND is_between(a.changed, low, high);
        END $$;
        """
}
