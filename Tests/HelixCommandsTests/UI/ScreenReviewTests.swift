import HelixModel
import HelixTerminal
import TestSupport
import Testing

@testable import HelixCommands

/// What is shown of a draft before it leaves, of texts over the screen, and of what was added.
@Suite struct ScreenReviewTests {
    /// A screen with the review of a draft.
    private func review(_ home: HelixHome, _ words: String...) throws -> ScreenDriver {
        let screen = try ScreenDriver(home, at: .mail)
        try home.perform(["mail", "new", "--draft"] + words)
        var place = try #require(screen.worker.program.places[.mail] as? MailPlace)
        let id = try #require(try home.perform("mail", "drafts", "--json").items().first?["id"] as? String)
        place.draft = EntityID(stored: id)
        screen.worker.program.places[.mail] = place
        screen.worker.look()
        screen.worker.needsLoad = true
        try screen.settle()
        return screen
    }

    private func home() throws -> HelixHome {
        let home = try HelixHome()
        try home.perform(
            "account", "add", "test", "maildir", try TestMaildir(home).path, "--address", "me@example.org")
        return home
    }

    @Test func theReviewSaysHowADraftIsProtectedAndWhatIsMissing() throws {
        let home = try home()
        let screen = try review(
            home, "--to", "ana@example.org", "--subject", "Plan", "--body", "See the attached plan.")
        #expect(screen.text.contains("not signed, not encrypted"), "\(screen.text)")
        #expect(screen.text.contains("mentions an attachment"))
        try screen.press("i")
        #expect(screen.text.contains("It cannot be signed") || screen.text.contains("signed with the key"))
        try screen.press("I")
        #expect(screen.text.contains("not signed, not encrypted"), "\(screen.text)")
    }

    /// With `mail.send = now`, which is usual, the key sends it; else it is queued.
    @Test(arguments: ["now", "queue"]) func theKeyThatSendsDoesWhatTheSettingSays(_ setting: String) throws {
        let home = try home()
        home.environment["HELIX_MAIL_SEND"] = setting
        let screen = try review(home, "--to", "ana@example.org", "--subject", "Plan", "--body", "Hello")
        #expect(screen.worker.program.current.target.values["now"] == (setting == "now" ? "--now" : ""))
        try screen.press("y")
        #expect(screen.worker.program.history.last?.hasSuffix(" --now") == (setting == "now"))
        #expect(try home.perform("mail", "drafts", "--json").items().isEmpty)
    }

    @Test func theTextOverTheScreenFollowsTheStore() throws {
        let home = try HelixHome()
        try home.perform("tasks", "add", "Paint", "--notes", "white")
        let screen = try ScreenDriver(home, at: .tasks)
        try screen.press("enter")
        #expect(screen.text.contains("white"))
        try home.perform("tasks", "edit", "text:Paint", "--notes", "green")
        screen.worker.look()
        try screen.settle()
        #expect(screen.text.contains("green") && !screen.text.contains("white"), "\(screen.text)")
        try home.perform("tasks", "delete", "text:Paint", "--yes")
        screen.worker.look()
        try screen.settle()
        #expect(
            screen.text.contains("green") && screen.worker.program.message.plain.contains("unknown task"),
            "\(screen.text)")
    }

    @Test func whatWasAddedIsChosen() throws {
        let home = try HelixHome()
        for title in ["One", "Two"] { try home.perform("tasks", "add", "--", title) }
        let screen = try ScreenDriver(home, at: .tasks)
        try screen.press("n")
        try screen.type("Three")
        #expect(screen.status.contains("Three"), "\(screen.status)")
        try screen.press("3", "n")
        try screen.type("fri 15:00 Tea")
        #expect(screen.status.contains("Tea") && screen.status.contains("Fri 20 Nov"), "\(screen.status)")
        try screen.press("c")
        try screen.type("sat 9:00")
        #expect(screen.status.contains("Tea") && screen.status.contains("Sat 21 Nov"), "\(screen.status)")
    }

    @Test func severalZonesStandBeside() throws {
        let home = try HelixHome()
        let screen = try ScreenDriver(home, at: .cal, width: 120)
        try screen.press("z")
        try screen.type("America/New_York")
        try screen.press("z")
        try screen.type("Asia/Tokyo")
        #expect(screen.text.contains("15:00 09:00 23:00"), "\(screen.text)")
        #expect(screen.text.contains("Europe/Rome · America/New_York · Asia/Tokyo"))
        try screen.press("z", "enter")
        #expect(!screen.text.contains("09:00 23:00"))
    }

    @Test func theProgramStopsWhateverIsOpen() throws {
        let home = try HelixHome()
        let screen = try ScreenDriver(home, at: .cal)
        func stops() -> Bool {
            let effects = screen.worker.program.take(.key("ctrl-z", [0x1A]))
            return effects.contains { if case .suspend = $0 { true } else { false } }
        }
        #expect(stops())
        try screen.press("n")
        #expect(stops())
        try screen.press("esc", "ctrl-p")
        #expect(stops())
        try screen.press("esc", "?")
        #expect(stops())
    }

    // MARK: Chat

    @Test func codeAndLinksOfChatAreRead() throws {
        let home = try HelixHome()
        let address = "https://example.org/a/very/long/path/" + String(repeating: "x", count: 90)
        try home.perform("chat", "new", "House", "--message", "see \(address)")
        try home.perform("chat", "send", "House", "--", "```\nlet x = 1\n```")
        let screen = try ScreenDriver(home, at: .chat, width: 80)
        #expect(screen.text.contains("│ let x = 1") && !screen.text.contains("```"), "\(screen.text)")
        let seen = screen.screen.map { $0.split(separator: "│").last.map(String.init)?.trimmingBlanks() ?? "" }.joined()
        #expect(seen.contains(String(repeating: "x", count: 60)), "no part of an address is cut: \(screen.text)")
        try screen.press("l")
        #expect(screen.worker.program.chooser?.chosen?.name == address)
        guard case .call(let call)? = screen.worker.program.chooser?.chosen?.effect else {
            Issue.record("no command")
            return
        }
        #expect(call.words.suffix(2) == ["--link", "1"])
        try home.perform("config", "set", "files.open", "echo opened >&2; false; #")
        let outcome = try home.perform(call.words)
        #expect(outcome.errors.contains(address) && outcome.errors.contains("could not open"), "\(outcome)")
        #expect(try home.perform("chat", "message", call.words[2], "--link", "2").errors.contains("1 link"))
    }
}
