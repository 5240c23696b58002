extension PostgresSchema {
    /// Conversations, their members and messages: distributed by conversation. `version` counts the changes of one
    /// conversation; `changed` is the transaction of the last one, from which cursors follow.
    static let chat = """
        CREATE TABLE conversation (
            id text COLLATE "C" PRIMARY KEY,
            kind text COLLATE "C" NOT NULL,
            name text NOT NULL,
            description text NOT NULL DEFAULT '',
            session_key text,
            created_by text COLLATE "C" NOT NULL,
            created_at bigint NOT NULL,
            -- The number of the last message.
            last bigint NOT NULL DEFAULT 0,
            version bigint NOT NULL DEFAULT 0,
            -- Changes with who is a member, and with their roles and names.
            members_version bigint NOT NULL DEFAULT 0,
            changed xid8 NOT NULL DEFAULT pg_current_xact_id()
        ) PARTITION BY HASH (id);
        CREATE INDEX conversation_changed ON conversation USING brin ((changed::text::bigint)) WITH (pages_per_range = 8, autosummarize = on);

        CREATE TABLE member (
            conversation text COLLATE "C" NOT NULL,
            "user" text COLLATE "C" NOT NULL,
            -- Names stand here, too, so that a conversation is read from one partition.
            user_name text COLLATE "C" NOT NULL,
            display_name text NOT NULL DEFAULT '',
            role text COLLATE "C" NOT NULL,
            -- The first visible message, and the first one since they joined.
            first bigint NOT NULL,
            origin bigint NOT NULL,
            delivered bigint NOT NULL DEFAULT 0,
            read bigint NOT NULL DEFAULT 0,
            is_archived smallint NOT NULL DEFAULT 0,
            is_muted smallint NOT NULL DEFAULT 0,
            -- The name by which this member alone calls it.
            name text,
            -- The version when they left.
            left_version bigint,
            -- Whether they deleted it; it reappears with the next message.
            is_hidden smallint NOT NULL DEFAULT 0,
            changed xid8 NOT NULL DEFAULT pg_current_xact_id(),
            PRIMARY KEY (conversation, "user")
        ) PARTITION BY HASH (conversation);
        CREATE INDEX member_changed ON member (conversation, changed);
        CREATE INDEX member_hidden ON member (conversation) WHERE is_hidden = 1;
        CREATE INDEX member_latest ON member USING brin ((changed::text::bigint)) WITH (pages_per_range = 8, autosummarize = on);

        -- The conversations of each user, distributed by user.
        CREATE TABLE user_conversation (
            "user" text COLLATE "C" NOT NULL,
            conversation text COLLATE "C" NOT NULL,
            -- The kind and the time of those that the user created.
            created_kind text COLLATE "C",
            created_at bigint,
            PRIMARY KEY ("user", conversation)
        ) PARTITION BY HASH ("user");

        -- The conversation of two users: their identities in order.
        CREATE TABLE pair (
            pair text COLLATE "C" PRIMARY KEY,
            conversation text COLLATE "C" NOT NULL
        ) PARTITION BY HASH (pair);

        CREATE TABLE main_conversation (
            "user" text COLLATE "C" PRIMARY KEY,
            conversation text COLLATE "C" NOT NULL
        ) PARTITION BY HASH ("user");

        CREATE TABLE message (
            conversation text COLLATE "C" NOT NULL,
            seq bigint NOT NULL,
            -- Chosen by the client that sent it.
            id text COLLATE "C" NOT NULL,
            -- Null for an assistant, and for system messages.
            sender text COLLATE "C",
            role text COLLATE "C" NOT NULL,
            content text NOT NULL,
            sent_at bigint NOT NULL,
            reply_to text COLLATE "C",
            edited_at bigint,
            is_deleted smallint NOT NULL DEFAULT 0,
            metadata text,
            platform text,
            device text,
            thinking text,
            stored_at bigint,
            pinned_at bigint,
            removed_by text COLLATE "C",
            has_files smallint NOT NULL DEFAULT 0,
            has_reactions smallint NOT NULL DEFAULT 0,
            version bigint NOT NULL,
            -- The transaction that stored it.
            made xid8 NOT NULL DEFAULT pg_current_xact_id(),
            changed xid8 NOT NULL DEFAULT pg_current_xact_id(),
            PRIMARY KEY (conversation, seq)
        ) PARTITION BY HASH (conversation);
        CREATE INDEX message_changed ON message (conversation, changed);
        CREATE INDEX message_latest ON message USING brin ((changed::text::bigint)) WITH (pages_per_range = 16, autosummarize = on);

        -- The place of each message, distributed by its identity: no two messages have the same.
        CREATE TABLE message_place (
            id text COLLATE "C" PRIMARY KEY,
            conversation text COLLATE "C" NOT NULL,
            seq bigint NOT NULL
        ) PARTITION BY HASH (id);

        CREATE TABLE message_file (
            conversation text COLLATE "C" NOT NULL,
            message text COLLATE "C" NOT NULL,
            position integer NOT NULL,
            id text COLLATE "C" NOT NULL,
            name text NOT NULL,
            type text NOT NULL,
            size bigint NOT NULL,
            sha256 text COLLATE "C" NOT NULL,
            PRIMARY KEY (conversation, message, position)
        ) PARTITION BY HASH (conversation);
        CREATE INDEX message_file_hash ON message_file (sha256);

        CREATE TABLE reaction (
            conversation text COLLATE "C" NOT NULL,
            message text COLLATE "C" NOT NULL,
            "user" text COLLATE "C" NOT NULL,
            emoji text COLLATE "C" NOT NULL,
            made_at bigint NOT NULL,
            PRIMARY KEY (conversation, message, "user", emoji)
        ) PARTITION BY HASH (conversation);

        CREATE TABLE invitation (
            id text COLLATE "C" NOT NULL,
            -- The SHA-256 of the secret in the link.
            token text COLLATE "C" NOT NULL,
            conversation text COLLATE "C" NOT NULL,
            made_by text COLLATE "C" NOT NULL,
            made_at bigint NOT NULL,
            expires_at bigint NOT NULL,
            uses_left bigint NOT NULL,
            sees_all smallint NOT NULL,
            PRIMARY KEY (conversation, id)
        ) PARTITION BY HASH (conversation);
        CREATE INDEX invitation_token ON invitation (token);
        CREATE INDEX invitation_id ON invitation (id);
        """
}
