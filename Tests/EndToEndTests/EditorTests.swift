import Foundation
import TestSupport
import Testing

/// `cal edit`, `tasks edit` and `time edit` without anything to change open the editor, and lose nothing.
@Suite struct EditorTests {
    /// A home whose editor changes the text by the commands of `sed`, and keeps a copy of the text that it began with.
    private func home(_ sed: String) throws -> HelixHome {
        let home = try HelixHome()
        try set(sed, home)
        return home
    }

    private func set(_ sed: String, _ home: HelixHome) throws {
        let script = try home.write(
            "#!/bin/sh\ncp \"$1\" '\(home.folder.path)/seen'\nsed -i \"\(sed)\" \"$1\"\n", to: "editor")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
        home.environment["EDITOR"] = script
    }

    private func seen(_ home: HelixHome) throws -> String {
        try String(contentsOfFile: home.folder.path + "/seen", encoding: .utf8)
    }

    private func leftOver(_ home: HelixHome) -> [String] {
        let all = try? FileManager.default.contentsOfDirectory(atPath: home.folder.path + "/home/writing")
        return all?.filter { $0.hasSuffix(".txt") } ?? []
    }

    @Test func anEventIsChangedByTheRulesOfItsOptions() throws {
        let home = try home(
            "s/^title:.*/title: Talk/; s/^start:.*/start: fri 11:00/; s/^categories:.*/categories: big/; s/^alarms:.*/alarms: 1h/; \\$aBring a pen.\\nAnd paper."
        )
        try home.run(
            "cal", "add", "Mtg 2026-11-19 10:00 for 90 min", "--category", "work", "--alarm", "10m", "--attendee",
            "Bo <bo@x.org>")
        let id = try #require(HelixHome.ids(home.run("cal", "search", "mtg", "--json")).first)
        let changed = try home.run("cal", "edit", id)
        #expect(changed.status == 0, "\(changed.errors)")
        for line in [
            "title: Mtg", "start: 2026-11-19 10:00", "end: 2026-11-19 11:30", "attendees: Bo <bo@x.org>", "alarms: 10m",
        ] {
            #expect(try seen(home).contains(line + "\n"), "\(line)")
        }
        let shown = try home.run("cal", "show", id, "--json").json()
        #expect(shown["title"] as? String == "Talk" && (shown["categories"] as? [String]) == ["big"])
        #expect(
            (shown["alarms"] as? [String]) == ["-PT1H"] && shown["description"] as? String == "Bring a pen.\nAnd paper."
        )
        let item = try #require(try home.run("cal", "search", "talk", "--json").items().first)
        #expect((item["start"] as? String)?.hasPrefix("2026-11-20T11:00") == true)
        #expect((item["end"] as? String)?.hasPrefix("2026-11-20T12:30") == true)
        #expect(leftOver(home).isEmpty)
    }

    @Test func whatCannotBeReadIsShownWithItsLineAndKept() throws {
        let home = try home("s/^start:.*/start: 25:99/")
        try home.run("cal", "add", "Mtg 2026-11-19 10:00")
        let id = try #require(HelixHome.ids(home.run("cal", "search", "mtg", "--json")).first)
        let wrong = try home.run("cal", "edit", id)
        #expect(wrong.status == 64 && wrong.errors.contains("start: 25:99") && wrong.errors.contains("kept"))
        #expect(leftOver(home).count == 1)
        for (sed, part) in [
            ("s/^start:/strat:/", "Did you mean start?"), ("s/^strat:.*/nonsense/", "no 'field: value'"),
            ("s/^nonsense/title: twice/", "duplicate field"),
        ] {
            try set(sed, home)
            let again = try home.run("cal", "edit", id)
            #expect(again.status == 64 && again.errors.contains(part), "\(again.errors)")
        }
        try set("s/^title: twice/start: 2026-11-19 12:00/", home)
        let right = try home.run("cal", "edit", id)
        #expect(right.status == 0 && right.output.contains("12:00–13:00"), "\(right.errors)")
        #expect(leftOver(home).isEmpty)
    }

    @Test func aTextThatWasKeptDoesNotTakeBackNewerValues() throws {
        let home = try home("s/^due:.*/due: banana/")
        try home.run("tasks", "add", "Alpha +a")
        let id = try #require(HelixHome.ids(home.run("tasks", "list", "--json")).first)
        #expect(try home.run("tasks", "edit", id).status == 64)
        try home.run("tasks", "edit", id, "title:Changed meanwhile", "priority:high")
        try set("s/^due: banana/due: 2026-12-01/", home)
        let repaired = try home.run("tasks", "edit", id)
        #expect(repaired.status == 0 && repaired.errors.contains("Changed since then: priority, title"))
        let task = try #require(try home.run("tasks", "list", "--json").items().first)
        #expect(task["title"] as? String == "Changed meanwhile" && task["priority"] as? String == "high")
        #expect((task["due"] as? String)?.hasPrefix("2026-12-01") == true && (task["tags"] as? [String]) == ["a"])
    }

    @Test func signsOfTagsAreNoTagsInAList() throws {
        for list in ["tags: +q", "tags: a, -b"] {
            let home = try home("s/^tags:.*/\(list)/")
            try home.run("tasks", "add", "Alpha +a +b")
            let id = try #require(HelixHome.ids(home.run("tasks", "list", "--json")).first)
            let wrong = try home.run("tasks", "edit", id)
            #expect(wrong.status == 64 && wrong.errors.contains("is not a valid tag"), "\(wrong.errors)")
        }
    }

    @Test func aTextThatStaysChangesNothing() throws {
        let home = try home("s/x/x/")
        try home.run("tasks", "add", "Old title due:2026-12-01 +a")
        let id = try #require(HelixHome.ids(home.run("tasks", "list", "--json")).first)
        let before = try home.run("history", "--json").output
        let same = try home.run("tasks", "edit", id)
        #expect(same.status == 0 && same.errors.contains("Nothing was changed"))
        #expect(try home.run("history", "--json").output == before)
        home.environment["EDITOR"] = "false"
        #expect(try home.run("tasks", "edit", id).status == 78)
        home.environment["EDITOR"] = nil
        #expect(try home.run("tasks", "edit", id).status == 64)
        #expect(leftOver(home).isEmpty)
    }

    @Test func aTaskIsChangedByTheRulesOfTheLine() throws {
        let home = try home(
            "s/^title:.*/title: Say \\\"hi\\\" due:x/; s/^tags:.*/tags: b, c/; s/^due:.*/due: fri 17:00/; s/^estimate:.*/estimate:/; /^project/d; s/^priority:.*/priority: low/"
        )
        try home.run("tasks", "add", "Old title due:2026-12-01 +a +b project:house estimate:2h priority:high")
        let id = try #require(HelixHome.ids(home.run("tasks", "list", "--json")).first)
        #expect(try home.run("tasks", "edit", id).status == 0)
        let task = try #require(try home.run("tasks", "list", "--json").items().first)
        #expect(task["title"] as? String == "Say \"hi\" due:x" && (task["tags"] as? [String]) == ["b", "c"])
        #expect((task["due"] as? String)?.hasPrefix("2026-11-20T17:00") == true)
        #expect(task["project"] == nil && task["estimate"] == nil && task["priority"] as? String == "low")
    }

    @Test func aTimeEntryIsChangedOnItsDay() throws {
        let home = try home(
            "s/^title:.*/title: Less/; s/^end:.*/end: 9:30/; s/^tags:.*/tags: y/; s/^billable:.*/billable: yes/")
        try home.run("time", "add", "2026-11-17 9:00-10:00 Work +x")
        let id = try #require(HelixHome.ids(home.run("time", "log", "2026-11", "--json")).first)
        let changed = try home.run("time", "edit", id)
        #expect(changed.status == 0 && changed.output.contains("Tue 17 Nov 2026 09:00–09:30"), "\(changed.errors)")
        let entry = try #require(try home.run("time", "log", "2026-11", "--json").items().first)
        #expect(entry["title"] as? String == "Less" && (entry["tags"] as? [String]) == ["y"])
        #expect(try home.run("time", "edit", id, "some", "words").status == 64)
        #expect(try home.run("time", "edit", id, "due:fri").status == 64)
        #expect(try home.run("time", "edit", id, "title:Some words").output.contains("Some words"))
    }

    @Test func aNewProjectIsSaidAndAMistypedOneNamed() throws {
        let home = try HelixHome()
        #expect(try home.run("tasks", "add", "One project:house").output.contains("'house' is a new project"))
        let typo = try home.run("time", "add", "2026-11-17 9:00-10:00 Work", "--project", "housse")
        #expect(typo.status == 0 && typo.errors.contains("did you mean 'house'"))
        #expect(!(try home.run("tasks", "add", "Two project:house").output.contains("new project")))
        #expect(!(try home.run("tasks", "add", "Three project:house.kitchen").errors.contains("did you mean")))
    }

    @Test func quotesThatBelongToATitleStay() throws {
        let home = try HelixHome()
        for (line, title) in [
            ("Say \"hi there\" to Bob", "Say \"hi there\" to Bob"), ("Read \"due:fri\" again", "Read due:fri again"),
            ("\"Whole title\"", "Whole title"),
        ] {
            #expect(try home.run("tasks", "add", line, "--json").items().first?["title"] as? String == title)
        }
        for line in ["note: buy", "project: house x", "due: friday"] {
            #expect(try home.run("tasks", "add", line).status == 64, "\(line)")
        }
    }
}
