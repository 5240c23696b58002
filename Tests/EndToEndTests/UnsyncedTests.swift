import Foundation
import TestSupport
import Testing

/// What is not at a server yet is shown as waiting, of whatever kind it is.
@Suite struct UnsyncedTests {
    private static func outbox(_ home: HelixHome) throws -> (text: String, count: String) {
        (try home.run("outbox").output, try home.run("status", "--format", "{outbox}").output)
    }

    @Test func changesForAGatewayWait() throws {
        let site = try GatewaySite(users: ["ana"])
        let ana = try site.device(of: "ana")
        try HelixHome.sync(ana)
        #expect(try Self.outbox(ana) == ("No queued messages.\n", "0\n"))
        try ana.run("tasks", "add", "Paint")
        try ana.run("tasks", "add", "Sand")
        try ana.run("cal", "add", "Dentist 2026-11-25 9:00")
        try ana.run("time", "add", "8:00-9:00", "Reading")
        // A board with its columns and a calendar were made for them.
        let waiting = try Self.outbox(ana)
        for part in ["2 tasks (hub)", "1 event (hub)", "1 time entry (hub)"] { #expect(waiting.text.contains(part)) }
        #expect(waiting.count == "10\n", "\(waiting)")
        try HelixHome.sync(ana)
        #expect(try Self.outbox(ana) == ("No queued messages.\n", "0\n"))
    }

    @Test func changesForAFolderOfEventsWait() throws {
        let home = try HelixHome()
        let folder = home.folder.path + "/events"
        try FileManager.default.createDirectory(atPath: folder + "/work", withIntermediateDirectories: true)
        #expect(try home.run("account", "add", "days", "vdir", folder).status == 0)
        #expect(try home.run("sync").status == 0)
        #expect(try Self.outbox(home).count == "0\n")
        #expect(try home.run("cal", "add", "Dentist 2026-11-25 9:00", "--calendar", "work").status == 0)
        let waiting = try Self.outbox(home)
        #expect(waiting.text.contains("1 event (days)") && waiting.count == "1\n", "\(waiting)")
        #expect(try home.run("sync").status == 0)
        #expect(try Self.outbox(home).count == "0\n")
    }

    @Test func changesOfMailWait() throws {
        let site = try MailSite()
        try site.client("put('INBOX', 'One'); put('INBOX', 'Two')")
        let home = try site.home()
        #expect(try home.run("sync").status == 0)
        #expect(try Self.outbox(home).count == "0\n")
        let id = try #require(try home.run("mail", "list", "--json").items().first?["id"] as? String)
        #expect(try home.run("mail", "mark", "starred", id).status == 0)
        let waiting = try Self.outbox(home)
        #expect(waiting.text.contains("1 message (") && waiting.count == "1\n", "\(waiting)")
        #expect(try home.run("sync").status == 0)
        #expect(try Self.outbox(home).count == "0\n")
    }
}
