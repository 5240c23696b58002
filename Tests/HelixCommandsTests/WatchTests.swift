import Foundation
import Glibc
import HelixModel
import TestSupport
import Testing

@testable import HelixCommands
@testable import HelixStore

/// `helix watch`: everything is announced once, in order, also after sleep.
@Suite struct WatchTests {
    private func look(_ home: HelixHome, at now: String) throws -> [[String: Any]] {
        home.environment["HELIX_NOW"] = now
        let result = try home.perform("watch", "--once", "--jsonl")
        #expect(result.status == 0, "\(result.errors)")
        return try result.output.split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }

    private func titles(_ home: HelixHome, at now: String) throws -> [String] {
        try look(home, at: now).map { "\($0["kind"] as? String ?? ""): \($0["title"] as? String ?? "")" }
    }

    /// A year of thousands of reminders, looked at now and then, with days of sleep in between: each is announced once.
    @Test(arguments: ["Europe/Berlin", "Australia/Lord_Howe"])
    func noReminderOfAYearIsMissedOrDoubled(_ zoneName: String) throws {
        var random = SeededGenerator(seed: UInt64(zoneName.utf8.count))
        let home = try HelixHome(zone: zoneName)
        let zones = ["", ";TZID=Europe/Berlin", ";TZID=America/New_York", ";TZID=Asia/Kathmandu", "Z"]
        var text = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//t//t//EN\n"
        func number(_ range: ClosedRange<Int>) -> String {
            String(100 + Int.random(in: range, using: &random)).suffix(2).description
        }
        let events = Corpora.samples(60, thorough: 150)
        for index in 0..<events {
            let zone = zones[Int.random(in: 0..<zones.count, using: &random)]
            let day = "2030\(number(1...12))\(number(1...28))"
            let isDay = index % 7 == 0
            text += "BEGIN:VEVENT\nUID:e\(index)\nDTSTAMP:20290101T000000Z\nSUMMARY:e\(index)\n"
            text +=
                isDay
                ? "DTSTART;VALUE=DATE:\(day)\n"
                : "DTSTART\(zone == "Z" ? "" : zone):\(day)T\(number(0...23))\(number(0...59))00\(zone == "Z" ? "Z" : "")\nDURATION:PT1H\n"
            if index % 3 != 0 {
                text += "RRULE:FREQ=\(["DAILY", "WEEKLY", "MONTHLY"][index % 3 == 1 ? 0 : 1]);COUNT=40\n"
            }
            for _ in 0...(index % 2) {
                text +=
                    "BEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:x\nTRIGGER:-PT\(Int.random(in: 0...4000, using: &random))M\nEND:VALARM\n"
            }
            text += "END:VEVENT\n"
        }
        text += "END:VCALENDAR\n"
        home.environment["HELIX_NOW"] = "2029-12-20T00:00:00"
        #expect(try home.perform("cal", "import", try home.write(text, to: "year.ics")).status == 0)
        _ = try look(home, at: "2029-12-20T00:00:00")
        let zone = try #require(ZoneDatabase.zone(named: zoneName))
        let end = Instant(1_925_000_000)
        var now = zone.instant(CivilDateTime(CivilDate(year: 2029, month: 12, day: 20)))
        let first = now
        var told: [String] = []
        while now < end {
            // Mostly minutes and hours, sometimes days of sleep.
            let isAsleep = Int.random(in: 0..<20, using: &random) == 0
            now =
                now
                + (isAsleep
                    ? Int.random(in: 0...6 * 86_400, using: &random)
                    : Int.random(in: 60...(Corpora.isThorough ? 200_000 : 400_000), using: &random))
            let found = try look(home, at: ISO8601.text(now, in: .utc))
            told += found.compactMap { item in
                guard item["kind"] as? String == "reminder" else { return nil }
                return "\(item["id"] as? String ?? "") \(item["time"] as? String ?? "")"
            }
        }
        // What `reminders list` says is compared with an oracle elsewhere.
        let store = try Store(path: home.folder.appendingPathComponent("home/helix.db").path, now: first)
        let all = try store.reminders(
            in: TimeRange(start: first + 1, end: now + 1), zone: zone, allDay: 9 * 3600
        ).reminders
        let expected = all.map { "\($0.id.text) \(ISO8601.text($0.time, in: zone))" }
        // Two alarms of an event at the same moment are one notice.
        #expect(Set(told) == Set(expected))
        #expect(told.count == Set(told).count && expected.count > events * 13, "\(told.count) of \(expected.count)")
    }

