import Foundation
import TestSupport
import Testing

/// Files, rows, words and journal agree at the end, whoever changed a Maildir at the same time.
@Suite struct MailModelTests {
    /// The places of all files, `mailbox base`, and the subjects in them.
    private func files(_ maildir: TestMaildir) throws -> [(place: String, subject: String)] {
        try [("INBOX", ""), ("Old", ".Old"), ("Work", ".Work"), ("Drafts", ".Drafts"), ("Archive", ".Archive")].flatMap
        {
            name, folder in
            try ["cur", "new"].flatMap { part -> [(String, String)] in
                let path = "\(maildir.path)/\(folder)/\(part)"
                return try ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).map { file in
                    let text = try String(contentsOfFile: path + "/" + file, encoding: .utf8)
                    let subject = text.split(separator: "\n").first { $0.hasPrefix("Subject: ") } ?? ""
                    return (
                        name + " " + (file.components(separatedBy: ":2,").first ?? ""), String(subject.dropFirst(9))
                    )
                }
            }
        }
    }

    private func rows(_ home: HelixHome) throws -> [(place: String, subject: String)] {
        let script = """
            import sqlite3
            c = sqlite3.connect('\(home.store)')
            for row in c.execute('''SELECT b.name, m.file, m.subject FROM message m JOIN mailbox b ON b.n = m.mailbox
                    WHERE b.role IS NOT 'deleted' '''):
                print(row[0] + ' ' + row[1] + '\\t' + row[2])
            """
        let result = try home.run(program: "/usr/bin/python3", ["-c", script])
        #expect(result.status == 0, "\(result.errors)")
        return result.output.split(separator: "\n").map { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
            return (String(parts[0]), String(parts[1]))
        }
    }

    @Test(arguments: Corpora.isThorough ? [1, 2, 3] : [1]) func threeProcessesAtRandom(_ seed: Int) throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        for box in [".Old", ".Work"] { try maildir.make(box) }
        for number in 0..<30 { try maildir.deliver(mail("model base \(number)", id: "b\(number)@x"), flags: "") }
        try home.run("config", "set", "user.email", "me@example.org")
        try home.run("account", "add", "home", "maildir", maildir.path)
        let steps = Corpora.isThorough ? 1700 : 60
        let script = Corpora.packageDirectory.appendingPathComponent("Tests/Oracles/mail_model.py").path
        let shell = """
            for k in helix index other; do
                python3 '\(script)' "$0" "$1" $((\(seed) * 10)) \(steps) $k 2>errors-$k || echo failed-$k >>failures &
            done
            python3 '\(script)' "$0" "$1" $((\(seed) * 10 + 1)) \(steps / 2) helix 2>errors-helix2 || echo failed-helix2 >>failures &
            wait; cat errors-*; test ! -e failures
            """
        let run = try home.run(program: "/bin/bash", ["-c", shell, HelixHome.binary.path, maildir.path])
        #expect(run.status == 0, "\(run.output.suffix(2000))")
        // One of many undos may have taken the account away.
        _ = try home.run("account", "add", "home", "maildir", maildir.path)
        #expect(try home.run("mail", "index").status == 0)
        let (files, rows) = (try files(maildir), try rows(home))
        #expect(files.map(\.place).sorted() == rows.map(\.place).sorted())
        #expect(files.map(\.subject).sorted() == rows.map(\.subject).sorted())
        let doctor = try home.run("doctor")
        #expect(doctor.status == 0, "\(doctor.output)")
        // Words find each message once.
        let listed = try home.run("mail", "search", "run", "subject:model", "--ids").output.split(separator: "\n")
        #expect(listed.count == files.count)
        #expect(Set(listed).count == listed.count)
        // The journal's changes can be undone or is refused; nothing breaks.
        for _ in 0..<10 { #expect([0, 66, 80].contains(try home.run("undo").status)) }
        try home.run("mail", "index")
        #expect(try home.run("doctor").status == 0)
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
}
