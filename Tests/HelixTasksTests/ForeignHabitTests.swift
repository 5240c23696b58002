import HelixModel
import Testing

@testable import HelixTasks

/// What files of other programs have beside tasks, or write otherwise than helix, is told.
@Suite struct ForeignHabitTests {
    private let now = Instant(1_795_000_000)
    private var dates: DatePhraseParser { DatePhraseParser(now: now, zone: .utc) }

    private func tasks(ics lines: String) throws -> ForeignTasks {
        try VTodoFormat(now: now, zone: .utc).read(
            Array("BEGIN:VCALENDAR\n\(lines)\nEND:VCALENDAR\n".utf8), name: "x.ics")
    }

    /// Whether a line stands above another one says nothing about which task it is.
    @Test func tasksWithoutAUIDKeepTheirIdentityIfOthersComeBeforeThem() throws {
        let one = "BEGIN:VTODO\nUID:\nSUMMARY:One\nEND:VTODO\n"
        let two = "BEGIN:VTODO\nSUMMARY:Two\nEND:VTODO\n"
        let first = try tasks(ics: one + one)
        let second = try tasks(ics: two + one + one)
        let uids = first.tasks.map(\.task.uid)
        #expect(Set(uids).count == 2 && Array(second.tasks.map(\.task.uid).dropFirst()) == uids)
        for task in first.tasks {
            let count = (task.task.source ?? "").split(separator: "\n").count { $0.hasPrefix("UID") }
            #expect(count == 1 && task.task.calendarUID.hasSuffix("@helix"))
        }
    }

    @Test func theZoneOfACalendarAppliesToItsTasks() throws {
        let task = "BEGIN:VTODO\nUID:a\nSUMMARY:One\nDUE:20261201T100000\nEND:VTODO\n"
        let found = try tasks(ics: "X-WR-TIMEZONE:America/New_York\n" + task)
        #expect(found.tasks.first?.task.due == .moment(try #require(ISO8601Reader.instant("2026-12-01T15:00:00Z"))))
        #expect(found.defects.isEmpty)
        #expect(try tasks(ics: "X-WR-TIMEZONE:Mars/Olympus\n" + task).defects.count == 1)
    }

    @Test func tagsOfSeveralWordsAreTold() throws {
        var tags = ForeignTags()
        #expect(
            tags.words(["two words", "one", "two-words", " one ", "", "zwei\u{A0}W\u{F6}rter"]) == [
                "two-words", "one", "zwei-W\u{F6}rter",
            ])
        #expect(tags.defects.map(\.place) == ["tag 'two words'", "tag 'zwei\u{A0}W\u{F6}rter'"])
        let found = try tasks(ics: "BEGIN:VTODO\nUID:a\nSUMMARY:x\nCATEGORIES:two words,one\nEND:VTODO\n")
        #expect(found.defects.count == 1 && found.tasks.first?.task.tags == ["two-words", "one"])
    }

    @Test func aChecklistHasNumbersMarksAndCode() throws {
        let text =
            "- [ ] one\n1. [x] two\n2) [ ] three\n* [-] four\n```\n- [ ] code\n```\n- [a](b)\n1. text\n~~~\n- [ ] open\n"
        let found = try MarkdownFormat.read(Array(text.utf8), dates: dates)
        #expect(found.tasks.map(\.task.title) == ["one", "two", "three", "four"])
        #expect(found.tasks.map(\.task.state) == [.open, .done, .open, .open])
        #expect(found.defects.map(\.place) == ["line 4"])
        #expect(found.omitted == ["lines of code": 5, "lines that are no checklist items": 2])
    }

    @Test func aClockOfOrgThatContradictsItselfIsTold() throws {
        let lines = [
            "* TODO Paint", "CLOCK: [2026-11-20 Fri 10:00]--[2026-11-20 Fri 11:00] =>  2:00",
            "CLOCK: [2026-11-20 Fri 12:00]--[2026-11-20 Fri 13:30] =>  1:30",
            "CLOCK: [2026-11-20 Fri 14:00]--[2026-11-20 Fri 15:30]",
            "CLOCK: [2026-11-20 Fri 16:00]--[2026-11-20 Fri 17:30] => long",
        ]
        let found = try OrgFormat.time(Array(lines.joined(separator: "\n").utf8), zone: .utc)
        #expect(
            found.entries.map { ($0.entry.end?.seconds ?? 0) - $0.entry.start.seconds } == [3600, 5400, 5400, 5400])
        #expect(found.defects.map(\.place) == ["line 2", "line 5"])
    }

    @Test func aCalendarOfOrgNamesItsTasks() throws {
        let text = "* TODO Paint\n* Meeting <2026-11-30 Mon 10:00-11:00>\n"
        #expect(try OrgFormat.events(Array(text.utf8)).omitted == ["tasks": 1])
    }
}
