import HelixMail
import HelixModel

extension Schema {
    /// Whether a message has attached files and is not encrypted.
    static let hasReadableFiles = """
        traits & \(MessageSummary.Traits([.hasAttachment, .isEncrypted]).rawValue) = \(MessageSummary.Traits.hasAttachment.rawValue)
        """

    /// Rules for arriving mail, and the messages for which they have not run yet; sent messages that wait for an answer.
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
        -- The script that was uploaded to a server: its text, whether rules belong into it, those that are in it, the
        -- script of somebody else that was active before and whether it runs first, the extensions of the server, and the
        -- answer while the user is away. A server has no undo, so this is not journaled.
        CREATE TABLE sieve_script (
            account INTEGER PRIMARY KEY REFERENCES account(n) ON DELETE CASCADE,
            text TEXT NOT NULL,
            has_rules INTEGER NOT NULL,
            rules TEXT NOT NULL,
            former TEXT,
            includes INTEGER NOT NULL,
            extensions TEXT NOT NULL,
            vacation TEXT,
            put_at INTEGER NOT NULL
        );
        CREATE TRIGGER message_rules AFTER INSERT ON message
            WHEN EXISTS (SELECT 1 FROM mail_rule WHERE is_active) AND (
                SELECT CASE WHEN a.kind IN ('maildir', 'local') THEN b.cur_at <> 0
                    ELSE (SELECT s.synced_at FROM sync_state s WHERE s.account = a.n) IS NOT NULL END
                FROM mailbox b JOIN account a ON a.n = b.account WHERE b.n = new.mailbox)
        BEGIN INSERT OR IGNORE INTO rule_intake (message) VALUES (new.id); END;
        -- Messages whose attached files are not searched yet, with the reason if they cannot be read; none that is encrypted.
        CREATE TABLE attachment_pending (n INTEGER PRIMARY KEY, problem TEXT);
        INSERT INTO attachment_pending (n) SELECT n FROM message WHERE \(hasReadableFiles);
        CREATE TRIGGER message_attached AFTER INSERT ON message WHEN new.\(hasReadableFiles)
        BEGIN INSERT OR IGNORE INTO attachment_pending (n) VALUES (new.n); END;
        CREATE TRIGGER message_attached_gone AFTER DELETE ON message
        BEGIN DELETE FROM attachment_pending WHERE n = old.n; END;
        -- Labels of sent messages whose copies are not here yet.
        CREATE TABLE sent_label (
            account INTEGER NOT NULL REFERENCES account(n) ON DELETE CASCADE,
            message_id TEXT NOT NULL,
            labels TEXT NOT NULL,
            PRIMARY KEY (account, message_id)
        ) WITHOUT ROWID;
        -- When its sender is told if nobody has answered.
        ALTER TABLE outgoing ADD COLUMN follow_up INTEGER;
        CREATE INDEX message_follow_up ON message(n) WHERE instr(labels, '\(MessageAway.followUpMark)') > 0;
        """
}
