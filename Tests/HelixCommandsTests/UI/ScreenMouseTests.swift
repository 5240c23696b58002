import HelixModel
import HelixTerminal
import TestSupport
import Testing

@testable import HelixCommands

/// Whatever is drawn as a key or an item can be clicked and dragged.
@Suite struct ScreenMouseTests {
    /// The column and line of a text on the screen.
    private func place(_ text: String, _ screen: ScreenDriver) throws -> (x: Int, y: Int) {
        let y = try #require(screen.screen.firstIndex { $0.contains(text) }, "\(screen.text)")
        let line = screen.screen[y]
        let x = try #require(line.range(of: text)).lowerBound
        return (TextWidth.of(String(line[..<x])), y)
    }

    private func click(_ text: String, _ screen: ScreenDriver) throws {
        let (x, y) = try place(text, screen)
        try screen.mouse(.press, x: x + 1, y: y)
        try screen.mouse(.release, x: x + 1, y: y)
    }

    private func drag(_ screen: ScreenDriver, from: (x: Int, y: Int), to: (x: Int, y: Int)) throws {
        try screen.mouse(.press, x: from.x, y: from.y)
        try screen.mouse(.drag, x: to.x, y: to.y)
        try screen.mouse(.release, x: to.x, y: to.y)
    }

    // MARK: The frame

    @Test func theKeysInTheLineBelowAreClicked() throws {
        let home = try HelixHome()
        let screen = try ScreenDriver(home, at: .cal)
        try click("? help", screen)
        #expect(screen.worker.program.overlay?.title == "Keys")
        try click("Esc closes", screen)
        #expect(screen.worker.program.overlay == nil)
        try click(" new ", screen)
        #expect(screen.text.contains("Event:"))
    }

    @Test func anItemOfAListIsClicked() throws {
        let home = try HelixHome()
        let screen = try ScreenDriver(home, at: .today)
        try screen.press("ctrl-p")
        try click("Tasks", screen)
        #expect(screen.worker.program.place == .tasks)
        try screen.press("ctrl-p")
        try screen.type("Calendar", enter: false)
        try click("▸ Calendar", screen)
        #expect(screen.worker.program.place == .cal && screen.worker.program.chooser == nil)
        try screen.press("ctrl-p")
        try screen.mouse(.press, x: 0, y: 5)
        #expect(screen.worker.program.chooser == nil, "a click beside the list closes it")
    }

    @Test func aLongStateLeavesRoomForKeys() throws {
        let home = try HelixHome()
        try home.perform("tasks", "add", String(repeating: "a long title ", count: 12))
        for width in [40, 80, 120] {
            let screen = try ScreenDriver(home, at: .tasks, width: width)
            #expect(screen.screen[screen.screen.count - 2].contains("? help"), "\(screen.text)")
            #expect(screen.screen[screen.screen.count - 2].contains("…"))
        }
    }

    // MARK: Calendar

    @Test func anEventOfWholeDaysIsDragged() throws {
        let home = try HelixHome()
        try home.perform("cal", "add", "Fair", "--start", "2026-11-17", "--duration", "2d")
        let screen = try ScreenDriver(home, at: .cal)
        let start = try place("Fair", screen)
        let column = 13
        try drag(screen, from: start, to: (start.x + column, start.y))
        func days() throws -> [String?] {
            let item = try home.perform("cal", "agenda", "2026-11-16", "--days", "9", "--json").items().first
            return [item?["start"] as? String, item?["end"] as? String]
        }
        #expect(try days() == ["2026-11-18", "2026-11-20"], "\(screen.text)")
        // Its last day stretches it.
        let now = try place("Fair", screen)
        try drag(screen, from: (now.x + column, now.y), to: (now.x + 2 * column, now.y))
        #expect(try days() == ["2026-11-18", "2026-11-21"], "\(screen.text)")
    }

    /// Of events side by side, the one under the mouse is taken.
    @Test func theSecondOfTwoEventsAtOnceIsChosen() throws {
        let home = try HelixHome()
        try home.perform("cal", "add", "Alpha", "--start", "2026-11-18 12:00", "--duration", "2h")
        try home.perform(
            "cal", "add", "Beta", "--start", "2026-11-18 12:00", "--duration", "2h", "--on-conflict", "allow")
        let screen = try ScreenDriver(home, at: .cal, width: 140)
        for title in ["Beta", "Alpha", "Beta"] {
            try click(title, screen)
            #expect(screen.status.contains(title), "\(screen.status)")
        }
    }

    @Test func aDayOfTheMonthIsClicked() throws {
        let home = try HelixHome()
        try home.perform("cal", "add", "Planning", "--start", "2026-11-25 12:00", "--duration", "1h")
        let screen = try ScreenDriver(home, at: .cal)
        try screen.press("M")
        try click("Planning", screen)
        #expect(screen.status.contains("Planning"), "\(screen.text)")
        // The day that is chosen is shown by a second click.
        try click(" 25 ", screen)
        #expect(screen.text.contains("Wednesday"), "\(screen.text)")
    }

