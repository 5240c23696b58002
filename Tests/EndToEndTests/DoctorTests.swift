import Foundation
import TestSupport
import Testing

/// The doctor finds what is wrong in a store, and heals it from what is left.
@Suite struct DoctorTests {
    /// Everything that is derived from something else, as lists and searches show it.
    private func shown(_ home: HelixHome) throws -> [String] {
        try [
            ["cal", "agenda", "2026-11-01", "90d", "--json"], ["cal", "search", "standup", "--json"],
            ["tasks", "list", "--json"], ["tasks", "boards", "--json"],
            ["mail", "list", "--json"], ["mail", "search", "run", "invoice", "--json"],
            ["mail", "search", "run", "label:blue", "--json"], ["mail", "search", "run", "subject:bill", "--json"],
        ].map { try home.run($0).output }
    }

    @Test(arguments: [
        "DELETE FROM occurrence WHERE start = (SELECT max(start) FROM occurrence)",
        "UPDATE occurrence SET start = start + 3600",
        "UPDATE occurrence SET \"end\" = \"end\" + 60 WHERE start = (SELECT min(start) FROM occurrence)",
        "UPDATE occurrence SET flags = flags | 2", "DELETE FROM occurrence", "UPDATE event SET is_dense = 1",
        "UPDATE event SET expanded_to = NULL", "UPDATE component SET title = 'Other'",
        "UPDATE component SET is_recurring = 0", "DELETE FROM component",
        "UPDATE message SET mailbox = (SELECT n FROM mailbox WHERE name = 'Work') WHERE message_id = 'm1@x'",
        "UPDATE message SET mailbox = 9999 WHERE message_id = 'm1@x'",
        "UPDATE message SET flags = 0 WHERE message_id = 'm1@x'",
        "UPDATE message SET subject = 'nothing' WHERE message_id = 'm1@x'", "DELETE FROM message_body",
        "UPDATE message_body SET body = 'nothing'", "UPDATE message SET date = 0 WHERE message_id = 'm1@x'",
        "DROP TABLE occurrence", "DROP TABLE message_body", "DROP INDEX message_mailbox",
        "DROP TRIGGER task_blocks_state",
        "UPDATE mailbox SET account = 99", "DELETE FROM message_text_data WHERE id > 10",
    ])
    func whatIsDerivedIsCheckedAndMadeAnew(_ statement: String) throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.make(".Work")
        for number in 0..<3 {
            try maildir.deliver(
                "From: a@x.org\nSubject: bill \(number)\nMessage-ID: <m\(number)@x>\n\nthe invoice\n", flags: "S")
        }
        try home.run("account", "add", "home", "maildir", maildir.path)
        try home.run("mail", "index")
        try home.run("mail", "label", "subject:'bill 1'", "+blue")
        try home.run("cal", "add", "Standup", "--start", "2026-11-23 9:00", "--repeat", "daily")
        try home.run("cal", "add", "Lunch", "--start", "2026-11-24 12:00")
        try home.run("tasks", "add", "Paint")
        let before = try shown(home)
        #expect(try home.run("doctor").status == 0)
        try home.sql(statement)
        let sick = try home.run("doctor")
        #expect(sick.status == 74, "\(sick.output)")
        let repair = try home.run("doctor", "--repair")
        #expect(repair.status == 0, "\(repair.output)\(repair.errors)")
        #expect(try shown(home) == before)
    }

    @Test func eventsWithoutACalendarGetOne() throws {
        let home = try HelixHome()
        try home.run("cal", "add", "Lunch", "--start", "2026-11-24 12:00")
        try home.sql("DELETE FROM calendar")
        #expect(try home.run("doctor").status == 74)
        let repair = try home.run("doctor", "--repair")
        #expect(repair.status == 0, "\(repair.output)\(repair.errors)")
        #expect(try home.run("cal", "agenda", "2026-11-24", "--json").items().count == 1)
    }

    @Test func aRowThatNamesAnotherMailboxIsNotListedTwiceWhenMailComes() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.make(".Work")
        for number in 0..<3 { try maildir.deliver(mail("model \(number)", id: "b\(number)@x"), flags: "S") }
        try home.run("account", "add", "home", "maildir", maildir.path)
        let before = try home.run("mail", "search", "subject:model or subject:another", "--ids").output
        try home.sql(
            "UPDATE message SET mailbox = (SELECT n FROM mailbox WHERE name = 'Work') WHERE subject = 'model 1'")
        try maildir.deliver(mail("another", id: "n@x"), flags: "S")
        let after = try home.run("mail", "search", "subject:model or subject:another", "--ids").output
        #expect(Set(after.split(separator: "\n")).isSuperset(of: before.split(separator: "\n")))
        #expect(after.split(separator: "\n").count == 4)
    }

    @Test(arguments: [
        ["DELETE FROM board_column"], ["DELETE FROM board_column WHERE name = 'todo'"], ["DELETE FROM board"],
        ["DELETE FROM board", "DELETE FROM board_column"],
    ])
    func boardsGetTheirColumnsBack(_ statements: [String]) throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "Paint")
        try home.run("tasks", "add", "Old")
        try home.run("tasks", "done", id(home, "Old"))
        for statement in statements { try home.sql(statement) }
        #expect(try home.run("doctor").status == 74)
        let refused = try home.run("tasks", "add", "More")
        #expect([0, 66, 80].contains(refused.status), "\(refused.errors)")
        let repair = try home.run("doctor", "--repair")
        #expect(repair.status == 0, "\(repair.output)\(repair.errors)")
        #expect(try home.run("tasks", "add", "New").status == 0)
        let titles = try home.run("tasks", "list", "status:all", "--json").items().compactMap { $0["title"] as? String }
        #expect(Set(titles).isSuperset(of: ["Paint", "Old", "New"]))
        #expect(try home.run("tasks", "done", id(home, "New")).status == 0)
    }

    @Test func theDoctorFindsAndHealsMessagesThatAreListedTwice() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        for number in 0..<3 { try maildir.deliver(mail("model \(number)", id: "b\(number)@x"), flags: "S") }
        try home.run("account", "add", "home", "maildir", maildir.path)
        // A folder that has just changed may change again; the doctor looks at those that rest.
        Thread.sleep(forTimeInterval: 0.3)
        try home.run("mail", "index")
        // As earlier versions left it.
        let script = """
            import sqlite3
            c = sqlite3.connect('\(home.store)')
            c.create_function('x', 0, lambda: 0)
            columns = [r[1] for r in c.execute('PRAGMA table_info(message)') if r[1] not in ('n', 'id')]
            names = ', '.join(columns)
            c.execute(f"INSERT INTO message (n, id, {names}) SELECT n + 1000, 'zzzzzzzzzzzzzzzz', {names} FROM message LIMIT 1")
            c.execute("INSERT INTO message_body SELECT n + 1000, body FROM message_body LIMIT 1")
            c.execute("UPDATE message SET labels = ' blue ' WHERE id = 'zzzzzzzzzzzzzzzz'")
            c.execute("DELETE FROM message_body WHERE n = (SELECT max(n) FROM message WHERE id <> 'zzzzzzzzzzzzzzzz')")
            c.execute("DELETE FROM message WHERE n = (SELECT max(n) FROM message WHERE id <> 'zzzzzzzzzzzzzzzz')")
            c.commit()
            """
        #expect(try home.run(program: "/usr/bin/python3", ["-c", script]).status == 0)
        let sick = try home.run("doctor")
        #expect(sick.status == 74)
        #expect(sick.output.contains("listed twice"))
        #expect(sick.output.contains("not listed"))
        #expect(try home.run("doctor", "--repair").status == 0)
        #expect(try home.run("mail", "list", "--json").items().count == 3)
        #expect(try home.run("mail", "search", "run", "label:blue", "--count").output == "1\n")
    }

    @Test func aLostRowComesBackFromItsFileAlthoughItsTextIsLeft() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        for number in 0..<3 { try maildir.deliver(mail("model \(number)", id: "b\(number)@x"), flags: "S") }
        try home.run("account", "add", "home", "maildir", maildir.path)
        try home.run("mail", "index")
        let script = """
            import sqlite3
            c = sqlite3.connect('\(home.store)')
            c.execute("DELETE FROM message WHERE subject = 'model 1'")
            c.commit()
            """
        #expect(try home.run(program: "/usr/bin/python3", ["-c", script]).status == 0)
        #expect(try home.run("doctor", "--repair").status == 0)
        #expect(try home.run("mail", "list", "--json").items().count == 3)
        #expect(try home.run("mail", "search", "subject:model", "--count").output == "3\n")
    }

    @Test(arguments: ["event", "task", "board", "change_set", "message"])
    func theDoctorMakesIndexesAnewThatLackRows(_ table: String) throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.deliver(mail("model", id: "b@x"), flags: "S")
        try home.run("account", "add", "home", "maildir", maildir.path)
        try home.run("mail", "index")
        try home.run("tasks", "add", "One")
        try home.run("cal", "add", "One", "--start", "2026-11-23 10:00")
        // The first page of the index becomes an empty leaf.
        let script = """
            import sqlite3
            path = '\(home.store)'
            c = sqlite3.connect(path)
            page = c.execute("SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_\(table)_1'").fetchone()[0]
            size = c.execute('PRAGMA page_size').fetchone()[0]
            c.execute('PRAGMA journal_mode = DELETE')
            c.close()
            with open(path, 'r+b') as file:
                file.seek((page - 1) * size)
                file.write(bytes([10, 0, 0, 0, 0, size >> 8, 0, 0]) + bytes(size - 8))
            """
        #expect(try home.run(program: "/usr/bin/python3", ["-c", script]).status == 0)
        #expect(try home.run("doctor").status == 74)
        let repair = try home.run("doctor", "--repair")
        #expect(repair.status == 0, "\(repair.output)\(repair.errors)")
        #expect(try home.run("doctor").status == 0)
    }

    private func id(_ home: HelixHome, _ title: String) throws -> String {
        let items = try home.run("tasks", "list", "status:all", "--json").items()
        return items.first { $0["title"] as? String == title }?["id"] as? String ?? "none"
    }

    private func mail(_ subject: String, id: String) -> String {
        "From: a@x.org\nSubject: \(subject)\nMessage-ID: <\(id)>\n\nhello\n"
    }
}
