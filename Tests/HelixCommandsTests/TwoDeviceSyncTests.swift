import Foundation
import TestSupport
import Testing

@testable import HelixCommands

/// Conflicts that two devices of a user make while they are apart: both are equal in the end, nothing is lost without a word,
/// and no sync fails.
@Suite struct TwoDeviceSyncTests {
    /// Two devices, and what their syncs said.
    private final class Devices {
        let gateway: InProcessGateway
        let a: HelixHome
        let b: HelixHome
        private(set) var said = ""
        private var minutes = 0

        init() throws {
            gateway = try InProcessGateway()
            (a, b) = (try gateway.device(), try gateway.device())
        }

        /// Runs a command that succeeds, a minute after the one before.
        @discardableResult
        func run(_ home: HelixHome, _ words: String..., location: SourceLocation = #_sourceLocation) throws -> String {
            minutes += 1
            home.environment["HELIX_NOW"] = "2026-11-18T1\(minutes / 60):\(String(minutes % 60 + 100).suffix(2)):00"
            let result = try home.perform(words)
            #expect(result.status == 0, "\(words): \(result.errors)", sourceLocation: location)
            return result.output
        }

        /// The id of the task or event of a title.
        func id(_ title: String) throws -> String {
            for home in [a, b] {
                for view in [["tasks", "list"], ["cal", "agenda", "2026-11-23..2026-11-27"]] {
                    let items = try home.perform(view + ["--json"]).items()
                    let item = items.first { $0["title"] as? String == title }
                    if let id = item?["id"] as? String { return id }
                }
            }
            throw OracleFailure(message: "nothing is titled '\(title)'")
        }

        /// Syncs each device twice.
        func sync(_ location: SourceLocation = #_sourceLocation) throws {
            said = ""
            for home in [a, b, a, b] { said += try run(home, "sync", location: location) }
            for home in [a, b] { try run(home, "doctor", location: location) }
        }

        /// The output of a command, the same on both.
        func same(_ words: String..., location: SourceLocation = #_sourceLocation) throws -> String {
            let (first, second) = (try a.perform(words).output, try b.perform(words).output)
            #expect(first == second, sourceLocation: location)
            return first
        }
    }

    /// What loses belongs to a project that this device has deleted: it cannot be noted in the history, and no sync fails for it.
    @Test func aLosingChangeThatRefersToSomethingDeleted() throws {
        let test = try Devices()
        try test.run(test.a, "projects", "add", "house")
        try test.run(test.a, "tasks", "add", "pipes")
        try test.sync()
        let id = try test.id("pipes")
        try test.run(test.a, "tasks", "edit", id, "--title", "lead pipes", "--project", "house")
        try test.run(test.b, "projects", "delete", "house")
        try test.run(test.b, "tasks", "edit", id, "--title", "copper pipes")
        try test.sync()
        #expect(try test.same("tasks", "list", "--columns", "title").contains("copper pipes"))
    }

    @Test func tasksThatAreMadePartsOfEachOther() throws {
        let test = try Devices()
        for name in ["pipes", "boiler", "cellar"] { try test.run(test.a, "tasks", "add", name) }
        try test.sync()
        try test.run(test.a, "tasks", "edit", test.id("pipes"), "parent:\(test.id("boiler"))")
        try test.run(test.b, "tasks", "edit", test.id("boiler"), "parent:\(test.id("cellar"))")
        try test.run(test.b, "tasks", "edit", test.id("cellar"), "parent:\(test.id("pipes"))")
        try test.sync()
        #expect(test.said.contains("is part of no task"))
        _ = try test.same("tasks", "list", "--columns", "title,parent", "--sort", "title")
    }

    @Test func tasksThatAreMadeToWaitForEachOther() throws {
        let test = try Devices()
        for name in ["pipes", "boiler"] { try test.run(test.a, "tasks", "add", name) }
        try test.sync()
        try test.run(test.a, "tasks", "depend", test.id("pipes"), test.id("boiler"))
        try test.run(test.b, "tasks", "depend", test.id("boiler"), test.id("pipes"))
        try test.sync()
        #expect(test.said.contains("no longer depends on"))
        let graph = try test.same("tasks", "depend", "--graph")
        #expect(graph.contains("pipes") && graph.contains("boiler"))
    }

    @Test func aProjectThatIsDeletedHereAndFilledThere() throws {
        let test = try Devices()
        for name in ["one", "two", "three"] { try test.run(test.a, "projects", "add", name) }
        try test.sync()
        for name in ["one", "two", "three"] { try test.run(test.a, "projects", "delete", name) }
        try test.b.write("the plan\n", to: "plan.txt")
        try test.run(test.b, "projects", "attach", "one", test.b.folder.path + "/plan.txt")
        try test.run(test.b, "tasks", "add", "buy pipes", "-p", "two")
        try test.run(test.b, "time", "add", "2026-11-10 9-10", "--title", "visit", "-p", "three")
        try test.sync()
        let names = try test.same("projects", "list", "--columns", "name", "--sort", "name")
        for name in ["one", "two", "three"] {
            #expect(names.contains(name))
            #expect(test.said.contains("the project '\(name)'"))
        }
        #expect(try test.same("projects", "files", "list", "one").contains("plan.txt"))
        #expect(try test.same("tasks", "list", "project:two").contains("buy pipes"))
        #expect(try test.same("time", "log", "2026-11-10").contains("three"))
    }

