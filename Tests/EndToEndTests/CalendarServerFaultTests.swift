import Foundation
import TestSupport
import Testing

/// Faults of servers that people have (SOGo, DAViCal), imitated by a server in memory: nothing is lost by them, and nothing is taken
/// for done that was not.
@Suite struct CalendarServerFaultTests {
    typealias Site = CalendarServerHabitTests.Site

    private func id(_ site: Site, _ title: String) throws -> String {
        try #require(HelixHome.ids(site.home.run("cal", "search", title, "--json")).first)
    }

    @Test(arguments: ["recounts", "recounts seconds"])
    func anObjectMadeAgainInTheSameStateIsSeen(_ habits: String) throws {
        let site = try Site(habits, count: 0)
        func again(_ title: String) throws {
            // The habit must hold while this client writes.
            try site.server.setHabits(habits)
            let script = """
                import http.client, base64
                def ask(method, body=''):
                    c = http.client.HTTPConnection('127.0.0.1', \(site.server.ports[0]))
                    c.request(method, '/dav/ana/work/e0.ics', body, {'Authorization': 'Basic ' + base64.b64encode(b'ana:secret').decode()})
                    return c.getresponse().status
                ask('DELETE')
                print(ask('PUT', 'BEGIN:VCALENDAR\\r\\nVERSION:2.0\\r\\nPRODID:x\\r\\nBEGIN:VEVENT\\r\\nUID:e0\\r\\nDTSTAMP:20260101T000000Z\\r\\n'
                    'DTSTART:20261120T100000Z\\r\\nSUMMARY:\(title)\\r\\nEND:VEVENT\\r\\nEND:VCALENDAR\\r\\n'))
                """
            let result = try site.home.run(program: "/usr/bin/python3", ["-c", script])
            #expect(result.output == "201\n", "\(result.errors)")
        }
        try again("First")
        try site.home.run("sync")
        #expect(try site.titles() == ["First"])
        try again("Second")
        try site.home.run("sync")
        #expect(try site.titles() == ["Second"])
        try again("Third")
        try site.home.run("sync", "--full")
        #expect(try site.titles() == ["Third"])
        #expect(try site.home.run("sync").output.contains("nothing new"))
    }

    @Test func aCalendarThatBecomesWritableIsReadBeforeItIsWritten() throws {
        let site = try Site("no-sync no-ctag recounts", count: 0)
        let write = { (title: String, more: String) in
            "put('e0.ics', event('e0', '\(title)'\(more)))"
        }
        func set(_ habits: String) throws { try site.set("no-sync no-ctag " + habits) }
        // What others may not know is left out, in the state that the whole has.
        try set("recounts")
        try site.client(write("Busy", ""), habits: "recounts")
        try set("recounts read-only")
        try site.home.run("sync")
        #expect(try site.titles() == ["Busy"])
        try set("recounts")
        try site.client(
            "ask('DELETE', '/dav/ana/work/e0.ics'); " + write("Doctor", ", 'LOCATION:Main Street'"), habits: "recounts")
        try site.home.run("cal", "edit", try id(site, "Busy"), "--alarm", "10m")
        let result = try site.home.run("sync")
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(try site.titles() == ["Doctor"])
        #expect(try site.client("print('Main Street' in ask('GET', '/dav/ana/work/e0.ics')[1])") == "True\n")
    }

    @Test func removalsAreDetectedWithAnExpiredToken() throws {
        let site = try Site("")
        try site.home.run("sync")
        try site.client("ask('DELETE', '/dav/ana/work/e2.ics'); put('e9.ics', event('e9', 'New'))")
        try site.set("amnesia")
        #expect(try site.home.run("sync").status == 0)
        #expect(try site.titles() == ["Event 0", "Event 1", "Event 3", "Event 4", "New"])
        #expect(try site.home.run("sync").output.contains("nothing new"))
    }

