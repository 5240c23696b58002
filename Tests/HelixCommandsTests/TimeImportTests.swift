import Foundation
import TestSupport
import Testing

/// Imports of time entries without an end, in the wrong order, or planned; and titles with quotes.
@Suite struct TimeImportTests {
    private func home() throws -> HelixHome {
        let home = try HelixHome(zone: "UTC")
        home.environment["HELIX_NOW"] = "2026-11-18T12:00:00Z"
        return home
    }

    /// An entry without an end is the clock only if nothing begins after it.
    @Test func anEntryWithoutAnEndIsTheClockOnlyAtTheEnd() throws {
        let home = try home()
        let text = """
            [{"start":"20261101T110000Z"},{"start":"20261105T110000Z","end":"20261105T120000Z","tags":["b"]},
            {"start":"20261106T110000Z","end":"20261106T100000Z","tags":["back"]},{"start":"20271101T110000Z","tags":["later"]},
            {"start":"20261105T113000Z","end":"20261105T120000Z","tags":["over"]}]
            """
        let result = try home.perform(["time", "import", "-"], input: text)
        #expect(result.status == 0 && result.output.contains("Imported 1 new"), "\(result.output)\(result.errors)")
        for words in ["has no end", "'back' ends when or before it starts", "'later' has no end", "'over' overlaps"] {
            #expect(result.errors.contains(words), "\(words): \(result.errors)")
        }
        #expect(try home.perform("time", "status").output.contains("not running"))
        let running = try home.perform(
            ["time", "import", "-"], input: #"[{"start":"20261118T110000Z","tags":["now"]}]"#)
        #expect(running.errors.contains("The clock runs since"), "\(running.errors)")
        #expect(try home.perform("time", "status").output.contains("now"))
    }

    /// What was exported is imported, also a clock that runs and time that is planned for later.
    @Test(arguments: ["csv", "json", "timewarrior"]) func theClockAndPlannedTimeComeBack(_ format: String) throws {
        let (home, other) = (try home(), try home())
        try home.perform("time", "add", "--planned", "2026-12-25 9:00-10:00", "--title", "Planned")
        try home.perform("time", "add", "yesterday 9:00-10:00", "Done")
        try home.perform("time", "start", "Review")
        let text = try home.perform("time", "export", "--format", format).output
        let result = try other.perform(["time", "import", "-"], input: text)
        #expect(result.status == 0 && result.output.contains("Imported 3 new"), "\(result.output)\(result.errors)")
        #expect(try other.perform("time", "log", "2026-12-25").output.contains("Planned"))
        #expect(try other.perform("time", "status").output.contains("Review"))
    }

    @Test(arguments: [
        #"Say "hi", Bob"#, #"Buy "milk"."#, #""Quote" first"#, #"a "two words", b"#, #"5" nails"#, #"("why") not"#,
    ]) func titlesKeepTheirQuotes(_ title: String) throws {
        let home = try home()
        #expect(try home.perform("tasks", "add", title).status == 0)
        #expect(try home.perform("tasks", "list", "--json").items().first?["title"] as? String == title)
        // A line with a time asks for quotes around words that it cannot place.
        guard !title.hasSuffix("first"), !title.hasSuffix("not") else { return }
        #expect(try home.perform("time", "add", title + " 9:00-10:00").status == 0)
        #expect(try home.perform("time", "log", "--json").items().first?["title"] as? String == title)
    }

    /// What contradicts the times or the project of an entry is told.
    @Test func contradictionsAreTold() throws {
        let home = try home()
        try home.perform("projects", "add", "P", "--customer", "Ana")
        let toggl =
            "User,Client,Project,Description,Start date,Start time,End date,End time,Duration\n"
            + "m,Bob,P,x,2026-01-06,11:00:00,2026-01-06,12:00:00,05:00:00\nm,Ana,P,y,2026-01-07,11:00:00,2026-01-07,12:00:00,01:00:00\n"
        let result = try home.perform(["time", "import", "-"], input: toggl)
        #expect(result.output.contains("Imported 2 new"), "\(result.output)\(result.errors)")
        #expect(result.errors.contains("its duration '05:00:00' is not that of its times"), "\(result.errors)")
        #expect(result.errors.contains("customer 'Bob': the project 'P' is another's here"), "\(result.errors)")
        #expect(!result.errors.contains("Ana"))
        let own =
            "start,end,seconds,title\n2026-02-05T09:00:00Z,2026-02-05T10:00:00Z,7200,a\n2026-02-06T09:00:00Z,2026-02-06T10:00:00Z,x,b\n"
            + "2026-02-07T09:00:00Z,2026-02-07T10:00:00Z,3600,c\n"
        let told = try home.perform(["time", "import", "-"], input: own).errors
        #expect(told.contains("'7200'") && told.contains("'x'") && !told.contains("3600"), "\(told)")
    }
}
