import Foundation
import TestSupport
import Testing

/// Freedoms of CalDAV servers change nothing about what helix fetches and sends: a server in memory leaves values
/// out, writes addresses in other ways, and does what some servers do.
@Suite struct CalendarServerHabitTests {
    final class Site {
        let server: TestServer
        let home: HelixHome

        init(_ habits: String, count: Int = 5) throws {
            server = try TestServer("dav.py", ports: 1, habits.split(separator: " ").map(String.init))
            home = try HelixHome()
            try client("for n in range(\(count)): put(f'e{n}.ics', event(f'e{n}', f'Event {n}'))")
            try client("put('t1.ics', task('t1', 'Task 1'))")
            let added = try home.run(
                "account", "add", "cal", "caldav", "http://localhost:\(server.ports[0])/", "--user", "ana",
                "--password-command", "echo secret")
            guard added.status == 0 else { throw OracleFailure(message: added.errors) }
        }

        func set(_ habits: String) throws { try server.setHabits(habits) }

        /// Runs lines of Python that speak HTTP themselves, while the server has no habits, or those given.
        @discardableResult
        func client(_ lines: String, habits: String = "") throws -> String {
            let head = """
                import http.client, base64, re
                def ask(method, path, body=b'', **fields):
                    c = http.client.HTTPConnection('127.0.0.1', \(server.ports[0]))
                    fields['Authorization'] = 'Basic ' + base64.b64encode(b'ana:secret').decode()
                    c.request(method, path, body.encode() if isinstance(body, str) else body, fields)
                    a = c.getresponse()
                    return a.status, a.read().decode()
                def wrapped(lines): return '\\r\\n'.join(['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x'] + lines + ['END:VCALENDAR', ''])
                def event(uid, title, *more):
                    return wrapped(['BEGIN:VEVENT', 'UID:' + uid, 'DTSTAMP:20260101T000000Z', 'DTSTART:20261120T100000Z',
                                    'DTEND:20261120T110000Z', 'SUMMARY:' + title, *more, 'END:VEVENT'])
                def task(uid, title, *more):
                    return wrapped(['BEGIN:VTODO', 'UID:' + uid, 'DTSTAMP:20260101T000000Z', 'SUMMARY:' + title, *more, 'END:VTODO'])
                def put(name, text, box='work'):
                    status, said = ask('PUT', f'/dav/ana/{box}/{name}', text)
                    assert status in (201, 204), (status, said)
                def titles(box='work'):
                    body = '<D:propfind xmlns:D="DAV:"><D:prop><D:getetag/></D:prop></D:propfind>'
                    said = ask('PROPFIND', f'/dav/ana/{box}/', body, Depth='1')[1]
                    found = []
                    for name in re.findall(r'<D:href>/dav/ana/' + box + r'/([^<]+)</D:href>', said):
                        found += re.findall(r'SUMMARY:(.*?)\\r', ask('GET', f'/dav/ana/{box}/{name}')[1])
                    return sorted(found)

                """
            let result = try server.withHabits(habits) {
                try home.run(program: "/usr/bin/python3", ["-c", head + lines])
            }
            guard result.status == 0 else { throw OracleFailure(message: result.errors) }
            return result.output
        }

        func titles() throws -> [String] {
            try home.run("cal", "search", "calendar:Work", "--limit", "500", "--json").items().compactMap {
                $0["title"] as? String
            }.sorted()
        }
    }

    static let habits = [
        "", "blind", "no-query", "no-sync", "no-sync no-ctag", "no-sync no-query no-ctag", "blind no-sync", "weak",
        "strict",
        "no-etag", "absolute", "encoded", "absolute encoded", "no-404", "extra", "pages", "pages blind", "no-slash",
        "redirect", "shy", "no-put-etag", "forgetful", "reordered", "bare", "seconds", "seconds blind",
        "no-multiget no-query",
        "weak absolute encoded no-404 extra pages no-slash redirect reordered bare no-put-etag",
    ]

