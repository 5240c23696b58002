import Foundation
import TestSupport
import Testing

/// Two homes on the same accounts, changed on both sides, come to the same state in all cases of docs/sync.md.
@Suite(
    .enabled(
        if: TestServer.has("/usr/sbin/dovecot") && TestServer.has("/usr/bin/radicale"),
        "needs the server dovecot and radicale"))
struct ConvergenceTests {
    private static func sync(_ homes: HelixHome...) throws {
        for home in homes {
            let result = try home.run("sync")
            guard result.status == 0 else { throw OracleFailure(message: result.errors + result.output) }
        }
    }

    // MARK: Mail

    /// Each message with its mailbox, flags and labels.
    private static func mail(_ home: HelixHome) throws -> [String] {
        try home.run("mail", "search", "subject:r*", "--limit", "500", "--json").items().map { item in
            let flags = (item["flags"] as? [String] ?? []).sorted() + (item["labels"] as? [String] ?? []).sorted()
            return ([item["subject"] as? String ?? "", item["mailbox"] as? String ?? ""] + flags).joined(separator: " ")
        }.filter { $0.hasPrefix("r") }.sorted()
    }

    private static func message(_ home: HelixHome, _ subject: String) throws -> String {
        try home.run("mail", "search", "subject:\(subject)", "--ids").output.split(separator: "\n").first.map(
            String.init)
            ?? "none"
    }