    @Test func aBoardThatIsDeletedHereAndUsedThereKeepsItsColumns() throws {
        let test = try Devices()
        try test.run(test.a, "tasks", "boards", "add", "Garden")
        try test.sync()
        let columns = try test.same("tasks", "columns", "list", "--board", "Garden")
        try test.run(test.a, "tasks", "boards", "delete", "Garden")
        try test.run(test.b, "tasks", "add", "mow", "board:Garden")
        try test.sync()
        #expect(
            try test.same("tasks", "columns", "list", "--board", "Garden").split(separator: "\n").count
                == columns.split(separator: "\n").count)
        #expect(test.said.contains("the board 'Garden'"))
    }

    @Test(arguments: [true, false]) func aCalendarThatIsRenamedHereAndDeletedThere(_ isFirst: Bool) throws {
        let test = try Devices()
        try test.run(test.a, "cal", "calendars", "add", "Work")
        try test.run(test.a, "cal", "add", "Review 2026-11-25 9:00", "-c", "Work")
        try test.sync()
        let (renaming, deleting) = isFirst ? (test.a, test.b) : (test.b, test.a)
        try test.run(renaming, "cal", "calendars", "rename", "Work", "Office")
        try test.run(deleting, "cal", "calendars", "delete", "Work", "--yes")
        try test.sync()
        #expect(try test.same("cal", "agenda", "2026-11-25").contains("Review"))
        #expect(try test.same("cal", "calendars", "list").contains("Office"))
    }

    @Test func timeOfAnotherDeviceIsNotTrimmed() throws {
        let test = try Devices()
        try test.run(test.a, "time", "start", "pipes", "--at", "30 min ago")
        try test.run(test.b, "time", "add", "2026-11-18 9:50-9:58", "--title", "call")
        try test.sync()
        try test.run(test.a, "time", "stop")
        try test.sync()
        let log = try test.same("time", "log", "2026-11-18")
        #expect(log.contains("call") && log.contains("pipes"))
        #expect(test.said.contains("overlap") || log.contains("9:50"))
        // What was planned here still gives way.
        try test.run(test.a, "time", "add", "2026-11-18 10:00-10:05", "--title", "planned", "--adjust")
        #expect(try test.run(test.a, "time", "log", "2026-11-18").contains("planned"))
    }

    @Test func twoClocksAreTold() throws {
        let test = try Devices()
        try test.run(test.a, "time", "start", "long", "--at", "9:00")
        try test.run(test.b, "time", "start", "short", "--at", "9:30")
        try test.sync()
        #expect(test.said.contains("the clock for 'long' was stopped"))
        test.b.environment["HELIX_NOW"] = test.a.environment["HELIX_NOW"]
        #expect(try test.same("time", "status").contains("short"))
    }

    @Test func propertiesOfAnEventThatBothChanged() throws {
        let test = try Devices()
        try test.run(test.a, "cal", "add", "Boiler 2026-11-25 9:00")
        try test.run(test.a, "cal", "add", "Standup 2026-11-23 9:30", "--repeat", "daily")
        try test.sync()
        let (boiler, standup) = (try test.id("Boiler"), try test.id("Standup"))
        try test.run(test.a, "cal", "edit", boiler, "--title", "Boiler check")
        try test.run(test.b, "cal", "edit", boiler, "--location", "Cellar")
        try test.run(test.a, "cal", "edit", standup, "--this", "2026-11-26", "--title", "Standup A")
        try test.run(test.b, "cal", "edit", standup, "--this", "2026-11-27", "--title", "Standup B")
        try test.sync()
        let agenda = try test.same("cal", "agenda", "2026-11-25..2026-11-27")
        for text in ["Boiler check", "Cellar", "Standup A", "Standup B"] { #expect(agenda.contains(text), "\(agenda)") }
        #expect(!test.said.contains("both sides"))
    }

    @Test func theSameFileImportedOnBoth() throws {
        let test = try Devices()
        let file = """
            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//x//x//EN
            BEGIN:VEVENT
            UID:one@x
            DTSTAMP:20261101T000000Z
            DTSTART:20261125T090000Z
            DTEND:20261125T100000Z
            SUMMARY:Visit
            END:VEVENT
            END:VCALENDAR

            """
        for home in [test.a, test.b] {
            try home.write(file, to: "w.ics")
            try test.run(home, "cal", "import", home.folder.path + "/w.ics", "-c", "Work")
        }
        let visits = try test.b.perform("cal", "agenda", "2026-11-25", "--json").items()
        try test.run(test.b, "cal", "edit", #require(visits.first?["id"] as? String), "--location", "Room B")
        try test.sync()
        let agenda = try test.same("cal", "agenda", "2026-11-25")
        #expect(agenda.contains("Room B") && agenda.components(separatedBy: "Visit").count == 2, "\(agenda)")
        #expect(test.said.contains("made on two devices"))
    }
}
