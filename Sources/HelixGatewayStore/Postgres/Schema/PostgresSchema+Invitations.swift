extension PostgresSchema {
    /// Invitations to groups by link.
    static let invitationFunctions = """
        CREATE OR REPLACE FUNCTION invitation_json(i invitation) RETURNS json LANGUAGE sql STABLE AS $$
            SELECT json_build_object('id', i.id, 'conversation', i.conversation, 'made_by', (SELECT user_name FROM member m
                    WHERE m.conversation = i.conversation AND m."user" = i.made_by),
                'made_at', i.made_at, 'expires_at', i.expires_at, 'uses_left', i.uses_left, 'sees_all', i.sees_all)
        $$;

        CREATE OR REPLACE FUNCTION create_invitation(
            p_id text, p_token text, p_conversation text, p_sees_all boolean, uses bigint, p_until bigint, p_user text,
            most bigint, p_now bigint
        ) RETURNS json LANGUAGE plpgsql AS $$
        DECLARE
            made invitation;
        BEGIN
            PERFORM in_charge(p_conversation, p_user, 'member');
            DELETE FROM invitation WHERE conversation = p_conversation AND (expires_at <= p_now OR uses_left < 1);
            IF (SELECT count(*) FROM invitation WHERE conversation = p_conversation) >= most THEN
                PERFORM fail('HX403', format('a conversation can have %s invitations by link', most),
                    'Revoke one first.');
            END IF;
            INSERT INTO invitation (id, token, conversation, made_by, made_at, expires_at, uses_left, sees_all)
                VALUES (p_id, p_token, p_conversation, p_user, p_now, p_until, uses, p_sees_all::int)
                RETURNING * INTO made;
            INSERT INTO audit (at, "user", action, detail) VALUES (p_now, p_user, 'invitation.create', p_conversation);
            RETURN invitation_json(made);
        END $$;

        CREATE OR REPLACE FUNCTION invitations_json(p_conversation text, p_user text, p_now bigint) RETURNS json
        LANGUAGE plpgsql STABLE AS $$
        BEGIN
            PERFORM in_charge(p_conversation, p_user, 'member');
            RETURN (SELECT coalesce(json_agg(invitation_json(i) ORDER BY i.made_at, i.id), '[]') FROM invitation i
                WHERE i.conversation = p_conversation AND i.expires_at > p_now AND i.uses_left > 0);
        END $$;

        CREATE OR REPLACE FUNCTION revoke_invitation(p_id text, p_user text) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            place text;
        BEGIN
            SELECT conversation INTO place FROM invitation WHERE id = p_id;
            IF place IS NULL THEN
                PERFORM fail('HX404', format('unknown invitation %s', p_id));
            END IF;
            PERFORM in_charge(place, p_user, 'member');
            DELETE FROM invitation WHERE conversation = place AND id = p_id;
        END $$;

        CREATE OR REPLACE FUNCTION fail_unknown_invitation() RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM fail('HX404', 'the invitation is unknown, used up or expired', 'Ask for a new link.');
        END $$;

        -- The group that an invitation is for, for whoever has the link.
        CREATE OR REPLACE FUNCTION invited_group(p_token text, p_now bigint) RETURNS json LANGUAGE plpgsql STABLE AS $$
        DECLARE
            i invitation;
        BEGIN
            SELECT * INTO i FROM invitation WHERE token = p_token AND expires_at > p_now AND uses_left > 0;
            IF i.id IS NULL THEN
                PERFORM fail_unknown_invitation();
            END IF;
            RETURN json_build_array((SELECT name FROM conversation WHERE id = i.conversation),
                (SELECT count(*) FROM member WHERE conversation = i.conversation AND left_version IS NULL),
                invitation_json(i));
        END $$;

        CREATE OR REPLACE FUNCTION join_group(p_token text, p_user text, notice text, p_now bigint, most_members bigint)
        RETURNS json LANGUAGE plpgsql AS $$
        DECLARE
            i invitation;
            c conversation;
            guest "user";
        BEGIN
            SELECT * INTO i FROM invitation WHERE token = p_token;
            IF i.id IS NULL THEN
                PERFORM fail_unknown_invitation();
            END IF;
            PERFORM lock_conversation(i.conversation);
            IF EXISTS (SELECT 1 FROM member WHERE conversation = i.conversation AND "user" = p_user
                AND left_version IS NULL) THEN
                PERFORM show_conversation(i.conversation, p_user);
                RETURN json_build_array(conversation_json(i.conversation, p_user), false);
            END IF;
            PERFORM tick(i.conversation, true);
            -- Two users may follow a link with one use left at the same time.
            UPDATE invitation SET uses_left = uses_left - 1 WHERE conversation = i.conversation AND id = i.id
                AND expires_at > p_now AND uses_left > 0;
            IF NOT FOUND THEN
                PERFORM fail_unknown_invitation();
            END IF;
            SELECT * INTO c FROM conversation WHERE id = i.conversation;
            IF (SELECT count(*) FROM member WHERE conversation = c.id AND left_version IS NULL) >= most_members THEN
                PERFORM fail('HX403', format('a conversation can have %s members', most_members));
            END IF;
            SELECT * INTO guest FROM "user" WHERE id = p_user;
            PERFORM announce(c.id, format('joined by a link of %s', (SELECT user_name FROM member
                WHERE conversation = c.id AND "user" = i.made_by)), p_user, notice, p_now);
            PERFORM enter_conversation(c.id, guest, 'member', CASE WHEN i.sees_all = 1 THEN 1 ELSE c.last + 1 END);
            INSERT INTO audit (at, "user", action, detail) VALUES (p_now, p_user, 'invitation.use', c.id);
            RETURN json_build_array(conversation_json(c.id, p_user), true);
        END $$;
        """
}
