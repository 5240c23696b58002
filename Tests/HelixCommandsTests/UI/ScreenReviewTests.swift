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

    @Test func allOfADraftIsSeenAndItsFieldsAreThereToBeChanged() throws {
        let home = try home()
        let quoted = (1...30).map { "> quoted line \($0)\n" }.joined()
        let screen = try review(
            home, "--to", "\"Bob, B\" <bob@example.org>", "--subject", "Plan", "--body", "Hello\n" + quoted)
        #expect(screen.worker.program.current.target.values["to"] == "\"Bob, B\" <bob@example.org>")
        let place = try #require(screen.worker.program.places[.mail] as? MailPlace)
        #expect(place.reader?.text.lines.contains { $0.plain.contains("quoted line 30") } == true)
        try screen.press("t")
        try screen.type(", ana@example.org")
        #expect(screen.text.contains("Bob, B") && screen.text.contains("ana@example.org"), "\(screen.text)")
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

    /// An act for all that are marked, one for a single item, and the card beside the last one of a column.
    @Test func marksCountOrAreSaid() throws {
        let home = try HelixHome()
        for title in ["One", "Two"] { try home.perform("tasks", "add", "--", title) }
        try home.perform("tasks", "add", "Other", "--column", "doing")
        let screen = try ScreenDriver(home, at: .tasks)
        try screen.press("space", "space", "e")
        try screen.type("+both")
        let tagged = try home.perform("tasks", "list", "+both", "--json").items()
        #expect(tagged.count == 2, "\(screen.text)")
        try screen.press("home", "space", "space", "s")
        #expect(screen.text.contains("2 are marked"), "\(screen.text)")
        #expect(try home.perform("time", "status", "--json").output.contains("One") == false)
        try screen.press("ctrl-t", "x", "x")
        #expect(screen.status.contains("Other"), "\(screen.status)")
    }

    @Test func aSearchThatIsGivenUpGoesBack() throws {
        let home = try HelixHome()
        let box = try TestMaildir(home)
        for number in 0..<6 {
            try box.deliver(
                mail("Letter \(number)", id: "m\(number)@x", date: "Tue, 17 Nov 2026 0\(9 - number):00:00 +0100"))
        }
        try home.perform("account", "add", "home", "maildir", box.path, "--address", "me@example.org")
        try home.perform("mail", "index")
        let screen = try ScreenDriver(home, at: .mail)
        try screen.press("j", "j", "j", "/")
        try screen.type("letter", enter: false)
        try screen.press("esc")
        #expect(screen.status.contains("4 of 6"), "\(screen.status)")
    }

    /// A month that is higher than the screen is shown in whole weeks, and says how many are missing.
    @Test(arguments: [20, 24, 30, 40]) func aMonthIsShownInWholeWeeks(_ height: Int) throws {
        let home = try HelixHome()
        for day in 1...30 {
            for hour in 9..<15 {
                try home.perform(
                    "cal", "add", "Event \(hour)", "--start", "2026-11-\(day < 10 ? "0" : "")\(day) \(hour):00",
                    "--on-conflict", "allow")
            }
        }
        for day in ["2026-11-01", "2026-11-18", "2026-11-30"] {
            home.environment["HELIX_NOW"] = "\(day)T10:00:00"
            let screen = try ScreenDriver(home, at: .cal, width: 120, height: height)
            try screen.press("M")
            let lines = screen.screen.dropFirst(3).prefix {
                $0.contains("Event") || $0.contains("more") || $0.contains("─")
            }
            #expect(lines.first?.contains("─") == true, "\(screen.text)")
            let number = day.suffix(2).trimmingPrefix("0")
            #expect(lines.contains { $0.contains("▸\(number) ") || $0.contains(" \(number) ") }, "\(screen.text)")
            let weeks = lines.count { $0.contains("───") }
            #expect(weeks == 6 || screen.screen[1].contains("later") || screen.screen[1].contains("earlier"))
        }
    }

    @Test func aFieldThatIsNotThereIsRefusedBeforeAnythingIsDone() throws {
        let home = try HelixHome()
        #expect(try home.perform("tasks", "boards", "add", "dev", "--columns", "todo,doing").status == 64)
        #expect(try home.perform("tasks", "add", "Paint", "--json", "--fields", "nonsense").status == 64)
        #expect(
            try home.perform("tasks", "boards", "--json").items().contains { $0["name"] as? String == "dev" } == false)
        #expect(try home.perform("tasks", "list", "--json").items().isEmpty)
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

    @Test func aConversationThatIsStartedIsShown() throws {
        let home = try HelixHome()
        try home.perform("chat", "new", "Plans", "--message", "old")
        let screen = try ScreenDriver(home, at: .chat)
        try screen.press("c")
        try screen.type("Fresh")
        #expect(screen.status.contains("Fresh"), "\(screen.text)")
        try screen.press("i")
        try screen.type("for the new one")
        #expect(try home.perform("chat", "show", "Fresh", "--json").output.contains("for the new one"))
    }

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
