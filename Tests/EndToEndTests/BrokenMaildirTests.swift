import Foundation
import TestSupport
import Testing

/// A mailbox that cannot be read is no empty mailbox: nothing is removed, and nothing is said to be done.
@Suite struct BrokenMaildirTests {
    private let home: HelixHome
    private let maildir: TestMaildir

    init() throws {
        home = try HelixHome()
        maildir = try TestMaildir(home)
        for number in 1...3 {
            try maildir.deliver("Subject: Letter \(number)\nMessage-ID: <\(number)@x>\n\nHello.\n", flags: "S")
        }
        try home.run("account", "add", "home", "maildir", maildir.path)
        try #require(try home.run("mail", "list", "--json").items().count == 3)
    }

    private func move(_ from: String, _ to: String) throws {
        try FileManager.default.moveItem(atPath: maildir.path + "/" + from, toPath: maildir.path + "/" + to)
    }

    @Test(arguments: ["missing", "a file", "a broken link"]) func aMailboxWithoutCurIsReported(_ state: String) throws {
        try move("cur", "cur.away")
        let cur = maildir.path + "/cur"
        if state == "a file" { try Data().write(to: URL(fileURLWithPath: cur)) }
        if state == "a broken link" {
            try FileManager.default.createSymbolicLink(atPath: cur, withDestinationPath: "nowhere")
        }
        #expect(try home.run("mail", "index").status != 0)
        let doctor = try home.run("doctor")
        #expect(doctor.status != 0 && doctor.output.contains("has no folder 'cur'"), "\(doctor.output)")
        if state != "missing" { try FileManager.default.removeItem(atPath: cur) }
        try move("cur.away", "cur")
        #expect(try home.run("mail", "list", "--json").items().count == 3)
        #expect(try home.run("doctor").status == 0)
    }

    /// As another user, since root may read everything.
    @Test func whatCannotBeTouchedIsNotChanged() throws {
        let id = try #require(try home.run("mail", "list", "--json").items().first?["id"] as? String)
        let folder = home.folder.path
        func asNobody(_ words: String...) throws -> HelixHome.Result {
            try home.run(
                program: "/usr/bin/setpriv",
                ["--reuid=65534", "--regid=65534", "--clear-groups", HelixHome.binary.path] + words)
        }
        guard getuid() == 0 else { return }
        _ = try home.run(program: "/bin/chown", ["-R", "65534:65534", folder])
        try #require(try asNobody("mail", "list").status == 0)
        _ = try home.run(program: "/bin/chmod", ["000", maildir.path + "/cur"])
        for words in [
            ["mail", "delete", id, "--yes"], ["mail", "mark", "unread", id], ["mail", "move", id, "Trash"],
        ] {
            let result = try home.run(
                program: "/usr/bin/setpriv",
                ["--reuid=65534", "--regid=65534", "--clear-groups", HelixHome.binary.path] + words)
            #expect(result.status != 0 && !result.errors.isEmpty, "\(words): \(result.output)")
        }
        let doctor = try asNobody("doctor")
        #expect(doctor.status != 0 && doctor.output.contains("cannot read the folder"), "\(doctor.output)")
        _ = try home.run(program: "/bin/chmod", ["755", maildir.path + "/cur"])
        #expect(try asNobody("mail", "list", "--json").items().count == 3)
        #expect(try asNobody("doctor").status == 0)
        _ = try home.run(program: "/bin/chown", ["-R", "0:0", folder])
    }

    /// A backup of a damaged store does not take the place of a good one.
    @Test func aGoodBackupIsKept() throws {
        for number in 1...400 { try home.run("tasks", "add", "Task \(number) " + String(repeating: "x", count: 40)) }
        let backup = home.folder.appendingPathComponent("good.db").path
        #expect(try home.run("backup", backup).status == 0)
        let good = FileManager.default.contents(atPath: backup)
        let script = """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1]); c.execute('PRAGMA wal_checkpoint(TRUNCATE)')
            root = c.execute("SELECT rootpage FROM sqlite_master WHERE name = 'task'").fetchone()[0]; c.close()
            f = open(sys.argv[1], 'r+b'); f.seek((root - 1) * 4096 + 2); f.write(b'\\xff' * 200)
            """
        _ = try home.run(program: "/usr/bin/python3", ["-c", script, home.store])
        let result = try home.run("backup", backup, "--force")
        #expect(result.status == 74 && result.errors.contains("was not backed up"), "\(result.status) \(result.errors)")
        #expect(FileManager.default.contents(atPath: backup) == good)
        #expect(try home.run("backup", backup + "2").status != 0)
        #expect(!FileManager.default.fileExists(atPath: backup + "2"))
    }
}
