import HelixModel

extension AppSchema {
    /// Chats between people.
    static let peopleFunctions =
        #"""
        -- The conversation of a UUID in which the user is.
        CREATE OR REPLACE FUNCTION app_place(given uuid, own text) RETURNS text LANGUAGE plpgsql STABLE AS $$
        DECLARE
            place text := id_of(given);
        BEGIN
            IF given IS NULL THEN
                PERFORM fail('HX400', '''conversation_id'' is required');
            END IF;
            IF NOT EXISTS (SELECT 1 FROM member WHERE conversation = place AND "user" = own AND left_version IS NULL) THEN
                PERFORM fail('HX404', format('you are not in a conversation %s', given));
            END IF;
            RETURN place;
        END $$;

        -- The other user of a direct conversation enters it.
        CREATE OR REPLACE FUNCTION app_pair(own text, place text, other text) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            guest "user";
        BEGIN
            PERFORM lock_conversation(place);
            IF EXISTS (SELECT 1 FROM member WHERE conversation = place AND "user" = other) THEN
                RETURN;
            END IF;
            SELECT * INTO guest FROM "user" WHERE id = other AND is_disabled = 0;
            IF guest.id IS NULL OR (SELECT count(*) FROM member WHERE conversation = place) <> 1 THEN
                PERFORM fail('HX400', 'a direct conversation needs exactly one other member');
            END IF;
            PERFORM check_not_blocked(other, own);
            INSERT INTO pair (pair, conversation) VALUES (least(own, other) || ' ' || greatest(own, other), place)
                ON CONFLICT DO NOTHING;
            IF NOT FOUND THEN
                PERFORM fail('HX409', 'there is a direct conversation with that user',
                    (SELECT shown_uuid(p.conversation)::text FROM pair p
                        WHERE p.pair = least(own, other) || ' ' || greatest(own, other)));
            END IF;
            PERFORM tick(place, true);
            PERFORM enter_conversation(place, guest, 'owner', 1);
        END $$;

        -- Moves the mark of what a user has read.
        CREATE OR REPLACE FUNCTION app_read(own text, place text, number bigint) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            IF number IS NOT NULL THEN
                PERFORM change_conversation(place, own, NULL, NULL, NULL, NULL, number, number, new_id(), app_now());
                PERFORM app_tell('c ' || place || ' ');
            END IF;
        END $$;
        """#.withLimits + "\n"
            + """
            -- The time of a message.
            CREATE OR REPLACE FUNCTION app_read_at(place text, number bigint) RETURNS timestamptz LANGUAGE plpgsql STABLE
            SECURITY DEFINER SET search_path = helix, pg_temp AS $$
            BEGIN
                RETURN (SELECT \(sentAt) FROM message m LEFT JOIN app_message a ON a.conversation = m.conversation AND a.seq = m.seq
                    WHERE m.conversation = place AND m.seq = number
                        AND EXISTS (SELECT 1 FROM member WHERE conversation = place AND "user" = app_user()));
            END $$;

            """
        + trigger(
            "insert_profile", "",
            """
                PERFORM app_own_user(NEW.id, own);
                PERFORM app_profile(own, NEW.name, NEW.email, NEW.status, NEW.avatar, NEW.push_token);
                SELECT u.* INTO NEW FROM helix_people.users u WHERE u.id = shown_uuid(own);
                RETURN NEW;
            """)
        + trigger(
            "update_profile", "",
            """
                PERFORM app_own_user(OLD.id, own);
                PERFORM app_fixed(NEW.id IS DISTINCT FROM OLD.id, 'id');
                PERFORM app_fixed(NEW.user_name IS DISTINCT FROM OLD.user_name, 'user_name');
                PERFORM app_profile(own, app_changed(OLD.name, NEW.name), app_changed(OLD.email, NEW.email),
                    app_changed(OLD.status, NEW.status), app_changed(OLD.avatar, NEW.avatar),
                    app_changed(OLD.push_token, NEW.push_token));
                SELECT u.* INTO NEW FROM helix_people.users u WHERE u.id = OLD.id;
                RETURN NEW;
            """)
        + trigger(
            "insert_conversation",
            "place text; title text := coalesce(nullif(btrim(NEW.name), ''), 'Chat'); own_user \"user\";",
            """
                PERFORM app_own_user(NEW.created_by, own);
                place := coalesce(id_of(NEW.id), new_id());
                IF EXISTS (SELECT 1 FROM conversation WHERE id = place) THEN
                    IF NOT EXISTS (SELECT 1 FROM member WHERE conversation = place AND "user" = own AND left_version IS NULL) THEN
                        PERFORM fail('HX409', 'the id belongs to something else');
                    END IF;
                    PERFORM show_conversation(place, own);
                    SELECT c.* INTO NEW FROM helix_people.conversations c WHERE c.id = shown_uuid(place);
                    PERFORM app_shown(FOUND);
                    RETURN NEW;
                END IF;
                PERFORM keep_uuid(place, NEW.id);
                IF coalesce(NEW.is_group, true) THEN
                    PERFORM begin_conversation(place, 'group', title, '[]', own, at, is_title(title), MOST_MEMBERS,
                        MOST_GROUPS);
                ELSE
                    -- Its other member follows.
                    IF NOT is_title(title) THEN
                        PERFORM fail('HX400', 'invalid name for a conversation');
                    END IF;
                    INSERT INTO conversation (id, kind, name, created_by, created_at, version)
                        VALUES (place, 'direct', title, own, at, 1);
                    SELECT * INTO own_user FROM "user" WHERE id = own;
                    PERFORM enter_conversation(place, own_user, 'owner', 1, 'direct', at);
                END IF;
                IF NEW.description IS NOT NULL THEN
                    PERFORM app_name(own, place, NULL, NEW.description);
                END IF;
                PERFORM app_begun(place, NEW.created_at);
                PERFORM app_tell('c ' || place || ' ');
                SELECT c.* INTO NEW FROM helix_people.conversations c WHERE c.id = shown_uuid(place);
                RETURN NEW;
            """.withLimits)
        + trigger(
            "update_conversation", "",
            """
                PERFORM app_fixed(NEW.id IS DISTINCT FROM OLD.id, 'id');
                PERFORM app_fixed(NEW.is_group IS DISTINCT FROM OLD.is_group, 'is_group');
                PERFORM app_fixed(NEW.created_by IS DISTINCT FROM OLD.created_by, 'created_by');
                IF NEW.name IS NULL THEN
                    PERFORM fail('HX400', $t$'name' is required$t$);
                END IF;
                IF NEW.name IS DISTINCT FROM OLD.name OR NEW.description IS DISTINCT FROM OLD.description THEN
                    PERFORM app_name(own, app_place(OLD.id, own), CASE WHEN NEW.name <> OLD.name THEN NEW.name END,
                        CASE WHEN NEW.description IS DISTINCT FROM OLD.description THEN coalesce(NEW.description, '') END);
                END IF;
                SELECT c.* INTO NEW FROM helix_people.conversations c WHERE c.id = OLD.id;
                RETURN NEW;
            """)
        + trigger(
            "delete_conversation", "place text := app_place(OLD.id, own);",
            """
                PERFORM forget_conversation(place, own, new_id(), at);
                PERFORM app_tell('c ' || place || ' ' || own);
                RETURN OLD;
            """)
        + trigger(
            "insert_participant",
            "place text := app_place(NEW.conversation_id, own); other text := user_of(NEW.user_id);",
            """
                IF other IS NULL THEN
                    PERFORM fail('HX404', format('unknown user %s', NEW.user_id));
                END IF;
                IF NEW.role NOT IN ('owner', 'admin', 'member') THEN
                    PERFORM fail('HX400', 'the role must be owner, admin or member');
                END IF;
                IF other <> own THEN
                    IF (SELECT kind FROM conversation WHERE id = place) = 'direct' THEN
                        PERFORM app_pair(own, place, other);
                    ELSE
                        PERFORM invite_member(place, lower(u.name), u.name, coalesce(NEW.role, 'member'), false, own, new_id(),
                            at, MOST_MEMBERS) FROM "user" u WHERE u.id = other;
                    END IF;
                    PERFORM app_tell('c ' || place || ' ');
                END IF;
                SELECT p.* INTO NEW FROM helix_people.conversation_participants p
                    WHERE p.conversation_id = NEW.conversation_id AND p.user_id = shown_uuid(other);
                RETURN NEW;
            """.withLimits)
        + trigger(
            "update_participant",
            "place text := app_place(OLD.conversation_id, own); other text := user_of(OLD.user_id);",
            """
                PERFORM app_fixed(NEW.conversation_id IS DISTINCT FROM OLD.conversation_id, 'conversation_id');
                PERFORM app_fixed(NEW.user_id IS DISTINCT FROM OLD.user_id, 'user_id');
                IF NEW.role IS DISTINCT FROM OLD.role THEN
                    IF NEW.role NOT IN ('owner', 'admin', 'member') OR NEW.role IS NULL THEN
                        PERFORM fail('HX400', 'the role must be owner, admin or member');
                    END IF;
                    PERFORM set_member_role(place, other, NEW.role, own);
                    PERFORM app_tell('c ' || place || ' ');
                END IF;
                IF NEW.last_read_at IS DISTINCT FROM OLD.last_read_at THEN
                    PERFORM app_own_user(OLD.user_id, own);
                    PERFORM app_read(own, place, (SELECT max(m.seq) FROM message m LEFT JOIN app_message a
                        ON a.conversation = m.conversation AND a.seq = m.seq
                        WHERE m.conversation = place AND \(sentAt) <= NEW.last_read_at));
                END IF;
                SELECT p.* INTO NEW FROM helix_people.conversation_participants p
                    WHERE p.conversation_id = OLD.conversation_id AND p.user_id = OLD.user_id;
                RETURN NEW;
            """)
        + trigger(
            "delete_participant", "place text := app_place(OLD.conversation_id, own);",
            """
                PERFORM remove_member(place, user_of(OLD.user_id), own, new_id(), at);
                PERFORM app_tell('c ' || place || ' ');
                PERFORM app_tell('c ' || place || ' ' || user_of(OLD.user_id));
                RETURN OLD;
            """)
        + trigger(
            "insert_message", "place text := app_place(NEW.conversation_id, own); n bigint;",
            """
                PERFORM app_own_user(NEW.sender_id, own);
                n := app_say(own, place, NEW.id, NEW.client_id, 'user', NEW.content, NEW.created_at, id_of(NEW.reply_to_id),
                    app_metadata(NEW.metadata), NULL, NULL, NULL);
                SELECT m.* INTO NEW FROM helix_people.messages m
                    WHERE m.conversation_id = NEW.conversation_id AND m.number = n;
                PERFORM app_shown(FOUND);
                RETURN NEW;
            """)
        + trigger(
            "update_message", "place text := app_place(OLD.conversation_id, own);",
            """
                PERFORM app_fixed(NEW.id IS DISTINCT FROM OLD.id, 'id');
                PERFORM app_fixed(NEW.conversation_id IS DISTINCT FROM OLD.conversation_id, 'conversation_id');
                PERFORM app_fixed(NEW.sender_id IS DISTINCT FROM OLD.sender_id, 'sender_id');
                PERFORM app_fixed(NEW.client_id IS DISTINCT FROM OLD.client_id, 'client_id');
                PERFORM app_fixed(NEW.created_at IS DISTINCT FROM OLD.created_at, 'created_at');
                PERFORM app_fixed(NEW.metadata IS DISTINCT FROM OLD.metadata, 'metadata');
                PERFORM app_fixed(NEW.reply_to_id IS DISTINCT FROM OLD.reply_to_id, 'reply_to_id');
                IF NEW.content IS DISTINCT FROM OLD.content THEN
                    PERFORM app_rewrite(own, place, OLD.number, coalesce(NEW.content, ''), false);
                END IF;
                SELECT m.* INTO NEW FROM helix_people.messages m
                    WHERE m.conversation_id = OLD.conversation_id AND m.number = OLD.number;
                RETURN NEW;
            """)
        + trigger(
            "delete_message", "",
            """
                PERFORM app_rewrite(own, app_place(OLD.conversation_id, own), OLD.number, NULL, true);
                RETURN OLD;
            """)
        + trigger(
            "write_typing", "place text := app_place(coalesce(NEW.conversation_id, OLD.conversation_id), own);",
            """
                PERFORM app_own_user(coalesce(NEW.user_id, OLD.user_id), own);
                IF TG_OP = 'DELETE' OR NEW.is_typing = false THEN
                    DELETE FROM app_typing WHERE conversation = place AND "user" = own;
                    RETURN coalesce(NEW, OLD);
                END IF;
                -- Once in three seconds is enough.
                INSERT INTO app_typing AS t (conversation, "user", since) VALUES (place, own, clock_timestamp())
                    ON CONFLICT (conversation, "user") DO UPDATE SET since = excluded.since
                    WHERE t.since < excluded.since - interval '3 seconds';
                IF FOUND THEN
                    PERFORM app_tell('t ' || place || ' ' || own || ' chat.typing ' || json_build_object('conversation', place,
                        'user', own, 'name', (SELECT u.name FROM "user" u WHERE u.id = own))::text);
                END IF;
                NEW.user_id := shown_uuid(own);
                NEW.is_typing := true;
                NEW.updated_at := clock_timestamp();
                RETURN NEW;
            """)
        + trigger(
            "write_receipt", "place text; found_message message_place;",
            """
                PERFORM app_own_user(NEW.user_id, own);
                SELECT * INTO found_message FROM message_place WHERE id = id_of(NEW.message_id);
                IF found_message.id IS NULL THEN
                    PERFORM fail('HX404', format('unknown message %s', NEW.message_id));
                END IF;
                place := app_place(coalesce(NEW.conversation_id, shown_uuid(found_message.conversation)), own);
                IF place <> found_message.conversation THEN
                    PERFORM fail('HX404', format('unknown message %s', NEW.message_id));
                END IF;
                PERFORM app_read(own, place, found_message.seq);
                SELECT r.* INTO NEW FROM helix_people.read_receipts r
                    WHERE r.conversation_id = shown_uuid(place) AND r.user_id = shown_uuid(own);
                RETURN NEW;
            """)
        + trigger(
            "keep_row", "",
            """
                PERFORM fail('HX400', format('rows of %I are not deleted here', TG_TABLE_NAME));
                RETURN NULL;
            """)

    private static let user =
        "coalesce((SELECT a.uuid FROM helix.app_id a WHERE a.id = m.\"user\"), helix.uuid_of(m.\"user\"))"
    private static let place =
        "coalesce((SELECT a.uuid FROM helix.app_id a WHERE a.id = m.conversation), helix.uuid_of(m.conversation))"
    /// The conversations of the user between people.
    private static let conversations = """
        helix.user_conversation uc
            JOIN helix.member me ON me.conversation = uc.conversation AND me."user" = uc."user"
            JOIN helix.conversation c ON c.id = uc.conversation
        """
    private static let isVisible = """
        uc."user" = (SELECT helix.app_user()) AND c.kind IN ('direct', 'group') AND me.left_version IS NULL
            AND me.is_hidden = 0
        """

    static let peopleViews =
        view(
            "helix_people.users",
            """
            SELECT coalesce((SELECT a.uuid FROM helix.app_id a WHERE a.id = u.id), helix.uuid_of(u.id)) AS id,
                coalesce(nullif(u.display_name, ''), u.name) AS name, u.name AS user_name,
                CASE WHEN u.id = own.id THEN nullif(u.email, '') END AS email, nullif(u.status, '') AS status,
                CASE WHEN u.avatar IS NOT NULL THEN 'data:' || u.avatar_type || ';base64,'
                    || translate(encode(u.avatar, 'base64'), E'\\n', '') END AS avatar,
                CASE WHEN u.id = own.id THEN (SELECT p.address FROM helix.push_target p WHERE p."user" = own.id
                    AND p.device = 'app' AND p.kind = 'apns' LIMIT 1) END AS push_token,
                to_timestamp(u.created_at) AS created_at
            FROM (SELECT helix.app_user() AS id) own JOIN helix."user" u ON u.id = own.id OR u.id IN (
                SELECT m."user" FROM \(conversations) JOIN helix.member m ON m.conversation = uc.conversation
                WHERE \(isVisible) AND m.left_version IS NULL)
            """, changes: ["INSERT": "insert_profile", "UPDATE": "update_profile", "DELETE": "keep_row"]) + "\n"
        + view(
            "helix_people.conversations",
            """
            SELECT coalesce((SELECT a.uuid FROM helix.app_id a WHERE a.id = c.id), helix.uuid_of(c.id)) AS id,
                CASE WHEN c.kind = 'direct' THEN coalesce(me.name, (SELECT coalesce(nullif(o.display_name, ''), o.user_name)
                    FROM helix.member o WHERE o.conversation = c.id AND o."user" <> uc."user" AND o.left_version IS NULL
                    LIMIT 1), c.name) ELSE c.name END AS name,
                nullif(c.description, '') AS description, c.kind = 'group' AS is_group,
                coalesce((SELECT a.uuid FROM helix.app_id a WHERE a.id = c.created_by), helix.uuid_of(c.created_by))
                    AS created_by,
                to_timestamp(c.created_at) AS created_at, coalesce(l.at, to_timestamp(c.created_at)) AS updated_at,
                l.at AS last_message_at, l.content AS last_message
            FROM \(conversations)
            LEFT JOIN LATERAL (SELECT \(sentAt) AS at, CASE WHEN m.is_deleted = 0 THEN m.content END AS content
                FROM helix.message m LEFT JOIN helix.app_message a ON a.conversation = m.conversation AND a.seq = m.seq
                WHERE m.conversation = c.id AND m.seq = c.last AND m.seq >= me.first) l ON true
            WHERE \(isVisible)
            """,
            changes: [
                "INSERT": "insert_conversation", "UPDATE": "update_conversation", "DELETE": "delete_conversation",
            ]) + "\n"
        + view(
            "helix_people.conversation_participants",
            """
            SELECT md5(m.conversation || m."user")::uuid AS id, \(place) AS conversation_id, \(user) AS user_id, m.role,
                coalesce((SELECT to_timestamp(x.sent_at) FROM helix.message x WHERE x.conversation = m.conversation
                    AND x.seq = m.origin - 1), to_timestamp(c.created_at)) AS created_at,
                helix.app_read_at(m.conversation, m.read) AS last_read_at
            FROM \(conversations) JOIN helix.member m ON m.conversation = uc.conversation AND m.left_version IS NULL
            WHERE \(isVisible)
            """,
            changes: ["INSERT": "insert_participant", "UPDATE": "update_participant", "DELETE": "delete_participant"])
        + "\n"
        + view(
            "helix_people.messages",
            """
            SELECT coalesce((SELECT x.uuid FROM helix.app_id x WHERE x.id = m.id), helix.uuid_of(m.id)) AS id,
                \(place) AS conversation_id,
                coalesce((SELECT x.uuid FROM helix.app_id x WHERE x.id = m.sender), helix.uuid_of(m.sender)) AS sender_id,
                (SELECT coalesce(nullif(o.display_name, ''), o.user_name) FROM helix.member o
                    WHERE o.conversation = m.conversation AND o."user" = m.sender) AS sender_name,
                m.content,
                coalesce((SELECT x.uuid FROM helix.app_id x WHERE x.id = m.reply_to), helix.uuid_of(m.reply_to))
                    AS reply_to_id,
                m.metadata::jsonb AS metadata, a.client_id, \(sentAt) AS created_at,
                to_timestamp(greatest(coalesce(m.stored_at, m.sent_at), coalesce(m.edited_at, 0))) AS updated_at,
                m.edited_at IS NOT NULL AS is_edited, m.seq AS number
            FROM \(conversations)
            JOIN helix.message m ON m.conversation = c.id AND m.seq >= me.first AND m.is_deleted = 0 AND m.role = 'user'
            LEFT JOIN helix.app_message a ON a.conversation = m.conversation AND a.seq = m.seq
            WHERE \(isVisible)
            """,
            changes: ["INSERT": "insert_message", "UPDATE": "update_message", "DELETE": "delete_message"]) + "\n"
        + view(
            "helix_people.typing_indicators",
            """
            SELECT \(place) AS conversation_id, \(user) AS user_id, true AS is_typing, m.since AS updated_at
            FROM \(conversations) JOIN helix.app_typing m ON m.conversation = uc.conversation
            WHERE \(isVisible) AND m.since > now() - interval '10 seconds'
            """,
            changes: ["INSERT": "write_typing", "UPDATE": "write_typing", "DELETE": "write_typing"]) + "\n"
        + view(
            "helix_people.read_receipts",
            """
            SELECT md5(m.conversation || m."user")::uuid AS id, \(place) AS conversation_id, \(user) AS user_id,
                (SELECT coalesce((SELECT y.uuid FROM helix.app_id y WHERE y.id = x.id), helix.uuid_of(x.id))
                    FROM helix.message x WHERE x.conversation = m.conversation AND x.seq = m.read AND m.read >= me.first)
                    AS message_id, m.read AS number
            FROM \(conversations) JOIN helix.member m ON m.conversation = uc.conversation AND m.left_version IS NULL
            WHERE \(isVisible) AND m.read >= me.first
            """, changes: ["INSERT": "write_receipt", "UPDATE": "write_receipt", "DELETE": "keep_row"])
}
