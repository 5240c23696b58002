import Foundation
import TestSupport
import Testing

/// Mail goes back to where it was, says who wrote it, and comes in as it is.
@Suite struct MailIdentityTests {
    private func home(_ boxes: String...) throws -> (HelixHome, TestMaildir) {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        for box in boxes { try maildir.make(box) }
        return (home, maildir)
    }

    private func mailboxes(_ home: HelixHome) throws -> [String] {
        try home.run("mail", "list", "--json").items().compactMap { $0["mailbox"] as? String }
    }

    private func id(_ home: HelixHome, _ query: String) throws -> String {
        try home.run("mail", "search", "run", query, "--ids").output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The last change in the history.
    private func last(_ home: HelixHome) throws -> String {
        try #require(try home.run("history", "--json").items().first?["id"] as? String)
    }

    @Test func undoFindsTheMailboxEvenIfItsNumberWouldBeAnothers() throws {
        let (home, maildir) = try home(".Old")
        try maildir.deliver(mail("S1", id: "s1@x"), to: ".Old", flags: "S")
        try home.run("account", "add", "home", "maildir", maildir.path)
        try home.run("mail", "move", try id(home, "subject:S1"), "--to", "INBOX")
        let move = try last(home)
        try home.run("mail", "mailboxes", "delete", "Old", "--account", "home")
        try home.run("mail", "mailboxes", "add", "Jobs", "--account", "home")
        #expect(try home.run("undo", move).status == 0)
        #expect(try mailboxes(home) == ["Old"])
        #expect(try maildir.files(".Jobs").isEmpty)
        #expect(try home.run("doctor").status == 0)
    }

    @Test func mailboxesKeepTheirNumbersWhileAnAccountIsAway() throws {
        let (home, maildir) = try home()
        try maildir.deliver(mail("S1", id: "s1@x"), flags: "S")
        try home.run("account", "add", "home", "maildir", maildir.path)
        for box in ["Bills", "Accounts", "Club"] {
            try home.run("mail", "mailboxes", "add", box, "--account", "home")
        }
        let id = try id(home, "subject:S1")
        try home.run("mail", "move", id, "--to", "Bills")
        try home.run("mail", "move", id, "--to", "Club")
        try home.run("account", "remove", "home", "--yes")
        try home.run("undo")
        // At once, without anything that looks at the files in between.
        #expect(try home.run("undo").status == 0)
        #expect(try mailboxes(home) == ["Bills"])
        #expect(try home.run("redo").status == 0)
        #expect(try mailboxes(home) == ["Club"])
    }

    @Test func aRenamedMailboxIsStillTheOneThatMailGoesBackTo() throws {
        let (home, maildir) = try home(".Old")
        try maildir.deliver(mail("S1", id: "s1@x"), to: ".Old", flags: "S")
        try home.run("account", "add", "home", "maildir", maildir.path)
        try home.run("mail", "move", try id(home, "subject:S1"), "--to", "INBOX")
        let move = try last(home)
        try home.run("mail", "mailboxes", "rename", "Old", "New", "--account", "home")
        try home.run("mail", "mailboxes", "add", "Old", "--account", "home")
        try home.run("undo", move)
        #expect(try mailboxes(home) == ["New"])
    }

    @Test func aMailboxWhoseNameIsTakenIsNotGuessed() throws {
        let (home, maildir) = try home(".Old", ".Other")
        try maildir.deliver(mail("S1", id: "s1@x"), to: ".Old", flags: "S")
        try home.run("account", "add", "home", "maildir", maildir.path)
        try home.run("mail", "move", try id(home, "subject:S1"), "--to", "INBOX")
        let move = try last(home)
        try home.run("mail", "mailboxes", "delete", "Old", "--account", "home")
        try home.run("mail", "mailboxes", "rename", "Other", "Old", "--account", "home")
        let undo = try home.run("undo", move)
        #expect(undo.status == 80)
        #expect(undo.errors.contains("the former mailbox of the message no longer exists"))
        #expect(try mailboxes(home) == ["INBOX"])
    }

    @Test func deletingIsUndoneAndRedoneAcrossTheAccountsOwnUndo() throws {
        let (home, maildir) = try home()
        try maildir.deliver(mail("S1", id: "s1@x"), flags: "S")
        try home.run("account", "add", "home", "maildir", maildir.path)
        try home.run("mail", "delete", try id(home, "subject:S1"), "--yes")
        for _ in 0..<2 { #expect(try home.run("undo").status == 0) }
        for _ in 0..<2 { #expect(try home.run("redo").status == 0) }
        #expect(try mailboxes(home).isEmpty)
        #expect(try home.run("undo").status == 0)
        #expect(try mailboxes(home) == ["INBOX"])
    }

    @Test func theFirstImportIsOneChange() throws {
        let (home, _) = try home()
        let file = try home.write(mail("S1", id: "s1@x"), to: "1.eml")
        try home.run("mail", "import", file)
        #expect(try home.run("undo").status == 0)
        #expect(try home.run("undo").status == 66)
        #expect(try home.run("redo").status == 0)
        #expect(try mailboxes(home) == ["INBOX"])
    }

    @Test func theSenderIsNotTheAuthorWhereThereIsOne() throws {
        let (home, maildir) = try home()
        try maildir.deliver(
            "Sender: List <list@x.org>\nFrom: Ana <ana@x.org>\nSubject: s\nMessage-ID: <1@x>\n\nx\n", flags: "S")
        try maildir.deliver("Sender: Robot <robot@x.org>\nSubject: t\nMessage-ID: <2@x>\n\nx\n", flags: "S")
        try home.run("account", "add", "home", "maildir", maildir.path)
        #expect(try home.run("mail", "search", "run", "from:ana", "--count").output == "1\n")
        #expect(try home.run("mail", "search", "run", "from:list", "--count").output == "0\n")
        #expect(try home.run("mail", "search", "run", "from:robot", "--count").output == "1\n")
    }

    private static let hours = """
        Dear all,

        From 9:00 to 17:00 in 2026 the office is open.

        From here: what follows
        Note: is a text.

        >From here on.

        """

    @Test(arguments: ["one.eml", "one", "cur/1.a:2,S", "new/1.b"])
    func aSingleMessageIsImportedByteForByte(_ name: String) throws {
        let (home, _) = try home()
        let message = mail("Hours", id: "h@x", body: Self.hours)
        let folder = home.folder.appendingPathComponent(name).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = try home.write(message, to: name)
        #expect(try home.run("mail", "import", file, "--json").json()["copied"] as? Int == 1)
        let raw = try home.run("mail", "read", try id(home, "subject:Hours"), "--raw").output
        #expect(raw == message)
    }

    @Test func anMboxIsSplitWherePythonSplitsIt() throws {
        let (home, _) = try home()
        let one = mail("One", id: "1@x", body: Self.hours.replacingOccurrences(of: "\nFrom ", with: "\n>From "))
        let two = mail("Two", id: "2@x")
        let lines = [
            "From ana@x.org Thu Jan  1 00:00:00 1970", one, "From MAILER-DAEMON Fri Jul  8 12:08:34 +0200 2011", two,
        ]
        let file = try home.write(lines.joined(separator: "\n") + "\n", to: "box")
        #expect(try home.run("mail", "import", file, "--json").json()["copied"] as? Int == 2)
        let script = "import mailbox; print(len(mailbox.mbox('\(file)')))"
        #expect(try home.run(program: "/usr/bin/python3", ["-c", script]).output == "2\n")
    }

    @Test func aContentTypeWithoutASubtypeIsText() throws {
        let (home, maildir) = try home()
        try maildir.deliver(mail("s", id: "1@x", headers: ["Content-Type: text"], body: "Hello\n"), flags: "S")
        try home.run("account", "add", "home", "maildir", maildir.path)
        #expect(try home.run("mail", "read", try id(home, "subject:s")).output.contains("Hello"))
    }

    @Test func aFileThatCouldNotBeReadIsTriedAgain() throws {
        // Root reads whatever it likes.
        guard getuid() != 0 else { return try loopIsTriedAgain() }
        let (home, maildir) = try home()
        let file = try maildir.deliver(mail("s", id: "1@x"), flags: "S")
        chmod(file, 0)
        try home.run("account", "add", "home", "maildir", maildir.path)
        chmod(file, 0o600)
        try home.run("mail", "index")
        #expect(try mailboxes(home) == ["INBOX"])
    }

    /// A folder in the place of a file is what root cannot read either.
    private func loopIsTriedAgain() throws {
        let (home, maildir) = try home()
        let outside = home.folder.appendingPathComponent("outside").path
        let file = maildir.path + "/cur/1700000001.x:2,S"
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: outside)
        try home.run("account", "add", "home", "maildir", maildir.path)
        try home.write(mail("s", id: "1@x"), to: "outside")
        // The same folder, as far as its time says.
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.copyItem(atPath: outside, toPath: file)
        try home.run("mail", "index")
        #expect(try mailboxes(home) == ["INBOX"])
    }
}
