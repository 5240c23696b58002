import Foundation
import TestSupport
import Testing

/// `helix reminders list`: what goes off, when, and about what.
@Suite struct ReminderListTests {
    private func times(_ home: HelixHome, _ words: String...) throws -> [String] {
        try home.perform(["reminders", "list"] + words + ["--json"]).items().map {
            "\($0["title"] as? String ?? "") \($0["time"] as? String ?? "")"
        }
    }

    @Test func eventsAndTasksAreListedInOrder() throws {
        let home = try HelixHome(zone: "UTC")
        try home.perform("cal", "add", "Meet 2030-03-05 10:00", "--alarm", "15m", "--alarm", "1d")
        try home.perform("cal", "add", "Standup 2030-03-04 9:30", "--repeat", "daily", "--alarm", "5m")
        try home.perform("cal", "add", "Trip 2030-03-06", "--alarm", "1d")
        try home.perform("tasks", "add", "Call", "--due", "2030-03-05 11:00")
        try home.perform("tasks", "add", "Pay", "--due", "2030-03-05")
        try home.perform("tasks", "add", "Done", "--due", "2030-03-05 12:00")
        let tasks = try home.perform("tasks", "list", "--json").items()
        let done = try #require(tasks.first { $0["title"] as? String == "Done" }?["id"] as? String)
        try home.perform("tasks", "done", done)
        #expect(
            try times(home, "2030-03-05") == [
                "Pay 2030-03-05T09:00:00Z", "Trip 2030-03-05T09:00:00Z", "Standup 2030-03-05T09:25:00Z",
                "Meet 2030-03-05T09:45:00Z", "Call 2030-03-05T11:00:00Z",
            ])
        #expect(try times(home, "2030-03-04") == ["Standup 2030-03-04T09:25:00Z", "Meet 2030-03-04T10:00:00Z"])
        try home.perform("config", "set", "dates.morning", "7:30")
        #expect(try times(home, "2030-03-05").first == "Pay 2030-03-05T07:30:00Z")
        let drawn = try home.perform("reminders", "list", "2030-03-05").output
        #expect(drawn.contains("Meet  at 10:00") && drawn.contains("Call  due 11:00"), "\(drawn)")
    }

    /// Triggers months before their occurrence, at fixed times, dismissed and not for helix.
    @Test func farAndDismissedReminders() throws {
        let home = try HelixHome(zone: "UTC")
        func event(_ uid: String, _ start: String, _ alarm: String..., status: String = "CONFIRMED") -> String {
            let action = alarm.contains { $0.hasPrefix("ACTION") } ? "" : "ACTION:DISPLAY\n"
            return "BEGIN:VEVENT\nUID:\(uid)\nDTSTART:\(start)\nSUMMARY:\(uid)\nSTATUS:\(status)\nBEGIN:VALARM\n"
                + action + alarm.map { $0 + "\n" }.joined() + "END:VALARM\nEND:VEVENT\n"
        }
        let start = "20300601T100000Z"
        let text = [
            event("weeks", start, "TRIGGER:-P9W"), event("hours", start, "TRIGGER:-PT2000H"),
            event("fixed", start, "TRIGGER;VALUE=DATE-TIME:20300310T080000Z"),
            event("dismissed", "20300310T100000Z", "TRIGGER:-PT5M", "ACKNOWLEDGED:20300310T100000Z"),
            event("mail", "20300310T100000Z", "TRIGGER:-PT5M", "ACTION:EMAIL"),
            event("off", "20300310T100000Z", "TRIGGER:-PT5M", status: "CANCELLED"),
            event("twice", "20300310T100000Z", "TRIGGER:-PT5M", "REPEAT:2", "DURATION:PT2M"),
        ].joined()
        #expect(try home.perform("cal", "import", try home.write(text, to: "a.ics")).status == 0)
        #expect(
            try times(home, "2030-03-10") == [
                "hours 2030-03-10T02:00:00Z", "fixed 2030-03-10T08:00:00Z", "twice 2030-03-10T09:55:00Z",
                "twice 2030-03-10T09:57:00Z", "twice 2030-03-10T09:59:00Z",
            ])
        #expect(try times(home, "2030-03-30") == ["weeks 2030-03-30T10:00:00Z"])
        try home.perform("config", "set", "agent.n.read", "tasks")
        #expect(try home.perform("--as", "n", "reminders", "list").status == 77)
        #expect(try home.perform("reminders", "list", "1999-01-01").output.contains("No reminders."))
        #expect(try home.perform("reminders", "list", "nonsense").status == 64)
    }
}
