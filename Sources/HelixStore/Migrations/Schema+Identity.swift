extension Schema {
    /// Row numbers that the journal refers to are never reused.
    static let stableNumbers = """
        -- The journal names mailboxes by these numbers, which are never given to another one. A mailbox that was here
        -- before, by its account's identity and its path, gets the number it had.
        CREATE TABLE mailbox_number (
            n INTEGER PRIMARY KEY AUTOINCREMENT,
            account TEXT NOT NULL,
            -- Null for a mailbox whose name another one has now.
            path TEXT,
            UNIQUE (account, path)
        );
        INSERT INTO mailbox_number (n, account, path)
            SELECT b.n, a.id, b.path FROM mailbox b JOIN account a ON a.n = b.account;
        -- Mailboxes that are gone may stand in the journal: their numbers are used up, too.
        INSERT INTO sqlite_sequence (name, seq)
            SELECT 'mailbox_number', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'mailbox_number');
        UPDATE sqlite_sequence SET seq = max(seq, ifnull((
            SELECT max(max(ifnull(json_extract(before, '$.mailbox'), 0), ifnull(json_extract(after, '$.mailbox'), 0)))
            FROM change WHERE kind = 'message'), 0)) WHERE name = 'mailbox_number';
        CREATE TRIGGER mailbox_renamed AFTER UPDATE OF path ON mailbox WHEN old.path <> new.path BEGIN
            UPDATE mailbox_number SET path = NULL
                WHERE account = (SELECT id FROM account WHERE n = new.account) AND path = new.path AND n <> new.n;
            UPDATE mailbox_number SET path = new.path WHERE n = new.n;
        END;

        -- Hashes of Message-IDs and subjects have the account's number in them: it stays the account's when that is removed.
        CREATE TABLE account_number (n INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL UNIQUE);
        INSERT INTO account_number (n, account) SELECT n, id FROM account;
        """

    /// Tasks and events are indexed by parts of words in scripts without spaces, like mail and chat.
    static let wordsOfAllScripts = """
        DROP TABLE event_text;
        CREATE VIRTUAL TABLE event_text USING fts5(
            title, location, description, people, categories,
            content = 'component', content_rowid = 'n', tokenize = 'scripts remove_diacritics 2'
        );
        INSERT INTO event_text (event_text) VALUES ('rebuild');
        DROP TABLE task_text;
        CREATE VIRTUAL TABLE task_text USING fts5(
            title, tags, notes, content = 'task', content_rowid = 'n', tokenize = 'scripts remove_diacritics 2'
        );
        INSERT INTO task_text (task_text) VALUES ('rebuild');
        """
}
