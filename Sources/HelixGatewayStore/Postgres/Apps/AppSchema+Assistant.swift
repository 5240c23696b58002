import HelixModel

extension AppSchema {
    /// Chats with an assistant: conversations of one user, in the names of two apps.
    static let assistantFunctions =
        #"""
        -- The conversation of a session's key, as gateways find it; null if it is not begun.
        CREATE OR REPLACE FUNCTION app_session(own text, key text) RETURNS text LANGUAGE plpgsql STABLE AS $$
        DECLARE
            last_part text := translate(lower(regexp_replace(key, '^.*:', '')), 'oil', '011');
            found_place text;
        BEGIN
            IF key IN ('main', 'agent:main:main') THEN
                RETURN (SELECT m.conversation FROM main_conversation m WHERE m."user" = own);
            END IF;
            -- The identity of a conversation is a key, too.
            IF last_part ~ '^[0-9a-hjkmnp-tv-z]{16}$' THEN
                found_place := app_own_session(own, last_part);
            END IF;
            RETURN coalesce(found_place, app_own_session(own, secret_identity('session', own, key)));
        END $$;

        CREATE OR REPLACE FUNCTION app_own_session(own text, place text) RETURNS text LANGUAGE plpgsql STABLE AS $$
        BEGIN
            RETURN (SELECT m.conversation FROM member m JOIN conversation c ON c.id = m.conversation
                WHERE m.conversation = place AND m."user" = own AND m.left_version IS NULL AND c.kind = 'assistant');
        END $$;

        -- The conversation of a session's key, begun if there is none.
        CREATE OR REPLACE FUNCTION app_begin_session(own text, key text, title text) RETURNS text LANGUAGE plpgsql AS $$
        DECLARE
            known text := app_session(own, app_text(key, 'session_key', 200, true));
            given_name text := coalesce(nullif(btrim(title), ''), 'Assistant');
        BEGIN
            IF known IS NOT NULL THEN
                PERFORM show_conversation(known, own);
                RETURN known;
            END IF;
            IF key ~ '[\x01-\x1f\x7f]' THEN
                PERFORM fail('HX400', $t$'session_key' must be one line$t$);
            END IF;
            IF key IN ('main', 'agent:main:main') THEN
                PERFORM make_main_conversation(own, id_of_digest(sha256(convert_to('main', 'UTF8') || '\x00'
                    || convert_to(own, 'UTF8') || '\x00')), new_id(), app_now(), MOST_MEMBERS, MOST_GROUPS);
                RETURN app_session(own, key);
            END IF;
            known := secret_identity('session', own, key);
            PERFORM begin_conversation(known, 'assistant', given_name, '[]', own, app_now(), is_title(given_name),
                MOST_MEMBERS, MOST_GROUPS);
            UPDATE conversation SET session_key = key WHERE id = known AND session_key IS NULL;
            PERFORM app_tell('c ' || known || ' ');
            RETURN known;
        END $$;

        -- The key under which apps find a conversation.
        CREATE OR REPLACE FUNCTION app_key(place text, own text) RETURNS text LANGUAGE sql STABLE AS $$
            SELECT coalesce(c.session_key, CASE WHEN c.id = (SELECT m.conversation FROM main_conversation m
                WHERE m."user" = own) THEN 'agent:main:main' ELSE c.id END) FROM conversation c WHERE c.id = place
        $$;

        CREATE OR REPLACE FUNCTION is_title(word text) RETURNS boolean LANGUAGE sql IMMUTABLE AS
            $$ SELECT length(word) BETWEEN 1 AND 200 AND word !~ '[\x01-\x1f\x7f]'
                AND word ~ '[^[:space:]\u0085\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]' $$;

        -- Changes the name and the description of a conversation.
        CREATE OR REPLACE FUNCTION app_name(own text, place text, title text, about text) RETURNS void
        LANGUAGE plpgsql AS $$
        BEGIN
            IF title IS NOT NULL AND NOT is_title(title) THEN
                PERFORM fail('HX400', 'invalid name for a conversation');
            END IF;
            IF octet_length(about) > MOST_DESCRIPTION OR about ~ '[\x01-\x09\x0b-\x1f\x7f]' THEN
                PERFORM fail('HX400', 'invalid description');
            END IF;
            PERFORM change_conversation(place, own, title, about, NULL, NULL, NULL, NULL, new_id(), app_now());
            PERFORM app_tell('c ' || place || ' ');
        END $$;

