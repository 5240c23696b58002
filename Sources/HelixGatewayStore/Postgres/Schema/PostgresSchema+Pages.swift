extension PostgresSchema {
    /// Pages of the changes in a user's conversations.
    ///
    /// No counter of all changes exists, which all writers would wait for. A cursor is a snapshot: it names the transactions
    /// that a client has seen, and those in progress then. A series of pages goes through the conversations in the order of
    /// their identities, between the snapshot of the cursor and that of its first page.
    static let pageFunctions = """
        CREATE OR REPLACE FUNCTION chat_page(p_user text, p_cursor text, p_seen text, most bigint, most_members bigint,
            most_bytes bigint) RETURNS json LANGUAGE plpgsql STABLE AS $$
        DECLARE
            -- The latest transaction that the client has seen something of.
            latest xid8 := '1';
            past bigint;
            low pg_snapshot := '1:1:';
            high pg_snapshot := pg_current_snapshot();
            after_conversation text := '';
            after_number bigint := 0;
            is_reset boolean;
            row record;
            m message;
            entry json;
            conversations json[] := '{}';
            forgotten text[] := '{}';
            messages json[] := '{}';
            bytes bigint := 0;
            members bigint := 0;
            last_conversation text;
            last_number bigint;
            has_more boolean := false;
        BEGIN
            is_reset := p_cursor IS NOT NULL AND NOT is_known_cursor(p_cursor)
                OR p_seen IS NOT NULL AND NOT is_known_cursor(p_seen);
            IF p_cursor IS NOT NULL AND NOT is_reset THEN
                past := split_part(p_cursor, '-', 2)::bigint;
                latest := split_part(p_cursor, '-', 3)::xid8;
                low := known_snapshot(split_part(p_cursor, '-', 4)::pg_snapshot, past);
                IF split_part(p_cursor, '-', 5) <> '' THEN
                    high := known_snapshot(split_part(p_cursor, '-', 5)::pg_snapshot, past);
                    after_conversation := split_part(p_cursor, '-', 6);
                    after_number := split_part(p_cursor, '-', 7)::bigint;
                END IF;
            END IF;
            <<pages>>
            FOR row IN
                SELECT uc.conversation, me.first, me.left_version, me.is_hidden, me.changed
                FROM user_conversation uc
                JOIN member me ON me.conversation = uc.conversation AND me."user" = p_user
                JOIN conversation c ON c.id = uc.conversation
                WHERE uc."user" = p_user AND uc.conversation >= after_conversation AND (
                    is_between(me.changed, low, high)
                    OR me.left_version IS NULL AND (is_between(c.changed, low, high)
                        OR EXISTS (SELECT 1 FROM member o WHERE o.conversation = uc.conversation
                            AND o.changed >= pg_snapshot_xmin(low) AND is_between(o.changed, low, high)))
                    OR me.is_hidden = 0 AND EXISTS (SELECT 1 FROM message x WHERE x.conversation = uc.conversation
                        AND x.changed >= pg_snapshot_xmin(low) AND is_between(x.changed, low, high)
                        AND x.seq >= me.first AND (me.left_version IS NULL OR x.version <= me.left_version)))
                ORDER BY uc.conversation
            LOOP
                IF row.is_hidden = 1 THEN
                    IF row.conversation > after_conversation AND is_between(row.changed, low, high) THEN
                        forgotten := forgotten || row.conversation;
                        latest := greatest(latest, row.changed);
                    END IF;
                    CONTINUE;
                END IF;
                IF members >= most_members THEN
                    has_more := true;
                    EXIT;
                END IF;
                IF row.conversation = after_conversation AND NOT EXISTS (SELECT 1 FROM message x
                    WHERE x.conversation = row.conversation AND x.changed >= pg_snapshot_xmin(low)
                    AND is_between(x.changed, low, high) AND x.seq > after_number) THEN
                    CONTINUE;
                END IF;
                latest := greatest(latest, row.changed);
                entry := conversation_json(row.conversation, p_user);
                members := members + json_array_length(entry->'members');
                conversations := conversations || entry;
                last_conversation := row.conversation;
                last_number := 0;
                FOR m IN SELECT * FROM message x WHERE x.conversation = row.conversation
                    AND x.changed >= pg_snapshot_xmin(low) AND is_between(x.changed, low, high) AND x.seq >= row.first
                    AND (row.left_version IS NULL OR x.version <= row.left_version)
                    AND (row.conversation <> after_conversation OR x.seq > after_number)
                    ORDER BY x.seq
                LOOP
                    IF cardinality(messages) >= most OR cardinality(messages) > 0
                        AND bytes + octet_length(m.content) + 200 >= most_bytes THEN
                        has_more := true;
                        EXIT pages;
                    END IF;
                    bytes := bytes + octet_length(m.content) + 200;
                    messages := messages || message_json(m);
                    latest := greatest(latest, m.changed);
                    last_number := m.seq;
                END LOOP;
                -- All of it is sent: the next page begins with the next conversation.
                last_number := 999999999999999999;
            END LOOP;
            RETURN json_build_object('conversations', array_to_json(conversations), 'forgotten', array_to_json(forgotten),
                'messages', array_to_json(messages), 'is_reset', is_reset, 'has_more', has_more,
                'cursor', CASE WHEN has_more THEN cursor_text(latest, low) || '-' || short_snapshot(high) || '-'
                    || last_conversation || '-' || last_number ELSE cursor_text(latest, high) END);
        END $$;
        """
}
