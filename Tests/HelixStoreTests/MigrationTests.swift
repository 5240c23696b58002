import Foundation
import HelixModel
import HelixSQLite
import TestSupport
import Testing

@testable import HelixStore

/// Stores of every version that was released are brought up to date with all that is in them, wherever that is broken off.
@Suite struct MigrationTests {
    private static let versions = Array(1..<Schema.version)

    /// A store as the version made it, with something in it.
    private func makeStore(_ version: Int, at path: String) throws {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        let db = try Database(path: path)
        try db.execute(sql: "PRAGMA journal_mode = WAL")
        try db.transaction(.immediate) {
            for sql in Schema.migrations[..<version] { try db.execute(sql: sql) }
            try db.execute(sql: "PRAGMA user_version = \(version)")
            try db.execute(sql: MigrationTests.calendarRows)
            if version >= 2 { try db.execute(sql: MigrationTests.taskRows) }
            if version >= 3 { try db.execute(sql: MigrationTests.mailRows) }
            if version >= 12 { try db.execute(sql: MigrationTests.numberRows) }
            // From version 20 on, a change set says where it came from.
            if version >= 20 {
                try db.execute(sql: "UPDATE change_set SET origin = 'sync' WHERE command = 'sync'")
            }
            let tables = MigrationTests.viewTables.filter { $0.version <= version }.flatMap(\.tables)
            try db.execute(
                sql: "CREATE VIEW entity AS "
                    + tables.map { "SELECT id, '\($0)' AS kind FROM \($0)" }.joined(separator: " UNION ALL "))
        }
        db.close()
    }

    /// The tables of the view of all entities, by the version that added them.
    private static let viewTables: [(version: Int, tables: [String])] = [
        (1, ["calendar", "event"]),
        (2, ["task", "board", "board_column", "project", "time_entry", "material", "attachment"]),
        (3, ["message", "account"]), (4, ["outgoing"]), (9, ["conversation", "chat_message"]),
    ]

    private static let calendarRows = """
        INSERT INTO calendar (id, name, color) VALUES ('aaaaaaaaaaaaaaaa', 'home', 'blue');
        INSERT INTO event (id, calendar, uid, text) VALUES ('bbbbbbbbbbbbbbbb', 'aaaaaaaaaaaaaaaa', 'u1',
            'BEGIN:VEVENT' || char(10) || 'UID:u1' || char(10) || 'DTSTART:20261120T090000Z' || char(10) ||
            'SUMMARY:Keep me' || char(10) || 'END:VEVENT' || char(10));
        INSERT INTO component (event, ordinal, id, uid, title, status, is_opaque, zone, is_recurring)
            VALUES (1, 0, 'bbbbbbbbbbbbbbbb', 'u1', 'Keep me', 'confirmed', 1, 'UTC', 0);
        INSERT INTO event_text (rowid, title) VALUES (1, 'Keep me');
        INSERT INTO occurrence (span, start, component, "end", basis, event, calendar, flags)
            VALUES (0, 1795165200, 1, 1795165200, 0, 1, 1, 1);
        INSERT INTO change_set (id, made_at, command, summary, device)
            VALUES ('cccccccccccccccc', 1790000000, 'cal add', 'add Keep me', 'd');
        INSERT INTO change (change_set, ordinal, kind, entity, operation)
            VALUES (1, 0, 'event', 'bbbbbbbbbbbbbbbb', 'create');
        """

    private static let taskRows = """
        INSERT INTO board (id, name, is_default) VALUES ('dddddddddddddddd', 'tasks', 1);
        INSERT INTO board_column (id, board, name, position) VALUES ('eeeeeeeeeeeeeeee', 'dddddddddddddddd', 'todo', 0);
        INSERT INTO task (id, state, kind, column_id, rank, created_at, title)
            VALUES ('ffffffffffffffff', 'open', 'task', 'eeeeeeeeeeeeeeee', 'a', 1790000000, 'Paint 会議室');
        INSERT INTO task_text (rowid, title) VALUES (1, 'Paint 会議室');
        """

