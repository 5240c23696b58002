import Foundation
import TestSupport
import Testing

/// What programs get.
@Suite struct JSONTests {
    private func home() throws -> HelixHome {
        let home = try HelixHome()
        try home.run("cal", "import", Corpora.packageDirectory.appendingPathComponent("Examples/sample.ics").path)
        return home
    }

    /// The published schema is checked by a validator of its own.
    @Test func everyReportIsWhatItsSchemaSays() throws {
        let home = try home()
        let id = try #require(try home.run("cal", "search", "lunch", "--json").items().first?["id"] as? String)
        let commands: [[String]] = [
            ["cal", "week"], ["cal", "day"], ["cal", "month"], ["cal", "agenda"], ["cal", "year"],
            ["cal", "conflicts"], ["cal", "free"],
            ["cal", "search", "a"], ["cal", "stats"], ["cal", "calendars"], ["cal", "show", id], ["history"],
            ["config", "list"], ["doctor"],
            ["schema"], ["cal", "add", "Test fri 9:00"], ["cal", "move", id, "fri"],
            ["cal", "edit", id, "--title", "New"], ["cal", "copy", id, "sat"],
            ["cal", "import", Corpora.packageDirectory.appendingPathComponent("Examples/sample.ics").path], ["undo"],
            ["redo"],
            ["cal", "delete", id, "--yes"],
        ]
        for command in commands {
            let words = command.filter { !$0.hasPrefix("-") }
            let name = words.prefix(words.first == "cal" || words.first == "config" ? 2 : 1)
            let schema = try home.run(["schema"] + (command == ["schema"] ? ["schema"] : Array(name))).output
            let result = try home.run(command + ["--json"])
            #expect(result.status == 0, "\(command): \(result.errors)")
            try home.write(schema, to: "schema.json")
            let data = try home.write(result.output, to: "data.json")
            let script =
                "import json,sys,jsonschema; jsonschema.validate(json.load(open(sys.argv[2])), json.load(open(sys.argv[1])))"
            let check = try home.run(
                program: "/usr/bin/python3", ["-c", script, home.folder.path + "/schema.json", data])
            #expect(check.status == 0, "\(command): \(check.errors.suffix(600))")
        }
    }

    @Test func fieldsAreSelectedInTheOrderAskedFor() throws {
        let home = try home()
        let result = try home.run("cal", "agenda", "today", "--jsonl", "--fields", "title,start")
        #expect(result.output.hasPrefix("{\"title\": \"Standup\", \"start\": \"2026-11-18T09:15:00+01:00\"}\n"))
        #expect(result.output.split(separator: "\n").count == 3)
    }

    @Test func aLimitIsMarked() throws {
        let home = try home()
        let cut = try home.run("cal", "agenda", "--limit", "2", "--json").json()
        #expect(cut["truncated"] as? Bool == true)
        #expect((cut["items"] as? [Any])?.count == 2)
        #expect(try home.run("cal", "agenda", "--limit", "500", "--json").json()["truncated"] == nil)
    }

    @Test func anEmptyResultIsASuccess() throws {
        let home = try HelixHome()
        for command in [
            ["cal", "agenda"], ["cal", "conflicts"], ["cal", "search", "nothing"], ["history"], ["cal", "calendars"],
        ] {
            let result = try home.run(command + ["--json"])
            #expect(result.status == 0)
            #expect(try result.items().isEmpty)
        }
    }
}
