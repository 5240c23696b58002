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
        // Made first, under a title of its own.
        let made = try home.run("tasks", "add", "Book the van estimate:30m", "--json").items().first
        let task = String(try #require(made?["id"] as? String).prefix(10))
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
            [
                "tasks", "add", "Paint the door +diy project:house due:fri estimate:1h priority:high", "--step",
                "sand it",
            ],
            ["tasks", "add", "Buy paint project:house repeat:weekly"], ["tasks", "list"], ["tasks", "next"],
            ["tasks", "search", "paint"], ["tasks", "board"], ["tasks", "stats"],
            ["tasks", "edit", "text:door", "+more", "--check", "1"],
            ["tasks", "move", "text:door", "doing"], ["tasks", "columns"], ["tasks", "boards"],
            ["tasks", "columns", "edit", "doing", "--limit-to", "4"],
            ["tasks", "view", "save", "mine", "project:house"],
            ["tasks", "schedule", task], ["time", "start", task], ["time", "status"], ["today"], ["status"],
            ["time", "switch", "Call", "--at", "now"], ["time", "log"], ["time", "cancel"],
            ["time", "add", "yesterday 9-11", "Work", "--project", "house"],
            ["time", "report"], ["time", "gaps"], ["time", "propose"], ["tasks", "done", task], ["projects", "list"],
            ["projects", "edit", "house", "--rate", "48", "--budget", "900", "--currency", "eur"],
            ["projects", "material", "add", "house", "Pipe", "12", "m", "4.80"], ["projects", "report", "house"],
            ["projects", "show", "house"], ["projects", "blocks", "add", "house", "Finish"],
            ["projects", "attach", "house", Corpora.packageDirectory.appendingPathComponent("Package.swift").path],
            ["projects", "files", "list"], ["projects", "files", "check"], ["search", "paint"],
            ["tasks", "delete", "text:paint", "--yes"],
        ]
        for command in commands {
            let words = command.filter { !$0.hasPrefix("-") }
            let nouns = ["cal", "config", "tasks", "time", "projects"]
            let deep = ["columns", "boards", "view", "material", "blocks", "files"]
            let depth = nouns.contains(words[0]) ? words.count > 2 && deep.contains(words[1]) ? 3 : 2 : 1
            let name = words.prefix(depth)
            let schema = try home.run(["schema"] + (command == ["schema"] ? ["schema"] : Array(name))).output
            try check(command, schema, in: home)
        }
    }

    /// Runs a command, and has another program say whether its JSON is what a schema allows.
    private func check(_ command: [String], _ schema: String, in home: HelixHome, status: Int32 = 0) throws {
        let result = try home.run(command + ["--json"])
        #expect(result.status == status, "\(command): \(result.errors)")
        try home.write(schema, to: "schema.json")
        let data = try home.write(result.output, to: "data.json")
        let script =
            "import json,sys,jsonschema; jsonschema.validate(json.load(open(sys.argv[2])), json.load(open(sys.argv[1])))"
        let checked = try home.run(
            program: "/usr/bin/python3", ["-c", script, home.folder.path + "/schema.json", data])
        #expect(checked.status == 0, "\(command): \(checked.errors.suffix(600))")
    }

    @Test func syncIsAsItsSchemasSay() throws {
        let site = try CalendarSite(.folder)
        let (one, two) = (try site.home(), try site.home(["--strategy", "ask"]))
        try one.run("sync")
        try one.run("cal", "add", "Lunch 2026-11-20 12:30", "--calendar", "calendar")
        for home in [one, two] { try home.run("sync") }
        func id(_ home: HelixHome) throws -> String {
            try #require(try home.run("cal", "search", "Lunch", "--json").items().first?["id"] as? String)
        }
        try one.run("cal", "edit", try id(one), "--title", "Lunch one")
        try two.run("cal", "edit", try id(two), "--title", "Lunch two")
        try one.run("sync")
        let event = try id(two)
        let commands: [([String], Int32)] = [
            (["account", "check", "cal"], 0), (["account", "edit", "cal", "--strategy", "ask"], 0),
            (["sync", "--dry-run"], 0), (["sync"], 81), (["sync", "conflicts"], 0),
            (["sync", "resolve", event, "--keep", "both"], 0), (["sync"], 0),
            (["cal", "invite", event, "bo@example.org", "--as", "ana@example.org"], 0),
        ]
        for (command, status) in commands {
            let words = command.filter { !$0.hasPrefix("-") }
            let name = words[0] == "sync" && (words.count == 1) ? ["sync"] : Array(words.prefix(2))
            try check(command, try two.run(["schema"] + name).output, in: two, status: status)
        }
    }

    @Test func mailIsAsItsSchemasSay() throws {
        let home = try HelixHome.writing()
        let (_, id) = try home.account(
            "From: Ana <ana@x.org>\nTo: me@example.org\nSubject: Plans\nMessage-ID: <a@x>\nContent-Type: text/plain; name=a.txt\n\nx\n"
        )
        func draft() throws -> String {
            let kept = try home.run("mail", "new", "--to", "a@example.org", "-s", "x", "-b", "y", "--draft", "--json")
            return try #require(try HelixHome.ids(kept).first)
        }
        let sent = try home.run("mail", "new", "--to", "a@example.org", "-s", "x", "-b", "y", "--json")
        let waiting = try #require(try HelixHome.ids(sent).first)
        let (one, other) = (try draft(), try draft())
        let commands: [[String]] = [
            ["mail", "list"], ["mail", "list", "--threads"], ["mail", "inbox"], ["mail", "unread"],
            ["mail", "search", "plans"],
            ["mail", "read", id], ["mail", "read", id, "--headers"], ["mail", "thread", id], ["mail", "mailboxes"],
            ["mail", "attachments", "list", id], ["mail", "mark", "read", id], ["mail", "label", id, "+x"],
            ["mail", "archive", id], ["mail", "people", "ana"], ["mail", "stats"], ["mail", "index"],
            ["mail", "new", "--to", "a@example.org", "-b", "y"], ["mail", "new", "-b", "y", "--draft"],
            ["mail", "reply", id, "-b", "y"], ["mail", "reply-all", id, "-b", "y", "--draft"],
            ["mail", "forward", id, "--to", "a@example.org", "-b", "y"], ["mail", "drafts"],
            ["mail", "edit", one, "-s", "z"],
            ["mail", "send", one, "--at", "fri 8:00"], ["mail", "discard", other], ["outbox", "list"],
            ["outbox", "show", waiting], ["outbox", "hold", waiting], ["outbox", "edit", waiting, "-s", "z"],
            ["outbox", "retry", waiting], ["outbox", "cancel", waiting], ["account", "list"], ["today"], ["status"],
        ]
        for command in commands {
            let name = command[0] == "today" || command[0] == "status" ? [command[0]] : Array(command.prefix(2))
            let isDeep = ["attachments"].contains(command.dropFirst().first ?? "")
            let schema = try home.run(["schema"] + (isDeep ? Array(command.prefix(3)) : name)).output
            try check(command, schema, in: home)
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

    /// The page of schemas has those of all reports.
    @Test func thePageNamesEverySchema() throws {
        let page = try String(
            contentsOf: Corpora.packageDirectory.appendingPathComponent("docs/json.md"), encoding: .utf8)
        let sources = Corpora.packageDirectory.appendingPathComponent("Sources/HelixCommands")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        var count = 0
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            for match in try String(contentsOf: file, encoding: .utf8).matches(
                of: /static let schema = "(helix\.[^"]+)"/)
            {
                count += 1
                #expect(page.contains("`\(match.1)`"), "\(match.1)")
            }
        }
        #expect(count > 40)
    }
}
