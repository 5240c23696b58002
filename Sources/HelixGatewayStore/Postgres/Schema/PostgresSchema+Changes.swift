extension PostgresSchema {
    /// Changes of messages and of conversations.
    static let changeFunctions = """
        CREATE OR REPLACE FUNCTION changed_message_json(p_conversation text, p_seq bigint, p_user text) RETURNS json
        LANGUAGE plpgsql STABLE AS $$
        BEGIN
            RETURN (SELECT json_build_array(message_json(m), conversation_json(p_conversation, p_user)) FROM message m
                WHERE m.conversation = p_conversation AND m.seq = p_seq);
        END $$;

        -- Whether a user may remove another member's message: an owner or admin of the group; an owner's, only an owner.
        CREATE OR REPLACE FUNCTION may_remove(m message, p_user text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
        DECLARE
            own member;
            author member;
        BEGIN
            SELECT * INTO own FROM member WHERE conversation = m.conversation AND "user" = p_user AND left_version IS NULL;
            IF m.role = 'system' OR own."user" IS NULL OR NOT is_in_charge(own.role)
                OR (SELECT kind FROM conversation WHERE id = m.conversation) <> 'group' THEN
                RETURN false;
            END IF;
            -- The answers of an assistant have no sender.
            IF m.sender IS NULL THEN
                RETURN m.role = 'assistant';
            END IF;
            SELECT * INTO author FROM member WHERE conversation = m.conversation AND "user" = m.sender
                AND left_version IS NULL;
            RETURN own.role = 'owner' OR author.role IS DISTINCT FROM 'owner';
        END $$;

        -- A message by its identity, with its conversation locked if the user is or was a member: nobody else makes members
        -- wait.
        CREATE OR REPLACE FUNCTION locked_message(p_id text, p_user text) RETURNS message LANGUAGE plpgsql AS $$
        DECLARE
            place message_place;
            found message;
        BEGIN
            SELECT * INTO place FROM message_place WHERE id = p_id;
            IF EXISTS (SELECT 1 FROM member WHERE conversation = place.conversation AND "user" = p_user) THEN
                PERFORM lock_conversation(place.conversation);
            END IF;
            SELECT * INTO found FROM message WHERE conversation = place.conversation AND seq = place.seq;
            RETURN found;
        END $$;

        -- Edits a message, or deletes it if there is no new content.
        CREATE OR REPLACE FUNCTION edit_message(p_id text, p_content text, is_blank boolean, p_user text, p_now bigint)
        RETURNS json LANGUAGE plpgsql AS $$
        DECLARE
            known message := locked_message(p_id, p_user);
            counted bigint;
            remover text;
        BEGIN
            IF known.id IS NULL OR known.sender IS DISTINCT FROM p_user
                AND (p_content IS NOT NULL OR NOT may_remove(known, p_user)) THEN
                PERFORM fail('HX404', format('you have sent no message %s', p_id));
            END IF;
            PERFORM standing(known.conversation, p_user);
            IF known.removed_by IS NOT NULL AND known.sender = p_user THEN
                SELECT user_name INTO remover FROM member
                    WHERE conversation = known.conversation AND "user" = known.removed_by;
                PERFORM fail('HX403', format('%s removed this message', remover));
            END IF;
            IF p_content IS NOT NULL THEN
                IF is_blank AND known.has_files = 0 THEN
                    PERFORM fail('HX400', 'the message is empty');
                END IF;
                IF known.is_deleted = 1 OR known.content <> p_content THEN
                    counted := tick(known.conversation);
                    UPDATE message SET content = p_content, is_deleted = 0, removed_by = NULL, edited_at = p_now,
                        version = counted, changed = pg_current_xact_id()
                        WHERE conversation = known.conversation AND seq = known.seq;
                END IF;
            ELSIF known.is_deleted = 0 THEN
                counted := tick(known.conversation);
                UPDATE message SET content = '', metadata = NULL, thinking = NULL, is_deleted = 1, edited_at = p_now,
                    pinned_at = NULL, removed_by = CASE WHEN known.sender = p_user THEN NULL ELSE p_user END,
                    has_reactions = 0, version = counted, changed = pg_current_xact_id()
                    WHERE conversation = known.conversation AND seq = known.seq;
                DELETE FROM reaction WHERE conversation = known.conversation AND message = p_id;
            END IF;
            RETURN changed_message_json(known.conversation, known.seq, p_user);
        END $$;

        -- A message that a member of its conversation sees, and that is not deleted; the conversation is locked.
        CREATE OR REPLACE FUNCTION visible_message(p_id text, p_user text) RETURNS message LANGUAGE plpgsql AS $$
        DECLARE
            known message := locked_message(p_id, p_user);
        BEGIN
            IF known.id IS NULL OR known.is_deleted = 1 OR known.role = 'system' THEN
                PERFORM fail('HX404', format('unknown message %s', p_id));
            END IF;
            IF known.seq < (standing(known.conversation, p_user)).first THEN
                PERFORM fail('HX404', format('unknown message %s', p_id));
            END IF;
            RETURN known;
        END $$;

        CREATE OR REPLACE FUNCTION react(p_id text, p_emoji text, is_on boolean, p_user text, most bigint, p_now bigint)
        RETURNS json LANGUAGE plpgsql AS $$
        DECLARE
            known message := visible_message(p_id, p_user);
            counted bigint;
            is_changed boolean;
        BEGIN
            IF is_on THEN
                IF (SELECT count(*) FROM reaction WHERE conversation = known.conversation AND message = p_id
                    AND "user" = p_user) >= most THEN
                    PERFORM fail('HX403', format('at most %s reactions to one message', most));
                END IF;
                INSERT INTO reaction (conversation, message, "user", emoji, made_at)
                    VALUES (known.conversation, p_id, p_user, p_emoji, p_now) ON CONFLICT DO NOTHING;
            ELSE
                DELETE FROM reaction WHERE conversation = known.conversation AND message = p_id AND "user" = p_user
                    AND emoji = p_emoji;
            END IF;
            is_changed := FOUND;
            IF is_changed THEN
                counted := tick(known.conversation);
                UPDATE message SET version = counted, changed = pg_current_xact_id(),
                    has_reactions = EXISTS (SELECT 1 FROM reaction r WHERE r.conversation = known.conversation
                        AND r.message = p_id)::int
                    WHERE conversation = known.conversation AND seq = known.seq;
            END IF;
            RETURN changed_message_json(known.conversation, known.seq, p_user);
        END $$;

        CREATE OR REPLACE FUNCTION pin_message(p_id text, is_pinned boolean, p_user text, p_now bigint) RETURNS json
        LANGUAGE plpgsql AS $$
        DECLARE
            known message := visible_message(p_id, p_user);
            own member := standing(known.conversation, p_user);
            counted bigint;
        BEGIN
            IF (SELECT kind FROM conversation WHERE id = known.conversation) = 'group' AND NOT is_in_charge(own.role) THEN
                PERFORM fail('HX403', 'only an owner or admin may pin messages of a group');
            END IF;
            IF (known.pinned_at IS NOT NULL) <> is_pinned THEN
                counted := tick(known.conversation);
                UPDATE message SET pinned_at = CASE WHEN is_pinned THEN p_now END, version = counted,
                    changed = pg_current_xact_id() WHERE conversation = known.conversation AND seq = known.seq;
            END IF;
            RETURN changed_message_json(known.conversation, known.seq, p_user);
        END $$;

        -- Changes a conversation: a user's own settings, or, for an owner or admin, its name and description. Returns it with
        -- those who are to be notified: null for nobody, `true` for everybody, or the authors of what is read now.
        CREATE OR REPLACE FUNCTION change_conversation(
            p_conversation text, p_user text, p_name text, p_description text, archived boolean, muted boolean,
            p_delivered bigint, p_read bigint, notice text, p_now bigint
        ) RETURNS json LANGUAGE plpgsql AS $$
        DECLARE
            own member := standing(p_conversation, p_user);
            c conversation;
            notified json;
            come bigint;
            seen bigint;
        BEGIN
            IF p_name IS NOT NULL OR p_description IS NOT NULL THEN
                PERFORM lock_conversation(p_conversation);
                own := standing(p_conversation, p_user);
            END IF;
            SELECT * INTO c FROM conversation WHERE id = p_conversation;
            IF p_name IS NOT NULL AND c.kind = 'direct' THEN
                -- In a direct conversation each member has their own name for it.
                PERFORM tick(p_conversation, true);
                UPDATE member SET name = p_name, changed = pg_current_xact_id()
                    WHERE conversation = p_conversation AND "user" = p_user;
            ELSIF p_name IS NOT NULL AND c.name <> p_name THEN
                IF c.kind = 'group' AND NOT is_in_charge(own.role) THEN
                    PERFORM fail('HX403', 'only an owner or admin may rename a conversation');
                END IF;
                PERFORM tick(p_conversation, true);
                UPDATE conversation SET name = p_name, changed = pg_current_xact_id() WHERE id = p_conversation;
                IF c.kind = 'group' THEN
                    PERFORM announce(p_conversation, format('renamed it to ''%s''', p_name), p_user, notice, p_now);
                END IF;
                notified := 'true';
            END IF;
            IF p_description IS NOT NULL AND c.description <> p_description THEN
                IF c.kind = 'group' AND NOT is_in_charge(own.role) THEN
                    PERFORM fail('HX403', 'only an owner or admin may describe a conversation');
                END IF;
                PERFORM tick(p_conversation);
                UPDATE conversation SET description = p_description, changed = pg_current_xact_id()
                    WHERE id = p_conversation;
                notified := 'true';
            END IF;
            -- Read marks never exceed the last message, and never decrease.
            seen := least(greatest(coalesce(p_read, 0), 0), c.last);
            come := greatest(least(greatest(coalesce(p_delivered, 0), 0), c.last), seen);
            IF notified IS NULL AND come > 0 THEN
                -- The authors of the messages that they receive or read now, of the latest thousand.
                SELECT json_agg(DISTINCT m.sender) INTO notified FROM message m WHERE m.conversation = p_conversation
                    AND m.seq > greatest(come - 1000, least(own.delivered, own.read)) AND m.seq <= come
                    AND (m.seq > own.delivered OR m.seq > own.read AND m.seq <= seen) AND m.seq >= own.first
                    AND m.sender <> p_user;
            END IF;
            UPDATE member SET delivered = greatest(delivered, come), read = greatest(read, seen),
                is_archived = coalesce(archived::int, is_archived), is_muted = coalesce(muted::int, is_muted),
                changed = pg_current_xact_id()
                WHERE conversation = p_conversation AND "user" = p_user AND (delivered < come OR read < seen
                    OR is_archived <> coalesce(archived::int, is_archived) OR is_muted <> coalesce(muted::int, is_muted));
            RETURN json_build_array(conversation_json(p_conversation, p_user), notified);
        END $$;

        -- A user's displayed name, which stands in all their conversations.
        CREATE OR REPLACE FUNCTION note_name(p_user text) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            shown text;
            place text;
        BEGIN
            SELECT display_name INTO shown FROM "user" WHERE id = p_user;
            FOR place IN SELECT conversation FROM user_conversation WHERE "user" = p_user ORDER BY conversation LOOP
                PERFORM tick(place, true);
                UPDATE member SET display_name = shown, changed = pg_current_xact_id()
                    WHERE conversation = place AND "user" = p_user;
            END LOOP;
        END $$;
        """
}
