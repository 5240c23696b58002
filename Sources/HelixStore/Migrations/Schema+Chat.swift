extension Schema {
    /// Migration for members who are invited to a group again.
    static let restoredRecords = """
        -- Of the messages between first_seq and this number some may be missing here; null where none are.
        ALTER TABLE conversation ADD COLUMN absent_to INTEGER;
        -- Whether one who is invited sees what was said before.
        ALTER TABLE chat_member ADD COLUMN sees_all INTEGER NOT NULL DEFAULT 0;
        -- The last message that was said before it was wished for: whoever is let in sees none from before.
        ALTER TABLE chat_member ADD COLUMN wished_after INTEGER NOT NULL DEFAULT 0;
        """

    /// Migration for gateways that lose messages.
    static let chatLastSeenCursor = """
        -- The last count of changes that the gateway named: one that does not know it has lost something.
        ALTER TABLE chat_cursor ADD COLUMN seen TEXT;
        """

    /// The data of messages and conversations beside texts and names.
    static let chatDetails = """
        -- A JSON object of texts; the device that sent it; what the assistant thought; when the gateway stored it.
        ALTER TABLE chat_message ADD COLUMN metadata TEXT;
        ALTER TABLE chat_message ADD COLUMN platform TEXT;
        ALTER TABLE chat_message ADD COLUMN device TEXT;
        ALTER TABLE chat_message ADD COLUMN thinking TEXT;
        ALTER TABLE chat_message ADD COLUMN stored_at INTEGER;
        ALTER TABLE conversation ADD COLUMN description TEXT NOT NULL DEFAULT '';
        """

    /// Reactions, pinned messages, and messages that owners and admins removed.
    /// The names that members want to be shown by.
    static let chatDisplayNames = "ALTER TABLE chat_member ADD COLUMN display_name TEXT NOT NULL DEFAULT '';"

    static let chatReactions = """
        -- A JSON array of emoji with the names of those who chose them.
        ALTER TABLE chat_message ADD COLUMN reactions TEXT;
        ALTER TABLE chat_message ADD COLUMN pinned_at INTEGER;
        ALTER TABLE chat_message ADD COLUMN removed_by TEXT;
        CREATE INDEX chat_message_pinned ON chat_message(conversation, pinned_at) WHERE pinned_at IS NOT NULL;
        """

    static let chat = """
        CREATE TABLE conversation (
            n INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            -- The identity of the gateway's account; null for one that stays here.
            account TEXT,
            created_at INTEGER NOT NULL,
            is_archived INTEGER NOT NULL DEFAULT 0,
            is_muted INTEGER NOT NULL DEFAULT 0,
            -- Who is to be in it when it is begun, with commas between.
            invited TEXT NOT NULL DEFAULT '',
            -- What the gateway calls it, once it knows it. From here on nothing is journaled.
            remote TEXT,
            -- One's own; null for somebody who left.
            role TEXT DEFAULT 'owner',
            read_up_to INTEGER NOT NULL DEFAULT 0,
            -- The number of the first message that one may see there.
            first_seq INTEGER NOT NULL DEFAULT 1,
            -- What the gateway knows of the name, of what is archived, muted and read, as a JSON object.
            agreed TEXT,
            -- Why the gateway would not have what was changed here.
            problem TEXT
        );
        CREATE INDEX conversation_account ON conversation(account, remote);

        CREATE TABLE chat_member (
            conversation TEXT NOT NULL REFERENCES conversation(id) ON DELETE CASCADE,
            user TEXT NOT NULL,
            name TEXT NOT NULL,
            role TEXT NOT NULL,
            delivered_up_to INTEGER NOT NULL DEFAULT 0,
            read_up_to INTEGER NOT NULL DEFAULT 0,
            is_me INTEGER NOT NULL DEFAULT 0,
            -- What the gateway is still to be told: invite, remove, role; and why it would not have it.
            wish TEXT,
            problem TEXT,
            PRIMARY KEY (conversation, user)
        ) WITHOUT ROWID;

        CREATE TABLE chat_message (
            -- Never given again: by it those who look on know what is new.
            n INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            conversation TEXT NOT NULL REFERENCES conversation(id) ON DELETE CASCADE,
            content TEXT NOT NULL,
            role TEXT NOT NULL DEFAULT 'user',
            sender TEXT NOT NULL,
            is_mine INTEGER NOT NULL,
            sent_at INTEGER NOT NULL,
            reply_to TEXT,
            is_deleted INTEGER NOT NULL DEFAULT 0,
            -- From here on nothing is journaled. Its number in the conversation; null until it has one.
            seq INTEGER,
            state TEXT NOT NULL DEFAULT 'sent',
            tries INTEGER NOT NULL DEFAULT 0,
            retry_at INTEGER NOT NULL DEFAULT 0,
            problem TEXT,
            -- The words as the gateway knows them; null for a message that it does not know, or that is deleted there.
            agreed TEXT,
            edited_at INTEGER,
            is_mention INTEGER NOT NULL DEFAULT 0,
            -- What a gateway that gives no identities is known to mean by it.
            remote TEXT
        );
        CREATE INDEX chat_message_seq ON chat_message(conversation, seq);
        CREATE INDEX chat_message_waiting ON chat_message(state, n) WHERE state <> 'sent';

        CREATE TABLE chat_attachment (
            n INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            message TEXT NOT NULL,
            position INTEGER NOT NULL,
            name TEXT NOT NULL,
            type TEXT NOT NULL,
            size INTEGER NOT NULL,
            sha256 TEXT NOT NULL
        );
        CREATE INDEX chat_attachment_message ON chat_attachment(message);
        CREATE INDEX chat_attachment_hash ON chat_attachment(sha256);

        -- What went here, and the gateway is still to be told: a message, or a whole conversation.
        CREATE TABLE chat_withdrawal (
            id TEXT PRIMARY KEY,
            account TEXT NOT NULL,
            -- What the gateway calls the conversation; null for a message.
            remote TEXT
        ) WITHOUT ROWID;

        -- Up to where a gateway's changes were seen, and who one is there.
        CREATE TABLE chat_cursor (
            account TEXT PRIMARY KEY,
            cursor TEXT,
            user TEXT,
            name TEXT
        ) WITHOUT ROWID;

        CREATE VIRTUAL TABLE chat_message_text USING fts5(
            content, content = 'chat_message', content_rowid = 'n', tokenize = 'scripts remove_diacritics 2'
        );

        DROP VIEW IF EXISTS entity;
        """
}
