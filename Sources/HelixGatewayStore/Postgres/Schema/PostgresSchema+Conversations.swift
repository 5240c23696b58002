extension PostgresSchema {
    /// Conversations as their members see them, and how they begin.
    static let conversationFunctions = """
        -- A conversation as one of its members sees it, also a former one.
        CREATE OR REPLACE FUNCTION conversation_json(p_conversation text, p_user text) RETURNS json
        LANGUAGE plpgsql STABLE AS $$
        DECLARE
            c conversation;
            own member;
            members json;
            shown text;
            last_seen bigint;
        BEGIN
            SELECT * INTO own FROM member WHERE conversation = p_conversation AND "user" = p_user;
            IF own."user" IS NULL THEN
                PERFORM fail_not_member(p_conversation);
            END IF;
            SELECT * INTO c FROM conversation WHERE id = p_conversation;
            IF own.left_version IS NOT NULL THEN
                -- A member who left must not see the number of later messages, nor later names.
                SELECT coalesce(max(seq), 0) INTO last_seen FROM message
                    WHERE conversation = p_conversation AND version <= own.left_version;
                shown := coalesce(own.name, c.name);
                members := json_build_array(member_json(own));
            ELSE
                last_seen := c.last;
                SELECT json_agg(json_build_array(m."user", m.user_name, m.role, m.first, m.delivered, m.read,
                    m.is_archived, m.is_muted, m.display_name) ORDER BY lower(m.user_name) COLLATE "C") INTO members
                    FROM member m WHERE m.conversation = p_conversation AND m.left_version IS NULL;
                -- In a direct conversation each sees the other's name, unless they chose another.
                shown := CASE WHEN c.kind <> 'direct' THEN c.name ELSE coalesce(own.name,
                    (SELECT m.user_name FROM member m WHERE m.conversation = p_conversation AND m.left_version IS NULL
                        AND m."user" <> p_user ORDER BY lower(m.user_name) COLLATE "C" LIMIT 1), c.name) END;
            END IF;
            RETURN json_build_object('id', c.id, 'kind', c.kind, 'name', shown,
                'description', CASE WHEN own.left_version IS NULL THEN c.description ELSE '' END,
                'session_key', c.session_key, 'created_at', c.created_at, 'last', last_seen, 'members', members,
                'own', member_json(own), 'members_version', c.members_version);
        END $$;

        CREATE OR REPLACE FUNCTION member_json(m member) RETURNS json LANGUAGE plpgsql IMMUTABLE AS $$
        BEGIN
            RETURN json_build_array(m."user", m.user_name, CASE WHEN m.left_version IS NULL THEN m.role END, m.first,
                m.delivered, m.read, m.is_archived, m.is_muted, m.display_name);
        END $$;

        -- A present member of a conversation; nothing is revealed to others.
        CREATE OR REPLACE FUNCTION standing(p_conversation text, p_user text) RETURNS member LANGUAGE plpgsql STABLE AS $$
        DECLARE
            own member;
        BEGIN
            SELECT * INTO own FROM member WHERE conversation = p_conversation AND "user" = p_user;
            IF own."user" IS NULL OR own.left_version IS NOT NULL OR own.is_hidden = 1 THEN
                PERFORM fail_not_member(p_conversation);
            END IF;
            RETURN own;
        END $$;

        -- Restores a conversation for a user who deleted it, with all messages that were visible before.
        CREATE OR REPLACE FUNCTION show_conversation(p_conversation text, p_user text) RETURNS void
        LANGUAGE plpgsql AS $$
        BEGIN
            UPDATE member SET is_hidden = 0, first = origin, changed = pg_current_xact_id()
                WHERE conversation = p_conversation AND "user" = p_user AND (is_hidden = 1 OR first <> origin);
        END $$;

        -- Begins a conversation; an existing one is returned. `others` has pairs of a key and a name for each further member.
        CREATE OR REPLACE FUNCTION begin_conversation(
            p_id text, p_kind text, p_name text, others json, p_user text, p_now bigint, is_name boolean,
            most_members bigint, most_groups bigint
        ) RETURNS json LANGUAGE plpgsql AS $$
        DECLARE
            known member;
            guests "user"[] := '{}';
            guest "user";
            other json;
            pair_key text;
            pair_conversation text;
            own_user "user";
        BEGIN
            SELECT * INTO known FROM member WHERE conversation = p_id AND "user" = p_user;
            IF known."user" IS NOT NULL THEN
                IF known.left_version IS NOT NULL THEN
                    PERFORM fail_not_member(p_id);
                END IF;
                PERFORM show_conversation(p_id, p_user);
                RETURN conversation_json(p_id, p_user);
            END IF;
            IF EXISTS (SELECT 1 FROM conversation WHERE id = p_id) THEN
                -- The same request may have been finished just now.
                IF EXISTS (SELECT 1 FROM member WHERE conversation = p_id AND "user" = p_user AND left_version IS NULL) THEN
                    RETURN conversation_json(p_id, p_user);
                END IF;
                PERFORM fail('HX409', format('the id %s belongs to another conversation', p_id));
            END IF;
            IF NOT is_name THEN
                PERFORM fail('HX400', 'invalid name for a conversation');
            END IF;
            FOR other IN SELECT json_array_elements(others) LOOP
                guest := active_user(other->>0, other->>1);
                IF guest.id <> p_user AND NOT guest.id = ANY (SELECT g.id FROM unnest(guests) g) THEN
                    guests := guests || guest;
                END IF;
            END LOOP;
            IF p_kind = 'direct' THEN
                IF cardinality(guests) <> 1 THEN
                    PERFORM fail('HX400', 'a direct conversation needs exactly one other member');
                END IF;
                PERFORM check_not_blocked(guests[1].id, p_user);
                pair_key := least(p_user, guests[1].id) || ' ' || greatest(p_user, guests[1].id);
                INSERT INTO pair (pair, conversation) VALUES (pair_key, p_id) ON CONFLICT DO NOTHING;
                IF NOT FOUND THEN
                    SELECT conversation INTO pair_conversation FROM pair WHERE pair = pair_key;
                    PERFORM show_conversation(pair_conversation, p_user);
                    RETURN conversation_json(pair_conversation, p_user);
                END IF;
            ELSIF p_kind <> 'group' AND cardinality(guests) > 0 THEN
                PERFORM fail('HX400', 'this kind of conversation has no other members');
            END IF;
            IF p_kind = 'group' THEN
                FOREACH guest IN ARRAY guests LOOP
                    PERFORM check_not_blocked(guest.id, p_user);
                END LOOP;
                IF (SELECT count(*) FROM user_conversation WHERE "user" = p_user AND created_kind = 'group'
                    AND created_at > p_now - 86400) >= most_groups THEN
                    PERFORM fail('HX403', format('you have created %s groups in a day', most_groups));
                END IF;
            END IF;
            IF cardinality(guests) >= most_members THEN
                PERFORM fail('HX403', format('a conversation can have %s members', most_members));
            END IF;
            SELECT * INTO own_user FROM "user" WHERE id = p_user;
            INSERT INTO conversation (id, kind, name, created_by, created_at, version)
                VALUES (p_id, p_kind, p_name, p_user, p_now, 1) ON CONFLICT DO NOTHING;
            IF NOT FOUND AND EXISTS (SELECT 1 FROM member WHERE conversation = p_id AND "user" = p_user
                AND left_version IS NULL) THEN
                -- The same request arrived at another gateway at the same time.
                RETURN conversation_json(p_id, p_user);
            END IF;
            IF NOT FOUND THEN
                PERFORM fail('HX409', format('the id %s belongs to another conversation', p_id));
            END IF;
            PERFORM enter_conversation(p_id, own_user, 'owner', 1, p_kind, p_now);
            FOREACH guest IN ARRAY guests LOOP
                PERFORM enter_conversation(p_id, guest, CASE p_kind WHEN 'direct' THEN 'owner' ELSE 'member' END, 1);
            END LOOP;
            RETURN conversation_json(p_id, p_user);
        END $$;

        -- The main conversation with the assistant, begun if there is none.
        CREATE OR REPLACE FUNCTION make_main_conversation(
            p_user text, former text, fresh text, p_now bigint, most_members bigint, most_groups bigint
        ) RETURNS json LANGUAGE plpgsql AS $$
        DECLARE
            known text;
            made json;
        BEGIN
            -- Two devices may ask for it at once: the first one locks the user's row.
            PERFORM 1 FROM "user" WHERE id = p_user FOR NO KEY UPDATE;
            SELECT conversation INTO known FROM main_conversation WHERE "user" = p_user;
            IF known IS NOT NULL THEN
                PERFORM show_conversation(known, p_user);
                RETURN conversation_json(known, p_user);
            END IF;
            known := fresh;
            IF EXISTS (SELECT 1 FROM conversation WHERE id = former AND created_by = p_user AND kind = 'assistant')
                AND NOT EXISTS (SELECT 1 FROM member WHERE conversation = former AND "user" <> p_user) THEN
                known := former;
            END IF;
            made := begin_conversation(known, 'assistant', 'Assistant', '[]', p_user, p_now, true, most_members, most_groups);
            INSERT INTO main_conversation ("user", conversation) VALUES (p_user, known);
            RETURN made;
        END $$;

        -- A user's conversations with their last messages, the one with the latest message first.
        CREATE OR REPLACE FUNCTION conversations_json(
            p_user text, pattern text, p_kind text, since bigint, most bigint
        ) RETURNS json LANGUAGE sql STABLE AS $$
            WITH found AS (
                SELECT c.id, me.first, coalesce((SELECT m.sent_at FROM message m WHERE m.conversation = c.id
                    AND m.seq = c.last AND m.seq >= me.first), c.created_at) AS activity
                FROM user_conversation uc
                JOIN member me ON me.conversation = uc.conversation AND me."user" = p_user
                JOIN conversation c ON c.id = uc.conversation
                WHERE uc."user" = p_user AND me.is_hidden = 0 AND me.left_version IS NULL
                    AND (pattern IS NULL OR c.name ILIKE pattern OR me.name ILIKE pattern OR c.kind = 'direct'
                        AND EXISTS (SELECT 1 FROM member o WHERE o.conversation = c.id AND o."user" <> p_user
                            AND o.user_name ILIKE pattern))
                    AND (p_kind IS NULL OR c.kind = p_kind)
            ), chosen AS (SELECT * FROM found WHERE since IS NULL OR activity >= since)
            SELECT json_build_object('total', (SELECT count(*) FROM chosen), 'list', coalesce((
                SELECT json_agg(json_build_array(conversation_json(page.id, p_user),
                    (SELECT message_json(m) FROM message m WHERE m.conversation = page.id AND m.seq >= page.first
                        ORDER BY m.seq DESC LIMIT 1)) ORDER BY page.activity DESC, page.id DESC)
                FROM (SELECT * FROM chosen ORDER BY activity DESC, id DESC LIMIT most) page), '[]'))
        $$;
        """
}