    @Test(arguments: [false, true]) func everyRowOfMailComesToTheSameState(_ isPlain: Bool) throws {
        let site = try MailSite(isPlain: isPlain)
        let names = "'r01','r02','r03','r04','r05','r06','r07','r08','r09','r10'"
        try site.client(
            """
            for n, s in enumerate([\(names)]): put('INBOX', s, None, None, 1760000000 + n)
            for n in range(30): put('INBOX', f'filler{n:02}', None, None, 1750000000 + n)
            m.create('There'); m.create('Doomed'); m.create('Lively')
            put('Doomed', 'r11'); put('Lively', 'r12')
            """)
        let (one, two) = (try site.home(), try site.home())
        try Self.sync(one, two)
        func here(_ words: String...) throws { try one.run(["mail"] + words) }
        func there(_ words: String...) throws { try two.run(["mail"] + words) }
        func id(_ home: HelixHome, _ subject: String) throws -> String { try Self.message(home, subject) }
        try here("mark", "starred", id(one, "r01"))
        try there("mark", "read", id(two, "r01"))
        try there("label", "+billing", id(two, "r01"))
        try here("mark", "starred", id(one, "r02"))
        try there("mark", "starred", id(two, "r02"))
        try here("archive", id(one, "r03"))
        try there("mark", "read", id(two, "r03"))
        try here("mark", "starred", id(one, "r04"))
        try there("archive", id(two, "r04"))
        try here("move", "--to", "Here", "--create", id(one, "r05"))
        try there("move", "--to", "There", id(two, "r05"))
        try here("archive", id(one, "r06"))
        try there("delete", "--yes", id(two, "r06"))
        try here("delete", "--yes", id(one, "r07"))
        try there("move", "--to", "There", id(two, "r07"))
        try here("delete", "--yes", id(one, "r08"))
        try there("mark", "starred", id(two, "r08"))
        try here("mark", "starred", id(one, "r09"))
        try there("delete", "--yes", id(two, "r09"))
        try here("delete", "--yes", id(one, "r10"))
        try there("delete", "--yes", id(two, "r10"))
        // The other side is the first to be synced: what it did is what the server says.
        try Self.sync(two)
        // Mailboxes are deleted on the server; into one of them something comes here.
        try here("move", "--to", "Lively", id(one, "filler01"))
        try site.client("m.delete('Doomed'); m.delete('Lively')")
        try Self.sync(one, two, one, two)
        let found = try Self.mail(one)
        #expect(
            found == [
                "r01 INBOX read starred billing", "r02 INBOX starred", "r03 Archive read", "r04 Archive starred",
                "r05 Here", "r06 Archive", "r07 There",
            ])
        #expect(try Self.mail(two) == found)
        #expect(try one.run("mail", "search", "in:Lively", "--json").items().count == 1)
        #expect(try site.client("print(len(all('Lively')), len(all('INBOX')))") == "1 31\n")
        #expect(try two.run("mail", "list", "--mailbox", "Doomed").status == 66)
        for home in [one, two] {
            let item = try home.run("sync", "--json").items().first
            #expect((item?["steps"] as? [Any])?.isEmpty == true, "\(item ?? [:])")
            #expect(try home.run("doctor").status == 0)
        }
    }

    @Test func aDraftEditedOnBothSidesIsTwoAndSentOnceFromEach() throws {
        let site = try MailSite(sends: true)
        let (one, two) = (try site.home(), try site.home())
        try Self.sync(one, two)
        try one.run("mail", "new", "--to", "ben@example.org", "-s", "rPlan", "--body", "v1", "--draft")
        try Self.sync(one, two)
        try one.run("mail", "edit", try Self.message(one, "rPlan"), "--body", "mine")
        try two.run("mail", "edit", try Self.message(two, "rPlan"), "--body", "theirs")
        try Self.sync(one, two, one)
        let text =
            "m.select('Drafts'); print(sorted(x[1].split(b'\\r\\n\\r\\n')[1].strip() for x in m.uid('FETCH', '1:*', '(BODY.PEEK[])')[1] if isinstance(x, tuple)))"
        #expect(try site.client(text) == "[b'mine', b'theirs']\n")
        #expect(try one.run("mail", "drafts", "--json").items().count == 2)
        // As many bytes, the same Message-ID, and something else all the same.
        try one.run("mail", "new", "--to", "ben@example.org", "-s", "rSame", "--body", "one", "--draft")
        try Self.sync(one, two)
        try one.run("mail", "edit", try Self.message(one, "rSame"), "--body", "AAA")
        try two.run("mail", "edit", try Self.message(two, "rSame"), "--body", "BBB")
        try Self.sync(one, two, one)
        for home in [one, two] {
            for word in ["AAA", "BBB"] {
                #expect(try home.run("mail", "search", word, "--json").items().count == 1, "\(word)")
            }
        }
        // The same draft is sent from both machines: it leaves once, and the later one says so.
        let (three, four) = (try site.home(), try site.home())
        try three.run("mail", "new", "--to", "ben@example.org", "-s", "rOnce", "--body", "once", "--draft")
        try Self.sync(three, four)
        try three.run("mail", "send", try Self.message(three, "rOnce"))
        try four.run("mail", "send", try Self.message(four, "rOnce"))
        try Self.sync(three)
        let later = try four.run("sync")
        #expect(try four.run("outbox").output.contains("rOnce"), "\(later.output)")
        #expect(try site.client("print(len([s for s in all('\"Sent items\"') if 'rOnce' in s]))") == "1\n")
    }

    @Test func namesThatBeginWithAPrefixAreReadWithoutIt() throws {
        let site = try MailSite(prefix: "INBOX.")
        try site.client("m.create('INBOX.Projects.House'); put('INBOX.Projects.House', 'rOld'); put('INBOX', 'rIn')")
        let home = try site.home()
        try Self.sync(home)
        #expect(try Self.mail(home) == ["rIn INBOX", "rOld Projects/House"])
        try home.run("mail", "move", "--to", "Billing/2026", "--create", try Self.message(home, "rIn"))
        try home.run("mail", "archive", try Self.message(home, "rOld"))
        try Self.sync(home)
        #expect(try site.client("print(all('INBOX.Billing.2026'), all('INBOX.Archive'))") == "['rIn'] ['rOld']\n")
        try Self.sync(home)
        let again = try home.run("sync", "--json").items().first
        #expect((again?["steps"] as? [Any])?.isEmpty == true)
        #expect((again?["round_trips"] as? Int ?? 99) <= 4)
    }

    // MARK: Events

    private static func events(_ home: HelixHome) throws -> [String] {
        try home.run("cal", "agenda", "2026-11-01..2026-12-31", "--json").items().map {
            "\($0["title"] ?? "") \(($0["start"] as? String ?? "").prefix(16)) \($0["calendar"] ?? "")"
        }.sorted()
    }

    private static func event(_ home: HelixHome, _ title: String) throws -> String {
        try home.run("cal", "search", title, "--json").items().first?["id"] as? String ?? "none"
    }

    @Test(arguments: [CalendarSite.Place.folder, .radicale]) func everyRowOfEventsComesToTheSameState(
        _ place: CalendarSite.Place
    ) throws {
        let site = try CalendarSite(place)
        for name in ["east", "west", "gone"] {
            if place == .folder {
                try FileManager.default.createDirectory(
                    at: site.folder.appendingPathComponent(name), withIntermediateDirectories: true)
            } else {
                try site.curl(
                    "MKCALENDAR", "/ana/\(name)/",
                    """
                    <?xml version="1.0"?><C:mkcalendar xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:"><D:set><D:prop>\
                    <D:displayname>\(name)</D:displayname></D:prop></D:set></C:mkcalendar>
                    """)
            }
        }
        let (one, two) = (try site.home(), try site.home())
        try Self.sync(one)
        func add(_ text: String, _ more: String...) throws {
            try one.run(["cal", "add", text, "--calendar", "calendar", "--on-conflict", "allow"] + more)
        }
        for name in ["alpha", "bravo", "delta", "echo", "golf", "hotel", "india"] {
            try add("\(name) 2026-11-20 9:00 for 1h")
        }
        try add("kilo 2026-11-21 9:00 for 1h", "--repeat", "daily for 4 times")
        try add("lima 2026-11-21 12:00 for 1h", "--repeat", "daily for 4 times")
        for number in 0..<20 { try add("filler\(number) 2026-12-10 9:00 for 1h") }
        try one.run("cal", "add", "zulu 2026-12-20 9:00 for 1h", "--calendar", "gone")
        try Self.sync(one, two)
        func here(_ words: String...) throws { try one.run(["cal"] + words) }
        func there(_ words: String...) throws { try two.run(["cal"] + words) }
        func id(_ home: HelixHome, _ title: String) throws -> String { try Self.event(home, title) }
        // Another property, and the same one.
        try here("move", id(one, "alpha"), "10:00")
        try there("edit", id(two, "alpha"), "--title", "alpha two")
        try here("edit", id(one, "bravo"), "--title", "bravo early")
        two.environment["HELIX_NOW"] = "2026-11-18T10:30:00"
        try there("edit", id(two, "bravo"), "--title", "bravo late")
        // Changed and deleted, and the other way round; deleted on both sides.
        try here("edit", id(one, "delta"), "--title", "delta stays")
        try there("delete", "--yes", id(two, "delta"))
        try here("delete", "--yes", id(one, "echo"))
        try there("edit", id(two, "echo"), "--title", "echo back")
        try here("delete", "--yes", id(one, "golf"))
        try there("delete", "--yes", id(two, "golf"))
        // Moved to another calendar there, and changed here; to another one on each side.
        try there("edit", id(two, "hotel"), "--calendar", "east")
        try here("edit", id(one, "hotel"), "--title", "hotel mine")
        try here("edit", id(one, "india"), "--calendar", "west")
        try there("edit", id(two, "india"), "--calendar", "east")
        // Days of a series: each another one; the same one, changed and left out.
        try here("edit", id(one, "kilo"), "--this", "2026-11-22", "--title", "kilo one")
        try there("edit", id(two, "kilo"), "--this", "2026-11-23", "--title", "kilo two")
        try here("edit", id(one, "lima"), "--this", "2026-11-22", "--title", "lima kept")
        try there("delete", "--yes", id(two, "lima"), "--this", "2026-11-22")
        try Self.sync(two)
        // A whole calendar goes there.
        if place == .folder {
            try FileManager.default.removeItem(at: site.folder.appendingPathComponent("gone"))
        } else {
            try site.curl("DELETE", "/ana/gone/", "")
        }
        let first = try one.run("sync")
        #expect(first.output.contains("'gone' was deleted on the other side"))
        try Self.sync(two, one, two, one)
        let found = try Self.events(one).filter { !$0.hasPrefix("filler") }
        #expect(
            found == [
                "alpha two 2026-11-20T10:00 calendar", "bravo late 2026-11-20T09:00 calendar",
                "delta stays 2026-11-20T09:00 calendar", "echo back 2026-11-20T09:00 calendar",
                "hotel mine 2026-11-20T09:00 east", "india 2026-11-20T09:00 east",
                "kilo 2026-11-21T09:00 calendar", "kilo 2026-11-24T09:00 calendar",
                "kilo one 2026-11-22T09:00 calendar", "kilo two 2026-11-23T09:00 calendar",
                "lima 2026-11-21T12:00 calendar", "lima 2026-11-23T12:00 calendar", "lima 2026-11-24T12:00 calendar",
                "lima kept 2026-11-22T12:00 calendar", "zulu 2026-12-20T09:00 gone",
            ])
        #expect(try Self.events(two).filter { !$0.hasPrefix("filler") } == found)
        // What gave way can be read.
        #expect(try one.run("history", try Self.event(one, "bravo")).output.contains("sync"))
        for home in [one, two] {
            try home.run("sync")
            let item = try home.run("sync", "--json").items().first
            #expect((item?["steps"] as? [Any])?.isEmpty == true, "\(item ?? [:])")
            #expect(try home.run("doctor").status == 0)
        }
    }

    @Test func aTaskThatComesAgainAndIsDoneTwiceComesAgainOnce() throws {
        let site = try CalendarSite(.radicale)
        let (one, two) = (try site.home(), try site.home())
        try site.curl(
            "PUT", "/ana/calendar/x.ics",
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VTODO\r\nUID:x\r\nDTSTAMP:20261101T000000Z\r\nSUMMARY:Other\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
        )
        try Self.sync(one, two)
        try one.run("tasks", "add", "Water due:2026-11-19 repeat:\"every 3 days\"", "--board", "calendar")
        try Self.sync(one, two)
        func open(_ home: HelixHome) throws -> [String] {
            try home.run("tasks", "list", "Water", "--json").items().compactMap { $0["due"] as? String }
        }
        #expect(try open(two) == ["2026-11-19"])
        for home in [one, two] {
            let id = try home.run("tasks", "list", "Water", "--ids").output.trimmingCharacters(in: .newlines)
            #expect(try home.run("tasks", "done", id).status == 0)
        }
        try Self.sync(one, two, one, two)
        #expect(try open(one) == ["2026-11-22"])
        #expect(try open(two) == ["2026-11-22"])
        #expect(try one.run("tasks", "list", "Water status:done", "--count").output == "1\n")
    }
}