        -- Metadata as gateways store it: texts by name.
        CREATE OR REPLACE FUNCTION app_metadata(given jsonb) RETURNS text LANGUAGE plpgsql AS $$
        BEGIN
            IF given IS NULL OR given IN ('null', '{}') THEN
                RETURN NULL;
            END IF;
            IF jsonb_typeof(given) <> 'object' OR EXISTS (SELECT 1 FROM jsonb_each(given) f
                WHERE f.key = '' OR jsonb_typeof(f.value) NOT IN ('string', 'number', 'boolean'))
                OR (SELECT count(*) > MOST_TEXTS OR sum(octet_length(f.key) + octet_length(f.value)) > MOST_METADATA
                    FROM jsonb_each_text(given) f) THEN
                PERFORM fail('HX400', '''metadata'' must have at most MOST_TEXTS texts of MOST_METADATA bytes together');
            END IF;
            RETURN (SELECT json_object_agg(f.key, f.value ORDER BY f.key COLLATE "C") FROM jsonb_each_text(given) f)::text;
        END $$;

        -- Stores a message of an app, exactly once by its reference. Returns its number.
        CREATE OR REPLACE FUNCTION app_say(
            own text, place text, given uuid, reference text, author_role text, words text, sent timestamptz, answers text,
            data text, platform text, device text, thoughts text
        ) RETURNS bigint LANGUAGE plpgsql AS $$
        DECLARE
            made text;
            known bigint;
            answer json;
            written bigint := app_moment(sent, 'the time');
            given_time timestamptz := CASE WHEN sent <= clock_timestamp() THEN sent END;
            number bigint;
        BEGIN
            IF octet_length(words) > MOST_CONTENT THEN
                PERFORM fail('HX400', 'the message is longer than MOST_CONTENT bytes');
            END IF;
            PERFORM app_text(reference, 'client_id', 256);
            -- What is read from here on stays true.
            PERFORM lock_conversation(place);
            SELECT a.seq INTO number FROM app_message a WHERE a.conversation = place AND a.author = own
                AND a.client_id = reference;
            IF number IS NOT NULL THEN
                RETURN number;
            END IF;
            -- The identity is never that of a reference itself: it could be that of something else.
            IF given IS NOT NULL THEN
                made := id_of(given);
            ELSIF reference <> '' THEN
                made := secret_identity('key', own, reference);
                -- A reference is unique within its conversation.
                IF EXISTS (SELECT 1 FROM message_place p WHERE p.id = made AND p.conversation <> place) THEN
                    made := secret_identity('key', own, place || ' ' || reference);
                END IF;
            ELSE
                made := new_id();
            END IF;
            IF EXISTS (SELECT 1 FROM message_place p WHERE p.id = made AND p.conversation <> place) THEN
                PERFORM fail('HX409', 'the id belongs to another message');
            END IF;
            SELECT members_version INTO known FROM conversation WHERE id = place;
            -- A message cannot be written later than now.
            written := least(written, app_now());
            answer := say(place, own, author_role <> 'user', made, author_role, coalesce(words, ''), words !~ '[^[:space:]]'
                OR words IS NULL, coalesce(written, app_now()), answers, data, platform, device, thoughts, NULL, app_now(),
                known);
            number := (answer->0->>'number')::bigint;
            IF (answer->>1)::boolean THEN
                INSERT INTO app_message (conversation, seq, author, client_id, sent)
                    VALUES (place, number, own, nullif(reference, ''), given_time);
                PERFORM keep_uuid(made, given);
                -- One of the gateways sends notices to devices that are away.
                PERFORM app_tell('m ' || place || ' ' || number || E'\na ' || place || ' ' || number);
            END IF;
            RETURN number;
        END $$;

        -- Changes a message of the user, or of the assistant in a chat with it; without words it is deleted.
        CREATE OR REPLACE FUNCTION app_rewrite(
            own text, place text, number bigint, words text, is_deletion boolean
        ) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            m message;
            counted bigint;
        BEGIN
            IF octet_length(words) > MOST_CONTENT THEN
                PERFORM fail('HX400', 'the message is longer than MOST_CONTENT bytes');
            END IF;
            SELECT * INTO m FROM message WHERE conversation = place AND seq = number;
            IF m.sender IS NULL AND m.role <> 'user' AND (SELECT kind FROM conversation WHERE id = place) = 'assistant' THEN
                PERFORM lock_conversation(place);
                PERFORM standing(place, own);
                IF NOT is_deletion AND words !~ '[^[:space:]]' THEN
                    PERFORM fail('HX400', 'the message is empty');
                END IF;
                counted := tick(place);
                UPDATE message SET content = CASE WHEN is_deletion THEN '' ELSE words END, is_deleted = is_deletion::int,
                    edited_at = app_now(), version = counted, changed = pg_current_xact_id()
                    WHERE conversation = place AND seq = number;
            ELSE
                PERFORM edit_message(m.id, CASE WHEN is_deletion THEN NULL ELSE words END, words !~ '[^[:space:]]', own,
                    app_now());
            END IF;
            PERFORM app_tell('e ' || place || ' ' || number);
        END $$;
        """#.withLimits + "\n"
        + trigger(
            "insert_session", "place text;",
            """
                PERFORM app_own_user(NEW.user_id, own);
                place := app_begin_session(own, NEW.session_key, NEW.title);
                IF NEW.title IS NOT NULL OR NEW.description IS NOT NULL THEN
                    PERFORM app_name(own, place, NEW.title, NEW.description);
                END IF;
                IF NEW.synthesized_at IS NOT NULL OR NEW.synthesis_insights IS NOT NULL THEN
                    PERFORM app_keep_insight(place, NEW.synthesized_at, NEW.synthesis_insights);
                END IF;
                PERFORM app_begun(place, NEW.created_at);
                SELECT s.* INTO NEW FROM helix_assistant.conversations s WHERE s.session_key = app_key(place, own);
                PERFORM app_shown(FOUND);
                RETURN NEW;
            """)
            + #"""

                        CREATE OR REPLACE FUNCTION app_keep_insight(place text, moment timestamptz, words text) RETURNS void
                        LANGUAGE plpgsql AS $$
                        BEGIN
                            PERFORM app_text(words, 'synthesis_insights', 65536);
                            INSERT INTO app_insight (conversation, synthesized_at, synthesis_insights) VALUES (place, moment, words)
                                ON CONFLICT (conversation) DO UPDATE
                                SET synthesized_at = excluded.synthesized_at, synthesis_insights = excluded.synthesis_insights;
                        END $$;

                        -- The time at which a device without a network began a conversation that has no message yet.
                        CREATE OR REPLACE FUNCTION app_begun(place text, given timestamptz) RETURNS void LANGUAGE plpgsql AS $$
                        BEGIN
                            UPDATE conversation SET created_at = least(app_moment(given, 'created_at'), created_at)
                                WHERE id = place AND last = 0 AND given IS NOT NULL;
                        END $$;
            """# + "\n"
        + trigger(
            "update_session", "place text := app_session(own, OLD.session_key);",
            """
                PERFORM app_fixed(NEW.session_key IS DISTINCT FROM OLD.session_key, 'session_key');
                PERFORM app_fixed(NEW.id IS DISTINCT FROM OLD.id, 'id');
                PERFORM app_own_user(NEW.user_id, own);
                IF NEW.title IS NULL THEN
                    PERFORM fail('HX400', $t$'title' is required$t$);
                END IF;
                IF NEW.title IS DISTINCT FROM OLD.title OR NEW.description IS DISTINCT FROM OLD.description THEN
                    PERFORM app_name(own, place, NEW.title, coalesce(NEW.description, ''));
                END IF;
                IF NEW.synthesized_at IS DISTINCT FROM OLD.synthesized_at
                    OR NEW.synthesis_insights IS DISTINCT FROM OLD.synthesis_insights THEN
                    PERFORM app_keep_insight(place, NEW.synthesized_at, NEW.synthesis_insights);
                END IF;
                -- Times and counts follow from the messages.
                SELECT s.* INTO NEW FROM helix_assistant.conversations s WHERE s.id = OLD.id;
                RETURN NEW;
            """)
        + trigger(
            "delete_session", "place text := app_session(own, OLD.session_key);",
            """
                PERFORM forget_conversation(place, own, new_id(), at);
                PERFORM app_tell('c ' || place || ' ' || own);
                RETURN OLD;
            """)
        + trigger(
            "insert_session_message", "place text; n bigint; key text;",
            """
                PERFORM app_own_user(NEW.user_id, own);
                IF coalesce(NEW.role, 'user') NOT IN ('user', 'assistant', 'system') THEN
                    PERFORM fail('HX400', 'the role must be user, assistant or system');
                END IF;
                place := app_begin_session(own, NEW.session_key, NULL);
                n := app_say(own, place, NEW.id, NEW.client_id, coalesce(NEW.role, 'user'), NEW.content, NEW.timestamp,
                    NULL, app_metadata(NEW.metadata), app_text(NEW.platform, 'platform', 64),
                    app_text(NEW.device_id, 'device_id', 128), app_text(NEW.thinking, 'thinking', 65536));
                key := app_key(place, own);
                SELECT s.* INTO NEW FROM helix_assistant.session_messages s WHERE s.session_key = key AND s.number = n;
                PERFORM app_shown(FOUND);
                RETURN NEW;
            """)
        + trigger(
            "update_session_message", "place text := app_session(own, OLD.session_key);",
            """
                PERFORM app_fixed(NEW.session_key IS DISTINCT FROM OLD.session_key, 'session_key');
                PERFORM app_fixed(NEW.id IS DISTINCT FROM OLD.id, 'id');
                PERFORM app_fixed(NEW.role IS DISTINCT FROM OLD.role, 'role');
                PERFORM app_fixed(NEW.client_id IS DISTINCT FROM OLD.client_id, 'client_id');
                PERFORM app_fixed(NEW.timestamp IS DISTINCT FROM OLD.timestamp, 'timestamp');
                PERFORM app_fixed(NEW.platform IS DISTINCT FROM OLD.platform, 'platform');
                PERFORM app_fixed(NEW.device_id IS DISTINCT FROM OLD.device_id, 'device_id');
                PERFORM app_own_user(NEW.user_id, own);
                IF NEW.content IS DISTINCT FROM OLD.content THEN
                    PERFORM app_rewrite(own, place, OLD.number, coalesce(NEW.content, ''), false);
                END IF;
                IF NEW.thinking IS DISTINCT FROM OLD.thinking OR NEW.metadata IS DISTINCT FROM OLD.metadata THEN
                    PERFORM app_annotate(own, place, OLD.number, app_text(NEW.thinking, 'thinking', 65536),
                        app_metadata(NEW.metadata));
                END IF;
                SELECT s.* INTO NEW FROM helix_assistant.session_messages s
                    WHERE s.session_key = OLD.session_key AND s.number = OLD.number;
                RETURN NEW;
            """)
        + trigger(
            "delete_session_message", "place text := app_session(own, OLD.session_key);",
            """
                PERFORM app_rewrite(own, place, OLD.number, NULL, true);
                RETURN OLD;
            """)
            + #"""

            -- Stores what belongs to a message beside its text.
            CREATE OR REPLACE FUNCTION app_annotate(own text, place text, number bigint, thoughts text, data text)
            RETURNS void LANGUAGE plpgsql AS $$
            DECLARE
                counted bigint;
            BEGIN
                PERFORM lock_conversation(place);
                PERFORM standing(place, own);
                counted := tick(place);
                UPDATE message SET thinking = thoughts, metadata = data, version = counted, changed = pg_current_xact_id()
                    WHERE conversation = place AND seq = number;
                PERFORM app_tell('e ' || place || ' ' || number);
            END $$;
            """#

    static let assistantViews =
        view(
            "helix_assistant.conversations",
            """
            SELECT helix.uuid_of(c.id) AS id,
                coalesce(c.session_key, CASE WHEN c.id = (SELECT x.conversation FROM helix.main_conversation x
                    WHERE x."user" = uc."user") THEN 'agent:main:main' ELSE c.id END) AS session_key,
                coalesce((SELECT a.uuid FROM helix.app_id a WHERE a.id = uc."user"), helix.uuid_of(uc."user")) AS user_id,
                c.name AS title, nullif(c.description, '') AS description, to_timestamp(c.created_at) AS created_at,
                coalesce(l.at, to_timestamp(c.created_at)) AS updated_at, l.at AS last_message_at,
                greatest(c.last - me.first + 1, 0)::integer AS message_count,
                i.synthesized_at, i.synthesis_insights
            FROM helix.user_conversation uc
            JOIN helix.member me ON me.conversation = uc.conversation AND me."user" = uc."user"
            JOIN helix.conversation c ON c.id = uc.conversation
            LEFT JOIN helix.app_insight i ON i.conversation = c.id
            LEFT JOIN LATERAL (SELECT \(sentAt) AS at
                FROM helix.message m LEFT JOIN helix.app_message a ON a.conversation = m.conversation AND a.seq = m.seq
                WHERE m.conversation = c.id AND m.seq = c.last AND m.seq >= me.first) l ON true
            WHERE uc."user" = (SELECT helix.app_user()) AND c.kind = 'assistant' AND me.left_version IS NULL
                AND me.is_hidden = 0
            """,
            changes: ["INSERT": "insert_session", "UPDATE": "update_session", "DELETE": "delete_session"]) + "\n"
        + view(
            "helix_assistant.session_messages",
            """
            SELECT coalesce((SELECT x.uuid FROM helix.app_id x WHERE x.id = m.id), helix.uuid_of(m.id)) AS id,
                s.session_key, s.user_id, m.role, m.content,
                \(sentAt) AS "timestamp",
                a.client_id, false AS is_pending, to_timestamp(m.stored_at) AS synced_at, m.platform, m.device AS device_id,
                m.thinking, m.metadata::jsonb AS metadata, m.seq AS number,
                to_timestamp(greatest(coalesce(m.stored_at, m.sent_at), coalesce(m.edited_at, 0))) AS updated_at
            FROM (
                SELECT c.id, me.first, coalesce(c.session_key, CASE WHEN c.id = (SELECT x.conversation
                        FROM helix.main_conversation x WHERE x."user" = uc."user") THEN 'agent:main:main' ELSE c.id END)
                        AS session_key,
                    coalesce((SELECT a.uuid FROM helix.app_id a WHERE a.id = uc."user"), helix.uuid_of(uc."user")) AS user_id
                FROM helix.user_conversation uc
                JOIN helix.member me ON me.conversation = uc.conversation AND me."user" = uc."user"
                JOIN helix.conversation c ON c.id = uc.conversation
                WHERE uc."user" = (SELECT helix.app_user()) AND c.kind = 'assistant' AND me.left_version IS NULL
                    AND me.is_hidden = 0) s
            JOIN helix.message m ON m.conversation = s.id AND m.seq >= s.first AND m.is_deleted = 0
            LEFT JOIN helix.app_message a ON a.conversation = m.conversation AND a.seq = m.seq
            """,
            changes: [
                "INSERT": "insert_session_message", "UPDATE": "update_session_message",
                "DELETE": "delete_session_message",
            ])
}

extension String {
    /// The text with the gateway's limits in place of their names.
    var withLimits: String {
        let limits: [(String, Int)] = [
            ("MOST_MEMBERS", GatewayLimits.members), ("MOST_GROUPS", GatewayLimits.groupsPerDay),
            ("MOST_DESCRIPTION", Conversation.largestDescription), ("MOST_CONTENT", ChatMessage.largestContent),
            ("MOST_TEXTS", ChatDetails.mostMetadata), ("MOST_METADATA", ChatDetails.largestMetadata),
            ("MOST_PUSH", GatewayLimits.pushTargets),
        ]
        return limits.reduce(self) { $0.replacing($1.0, with: String($1.1)) }
    }
}
