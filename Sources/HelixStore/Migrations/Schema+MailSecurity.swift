import HelixMail
import HelixModel

extension Schema {
    /// Whether a message was answered.
    static let isAnswered = "flags & \(MessageFlags.answered.rawValue) <> 0"

    /// The results of verified signatures, the messages whose decrypted text is in the index, and the keys that others sent with
    /// their messages (Autocrypt). All of that belongs to this device: its keyring decides.
    /// Snoozed and muted messages have labels, so that other devices know them.
    static let mailSecurity = """
        CREATE TABLE message_signature (
            n INTEGER PRIMARY KEY REFERENCES message(n),
            verdict TEXT NOT NULL,
            signer TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            checked_at INTEGER NOT NULL
        );
        CREATE TABLE message_decrypted (n INTEGER PRIMARY KEY REFERENCES message(n));
        CREATE TRIGGER message_security_gone AFTER DELETE ON message BEGIN
            DELETE FROM message_signature WHERE n = old.n;
            DELETE FROM message_decrypted WHERE n = old.n;
        END;
        CREATE TABLE autocrypt_peer (
            -- In lower case.
            address TEXT PRIMARY KEY,
            -- The date of the message with the newest key, and the key, without armor.
            seen_at INTEGER NOT NULL,
            key BLOB NOT NULL,
            is_mutual INTEGER NOT NULL
        ) WITHOUT ROWID;
        -- Those whom the user answers are no strangers: the server that checked their mail is the user's.
        CREATE INDEX message_answered ON message(n) WHERE \(Schema.isAnswered);
        CREATE INDEX message_snoozed ON message(n) WHERE instr(labels, '\(MessageAway.snoozedMark)') > 0;
        CREATE INDEX message_muted ON message(thread) WHERE instr(labels, '\(MessageAway.mutedMark)') > 0;
        """
}
