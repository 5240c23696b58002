import Foundation
import TestSupport
import Testing

/// Files of one name in several folders are messages of their own: no command puts one in the place of another.
@Suite struct MailTwinTests {
    /// A home with mails whose files have the same name in the inbox and in 'Work'.
    private func home() throws -> (HelixHome, TestMaildir) {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.make(".Work")
        for number in 0..<3 {
            let file = try maildir.deliver(mail("Here \(number)", id: "here\(number)@x"), flags: "")
            let name = (file as NSString).lastPathComponent
            try mail("There \(number)", id: "there\(number)@x").write(
                toFile: "\(maildir.path)/.Work/cur/\(name)", atomically: false, encoding: .utf8)
        }
        try home.run("account", "add", "home", "maildir", maildir.path)
        return (home, maildir)
    }

    /// The subjects of all files, also of those that were deleted.
    private func subjects(_ home: HelixHome) throws -> [String] {
        let files = FileManager.default.enumerator(atPath: home.folder.path)
        var found: [String] = []
        while let file = files?.nextObject() as? String {
            guard file.contains("/cur/") || file.contains("/new/"), !file.contains("backup") else { continue }
            let path = home.folder.appendingPathComponent(file).path
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
            found += text.split(separator: "\n").filter { $0.hasPrefix("Subject: ") }.map { String($0.dropFirst(9)) }
        }
        return found.sorted()
    }

    private let all = ["Here 0", "Here 1", "Here 2", "There 0", "There 1", "There 2"]

    @Test func aMoveToAMailboxWithThatNameKeepsBoth() throws {
        let (home, _) = try home()
        #expect(try home.run("mail", "list", "--json").items().count == 6)
        #expect(try home.run("mail", "move", "subject:Here", "--to", "Work").status == 0)
        #expect(try subjects(home) == all)
        #expect(try home.run("undo").status == 0)
        #expect(try subjects(home) == all)
        #expect(try home.run("redo").status == 0)
        #expect(try subjects(home) == all)
        #expect(try home.run("doctor").status == 0)
        #expect(try home.run("mail", "list", "in:Work", "--json").items().count == 6)
    }

    @Test func whatIsDeletedComesBackWhole() throws {
        let (home, _) = try home()
        #expect(try home.run("mail", "delete", "from:ana", "--yes").status == 0)
        #expect(try subjects(home) == all)
        #expect(try home.run("undo").status == 0)
        #expect(try subjects(home) == all)
        #expect(try home.run("mail", "list", "in:Work", "--json").items().count == 3)
        #expect(try home.run("doctor").status == 0)
    }

    @Test func namesThatDifferInFlagsAloneAreTwoMessages() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        let file = try maildir.deliver(mail("Plain", id: "a@x"), flags: "")
        try mail("Seen", id: "b@x").write(toFile: file + "S", atomically: false, encoding: .utf8)
        try home.run("account", "add", "home", "maildir", maildir.path)
        #expect(try home.run("mail", "list", "--json").items().count == 2)
        #expect(try home.run("mail", "mark", "read", "from:ana").status == 0)
        #expect(try subjects(home) == ["Plain", "Seen"])
        #expect(try home.run("undo").status == 0)
        #expect(try subjects(home) == ["Plain", "Seen"])
        #expect(try home.run("doctor").status == 0)
        #expect(try home.run("mail", "list", "--json").items().count == 2)
    }

    @Test func undoLeavesAFileThatCameUnderTheOldName() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.make(".Work")
        let file = try maildir.deliver(mail("First", id: "a@x"), flags: "")
        try home.run("account", "add", "home", "maildir", maildir.path)
        #expect(try home.run("mail", "move", "subject:First", "--to", "Work").status == 0)
        try mail("Second", id: "b@x").write(toFile: file, atomically: false, encoding: .utf8)
        #expect(try home.run("undo").status == 0)
        #expect(try subjects(home) == ["First", "Second"])
        try home.run("mail", "index")
        #expect(try home.run("mail", "list", "in:INBOX", "--json").items().count == 2)
        #expect(try home.run("doctor").status == 0)
    }

    @Test func aMoveThatWasBrokenOffLeavesTheOtherFile() throws {
        let (home, _) = try home()
        for call in ["rename", "renameat2"] {
            _ = try home.run(
                program: "/usr/bin/strace",
                [
                    "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
                    "inject=\(call):signal=KILL:when=1", HelixHome.binary.path, "mail", "move", "subject:Here", "--to",
                    "Work",
                ])
            try home.run("mail", "list")
            #expect(try subjects(home) == all)
        }
        #expect(try home.run("doctor").status == 0)
    }

    @Test func aNameThatIsNoTextIsSaid() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        let file = try maildir.deliver(mail("Odd", id: "a@x"), flags: "")
        let script =
            "import os, sys; p = os.fsencode(sys.argv[1]); os.rename(p, os.path.dirname(p) + b'/17\\xff.M2:2,')"
        _ = try home.run(program: "/usr/bin/python3", ["-c", script, file])
        try home.run("account", "add", "home", "maildir", maildir.path)
        usleep(300_000)
        let said = try home.run("mail", "index")
        #expect((said.output + said.errors).contains("not UTF-8"))
        #expect(try home.run("doctor").status == 0)
    }
}
