import Foundation
import HelixModel
import TestSupport
import Testing

/// `helix reminders snooze` and `dismiss`: an answer concerns what went off, and nothing else.
@Suite struct ReminderAnswerTests {
    private struct Ring: Hashable, Comparable {
        var time: String
        var title: String
        static func < (a: Ring, b: Ring) -> Bool { (a.time, a.title) < (b.time, b.title) }
    }

    private func rings(_ home: HelixHome, from: String, to: String) throws -> [Ring] {
        try home.perform("reminders", "list", "--from", from, "--to", to, "--json", "--limit", "100000").items().map {
            Ring(time: $0["time"] as? String ?? "", title: $0["title"] as? String ?? "")
        }.sorted()
    }

    private func id(_ home: HelixHome, _ title: String, of noun: String = "cal") throws -> String {
        let words = noun == "cal" ? ["cal", "search", title] : ["tasks", "list", title]
        return try #require(try home.perform(words + ["--json"]).items().first?["id"] as? String)
    }

    /// Whatever there is, and whenever it is answered: dismissed reminders are gone, those to come stay.
    @Test(arguments: 0..<12)
    func whatIsToComeStays(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let home = try HelixHome(zone: ["UTC", "Europe/Berlin", "America/New_York"][seed % 3])
        var text = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//t//t//EN\n"
        for number in 0..<25 {
            let day = 100 + Int.random(in: 1...28, using: &random)
            let hour = 100 + Int.random(in: 0...23, using: &random)
            let isDay = Int.random(in: 0..<5, using: &random) == 0
            let start =
                isDay
                ? ";VALUE=DATE:203003\(String(day).suffix(2))"
                : ":203003\(String(day).suffix(2))T\(String(hour).suffix(2))1500"
                    + (Bool.random(using: &random) ? "Z" : "")
            text += "BEGIN:VEVENT\nUID:e\(number)\nDTSTAMP:20300101T000000Z\nDTSTART\(start)\nSUMMARY:e\(number)\n"
            if Bool.random(using: &random) {
                text += "RRULE:FREQ=DAILY;INTERVAL=\(Int.random(in: 2...9, using: &random));COUNT=9\n"
            }
            for _ in 0...Int.random(in: 0...2, using: &random) {
                let minutes = Int.random(in: 0...3000, using: &random)
                text += "BEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:x\nTRIGGER:-PT\(minutes)M\n"
                if Bool.random(using: &random) { text += "UID:a\(number)-\(minutes)\n" }
                text += "END:VALARM\n"
            }
            text += "END:VEVENT\n"
        }
        for number in 0..<12 {
            let day = 100 + Int.random(in: 1...28, using: &random)
            text += "BEGIN:VTODO\nUID:t\(number)\nDTSTAMP:20300101T000000Z\nSUMMARY:t\(number)\n"
            text +=
                Bool.random(using: &random)
                ? "DUE;VALUE=DATE:203003\(String(day).suffix(2))\n" : "DUE:203003\(String(day).suffix(2))T101500Z\n"
            if Bool.random(using: &random) {
                text += "BEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:x\nTRIGGER;RELATED=END:-PT\(number)H\nEND:VALARM\n"
            }
            text += "END:VTODO\n"
        }
        text += "END:VCALENDAR\n"
        let file = try home.write(text, to: "a.ics")
        #expect(try home.perform("cal", "import", file).status == 0)
        #expect(try home.perform("tasks", "import", file).status == 0)
        let day = 14 + Int.random(in: 0...5, using: &random)
        let now = "2030-03-\(day)T12:34:56"
        home.environment["HELIX_NOW"] = now
        let (past, future) = ("2030-03-\(day == 14 ? "0" : "")\(day - 5)T00:00:00", "2030-05-30")
        // A second later than the last answered one.
        let later = String(now.dropLast()) + "7"
        let before = try rings(home, from: later, to: future)
        let due = try rings(home, from: past, to: now)
        #expect(!due.isEmpty && !before.isEmpty)
        let dump = try home.perform("cal", "export").output
        let answered = try home.perform("reminders", "dismiss", "--all", "--json")
        #expect(try Set(answered.items().map { $0["title"] as? String }).isSuperset(of: due.map(\.title)))
        #expect(try rings(home, from: past, to: now).isEmpty)
        #expect(try rings(home, from: later, to: future) == before)
        // What another program reads is valid, and one command takes it back.
        let exported = try home.write(try home.perform("cal", "export").output, to: "b.ics")
        #expect(try home.perform("cal", "check", exported).status == 0)
        try home.perform("undo")
        #expect(try home.perform("cal", "export").output == dump)
        #expect(try rings(home, from: past, to: now) == due)

        // A snooze adds one reminder for each event or task, and takes those that went off.
        let ids = try home.perform("reminders", "list", "--from", past, "--to", now, "--ids").output
            .split(separator: "\n").map(String.init)
        let snoozed = try home.perform(["reminders", "snooze"] + Array(Set(ids)) + ["--for", "17m"])
        #expect(snoozed.status == 0, "\(snoozed.errors)")
        #expect(try rings(home, from: past, to: now).isEmpty)
        let after = try rings(home, from: later, to: future)
        let time = try #require(after.first { !before.contains($0) }?.time)
        #expect(after == (before + Set(due.map(\.title)).map { Ring(time: time, title: $0) }).sorted())
        // Dismissed at last, nothing is left of it but the time.
        home.environment["HELIX_NOW"] = "2030-03-\(day + 1)T00:00:00"
        try home.perform("reminders", "dismiss", "--all")
        #expect(!(try home.perform("cal", "export").output.contains("RELTYPE=SNOOZE")))
    }

