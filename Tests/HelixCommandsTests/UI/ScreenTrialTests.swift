import Foundation
import HelixMail
import HelixModel
import HelixStore
import TestSupport
import Testing

@testable import HelixCommands

/// Typed text is stored as it is, and changes by other programs do not change the meaning of a key.
@Suite struct ScreenTrialTests {
    private func mailHome(_ count: Int = 5) throws -> HelixHome {
        let home = try HelixHome()
        let box = try TestMaildir(home)
        for number in 0..<count {
            try box.deliver(
                mail("Message \(number)", id: "m\(number)@x", date: "Tue, 17 Nov 2026 0\(9 - number):00:00 +0100"),
                flags: "S")
        }
        try home.perform("account", "add", "home", "maildir", box.path, "--address", "me@example.org")
        try home.perform("mail", "index")
        return home
    }

    @Test func apostrophesAndQuotesAreKept() throws {
        let home = try HelixHome()
        let screen = try ScreenDriver(home, at: .tasks)
        try screen.press("n")
        try screen.type("Ana's \"quoted\" book & Luigi's due:fri --notes \"at Bob's\"")
        let task = try #require(try home.perform("tasks", "list", "--json").items().first, "\(screen.text)")
        #expect(task["title"] as? String == "Ana's \"quoted\" book & Luigi's", "\(task)")
        #expect(try home.perform("tasks", "list", "--json").output.contains("at Bob's"))
        try screen.press(":")
        try screen.type("tasks add Mom's 'two words' here")
        try screen.press("esc")
        let titles = try home.perform("tasks", "list", "--json").items().compactMap { $0["title"] as? String }
        #expect(titles.contains("Mom's two words here"), "\(titles)")
        try screen.press(":")
        try screen.type("tasks add 'it is open")
        #expect(screen.text.contains("A quote is not closed."), "\(screen.text)")
        #expect(try home.perform("tasks", "list", "--json").items().count == 2)
    }

    /// A message that another program takes away stays on the screen until one leaves it.
    @Test func theMessageThatIsReadDoesNotBecomeAnother() throws {
        let home = try mailHome()
        let screen = try ScreenDriver(home, at: .mail)
        try screen.press("j", "enter")
        #expect(screen.text.contains("Message 1"))
        let id = try #require(screen.worker.program.current.target.id)
        try home.perform("mail", "trash", id)
        screen.worker.look()
        try screen.settle()
        #expect(screen.text.contains("Message 1") && screen.text.contains("no longer in this list"), "\(screen.text)")
        #expect(screen.worker.program.current.target.id == id)
        try screen.press("J")
        #expect(screen.text.contains("Message 2"), "\(screen.text)")
    }

    /// A move goes on when something else changes, and ends with a word when its event is changed.
    @Test func aMoveGoesOnWhileOthersWork() throws {
        let home = try HelixHome()
        try home.perform("cal", "add", "Talk", "--start", "2026-11-18 12:00")
        try home.perform("cal", "add", "Other", "--start", "2026-11-19 12:30")
        let screen = try ScreenDriver(home, at: .cal)
        try screen.press("m", "l")
        #expect(screen.status.contains("Move Talk"), "\(screen.text)")
        try home.perform("tasks", "add", "Elsewhere")
        screen.worker.look()
        try screen.settle()
        #expect(screen.status.contains("Move Talk") && screen.status.contains("conflicts"), "\(screen.text)")
        try screen.press("enter")
        // The event that was moved stays the chosen one, on its new day.
        #expect(screen.status.contains("Talk") && screen.status.contains("19 Nov"), "\(screen.text)")
        try screen.press("u")
        #expect(screen.status.contains("Talk") && screen.status.contains("18 Nov"), "\(screen.text)")
        try screen.press("m", "l")
        let id = try #require(screen.worker.program.current.target.id)
        let deleted = try home.perform("cal", "delete", id, "--yes")
        #expect(deleted.status == 0, "\(deleted.errors)")
        screen.worker.look()
        try screen.settle()
        #expect(screen.text.contains("The event was changed meanwhile"), "\(screen.text)")
    }

    /// A search that found by the beginning of a word keeps what it found.
    @Test func anAcceptedSearchKeepsItsResult() throws {
        let home = try mailHome()
        let screen = try ScreenDriver(home, at: .mail)
        try screen.press("/")
        try screen.type("messa")
        #expect(screen.text.contains("Message 0") && screen.status.contains("of 5"), "\(screen.text)")
        try screen.press("esc", "/")
        try screen.type("subject:(")
        #expect(!screen.text.contains("Message 0"), "\(screen.text)")
    }

    @Test func markingSaysWhatItDoesNotFind() throws {
        let home = try mailHome()
        let screen = try ScreenDriver(home, at: .mail)
        for (query, reason) in [("from:(", "bracket"), ("from:nobody", "No message matches")] {
            try screen.press("T")
            try screen.type(query)
            #expect(screen.message.contains(reason), "\(screen.text)")
            #expect(screen.text.contains("Message 0") && !screen.status.contains("marked"), "\(screen.text)")
        }
        try screen.press("T")
        try screen.type("subject:2")
        #expect(screen.status.contains("1 marked"), "\(screen.text)")
    }

    /// A task is shown among all that it depends on and all that waits for it.
    @Test func theTreeHasBothDirections() throws {
        let home = try HelixHome()
        for name in ["Ground", "Walls", "Roof", "Garden"] { try home.perform("tasks", "add", name) }
        let all = try home.perform("tasks", "list", "--json").items()
        func id(_ name: String) throws -> String {
            try #require(all.first { $0["title"] as? String == name }?["id"] as? String)
        }
        try home.perform("tasks", "depend", try id("Walls"), try id("Ground"))
        try home.perform("tasks", "depend", try id("Roof"), try id("Walls"))
        try home.perform("tasks", "depend", try id("Garden"), try id("Ground"))
        let tree = try home.perform("tasks", "depend", try id("Walls"), "--graph").output
        #expect(tree.contains("Ground") && tree.contains("Walls") && tree.contains("Roof"), "\(tree)")
        #expect(!tree.contains("Garden"))
        #expect(tree.split(separator: "\n").first { $0.contains("◂") }?.contains("Walls") == true, "\(tree)")
    }

    /// Drafts are not mail that one has received.
    @Test func draftsAreNotCounted() throws {
        let home = try mailHome()
        func counts() throws -> [String] {
            let stats = try home.perform("mail", "stats", "nov", "--json").json()
            return ["received", "sent", "senders", "hours"].map { "\(stats[$0] ?? "-")" }
        }
        let before = try counts()
        #expect(before[0] == "5", "\(before)")
        try home.perform(["mail", "draft", "--to", "ana@example.org", "--subject", "Later", "--body", "Text"])
        try home.perform(["mail", "new", "--draft", "--to", "ana@example.org", "--subject", "Later", "--body", "Text"])
        #expect(try home.perform("mail", "list", "is:draft", "--json").items().count >= 1)
        #expect(try counts() == before)
    }
}
