import HelixModel

extension Schema {
    /// Rules for arriving mail, and the messages for which they have not run yet.
    ///
    /// Messages that were there before are no arrivals: those of a mailbox that is read for the first time, and those of an
    /// account whose first sync has not ended.
    static let mailRules = """
        CREATE TABLE mail_rule (
            n INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL UNIQUE COLLATE NOCASE,
            query TEXT NOT NULL,
            -- A line for each.
            actions TEXT NOT NULL,
            stops INTEGER NOT NULL DEFAULT 0,
            is_active INTEGER NOT NULL DEFAULT 1,
            position INTEGER NOT NULL DEFAULT 0
        );
        CREATE TABLE rule_intake (message TEXT PRIMARY KEY) WITHOUT ROWID;
        -- Why a rule did not run when mail arrived last.
        CREATE TABLE rule_problem (
            rule TEXT PRIMARY KEY,
            problem TEXT NOT NULL,
            found_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        -- The script that a server runs: its text, whether rules belong into it, those that are in it, and the script of
        -- somebody else that runs first.
        CREATE TABLE sieve_script (
            account INTEGER PRIMARY KEY REFERENCES account(n) ON DELETE CASCADE,
            text TEXT NOT NULL,
            has_rules INTEGER NOT NULL,
            rules TEXT NOT NULL,
            included TEXT,
            put_at INTEGER NOT NULL
        );
        CREATE TRIGGER message_rules AFTER INSERT ON message
            WHEN EXISTS (SELECT 1 FROM mail_rule WHERE is_active) AND (
                SELECT CASE WHEN a.kind IN ('maildir', 'local') THEN b.cur_at <> 0
                    ELSE (SELECT s.synced_at FROM sync_state s WHERE s.account = a.n) IS NOT NULL END
                FROM mailbox b JOIN account a ON a.n = b.account WHERE b.n = new.mailbox)
        BEGIN INSERT OR IGNORE INTO rule_intake (message) VALUES (new.id); END;
        """
}