    @Test func theServersVersionOfAMeetingIsStoredInTheSameSync() throws {
        let site = try Site("schedules rewrites", count: 0)
        let home = site.home
        try home.run("config", "set", "user.email", "ana@example.org")
        try site.client(
            """
            put('m.ics', event('m', 'Meeting', 'ORGANIZER:mailto:ana@example.org', 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:ana@example.org',
                               'ATTENDEE;PARTSTAT=ACCEPTED:mailto:ben@example.org'))
            """)
        try home.run("sync")
        let id = try id(site, "Meeting")
        try home.run("cal", "move", id, "12:00")
        let result = try home.run("sync")
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(try home.run("cal", "show", id, "--json").output.contains("needs-action"))
        #expect(try home.run("sync").output.contains("nothing new"))
        // A further change says nothing that ben has not.
        try home.run("cal", "edit", id, "--alarm", "10m")
        try home.run("sync")
        #expect(try site.client("print('NEEDS-ACTION:mailto:ben' in ask('GET', '/dav/ana/work/m.ics')[1])") == "True\n")
    }

    @Test func aReplyDoesNotRestoreADeletedEvent() throws {
        let site = try Site("schedules", count: 0)
        let home = site.home
        try home.run("config", "set", "user.email", "ana@example.org")
        let meeting = { (state: String, more: String) in
            """
            put('m.ics', event('m', 'Meeting\(more)', 'ORGANIZER:mailto:ana@example.org', 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:ana@example.org',
                               'ATTENDEE;PARTSTAT=\(state):mailto:ben@example.org'))
            """
        }
        try site.client(meeting("NEEDS-ACTION", ""))
        try home.run("sync")
        try home.run("cal", "delete", try id(site, "Meeting"), "--yes", "--silent")
        try site.client(meeting("ACCEPTED;SCHEDULE-STATUS=2.0", ""))
        let result = try home.run("sync")
        #expect(result.status == 0 && !result.output.contains("it is restored"), "\(result.output)\(result.errors)")
        #expect(try site.client("print(titles())") == "['Task 1']\n")
        // What is more than an answer does.
        try site.client(meeting("NEEDS-ACTION", ""))
        try home.run("sync")
        try home.run("cal", "delete", try id(site, "Meeting"), "--yes", "--silent")
        try site.client(meeting("NEEDS-ACTION", " elsewhere"))
        #expect(try home.run("sync").output.contains("it is restored"))
        #expect(try site.titles() == ["Meeting elsewhere"])
    }

    @Test func anUnreadableObjectIsReportedOnceAndStopsNothing() throws {
        let site = try Site("secret")
        try site.client("put('secret.ics', event('s', 'Secret'))")
        try site.set("secret")
        let first = try site.home.run("sync")
        #expect(first.status == 0, "\(first.output)\(first.errors)")
        #expect(try site.titles().count == 6)
        // It was read by a query before; now it is changed, and a token names it.
        try site.client("put('secret.ics', event('s', 'Secret 2')); put('e0.ics', event('e0', 'Changed'))")
        for _ in 0..<2 {
            let result = try site.home.run("sync")
            #expect(result.status == 0, "\(result.output)\(result.errors)")
        }
        #expect(try site.home.run("sync").output.contains("nothing new"))
        #expect(try site.titles().contains("Changed"))
    }