    @Test(arguments: habits) func bothSidesMeetWhateverAServerLeavesOut(_ habit: String) throws {
        let site = try Site(habit)
        let home = site.home
        let first = try home.run("sync")
        #expect(first.status == 0, "\(habit): \(first.output)\(first.errors)")
        #expect(try site.titles() == (0..<5).map { "Event \($0)" }, "\(habit): \(first.output)")
        #expect(try home.run("tasks", "list", "--json").items().count == 1, "\(habit)")
        #expect(try home.run("sync").output.contains("nothing new"), "\(habit)")
        let check = try home.run("account", "check", "cal")
        #expect(
            check.status == 0 && check.output.contains("6 objects on the server, all of them stored locally"),
            "\(check.output)")
        // Changes of both sides.
        let id = try #require(HelixHome.ids(home.run("cal", "search", "Event 1", "--json")).first)
        try home.run("cal", "edit", id, "--title", "Changed here")
        let gone = try #require(HelixHome.ids(home.run("cal", "search", "Event 2", "--json")).first)
        try home.run("cal", "delete", gone, "--yes")
        try home.run("cal", "add", "2026-11-21 9:00", "--title", "New 50%/half", "--calendar", "Work")
        try site.client(
            """
            put('e3.ics', event('e3', 'Changed there')); assert ask('DELETE', '/dav/ana/work/e4.ics')[0] == 204
            put('odd%2Fname%25.ics', event('odd', 'Odd name'))
            """)
        for _ in 0..<2 {
            let result = try home.run("sync")
            #expect(result.status == 0, "\(habit): \(result.output)\(result.errors)")
        }
        #expect(try home.run("sync").output.contains("nothing new"), "\(habit)")
        let expected = ["Changed here", "Changed there", "Event 0", "New 50%/half", "Odd name"]
        #expect(try site.titles() == expected, "\(habit)")
        let there = try site.client("print(titles())")
        #expect(
            there == "['Changed here', 'Changed there', 'Event 0', 'New 50%/half', 'Odd name', 'Task 1']\n", "\(habit)")
        #expect(try home.run("doctor").status == 0)
    }

    @Test func aCheckCountsTheCalendarsThatAreSynced() throws {
        let site = try Site("")
        try site.client("put('h1.ics', event('h1', 'At home'), 'home')")
        try site.home.run("account", "edit", "cal", "--calendars", "-Home")
        #expect(try site.home.run("sync").status == 0)
        let check = try site.home.run("account", "check", "cal")
        #expect(
            check.status == 0 && check.output.contains("6 objects on the server, all of them stored locally"),
            "\(check.output)")
        #expect(check.output.contains("'Home' (left out)"), "\(check.output)")
    }

    @Test func anEmptyServerIsRequestedTwiceAndReported() throws {
        let site = try Site("")
        try site.client("for n in ('t1', 'e0', 'e1', 'e2', 'e3', 'e4'): ask('DELETE', f'/dav/ana/work/{n}.ics')")
        let first = try site.home.run("sync")
        #expect(first.status == 0 && first.output.contains("no entries in any of its 2 calendars"), "\(first.output)")
        #expect(try !site.home.run("sync").output.contains("no entries in any"))
    }

    @Test func objectsThatAServerListsButDoesNotReturnAreReportedAndRequestedAgain() throws {
        let site = try Site("no-multiget no-query stingy")
        for _ in 0..<2 {
            let result = try site.home.run("sync")
            #expect(result.status == 80)
            #expect(
                (result.output + result.errors).contains("lists 6 objects in 'Work' that it does not return"),
                "\(result.output)")
        }
        try site.set("")
        #expect(try site.home.run("sync").status == 0)
        #expect(try site.titles().count == 5)
    }

    @Test func anEmptyCalendarIsRequestedTwice() throws {
        let site = try Site("", count: 0)
        #expect(try site.home.run("sync").status == 0)
        let log = try String(contentsOf: site.server.folder.appendingPathComponent("log.txt"), encoding: .utf8)
        #expect(log.split(separator: "\n").filter { $0.hasPrefix("PROPFIND /dav/ana/home/") }.count == 1)
    }

    @Test func namesAndColoursOfCalendarsAreSyncedBothWays() throws {
        let site = try Site("")
        let home = site.home
        _ = try home.run("sync")
        func names() throws -> [String] {
            try home.run("cal", "calendars", "--json").items().map { "\($0["name"] ?? "") \($0["color"] ?? "")" }
                .sorted()
        }
        let before = try names()
        #expect(try home.run("sync").output.contains("nothing new"))
        // Here.
        try home.run("cal", "calendars", "rename", "Work", "Büro")
        try home.run("cal", "calendars", "color", "Büro", "red")
        #expect(try home.run("sync").output.contains("renamed Büro"))
        #expect(try home.run("sync").output.contains("nothing new"))
        let look =
            "body = '<D:propfind xmlns:D=\"DAV:\" xmlns:A=\"http://apple.com/ns/ical/\"><D:prop><D:displayname/><A:calendar-color/></D:prop></D:propfind>'\n"
        let there = try site.client(look + "print(ask('PROPFIND', '/dav/ana/work/', body.encode())[1])")
        #expect(there.contains("Büro") && !there.contains("#112233"), "\(there)")
        // And there.
        try site.client(
            "assert ask('PROPPATCH', '/dav/ana/home/', '<D:propertyupdate xmlns:D=\"DAV:\"><D:set><D:prop><D:displayname>Family</D:displayname></D:prop></D:set></D:propertyupdate>')[0] == 207"
        )
        #expect(try home.run("sync").output.contains("renamed Family"))
        #expect(try home.run("sync").output.contains("nothing new"))
        #expect(try names().contains { $0.hasPrefix("Family") } && before.contains { $0.hasPrefix("Home") })
        #expect(try site.client("print(titles()[0])") == "Event 0\n")
    }

    @Test func excludedCalendarsAreUnchanged() throws {
        let site = try Site("")
        try site.home.run("account", "edit", "cal", "--calendars", "-Home")
        #expect(!(try site.home.run("sync").output.contains("Home")))
        try site.home.run("account", "edit", "cal", "--calendars", "Home")
        try site.client("put('e9.ics', event('e9', 'New'))")
        #expect(try site.home.run("sync").status == 0)
        #expect(try site.titles().count == 5)
        try site.home.run("account", "edit", "cal", "--calendars", "all")
        _ = try site.home.run("sync")
        #expect(try site.titles().count == 6)
    }

    @Test func twoChangesInOneSecondAreBothDetected() throws {
        let site = try Site("seconds")
        _ = try site.home.run("sync")
        for round in 0..<4 {
            try site.client("put('e0.ics', event('e0', 'A\(round)'))")
            _ = try site.home.run("sync")
            try site.client("put('e1.ics', event('e1', 'B\(round)'))")
            _ = try site.home.run("sync")
            let titles = try site.titles()
            #expect(titles.contains("A\(round)") && titles.contains("B\(round)"), "\(titles)")
        }
    }

    @Test func messagesMissingLocallyAreCounted() throws {
        let site = try Site("")
        _ = try site.home.run("sync")
        try site.client("put('e9.ics', event('e9', 'New'))")
        #expect(try site.home.run("account", "check", "cal").output.contains("1 of them new"))
        // Something that the store has lost, which the server's list of changes does not name.
        _ = try site.home.run("sync")
        let lost = try site.home.run(
            program: "/usr/bin/python3",
            [
                "-c",
                "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute(\"DELETE FROM remote_object WHERE href LIKE '%e2.ics'\"); d.commit()",
                site.home.store,
            ])
        #expect(lost.status == 0, "\(lost.errors)")
        let check = try site.home.run("account", "check", "cal")
        #expect(
            check.status == 80 && check.output.contains("1 of the 7 in 'Work' are missing locally"), "\(check.output)")
    }

    @Test func tasksOfOtherProgramsKeepTheirBytesUntilTheyAreChanged() throws {
        let site = try Site("", count: 0)
        try site.client(
            """
            put('p.ics', task('p', 'Started', 'STATUS:IN-PROCESS'))
            put('q.ics', task('q', 'Started day', 'DTSTART;VALUE=DATE:20261110', 'STATUS:IN-PROCESS'))
            put('r.ics', task('r', 'Done', 'STATUS:COMPLETED'))
            """)
        let home = site.home
        _ = try home.run("sync")
        let before = try site.client("print([ask('GET', f'/dav/ana/work/{n}.ics')[1] for n in 'pqr'])")
        home.environment["HELIX_NOW"] = "2026-11-25T08:00:00"
        home.environment["TZ"] = "America/New_York"
        try home.run("tasks", "add", "Mine", "--board", "Work")
        let result = try home.run("sync")
        #expect(result.output.contains("filed 1"), "\(result.output)")
        #expect(try site.client("print([ask('GET', f'/dav/ana/work/{n}.ics')[1] for n in 'pqr'])") == before)
    }
}

