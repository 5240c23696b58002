import Foundation
import HelixMail
import HelixModel
import HelixStore
import TestSupport
import Testing

@testable import HelixCommands

/// What keys and other programs do to one store meets in order.
@Suite struct ScreenStoreTests {
    /// A read that gives way to a key ends: it holds no snapshot that would make later reads old and changes impossible.
    @Test func aReadThatWasGivenUpHoldsNothing() throws {
        let home = try HelixHome()
        let box = try TestMaildir(home)
        for index in 0..<300 { try box.deliver(mail("Message \(index)", id: "m\(index)@x")) }
        try home.perform("account", "add", "home", "maildir", box.path, "--address", "me@example.org")
        try home.perform("mail", "index")
        let store = try Store(path: home.store, now: Instant(1_795_000_000))
        let query = MailQuery.all([])
        #expect(try store.messagePlaces(query, isInterrupted: { true }) == nil)
        try home.perform("tasks", "add", "Of another program")
        let last = try #require(try store.undoable(limit: 1).first)
        #expect(last.command == "tasks add")
        _ = try store.undo(last.id)
        #expect(try home.perform("tasks", "list", "--json").items().isEmpty)
    }

    /// A week that another program changes while one turns away from it is read anew when one comes back.
    @Test func aWeekThatIsLeftIsNotOutOfDate() throws {
        let home = try HelixHome()
        let screen = try ScreenDriver(home, at: .cal)
        for number in 0..<3 {
            try home.perform("cal", "add", "Late\(number)", "--start", "2026-11-19 1\(number):00")
            try screen.press(">")
            try screen.press("<")
            #expect(screen.text.contains("Late\(number)"))
        }
    }

    /// A store whose folder is deleted, or on a disk that was removed, is missed, not replaced by an empty one.
    @Test(arguments: UIPlaceName.allCases) func aStoreThatIsGoneIsNotCreatedAnew(_ place: UIPlaceName) throws {
        let home = try HelixHome()
        try home.perform("tasks", "add", "Kept")
        let screen = try ScreenDriver(home, at: place)
        let away = home.folder.appendingPathComponent("away")
        let folder = home.folder.appendingPathComponent("home")
        try FileManager.default.moveItem(at: folder, to: away)
        screen.worker.look()
        try screen.settle()
        #expect(screen.text.contains("the store is not there any more"))
        // The former picture would be taken for the present state.
        #expect(screen.text.contains("This could not be read.") && screen.status.contains("not read"))
        #expect(!screen.text.contains("Kept"), "\(screen.text)")
        for keys in [["2"], ["4"], ["j"], ["u"], ["ctrl-p"], ["esc"], ["3"], [">"]] { try screen.press(keys) }
        try screen.press(":")
        try screen.type("tasks add Lost")
        #expect(screen.text.contains("the store is not there any more"))
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        // It is used again when it is back: any key tries.
        try FileManager.default.moveItem(at: away, to: folder)
        try screen.press("j")
        #expect(!screen.text.contains("This could not be read."), "\(screen.text)")
        try screen.press(":")
        try screen.type("tasks add Found")
        #expect(try home.perform("tasks", "list").output.contains("Found"))
    }
}
