extension Schema {
    /// Whether the text of an event has reminders.
    static let hasAlarm = "instr(text, 'BEGIN:VALARM') > 0"

    /// Whether the text of an event has reminders that go off at a fixed time, or maybe more than a month from it: their occurrence
    /// says nothing about when. The patterns match more than those.
    static let hasFarAlarm = """
        instr(text, 'BEGIN:VALARM') > 0 AND (instr(text, 'VALUE=DATE-TIME') > 0 OR text GLOB '*TRIGGER*:*P[0-9][0-9]*'
            OR text GLOB '*TRIGGER*:[0-9]*' OR text GLOB '*TRIGGER*:*W*' OR text GLOB '*TRIGGER*:*PT[0-9][0-9][0-9]*' OR instr(text, 'REPEAT:') > 0)
        """

    /// Whether an open task has reminders of its own, in the VTODO of its source.
    static let taskHasAlarm = "state = 'open' AND instr(source, 'BEGIN:VALARM') > 0"

    /// The events and tasks with reminders, so that no others are read for them; and what `helix watch` announces.
    ///
    /// A notice is announced once: its key says what it is about, and when. Messages wait in `mail_intake` until the watch looks
    /// at them; without a watch there is no row.
    static let reminders = """
        CREATE INDEX event_far_alarm ON event(n) WHERE \(hasFarAlarm);
        CREATE INDEX task_alarm ON task(n) WHERE \(taskHasAlarm);
        CREATE TABLE notice (
            n INTEGER PRIMARY KEY AUTOINCREMENT,
            key TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            entity TEXT,
            title TEXT NOT NULL,
            detail TEXT NOT NULL,
            -- When it happened, and up to when it is of use to people.
            at INTEGER NOT NULL,
            until INTEGER,
            -- When people were told, and when the hooks had it; null while they are to be.
            told_at INTEGER,
            hooked_at INTEGER,
            tries INTEGER NOT NULL DEFAULT 0,
            retry_at INTEGER NOT NULL DEFAULT 0,
            problem TEXT
        );
        CREATE INDEX notice_untold ON notice(n) WHERE told_at IS NULL;
        CREATE INDEX notice_unhooked ON notice(n) WHERE hooked_at IS NULL;
        CREATE TABLE mail_intake (message TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TRIGGER message_arrival AFTER INSERT ON message
            WHEN new.flags & 1 = 0 AND EXISTS (SELECT 1 FROM setting WHERE name = 'watch.since')
        BEGIN INSERT OR IGNORE INTO mail_intake (message) VALUES (new.id); END;
        """
}
