extension PostgresSchema {
    /// The members of a conversation, and the changes that they may make.
    static let memberFunctions = """
        -- Makes a user a member. Conversations that they left or deleted do not count for the limit, and invitations by
        -- others do not keep users from creating their own.
        CREATE OR REPLACE FUNCTION enter_conversation(
            p_conversation text, guest "user", p_role text, p_first bigint, created_kind text DEFAULT NULL,
            created_at bigint DEFAULT NULL, most bigint DEFAULT 10000
        ) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            is_own boolean := created_kind IS NOT NULL;
        BEGIN
            IF (SELECT count(*) FROM user_conversation WHERE "user" = guest.id) >= most AND
                (SELECT count(*) FROM user_conversation uc
                    JOIN member m ON m.conversation = uc.conversation AND m."user" = uc."user"
                    WHERE uc."user" = guest.id AND m.left_version IS NULL AND m.is_hidden = 0
                        AND (uc.created_kind IS NOT NULL) = is_own) >= most THEN
                PERFORM fail('HX403', format('''%s'' is in %s conversations already, the maximum', guest.name, most));
            END IF;
            INSERT INTO member (conversation, "user", user_name, display_name, role, first, origin, delivered, read)
                VALUES (p_conversation, guest.id, guest.name, guest.display_name, p_role, p_first, p_first, p_first - 1,
                    p_first - 1)
                ON CONFLICT (conversation, "user") DO UPDATE SET role = excluded.role, first = excluded.first,
                    origin = excluded.origin, display_name = excluded.display_name, left_version = NULL, is_hidden = 0,
                    name = NULL, changed = pg_current_xact_id();
            INSERT INTO user_conversation ("user", conversation, created_kind, created_at)
                VALUES (guest.id, p_conversation, enter_conversation.created_kind, enter_conversation.created_at)
                ON CONFLICT DO NOTHING;
        END $$;

        -- A group, if the user may change its members up to a role.
        CREATE OR REPLACE FUNCTION in_charge(p_conversation text, p_user text, up_to text) RETURNS conversation
        LANGUAGE plpgsql STABLE AS $$
        DECLARE
            own member := standing(p_conversation, p_user);
            c conversation;
        BEGIN
            SELECT * INTO c FROM conversation WHERE id = p_conversation;
            IF c.kind <> 'group' THEN
                PERFORM fail('HX400', 'only the members of a group can be changed');
            END IF;
            IF NOT is_in_charge(own.role) OR up_to = 'owner' AND own.role <> 'owner' THEN
                PERFORM fail('HX403', 'only an owner or admin of a conversation may do that');
            END IF;
            RETURN c;
        END $$;

        CREATE OR REPLACE FUNCTION invite_member(
            p_conversation text, key text, name text, p_role text, sees_all boolean, p_user text, notice text, p_now bigint,
            most_members bigint
        ) RETURNS json LANGUAGE plpgsql AS $$
        DECLARE
            c conversation := in_charge(p_conversation, p_user, p_role);
            guest "user" := active_user(key, name);
        BEGIN
            PERFORM lock_conversation(p_conversation);
            c := in_charge(p_conversation, p_user, p_role);
            IF EXISTS (SELECT 1 FROM member WHERE conversation = p_conversation AND "user" = guest.id
                AND left_version IS NULL) THEN
                RETURN conversation_json(p_conversation, p_user);
            END IF;
            PERFORM tick(p_conversation, true);
            SELECT * INTO c FROM conversation WHERE id = p_conversation;
            IF (SELECT count(*) FROM member WHERE conversation = p_conversation AND left_version IS NULL) >= most_members THEN
                PERFORM fail('HX403', format('a conversation can have %s members', most_members));
            END IF;
            PERFORM check_not_blocked(guest.id, p_user);
            PERFORM announce(p_conversation, format('added %s', name), p_user, notice, p_now);
            PERFORM enter_conversation(p_conversation, guest, p_role, CASE WHEN sees_all THEN 1 ELSE c.last + 1 END);
            RETURN conversation_json(p_conversation, p_user);
        END $$;

        CREATE OR REPLACE FUNCTION set_member_role(p_conversation text, p_other text, p_role text, p_user text)
        RETURNS json LANGUAGE plpgsql AS $$
        DECLARE
            own member;
            former text;
        BEGIN
            PERFORM in_charge(p_conversation, p_user, p_role);
            PERFORM tick(p_conversation, true);
            own := standing(p_conversation, p_user);
            SELECT role INTO former FROM member WHERE conversation = p_conversation AND "user" = p_other
                AND left_version IS NULL;
            IF former IS NULL THEN
                PERFORM fail('HX404', 'no such member of the conversation');
            END IF;
            IF former = p_role THEN
                RETURN conversation_json(p_conversation, p_user);
            END IF;
            IF former = 'owner' THEN
                IF own.role <> 'owner' THEN
                    PERFORM fail('HX403', 'only an owner may do that');
                END IF;
                IF NOT EXISTS (SELECT 1 FROM member WHERE conversation = p_conversation AND role = 'owner'
                    AND left_version IS NULL AND "user" <> p_other) THEN
                    PERFORM fail('HX409', 'another member must be an owner first');
                END IF;
            END IF;
            UPDATE member SET role = p_role, changed = pg_current_xact_id()
                WHERE conversation = p_conversation AND "user" = p_other;
            RETURN conversation_json(p_conversation, p_user);
        END $$;

        -- Removes a member from a group, or leaves it. Returns the conversation as it was before.
        CREATE OR REPLACE FUNCTION remove_member(
            p_conversation text, p_other text, p_user text, notice text, p_now bigint
        ) RETURNS json LANGUAGE plpgsql AS $$
        DECLARE
            own member := standing(p_conversation, p_user);
            gone member;
            c conversation;
            before json;
        BEGIN
            IF (SELECT kind FROM conversation WHERE id = p_conversation) <> 'group' THEN
                PERFORM fail('HX400', 'only groups can be left');
            END IF;
            PERFORM tick(p_conversation, true);
            own := standing(p_conversation, p_user);
            before := conversation_json(p_conversation, p_user);
            SELECT * INTO gone FROM member WHERE conversation = p_conversation AND "user" = p_other
                AND left_version IS NULL;
            IF gone."user" IS NULL THEN
                PERFORM fail('HX404', 'no such member of the conversation');
            END IF;
            IF p_other <> p_user THEN
                IF gone.role = 'owner' AND own.role <> 'owner' THEN
                    PERFORM fail('HX403', 'only an owner may remove an owner');
                END IF;
                PERFORM in_charge(p_conversation, p_user, gone.role);
            END IF;
            PERFORM announce(p_conversation, CASE WHEN p_other = p_user THEN 'left'
                ELSE format('removed %s', gone.user_name) END, p_user, notice, p_now);
            SELECT * INTO c FROM conversation WHERE id = p_conversation;
            -- Former members do not learn its later names.
            UPDATE member SET left_version = c.version, changed = pg_current_xact_id(), name = c.name
                WHERE conversation = p_conversation AND "user" = p_other;
            -- A group always has an owner: a person, as long as there is one.
            IF gone.role = 'owner' AND NOT EXISTS (SELECT 1 FROM member WHERE conversation = p_conversation
                AND left_version IS NULL AND role = 'owner') THEN
                UPDATE member SET role = 'owner', changed = pg_current_xact_id() WHERE conversation = p_conversation
                    AND "user" = (SELECT "user" FROM member WHERE conversation = p_conversation AND left_version IS NULL
                        ORDER BY "user" IS NOT DISTINCT FROM (SELECT k."user" FROM user_key k
                            WHERE k.kind = 'subject' AND k.key = '\(GatewayUser.assistantSubject)'), role <> 'admin', lower(user_name) COLLATE "C" LIMIT 1);
            END IF;
            RETURN before;
        END $$;

        -- Deletes a conversation for one user.
        CREATE OR REPLACE FUNCTION forget_conversation(p_conversation text, p_user text, notice text, p_now bigint)
        RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            own member;
        BEGIN
            SELECT * INTO own FROM member WHERE conversation = p_conversation AND "user" = p_user;
            IF own."user" IS NULL THEN
                PERFORM fail_not_member(p_conversation);
            END IF;
            -- A user cannot be in a group that they deleted.
            IF own.left_version IS NULL AND (SELECT kind FROM conversation WHERE id = p_conversation) = 'group' THEN
                PERFORM remove_member(p_conversation, p_user, p_user, notice, p_now);
            END IF;
            UPDATE member SET is_hidden = 1, changed = pg_current_xact_id()
                WHERE conversation = p_conversation AND "user" = p_user;
        END $$;

        -- Hides all present messages of a conversation from a user, for good.
        CREATE OR REPLACE FUNCTION clear_conversation(p_conversation text, p_user text) RETURNS json
        LANGUAGE plpgsql AS $$
        DECLARE
            latest bigint;
        BEGIN
            PERFORM standing(p_conversation, p_user);
            SELECT last INTO latest FROM conversation WHERE id = p_conversation FOR NO KEY UPDATE;
            UPDATE member SET first = latest + 1, origin = latest + 1, delivered = latest, read = latest,
                changed = pg_current_xact_id() WHERE conversation = p_conversation AND "user" = p_user;
            RETURN conversation_json(p_conversation, p_user);
        END $$;
        """
}
