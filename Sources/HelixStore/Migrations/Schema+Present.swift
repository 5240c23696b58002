extension Schema {
    /// The schema of a new store, generated from the migrations by PresentSchemaTests.
    static let present = #"""
        CREATE TABLE change_set (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, made_at INTEGER NOT NULL, command
            TEXT NOT NULL, summary TEXT NOT NULL, device TEXT NOT NULL, reverses INTEGER REFERENCES change_set(n),
            reversed_by INTEGER REFERENCES change_set(n), origin TEXT NOT NULL DEFAULT 'command', final TEXT, actor
            TEXT, actor_name TEXT COLLATE NOCASE, run TEXT);
        CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE calendar (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE COLLATE
            NOCASE, color TEXT NOT NULL, is_hidden INTEGER NOT NULL DEFAULT 0, is_default INTEGER NOT NULL DEFAULT
            0, position INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE event (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, calendar TEXT NOT NULL REFERENCES
            calendar(id), uid TEXT NOT NULL, text TEXT NOT NULL, zones TEXT, expanded_to INTEGER, is_dense INTEGER
            NOT NULL DEFAULT 0, UNIQUE (calendar, uid));
        CREATE INDEX event_expanded ON event(expanded_to) WHERE expanded_to IS NOT NULL;
        CREATE INDEX event_dense ON event(n) WHERE is_dense = 1;
        CREATE TABLE component (n INTEGER PRIMARY KEY, event INTEGER NOT NULL REFERENCES event(n), ordinal INTEGER
            NOT NULL, id TEXT NOT NULL, uid TEXT NOT NULL, title TEXT NOT NULL, location TEXT, url TEXT, categories
            TEXT, status TEXT NOT NULL, is_opaque INTEGER NOT NULL, zone TEXT, travel INTEGER NOT NULL DEFAULT 0,
            declined_by TEXT, is_recurring INTEGER NOT NULL, people TEXT, description TEXT);
        CREATE INDEX component_event ON component(event);
        CREATE TABLE occurrence (span INTEGER NOT NULL, start INTEGER NOT NULL, component INTEGER NOT NULL, "end"
            INTEGER NOT NULL, basis INTEGER NOT NULL, recurrence INTEGER, event INTEGER NOT NULL, calendar INTEGER
            NOT NULL, flags INTEGER NOT NULL, PRIMARY KEY (span, start, component)) WITHOUT ROWID;
        CREATE INDEX occurrence_component ON occurrence(component);
        CREATE TABLE board (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE COLLATE
            NOCASE, is_default INTEGER NOT NULL DEFAULT 0, position INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE board_column (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, board TEXT NOT NULL REFERENCES
            board(id), name TEXT NOT NULL COLLATE NOCASE, position INTEGER NOT NULL, wip_limit INTEGER, is_done
            INTEGER NOT NULL DEFAULT 0, UNIQUE (board, name));
        CREATE TABLE project (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE COLLATE
            NOCASE, status TEXT NOT NULL, customer TEXT, start TEXT, due TEXT, assignee TEXT, budget_time INTEGER,
            budget_money TEXT, hourly_rate TEXT, currency TEXT, notes TEXT, blocks TEXT, created_at INTEGER NOT
            NULL);
        CREATE TABLE task (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, state TEXT NOT NULL, kind TEXT NOT NULL,
            column_id TEXT NOT NULL REFERENCES board_column(id), rank TEXT NOT NULL, priority INTEGER, due INTEGER,
            due_day INTEGER NOT NULL DEFAULT 0, scheduled INTEGER, scheduled_day INTEGER NOT NULL DEFAULT 0,
            hidden_until INTEGER, hidden_day INTEGER NOT NULL DEFAULT 0, estimate INTEGER, project TEXT REFERENCES
            project(id), block TEXT, parent TEXT REFERENCES task(id), assignee TEXT, recurrence TEXT, series TEXT,
            percent INTEGER, created_at INTEGER NOT NULL, modified_at INTEGER NOT NULL DEFAULT 0, started_at
            INTEGER, completed_at INTEGER, tags TEXT, blockers INTEGER NOT NULL DEFAULT 0, blocking INTEGER NOT NULL
            DEFAULT 0, title TEXT NOT NULL, checklist TEXT, uid TEXT, notes TEXT, source TEXT, extra TEXT);
        CREATE INDEX task_open ON task(kind, due, due_day, priority, scheduled, scheduled_day, hidden_until,
            hidden_day, project, tags, blockers, blocking, created_at, started_at, column_id, state) WHERE state =
            'open';
        CREATE INDEX task_column ON task(column_id, state, kind, rank);
        CREATE INDEX task_project ON task(project, state) WHERE project IS NOT NULL;
        CREATE INDEX task_parent ON task(parent) WHERE parent IS NOT NULL;
        CREATE INDEX task_series ON task(series) WHERE series IS NOT NULL;
        CREATE INDEX task_uid ON task(uid) WHERE uid IS NOT NULL;
        CREATE INDEX task_completed ON task(completed_at) WHERE completed_at IS NOT NULL;
        CREATE TABLE link (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, a TEXT NOT NULL, b TEXT NOT NULL, kind
            TEXT NOT NULL, UNIQUE (a, b, kind));
        CREATE INDEX link_b ON link(b, a);
        CREATE TRIGGER task_blocks_insert AFTER INSERT ON link WHEN new.kind = 'blocks' BEGIN UPDATE task SET
            blockers = blockers + 1 WHERE id = new.b AND EXISTS (SELECT 1 FROM task t WHERE t.id = new.a AND t.state
            = 'open'); UPDATE task SET blocking = blocking + 1 WHERE id = new.a AND EXISTS (SELECT 1 FROM task t
            WHERE t.id = new.b AND t.state = 'open'); END;
        CREATE TRIGGER task_blocks_delete AFTER DELETE ON link WHEN old.kind = 'blocks' BEGIN UPDATE task SET
            blockers = blockers - 1 WHERE id = old.b AND EXISTS (SELECT 1 FROM task t WHERE t.id = old.a AND t.state
            = 'open'); UPDATE task SET blocking = blocking - 1 WHERE id = old.a AND EXISTS (SELECT 1 FROM task t
            WHERE t.id = old.b AND t.state = 'open'); END;
        CREATE TRIGGER task_blocks_state AFTER UPDATE OF state ON task WHEN (old.state = 'open') <> (new.state =
            'open') BEGIN UPDATE task SET blockers = blockers + CASE new.state WHEN 'open' THEN 1 ELSE -1 END WHERE
            id IN (SELECT b FROM link WHERE a = new.id AND kind = 'blocks'); UPDATE task SET blocking = blocking +
            CASE new.state WHEN 'open' THEN 1 ELSE -1 END WHERE id IN (SELECT a FROM link WHERE b = new.id AND kind
            = 'blocks'); END;
        CREATE TABLE saved_view (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE COLLATE
            NOCASE, filter TEXT NOT NULL);
        CREATE TABLE time_entry (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, start INTEGER NOT NULL, "end"
            INTEGER, title TEXT, task TEXT, project TEXT REFERENCES project(id), tags TEXT, is_billable INTEGER NOT
            NULL DEFAULT 0, note TEXT, origin TEXT, CHECK ("end" IS NULL OR "end" > start));
        CREATE UNIQUE INDEX time_entry_running ON time_entry("end" IS NULL) WHERE "end" IS NULL;
        CREATE INDEX time_entry_task ON time_entry(task) WHERE task IS NOT NULL;
        CREATE INDEX time_entry_project ON time_entry(project, start) WHERE project IS NOT NULL;
        CREATE TABLE material (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, project TEXT NOT NULL REFERENCES
            project(id), name TEXT NOT NULL, quantity TEXT NOT NULL, unit TEXT NOT NULL, unit_price TEXT NOT NULL,
            supplier TEXT, receipt TEXT, bought_on TEXT, created_at INTEGER NOT NULL);
        CREATE INDEX material_project ON material(project);
        CREATE TABLE attachment (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, project TEXT NOT NULL REFERENCES
            project(id), name TEXT NOT NULL, role TEXT NOT NULL, sha256 TEXT NOT NULL, size INTEGER NOT NULL,
            created_at INTEGER NOT NULL);
        CREATE INDEX attachment_project ON attachment(project);
        CREATE INDEX attachment_hash ON attachment(sha256);
        CREATE TABLE account (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE COLLATE
            NOCASE, kind TEXT NOT NULL, path TEXT NOT NULL, position INTEGER NOT NULL DEFAULT 0, settings TEXT);
        CREATE TABLE saved_search (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE COLLATE
            NOCASE, query TEXT NOT NULL);
        CREATE TABLE mail_folder (account INTEGER NOT NULL REFERENCES account(n) ON DELETE CASCADE, path TEXT NOT
            NULL, changed_at INTEGER NOT NULL, PRIMARY KEY (account, path)) WITHOUT ROWID;
        CREATE TABLE mailbox (n INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account(n) ON DELETE
            CASCADE, path TEXT NOT NULL, name TEXT NOT NULL COLLATE NOCASE, role TEXT, cur_at INTEGER NOT NULL
            DEFAULT 0, new_at INTEGER NOT NULL DEFAULT 0, UNIQUE (account, path));
        CREATE TABLE message (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, account INTEGER NOT NULL REFERENCES
            account(n), mailbox INTEGER NOT NULL REFERENCES mailbox(n), file TEXT NOT NULL, is_new INTEGER NOT NULL,
            letters TEXT, flags INTEGER NOT NULL, traits INTEGER NOT NULL, date INTEGER NOT NULL, thread INTEGER NOT
            NULL, subject_key INTEGER, size INTEGER NOT NULL, message_id TEXT, refs TEXT, sender TEXT NOT NULL,
            recipients TEXT NOT NULL, cc TEXT, bcc TEXT, reply_to TEXT, subject TEXT NOT NULL, list TEXT,
            attachments TEXT, labels TEXT, snippet TEXT NOT NULL);
        CREATE INDEX message_mailbox ON message(mailbox);
        CREATE INDEX message_unread ON message(mailbox) WHERE flags & 1 = 0;
        CREATE INDEX message_starred ON message(mailbox) WHERE flags & 4;
        CREATE INDEX message_labels ON message(labels) WHERE labels IS NOT NULL;
        CREATE INDEX message_file ON message(mailbox, file, is_new, flags, letters);
        CREATE INDEX message_thread ON message(thread);
        CREATE INDEX message_subject ON message(subject_key) WHERE subject_key IS NOT NULL;
        CREATE TABLE thread_reference (key INTEGER PRIMARY KEY, thread INTEGER NOT NULL);
        CREATE TABLE lost_label (id TEXT PRIMARY KEY, labels TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE message_body (n INTEGER PRIMARY KEY, body TEXT NOT NULL);
        CREATE VIEW message_content AS SELECT m.n, m.subject, m.sender, m.recipients || ' ' || ifnull(m.cc, '') || '
            ' || ifnull(m.bcc, '') AS people, m.attachments, b.body FROM message m JOIN message_body b ON b.n = m.n;
        CREATE VIRTUAL TABLE message_text USING fts5(subject, sender, people, attachments, body,
            content = 'message_content', content_rowid = 'n', tokenize = 'scripts remove_diacritics 2');
        CREATE TABLE outgoing (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, account TEXT NOT
            NULL, state TEXT NOT NULL, made_at INTEGER NOT NULL, leaves_at INTEGER NOT NULL, tries INTEGER NOT NULL
            DEFAULT 0, problem TEXT, message_id TEXT NOT NULL, sender TEXT NOT NULL, recipients TEXT NOT NULL,
            subject TEXT NOT NULL, sha256 TEXT NOT NULL, size INTEGER NOT NULL, follow_up INTEGER);
        CREATE INDEX outgoing_hash ON outgoing(sha256);
        CREATE TABLE remote_mailbox (n INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account(n) ON DELETE
            CASCADE, name TEXT NOT NULL, path TEXT NOT NULL, uid_validity INTEGER NOT NULL, uid_next INTEGER NOT
            NULL DEFAULT 1, count INTEGER NOT NULL DEFAULT 0, mod_seq INTEGER, pending TEXT, denied INTEGER NOT NULL
            DEFAULT 0, delimiter TEXT, object_id TEXT, UNIQUE (account, name));
        CREATE TABLE remote_message (mailbox INTEGER NOT NULL REFERENCES remote_mailbox(n) ON DELETE CASCADE, uid
            INTEGER NOT NULL, file TEXT NOT NULL, flags INTEGER NOT NULL, labels TEXT, key INTEGER, PRIMARY KEY
            (mailbox, uid)) WITHOUT ROWID;
        CREATE INDEX remote_message_file ON remote_message(mailbox, file, uid, flags, labels, key);
        CREATE TABLE sync_state (account INTEGER PRIMARY KEY REFERENCES account(n) ON DELETE CASCADE, synced_at
            INTEGER, tried_at INTEGER NOT NULL, problem TEXT);
        CREATE TABLE departed (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, left_at INTEGER NOT NULL, answer TEXT
            NOT NULL) WITHOUT ROWID;
        CREATE INDEX message_attachment ON message(n, flags) WHERE traits & 1 <> 0;
        CREATE TABLE "remote_calendar" (n INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account(n) ON
            DELETE CASCADE, href TEXT NOT NULL, calendar TEXT, board TEXT, marker TEXT, token TEXT, is_read_only
            INTEGER NOT NULL DEFAULT 0, seen INTEGER NOT NULL DEFAULT -1, schedules INTEGER, appearance TEXT, book
            TEXT, UNIQUE (account, href));
        CREATE TABLE remote_object (calendar INTEGER NOT NULL REFERENCES "remote_calendar"(n) ON DELETE CASCADE,
            href TEXT NOT NULL, etag TEXT NOT NULL, event TEXT, task TEXT, text TEXT, is_sent INTEGER NOT NULL
            DEFAULT 0, contact TEXT, PRIMARY KEY (calendar, href)) WITHOUT ROWID;
        CREATE INDEX remote_object_event ON remote_object(event) WHERE event IS NOT NULL;
        CREATE INDEX remote_object_task ON remote_object(task) WHERE task IS NOT NULL;
        CREATE TABLE sync_conflict (calendar INTEGER NOT NULL REFERENCES remote_calendar(n) ON DELETE CASCADE, href
            TEXT NOT NULL, etag TEXT NOT NULL, theirs TEXT NOT NULL, zones TEXT, found_at INTEGER NOT NULL, PRIMARY
            KEY (calendar, href)) WITHOUT ROWID;
        CREATE TABLE invitation_mail (message TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TRIGGER message_invitation AFTER INSERT ON message WHEN new.traits & 4 <> 0 BEGIN INSERT OR IGNORE
            INTO invitation_mail (message) VALUES (new.id); END;
        CREATE TABLE remote_sending (calendar INTEGER NOT NULL REFERENCES remote_calendar(n) ON DELETE CASCADE, href
            TEXT NOT NULL, event TEXT, task TEXT, text TEXT NOT NULL, contact TEXT, PRIMARY KEY (calendar, href))
            WITHOUT ROWID;
        CREATE TABLE replica (account INTEGER NOT NULL REFERENCES account(n) ON DELETE CASCADE, entity TEXT NOT
            NULL, kind TEXT NOT NULL, base TEXT NOT NULL, PRIMARY KEY (account, entity)) WITHOUT ROWID;
        CREATE TABLE replica_cursor (account INTEGER PRIMARY KEY REFERENCES account(n) ON DELETE CASCADE, theirs
            TEXT, ours INTEGER, seen TEXT);
        CREATE TABLE conversation (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, name TEXT NOT
            NULL, account TEXT, created_at INTEGER NOT NULL, is_archived INTEGER NOT NULL DEFAULT 0, is_muted
            INTEGER NOT NULL DEFAULT 0, invited TEXT NOT NULL DEFAULT '', remote TEXT, role TEXT DEFAULT 'owner',
            read_up_to INTEGER NOT NULL DEFAULT 0, first_seq INTEGER NOT NULL DEFAULT 1, synced TEXT, problem TEXT,
            absent_to INTEGER, description TEXT NOT NULL DEFAULT '');
        CREATE INDEX conversation_account ON conversation(account, remote);
        CREATE TABLE chat_member (conversation TEXT NOT NULL REFERENCES conversation(id) ON DELETE CASCADE, user
            TEXT NOT NULL, name TEXT NOT NULL, role TEXT NOT NULL, delivered_up_to INTEGER NOT NULL DEFAULT 0,
            read_up_to INTEGER NOT NULL DEFAULT 0, is_me INTEGER NOT NULL DEFAULT 0, pending TEXT, problem TEXT,
            sees_all INTEGER NOT NULL DEFAULT 0, pending_after INTEGER NOT NULL DEFAULT 0, display_name TEXT NOT
            NULL DEFAULT '', PRIMARY KEY (conversation, user)) WITHOUT ROWID;
        CREATE TABLE chat_message (n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, conversation TEXT
            NOT NULL REFERENCES conversation(id) ON DELETE CASCADE, content TEXT NOT NULL, role TEXT NOT NULL
            DEFAULT 'user', sender TEXT NOT NULL, is_mine INTEGER NOT NULL, sent_at INTEGER NOT NULL, reply_to TEXT,
            is_deleted INTEGER NOT NULL DEFAULT 0, seq INTEGER, state TEXT NOT NULL DEFAULT 'sent', tries INTEGER
            NOT NULL DEFAULT 0, retry_at INTEGER NOT NULL DEFAULT 0, problem TEXT, synced TEXT, edited_at INTEGER,
            is_mention INTEGER NOT NULL DEFAULT 0, remote TEXT, metadata TEXT, platform TEXT, device TEXT, thinking
            TEXT, stored_at INTEGER, reactions TEXT, pinned_at INTEGER, removed_by TEXT);
        CREATE INDEX chat_message_seq ON chat_message(conversation, seq);
        CREATE INDEX chat_message_waiting ON chat_message(state, n) WHERE state <> 'sent';
        CREATE TABLE chat_attachment (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, message TEXT NOT NULL,
            position INTEGER NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, size INTEGER NOT NULL, sha256 TEXT
            NOT NULL);
        CREATE INDEX chat_attachment_message ON chat_attachment(message);
        CREATE INDEX chat_attachment_hash ON chat_attachment(sha256);
        CREATE TABLE chat_withdrawal (id TEXT PRIMARY KEY, account TEXT NOT NULL, remote TEXT) WITHOUT ROWID;
        CREATE TABLE chat_cursor (account TEXT PRIMARY KEY, cursor TEXT, user TEXT, name TEXT, seen TEXT) WITHOUT
            ROWID;
        CREATE VIRTUAL TABLE chat_message_text USING fts5(content, content = 'chat_message', content_rowid = 'n',
            tokenize = 'scripts remove_diacritics 2');
        CREATE TABLE "change" (change_set INTEGER NOT NULL REFERENCES change_set(n), ordinal INTEGER NOT NULL, kind
            TEXT NOT NULL, entity TEXT NOT NULL, operation TEXT NOT NULL CHECK (operation = 'create' OR operation =
            'update' OR operation = 'delete'), before TEXT, after TEXT, PRIMARY KEY (change_set, ordinal)) WITHOUT
            ROWID;
        CREATE INDEX change_entity ON change(entity);
        CREATE TABLE replica_time (entity TEXT PRIMARY KEY, change_set INTEGER NOT NULL, at INTEGER NOT NULL)
            WITHOUT ROWID;
        CREATE TABLE mailbox_number (n INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, path TEXT,
            lost_path TEXT, UNIQUE (account, path));
        CREATE TABLE account_number (n INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL UNIQUE);
        CREATE VIRTUAL TABLE event_text USING fts5(title, location, description, people, categories,
            content = 'component', content_rowid = 'n', tokenize = 'scripts remove_diacritics 2');
        CREATE VIRTUAL TABLE task_text USING fts5(title, tags, notes, content = 'task', content_rowid = 'n',
            tokenize = 'scripts remove_diacritics 2');
        CREATE TABLE remote_email (account INTEGER NOT NULL REFERENCES account(n) ON DELETE CASCADE, n INTEGER NOT
            NULL, id TEXT NOT NULL, PRIMARY KEY (account, n), UNIQUE (account, id)) WITHOUT ROWID;
        CREATE TABLE remote_mail_state (account INTEGER PRIMARY KEY REFERENCES account(n) ON DELETE CASCADE, state
            TEXT NOT NULL, session TEXT);
        CREATE TABLE refused_object (calendar INTEGER NOT NULL REFERENCES remote_calendar(n) ON DELETE CASCADE, href
            TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (calendar, href)) WITHOUT ROWID;
        CREATE TABLE replica_file (account INTEGER NOT NULL REFERENCES account(n) ON DELETE CASCADE, sha256 TEXT NOT
            NULL, PRIMARY KEY (account, sha256)) WITHOUT ROWID;
        CREATE TABLE mailbox_change (change_set INTEGER PRIMARY KEY REFERENCES change_set(n), account TEXT NOT NULL,
            former TEXT, name TEXT);
        CREATE TABLE served_message (id TEXT NOT NULL, n INTEGER NOT NULL, account INTEGER NOT NULL REFERENCES
            account(n) ON DELETE CASCADE, mailbox INTEGER NOT NULL, flags INTEGER NOT NULL, labels TEXT, created
            INTEGER NOT NULL, changed INTEGER NOT NULL, is_gone INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (id, n))
            WITHOUT ROWID;
        CREATE INDEX served_message_changed ON served_message(account, changed);
        CREATE TABLE served_round (account INTEGER NOT NULL REFERENCES account(n) ON DELETE CASCADE, last INTEGER
            NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (account, last)) WITHOUT ROWID;
        CREATE TRIGGER mailbox_renamed AFTER UPDATE OF path ON mailbox WHEN old.path <> new.path BEGIN UPDATE
            mailbox_number SET lost_path = path, path = NULL WHERE account = (SELECT id FROM account WHERE n =
            new.account) AND path = new.path AND n <> new.n; UPDATE mailbox_number SET path = new.path, lost_path =
            NULL WHERE n = new.n; END;
        CREATE INDEX time_entry_start ON time_entry(start);
        CREATE INDEX time_entry_long ON time_entry("end", start) WHERE "end" - start > 86400;
        CREATE INDEX replica_unsent ON replica(account) WHERE base = '';
        CREATE TRIGGER task_blocks_create AFTER INSERT ON task WHEN EXISTS (SELECT 1 FROM link WHERE a = new.id) OR
            EXISTS (SELECT 1 FROM link WHERE b = new.id) BEGIN UPDATE task SET blockers = (SELECT COUNT(*) FROM link
            l JOIN task o ON o.id = l.a WHERE l.b = new.id AND l.kind = 'blocks' AND o.state = 'open'), blocking =
            (SELECT COUNT(*) FROM link l JOIN task o ON o.id = l.b WHERE l.a = new.id AND l.kind = 'blocks' AND
            o.state = 'open') WHERE id = new.id; UPDATE task SET blockers = blockers + 1 WHERE new.state = 'open'
            AND id IN (SELECT b FROM link WHERE a = new.id AND kind = 'blocks'); UPDATE task SET blocking = blocking
            + 1 WHERE new.state = 'open' AND id IN (SELECT a FROM link WHERE b = new.id AND kind = 'blocks'); END;
        CREATE TRIGGER task_blocks_remove AFTER DELETE ON task WHEN old.state = 'open' BEGIN UPDATE task SET
            blockers = blockers - 1 WHERE id IN (SELECT b FROM link WHERE a = old.id AND kind = 'blocks'); UPDATE
            task SET blocking = blocking - 1 WHERE id IN (SELECT a FROM link WHERE b = old.id AND kind = 'blocks');
            END;
        CREATE TABLE sync_failure (n INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account(n) ON DELETE
            CASCADE, at INTEGER NOT NULL);
        CREATE INDEX sync_failure_account ON sync_failure(account, at);
        CREATE INDEX chat_message_pinned ON chat_message(conversation, pinned_at) WHERE pinned_at IS NOT NULL;
        CREATE TABLE replica_conflict (account INTEGER NOT NULL REFERENCES account(n) ON DELETE CASCADE, entity TEXT
            NOT NULL, kind TEXT NOT NULL, theirs TEXT NOT NULL, changed_at INTEGER, found_at INTEGER NOT NULL,
            is_resolved INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (account, entity)) WITHOUT ROWID;
        CREATE INDEX change_set_actor ON change_set(actor_name) WHERE actor_name IS NOT NULL;
        CREATE INDEX change_set_run ON change_set(run) WHERE run IS NOT NULL;
        CREATE TABLE proposal (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, profile TEXT NOT NULL COLLATE NOCASE,
            run TEXT NOT NULL, made_at INTEGER NOT NULL);
        CREATE TABLE proposal_step (proposal INTEGER NOT NULL REFERENCES proposal(n) ON DELETE CASCADE, n INTEGER
            NOT NULL, id TEXT NOT NULL UNIQUE, command TEXT NOT NULL, summary TEXT NOT NULL, made_at INTEGER NOT
            NULL, reverses TEXT, state TEXT NOT NULL, decided_at INTEGER, PRIMARY KEY (proposal, n)) WITHOUT ROWID;
        CREATE INDEX proposal_step_pending ON proposal_step(proposal, n) WHERE state = 'pending';
        CREATE TABLE proposal_change (proposal INTEGER NOT NULL, step INTEGER NOT NULL, ordinal INTEGER NOT NULL,
            kind TEXT NOT NULL, entity TEXT NOT NULL, operation TEXT NOT NULL, before TEXT, after TEXT, sha256 TEXT,
            PRIMARY KEY (proposal, step, ordinal), FOREIGN KEY (proposal, step) REFERENCES proposal_step(proposal,
            n) ON DELETE CASCADE) WITHOUT ROWID;
        CREATE INDEX proposal_change_bytes ON proposal_change(sha256) WHERE sha256 IS NOT NULL;
        CREATE TABLE proposal_comment (n INTEGER PRIMARY KEY, proposal INTEGER NOT NULL REFERENCES proposal(n) ON
            DELETE CASCADE, author TEXT NOT NULL, made_at INTEGER NOT NULL, text TEXT NOT NULL);
        CREATE TABLE assistant_text (kind TEXT NOT NULL, subject TEXT NOT NULL, source TEXT NOT NULL, model TEXT NOT
            NULL, made_at INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (kind, subject)) WITHOUT ROWID;
        CREATE TABLE embedding (id TEXT PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID;
        CREATE TRIGGER embedding_message AFTER DELETE ON message BEGIN DELETE FROM embedding WHERE id = old.id; END;
        CREATE TRIGGER embedding_event AFTER DELETE ON event BEGIN DELETE FROM embedding WHERE id = old.id; END;
        CREATE TRIGGER embedding_event_text AFTER UPDATE OF text ON event BEGIN DELETE FROM embedding WHERE id =
            old.id; END;
        CREATE TRIGGER embedding_task AFTER DELETE ON task BEGIN DELETE FROM embedding WHERE id = old.id; END;
        CREATE TRIGGER embedding_task_text AFTER UPDATE OF title, notes ON task WHEN old.title IS NOT new.title OR
            old.notes IS NOT new.notes BEGIN DELETE FROM embedding WHERE id = old.id; END;
        CREATE TRIGGER embedding_chat_message AFTER DELETE ON chat_message BEGIN DELETE FROM embedding WHERE id =
            old.id; END;
        CREATE TRIGGER embedding_chat_message_text AFTER UPDATE OF content, is_deleted ON chat_message WHEN
            old.content IS NOT new.content OR new.is_deleted BEGIN DELETE FROM embedding WHERE id = old.id; END;
        CREATE TRIGGER embedding_unmarked AFTER DELETE ON embedding BEGIN DELETE FROM setting WHERE name =
            'embedding.whole'; END;
        CREATE TRIGGER embedding_message_new AFTER INSERT ON message_body BEGIN DELETE FROM setting WHERE name =
            'embedding.whole'; END;
        CREATE TRIGGER embedding_event_new AFTER INSERT ON event BEGIN DELETE FROM setting WHERE name =
            'embedding.whole'; END;
        CREATE TRIGGER embedding_task_new AFTER INSERT ON task BEGIN DELETE FROM setting WHERE name =
            'embedding.whole'; END;
        CREATE TRIGGER embedding_chat_message_new AFTER INSERT ON chat_message BEGIN DELETE FROM setting WHERE name
            = 'embedding.whole'; END;
        CREATE INDEX event_far_alarm ON event(n) WHERE instr(text, 'BEGIN:VALARM') > 0 AND (instr(text,
            'VALUE=DATE-TIME') > 0 OR text GLOB '*TRIGGER*:*P[0-9][0-9]*' OR text GLOB '*TRIGGER*:[0-9]*' OR text
            GLOB '*TRIGGER*:*W*' OR text GLOB '*TRIGGER*:*PT[0-9][0-9][0-9]*' OR instr(text, 'REPEAT:') > 0);
        CREATE INDEX task_alarm ON task(n) WHERE state = 'open' AND instr(source, 'BEGIN:VALARM') > 0;
        CREATE TABLE notice (n INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
            entity TEXT, title TEXT NOT NULL, detail TEXT NOT NULL, at INTEGER NOT NULL, until INTEGER, told_at
            INTEGER, hooked_at INTEGER, tries INTEGER NOT NULL DEFAULT 0, retry_at INTEGER NOT NULL DEFAULT 0,
            problem TEXT);
        CREATE INDEX notice_untold ON notice(n) WHERE told_at IS NULL;
        CREATE INDEX notice_unhooked ON notice(n) WHERE hooked_at IS NULL;
        CREATE TABLE mail_intake (message TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TRIGGER message_arrival AFTER INSERT ON message WHEN new.flags & 1 = 0 AND EXISTS (SELECT 1 FROM
            setting WHERE name = 'watch.since') BEGIN INSERT OR IGNORE INTO mail_intake (message) VALUES (new.id);
            END;
        CREATE TABLE address_book (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE COLLATE
            NOCASE, is_default INTEGER NOT NULL DEFAULT 0, position INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE contact (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, book TEXT NOT NULL REFERENCES
            address_book(id), uid TEXT NOT NULL, text TEXT NOT NULL, UNIQUE (book, uid));
        CREATE INDEX contact_uid ON contact(uid);
        CREATE TABLE contact_card (n INTEGER PRIMARY KEY REFERENCES contact(n), kind TEXT NOT NULL, name TEXT NOT
            NULL, sort TEXT NOT NULL, organization TEXT, birthday TEXT, birth_year INTEGER, words TEXT NOT NULL);
        CREATE INDEX contact_card_sort ON contact_card(sort);
        CREATE INDEX contact_card_birthday ON contact_card(birthday) WHERE birthday IS NOT NULL;
        CREATE TABLE contact_address (contact INTEGER NOT NULL REFERENCES contact(n), kind TEXT NOT NULL, ordinal
            INTEGER NOT NULL, value TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (contact, kind, ordinal)) WITHOUT
            ROWID;
        CREATE INDEX contact_address_key ON contact_address(key, kind);
        CREATE VIRTUAL TABLE contact_text USING fts5(name, words, content = 'contact_card', content_rowid = 'n',
            tokenize = 'scripts remove_diacritics 2');
        CREATE INDEX remote_object_contact ON remote_object(contact) WHERE contact IS NOT NULL;
        CREATE TABLE message_signature (n INTEGER PRIMARY KEY REFERENCES message(n), verdict TEXT NOT NULL, signer
            TEXT NOT NULL, fingerprint TEXT NOT NULL, checked_at INTEGER NOT NULL);
        CREATE TABLE message_decrypted (n INTEGER PRIMARY KEY REFERENCES message(n));
        CREATE TRIGGER message_security_gone AFTER DELETE ON message BEGIN DELETE FROM message_signature WHERE n =
            old.n; DELETE FROM message_decrypted WHERE n = old.n; END;
        CREATE TABLE autocrypt_peer (address TEXT PRIMARY KEY, seen_at INTEGER NOT NULL, key BLOB NOT NULL,
            is_mutual INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX message_answered ON message(n) WHERE flags & 2 <> 0;
        CREATE INDEX message_snoozed ON message(n) WHERE instr(labels, ' snoozed-') > 0;
        CREATE INDEX message_muted ON message(thread) WHERE instr(labels, ' muted ') > 0;
        CREATE TABLE mail_rule (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE COLLATE
            NOCASE, query TEXT NOT NULL, actions TEXT NOT NULL, stops INTEGER NOT NULL DEFAULT 0, is_active INTEGER
            NOT NULL DEFAULT 1, position INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE rule_intake (message TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TABLE rule_problem (rule TEXT PRIMARY KEY, problem TEXT NOT NULL, found_at INTEGER NOT NULL) WITHOUT
            ROWID;
        CREATE TABLE sieve_script (account INTEGER PRIMARY KEY REFERENCES account(n) ON DELETE CASCADE, text TEXT
            NOT NULL, has_rules INTEGER NOT NULL, rules TEXT NOT NULL, former TEXT, includes INTEGER NOT NULL,
            extensions TEXT NOT NULL, vacation TEXT, put_at INTEGER NOT NULL);
        CREATE TRIGGER message_rules AFTER INSERT ON message WHEN EXISTS (SELECT 1 FROM mail_rule WHERE is_active)
            AND (SELECT CASE WHEN a.kind IN ('maildir', 'local') THEN b.cur_at <> 0 ELSE (SELECT s.synced_at FROM
            sync_state s WHERE s.account = a.n) IS NOT NULL END FROM mailbox b JOIN account a ON a.n = b.account
            WHERE b.n = new.mailbox) BEGIN INSERT OR IGNORE INTO rule_intake (message) VALUES (new.id); END;
        CREATE TABLE attachment_pending (n INTEGER PRIMARY KEY, problem TEXT);
        CREATE TRIGGER message_attached AFTER INSERT ON message WHEN new.traits & 17 = 1 BEGIN INSERT OR IGNORE INTO
            attachment_pending (n) VALUES (new.n); END;
        CREATE TRIGGER message_attached_gone AFTER DELETE ON message BEGIN DELETE FROM attachment_pending WHERE n =
            old.n; END;
        CREATE TABLE sent_label (account INTEGER NOT NULL REFERENCES account(n) ON DELETE CASCADE, message_id TEXT
            NOT NULL, labels TEXT NOT NULL, PRIMARY KEY (account, message_id)) WITHOUT ROWID;
        CREATE INDEX message_follow_up ON message(n) WHERE instr(labels, ' follow-up-') > 0;
        CREATE TABLE invoice (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, project TEXT REFERENCES project(id),
            number TEXT NOT NULL, customer TEXT NOT NULL, document TEXT NOT NULL, created_at INTEGER NOT NULL);
        CREATE INDEX invoice_number ON invoice(number COLLATE NOCASE);
        CREATE INDEX invoice_project ON invoice(project);
        CREATE TABLE invoice_number_given (number TEXT PRIMARY KEY) WITHOUT ROWID;
        INSERT INTO sqlite_sequence VALUES ('mailbox_number', 0);
        INSERT INTO sqlite_sequence VALUES ('account_number', 0);
        """#
}