    private static let mailRows = """
        INSERT INTO account (id, name, kind, path) VALUES ('gggggggggggggggg', 'old', 'maildir', '/nonexistent/mail');
        INSERT INTO mailbox (account, path, name) VALUES (1, '', 'INBOX');
        INSERT INTO change_set (id, made_at, command, summary, device)
            VALUES ('iiiiiiiiiiiiiiii', 1790000000, 'sync', 'moved', 'd');
        INSERT INTO change (change_set, ordinal, kind, entity, operation, before, after)
            VALUES (2, 1, 'message', 'hhhhhhhhhhhhhhhh', 'update', '{"mailbox":7}', '{"mailbox":1}');
        """

    /// From version 12 on, a mailbox has its number for good.
    private static let numberRows = """
        INSERT OR IGNORE INTO mailbox_number (n, account, path) VALUES (1, 'gggggggggggggggg', ''), (7, 'gggggggggggggggg', NULL);
        """

    private func contents(_ path: String) throws -> [String] {
        let store = try Store(path: path, now: Instant(1_795_000_000))
        let health = try store.health()
        #expect(health.problems.isEmpty, "\(health.problems)")
        #expect(health.schemaVersion == Schema.version)
        return try ["SELECT title FROM component", "SELECT title FROM task", "SELECT name FROM mailbox"].flatMap {
            sql in
            try store.read { try String.fetchAll($0, sql: sql) }
        }
    }

    private func expected(_ version: Int) -> [String] {
        ["Keep me"] + (version >= 2 ? ["Paint 会議室"] : []) + (version >= 3 ? ["INBOX"] : [])
    }

    @Test(arguments: versions) func aStoreOfThatVersionKeepsWhatItHas(_ version: Int) throws {
        let home = try HelixHome()
        try makeStore(version, at: home.store)
        #expect(try contents(home.store) == expected(version))
        let store = try Store(path: home.store, now: Instant(1_795_000_000))
        if version >= 2 { #expect(try store.search(SearchQuery.words("会議"), zone: .utc, limit: 5).count == 1) }
        if version >= 3 {
            // Numbers that the journal has are not given to other mailboxes.
            let added = try store.writeDerived {
                try MailboxNumbers.add($0, account: 1, path: ".New", name: "New", role: nil)
            }
            #expect(added == 8)
        }
        #expect(try store.undo(store.undoable(limit: 1)[0].id).command == "cal add")
    }

    @Test(arguments: versions) func brokenOffAnywhereItGoesOn(_ version: Int) throws {
        let home = try HelixHome()
        let calls = "pwrite64,fdatasync,ftruncate"
        try makeStore(version, at: home.store)
        let base = home.folder.appendingPathComponent("base").path
        let live = (home.store as NSString).deletingLastPathComponent
        _ = try home.run(program: "/bin/cp", ["-a", live, base])
        func run(_ trace: [String]) throws -> HelixHome.Result {
            _ = try home.run(program: "/bin/sh", ["-c", "rm -rf home && cp -a base home"])
            return try home.run(
                program: "/usr/bin/strace",
                ["-f", "-qq"] + trace + [HelixHome.binary.path, "tasks", "list"])
        }
        guard try run(["-o", "trace", "-e", "trace=\(calls)"]).status == 0 else { return }
        let trace = try String(contentsOfFile: home.folder.path + "/trace", encoding: .utf8)
        let total = trace.split(separator: "\n").count
        let step = Corpora.isThorough ? 1 : max(1, total / (Corpora.isBrief ? 1 : 5))
        for number in stride(from: 1, through: total, by: step) {
            _ = try run(["-o", "/dev/null", "-e", "trace=\(calls)", "-e", "inject=\(calls):signal=KILL:when=\(number)"])
            #expect(try contents(home.store) == expected(version), "killed at \(number)")
        }
    }
}
