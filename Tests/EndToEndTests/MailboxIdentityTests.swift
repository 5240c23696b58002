import Foundation
import TestSupport
import Testing

/// Renames of mailboxes on an IMAP server: the messages stay where they belong, and are not fetched again where an id tells which
/// mailbox is which (RFC 8474).
@Suite struct MailboxIdentityTests {
    typealias Site = ServerHabitTests.Site

    private static let base = "UIDPLUS,LITERAL+,MOVE"

    /// The number of messages that were asked for whole so far.
    private func fetches(_ site: Site) throws -> Int {
        let log = try String(contentsOf: site.server.folder.appendingPathComponent("log.txt"), encoding: .utf8)
        return log.split(separator: "\n").filter { $0.contains("UID FETCH") && $0.contains("BODY.PEEK[]") }.count
    }

    private func expectWhole(_ site: Site, _ expected: [String: [String]]) throws {
        for (mailbox, subjects) in expected {
            let found = try site.subjects(mailbox)
            #expect(found == subjects, "\(mailbox)")
        }
        #expect(try site.home.run("account", "check", "work").status == 0)
        #expect(try site.home.run("sync").output.contains("nothing new"))
    }

    @Test(arguments: ["caps=\(base),OBJECTID", "caps=\(base),OBJECTID one-validity"])
    func mailboxesThatSwapTheirNamesAreNotFetchedAgain(_ habits: String) throws {
        let site = try Site(habits)
        try site.client("put('Archive', 'A1'); put('Archive', 'A2'); put('Archive', 'A3')")
        #expect(try site.home.run("sync").status == 0)
        let former = try fetches(site)
        #expect(former > 0)
        try site.home.run("mail", "label", "+own", try site.id("T1"))
        try site.client(
            """
            m.rename('Team', 'Third'); m.rename('Archive', 'Team'); m.rename('Third', 'Archive')
            m.rename('Gr&APYA3w-e', 'Sizes/Big')
            """)
        let result = try site.home.run("sync")
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(try fetches(site) == former)
        try expectWhole(
            site, ["Archive": ["T1", "T2"], "Team": ["A1", "A2", "A3"], "Sizes/Big": ["G1"]])
        #expect(try site.client("print(all('Archive'))") == "['T1 \\\\Seen own', 'T2']\n")
    }

    /// Numbers alone do not tell that: on some servers all mailboxes have the same.
    @Test(arguments: [
        "caps=\(base) one-validity", "caps=\(base),OBJECTID one-validity", "caps=\(base),OBJECTID", "caps=\(base)",
    ])
    func aNewMailboxIsNotTakenForOneThatIsGone(_ habits: String) throws {
        let site = try Site(habits)
        #expect(try site.home.run("sync").status == 0)
        try site.client("m.delete('Team'); m.create('Crew'); put('Crew', 'C1'); put('Crew', 'C2'); put('Crew', 'C3')")
        for _ in 0..<2 { #expect(try site.home.run("sync").status == 0) }
        try expectWhole(site, ["Crew": ["C1", "C2", "C3"]])
        #expect(try site.home.run("mail", "search", "subject:T1", "--ids").output.isEmpty)
    }

    @Test func aMailboxMadeAgainUnderItsNameIsAnother() throws {
        let site = try Site("caps=\(Self.base),OBJECTID")
        #expect(try site.home.run("sync").status == 0)
        try site.client("m.delete('Team'); m.create('Team'); put('Team', 'C1')")
        for _ in 0..<2 { #expect(try site.home.run("sync").status == 0) }
        try expectWhole(site, ["Team": ["C1"]])
    }
}