    @Test func permanentRejectionsAreReportedOnceAndListedAfterwards() throws {
        let site = try Site("", count: 0)
        let home = site.home
        try site.client("put('fixed.ics', event('f', 'Theirs')); put('fixed2.ics', event('f2', 'Other'))")
        try home.run("sync")
        try site.set("fixed")
        try home.run("cal", "edit", try id(site, "Theirs"), "--title", "Ours")
        try home.run("cal", "delete", try id(site, "Other"), "--yes")
        try home.run("cal", "add", "Lunch tomorrow 12:00")
        let first = try home.run("sync")
        #expect(
            first.status == 80 && first.output.contains("Ours") && first.output.contains("Other"), "\(first.output)")
        for _ in 0..<2 {
            let next = try home.run("sync")
            #expect(next.status == 0, "\(next.output)\(next.errors)")
            #expect(next.output.contains("refused") && next.output.contains("'Ours'"), "\(next.output)")
        }
        #expect(try site.titles().contains("Ours"))
        // Another change is tried anew, and so is all with --full.
        try home.run("cal", "edit", try id(site, "Ours"), "--title", "Ours again")
        #expect(try home.run("sync").status == 80)
        #expect(try home.run("sync", "--full").status == 80)
        try site.set("")
        #expect(try home.run("sync", "--full").status == 0)
        #expect(try site.client("print(titles())") == "['Lunch', 'Ours again', 'Task 1']\n")
        #expect(try home.run("sync").output.contains("nothing new"))
    }

    @Test func coloursWithAlphaAreSyncedBothWays() throws {
        let site = try Site("long-color")
        let home = site.home
        try home.run("sync")
        try home.run("cal", "calendars", "color", "Work", "red")
        try home.run("cal", "calendars", "add", "Pink", "magenta", "--account", "cal")
        let result = try home.run("sync")
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        let look =
            "body = '<D:propfind xmlns:D=\"DAV:\" xmlns:A=\"http://apple.com/ns/ical/\"><D:prop><A:calendar-color/></D:prop></D:propfind>'\n"
        let there = try site.client(
            look
                + "print([re.findall('#[0-9A-Fa-f]+', ask('PROPFIND', f'/dav/ana/{n}/', body)[1]) for n in ('work', 'pink')])"
        )
        #expect(!there.contains("112233") && !there.contains("AAAAAA"), "\(there)")
        #expect(try home.run("sync").output.contains("nothing new"))
    }

    @Test func aNameThatTheServerNormalizesIsUnchangedLocally() throws {
        let site = try Site("escapes")
        try site.home.run("sync")
        try site.home.run("cal", "calendars", "rename", "Work", "R&D <x>")
        for _ in 0..<2 { try site.home.run("sync") }
        #expect(try site.home.run("cal", "calendars").output.contains("R&D <x>"))
        #expect(try site.home.run("sync").output.contains("nothing new"))
    }

    @Test func theBusyTimeOfOthersIsReadFromAnyResponseForm() throws {
        let site = try Site("schedules plain-recipient", count: 0)
        try site.home.run("config", "set", "user.email", "ana@example.org")
        try site.home.run("sync")
        let result = try site.home.run("cal", "free", "tomorrow", "--hours", "9-13", "--with", "ben@example.org")
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }

    @Test func anEventInABoardsCalendarIsShownAsAnEvent() throws {
        let site = try Site("")
        let home = site.home
        try home.run("sync")
        try home.run("tasks", "boards", "add", "List", "--account", "cal")
        try home.run("tasks", "add", "Mine", "--board", "List")
        try home.run("sync")
        try site.client("put('x.ics', event('x', 'Among tasks'), 'list')")
        let result = try home.run("sync")
        #expect(result.status == 0 && !result.output.contains("cannot be read"), "\(result.output)")
        #expect(try home.run("cal", "search", "Among", "--json").items().count == 1)
        #expect(try home.run("account", "check", "cal").status == 0)
        #expect(try home.run("sync").output.contains("nothing new"))
    }

    @Test func theBoardOfACalendarHasTheCalendarsName() throws {
        let site = try Site("")
        try site.home.run("sync")
        try site.client(
            "assert ask('PROPPATCH', '/dav/ana/work/', '<D:propertyupdate xmlns:D=\"DAV:\"><D:set><D:prop><D:displayname>Office</D:displayname></D:prop></D:set></D:propertyupdate>')[0] == 207"
        )
        let result = try site.home.run("sync")
        let boards = try site.home.run("tasks", "boards").output
        #expect(boards.contains("Office"), "\(result.output)\(result.errors)\(boards)")
        try site.home.run("cal", "calendars", "rename", "Office", "Bureau")
        try site.home.run("sync")
        #expect(try site.home.run("tasks", "boards").output.contains("Bureau"))
        #expect(try site.home.run("sync").output.contains("nothing new"))
    }

    @Test func aDryRunCountsTheMessagesOfANewAccount() throws {
        let site = try Site("")
        let result = try site.home.run("sync", "--dry-run")
        #expect(result.output.contains("would fetch 6 in Work"), "\(result.output)")
    }
}
