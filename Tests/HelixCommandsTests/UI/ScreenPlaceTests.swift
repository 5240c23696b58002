import Foundation
import HelixModel
import TestSupport
import Testing

@testable import HelixCommands
@testable import HelixTerminal

/// Calendar, tasks, chat and today on the screen. It is Wednesday, 18 November 2026, 10:20 in Rome.
@Suite struct ScreenPlaceTests {
    // MARK: Calendar

    private func event(_ home: HelixHome, _ title: String) throws -> (start: String, end: String) {
        let item = try #require(
            try home.perform("cal", "agenda", "2026-11-01", "--days", "60", "--json").items()
                .first { $0["title"] as? String == title })
        return (item["start"] as? String ?? "", item["end"] as? String ?? "")
    }

    @Test func anEventIsMovedAndStretchedByKeysWithItsConflicts() throws {
        let home = try HelixHome()
        try home.perform("cal", "add", "Planning", "--start", "2026-11-18 12:00", "--duration", "1h")
        try home.perform("cal", "add", "Lunch", "--start", "2026-11-19 13:00", "--duration", "1h")
        let screen = try ScreenDriver(home, at: .cal)
        #expect(screen.status.contains("12:00–13:00  Planning"))
        try screen.press("m", "l", "j")
        #expect(screen.status.contains("Thu 19 Nov 2026 12:15–13:15  ! conflicts with Lunch"))
        #expect(screen.text.contains("!Planning") || screen.text.contains("!Pla"))
        // Nothing is stored before it is put down.
        #expect(try event(home, "Planning").start == "2026-11-18T12:00:00+01:00")
        try screen.press("esc", "m", "l", "j", "+", "+", "enter")
        #expect(try event(home, "Planning") == ("2026-11-19T12:15:00+01:00", "2026-11-19T13:45:00+01:00"))
        try screen.press("u")
        #expect(try event(home, "Planning") == ("2026-11-18T12:00:00+01:00", "2026-11-18T13:00:00+01:00"))
        try screen.press("t", "m", "K", "enter")
        #expect(try event(home, "Planning") == ("2026-11-18T11:00:00+01:00", "2026-11-18T12:00:00+01:00"))
    }

    @Test func anOccurrenceOfASeriesIsMovedAloneOrWithTheOthers() throws {
        let home = try HelixHome()
        try home.perform(
            "cal", "add", "Standup", "--start", "2026-11-18 09:00", "--duration", "15m", "--repeat", "daily")
        let screen = try ScreenDriver(home, at: .cal)
        try screen.press("l", "m", "J", "enter")
        #expect(screen.text.contains("Only this one"))
        try screen.press("enter")
        var starts = try home.perform("cal", "agenda", "2026-11-18", "--days", "3", "--json").items()
            .compactMap { ($0["start"] as? String)?.dropLast(9).suffix(8) }
        #expect(starts == ["18T09:00", "19T10:00", "20T09:00"])
        try screen.press("u", "m", "J", "enter", "down", "enter")
        starts = try home.perform("cal", "agenda", "2026-11-18", "--days", "3", "--json").items()
            .compactMap { ($0["start"] as? String)?.dropLast(9).suffix(8) }
        #expect(starts == ["18T09:00", "19T10:00", "20T10:00"])
    }

    /// A day on the clock is moved over the change of the clocks, not 24 hours.
    @Test func daysAreDaysWhenTheClocksChange() throws {
        let home = try HelixHome(now: "2026-10-24T10:00:00")
        try home.perform("cal", "add", "Planning", "--start", "2026-10-24 12:00", "--duration", "1h")
        let screen = try ScreenDriver(home, at: .cal)
        try screen.press("m", "l", "l", "enter")
        let item = try home.perform("cal", "agenda", "2026-10-26", "--json").items().first
        #expect(item?["start"] as? String == "2026-10-26T12:00:00+01:00")
    }

    @Test func anEventIsDraggedByTheMouse() throws {
        let home = try HelixHome()
        try home.perform("cal", "add", "Planning", "--start", "2026-11-18 12:00", "--duration", "1h")
        let screen = try ScreenDriver(home, at: .cal)
        let y = try #require(screen.screen.firstIndex { $0.contains("▌Planning") })
        let x = try #require(screen.screen[y].range(of: "▌Planning"))
        let column = screen.screen[y].distance(from: screen.screen[y].startIndex, to: x.lowerBound) + 2
        try screen.mouse(.press, x: column, y: y)
        try screen.mouse(.drag, x: column + 13, y: y + 2)
        #expect(screen.status.contains("Thu 19 Nov 2026"))
        try screen.mouse(.release, x: column + 13, y: y + 2)
        #expect(try event(home, "Planning").start.hasPrefix("2026-11-19T1"))
    }

    @Test func theLastLineOfAnEventIsDraggedToStretchIt() throws {
        let home = try HelixHome()
        try home.perform("cal", "add", "Planning", "--start", "2026-11-18 12:00", "--duration", "1h")
        let screen = try ScreenDriver(home, at: .cal)
        let y = try #require(screen.screen.firstIndex { $0.contains("▌Planning") })
        let x = try #require(screen.screen[y].range(of: "▌Planning"))
        let column = screen.screen[y].distance(from: screen.screen[y].startIndex, to: x.lowerBound) + 2
        try screen.mouse(.press, x: column, y: y + 1)
        try screen.mouse(.drag, x: column, y: y + 3)
        #expect(screen.status.contains("12:00–14:00"), "\(screen.status)")
        try screen.mouse(.release, x: column, y: y + 3)
        let item = try event(home, "Planning")
        #expect(item.start == "2026-11-18T12:00:00+01:00" && item.end == "2026-11-18T14:00:00+01:00")
    }

    @Test func anEventIsTypedInOneLineWithItsReading() throws {
        let home = try HelixHome()
        let screen = try ScreenDriver(home, at: .cal)
        try screen.press("n")
        try screen.type("Lunch with Ana fri 12:30 for 45m", enter: false)
        #expect(screen.text.contains("Fri 20 Nov") && !screen.text.contains("Added"))
        #expect(try home.perform("cal", "agenda", "--json").items().isEmpty)
        try screen.press("enter")
        #expect(try event(home, "Lunch with Ana").end == "2026-11-20T13:15:00+01:00")
        // The day of the new event is chosen; it is the default of the next one.
        #expect(screen.status.contains("Fri 20 Nov"))
        try screen.press("h", "n")
        try screen.type("15:00 Tea")
        #expect(try event(home, "Tea").start == "2026-11-19T15:00:00+01:00")
    }

    @Test func whatIsDeletedOfASeriesIsAsked() throws {
        let home = try HelixHome()
        try home.perform(
            "cal", "add", "Standup", "--start", "2026-11-18 09:00", "--duration", "15m", "--repeat", "daily")
        let screen = try ScreenDriver(home, at: .cal)
        try screen.press("l", "d")
        #expect(screen.text.contains("Delete the event 'Standup'") && screen.text.contains("Only this one, 2026-11-19"))
        try screen.press("esc")
        #expect(try home.perform("cal", "agenda", "2026-11-18", "--days", "3", "--json").items().count == 3)
        try screen.press("d", "enter")
        let days = try home.perform("cal", "agenda", "2026-11-18", "--days", "3", "--json").items()
            .compactMap { ($0["start"] as? String)?.prefix(10) }
        #expect(days == ["2026-11-18", "2026-11-20"])
        try screen.press("u")
        #expect(try home.perform("cal", "agenda", "2026-11-18", "--days", "3", "--json").items().count == 3)
    }

    /// An answer that is refused stays, with the reason, and the first letter replaces a suggestion.
    @Test func anAnswerCanBeCorrected() throws {
        let home = try HelixHome()
        let mail = try TestMaildir(home)
        try mail.deliver(TestSupport.mail("Lunch", id: "lunch@x"))
        try home.perform("account", "add", "home", "maildir", mail.path, "--address", "me@example.org")
        let screen = try ScreenDriver(home, at: .mail)
        try screen.press("z")
        #expect(screen.message == "Until: tomorrow 9:00")
        try screen.type("tomrow")
        #expect(screen.message == "Until: tomrow" && screen.text.contains("helix:"))
        try screen.press("ctrl-u")
        try screen.type("fri 9:00")
        #expect(try home.perform("mail", "list", "is:snoozed", "--json").items().count == 1)
    }

    /// An event of several days is told with its days, and is on the screen while it is chosen.
    @Test func longEventsAreSeenWhole() throws {
        let home = try HelixHome()
        try home.perform("cal", "add", "Trip", "--start", "2026-11-20 18:00", "--end", "2026-11-22 12:00")
        try home.perform("cal", "add", "Party", "--start", "2026-11-18 23:30", "--end", "2026-11-19 01:30")
        let screen = try ScreenDriver(home, at: .cal, width: 80, height: 24)
        try screen.press("l")
        #expect(screen.status.contains("Wed 18 Nov 2026 23:30 – Thu 19 Nov 2026 01:30  Party"))
        for _ in 0..<3 {
            try screen.press("l")
            #expect(screen.status.contains("Fri 20 Nov 2026 18:00 – Sun 22 Nov 2026 12:00  Trip"), "\(screen.status)")
            #expect(screen.screen[1..<(screen.screen.count - 2)].contains { $0.contains("Trip") })
        }
    }

    @Test func anotherZoneStandsBeside() throws {
        let home = try HelixHome()
        let screen = try ScreenDriver(home, at: .cal)
        try screen.press("z")
        try screen.type("America/New_York")
        #expect(screen.text.contains("15:00 09:00"))
        try screen.press("z", "z")
        try screen.type("Nowhere")
        #expect(screen.text.contains("Unknown zone"), "\(screen.text)")
        try screen.press("esc")
    }

    // MARK: Tasks

    private func columns(_ home: HelixHome) throws -> [String: [String]] {
        let items = try home.perform("tasks", "board", "--json").items()
        return Dictionary(grouping: items) { $0["column"] as? String ?? "" }
            .mapValues { $0.compactMap { $0["title"] as? String } }
    }

    @Test func cardsAreMovedByKeysAndMouse() throws {
        let home = try HelixHome()
        for title in ["One", "Two", "Three"] { try home.perform("tasks", "add", "--", title) }
        let screen = try ScreenDriver(home, at: .tasks)
        #expect(screen.status.contains("One"))
        try screen.press("L")
        #expect(try columns(home)["doing"] == ["One"])
        // The cursor goes with the card.
        #expect(screen.status.contains("One"))
        try screen.press("H")
        #expect(try columns(home)["todo"] == ["Two", "Three", "One"])
        try screen.press("K", "K", "J")
        #expect(try columns(home)["todo"] == ["Two", "One", "Three"])
        try screen.press("K")
        #expect(try columns(home)["todo"] == ["One", "Two", "Three"])
        try screen.press("x")
        #expect(try columns(home)["done"] == ["One"])
        try screen.press("u")
        #expect(try columns(home)["todo"] == ["One", "Two", "Three"])
        let y = try #require(screen.screen.firstIndex { $0.contains("▌ Three") })
        try screen.mouse(.press, x: 3, y: y)
        try screen.mouse(.drag, x: 60, y: y)
        #expect(screen.status.contains("Move to "))
        try screen.mouse(.release, x: 60, y: y)
        let now = try columns(home)
        #expect(now["todo"] == ["One", "Two"] && now["review"] == ["Three"], "\(screen.text)")
    }

    @Test func aBoardIsFilteredAndLaned() throws {
        let home = try HelixHome()
        try home.perform("tasks", "add", "Paint", "--project", "House")
        try home.perform("tasks", "add", "Write", "--project", "Book", "--tag", "docs")
        let screen = try ScreenDriver(home, at: .tasks)
        try screen.press("/")
        try screen.type("+docs")
        #expect(screen.text.contains("Write") && !screen.text.contains("Paint"))
        // A word is searched; one that cannot be read is told, and the board goes on.
        try screen.press("/", "ctrl-u")
        try screen.type("pain", enter: false)
        #expect(screen.text.contains("Paint") && !screen.text.contains("Write"))
        try screen.press("ctrl-u")
        try screen.type("due:(", enter: false)
        #expect(screen.status.contains("due"))
        try home.perform("tasks", "add", "Painter", "--project", "House")
        screen.worker.look()
        try screen.settle()
        #expect(screen.text.contains("Painter"))
        try screen.press("esc")
        #expect(screen.text.contains("Write"))
        try home.perform("tasks", "delete", "text:Painter", "--yes")
        screen.worker.look()
        try screen.settle()
        try screen.press("g")
        #expect(screen.text.contains("▸ Book") && screen.text.contains("▸ House"))
        try screen.press("j")
        #expect(screen.status.contains("Paint"))
        // A column without a card in this lane is seen as chosen.
        let y = try #require(screen.screen.firstIndex { $0.contains("▌ Paint") })
        func selected() -> [Int] {
            let grid = screen.frame.grid
            return (0..<grid.width).filter { grid.cells[y * grid.width + $0].style.surface == .selection }
        }
        let card = selected()
        try screen.press("l")
        let cell = selected()
        #expect(!card.isEmpty && !cell.isEmpty && Set(card).isDisjoint(with: cell), "\(card) \(cell)")
    }

    @Test func theClockRunsOnAKey() throws {
        let home = try HelixHome()
        try home.perform("tasks", "add", "Paint")
        let screen = try ScreenDriver(home, at: .tasks)
        try screen.press("s")
        #expect(screen.screen[0].contains("▶"))
        #expect(try home.perform("time", "status", "--json").output.contains("Paint"))
        try screen.press("S")
        #expect(!screen.screen[0].contains("▶"))
    }

    // MARK: Chat

    @Test func messagesAreWrittenAndRead() throws {
        let home = try HelixHome()
        try home.perform("chat", "new", "House", "--message", "The keys are with me.")
        try home.perform("chat", "new", "Work", "--message", "Ship it")
        let screen = try ScreenDriver(home, at: .chat)
        try screen.press("i")
        try screen.type("-- not an option")
        #expect(screen.text.contains("-- not an option"))
        // The line is open for the next one.
        try screen.type("and more")
        try screen.press("esc")
        let name = screen.status.contains("Work") ? "Work" : "House"
        let texts = try home.perform("chat", "show", name, "--json").items().compactMap { $0["content"] as? String }
        #expect(texts.suffix(2) == ["-- not an option", "and more"])
        try screen.press("n")
        #expect(screen.text.contains("The keys") || screen.text.contains("Ship it"))
    }

    // MARK: Today

    @Test func todayOpensWhatItShows() throws {
        let home = try HelixHome()
        try home.perform("cal", "add", "Planning", "--start", "2026-11-18 12:00", "--duration", "1h")
        try home.perform("tasks", "add", "Paint", "--due", "today")
        let screen = try ScreenDriver(home)
        #expect(screen.chosen.contains("12:00–13:00 Planning"))
        try screen.press("enter")
        #expect(screen.status.contains("Planning") && screen.screen[1].contains("November 2026"))
        try screen.press("1", "j")
        #expect(screen.chosen.contains("Paint"))
        try screen.press("x")
        #expect(try home.perform("tasks", "list", "--json").items().isEmpty)
        #expect(screen.text.contains("Nothing is due."))
    }

    /// A task of another board, and one that is not on the screen, are not mistaken for the card that is there.
    @Test func aTaskIsOpenedOnItsBoard() throws {
        let home = try HelixHome()
        try home.perform("tasks", "boards", "add", "Garden")
        try home.perform("tasks", "add", "Paint")
        try home.perform("tasks", "add", "Sow", "--board", "Garden")
        let items = try home.perform("tasks", "list", "--json").items()
        let id = try #require(items.first { $0["title"] as? String == "Sow" }?["id"] as? String)
        let screen = try ScreenDriver(home, at: .tasks)
        #expect(screen.status.contains("Paint"))
        screen.worker.perform(screen.worker.program.open(.task(EntityID(stored: id))))
        try screen.settle()
        #expect(screen.status.contains("Sow"), "\(screen.text)")
        screen.worker.perform(screen.worker.program.open(.task(EntityID())))
        try screen.settle()
        #expect(screen.status.contains("That task is not among the cards shown."), "\(screen.text)")
    }

    /// A key too many takes back nothing from before the program began, unless one says so.
    @Test func undoAsksBeforeItGoesBackFurther() throws {
        let home = try HelixHome()
        try home.perform("tasks", "add", "Paint")
        home.environment["HELIX_NOW"] = "2026-11-18T10:45:00"
        let screen = try ScreenDriver(home, at: .tasks)
        try screen.press("x", "u")
        #expect(screen.status.contains("Paint"))
        try screen.press("u")
        #expect(screen.message.contains("from before this screen? [y/n]"), "\(screen.text)")
        // A key that is no answer leaves the question open, and does nothing else.
        try screen.press("j")
        #expect(screen.message.contains("[y/n]") && screen.text.contains("Press y or n."), "\(screen.text)")
        try screen.press("n")
        #expect(try home.perform("tasks", "list", "--json").items().count == 1)
        try screen.press("u", "y")
        #expect(try home.perform("tasks", "list", "--json").items().isEmpty)
    }

    /// What other processes change is seen.
    @Test func theScreenIsLive() throws {
        let home = try HelixHome()
        let screen = try ScreenDriver(home)
        screen.worker.look()
        try home.perform("tasks", "add", "Paint", "--due", "today")
        screen.worker.look()
        try screen.settle()
        #expect(screen.text.contains("Paint"))
    }
}