    @Test func whatIsKnownLateIsAnnouncedWhileItIsOfUse() throws {
        let home = try HelixHome(now: "2030-03-05T08:00:00", zone: "UTC")
        try home.perform("cal", "add", "Old 2030-03-05 7:00", "--alarm", "5m")
        #expect(try titles(home, at: "2030-03-05T08:00:00").isEmpty)
        home.environment["HELIX_NOW"] = "2030-03-05T09:00:00"
        try home.perform("cal", "add", "Soon 2030-03-05 9:05", "--alarm", "10m")
        try home.perform("cal", "add", "Past 2030-03-05 8:30", "--alarm", "5m")
        #expect(try titles(home, at: "2030-03-05T09:00:01") == ["reminder: Soon"])
        // A snooze that went off does not go off again because the event moves.
        let soon = try #require(try home.perform("cal", "search", "Soon", "--json").items().first?["id"] as? String)
        try home.perform("reminders", "snooze", soon, "--for", "1m")
        #expect(try titles(home, at: "2030-03-05T09:01:05") == ["reminder: Soon"])
        // An event that is moved rings at its new time, too.
        let id = try #require(try home.perform("cal", "search", "Soon", "--json").items().first?["id"] as? String)
        try home.perform("cal", "move", id, "2030-03-05 11:00")
        #expect(try titles(home, at: "2030-03-05T09:02:00").isEmpty)
        #expect(try titles(home, at: "2030-03-05T10:49:59").isEmpty)
        #expect(try titles(home, at: "2030-03-05T10:50:00") == ["reminder: Soon"])
        #expect(try titles(home, at: "2030-03-05T10:50:00").isEmpty)
    }

    /// The way to an event counts: one leaves before it begins.
    @Test func aReminderTellsWhenToLeave() throws {
        let home = try HelixHome(now: "2030-03-05T08:00:00", zone: "UTC")
        let text = """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//t//t//EN
            BEGIN:VEVENT
            UID:way
            DTSTAMP:20300101T000000Z
            DTSTART:20300305T100000Z
            SUMMARY:Dentist
            X-APPLE-TRAVEL-DURATION;VALUE=DURATION:PT30M
            BEGIN:VALARM
            ACTION:DISPLAY
            DESCRIPTION:x
            TRIGGER:-PT45M
            END:VALARM
            END:VEVENT
            END:VCALENDAR

            """
        _ = try look(home, at: "2030-03-05T08:00:00")
        #expect(try home.perform("cal", "import", try home.write(text, to: "way.ics")).status == 0)
        let found = try look(home, at: "2030-03-05T09:15:00")
        #expect(found.map { $0["detail"] as? String } == ["at 10:00, leave at 09:30"])
    }

