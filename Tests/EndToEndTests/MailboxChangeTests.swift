import Foundation
import TestSupport
import Testing

/// Mailboxes are made, renamed and deleted here, and the server hears of it.
@Suite(.enabled(if: TestServer.has("/usr/sbin/dovecot"), "needs the server dovecot"))
struct MailboxChangeTests {
    private static func names(_ home: HelixHome) throws -> [String] {
        try home.run("mail", "mailboxes", "--json").items().compactMap { $0["name"] as? String }.sorted()
    }

    private static func sync(_ homes: HelixHome...) throws {
        for home in homes {
            let result = try home.run("sync")
            guard result.status == 0 else { throw OracleFailure(message: result.errors + result.output) }
        }
    }

    /// What the server has, by names.
    private static let list =
        "print(sorted(x.decode().split(' \"/\" ')[1].strip('\"') for x in m.list()[1] if b'Noselect' not in x))"

    @Test(arguments: [false, true]) func aNameThatIsGivenHereIsGivenThere(_ isPlain: Bool) throws {
        let site = try MailSite(isPlain: isPlain)
        try site.client(
            "m.create('Jobs'); m.create('Jobs/House'); put('Jobs', 'One'); put('Jobs/House', 'Two', '(billing)')")
        let (one, two) = (try site.home(), try site.home())
        try Self.sync(one, two)
        let id = try one.run("mail", "search", "subject:Two", "--ids").output
        let renamed = try one.run("mail", "mailboxes", "rename", "Jobs", "Projects/Größe")
        #expect(renamed.status == 0, "\(renamed.errors)")
        #expect(try Self.names(one).filter { $0.contains("Proj") } == ["Projects/Größe", "Projects/Größe/House"])
        // A message that goes into it before the server knows is filed there, too.
        try site.client("put('INBOX', 'Three')")
        try one.run("sync", "--dry-run")
        let plan = try one.run("sync", "--dry-run", "--json").items().first?["steps"] as? [[String: Any]] ?? []
        #expect(plan.contains { $0["step"] as? String == "rename" || $0["verb"] as? String == "rename" }, "\(plan)")
        try Self.sync(one)
        let three = try one.run("mail", "search", "subject:Three", "--ids").output.split(separator: "\n").map(
            String.init)
        let moved = try one.run(["mail", "move"] + three + ["--to", "Projects/Größe"])
        #expect(moved.status == 0, "\(moved.errors)")
        try Self.sync(one, two, one)
        for home in [one, two] {
            #expect(try Self.names(home).filter { $0.contains("Proj") } == ["Projects/Größe", "Projects/Größe/House"])
            #expect(try !Self.names(home).contains("Jobs"))
            #expect(try home.run("mail", "list", "--mailbox", "Projects/Größe", "--json").items().count == 3)
            let item = try home.run("sync", "--json").items().first
            #expect((item?["steps"] as? [Any])?.isEmpty == true, "\(item ?? [:])")
            #expect(try home.run("doctor").status == 0)
        }
        #expect(try one.run("mail", "search", "subject:Two label:billing", "--ids").output == id)
        #expect(try site.client(Self.list).contains("'Projects/Gr&APYA3w-e', 'Projects/Gr&APYA3w-e/House'"))
    }