/// A server that schedules (RFC 6638) sends invitations and answers; helix changes the event and sends nothing.
@Suite struct ServerSchedulingTests {
    private func home(_ site: CalendarServerHabitTests.Site) throws -> HelixHome {
        try site.home.run("config", "set", "user.email", "ana@example.org")
        try site.client(
            """
            put('inv.ics', event('inv', 'Invited', 'ORGANIZER:mailto:bo@example.org', 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:bo@example.org',
                                 'ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:ana@example.org'))
            """)
        #expect(try site.home.run("sync").status == 0)
        return site.home
    }

    @Test func aReplyChangesOnlyTheParticipationAndIsSentByTheServer() throws {
        let site = try CalendarServerHabitTests.Site("schedules", count: 0)
        let home = try home(site)
        let id = try #require(HelixHome.ids(home.run("cal", "search", "Invited", "--json")).first)
        let answer = try home.run("cal", "rsvp", id, "accept")
        #expect(
            answer.status == 0 && answer.errors.contains("The server of 'cal' notifies"), "\(answer.errors)")
        #expect(try home.run("outbox", "--json").items().isEmpty)
        #expect(try home.run("sync").status == 0)
        let there = try site.client("print(ask('GET', '/dav/ana/work/inv.ics')[1])")
        #expect(there.contains("ORGANIZER:mailto:bo@example.org") && !there.contains("SCHEDULE-AGENT"), "\(there)")
        #expect(there.contains("PARTSTAT=ACCEPTED:mailto:ana@example.org") && !there.contains("X-HELIX"), "\(there)")
        // To remove it tells the organizer as well.
        #expect(try home.run("cal", "delete", id, "--yes").status == 0)
        #expect(try home.run("outbox", "--json").items().isEmpty)
    }

    @Test func anInvitationIsSentByTheServerUnlessMailIsRequested() throws {
        let site = try CalendarServerHabitTests.Site("schedules", count: 0)
        let home = try home(site)
        let id = try #require(
            home.run("cal", "add", "Mine tomorrow 9:00", "--calendar", "Work", "--json").items().first?["id"] as? String
        )
        #expect(try home.run("cal", "invite", id, "cy@example.org").errors.contains("The server of 'cal' notifies"))
        #expect(try home.run("outbox", "--json").items().isEmpty)
        #expect(try home.run("sync").status == 0)
        let there = try site.client(
            "print([t for t in re.findall(r'ATTENDEE.*', ''.join(ask('GET', '/dav/ana/work/' + n)[1] for n in re.findall(r'work/([^<]+.ics)<', ask('PROPFIND', '/dav/ana/work/', '<D:propfind xmlns:D=\"DAV:\"><D:prop><D:getetag/></D:prop></D:propfind>', Depth='1')[1])))])"
        )
        #expect(there.contains("mailto:cy@example.org") && !there.contains("SCHEDULE-AGENT"), "\(there)")
        #expect(try home.run("cal", "invite", id, "di@example.org", "--by-mail").errors.contains("is queued"))
    }

    @Test func missingServerDataIsReported() throws {
        let site = try CalendarServerHabitTests.Site("schedules", count: 0)
        let home = try home(site)
        try site.client(
            "put('x.ics', event('x', 'Mine', 'ORGANIZER:mailto:ana@example.org', 'ATTENDEE;SCHEDULE-STATUS=\"5.1\":mailto:cy@example.org'))"
        )
        let result = try home.run("sync")
        #expect(
            (result.output + result.errors).contains("could not notify cy@example.org of 'Mine' (5.1)"),
            "\(result.output)")
    }

    @Test func controlCharactersFromAServerDoNotReachTheTerminal() throws {
        let site = try CalendarServerHabitTests.Site("schedules", count: 0)
        let home = try home(site)
        try site.client(
            """
            bad = '\\u009b31m\\x85'
            put('x.ics', event('x', 'Mine' + bad, 'ORGANIZER:mailto:ana@example.org',
                               'ATTENDEE;SCHEDULE-STATUS="5.1' + bad + '":mailto:cy' + bad + '@example.org'))
            """)
        var said = try home.run("sync")
        #expect((said.output + said.errors).contains("could not notify"), "\(said.output)\(said.errors)")
        #expect(!Self.hasControls(said.output + said.errors), "\(said.output.debugDescription)")
        said = try home.run("cal", "free", "tomorrow", "--with", "nobody@example.org")
        #expect(
            said.status == 66 && said.errors.contains("no busy times of nobody@example.org"), "\(said.errors)")
        #expect(
            said.errors.contains("3.7;Invalid") && !Self.hasControls(said.errors), "\(said.errors.debugDescription)")
    }

    private static func hasControls(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || (127..<160).contains($0.value) }
    }

    @Test func theBusyTimeOfOthersIsRespected() throws {
        let site = try CalendarServerHabitTests.Site("schedules", count: 0)
        let home = try home(site)
        let alone = try home.run("cal", "free", "tomorrow", "--hours", "9-13", "--duration", "1h").output
        #expect(alone.contains("09:00–13:00"), "\(alone)")
        // The server says that they are busy from 10:00 to 11:00 in Rome.
        let both = try home.run(
            "cal", "free", "tomorrow", "--hours", "9-13", "--duration", "1h", "--with", "cy@example.org")
        #expect(
            both.output.contains("09:00–10:00") && both.output.contains("11:00–13:00"), "\(both.output)\(both.errors)")
    }

    @Test func withoutFreeBusySupportNoTimesAreGuessed() throws {
        let site = try CalendarServerHabitTests.Site("", count: 0)
        let home = try home(site)
        let result = try home.run("cal", "free", "tomorrow", "--with", "cy@example.org")
        #expect(result.status == 66 && result.errors.contains("busy times of others"), "\(result.errors)")
    }

    @Test func aReplyIsSentByMailIfTheServerHasNoScheduling() throws {
        let site = try CalendarServerHabitTests.Site("", count: 0)
        let home = try home(site)
        let id = try #require(HelixHome.ids(home.run("cal", "search", "Invited", "--json")).first)
        #expect(try home.run("cal", "rsvp", id, "accept").errors.contains("is queued"))
    }
}
