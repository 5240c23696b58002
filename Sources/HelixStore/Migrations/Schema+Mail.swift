extension Schema {
    static let mail = """
        CREATE TABLE account (
            n INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL UNIQUE COLLATE NOCASE,
            kind TEXT NOT NULL,
            path TEXT NOT NULL,
            position INTEGER NOT NULL DEFAULT 0
        );

        CREATE TABLE saved_search (
            n INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL UNIQUE COLLATE NOCASE,
            query TEXT NOT NULL
        );

        -- What follows is made from the files of the accounts, and made again when they change.

        -- Folders that may hold mailboxes, and when they changed last, in nanoseconds: a new mailbox shows there.
        CREATE TABLE mail_folder (
            account INTEGER NOT NULL REFERENCES account(n) ON DELETE CASCADE,
            path TEXT NOT NULL,
            changed_at INTEGER NOT NULL,
            PRIMARY KEY (account, path)
        ) WITHOUT ROWID;
        CREATE TABLE mailbox (
            n INTEGER PRIMARY KEY,
            account INTEGER NOT NULL REFERENCES account(n) ON DELETE CASCADE,
            -- Below the account's folder.
            path TEXT NOT NULL,
            name TEXT NOT NULL COLLATE NOCASE,
            role TEXT,
            -- When its folders cur and new changed last as far as the index knows them, in nanoseconds.
            cur_at INTEGER NOT NULL DEFAULT 0,
            new_at INTEGER NOT NULL DEFAULT 0,
            UNIQUE (account, path)
        );

        -- `n` is the second of the message's date, or the next that is free: rows and words lie in order of time, and the
        -- newest that have a word are found without looking at the others.
        CREATE TABLE message (
            n INTEGER PRIMARY KEY,
            -- Follows from the account and Message-ID, so that a file that comes back has the identity it had.
            id TEXT NOT NULL UNIQUE,
            account INTEGER NOT NULL REFERENCES account(n),
            mailbox INTEGER NOT NULL REFERENCES mailbox(n),
            -- The name of its file without flags; whether it lies in the folder new; the letters that are no standard flags.
            file TEXT NOT NULL,
            is_new INTEGER NOT NULL,
            letters TEXT,
            flags INTEGER NOT NULL,
            traits INTEGER NOT NULL,
            date INTEGER NOT NULL,
            -- The first 60 bits of the identity of the message that began the conversation.
            thread INTEGER NOT NULL,
            -- What the subject is without 'Re:', as a number; null where that says nothing.
            subject_key INTEGER,
            size INTEGER NOT NULL,
            message_id TEXT,
            refs TEXT,
            sender TEXT NOT NULL,
            recipients TEXT NOT NULL,
            cc TEXT,
            bcc TEXT,
            reply_to TEXT,
            subject TEXT NOT NULL,
            list TEXT,
            -- Names on lines.
            attachments TEXT,
            -- Between blanks: ' billing urgent '.
            labels TEXT,
            snippet TEXT NOT NULL
        );
        CREATE INDEX message_mailbox ON message(mailbox);
        CREATE INDEX message_unread ON message(mailbox) WHERE flags & 1 = 0;
        CREATE INDEX message_starred ON message(mailbox) WHERE flags & 4;
        CREATE INDEX message_labels ON message(labels) WHERE labels IS NOT NULL;
        CREATE INDEX message_file ON message(mailbox, file, is_new, flags, letters);
        CREATE INDEX message_thread ON message(thread);
        CREATE INDEX message_subject ON message(subject_key) WHERE subject_key IS NOT NULL;

        -- Which conversation a Message-ID belongs to, whether its message is here or only named; the key is a hash.
        CREATE TABLE thread_reference (key INTEGER PRIMARY KEY, thread INTEGER NOT NULL);

        -- Labels of messages whose files are gone, by identity: a file that comes back gets them again.
        CREATE TABLE lost_label (id TEXT PRIMARY KEY, labels TEXT NOT NULL) WITHOUT ROWID;

        CREATE TABLE message_body (n INTEGER PRIMARY KEY, body TEXT NOT NULL);
        CREATE VIEW message_content AS
            SELECT m.n, m.subject, m.sender, m.recipients || ' ' || ifnull(m.cc, '') || ' ' || ifnull(m.bcc, '') AS people,
                m.attachments, b.body
            FROM message m JOIN message_body b ON b.n = m.n;
        CREATE VIRTUAL TABLE message_text USING fts5(
            subject, sender, people, attachments, body,
            content = 'message_content', content_rowid = 'n', tokenize = 'scripts remove_diacritics 2'
        );

        DROP VIEW IF EXISTS entity;
        """
}
