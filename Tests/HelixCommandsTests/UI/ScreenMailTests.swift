import Foundation
import HelixModel
import TestSupport
import Testing

@testable import HelixCommands

/// Mail on the screen, by keys.
@Suite struct ScreenMailTests {
    /// A home with messages `m0`, the newest, to `m9`; every other one is unread.
    private func home() throws -> (HelixHome, TestMaildir) {
        let home = try HelixHome()
        let mail = try TestMaildir(home)
        for box in [".Archive", ".Trash", ".Sent", ".Drafts"] { try mail.make(box) }
        for index in 0..<10 {
            try mail.deliver(
                """
                From: Person \(index) <p\(index)@example.org>
                To: me@example.org
                Subject: Message \(index)
                Date: Wed, 18 Nov 2026 0\(9 - index):00:00 +0100
                Message-ID: <m\(index)@example.org>

                Text \(index) with https://example.org/a\(index) and https://example.com/b.
                """, flags: index % 2 == 0 ? "" : "S")
        }
        try home.perform("account", "add", "home", "maildir", mail.path, "--address", "me@example.org")
        return (home, mail)
    }

    private func subjects(_ home: HelixHome, _ words: String...) throws -> [String] {
        try home.perform(["mail", "list"] + words + ["--json"]).items().compactMap { $0["subject"] as? String }
    }

    @Test func aListShowsWhatTheCommandShows() throws {
        let (home, _) = try home()
        let screen = try ScreenDriver(home, at: .mail)
        #expect(screen.chosen.contains("Message 0"))
        #expect(screen.status.contains("1 of 10"))
        try screen.press("j", "j")
        #expect(screen.chosen.contains("Message 2"))
        try screen.press("*")
        #expect(screen.chosen.contains("Message 9"))
        try screen.press("=")
        #expect(screen.chosen.contains("Message 0"))
    }

    @Test func aKeyRunsItsCommandAndUndoTakesItBack() throws {
        let (home, _) = try home()
        let screen = try ScreenDriver(home, at: .mail)
        try screen.press("j", "a")
        #expect(screen.message.contains("archived"))
        #expect(screen.message.contains("helix mail archive "))
        // The next message is chosen.
        #expect(screen.chosen.contains("Message 2"))
        #expect(try subjects(home, "in:archive") == ["Message 1"])
        try screen.press("u")
        #expect(try subjects(home, "in:archive") == [])
        #expect(screen.chosen.contains("Message 1"))
        // It is the person who did it.
        let history = try home.perform("history", "--json").items()
        #expect(history.first?["actor"] as? String == "person")
    }

    @Test func markedMessagesAreChangedTogether() throws {
        let (home, _) = try home()
        let screen = try ScreenDriver(home, at: .mail)
        try screen.press("space", "space", "j", "space")
        #expect(screen.status.contains("3 marked"))
        try screen.press("d")
        #expect(try subjects(home, "in:trash") == ["Message 0", "Message 1", "Message 3"])
        try screen.press("u")
        #expect(try subjects(home, "in:trash") == [])
        // The marks are back with the messages.
        #expect(screen.status.contains("3 marked"))
        try screen.press("ctrl-t", "T")
        try screen.type("is:unread")
        #expect(screen.status.contains("5 marked"))
        try screen.press("+")
        try screen.type("later")
        #expect(try subjects(home, "label:later").count == 5)
    }

    /// An old message that is opened from another place is shown, and no newer one in its place.
    @Test func anOldMessageIsOpened() throws {
        let (home, mail) = try home()
        for index in 0..<200 {
            let date = "Wed, 18 Nov 2026 10:10:00 +0100"
            try mail.deliver(TestSupport.mail("Bulk \(index)", id: "b\(index)@x", date: date), flags: "S")
        }
        let items = try home.perform("mail", "list", "Message 8", "--json").items()
        let id = try #require(items.first?["id"] as? String)
        let screen = try ScreenDriver(home, at: .today)
        screen.worker.perform(screen.worker.program.open(.message(EntityID(stored: id))))
        try screen.settle()
        #expect(screen.text.contains("Text 8 with"), "\(screen.text)")
        screen.worker.perform(screen.worker.program.open(.message(EntityID())))
        try screen.settle()
        #expect(screen.text.contains("The message is not there any more."), "\(screen.text)")
    }

    /// Marks hold while only the beginning of a long list is read again.
    @Test func marksCountBeyondWhatIsRead() throws {
        let (home, mail) = try home()
        for index in 0..<400 { try mail.deliver(TestSupport.mail("Bulk \(index)", id: "b\(index)@x"), flags: "S") }
        let screen = try ScreenDriver(home, at: .mail)
        try screen.press("T")
        try screen.type("subject:bulk")
        #expect(screen.status.contains("400 marked"))
        screen.worker.data.didChange()
        try screen.worker.load()
        #expect(screen.status.contains("400 marked"))
        screen.worker.perform(screen.worker.program.take(.key("a", Array("a".utf8))))
        #expect(try subjects(home, "in:archive", "--limit", "all").count == 400)
    }

