import Foundation
import TestSupport
import Testing

/// Freedoms of IMAP servers (RFC 3501, RFC 9051) change nothing about what helix fetches and sends: a server in memory
/// leaves values out, says them twice, in another order or in another form.
@Suite struct ServerHabitTests {
    static let habits = [
        "caps=", "no-uidnext status-no-uidnext", "no-uidnext status-no-uidnext caps=", "status-no-uidvalidity",
        "status-no-uidvalidity status-no-uidnext no-uidnext", "no-permanent", "status-refused=Team", "noisy", "twice",
        "reversed", "literals", "lower", "no-delimiter", "split-search", "deaf", "shy", "scattered", "no-append-uid",
        "utf8-quoted caps=UTF8=ACCEPT,ENABLE,UIDPLUS", "caps=UTF8=ACCEPT,ENABLE", "caps=UIDPLUS,ESEARCH noisy",
        "caps=SASL-IR,UIDPLUS,MOVE", "caps=ACL,UIDPLUS rights=Other:lr",
        "noisy twice reversed literals lower scattered",
        "no-uidnext status-no-uidnext shy split-search noisy no-append-uid caps=",
    ]

    @Test(arguments: habits) func bothSidesMeetWhateverAServerLeavesOut(_ habit: String) throws {
        let site = try Site(habit)
        let home = site.home
        let first = try home.run("sync")
        #expect(first.status == 0, "\(habit): \(first.output)\(first.errors)")
        #expect(try site.subjects("INBOX") == ["M0", "M1", "M2", "M3", "M4"], "\(habit)")
        #expect(try site.subjects("Größe") == ["G1"], "\(habit)")
        #expect(try site.subjects("Team") == ["T1", "T2"], "\(habit)")
        #expect(try home.run("sync").output.contains("nothing new"), "\(habit)")
        #expect(try home.run("account", "check", "work").status == 0, "\(habit)")
        // Now something changes on both sides.
        try home.run("mail", "mark", "starred", try site.id("M0"))
        try home.run("mail", "label", "+billing", try site.id("M1"))
        try home.run("mail", "archive", try site.id("M2"))
        try home.run("mail", "delete", "--yes", try site.id("G1"))
        try home.run("mail", "move", "--to", "Größe/Neu", "--create", try site.id("T1"))
        try site.client(
            """
            m.select('INBOX'); m.uid('STORE', uid('INBOX', 'M0'), '+FLAGS', '(\\\\Seen)')
            m.uid('STORE', uid('INBOX', 'M3'), '+FLAGS', '(\\\\Deleted)'); m.expunge(); put('INBOX', 'M9'); put('Empty', 'E1')
            """)
        for _ in 0..<2 {
            let result = try home.run("sync")
            #expect(result.status == 0, "\(habit): \(result.output)\(result.errors)")
        }
        #expect(try home.run("sync", "--full").output.contains("nothing new"), "\(habit)")
        let inbox = try site.client("print(all('INBOX'))")
        let label = habit.contains("no-permanent") ? "" : " billing"
        #expect(
            inbox == "['M0 \\\\Flagged \\\\Seen', 'M1\(label)', 'M4', 'M9']\n", "\(habit)")
        #expect(try site.client("print(all('Archive'), all('Gr&APYA3w-e'), all('Team'))") == "['M2'] [] ['T2']\n")
        #expect(
            try site.client("print(all('Gr&APYA3w-e/Neu'), all('Empty'))") == "['T1 \\\\Seen'] ['E1']\n", "\(habit)")
        #expect(try site.subjects("INBOX") == ["M0", "M1", "M4", "M9"], "\(habit)")
        #expect(try site.subjects("Größe/Neu") == ["T1"], "\(habit)")
        #expect(
            try home.run("mail", "search", "label:billing", "--ids").output.split(separator: "\n").count == 1,
            "\(habit)")
        #expect(try home.run("doctor").status == 0)
    }

    @Test func aMailboxThatCannotBeOpenedDoesNotStopTheOthers() throws {
        let site = try Site("broken=Team")
        let result = try site.home.run("sync")
        #expect(result.status == 80)
        let said = result.output + result.errors
        #expect(said.contains("the mailbox 'Team' cannot be opened: it is broken"))
        // The server's words end with control characters.
        #expect(!said.contains("\u{1b}") && !said.contains("\u{7}"), "\(said)")
        #expect(try site.subjects("INBOX").count == 5)
        try site.set("caps=UIDPLUS")
        #expect(try site.home.run("sync").status == 0)
        #expect(try site.subjects("Team").count == 2)
        // Its messages stay while it does not open.
        try site.set("broken=Team")
        _ = try site.home.run("sync")
        #expect(try site.subjects("Team").count == 2)
    }

    @Test func aMailboxWithoutPersistentUIDsIsReportedAndSkipped() throws {
        let site = try Site("no-uidvalidity status-no-uidvalidity")
        let result = try site.home.run("sync")
        #expect(result.status == 80)
        #expect((result.output + result.errors).contains("6 mailboxes"))
        #expect(try site.subjects("INBOX").isEmpty)
    }

    @Test func aDryRunCountsEachMessageOnce() throws {
        let site = try Site("")
        let result = try site.home.run("sync", "--dry-run")
        #expect(result.output.components(separatedBy: "would fetch 5 in INBOX").count == 2, "\(result.output)")
    }

    @Test func headersInUTF8AreDetected() throws {
        let site = try Site("utf8-heads caps=UTF8=ACCEPT,ENABLE,UIDPLUS,LITERAL+")
        try site.home.run("sync")
        let made = try site.home.run(
            "mail", "new", "--to", "größe@example.org", "--subject", "Wide", "--body", "x", "--draft")
        #expect(made.status == 0, "\(made.errors)")
        let result = try site.home.run("sync")
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(try site.home.run("sync").output.contains("nothing new"))
        #expect(try site.client("print([s[:4] for s in all('Drafts')])") == "['Wide']\n")
    }

    @Test func aMailboxThatShowsTheMessagesOfOthersIsLeftOutUnlessItIsNamed() throws {
        let site = try Site("all=Team")
        let first = try site.home.run("sync")
        #expect(first.output.contains("'Team' shows messages of other mailboxes and is left out"), "\(first.output)")
        #expect(!(try site.home.run("mail", "mailboxes").output.contains("Team")))
        #expect(!(try site.home.run("sync").output.contains("left out")))
        try site.home.run("account", "edit", "work", "--mailboxes", "*,Team")
        try site.home.run("sync")
        #expect(try site.subjects("Team") == ["T1", "T2"])
    }

    @Test func anUnreadableFileDoesNotCountAsRemoved() throws {
        let site = try Site("")
        try site.home.run("sync")
        let inbox = site.home.folder.path + "/home/mail/work/new/"
        let names = try FileManager.default.contentsOfDirectory(atPath: inbox)
        let file = inbox + (try #require(names.first))
        let away = site.home.folder.path + "/away"
        // Its row is gone while it is away, and what comes back is a link, which nobody follows.
        try FileManager.default.moveItem(atPath: file, toPath: away)
        try site.home.run("mail", "index")
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: away)
        let result = try site.home.run("sync")
        #expect(result.status == 80, "\(result.output)\(result.errors)")
        #expect(result.output.contains("1 message in 'INBOX' cannot be read locally, and stays on the server"))
        #expect(try site.client("print(len(all('INBOX')))") == "5\n")
    }

    @Test func withoutTheMailLibraryNothingIsRemoved() throws {
        let site = try Site("")
        let folder = site.home.folder.path + "/libraries"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("no library".utf8).write(to: URL(fileURLWithPath: folder + "/libgmime-3.0.so.0"))
        for _ in 0..<2 {
            let result = try site.home.run(
                program: "/usr/bin/env", ["LD_LIBRARY_PATH=" + folder, HelixHome.binary.path, "sync"])
            #expect(result.status == 78, "\(result.status) \(result.output)\(result.errors)")
            #expect((result.output + result.errors).contains("GMime 3, needed to read mail, is not installed"))
        }
        #expect(try site.client("print(len(all('INBOX')))") == "5\n")
        #expect(try site.home.run("sync").status == 0)
        #expect(try site.subjects("INBOX").count == 5)
    }

    @Test func anEmptyServerIsRequestedTwiceAndReported() throws {
        let site = try Site("")
        try site.client(
            "for box in ('INBOX', 'Gr&APYA3w-e', 'Team'): m.select(box); m.uid('STORE', '1:*', '+FLAGS', '(\\\\Deleted)'); m.expunge()"
        )
        let result = try site.home.run("sync")
        #expect(result.output.contains("there is no message in any of its 6 mailboxes"), "\(result.output)")
        #expect(try site.home.run("account", "check", "work").output.contains("0 messages"))
    }

    @Test func keywordsOfOtherProgramsAreKeptAsLabels() throws {
        let site = try Site("")
        _ = try site.home.run("sync")
        for label in ["junk", "Forwarded"] { try site.home.run("mail", "label", "+" + label, try site.id("M0")) }
        for _ in 0..<3 { #expect(try site.home.run("sync").status == 0) }
        #expect(try site.client("print(all('INBOX')[0])") == "M0\n")
        #expect(try site.home.run("mail", "search", "label:junk label:forwarded", "--ids").output != "")
    }

    @Test func aNameWithTheServersDelimiterIsRefused() throws {
        let site = try Site("delimiter=.")
        _ = try site.home.run("sync")
        let result = try site.home.run("mail", "mailboxes", "add", "Rechnungen 2.0")
        #expect(result.status == 64)
        #expect(result.errors.contains("separates levels"), "\(result.errors)")
        #expect(try site.home.run("mail", "move", "--to", "A.B", "--create", try site.id("M0")).status == 64)
        #expect(try site.home.run("mail", "mailboxes", "rename", "Team", "T.1").status == 64)
    }

    // MARK: Which mailboxes are synced

    @Test func excludedMailboxesAreUnchangedOnBothSides() throws {
        let site = try Site("caps=UIDPLUS,MOVE,NAMESPACE")
        let home = site.home
        try home.run("account", "edit", "work", "--mailboxes", "INBOX,Gr*,-Größe")
        _ = try home.run("sync")
        #expect(try site.subjects("INBOX").count == 5)
        #expect(try home.run("mail", "list", "--mailbox", "Team").status == 66)
        #expect(try home.run("mail", "list", "--mailbox", "Größe").status == 66)
        // One that was synced and is left out now keeps what it has, and takes nothing that the server would lose.
        try home.run("account", "edit", "work", "--mailboxes", "all")
        _ = try home.run("sync")
        try home.run("account", "edit", "work", "--mailboxes", "-Team")
        try site.client("put('Team', 'T3')")
        #expect(try home.run("sync").output.contains("nothing new"))
        #expect(try site.subjects("Team") == ["T1", "T2"])
        let refused = try home.run("mail", "move", "--to", "Team", try site.id("M0"))
        #expect(refused.status == 80 && refused.errors.contains("left out of the sync"), "\(refused.errors)")
        #expect(try home.run("mail", "move", "--to", "Team", "--create", try site.id("M0")).status == 80)
        #expect(try site.client("print(len(all('Team')), len(all('INBOX')))") == "3 5\n")
        #expect(try home.run("account", "edit", "work", "--mailboxes", "-").status == 64)
        #expect(try home.run("account", "show", "work").output.contains("-Team"))
    }

    @Test func aCheckCountsTheMailboxesThatAreSynced() throws {
        let site = try Site("others caps=NAMESPACE,UIDPLUS,MOVE")
        try site.client("m.create('\"Other Users/ben/X\"'); put('\"Other Users/ben/X\"', 'X1')")
        _ = try site.home.run("sync")
        try site.home.run("account", "edit", "work", "--mailboxes", "-Team")
        try site.client("put('Team', 'T3')")
        let check = try site.home.run("account", "check", "work")
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        #expect(check.output.contains("6 messages on the server, all of them stored locally"), "\(check.output)")
        #expect(check.output.contains("2 of them left out"), "\(check.output)")
    }

    @Test func mailMovedToAnExcludedMailboxStaysOnTheServer() throws {
        let site = try Site("caps=UIDPLUS,MOVE")
        _ = try site.home.run("sync")
        try site.home.run("mail", "move", "--to", "Team", try site.id("M0"))
        try site.home.run("mail", "delete", "--yes", try site.id("M1"))
        try site.set("caps=UIDPLUS,MOVE broken=Team")
        for _ in 0..<2 {
            let result = try site.home.run("sync")
            #expect(result.status == 80)
            #expect((result.output + result.errors).contains("1 message moved to 'Team'"), "\(result.output)")
        }
        #expect(try site.client("print(all('INBOX'), len(all('Team')))") == "['M0', 'M2', 'M3', 'M4'] 2\n")
        try site.set("caps=UIDPLUS,MOVE")
        #expect(try site.home.run("sync").status == 0)
        #expect(try site.client("print(len(all('INBOX')), all('Team')[0])") == "3 M0\n")
        // A selection that only the server can resolve refuses nothing here.
        try site.home.run("account", "edit", "work", "--mailboxes", "subscribed")
        _ = try site.home.run("sync")
        try site.home.run("mail", "move", "--to", "Team", try site.id("M2"))
        let result = try site.home.run("sync")
        #expect(result.status == 80, "\(result.output)")
        #expect(try site.client("print(all('INBOX'), len(all('Team')))") == "['M2', 'M3', 'M4'] 3\n")
        try site.home.run("account", "edit", "work", "--mailboxes", "all")
        #expect(try site.home.run("sync").status == 0)
        #expect(try site.client("print(len(all('INBOX')), len(all('Team')))") == "2 4\n")
        #expect(try site.home.run("sync").output.contains("nothing new"))
    }

    @Test func syncCanBeLimitedToSubscribedMailboxes() throws {
        let site = try Site("")
        try site.client("m.subscribe('Team')")
        try site.home.run("account", "edit", "work", "--mailboxes", "subscribed")
        _ = try site.home.run("sync")
        #expect(try site.subjects("Team").count == 2 && site.subjects("INBOX").count == 5)
        #expect(try site.home.run("mail", "list", "--mailbox", "Größe").status == 66)
    }

    @Test func mailboxesOfOtherUsersAreExcludedByDefault() throws {
        let site = try Site("others caps=NAMESPACE,UIDPLUS,MOVE")
        try site.client("m.create('\"Other Users/ben/X\"'); put('\"Other Users/ben/X\"', 'X1')")
        let first = try site.home.run("sync")
        #expect(first.output.contains("1 mailbox of other users is left out"), "\(first.output)")
        #expect(try site.home.run("mail", "list", "--mailbox", "Other Users/ben/X").status == 66)
        try site.home.run("account", "edit", "work", "--mailboxes", "*,Other Users/*")
        _ = try site.home.run("sync")
        #expect(try site.subjects("Other Users/ben/X") == ["X1"])
    }

    @Test func aCopyThatTheServerFilesItselfIsTheOnlyOne() throws {
        let site = try Site("caps=UIDPLUS")
        try site.client("m.create('Sent')")
        _ = try site.home.run("sync")
        let text = "From: ana@example.org\nTo: bo@example.org\nSubject: Mine\nMessage-ID: <Mine@example.org>\n\nOurs\n"
        let root = site.home.folder.path + "/home/mail/work"
        let sent = try #require(
            FileManager.default.contentsOfDirectory(atPath: root).first { $0.hasSuffix("Sent") })
        let file = root + "/" + sent + "/cur/1790000000.x:2,S"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        // With more in it, as Gmail and Exchange file it.
        try site.client("put('Sent', 'Mine')")
        #expect(try site.home.run("sync").status == 0)
        #expect(try site.home.run("sync").output.contains("nothing new"))
        #expect(try site.subjects("Sent") == ["Mine"])
        #expect(try site.client("print(len(all('Sent')))") == "1\n")
    }

    // MARK: Rights

    @Test(arguments: ["read-only=Team", "caps=ACL,UIDPLUS,MOVE rights=Team:lr", "read-only=Team no-keep"])
    func whatAServerForbidsIsRefusedHereAtOnce(_ habit: String) throws {
        let site = try Site(habit)
        #expect(try site.home.run("sync").status == 0)
        let id = try site.id("T2")
        for words in [
            ["mail", "mark", "starred", id], ["mail", "label", "+x", id], ["mail", "archive", id],
            ["mail", "delete", "--yes", id], ["mail", "move", "--to", "Empty", id],
        ] {
            let result = try site.home.run(words)
            #expect(result.status == 77, "\(words): \(result.output)")
            #expect(result.errors.contains("the server of 'work' does not let you"), "\(result.errors)")
        }
        // A message is read here, and nothing is tried on the server.
        try site.home.run("mail", "read", id)
        for _ in 0..<2 {
            let result = try site.home.run("sync")
            #expect(result.status == 0 && result.output.contains("nothing new"), "\(result.output)\(result.errors)")
        }
        #expect(try site.client("print(all('Team'))") == "['T1 \\\\Seen', 'T2']\n")
    }

    @Test func aChangeThatTheServerForbidsMeanwhileIsUndoneAndReported() throws {
        let site = try Site("caps=ACL,UIDPLUS,MOVE")
        _ = try site.home.run("sync")
        try site.home.run("mail", "mark", "starred", try site.id("T1"))
        try site.home.run("mail", "archive", try site.id("T2"))
        try site.home.run("mail", "delete", "--yes", try site.id("T1"))
        try site.home.run("mail", "move", "--to", "Empty", try site.id("G1"))
        try site.set("caps=ACL,UIDPLUS,MOVE rights=Team:lr")
        var said = ""
        for _ in 0..<4 {
            let result = try site.home.run("sync", "--full")
            said += result.output + result.errors
        }
        #expect(said.contains("does not allow"), "\(said)")
        let last = try site.home.run("sync")
        #expect(last.status == 0 && last.output.contains("nothing new"), "\(last.output)\(last.errors)")
        #expect(
            try site.client("print(all('Team'), all('Archive'), all('Empty'))")
                == "['T1 \\\\Seen', 'T2'] ['T2'] ['G1']\n")
        #expect(try site.subjects("Team") == ["T1", "T2"])
        #expect(try site.home.run("doctor").status == 0)
    }

    @Test func messagesMovedToAReadOnlyMailboxStayLocal() throws {
        let site = try Site("caps=ACL,UIDPLUS,MOVE rights=Team:lrswte")
        _ = try site.home.run("sync", "--full")
        #expect(try site.home.run("mail", "move", "--to", "Team", try site.id("M0")).status == 77)
        #expect(try site.home.run("mail", "mark", "starred", try site.id("T1")).status == 0)
        let result = try site.home.run("sync")
        #expect(result.status == 0, "\(result.errors)")
        #expect(try site.client("print(all('Team'))") == "['T1 \\\\Flagged \\\\Seen', 'T2']\n")
    }
}
