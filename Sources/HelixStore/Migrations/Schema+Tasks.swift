extension Schema {
    static let tasks = """
        CREATE TABLE board (
            n INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL UNIQUE COLLATE NOCASE,
            is_default INTEGER NOT NULL DEFAULT 0,
            position INTEGER NOT NULL DEFAULT 0
        );
        CREATE TABLE board_column (
            n INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            board TEXT NOT NULL REFERENCES board(id),
            name TEXT NOT NULL COLLATE NOCASE,
            position INTEGER NOT NULL,
            wip_limit INTEGER,
            is_done INTEGER NOT NULL DEFAULT 0,
            UNIQUE (board, name)
        );

        CREATE TABLE project (
            n INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL UNIQUE COLLATE NOCASE,
            status TEXT NOT NULL,
            customer TEXT,
            start TEXT,
            due TEXT,
            assignee TEXT,
            -- Seconds.
            budget_time INTEGER,
            -- Decimal numbers, never floating point.
            budget_money TEXT,
            hourly_rate TEXT,
            currency TEXT,
            notes TEXT,
            -- The named blocks of its tasks, in order: a JSON list.
            blocks TEXT,
            created_at INTEGER NOT NULL
        );

        CREATE TABLE task (
            n INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            state TEXT NOT NULL,
            kind TEXT NOT NULL,
            column_id TEXT NOT NULL REFERENCES board_column(id),
            rank TEXT NOT NULL,
            priority INTEGER,
            -- Seconds of UTC; of a whole day, its midnight on the wall clock, and the flag beside it is set.
            due INTEGER,
            due_day INTEGER NOT NULL DEFAULT 0,
            scheduled INTEGER,
            scheduled_day INTEGER NOT NULL DEFAULT 0,
            hidden_until INTEGER,
            hidden_day INTEGER NOT NULL DEFAULT 0,
            estimate INTEGER,
            project TEXT REFERENCES project(id),
            -- The project's block in which it stands.
            block TEXT,
            parent TEXT REFERENCES task(id),
            assignee TEXT,
            recurrence TEXT,
            series TEXT,
            percent INTEGER,
            created_at INTEGER NOT NULL,
            modified_at INTEGER NOT NULL DEFAULT 0,
            started_at INTEGER,
            completed_at INTEGER,
            -- Between blanks: ' billing urgent '.
            tags TEXT,
            -- How many open tasks it waits for, and how many wait for it; kept by the triggers below.
            blockers INTEGER NOT NULL DEFAULT 0,
            blocking INTEGER NOT NULL DEFAULT 0,
            title TEXT NOT NULL,
            checklist TEXT,
            uid TEXT,
            notes TEXT,
            source TEXT,
            extra TEXT
        );
        CREATE INDEX task_open ON task(
            kind, due, due_day, priority, scheduled, scheduled_day, hidden_until, hidden_day, project, tags, blockers,
            blocking, created_at, started_at, column_id, state
        ) WHERE state = 'open';
        CREATE INDEX task_column ON task(column_id, state, kind, rank);
        CREATE INDEX task_project ON task(project, state) WHERE project IS NOT NULL;
        CREATE INDEX task_parent ON task(parent) WHERE parent IS NOT NULL;
        CREATE INDEX task_series ON task(series) WHERE series IS NOT NULL;
        CREATE INDEX task_uid ON task(uid) WHERE uid IS NOT NULL;
        CREATE INDEX task_completed ON task(completed_at) WHERE completed_at IS NOT NULL;

        CREATE VIRTUAL TABLE task_text USING fts5(
            title, tags, notes, content = 'task', content_rowid = 'n', tokenize = 'unicode61 remove_diacritics 2'
        );
        -- Two entities that belong together. `a` blocks `b`, is a duplicate of it, or is just related to it.
        CREATE TABLE link (
            n INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            a TEXT NOT NULL,
            b TEXT NOT NULL,
            kind TEXT NOT NULL,
            UNIQUE (a, b, kind)
        );
        CREATE INDEX link_b ON link(b, a);

        CREATE TRIGGER task_blocks_insert AFTER INSERT ON link WHEN new.kind = 'blocks' BEGIN
            UPDATE task SET blockers = blockers + 1
                WHERE id = new.b AND EXISTS (SELECT 1 FROM task t WHERE t.id = new.a AND t.state = 'open');
            UPDATE task SET blocking = blocking + 1
                WHERE id = new.a AND EXISTS (SELECT 1 FROM task t WHERE t.id = new.b AND t.state = 'open');
        END;
        CREATE TRIGGER task_blocks_delete AFTER DELETE ON link WHEN old.kind = 'blocks' BEGIN
            UPDATE task SET blockers = blockers - 1
                WHERE id = old.b AND EXISTS (SELECT 1 FROM task t WHERE t.id = old.a AND t.state = 'open');
            UPDATE task SET blocking = blocking - 1
                WHERE id = old.a AND EXISTS (SELECT 1 FROM task t WHERE t.id = old.b AND t.state = 'open');
        END;
        CREATE TRIGGER task_blocks_state AFTER UPDATE OF state ON task
        WHEN (old.state = 'open') <> (new.state = 'open') BEGIN
            UPDATE task SET blockers = blockers + CASE new.state WHEN 'open' THEN 1 ELSE -1 END
                WHERE id IN (SELECT b FROM link WHERE a = new.id AND kind = 'blocks');
            UPDATE task SET blocking = blocking + CASE new.state WHEN 'open' THEN 1 ELSE -1 END
                WHERE id IN (SELECT a FROM link WHERE b = new.id AND kind = 'blocks');
        END;

        CREATE TABLE saved_view (
            n INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL UNIQUE COLLATE NOCASE,
            filter TEXT NOT NULL
        );

        CREATE TABLE time_entry (
            n INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            start INTEGER NOT NULL,
            -- The first second after it; null while it runs.
            "end" INTEGER,
            title TEXT,
            task TEXT,
            project TEXT REFERENCES project(id),
            tags TEXT,
            is_billable INTEGER NOT NULL DEFAULT 0,
            note TEXT,
            -- The event or other entity that it was proposed from.
            origin TEXT,
            CHECK ("end" IS NULL OR "end" > start)
        );
        CREATE UNIQUE INDEX time_entry_start ON time_entry(start);
        CREATE UNIQUE INDEX time_entry_running ON time_entry("end" IS NULL) WHERE "end" IS NULL;
        CREATE INDEX time_entry_task ON time_entry(task) WHERE task IS NOT NULL;
        CREATE INDEX time_entry_project ON time_entry(project, start) WHERE project IS NOT NULL;

        CREATE TABLE material (
            n INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            project TEXT NOT NULL REFERENCES project(id),
            name TEXT NOT NULL,
            -- Decimal numbers.
            quantity TEXT NOT NULL,
            unit TEXT NOT NULL,
            unit_price TEXT NOT NULL,
            supplier TEXT,
            -- The receipt's file.
            receipt TEXT,
            bought_on TEXT,
            created_at INTEGER NOT NULL
        );
        CREATE INDEX material_project ON material(project);

        -- A file of a project. Its bytes lie beside the store under their hash, once however often they are attached.
        CREATE TABLE attachment (
            n INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            project TEXT NOT NULL REFERENCES project(id),
            name TEXT NOT NULL,
            role TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            size INTEGER NOT NULL,
            created_at INTEGER NOT NULL
        );
        CREATE INDEX attachment_project ON attachment(project);
        CREATE INDEX attachment_hash ON attachment(sha256);

        DROP VIEW IF EXISTS entity;
        """

    /// Links of a sync may arrive before their tasks, and stay behind them: the counts are right in any order.
    static let dependencyCounts = """
        CREATE TRIGGER task_blocks_create AFTER INSERT ON task
        WHEN EXISTS (SELECT 1 FROM link WHERE a = new.id) OR EXISTS (SELECT 1 FROM link WHERE b = new.id) BEGIN
            UPDATE task SET
                blockers = (SELECT COUNT(*) FROM link l JOIN task o ON o.id = l.a
                    WHERE l.b = new.id AND l.kind = 'blocks' AND o.state = 'open'),
                blocking = (SELECT COUNT(*) FROM link l JOIN task o ON o.id = l.b
                    WHERE l.a = new.id AND l.kind = 'blocks' AND o.state = 'open')
                WHERE id = new.id;
            UPDATE task SET blockers = blockers + 1
                WHERE new.state = 'open' AND id IN (SELECT b FROM link WHERE a = new.id AND kind = 'blocks');
            UPDATE task SET blocking = blocking + 1
                WHERE new.state = 'open' AND id IN (SELECT a FROM link WHERE b = new.id AND kind = 'blocks');
        END;
        CREATE TRIGGER task_blocks_remove AFTER DELETE ON task WHEN old.state = 'open' BEGIN
            UPDATE task SET blockers = blockers - 1
                WHERE id IN (SELECT b FROM link WHERE a = old.id AND kind = 'blocks');
            UPDATE task SET blocking = blocking - 1
                WHERE id IN (SELECT a FROM link WHERE b = old.id AND kind = 'blocks');
        END;
        UPDATE task AS t SET
            blockers = (SELECT COUNT(*) FROM link l JOIN task o ON o.id = l.a
                WHERE l.b = t.id AND l.kind = 'blocks' AND o.state = 'open'),
            blocking = (SELECT COUNT(*) FROM link l JOIN task o ON o.id = l.b
                WHERE l.a = t.id AND l.kind = 'blocks' AND o.state = 'open')
            WHERE blockers <> 0 OR blocking <> 0 OR id IN (SELECT a FROM link WHERE kind = 'blocks')
                OR id IN (SELECT b FROM link WHERE kind = 'blocks');
        """

    /// Time entries of two devices may overlap, and start at the same time.
    static let overlappingTimes = """
        DROP INDEX time_entry_start;
        CREATE INDEX time_entry_start ON time_entry(start);
        -- Those that extend far beyond their start are few.
        CREATE INDEX time_entry_long ON time_entry("end", start) WHERE "end" - start > 86400;
        """
}
