extension PostgresSchema {
    /// Messages: how they are read and written.
    static let messageFunctions = """
        -- A message as clients see it. Functions in PL/pgSQL keep their plans; those in SQL are planned at every call.
        CREATE OR REPLACE FUNCTION message_json(m message) RETURNS json LANGUAGE plpgsql STABLE AS $$
        DECLARE
            author text;
            remover text;
            files json;
            reactions json;
        BEGIN
            IF m.sender IS NOT NULL THEN
                SELECT o.user_name INTO author FROM member o
                    WHERE o.conversation = m.conversation AND o."user" = m.sender;
            END IF;
            IF m.removed_by IS NOT NULL THEN
                SELECT o.user_name INTO remover FROM member o
                    WHERE o.conversation = m.conversation AND o."user" = m.removed_by;
            END IF;
            IF m.has_files = 1 AND m.is_deleted = 0 THEN
                SELECT json_agg(json_build_array(f.id, f.name, f.type, f.size, f.sha256) ORDER BY f.position) INTO files
                    FROM message_file f WHERE f.conversation = m.conversation AND f.message = m.id;
            END IF;
            IF m.has_reactions = 1 THEN
                SELECT json_agg(json_build_array(r.emoji, o.user_name) ORDER BY r.made_at, o.user_name) INTO reactions
                    FROM reaction r JOIN member o ON o.conversation = r.conversation AND o."user" = r."user"
                    WHERE r.conversation = m.conversation AND r.message = m.id;
            END IF;
            RETURN json_build_object('id', m.id, 'conversation', m.conversation, 'number', m.seq, 'sender', m.sender,
                'sender_name', author, 'role', m.role, 'content', m.content, 'sent_at', m.sent_at,
                'reply_to', m.reply_to, 'edited_at', m.edited_at, 'is_deleted', m.is_deleted, 'metadata', m.metadata,
                'platform', m.platform, 'device', m.device, 'thinking', m.thinking, 'stored_at', m.stored_at,
                'pinned_at', m.pinned_at, 'removed_by', remover, 'version', m.version, 'files', files,
                'reactions', reactions);
        END $$;

        -- The latest messages of a conversation before a number, the newest first.
        CREATE OR REPLACE FUNCTION messages_json(p_conversation text, p_user text, before bigint, most bigint)
        RETURNS json LANGUAGE plpgsql STABLE AS $$
        DECLARE
            own member;
        BEGIN
            SELECT * INTO own FROM member WHERE conversation = p_conversation AND "user" = p_user;
            IF own."user" IS NULL OR own.is_hidden = 1 THEN
                PERFORM fail_not_member(p_conversation);
            END IF;
            RETURN (SELECT coalesce(json_agg(message_json(m) ORDER BY m.seq DESC), '[]') FROM (
                SELECT * FROM message m WHERE m.conversation = p_conversation AND m.seq >= own.first AND m.seq < before
                    AND (own.left_version IS NULL OR m.version <= own.left_version)
                ORDER BY m.seq DESC LIMIT most) m);
        END $$;

        -- Appends a message whose author may write it. The conversation is locked until the end of the transaction.
        CREATE OR REPLACE FUNCTION append_message(
            p_conversation text, p_sender text, p_id text, p_role text, p_content text, p_sent_at bigint,
            p_reply_to text, p_metadata text, p_platform text, p_device text, p_thinking text, has_files boolean,
            p_now bigint
        ) RETURNS message LANGUAGE plpgsql AS $$
        DECLARE
            made message;
            number bigint;
            counted bigint;
        BEGIN
            UPDATE conversation SET last = last + 1, version = version + 1 WHERE id = p_conversation
                RETURNING last, version INTO number, counted;
            INSERT INTO message_place (id, conversation, seq) VALUES (p_id, p_conversation, number)
                ON CONFLICT DO NOTHING;
            IF NOT FOUND THEN
                -- The same message arrived at another gateway at the same time.
                UPDATE conversation SET last = last - 1, version = version - 1 WHERE id = p_conversation;
                RETURN NULL;
            END IF;
            INSERT INTO message (conversation, seq, id, sender, role, content, sent_at, reply_to, metadata, platform, device,
                    thinking, stored_at, has_files, version)
                VALUES (p_conversation, number, p_id, p_sender, p_role, p_content, p_sent_at, p_reply_to, p_metadata,
                    p_platform, p_device, p_thinking, p_now, has_files::int, counted)
                RETURNING * INTO made;
            RETURN made;
        END $$;

        -- Adds a system message about a change to a conversation.
        CREATE OR REPLACE FUNCTION announce(p_conversation text, what text, p_user text, notice text, p_now bigint)
        RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            author text;
        BEGIN
            SELECT name INTO author FROM "user" WHERE id = p_user;
            PERFORM append_message(p_conversation, NULL, notice, 'system', format('%s %s', coalesce(author, 'somebody'),
                what), p_now, NULL, NULL, NULL, NULL, NULL, false, p_now);
        END $$;

        -- Stores a message; one that is stored already is returned. The conversation is left out if its members are those of
        -- `known_members`. Returns the message, whether it is new, the conversation, and the present cursor.
        CREATE OR REPLACE FUNCTION say(
            p_conversation text, p_user text, as_assistant boolean, p_id text, p_role text, p_content text, is_blank boolean,
            p_sent_at bigint, p_reply_to text, p_metadata text, p_platform text, p_device text, p_thinking text, files json,
            p_now bigint, known_members bigint
        ) RETURNS json LANGUAGE plpgsql AS $$
        DECLARE
            own member;
            known message_place;
            made message;
            other_member text;
            file json;
            author text := CASE WHEN as_assistant THEN NULL ELSE p_user END;
        BEGIN
            -- Nobody but members makes others wait.
            IF EXISTS (SELECT 1 FROM member WHERE conversation = p_conversation AND "user" = p_user) THEN
                PERFORM lock_conversation(p_conversation);
            END IF;
            -- A user may write to a conversation that they deleted: that restores it.
            SELECT * INTO own FROM member WHERE conversation = p_conversation AND "user" = p_user;
            IF own."user" IS NULL OR own.left_version IS NOT NULL THEN
                PERFORM fail_not_member(p_conversation);
            END IF;
            SELECT * INTO known FROM message_place WHERE id = p_id;
            IF known.id IS NULL THEN
                IF author IS NOT NULL AND (SELECT kind FROM conversation WHERE id = p_conversation) = 'direct' THEN
                    SELECT "user" INTO other_member FROM member WHERE conversation = p_conversation AND "user" <> p_user;
                    PERFORM check_not_blocked(other_member, p_user);
                END IF;
                IF is_blank AND files IS NULL THEN
                    PERFORM fail('HX400', 'the message is empty');
                END IF;
                IF p_reply_to IS NOT NULL AND NOT EXISTS (SELECT 1 FROM message_place p WHERE p.id = p_reply_to
                    AND p.conversation = p_conversation AND p.seq >= own.first) THEN
                    PERFORM fail('HX404', format('no message %s in the conversation', p_reply_to));
                END IF;
                IF files IS NOT NULL THEN
                    FOR file IN SELECT json_array_elements(files) LOOP
                        IF NOT EXISTS (SELECT 1 FROM upload WHERE "user" = p_user AND sha256 = file->>4
                            AND size = (file->>3)::bigint AND is_whole = 1) THEN
                            PERFORM fail('HX404', format('the file ''%s'' is not uploaded yet', file->>1));
                        END IF;
                    END LOOP;
                END IF;
                made := append_message(p_conversation, author, p_id, p_role, p_content, p_sent_at, p_reply_to, p_metadata,
                    p_platform, p_device, p_thinking, files IS NOT NULL, p_now);
                IF made.id IS NULL THEN
                    SELECT * INTO known FROM message_place WHERE id = p_id;
                END IF;
            END IF;
            IF known.id IS NOT NULL THEN
                IF known.conversation = p_conversation THEN
                    SELECT * INTO made FROM message WHERE conversation = p_conversation AND seq = known.seq;
                END IF;
                IF made.id IS NULL OR made.sender IS DISTINCT FROM author THEN
                    PERFORM fail('HX409', format('the id %s belongs to another message', p_id));
                END IF;
                RETURN json_build_array(message_json(made), false, conversation_json(p_conversation, p_user),
                    present_cursor());
            END IF;
            IF files IS NOT NULL THEN
                INSERT INTO message_file (conversation, message, position, id, name, type, size, sha256)
                    SELECT p_conversation, p_id, f.n - 1, f.file->>0, f.file->>1, f.file->>2, (f.file->>3)::bigint,
                        f.file->>4 FROM json_array_elements(files) WITH ORDINALITY f(file, n);
            END IF;
            IF author IS NOT NULL THEN
                -- A sender has received and read their own message, but earlier ones only as far as they had before.
                UPDATE member SET
                    delivered = CASE WHEN delivered < made.seq - 1 AND has_unseen(p_conversation, p_user, delivered, made.seq)
                        THEN delivered ELSE made.seq END,
                    read = CASE WHEN read < made.seq - 1 AND has_unseen(p_conversation, p_user, read, made.seq)
                        THEN read ELSE made.seq END
                    WHERE conversation = p_conversation AND "user" = p_user;
            END IF;
            -- For members who deleted the conversation it reappears, starting with this message.
            UPDATE member SET is_hidden = 0, first = made.seq, changed = pg_current_xact_id()
                WHERE conversation = p_conversation AND is_hidden = 1 AND left_version IS NULL;
            RETURN json_build_array(message_json(made), true,
                CASE WHEN known_members IS DISTINCT FROM (SELECT members_version FROM conversation
                    WHERE id = p_conversation) THEN conversation_json(p_conversation, p_user) END, present_cursor());
        END $$;

        -- Whether there are messages of others between two numbers.
        CREATE OR REPLACE FUNCTION has_unseen(p_conversation text, p_user text, mark bigint, p_end bigint) RETURNS boolean
        LANGUAGE plpgsql STABLE AS $$
        BEGIN
            RETURN EXISTS (SELECT 1 FROM message x WHERE x.conversation = p_conversation AND x.seq > mark
                AND x.seq < p_end AND x.sender IS DISTINCT FROM p_user AND x.role <> 'system');
        END $$;
        """
}
