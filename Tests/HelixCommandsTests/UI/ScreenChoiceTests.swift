import Foundation
import HelixModel
import HelixStore
import HelixTerminal
import TestSupport
import Testing

@testable import HelixCommands

/// The chosen item stays chosen, and keys for other kinds of items say so on the screen.
@Suite struct ScreenChoiceTests {
    /// An event that was chosen is chosen again when one comes back to its day, also if others came before it.
    @Test func theChosenEventIsRemembered() throws {
        let home = try HelixHome()
        for hour in 12...15 { try home.perform("cal", "add", "Talk\(hour)", "--start", "2026-11-18 \(hour):00") }
        let screen = try ScreenDriver(home, at: .cal)
        try screen.press("j", "j")
        #expect(screen.status.contains("Talk14"), "\(screen.text)")
        try screen.press(">", "<")
        #expect(screen.status.contains("Talk14"), "\(screen.text)")
        try screen.press("l", "h")
        #expect(screen.status.contains("Talk14"), "\(screen.text)")
        try home.perform("cal", "add", "Early", "--start", "2026-11-18 11:00")
        screen.worker.look()
        try screen.settle()
        #expect(screen.status.contains("Talk14"), "\(screen.text)")
    }

    /// The day stays when one occurrence of a series is deleted, although the series has others.
    @Test func theDayStaysWhenAnOccurrenceIsDeleted() throws {
        let home = try HelixHome()
        try home.perform("cal", "add", "Standup every weekday 9:30 for 15min")
        let screen = try ScreenDriver(home, at: .cal)
        try screen.press("l")
        let date = screen.worker.program.current.target.values["day"]
        let id = try #require(screen.worker.program.current.target.id)
        try screen.press(":")
        try screen.type("cal delete \(id) --this 2026-11-19 --yes")
        try screen.press("esc")
        #expect(date == "2026-11-19" && screen.worker.program.current.target.values["day"] == date, "\(screen.text)")
        #expect(!screen.status.contains("Standup"), "\(screen.text)")
        try screen.press("u")
        #expect(screen.status.contains("Standup") && screen.status.contains("19 Nov"), "\(screen.text)")
    }

    /// An event that is not there any more is missed, not replaced by another one of its day.
    @Test func aMissingEventIsTold() throws {
        let home = try HelixHome()
        try home.perform("cal", "add", "Other", "--start", "2026-11-19 9:00")
        let screen = try ScreenDriver(home, at: .cal)
        let day = try #require(CivilDate(validYear: 2026, month: 11, day: 19))
        screen.worker.perform(screen.worker.program.open(.event(EntityID(), day)))
        try screen.settle()
        #expect(screen.text.contains("That event is not on this day any more."), "\(screen.text)")
    }

    /// The timer has the same value in the head of the screen and in the list, while its clock goes on.
    @Test func theTimerHasOneValue() throws {
        let home = try HelixHome()
        try home.perform("time", "start", "Paint", "--at", "9:30")
        let screen = try ScreenDriver(home, at: .today)
        #expect(screen.text.contains("▶ 50m Paint"), "\(screen.text)")
        // The list was read with the minute, and is drawn again with each second.
        var viewer = screen.worker.viewer
        viewer.now = viewer.now + 120
        var frame = ScreenFrame(width: 100, height: 10)
        let area = ScreenArea(x: 0, y: 0, width: 100, height: 10)
        screen.worker.program.current.draw(on: &frame, in: area, for: viewer)
        #expect(frame.grid.text(line: 1).contains("Paint  52m since 09:30"), "\(frame.grid.text(line: 1))")
    }

    /// A day without free time is said to have none.
    @Test func aFullDayHasNoFreeTime() throws {
        let home = try HelixHome()
        try home.perform("cal", "add", "Fair", "--start", "2026-11-18 8:00", "--end", "2026-11-18 20:00")
        let screen = try ScreenDriver(home, at: .today)
        #expect(screen.text.contains("Nothing in working hours."), "\(screen.text)")
    }

    /// Keys for another kind of item say what they are for, and leave the screen as it is.
    @Test func keysForOtherItemsSayWhy() throws {
        let home = try HelixHome()
        let box = try TestMaildir(home)
        try box.deliver(mail("Hello", id: "m1@x"))
        try home.perform("account", "add", "home", "maildir", box.path, "--address", "me@example.org")
        try home.perform("mail", "index")
        let screen = try ScreenDriver(home, at: .mail)
        var isLent = false
        screen.worker.lend = { _ in isLent = true }
        try screen.press("e")
        #expect(screen.text.contains("That is not a draft."), "\(screen.text)")
        #expect(!isLent)
        try screen.press("1", "x")
        #expect(screen.text.contains("That is not a task.") || screen.text.contains("Nothing is chosen."))
    }
}
