import FoundationEssentials
import Glibc
import HelixModel
import HelixSQLite

/// The tables of the store and their migrations.
enum Schema {
    /// The number of the latest migration, stored in `PRAGMA user_version`, which is read without a query.
    static var version: Int { migrations.count }

    /// Migrates the database to this version, or rejects a newer one. An up-to-date database costs one pragma.
    static func prepare(_ database: Database, path: String, isReadOnly: Bool) throws {
        let found = try number(of: database)
        if found == version { return }
        if found < 0 {
            throw HelixError(
                .io, "the store at \(path) is damaged: its version is \(found)",
                hint: "'helix restore FILE' replaces it with a backup.")
        }
        if found > version {
            throw HelixError(
                .configuration,
                "the store at \(path) was made by a newer helix (version \(found), this one supports \(version))",
                hint: "Update helix. Nothing was changed.")
        }
        if isReadOnly {
            throw HelixError(
                .io, "the store at \(path) needs an update, but is read-only",
                hint: "Make it writable and open it once.")
        }
        try alone(in: path.deletingLastPathComponent) {
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            // Another process may have been first.
            let found = try number(of: database)
            // A new store is created at once: all migrations took two thirds of its first command.
            let steps = found == 0 ? [(present, version)] : (found..<version).map { (migrations[$0], $0 + 1) }
            for (sql, reached) in steps {
                try database.transaction(.immediate) {
                    try database.execute(sql: sql)
                    if reached == version { try database.execute(sql: EntityDescriptor.viewDefinition) }
                    try database.execute(sql: "PRAGMA user_version = \(reached)")
                }
            }
        }
    }

    private static func number(of database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    }

    /// Runs a step that only one process may execute at a time, under a lock on the folder that the system releases when the
    /// process dies.
    private static func alone(in folder: String, _ body: () throws -> Void) throws {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        if descriptor >= 0 { while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {} }
        try body()
    }

    /// The migrations, each from the version before. A released migration is never changed.
    static let migrations = [
        journal + calendar, tasks, mail, outbox, remotes, syncKinds, syncIntents, replicas, chat,
        dropCheckConstraints + restoredRecords + lastSeenCursors, chatLastSeenCursor + changeTimes,
        stableNumbers + wordsOfAllScripts,
        rights, emails, sentObjects, mailboxIDs + refusedObjects, glossaryNames, mailboxChanges, servedMail,
        changeOrigins, lostMailboxPaths, overlappingTimes, unsentReplicas, dependencyCounts,
        chatDetails + syncFailures, chatReactions, replicaConflicts,
        chatDisplayNames, changeActors, proposals, assistantTexts, embeddings, embeddingMarks, reminders, contacts,
        mailSecurity, mailRules, invoices,
    ]

    private static let journal = """
        CREATE TABLE change_set (
            n INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            made_at INTEGER NOT NULL,
            command TEXT NOT NULL,
            summary TEXT NOT NULL,
            device TEXT NOT NULL,
            -- The change set whose opposite this one is, if it is an undo or a redo.
            reverses INTEGER REFERENCES change_set(n),
            reversed_by INTEGER REFERENCES change_set(n)
        );
        CREATE TABLE change (
            change_set INTEGER NOT NULL REFERENCES change_set(n),
            ordinal INTEGER NOT NULL,
            kind TEXT NOT NULL,
            entity TEXT NOT NULL,
            operation TEXT NOT NULL CHECK (operation IN ('create', 'update', 'delete')),
            -- The changed fields only, as JSON objects. A create has neither: the entity itself is the copy.
            before TEXT,
            after TEXT,
            PRIMARY KEY (change_set, ordinal)
        ) WITHOUT ROWID;
        CREATE INDEX change_entity ON change(entity);
        CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        """

