import HelixModel
import HelixStore
import TestSupport
import Testing

@testable import HelixCommands

/// The keys for undo and redo work on what the screen did, and ask before they touch what others did.
@Suite struct ScreenUndoTests {
    private func titles(_ home: HelixHome) throws -> Set<String> {
        Set(try home.perform("tasks", "list", "--json").items().compactMap { $0["title"] as? String })
    }

    /// A change that another program made meanwhile is taken back only after a question, and only the one that it names.
    @Test func aChangeOfAnotherProgramIsAskedFor() throws {
        let home = try HelixHome()
        try home.perform("tasks", "add", "Paint")
        let screen = try ScreenDriver(home, at: .tasks)
        try screen.press("x")
        try home.perform("tasks", "add", "Of the other shell")
        try screen.press("u")
        #expect(screen.message.contains("Of the other shell"), "\(screen.text)")
        #expect(screen.message.contains("made by another program? [y/n]"), "\(screen.text)")
        #expect(try titles(home) == ["Of the other shell"])
        // A change made before the answer is not taken back in its place.
        try home.perform("tasks", "add", "Later")
        try screen.press("y")
        #expect(try titles(home) == ["Later"])
        // Made again without a question, since it was taken back here.
        try screen.press("u", "n", "ctrl-r")
        #expect(try titles(home) == ["Later", "Of the other shell"], "\(screen.text)")
    }

    /// Changes of the screen itself are taken back and made again without questions.
    @Test func ownChangesNeedNoQuestion() throws {
        let home = try HelixHome()
        try home.perform("tasks", "add", "Paint")
        let screen = try ScreenDriver(home, at: .tasks)
        for _ in 0..<2 {
            try screen.press("x")
            #expect(try titles(home).isEmpty)
            try screen.press("u")
            #expect(try titles(home) == ["Paint"], "\(screen.text)")
            try screen.press("ctrl-r")
            #expect(try titles(home).isEmpty, "\(screen.text)")
            try screen.press("u")
            #expect(try titles(home) == ["Paint"], "\(screen.text)")
        }
        try screen.press(":")
        try screen.type("tasks add 'Typed here'")
        #expect(try titles(home) == ["Paint", "Typed here"], "\(screen.text)")
        try screen.press("esc", "u")
        #expect(try titles(home) == ["Paint"], "\(screen.text)")
    }

    /// The cursor goes to what came back.
    @Test func theCursorGoesToWhatCameBack() throws {
        let home = try HelixHome()
        for name in ["Paint", "Sow", "Mow"] {
            try home.perform("tasks", "add", name, "--due", "today")
            try home.perform("cal", "add", name + "ing", "--start", "2026-11-18 1\(name.count):00")
        }
        let screen = try ScreenDriver(home, at: .tasks)
        try screen.press("x", "j", "u")
        #expect(screen.status.contains("Paint"), "\(screen.text)")
        try screen.press("3", "j", "d", "y")
        #expect(!screen.status.contains("Sowing"), "\(screen.text)")
        try screen.press("u")
        #expect(screen.status.contains("Sowing"), "\(screen.text)")
    }

    /// A change that another program took back is made again only after a question.
    @Test func theUndoOfAnotherProgramIsAskedForBeforeRedo() throws {
        let home = try HelixHome()
        let screen = try ScreenDriver(home, at: .tasks)
        try home.perform("tasks", "add", "Paint")
        try home.perform("undo")
        try screen.press("ctrl-r")
        #expect(screen.message.contains("Redo this: add 'Paint', made by another program? [y/n]"), "\(screen.text)")
        #expect(try titles(home).isEmpty)
        try screen.press("y")
        #expect(try titles(home) == ["Paint"])
    }
}