    @Test func mailChatsTimersAndTheOutboxAreNews() throws {
        let home = try HelixHome(now: "2030-03-05T08:00:00", zone: "UTC")
        let maildir = try TestMaildir(home)
        let date = "Tue, 05 Mar 2030 08:30:00 +0000"
        try maildir.deliver(mail("Before", id: "a@x", date: date))
        try home.perform("account", "add", "home", "maildir", maildir.path)
        #expect(try titles(home, at: "2030-03-05T08:00:00").isEmpty)
        try maildir.deliver(mail("Hello", id: "b@x", date: date))
        try maildir.deliver(mail("Seen", id: "c@x", date: date), flags: "S")
        try maildir.deliver(mail("Ancient", id: "d@x", date: "Tue, 05 Mar 2019 08:30:00 +0000"))
        #expect(try titles(home, at: "2030-03-05T08:40:00") == ["mail-new: Hello"])
        try home.perform("config", "set", "notify.mail", "from:bo")
        try maildir.deliver(mail("From Ana", id: "e@x", date: date))
        try maildir.deliver(mail("From Bo", id: "f@x", from: "Bo <bo@example.org>", date: date))
        #expect(try titles(home, at: "2030-03-05T08:41:00") == ["mail-new: From Bo"])
        try home.perform("time", "start", "Writing")
        #expect(try titles(home, at: "2030-03-05T18:40:59").isEmpty)
        #expect(try titles(home, at: "2030-03-05T18:41:00") == ["timer-forgotten: Writing"])
        #expect(try titles(home, at: "2030-03-05T20:00:00").isEmpty)
        let log = try home.perform("watch", "log", "--json").items().map { $0["title"] as? String }
        #expect(log == ["Writing", "From Bo", "Hello"])
        #expect(try pages(home, "watch", "log") == log)
        // A query that cannot be used concerns mail alone, and its messages wait.
        #expect(try home.perform("config", "set", "notify.mail", "is:bogus").status == 64)
        home.environment["HELIX_NOTIFY_MAIL"] = "in:nowhere"
        try maildir.deliver(mail("Waits", id: "g@x", date: date))
        try home.perform("remind", "tea", "2030-03-05 20:10")
        home.environment["HELIX_NOW"] = "2030-03-05T20:10:00"
        let broken = try home.perform("watch", "--once", "--jsonl")
        #expect(
            broken.output.contains("tea") && broken.status != 0 && broken.errors.contains("notify.mail"), "\(broken)")
        home.environment["HELIX_NOTIFY_MAIL"] = nil
        try home.perform("config", "unset", "notify.mail")
        #expect(try titles(home, at: "2030-03-05T20:11:00") == ["mail-new: Waits"])
    }

    /// The titles of a list that is read one item at a time.
    private func pages(_ home: HelixHome, _ words: String...) throws -> [String?] {
        var (found, next): ([String?], String?) = ([], nil)
        for _ in 0..<100 {
            let page = try home.perform(words + ["--json", "--limit", "1"] + (next.map { ["--after", $0] } ?? []))
            found += try page.items().map { $0["title"] as? String }
            let object = try JSONSerialization.jsonObject(with: Data(page.output.utf8)) as? [String: Any]
            next = object?["next"] as? String
            if next == nil { return found }
        }
        return found
    }

    /// What came while a conversation was muted is passed, and no news when it is muted no more.
    @Test func whatCameWhileMutedIsPassed() throws {
        let home = try HelixHome(now: "2030-03-05T08:00:00", zone: "UTC")
        try home.perform("chat", "new", "ana")
        _ = try look(home, at: "2030-03-05T08:00:00")
        func arrive(_ text: String) throws {
            try home.sql(
                """
                INSERT INTO chat_message (id, conversation, content, sender, is_mine, sent_at, seq, is_mention)
                SELECT '\(text)aaaaaaaaaaaa', id, '\(text)', 'ana', 0, 1898928000,
                    (SELECT ifnull(MAX(seq), 0) + 1 FROM chat_message), 1 FROM conversation LIMIT 1
                """)
        }
        try home.sql("UPDATE conversation SET is_muted = 1")
        try arrive("aaaa")
        #expect(try titles(home, at: "2030-03-05T08:00:05").isEmpty)
        try home.sql("UPDATE conversation SET is_muted = 0")
        #expect(try titles(home, at: "2030-03-05T08:00:10").isEmpty)
        try arrive("bbbb")
        #expect(try titles(home, at: "2030-03-05T08:00:15").count == 1)
        #expect(try titles(home, at: "2030-03-05T08:00:20").isEmpty)
    }

    /// What is answered, done, deleted or read while it waits is not announced.
    @Test func whatWaitedInVainIsNotAnnounced() throws {
        let home = try HelixHome(now: "2030-03-05T20:00:00", zone: "UTC")
        try home.perform("config", "set", "notify.quiet", "22:00-7:00")
        let maildir = try TestMaildir(home)
        try home.perform("account", "add", "home", "maildir", maildir.path)
        _ = try look(home, at: "2030-03-05T20:00:00")
        for title in ["Answered", "Finished", "Kept"] {
            try home.perform("remind", title, "2030-03-06")
        }
        try home.perform("config", "set", "dates.morning", "6:00")
        try home.perform("cal", "add", "Deleted 2030-03-06 12:00", "--alarm", "6h")
        try maildir.deliver(mail("Unread", id: "a@x", date: "Tue, 05 Mar 2030 22:30:00 +0000"))
        try maildir.deliver(mail("Looked at", id: "b@x", date: "Tue, 05 Mar 2030 22:30:00 +0000"))
        #expect(try titles(home, at: "2030-03-06T06:00:00").isEmpty)
        func id(_ words: String...) throws -> String {
            try #require(try home.perform(words + ["--json"]).items().first?["id"] as? String)
        }
        try home.perform("reminders", "dismiss", try id("tasks", "list", "Answered"))
        try home.perform("tasks", "done", try id("tasks", "list", "Finished"))
        try home.perform("cal", "delete", try id("cal", "search", "Deleted"), "--yes")
        try home.perform("mail", "mark", "read", try id("mail", "list", "subject:looked"))
        #expect(try Set(titles(home, at: "2030-03-06T07:00:00")) == ["reminder: Kept", "mail-new: Unread"])
        #expect(try titles(home, at: "2030-03-06T07:01:00").isEmpty)
    }

    @Test func nothingIsAnnouncedInQuietHoursAndNothingIsLost() throws {
        let home = try HelixHome(now: "2030-03-05T20:00:00", zone: "UTC")
        try home.perform("config", "set", "notify.quiet", "22:00-7:00")
        try home.perform("tasks", "add", "Pills", "--due", "2030-03-05 23:00")
        try home.perform("cal", "add", "Breakfast 2030-03-06 8:00", "--alarm", "9h")
        #expect(try titles(home, at: "2030-03-05T20:00:00").isEmpty)
        #expect(try titles(home, at: "2030-03-05T23:00:00") == ["reminder: Pills"])
        #expect(try home.perform("watch", "log").output.contains("not announced yet"))
        #expect(try titles(home, at: "2030-03-06T06:59:00").isEmpty)
        #expect(try titles(home, at: "2030-03-06T07:00:00") == ["reminder: Breakfast"])
    }

    /// Hooks run in order and at least once; one that fails holds those after it, until it is given up.
    @Test func hooksRunInOrderAtLeastOnce() throws {
        let home = try HelixHome(now: "2030-03-05T08:00:00", zone: "UTC")
        let file = home.folder.appendingPathComponent("got").path
        let broken = home.folder.appendingPathComponent("broken").path
        try home.perform(
            "config", "set", "hooks.task-done",
            "test ! -e '\(broken)' || { echo out of order >&2; exit 3; }; cat >> '\(file)'")
        try home.perform("config", "set", "hooks.reminder", "cat >> '\(file)'")
        _ = try titles(home, at: "2030-03-05T08:00:00")
        func got() throws -> [String] {
            ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "").split(separator: "\n").compactMap {
                let item = try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
                return (item?["schema"] as? String).map { "\($0) \(item?["title"] as? String ?? "")" }
            }
        }
        try home.perform("tasks", "add", "First thing")
        try home.perform("tasks", "add", "Second thing", "--due", "2030-03-05 8:10")
        for task in try home.perform("tasks", "list", "--json").items() where task["title"] as? String == "First thing"
        {
            try home.perform("tasks", "done", task["id"] as? String ?? "")
        }
        try "".write(toFile: broken, atomically: true, encoding: .utf8)
        _ = try titles(home, at: "2030-03-05T08:10:00")
        #expect(try got().isEmpty)
        let log = try home.perform("watch", "log").output
        #expect(log.contains("out of order") && log.contains("tried again"), "\(log)")
        // Not before its time.
        unlink(broken)
        _ = try titles(home, at: "2030-03-05T08:10:10")
        #expect(try got().isEmpty)
        _ = try titles(home, at: "2030-03-05T08:10:31")
        #expect(try got() == ["helix.notices/1 First thing", "helix.notices/1 Second thing"])
        // Given up after three runs: those after it come.
        try "".write(toFile: broken, atomically: true, encoding: .utf8)
        for task in try home.perform("tasks", "list", "--json").items() {
            try home.perform("tasks", "done", task["id"] as? String ?? "")
        }
        for minute in 20..<30 { _ = try titles(home, at: "2030-03-05T08:\(minute):00") }
        #expect(try home.perform("watch", "log").output.contains("given up"))
        // A time limit ends it with all its processes.
        try home.perform("config", "set", "hooks.task-done", "sleep 60 | sleep 60")
        try home.perform("config", "set", "hooks.timeout", "1s")
        try home.perform("tasks", "add", "Slow thing")
        for task in try home.perform("tasks", "list", "--json").items() {
            try home.perform("tasks", "done", task["id"] as? String ?? "")
        }
        _ = try titles(home, at: "2030-03-05T09:00:00")
        #expect(try home.perform("watch", "log").output.contains("longer than 1 s"))
    }

    @Test func aWatchIsForPeopleAndOneOfAStore() throws {
        let home = try HelixHome(zone: "UTC")
        try home.perform("cal", "add", "Meet 2030-03-05 10:00")
        #expect(try home.perform("--as", "read-only", "watch", "--once").status == 77)
        let path = home.folder.appendingPathComponent("home/helix.db").path
        var lock: WatchLock? = try WatchLock(beside: path)
        #expect(lock != nil && WatchLock.isHeld(beside: path))
        #expect(try home.perform("watch", "--once").status == 75)
        lock = nil
        #expect(!WatchLock.isHeld(beside: path))
        #expect(try home.perform("watch", "--once", "--every", "5m").status == 64)
        #expect(try home.perform("watch", "--every", "1s").status == 64)
        home.environment["HELIX_NOTIFY_TERMINAL"] = "never"
        home.environment["DBUS_SESSION_BUS_ADDRESS"] = nil
        home.environment["XDG_RUNTIME_DIR"] = nil
        let mute = try home.perform("watch", "--once")
        #expect(mute.status == 78 && mute.errors.contains("nothing to announce with"), "\(mute)")
    }
}
