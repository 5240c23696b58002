import Foundation
import TestSupport
import Testing

/// The outbox holds, changes and gives back what waits to leave.
@Suite struct OutboxTests {
    @Test func theOutboxHoldsChangesAndGivesBack() throws {
        let home = try HelixHome.writing()
        let sent = try home.run(
            "mail", "new", "--to", "ana@example.org", "--bcc", "hidden@example.org", "-s", "Plans", "-b", "*One*",
            "--markdown",
            "--at", "mon 8:00", "--json")
        let item = try #require(try sent.items().first)
        #expect(item["leaves_at"] as? String == "2026-11-23T08:00:00+01:00" && item["state"] as? String == "queued")
        #expect(try sent.json()["remarks"] as? [String] != nil, "nothing can send yet, and it is said")
        let id = try #require(item["id"] as? String)
        func one() throws -> [String: Any] { try home.run("outbox", "list", "--json").items().first ?? [:] }
        try home.run("outbox", "hold", id)
        #expect(try one()["state"] as? String == "held")
        try home.run("outbox", "retry", id)
        #expect(try one()["state"] as? String == "queued")
        #expect(try one()["leaves_at"] as? String == "2026-11-23T08:00:00+01:00", "as it was before")
        try home.run("outbox", "retry", id)
        #expect(try one()["leaves_at"] as? String == "2026-11-18T10:20:00+01:00", "now")
        try home.run("undo")
        try home.run("undo")
        #expect(try one()["state"] as? String == "held")
        // By options, and in the editor.
        try home.run("outbox", "edit", id, "--subject", "Plans, again")
        try home.editor("grep -q 'Bcc: hidden@' \"$1\" && grep -q 'Markdown: yes' \"$1\" && echo 'Two' >> \"$1\"")
        let edited = try home.run("outbox", "edit", id, "--edit")
        #expect(edited.status == 0, "\(edited.errors)")
        #expect(try one()["subject"] as? String == "Plans, again" && one()["state"] as? String == "held")
        #expect(try (one()["recipients"] as? [String])?.contains("hidden@example.org") == true)
        #expect(try one()["message_id"] as? String == item["message_id"] as? String)
        let shown = try home.run("outbox", "show", id)
        #expect(shown.output.contains("*One*") && shown.output.contains("Two") && shown.output.contains("hidden@"))
        #expect(try !home.run("outbox", "show", id, "--raw").output.contains("hidden@"))
        // Out of it, it is a draft again, with all that it had.
        let draft = try #require(try home.run("outbox", "cancel", id, "--json").items().first)
        #expect(draft["bcc"] as? [String] == ["hidden@example.org"] && draft["subject"] as? String == "Plans, again")
        #expect(try home.run("outbox", "show", id).status == 66)
        try home.run("undo")
        #expect(try home.run("mail", "drafts", "--json").items().isEmpty)
        #expect(try home.run("outbox", "show", id, "--raw").output.contains("<em>One</em>"))
        // A backup has it.
        let backup = home.folder.path + "/backup"
        try home.run("backup", backup)
        try home.run("outbox", "cancel", id)
        try home.run("restore", backup, "--yes")
        #expect(try home.run("outbox", "show", id, "--raw").output.contains("<em>One</em>"))
        #expect(try home.run("doctor").status == 0)
    }

    @Test func aDelayLeavesTimeToTakeItBack() throws {
        let home = try HelixHome.writing()
        try home.run("config", "set", "mail.undo-send-delay", "2m")
        let sent = try home.run("mail", "new", "--to", "a@example.org", "-s", "x", "-b", "y", "--json")
        #expect(try sent.items().first?["leaves_at"] as? String == "2026-11-18T10:22:00+01:00")
    }

    @Test func whatWasSentByOptionsBecomesADraftAgain() throws {
        let home = try HelixHome.writing()
        try home.run("mail", "new", "--to", "a@example.org", "-s", "Words", "-b", "my words")
        try home.run("undo")
        #expect(try home.run("mail", "drafts", "--json").items().first?["snippet"] as? String == "my words")
    }

    @Test func anOutboxEditThatDiesIsFoundAgainInTheOutbox() throws {
        let home = try HelixHome.writing()
        let id = try #require(
            try HelixHome.ids(home.run("mail", "new", "--to", "a@example.org", "-s", "x", "-b", "first", "--json"))
                .first)
        try home.editor("echo second >> \"$1\"; kill -9 $(ps -o ppid= -p $PPID) $PPID")
        #expect(try home.run("outbox", "edit", id, "--edit").status == 128 + 9)
        let refused = try home.run("outbox", "retry", id)
        #expect(refused.status == 80 && refused.errors.contains("outbox edit"))
        #expect(try home.run("mail", "drafts").errors.contains("in the outbox"))
        let shown = try #require(try home.run("outbox", "show", id, "--json").items().first)
        #expect(shown["text"] as? String == "first\nsecond" && shown["state"] as? String == "held")
        #expect(try home.run("outbox", "list", "--json").items().count == 1)
        #expect(try home.run("mail", "drafts", "--json").items().isEmpty)
        #expect(try home.run("outbox", "retry", id).status == 0)
    }

    /// A time alone stays on the day on which it leaves; a day alone says no time for something new.
    @Test func timesOfLeavingAreCountedFromTheMessage() throws {
        let home = try HelixHome.writing()
        func send(_ at: String) throws -> HelixHome.Result {
            try home.run("mail", "new", "--to", "ana@example.org", "-s", "Plans", "-b", "One", "--at", at, "--json")
        }
        for day in ["fri", "tomorrow", "next week", "in 1 day"] {
            let refused = try send(day)
            #expect(refused.status == 64 && refused.errors.contains("a day, but no time"), "\(day)")
        }
        // It is Wednesday, 10:20.
        #expect(try send("wed 8:00").items().first?["leaves_at"] as? String == "2026-11-25T08:00:00+01:00")
        let id = try #require(HelixHome.ids(home.run("outbox", "list", "--json")).first)
        for (at, leaves) in [
            ("10:00", "2026-11-25T10:00:00+01:00"), ("+1d", "2026-11-26T10:00:00+01:00"),
            ("fri", "2026-11-20T10:00:00+01:00"),
        ] {
            try home.run("outbox", "edit", id, "--at", at)
            #expect(try home.run("outbox", "list", "--json").items().first?["leaves_at"] as? String == leaves, "\(at)")
        }
    }
}