    @Test func twoThatChangeTheirNamesDoSoThere() throws {
        let site = try MailSite()
        try site.client("m.create('Casa'); m.create('Arbeit'); put('Casa', 'home'); put('Arbeit', 'work')")
        let (one, two) = (try site.home(), try site.home())
        try Self.sync(one, two)
        for (from, to) in [("Casa", "Other"), ("Arbeit", "Casa"), ("Other", "Arbeit")] {
            #expect(try one.run("mail", "mailboxes", "rename", from, to).status == 0)
        }
        try Self.sync(one, two, one)
        #expect(try site.client("print(all('Casa'), all('Arbeit'))") == "['work'] ['home']\n")
        for home in [one, two] {
            #expect(try home.run("mail", "search", "in:Casa", "--json").items().first?["subject"] as? String == "work")
            #expect(
                try home.run("mail", "search", "in:Arbeit", "--json").items().first?["subject"] as? String == "home")
            let item = try home.run("sync", "--json").items().first
            #expect((item?["steps"] as? [Any])?.isEmpty == true, "\(item ?? [:])")
        }
    }

    @Test func whatIsRenamedOnBothSidesHasTheNameOfTheServer() throws {
        let site = try MailSite()
        try site.client("m.create('Jobs'); put('Jobs', 'One')")
        let home = try site.home()
        try Self.sync(home)
        try home.run("mail", "mailboxes", "rename", "Jobs", "Mine")
        try site.client("m.rename('Jobs', 'Theirs')")
        try Self.sync(home, home)
        #expect(try Self.names(home).filter { $0 != "INBOX" }.contains("Theirs"))
        #expect(try !Self.names(home).contains("Mine"))
        #expect(try home.run("mail", "search", "in:Theirs", "--json").items().count == 1)
        #expect(try !site.client(Self.list).contains("Mine"))
    }

    @Test func whatIsDeletedHereIsDeletedThereUnlessSomethingCame() throws {
        let site = try MailSite()
        try site.client("[m.create(x) for x in ('Empty', 'Full', 'Lively')]; put('Full', 'One'); put('Lively', 'Two')")
        let home = try site.home()
        try Self.sync(home)
        let refused = try home.run("mail", "mailboxes", "delete", "Full")
        #expect(refused.status == 80 && refused.errors.contains("'Full' has a message"), "\(refused.errors)")
        #expect(try home.run("mail", "mailboxes", "delete", "INBOX").status == 80)
        #expect(try home.run("mail", "mailboxes", "delete", "Nowhere").status == 66)
        #expect(try home.run("mail", "mailboxes", "rename", "Full", "Empty").status == 80)
        #expect(try home.run("mail", "mailboxes", "rename", "INBOX", "Else").status == 80)
        #expect(try home.run("mail", "mailboxes", "rename", "Full", "a//b").status == 64)
        #expect(try home.run("mail", "mailboxes", "rename", "Full", "Full/Inner").status == 64)
        #expect(try home.run("mail", "mailboxes", "add", "full").status == 80)
        #expect(try home.run("mail", "mailboxes", "delete", "Empty").status == 0)
        try home.run("mail", "move", "in:Lively", "--to", "Full")
        #expect(try home.run("mail", "mailboxes", "delete", "Lively").status == 0)
        #expect(try home.run("mail", "mailboxes", "add", "Fresh").status == 0)
        try site.client("put('Lively', 'Late')")
        try Self.sync(home, home)
        let there = try site.client(Self.list)
        #expect(!there.contains("Empty") && there.contains("Fresh") && there.contains("Lively"), "\(there)")
        #expect(try site.client("print(all('Full'), all('Lively'))") == "['One', 'Two'] ['Late']\n")
        #expect(try home.run("mail", "list", "--mailbox", "Lively", "--json").items().count == 1)
        #expect(try !Self.names(home).contains("Empty"))
        #expect(try home.run("doctor").status == 0)
        // Once more, without anything in between.
        try home.run("mail", "move", "in:Lively", "--to", "Full")
        try home.run("mail", "mailboxes", "delete", "Lively")
        try Self.sync(home, home)
        #expect(try !site.client(Self.list).contains("Lively"))
        #expect(try site.client("print(all('Full'))") == "['Late', 'One', 'Two']\n")
    }

    @Test(arguments: [".Jobs", "Jobs"]) func aMaildirOfOnesOwnIsRenamedWhereItLies(_ folder: String) throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        let separator = folder.hasPrefix(".") ? "." : "/"
        for name in [folder, folder + separator + "House"] { try maildir.make(name) }
        try maildir.deliver(mail("One", id: "1@x"), to: folder, flags: "S")
        try maildir.deliver(mail("Two", id: "2@x"), to: folder + separator + "House")
        try home.run("account", "add", "home", "maildir", maildir.path)
        // What lies below it is meant, too.
        let labelled = try home.run("mail", "label", "+billing", "in:Jobs")
        #expect(labelled.status == 0, "\(labelled.errors)")
        #expect(try home.run("mail", "mailboxes", "rename", "Jobs", "Old/Work").status == 0)
        let path = (folder.hasPrefix(".") ? "." : "") + ["Old", "Work", "House"].joined(separator: separator)
        #expect(FileManager.default.fileExists(atPath: maildir.path + "/" + path + "/cur"))
        #expect(!FileManager.default.fileExists(atPath: maildir.path + "/" + folder + "/cur"))
        #expect(try home.run("mail", "search", "label:billing in:Old/Work", "--json").items().count == 2)
        #expect(try home.run("mail", "search", "in:Old/Work/House", "--json").items().count == 1)
        #expect(try home.run("mail", "index").status == 0)
        #expect(try home.run("mail", "search", "label:billing", "--json").items().count == 2)
        // What was moved before is found by 'undo' in its new place.
        try home.run("mail", "archive", "in:Old/Work")
        let archived = try #require(try home.run("history", "--json").items().first?["id"] as? String)
        #expect(try home.run("mail", "mailboxes", "rename", "Old/Work", "Work").status == 0)
        #expect(try home.run("undo", archived).status == 0)
        #expect(try home.run("mail", "search", "in:Work label:billing", "--json").items().count == 2)
        // The renaming is undone by itself.
        #expect(try home.run("undo").output.contains("rename mailbox"))
        #expect(try home.run("mail", "search", "in:Old/Work label:billing", "--json").items().count == 2)
        #expect(try home.run("doctor").status == 0)
    }

    @Test func changesOfMailboxesAreInTheHistoryAndUndone() throws {
        let home = try HelixHome()
        let message = "From: a@example.org\nSubject: One\nMessage-ID: <one@example.org>\n\nText\n"
        #expect(try home.run("mail", "import", home.write(message, to: "one.eml"), "-m", "Old").status == 0)
        func boxes() throws -> Set<String> {
            Set(try home.run("mail", "mailboxes", "--json").items().compactMap { $0["name"] as? String })
        }
        func change(_ words: String...) throws {
            let run = try home.run(["mail", "mailboxes"] + words + ["--account", "local"])
            #expect(run.status == 0, "\(words) \(run.errors)")
        }
        let before = try boxes()
        try change("add", "New/Deep")
        try change("rename", "Old", "Older")
        try change("delete", "New/Deep")
        let history = try home.run("history").output
        for text in ["create mailbox 'New/Deep'", "rename mailbox 'Old' to 'Older'", "delete mailbox 'New/Deep'"] {
            #expect(history.contains(text), "\(history)")
        }
        #expect(try home.run("undo").output.contains("delete mailbox") && boxes().contains("New/Deep"))
        #expect(try home.run("undo").output.contains("rename mailbox") && boxes().contains("Old"))
        #expect(try home.run("mail", "list", "--mailbox", "Old", "--json").items().count == 1)
        #expect(try home.run("redo").output.contains("rename mailbox") && boxes().contains("Older"))
        #expect(try home.run("undo").status == 0)
        #expect(try home.run("undo").output.contains("create mailbox"))
        #expect(try boxes() == before)
        // The one before is the import, and it goes back, too.
        #expect(try home.run("undo").output.contains("import 1 message"))
        #expect(try home.run("doctor").status == 0)
    }

    @Test func aMailboxThatHasChangedSinceIsNotUndone() throws {
        let home = try HelixHome()
        #expect(try home.run("mail", "mailboxes", "add", "New", "--account", "local").status != 0)
        let message = "From: a@example.org\nSubject: One\nMessage-ID: <one@example.org>\n\nText\n"
        try home.run("mail", "import", home.write(message, to: "one.eml"))
        #expect(try home.run("mail", "mailboxes", "add", "New", "--account", "local").status == 0)
        let id = try #require(try home.run("history", "--json").items().first?["id"] as? String)
        try home.run("mail", "move", "one@example.org", "--to", "New")
        let refused = try home.run("undo", id)
        #expect(refused.status == 80 && refused.errors.contains("not empty"), "\(refused)")
        try home.run("mail", "mailboxes", "rename", "New", "Newer", "--account", "local")
        let again = try home.run("undo", id)
        #expect(again.status == 80 && again.errors.contains("renamed or deleted since"), "\(again)")
        let dry = try home.run("undo", "--dry-run")
        #expect(dry.status == 0 && dry.output.contains("rename mailbox"), "\(dry)")
        #expect(try home.run("mail", "mailboxes", "--json").output.contains("Newer"))
    }

    @Test func aMailboxOfARemovedAccountIsNotSaidToBeUndone() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.make(".Old")
        try home.run("account", "add", "home", "maildir", maildir.path)
        #expect(try home.run("mail", "mailboxes", "rename", "Old", "New").status == 0)
        let id = try #require(try home.run("history", "--json").items().first?["id"] as? String)
        #expect(try home.run("account", "remove", "home", "--yes").status == 0)
        let refused = try home.run("undo", id)
        #expect(refused.status == 80 && refused.errors.contains("was removed since"), "\(refused)")
    }
}
