import Foundation
import TestSupport
import Testing

/// Freedoms of JMAP servers (RFC 8620, RFC 8621) change nothing about what helix fetches and sends: a server in memory does what
/// few do. Cyrus, a real one, runs the steps of ``ForeignServerTests``.
@Suite struct JMAPHabitTests {
    @Test(arguments: [
        "", "absolute", "small=3", "small=2 no-total", "forget", "blob", "busy", "upper", "no-message-id", "no-total",
        "once",
        "blob small=3", "absolute small=3 busy upper",
    ])
    func bothSidesMeetWhateverAServerDoes(_ habits: String) throws {
        let site = try Site(habits, path: habits.isEmpty ? "" : "/session")
        let home = site.home
        try site.sync()
        try site.settles()
        #expect(try site.subjects("INBOX") == (0..<7).map { "M\($0)" })
        #expect(try site.subjects("Team") == ["T1", "T2"])
        #expect(try home.run("mail", "search", "label:todo", "is:starred", "--ids").output != "")
        let check = try home.run("account", "check", "work")
        #expect(
            check.status == 0 && check.output.contains("9 messages on the server, all of them stored locally"),
            "\(check.output)")
        // Changes of both sides.
        try home.run("mail", "mark", "starred", try site.id("M0"))
        try home.run("mail", "label", "+Billing", try site.id("M1"))
        try home.run("mail", "move", "--to", "Team", try site.id("M2"))
        try home.run("mail", "delete", "--yes", try site.id("M3"))
        try home.run("mail", "mailboxes", "rename", "Team", "Crew")
        try home.run("mail", "move", "--to", "New/Place", "--create", try site.id("M4"))
        try site.put("Inbox", "M9", ["$answered"])
        try site.sync()
        try site.sync()
        try site.settles()
        #expect(try site.look("Inbox") == ["M0 $flagged", "M1 billing", "M5", "M6", "M9 $answered"])
        #expect(try site.look("Crew") == ["M2", "T1 $seen", "T2 $flagged todo"])
        #expect(try site.look("Place") == ["M4"])
        #expect(try site.subjects("INBOX") == ["M0", "M1", "M5", "M6", "M9"])
        #expect(try home.run("mail", "search", "label:Billing", "--ids").output != "")
        // An undo here is one there, and all is asked for once more.
        try home.run("mail", "mark", "read", try site.id("M5"))
        try site.sync()
        #expect(try site.look("Inbox").contains("M5 $seen"))
        try home.run("undo")
        try site.sync()
        try site.settles()
        #expect(try site.look("Inbox").contains("M5"))
        #expect(try home.run("sync", "--full").output.contains("nothing new"))
        #expect(try home.run("doctor").status == 0)
    }

    @Test func aSyncWithoutChangesIsOneRoundTrip() throws {
        let site = try Site("")
        try site.sync()
        let before = try site.log().count
        let run = try site.home.run("sync", "--json")
        #expect(run.output.contains("\"round_trips\": 1"))
        #expect(try Array(site.log().dropFirst(before)) == ["Mailbox/get", "Email/changes", "Email/get", "Email/get"])
    }

    @Test func messagesAreFetchedInBatchesIfTheServerSupportsIt() throws {
        let site = try Site("blob")
        try site.sync()
        #expect(try !site.log().contains { $0.hasPrefix("GET /download") })
        #expect(try site.log().filter { $0 == "Blob/get" }.count <= 2)
    }

    @Test func anOutdatedSessionIsRequestedAgain() throws {
        let site = try Site("")
        try site.sync()
        try site.server.setHabits("moved")
        try site.put("Inbox", "Later")
        try site.sync()
        #expect(try site.subjects("INBOX").contains("Later"))
        try site.settles()
    }

    @Test func failedFetchesAreRetried() throws {
        let site = try Site("gone=M2")
        try site.home.run("sync")
        #expect(try site.subjects("INBOX").count == 6)
        try site.server.setHabits("")
        try site.sync()
        #expect(try site.subjects("INBOX").count == 7)
        try site.settles()
    }

    @Test func aReadOnlyMailboxIsUnchangedOnBothSides() throws {
        let site = try Site("read-only=Team")
        try site.sync()
        let refused = try site.home.run("mail", "mark", "unread", try site.id("T1"))
        #expect(refused.status == 77 && refused.errors.contains("Team"), "\(refused.errors)")
        #expect(try site.home.run("mail", "move", "--to", "Team", try site.id("M1")).status == 77)
        #expect(try site.look("Team") == ["T1 $seen", "T2 $flagged todo"])
    }

    @Test(arguments: [("refuse=forbidden", "mark"), ("quota", "room")])
    func rejectionsAreReportedAndTheRestIsSynced(_ habit: String, _ word: String) throws {
        let site = try Site("")
        try site.sync()
        try site.server.setHabits(habit)
        try site.home.run("mail", "mark", "starred", try site.id("M1"))
        try site.home.run("mail", "new", "--to", "bo@example.org", "--subject", "Plan", "--body", "One", "--draft")
        try site.put("Inbox", "Later")
        let run = try site.home.run("sync")
        #expect((run.output + run.errors).contains(word), "\(run.output)\(run.errors)")
        #expect(try site.subjects("INBOX").contains("Later"))
        try site.server.setHabits("")
        try site.sync()
        try site.sync()
        try site.settles()
    }

    @Test func aMessageInTwoMailboxesIsRemovedFromOne() throws {
        let site = try Site("")
        try site.sync()
        try site.put("Inbox+Team", "Both")
        try site.sync()
        try site.settles()
        #expect(try site.subjects("INBOX").contains("Both") && site.subjects("Team").contains("Both"))
        let inTeam = try site.home.run("mail", "list", "--mailbox", "Team", "--json").items().first {
            $0["subject"] as? String == "Both"
        }
        try site.home.run("mail", "delete", "--yes", try #require(inTeam?["id"] as? String))
        try site.sync()
        try site.settles()
        #expect(try site.look("Inbox").contains("Both") && !site.look("Team").contains("Both"))
        // Flags are the message's, wherever it lies.
        try site.home.run("mail", "mark", "starred", try site.id("Both"))
        try site.sync()
        #expect(try site.look("Inbox").contains("Both $flagged"))
    }

    @Test func aMessageMovedToAMailboxThatHasItIsStoredOnce() throws {
        let site = try Site("")
        try site.put("Inbox+Team", "Both")
        try site.sync()
        let inbox = try site.home.run("mail", "list", "--mailbox", "INBOX", "--json").items().first {
            $0["subject"] as? String == "Both"
        }
        try site.home.run("mail", "move", "--to", "Team", try #require(inbox?["id"] as? String))
        try site.sync()
        try site.sync()
        try site.settles()
        #expect(try site.look("Team").filter { $0 == "Both" }.count == 1)
        #expect(try site.subjects("Team").filter { $0 == "Both" }.count == 1)
        #expect(try !site.look("Inbox").contains("Both"))
    }

    @Test func anAccountThatIsRemovedAndAddedAgainLosesNothing() throws {
        let site = try Site("")
        try site.sync()
        try site.home.run("account", "remove", "work", "--yes")
        try site.home.run("undo")
        try site.put("Inbox", "Later")
        try site.sync()
        try site.sync()
        try site.settles()
        #expect(try site.subjects("INBOX") == ["Later"] + (0..<7).map { "M\($0)" })
        #expect(try site.look("Inbox").count == 8 && site.look("Team").count == 2)
    }

    @Test func aRestoredStoreConfusesNoFiles() throws {
        let site = try Site("")
        try site.sync()
        let backup = site.home.folder.appendingPathComponent("early.db").path
        try site.home.run("backup", backup)
        for number in 0..<5 { try site.put("Inbox", "Late\(number)") }
        try site.sync()
        // What came since is known no more, and lies there as files; other messages come now.
        #expect(try site.home.run("restore", backup, "--yes").status == 0)
        for number in 0..<5 { try site.put("Team", "Other\(number)") }
        try site.sync()
        try site.sync()
        try site.settles()
        #expect(try site.subjects("INBOX") == (0..<5).map { "Late\($0)" } + (0..<7).map { "M\($0)" })
        #expect(try site.subjects("Team") == (0..<5).map { "Other\($0)" } + ["T1", "T2"])
        #expect(try site.look("Inbox").count == 12 && site.look("Team").count == 7)
        let read = try site.home.run("mail", "read", try site.id("Late3"))
        #expect(read.output.contains("Text of Late3"))
    }

    @Test(arguments: [
        ["Team": "Crew", "Crew": "Team"], ["Team": "Crew", "Crew": "Old"], ["Team": "Fresh"],
    ])
    func mailboxesThatChangeTheirNamesKeepTheirMessages(_ names: [String: String]) throws {
        let site = try Site("")
        try site.put("Crew", "C1")
        try site.put("Archive", "A1")
        try site.sync()
        var labels: [String: [String]] = [:]
        for box in ["Team", "Crew", "Archive"] { labels[names[box] ?? box] = try site.subjects(box) }
        let before = try site.log().count
        try site.rename(names)
        try site.sync()
        try site.sync()
        try site.settles()
        for (box, subjects) in labels { #expect(try site.subjects(box) == subjects, "\(box)") }
        // Nothing travels for it, and nothing comes back under its old name.
        #expect(try !site.log().dropFirst(before).contains { $0.hasPrefix("GET /download") || $0 == "Email/import" })
        #expect(try site.look("Inbox").count == 7)
    }

    @Test func aLabelBeyondASCIIStaysLocal() throws {
        let site = try Site("")
        try site.sync()
        let id = try site.id("T2")
        try site.home.run("mail", "label", "-todo", id)
        try site.home.run("mail", "label", "+Todo", id)
        try site.sync()
        try site.sync()
        try site.settles()
        #expect(try site.look("Team").contains("T2 $flagged todo"))
        #expect(try site.home.run("mail", "search", "label:Todo", "--ids").output != "")
    }

    @Test func bodiesAreFetchedOnRequest() throws {
        let site = try Site("small=3")
        try site.home.run("account", "edit", "work", "--bodies", "on-demand")
        try site.sync()
        try site.settles()
        #expect(try !site.log().contains { $0.hasPrefix("GET /download") })
        let read = try site.home.run("mail", "read", try site.id("M1"))
        #expect(read.output.contains("Text of M1"), "\(read.output)\(read.errors)")
        #expect(try site.log().filter { $0.hasPrefix("GET /download") }.count == 1)
    }

    @Test func aMailboxThatWasLeftOutIsFetchedCompletelyLater() throws {
        let site = try Site("")
        try site.sync()
        try site.home.run("account", "edit", "work", "--mailboxes", "-Team")
        try site.sync()
        try site.put("Team", "T3")
        try site.sync()
        #expect(try site.subjects("Team") == ["T1", "T2"])
        try site.home.run("account", "edit", "work", "--mailboxes", "all")
        try site.sync()
        #expect(try site.subjects("Team") == ["T1", "T2", "T3"])
        try site.settles()
    }

    @Test func aDraftThatIsOnTheServerAlreadyIsSent() throws {
        let site = try Site("once")
        try site.sync()
        _ = try send(site)
        try site.sync()
        #expect(try site.sent().count == 1)
        try site.settles()
    }

    @Test func newMailIsPushed() throws {
        let site = try Site("")
        try site.sync()
        let process = Process()
        process.executableURL = HelixHome.binary
        process.arguments = ["sync", "--watch", "--every", "1h"]
        process.environment = site.home.environment
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer { kill(process.processIdentifier, SIGKILL) }
        func eventually(_ body: () throws -> Bool) throws -> Bool {
            for _ in 0..<200 {
                if try body() { return true }
                usleep(100_000)
            }
            return false
        }
        #expect(try eventually { try site.log().contains("GET /events") })
        try site.put("Inbox", "News")
        #expect(try eventually { try site.subjects("INBOX").contains("News") })
        #expect(try eventually { try site.log().filter { $0 == "GET /events" }.count > 1 })
        // What somebody changes here leaves by itself.
        try site.home.run("mail", "mark", "starred", try site.id("M1"))
        #expect(try eventually { try site.look("Inbox").contains("M1 $flagged") })
    }

    // MARK: Sending

    private func send(_ site: Site) throws -> HelixHome.Result {
        try site.home.run(
            "mail", "new", "--to", "bo@example.org", "--bcc", "eve@example.org", "--subject", "Plan", "--body", "One",
            "--send")
        return try site.home.run("sync")
    }

    @Test func mailIsSentOnceAndACopyIsFiled() throws {
        let site = try Site("")
        try site.sync()
        _ = try send(site)
        try site.sync()
        try site.settles()
        let sent = try site.sent()
        #expect(sent.count == 1)
        let envelope = sent.first?["envelope"] as? [String: Any]
        let people = (envelope?["rcptTo"] as? [[String: Any]])?.compactMap { $0["email"] as? String }
        #expect(people == ["bo@example.org", "eve@example.org"])
        #expect((sent.first?["text"] as? String)?.contains("eve@") == false)
        #expect(try site.look("Sent").count == 1 && site.look("Drafts").isEmpty)
        #expect(try site.home.run("outbox", "list", "--json").items().isEmpty)
    }

    @Test(arguments: ["send=forbiddenFrom", "send=tooLarge", "no-send"])
    func whatTheServerDoesNotSendWaitsWithItsReason(_ habit: String) throws {
        let site = try Site(habit)
        try site.sync()
        let run = try send(site)
        #expect((run.output + run.errors).contains("was not sent"), "\(run.output)\(run.errors)")
        #expect(try site.sent().isEmpty && site.look("Drafts").isEmpty && site.look("Sent").isEmpty)
        #expect(try site.home.run("outbox", "list", "--json").items().count == 1)
    }

    @Test func aConnectionLostWhileSendingCausesNoSecondAttempt() throws {
        let site = try Site("cut-send")
        try site.sync()
        _ = try send(site)
        try site.server.setHabits("")
        try site.home.run("sync")
        #expect(try site.sent().count == 1)
        #expect(try site.home.run("outbox", "list").output.contains("broke"))
    }

    @Test func anImportWithAnUnreadableResponseIsNotRepeated() throws {
        let site = try Site("")
        // The second sync goes by the session of the first.
        try site.sync()
        try site.server.setHabits("garble-import")
        try site.home.run("mail", "new", "--to", "bo@example.org", "--subject", "Plan", "--body", "One", "--draft")
        let run = try site.home.run("sync")
        #expect(run.status != 0, "\(run.output)\(run.errors)")
        #expect(try site.look("Drafts").filter { $0.hasPrefix("Plan") }.count == 1)
        try site.server.setHabits("")
        try site.sync()
        try site.settles()
        #expect(try site.look("Drafts").filter { $0.hasPrefix("Plan") }.count == 1)
    }
}