    /// For a check against a list, SQLite builds a table in memory for every inserted row, which took a tenth of an import.
    private static let dropCheckConstraints = """
        CREATE TABLE change_plain (
            change_set INTEGER NOT NULL REFERENCES change_set(n),
            ordinal INTEGER NOT NULL,
            kind TEXT NOT NULL,
            entity TEXT NOT NULL,
            operation TEXT NOT NULL CHECK (operation = 'create' OR operation = 'update' OR operation = 'delete'),
            -- The changed fields only, as JSON objects. A create has neither: the entity itself is the copy.
            before TEXT,
            after TEXT,
            PRIMARY KEY (change_set, ordinal)
        ) WITHOUT ROWID;
        INSERT INTO change_plain SELECT * FROM change;
        DROP TABLE change;
        ALTER TABLE change_plain RENAME TO change;
        CREATE INDEX change_entity ON change(entity);
        """

    private static let calendar = """
        CREATE TABLE calendar (
            n INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL UNIQUE COLLATE NOCASE,
            color TEXT NOT NULL,
            is_hidden INTEGER NOT NULL DEFAULT 0,
            is_default INTEGER NOT NULL DEFAULT 0,
            position INTEGER NOT NULL DEFAULT 0
        );

        -- One row per UID and calendar: the master and the occurrences that differ from it. `text` is the truth;
        -- what stands in component, occurrence and event_text is made from it.
        CREATE TABLE event (
            n INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            calendar TEXT NOT NULL REFERENCES calendar(id),
            uid TEXT NOT NULL,
            text TEXT NOT NULL,
            -- VTIMEZONEs that the system's zones cannot stand in for.
            zones TEXT,
            -- Up to where occurrences are stored, in seconds; null when all are.
            expanded_to INTEGER,
            -- Too many occurrences to store: views expand it themselves.
            is_dense INTEGER NOT NULL DEFAULT 0,
            UNIQUE (calendar, uid)
        );
        CREATE INDEX event_expanded ON event(expanded_to) WHERE expanded_to IS NOT NULL;
        CREATE INDEX event_dense ON event(n) WHERE is_dense = 1;

        CREATE TABLE component (
            n INTEGER PRIMARY KEY,
            event INTEGER NOT NULL REFERENCES event(n),
            -- Which component of the event's text, from 0.
            ordinal INTEGER NOT NULL,
            -- Of the event, so that a view need not read its long rows.
            id TEXT NOT NULL,
            uid TEXT NOT NULL,
            title TEXT NOT NULL,
            location TEXT,
            url TEXT,
            categories TEXT,
            status TEXT NOT NULL,
            is_opaque INTEGER NOT NULL,
            zone TEXT,
            travel INTEGER NOT NULL DEFAULT 0,
            -- Addresses of those who declined, in commas; '*' stands for the only one asked.
            declined_by TEXT,
            is_recurring INTEGER NOT NULL,
            -- 'Name <address>' lines: organizer and attendees.
            people TEXT,
            description TEXT
        );
        CREATE INDEX component_event ON component(event);

        -- Clustered so that a view is one range scan per span: 0 lasts up to 25 hours, 1 up to 8 days, 2 up to 64, 3 more.
        CREATE TABLE occurrence (
            span INTEGER NOT NULL,
            start INTEGER NOT NULL,
            component INTEGER NOT NULL,
            "end" INTEGER NOT NULL,
            -- What the two count: 0 seconds of UTC, 1 seconds of a wall clock, 2 midnights of days.
            basis INTEGER NOT NULL,
            -- The original start on the master's wall clock, if the event repeats.
            recurrence INTEGER,
            event INTEGER NOT NULL,
            calendar INTEGER NOT NULL,
            -- 1 takes up time, 2 tentative, 4 somebody declined, 8 has a way to it.
            flags INTEGER NOT NULL,
            PRIMARY KEY (span, start, component)
        ) WITHOUT ROWID;
        CREATE INDEX occurrence_component ON occurrence(component);

        CREATE VIRTUAL TABLE event_text USING fts5(
            title, location, description, people, categories,
            content = 'component', content_rowid = 'n', tokenize = 'unicode61 remove_diacritics 2'
        );
        """
}