    // MARK: Tasks

    private func columns(_ home: HelixHome) throws -> [String: [String]] {
        let items = try home.perform("tasks", "board", "--json").items()
        return Dictionary(grouping: items) { $0["column"] as? String ?? "" }
            .mapValues { $0.compactMap { $0["title"] as? String } }
    }

    @Test func aCardIsDroppedWhereTheMouseIs() throws {
        let home = try HelixHome()
        for title in ["One", "Two", "Three"] { try home.perform("tasks", "add", "--", title) }
        try home.perform("tasks", "add", "Other", "--column", "doing")
        let screen = try ScreenDriver(home, at: .tasks)
        // In its own column, in both directions.
        try drag(screen, from: try place("One", screen), to: try place("Three", screen))
        #expect(try columns(home)["todo"] == ["Two", "Three", "One"])
        try drag(screen, from: try place("One", screen), to: try place("Two", screen))
        #expect(try columns(home)["todo"] == ["One", "Two", "Three"])
        // Above a card of another column, and at the end of one.
        try drag(screen, from: try place("Two", screen), to: try place("Other", screen))
        #expect(try columns(home)["doing"]?.sorted() == ["Other", "Two"])
        let one = try place("One", screen)
        let doing = try place("Other", screen)
        try drag(screen, from: one, to: (doing.x, doing.y + 12))
        #expect(try columns(home)["doing"]?.last == "One")
        #expect(try columns(home)["todo"] == ["Three"])
    }

    /// A card that is let go where it cannot be stays where it was, and the line below says so.
    @Test func aCardThatIsDroppedNowhereStays() throws {
        let home = try HelixHome()
        for title in ["One", "Two"] { try home.perform("tasks", "add", "--", title) }
        let screen = try ScreenDriver(home, at: .tasks)
        let one = try place("One", screen)
        let before = try columns(home)
        try drag(screen, from: one, to: (one.x, 0))
        #expect(screen.text.contains("outside of the columns"))
        #expect(!screen.status.contains("Move to"))
        try drag(screen, from: one, to: (one.x, 28))
        #expect(!screen.status.contains("Move to"))
        #expect(try columns(home) == before)
        try screen.press("esc")
        // Of lanes, too.
        try home.perform("tasks", "edit", "text:One", "--project", "House")
        try home.perform("tasks", "edit", "text:Two", "--project", "Book")
        screen.worker.look()
        try screen.settle()
        try screen.press("g")
        try drag(screen, from: try place("One", screen), to: try place("Two", screen))
        #expect(screen.text.contains("A lane stands for a field"), "\(screen.text)")
    }

    /// Between two columns, the line of the nearest card counts; the board may change while the mouse is held.
    @Test func aDropBesideTheColumnsOrOnAChangedBoardMovesNothing() throws {
        let home = try HelixHome()
        for title in ["One", "Two"] { try home.perform("tasks", "add", "--", title) }
        let screen = try ScreenDriver(home, at: .tasks)
        let one = try place("One", screen)
        let before = try columns(home)
        let gap = try #require((one.x..<60).first { screen.screen[2].dropFirst($0).first == " " })
        try drag(screen, from: one, to: (gap, one.y))
        #expect(try columns(home) == before, "\(screen.text)")
        try screen.mouse(.press, x: one.x, y: one.y)
        try screen.mouse(.drag, x: 60, y: one.y + 8)
        try home.perform("tasks", "delete", "status:open", "--yes")
        screen.worker.look()
        try screen.settle()
        try screen.mouse(.release, x: 60, y: one.y + 8)
        #expect(try home.perform("tasks", "list", "--json").items().isEmpty)
    }

    @Test func theWholeOfACutMessageIsClicked() throws {
        let home = try HelixHome()
        let screen = try ScreenDriver(home, at: .tasks, width: 60)
        try screen.press("n")
        try screen.type("A task with a title that is much longer than the line below the board")
        #expect(screen.screen.last?.contains("Ctrl-O") == true, "\(screen.text)")
        screen.worker.program.didShow()
        try screen.mouse(.press, x: 20, y: screen.screen.count - 1)
        #expect(screen.worker.program.overlay?.title.hasPrefix("helix tasks add") == true)
    }

    @Test func aSecondClickOpensACard() throws {
        let home = try HelixHome()
        try home.perform("tasks", "add", "One", "--notes", "all of it")
        try home.perform("tasks", "add", "Two")
        let screen = try ScreenDriver(home, at: .tasks)
        try click("Two", screen)
        #expect(screen.status.contains("Two") && screen.worker.program.overlay == nil)
        try click("One", screen)
        try click("One", screen)
        #expect(screen.text.contains("all of it"))
    }
}