    @Test func aTaskIsRemindedOfWhenItIsDueUntilItIsAnswered() throws {
        let home = try HelixHome(now: "2030-03-05T08:00:00", zone: "UTC")
        try home.perform("tasks", "add", "Call Bo", "--due", "2030-03-05 9:00", "--repeat", "weekly")
        home.environment["HELIX_NOW"] = "2030-03-05T09:01:00"
        let task = try id(home, "Bo", of: "tasks")
        #expect(try home.perform("reminders", "snooze", task, "--until", "2030-03-05 9:30").status == 0)
        #expect(try rings(home, from: "2030-03-05", to: "2030-03-06").map(\.time) == ["2030-03-05T09:30:00Z"])
        let exported = try home.perform("tasks", "export", "--format", "ics").output
        #expect(exported.contains("RELATED-TO;RELTYPE=SNOOZE:") && exported.contains("ACKNOWLEDGED:20300305T090100Z"))
        // The next one of the series rings at its own time.
        try home.perform("tasks", "done", task)
        #expect(try rings(home, from: "2030-03-05", to: "2030-04-01").map(\.time) == ["2030-03-12T09:00:00Z"])
    }

    /// A snooze belongs to its occurrence: it names that one, goes with it, and silences what would repeat.
    @Test func aSnoozeBelongsToItsOccurrence() throws {
        let home = try HelixHome(now: "2030-03-05T08:00:00", zone: "UTC")
        try home.perform(
            "cal", "add", "Course 2030-03-05 9:00", "--duration", "30m", "--repeat", "weekly", "--alarm", "10m")
        home.environment["HELIX_NOW"] = "2030-03-05T08:51:00"
        let course = try id(home, "Course")
        try home.perform("reminders", "snooze", course, "--for", "1h")
        let list = try home.perform("reminders", "list", "--from", "2030-03-05", "--to", "2030-03-14", "--json").items()
        #expect(list.map { $0["start"] as? String } == ["2030-03-05T09:00:00Z", "2030-03-12T09:00:00Z"])
        home.environment["HELIX_NOW"] = "2030-03-05T09:52:00"
        try home.perform("reminders", "snooze", course)
        // Deleted, it does not ring for the next one.
        home.environment["HELIX_NOW"] = "2030-03-05T09:53:00"
        try home.perform("cal", "delete", course, "--this", "2030-03-05", "--yes")
        #expect(try rings(home, from: "2030-03-05", to: "2030-03-14").map(\.time) == ["2030-03-12T08:50:00Z"])

        let text = """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//t//t//EN
            BEGIN:VEVENT
            UID:often
            DTSTAMP:20300101T000000Z
            DTSTART:20300306T110000Z
            SUMMARY:Often
            BEGIN:VALARM
            ACTION:DISPLAY
            DESCRIPTION:x
            TRIGGER:-PT30M
            REPEAT:3
            DURATION:PT5M
            END:VALARM
            END:VEVENT
            END:VCALENDAR

            """
        try home.perform("cal", "import", try home.write(text, to: "often.ics"))
        home.environment["HELIX_NOW"] = "2030-03-06T10:31:00"
        let often = try id(home, "Often")
        try home.perform("reminders", "snooze", often, "--for", "20m")
        #expect(try rings(home, from: "2030-03-06", to: "2030-03-07").map(\.time) == ["2030-03-06T10:51:00Z"])
        home.environment["HELIX_NOW"] = "2030-03-06T10:51:30"
        // Dismissing what rang ends a snooze that is still to ring.
        try home.perform("cal", "edit", often, "--alarm", "+5m")
        try home.perform("reminders", "snooze", often, "--until", "2030-03-06 10:58")
        home.environment["HELIX_NOW"] = "2030-03-06T10:55:30"
        try home.perform("reminders", "dismiss", often)
        #expect(try rings(home, from: "2030-03-06", to: "2030-03-07").isEmpty)
    }