    @Test func aSearchFindsWhileItIsTyped() throws {
        let (home, _) = try home()
        let screen = try ScreenDriver(home, at: .mail)
        try screen.press("/")
        try screen.type("pers", enter: false)
        #expect(screen.text.contains("Message 9"))
        try screen.type("on and", enter: false)
        #expect(screen.text.contains("Message 9"))
        for _ in 0..<3 { try screen.press("backspace") }
        try screen.type("7")
        #expect(screen.chosen.contains("Message 7"))
        #expect(!screen.text.contains("Message 3"))
        #expect(screen.status.contains("1 of 1"))
        try screen.press("q")
        #expect(screen.status.contains("of 10"))
        // A query that cannot be read says so, and keeps the list.
        try screen.press("/")
        try screen.type("before:", enter: false)
        #expect(screen.status.contains("before"))
        try screen.press("esc")
        #expect(screen.status.contains("of 10"))
    }

    @Test func readingMarksAsReadAndPreviewDoesNot() throws {
        let (home, _) = try home()
        let screen = try ScreenDriver(home, at: .mail)
        try screen.press("p")
        #expect(screen.text.contains("Text 0 with"))
        #expect(try subjects(home, "is:unread").count == 5)
        try screen.press("p", "p", "enter")
        #expect(screen.text.contains("Text 0 with https://example.org/a0 [1] and https://example.com/b [2]."))
        #expect(try subjects(home, "is:unread").count == 4)
        try screen.press("J")
        #expect(screen.text.contains("Text 1 with"))
        try screen.press("q")
        #expect(screen.chosen.contains("Message 1"))
    }

    @Test func triageGoesFromMessageToMessage() throws {
        let (home, _) = try home()
        let screen = try ScreenDriver(home, at: .mail)
        try screen.press("!")
        #expect(screen.status.contains("Triage  1 of 10"))
        try screen.press("a")  // 0
        try screen.press("space")  // 1 stays
        try screen.press("d")  // 2
        try screen.press("z", "ctrl-u")  // 3
        try screen.type("tomorrow 9:00")
        try screen.press("x")  // 4 becomes a task
        #expect(screen.text.contains("Text 4"))
        try screen.press("a", "u")  // 4 is archived, and is back
        #expect(screen.text.contains("Text 4"))
        try screen.press("q")
        #expect(try subjects(home, "in:archive") == ["Message 0"])
        #expect(try subjects(home, "in:trash") == ["Message 2"])
        #expect(try home.perform("tasks", "list", "--json").items().first?["title"] as? String == "Message 4")
        let inbox = try home.perform("mail", "inbox", "--json").items().compactMap { $0["subject"] as? String }
        #expect(inbox == [1, 4, 5, 6, 7, 8, 9].map { "Message \($0)" })
    }

    @Test func conversationsFoldAndUnfold() throws {
        let (home, mail) = try home()
        try mail.deliver(
            """
            From: Bo <bo@example.org>
            To: me@example.org
            Subject: Re: Message 5
            Date: Wed, 18 Nov 2026 09:30:00 +0100
            Message-ID: <r5@example.org>
            In-Reply-To: <m5@example.org>

            An answer.
            """, flags: "")
        let screen = try ScreenDriver(home, at: .mail)
        // What is chosen stays chosen when mail comes.
        #expect(screen.status.contains("2 of 11"))
        try screen.press("X", "=")
        #expect(screen.status.contains("of 10"))
        #expect(screen.chosen.contains("Re: Message 5"))
        try screen.press("o")
        #expect(screen.status.contains("of 11"))
        try screen.press("o")
        // A folded conversation that is marked in part says so.
        try screen.press("T")
        try screen.type("subject:re")
        #expect(screen.text.contains("▸+"))
        try screen.press("ctrl-t")
        // It is archived as a whole.
        try screen.press("a")
        #expect(screen.message.contains("2 items"))
        try screen.press("ctrl-o")
        #expect(screen.text.components(separatedBy: "archived").count > 2)
        try screen.press("q")
        #expect(try subjects(home, "in:archive") == ["Re: Message 5", "Message 5"])
    }

    @Test func whatMayFollowAKeyIsShown() throws {
        let (home, _) = try home()
        let screen = try ScreenDriver(home, at: .mail)
        try screen.press("i")
        #expect(screen.message.contains("a Accept the invitation") && screen.message.contains("d Decline"))
        try screen.press("esc")
    }

    @Test func mailboxesAreChosenByAPartOfTheirNames() throws {
        let (home, _) = try home()
        let screen = try ScreenDriver(home, at: .mail)
        try screen.press("a", "c")
        try screen.type("arch")
        #expect(screen.status.contains("Archive"))
        #expect(screen.chosen.contains("Message 0"))
        try screen.press("q")
        #expect(screen.status.contains("Inbox"))
    }

    /// Whoever writes a message cannot steer the terminal.
    @Test func foreignTextIsHarmless() throws {
        let (home, mail) = try home()
        try mail.deliver(
            "From: \u{1B}[31mEve <eve@example.org>\nTo: me@example.org\nSubject: a\u{1B}]0;x\u{07}b \u{202E}c\n"
                + "Date: Wed, 18 Nov 2026 10:00:00 +0100\nMessage-ID: <e@example.org>\n\nbody \u{1B}[2J\u{9B}31m end\n",
            flags: "")
        let screen = try ScreenDriver(home, at: .mail)
        for _ in 0..<2 {
            let isSafe = screen.text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x9B }
            #expect(isSafe && !screen.text.contains("\u{202E}"))
            try screen.press("enter")
        }
    }
}
