import Foundation
import HelixMail
import HelixModel
import TestSupport
import Testing

/// Messages out of sight: snoozed until a time, or of a muted conversation.
@Suite struct SnoozeTests {
    var home: HelixHome
    let maildir: TestMaildir

    init() throws {
        home = try HelixHome(now: "2026-11-18T10:20:00", zone: "Europe/Rome")
        maildir = try TestMaildir(home)
        try maildir.deliver(mail("Plans", id: "plans@x"))
        try maildir.deliver(mail("Other", id: "other@x", date: "Tue, 17 Nov 2026 10:00:00 +0100"))
        try home.perform("account", "add", "home", "maildir", maildir.path)
    }

    private func subjects(_ words: String...) throws -> [String] {
        try home.perform(words + ["--json"]).items().compactMap { $0["subject"] as? String }
    }

    private func id(_ subject: String) throws -> String {
        try #require(try home.perform("mail", "list", "subject:\(subject)", "--json").items().first?["id"] as? String)
    }

    @Test mutating func aSnoozedMessageIsAwayAndComesBackFirstAndUnread() throws {
        let id = try id("Plans")
        try home.perform("mail", "mark", "read", id)
        let snoozed = try home.perform("mail", "snooze", id, "fri")
        #expect(snoozed.output.contains("Plans") && snoozed.output.contains("until Fri 09:00"), "\(snoozed.output)")
        #expect(try subjects("mail", "inbox") == ["Other"])
        #expect(try subjects("mail", "unread") == ["Other"])
        #expect(try home.perform("status", "--format", "{unread}").output == "1\n")
        #expect(try subjects("mail", "list", "is:snoozed") == ["Plans"])
        #expect(try subjects("mail", "list") == ["Other", "Plans"])
        // 8:00 UTC is 9:00 in Rome.
        #expect(try home.perform("mail", "read", id, "--json").output.contains("snoozed-20261120T0800Z"))
        home.environment["HELIX_NOW"] = "2026-11-20T08:59:00"
        #expect(try subjects("mail", "inbox") == ["Other"])
        home.environment["HELIX_NOW"] = "2026-11-20T09:00:00"
        let inbox = try home.perform("mail", "inbox").output.split(separator: "\n")
        #expect(inbox.count == 2 && inbox[0].contains("Plans") && inbox[0].contains("back since 09:00"), "\(inbox)")
        #expect(try Set(subjects("mail", "unread")) == ["Plans", "Other"])
        #expect(try subjects("mail", "list", "is:snoozed") == [])
        try home.perform("mail", "read", id)
        #expect(try home.perform("mail", "read", id, "--json").items().first?["labels"] as? [String] == [])
        #expect(try home.perform("mail", "inbox").output.split(separator: "\n")[0].contains("Other"))
    }

    /// Lists and counts agree, however many messages are away: none, a few, and more than are named one by one.
    @Test func messagesInSightAreCountedWithFewAndManyAway() throws {
        for number in 0..<240 {
            let reply = number % 4 == 1 ? ["References: <m\(number - 1)@x>"] : []
            try maildir.deliver(mail("Note \(number)", id: "m\(number)@x", headers: reply))
        }
        func ids(_ query: String) throws -> Set<String> {
            Set(try home.perform("mail", "list", query, "--json").items().compactMap { $0["id"] as? String })
        }
        let all = try ids("in:inbox")
        #expect(all.count == 242)
        let notes = try ids("Note").sorted()
        var away: Set<String> = []
        for step in ["none", "few", "many"] {
            switch step {
            case "few":
                for id in notes.prefix(3) { try home.perform("mail", "snooze", id, "fri") }
                away = Set(notes.prefix(3))
                try home.perform("mail", "mute", notes[7])
            case "many":
                try home.perform("mail", "snooze", "--query", "Note", "fri")
                away = Set(notes)
            default: break
            }
            let hidden = try away.union(ids("is:muted"))
            #expect(try ids("in:inbox -is:snoozed -is:muted") == all.subtracting(hidden))
            #expect(try ids("is:unread -is:snoozed -is:muted") == all.subtracting(hidden))
            #expect(try home.perform("status", "--format", "{unread}").output == "\(all.count - hidden.count)\n")
        }
        #expect(away.count == 240)
        #expect(try !ids("is:muted").isEmpty)
    }

    @Test func aSnoozeIsTakenBackAndUndone() throws {
        let id = try id("Plans")
        try home.perform("mail", "snooze", id, "in", "3", "hours")
        #expect(try subjects("mail", "inbox") == ["Other"])
        try home.perform("mail", "snooze", id, "mon", "8:00")
        #expect(try home.perform("mail", "read", id, "--json").output.components(separatedBy: "snoozed-").count == 2)
        try home.perform("mail", "snooze", id, "off")
        #expect(try subjects("mail", "inbox") == ["Other", "Plans"])
        try home.perform("undo")
        #expect(try subjects("mail", "inbox") == ["Other"])
        for words in [["yesterday"], ["nonsense"], []] {
            let refused = try home.perform(["mail", "snooze", id] + words)
            #expect(refused.status == 64, "\(words): \(refused.errors)")
        }
        #expect(
            try home.perform("mail", "snooze", "--query", "subject:other", "sat", "--dry-run").output.contains(
                "would be"))
        #expect(try home.perform("mail", "snooze", "--query", "subject:other", "sat").status == 0)
        #expect(try subjects("mail", "inbox") == [])
    }

    @Test func aMutedConversationStaysAwayWithWhatComes() throws {
        let id = try id("Plans")
        try home.perform("mail", "mute", id)
        #expect(try subjects("mail", "inbox") == ["Other"])
        try maildir.deliver(mail("Re: Plans", id: "re@x", headers: ["In-Reply-To: <plans@x>"]))
        #expect(try subjects("mail", "inbox") == ["Other"])
        #expect(try subjects("mail", "unread") == ["Other"])
        #expect(try subjects("mail", "search", "plans").count == 2)
        let other = try self.id("re")
        try home.perform("mail", "mute", other, "--off")
        #expect(try subjects("mail", "inbox").count == 3)
    }

    @Test func theTimeOfALabelIsReadAsItWasWritten() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            let time = Instant(Int64.random(in: 0..<253_402_300_000, using: &generator) / 60 * 60)
            #expect(MessageAway.time(MessageAway.label(until: time)) == time)
        }
        for label in ["snoozed-", "snoozed-20261120T0800", "snoozed-2026-1120T800Z", "snoozed-20261320T0800Z", "x"] {
            #expect(MessageAway.time(label) == nil)
        }
    }
}
