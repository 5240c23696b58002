extension Schema {
    static let syncKinds = """
        -- A calendar of a server may hold tasks, events, or both: they are a board here, and a calendar.
        CREATE TABLE remote_calendar_new (
            n INTEGER PRIMARY KEY,
            account INTEGER NOT NULL REFERENCES account(n) ON DELETE CASCADE,
            href TEXT NOT NULL,
            calendar TEXT,
            board TEXT,
            -- What the other side said of its state: the same words mean that nothing changed.
            marker TEXT,
            token TEXT,
            is_read_only INTEGER NOT NULL DEFAULT 0,
            -- The last change set that was looked at for changed tasks.
            seen INTEGER NOT NULL DEFAULT -1,
            UNIQUE (account, href)
        );
        -- The events and tasks that are on both sides, as they were when those last agreed. Those without either are of
        -- kinds that helix does not keep.
        CREATE TABLE remote_object (
            calendar INTEGER NOT NULL REFERENCES remote_calendar_new(n) ON DELETE CASCADE,
            href TEXT NOT NULL,
            etag TEXT NOT NULL,
            event TEXT,
            task TEXT,
            text TEXT,
            PRIMARY KEY (calendar, href)
        ) WITHOUT ROWID;
        -- Without marks: tasks, which were left alone until now, are looked for.
        INSERT INTO remote_calendar_new (n, account, href, calendar, is_read_only)
            SELECT n, account, href, calendar, is_read_only FROM remote_calendar;
        INSERT INTO remote_object (calendar, href, etag, event, text)
            SELECT calendar, href, etag, event, text FROM remote_event WHERE event IS NOT NULL;
        DROP TABLE remote_event;
        DROP TABLE remote_calendar;
        ALTER TABLE remote_calendar_new RENAME TO remote_calendar;
        CREATE INDEX remote_object_event ON remote_object(event) WHERE event IS NOT NULL;
        CREATE INDEX remote_object_task ON remote_object(task) WHERE task IS NOT NULL;

        -- What was changed on both sides, and waits for a person to choose.
        CREATE TABLE sync_conflict (
            calendar INTEGER NOT NULL REFERENCES remote_calendar(n) ON DELETE CASCADE,
            href TEXT NOT NULL,
            -- The other side's state, and what it says.
            etag TEXT NOT NULL,
            theirs TEXT NOT NULL,
            zones TEXT,
            found_at INTEGER NOT NULL,
            PRIMARY KEY (calendar, href)
        ) WITHOUT ROWID;

        -- Messages with iCalendar in them that nobody has looked at for what they say of events.
        CREATE TABLE invitation_mail (message TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TRIGGER message_invitation AFTER INSERT ON message WHEN new.traits & 4 <> 0 BEGIN
            INSERT OR IGNORE INTO invitation_mail (message) VALUES (new.id);
        END;
        """
}

extension Schema {
    static let sentObjects = """
        -- Whether we wrote this state ourselves and the other side has not listed it since: it names its own changes and ours alike.
        ALTER TABLE remote_object ADD COLUMN is_sent INTEGER NOT NULL DEFAULT 0;
        """

    static let refusedObjects = """
        -- What the other side refused to take for good: it is not sent again as it is.
        CREATE TABLE refused_object (
            calendar INTEGER NOT NULL REFERENCES remote_calendar(n) ON DELETE CASCADE,
            href TEXT NOT NULL,
            -- Its components; empty if it was to be removed.
            text TEXT NOT NULL,
            PRIMARY KEY (calendar, href)
        ) WITHOUT ROWID;
        """
}