    @Test func aTaskWithoutADueDateIsNotDue() throws {
        let home = try HelixHome(now: "2030-03-05T08:00:00", zone: "UTC")
        try home.perform("tasks", "add", "Plain thing")
        let plain = try id(home, "Plain", of: "tasks")
        let made = try home.perform("remind", plain, "2030-03-06 8:00")
        #expect(made.output.contains("08:00  Plain thing") && !made.output.contains("due"), "\(made)")
        // Without its due date, a task keeps no reminder that counts from it.
        try home.perform("tasks", "add", "Day thing", "--due", "2030-03-05")
        home.environment["HELIX_NOW"] = "2030-03-05T09:01:00"
        let day = try id(home, "Day", of: "tasks")
        try home.perform("reminders", "snooze", day)
        try home.perform("tasks", "edit", day, "--due", "")
        let exported = try home.write(try home.perform("tasks", "export", "--format", "ics").output, to: "tasks.ics")
        let checked = try home.perform("cal", "check", exported)
        #expect(checked.status == 0, "\(checked)")
        #expect(try home.perform("tasks", "show", day, "--json").output.contains("Day thing"))
    }

    @Test func whatCannotBeAnsweredIsSaid() throws {
        let home = try HelixHome(now: "2030-03-05T08:00:00", zone: "UTC")
        try home.perform("cal", "add", "Meet 2030-03-05 10:00", "--alarm", "15m")
        try home.perform("cal", "add", "Quiet 2030-03-05 12:00")
        let (meet, quiet) = (try id(home, "Meet"), try id(home, "Quiet"))
        let early = try home.perform("reminders", "dismiss", meet)
        #expect(early.status == 66 && early.errors.contains("09:45") && early.errors.contains("--next"), "\(early)")
        #expect(try home.perform("reminders", "dismiss", quiet).errors.contains("none in the next year"))
        #expect(try home.perform("reminders", "dismiss", quiet, "--next").status == 66)
        #expect(try home.perform("reminders", "dismiss").status == 64)
        #expect(try home.perform("reminders", "dismiss", "zzzz").status == 66)
        #expect(try home.perform("reminders", "snooze", meet, "--for", "nonsense").status == 64)
        #expect(try home.perform("reminders", "snooze", meet, "--until", "yesterday").status == 64)
        #expect(try home.perform("reminders", "dismiss", "--all").output.contains("No reminder waits"))
        #expect(try home.perform("reminders", "dismiss", meet, "--next", "--dry-run").status == 0)
        #expect(try rings(home, from: "2030-03-05", to: "2030-03-06").count == 1)
        #expect(try home.perform("reminders", "dismiss", meet, "--next").status == 0)
        home.environment["HELIX_NOW"] = "2030-03-05T09:50:00"
        #expect(try rings(home, from: "2030-03-05", to: "2030-03-06").isEmpty)
    }

    @Test func remindTakesItsTimeFromEitherEnd() throws {
        let home = try HelixHome(now: "2030-03-05T08:00:00", zone: "UTC")
        for (words, title, time) in [
            (["call Bo", "tomorrow", "9:00"], "call Bo", "2030-03-06T09:00:00Z"),
            (["in", "20", "minutes", "tea"], "tea", "2030-03-05T08:20:00Z"),
            (["pay rent 2030-03-08"], "pay rent", "2030-03-08T09:00:00Z"),
            (["buy", "milk", "at", "18:30"], "buy milk", "2030-03-05T18:30:00Z"),
        ] {
            let made = try home.perform(["remind"] + words + ["--json"])
            let item = try #require(made.items().first)
            #expect(item["title"] as? String == title && item["time"] as? String == time, "\(made)")
        }
        for words in [["nothing"], ["tea", "yesterday"], ["tomorrow"], ["tomorrow", "9"], [""]] {
            let refused = try home.perform(["remind"] + words)
            #expect(refused.status == 64, "\(refused)")
        }
        try home.perform("cal", "add", "Trip 2030-03-09")
        let made = try home.perform("remind", try id(home, "Trip"), "2030-03-07 20:00", "--json").items()
        #expect(
            made.map { $0["kind"] as? String } == ["event"]
                && made.map { $0["time"] as? String } == ["2030-03-07T20:00:00Z"])
    }
}
