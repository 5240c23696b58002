import Foundation
import TestSupport
import Testing

/// What a profile hides is nowhere: each view under it is, byte for byte, that of a home in which the hidden things never were.
@Suite struct AgentViewTests {
    private static let views = [
        "cal agenda", "cal day 2026-11-18", "cal week", "cal month", "cal year", "cal conflicts", "cal free tomorrow",
        "cal search plan", "cal search zzhidden", "cal stats", "cal calendars", "tasks list", "tasks next",
        "tasks board",
        "tasks board --group-by project --limit 2", "tasks stats", "tasks boards", "projects list",
        "tasks list zzhidden",
        "time log", "time report", "time report --by project", "time report --by task", "time chart", "time status",
        "mail list", "mail list --limit 3", "mail inbox", "mail unread", "mail thread a@example.org", "mail stats 2026",
        "mail mailboxes", "mail people", "mail people zz", "mail search zzhidden", "mail search figures",
        "mail search figures --by rank", "mail search from:zzhidden", "search zzhidden", "search plan",
        "search figures", "outbox list", "today", "status", "account list",
    ]

    private static let rules = [
        ("read", ["mail", "calendar", "tasks", "time"]), ("calendars", ["personal", "work"]), ("boards", ["main"]),
        ("mailboxes", ["inbox", "archive"]), ("hide-labels", ["zzlabel"]), ("hide-senders", ["@zzhidden.example"]),
        ("hide-private", ["true"]),
    ]

    @Test func hiddenThingsAreNowhere() throws {
        let (whole, part) = (try HelixHome(), try HelixHome())
        try fill(whole, withHidden: true)
        try fill(part, withHidden: false)
        for (rule, values) in Self.rules {
            try run(whole, ["config", "set", "agent.reader.\(rule)"] + values)
        }
        let (agent, person) = (try ids(whole, ["--as", "reader"]), try ids(part, []))
        #expect(agent.count == person.count && agent.count > 12)
        for view in Self.views {
            let words = view.split(separator: " ").map(String.init)
            for options in [["--color", "always"], ["--json"]] {
                let seen = try whole.perform(["--as", "reader"] + words + options)
                let real = try part.perform(words + options)
                #expect(seen.status == real.status, "\(view): \(seen.errors)")
                #expect(
                    masked(seen.output, agent, whole) == masked(real.output, person, part),
                    "\(view) \(options.joined())")
                #expect(
                    !(seen.output + seen.errors).contains(#/zz(hidden|label|board|calendar|box)/#)
                        || view.contains("zz"), "\(view)")
            }
        }
    }

    @Test func hiddenThingsCannotBeNamed() throws {
        let home = try HelixHome()
        try fill(home, withHidden: true)
        for (rule, values) in Self.rules + [("change", ["all"])] {
            try run(home, ["config", "set", "agent.reader.\(rule)"] + values)
        }
        func only(_ words: String...) throws -> String {
            let lines = try home.perform(words + ["--ids"]).output.split(separator: "\n")
            return String(try #require(lines.first, "\(words)"))
        }
        let task = try only("tasks", "list", "board:zzboard")
        let event = try only("cal", "search", "zzhidden")
        let mail = try only("mail", "search", "from:zzhidden.example")
        let before = try home.perform(["history", "--json"]).output
        for words in [
            ["show", task], ["tasks", "done", task], ["tasks", "edit", task, "--title", "x"],
            ["tasks", "delete", task, "--yes"],
            ["history", task], ["show", event], ["cal", "edit", event, "--title", "x"],
            ["cal", "delete", event, "--yes"],
            ["mail", "read", mail], ["mail", "mark", mail, "starred"], ["mail", "move", mail, "--to", "archive"],
            ["show", mail],
            ["tasks", "add", "x", "--board", "zzboard"], ["cal", "add", "x tomorrow 9:00", "--calendar", "zzcalendar"],
            ["tasks", "boards", "delete", "zzboard", "--yes"], ["link", task, event],
        ] {
            let result = try home.perform(["--as", "reader"] + words)
            #expect(
                [64, 66, 77].contains(result.status), "\(words) \(result.status) \(result.output) \(result.errors)")
            #expect(!result.output.contains("hidden"), "\(words)")
        }
        #expect(try home.perform(["history", "--json"]).output == before)
    }

    // MARK: Data

    private func calendar(_ events: [String]) -> String {
        (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//test//EN"] + events + ["END:VCALENDAR", ""])
            .joined(separator: "\n").replacingOccurrences(of: "\n", with: "\r\n")
    }

    private func run(_ home: HelixHome, _ words: [String]) throws {
        let result = try home.perform(words)
        try #require(result.status == 0, "\(words) \(result.errors)")
    }

    private func fill(_ home: HelixHome, withHidden: Bool) throws {
        func run(_ words: String...) throws { try self.run(home, words) }
        func hidden(_ words: String...) throws { if withHidden { try self.run(home, words) } }
        try run("cal", "calendars", "add", "work", "blue")
        var events = [
            vevent(
                "a@v", "SUMMARY:Plan the year", "DTSTART:20261118T110000Z", "DTEND:20261118T130000Z", "CLASS:PUBLIC"),
            vevent("b@v", "SUMMARY:Standup", "DTSTART:20261102T080000Z", "DTEND:20261102T081500Z", "RRULE:FREQ=WEEKLY"),
        ]
        if withHidden {
            events += [
                vevent(
                    "c@v", "SUMMARY:Plan zzhidden", "DTSTART:20261118T120000Z", "DTEND:20261118T140000Z",
                    "CLASS:PRIVATE"),
                vevent(
                    "d@v", "SUMMARY:zzhidden", "DTSTART:20261104T080000Z", "DTEND:20261104T091500Z",
                    "RRULE:FREQ=WEEKLY",
                    "CLASS:CONFIDENTIAL"),
                vevent("e@v", "SUMMARY:zzhidden", "DTSTART;VALUE=DATE:20261118", "CLASS;X-A=b:X-SECRET"),
            ]
        }
        try run(
            "cal", "import", try home.write(calendar(events), to: "test.ics"), "--calendar", "work", "--on-conflict",
            "allow")
        try run("cal", "add", "Holiday", "--start", "2026-11-30", "--end", "2026-12-04")
        try hidden("cal", "calendars", "add", "zzcalendar")
        try hidden(
            "cal", "add", "zzhidden plan", "--start", "2026-11-18 12:00", "--calendar", "zzcalendar", "--on-conflict",
            "allow")
        try run("projects", "add", "Handbook", "--rate", "80", "--currency", "EUR")
        try run("tasks", "add", "Plan the chapters", "--project", "Handbook", "--due", "2026-11-17")
        try run("tasks", "add", "Proofread", "--tag", "review")
        try hidden("tasks", "boards", "add", "zzboard")
        try hidden(
            "tasks", "add", "zzhidden plan", "--board", "zzboard", "--project", "Handbook", "--due", "2026-11-16",
            "--tag", "zzhidden")
        try hidden("tasks", "add", "zzhidden too", "--board", "zzboard", "--tag", "zzhidden")
        try run("time", "add", "yesterday 9:00 to 11:30", "Proofreading", "--project", "Handbook")
        if withHidden {
            let task = try home.perform(["tasks", "list", "text:zzhidden plan", "--ids"]).output.split(separator: "\n")
            try hidden("time", "add", "yesterday 12:00 to 13:30", String(try #require(task.first)))
        }
        try hidden("chat", "new", "zzhidden notes")
        for (name, sender, isHidden) in [
            ("a", "Bo <bo@example.org>", false), ("b", "Zoe <zoe@example.net>", false),
            ("c", "zz <x@zzhidden.example>", true),
            ("d", "Bo <bo@example.org>", true), ("e", "Bo <bo@example.org>", true),
            ("f", "Ada <ada@example.org>", false),
        ] where withHidden || !isHidden {
            let word = isHidden ? "zzhidden" : "plain"
            try home.write(
                """
                From: \(sender)
                To: Ada <ada@example.org>
                Subject: The figures \(word) \(name)
                Date: Tue, 17 Nov 2026 09:1\(name == "a" ? 1 : 2):00 +0100
                Message-ID: <\(name)@example.org>
                \(name == "e" ? "References: <a@example.org>" : "X-Nothing: here")

                The figures are \(word) here.
                """, to: name + ".eml")
            try run("mail", "import", home.folder.path + "/\(name).eml")
        }
        try run("mail", "move", "subject:\"plain f\"", "--to", "archive", "--create")
        try hidden("mail", "label", "subject:\"zzhidden d\"", "+zzlabel")
        try hidden("mail", "move", "subject:\"zzhidden e\"", "--to", "zzbox", "--create")
    }

    private func ids(_ home: HelixHome, _ head: [String]) throws -> [String] {
        var found: [String] = []
        for list in [
            ["cal", "agenda", "2026-11-01", "--days", "60"], ["tasks", "list"], ["time", "log", "2026"],
            ["mail", "list"],
            ["projects", "list"], ["cal", "calendars"], ["tasks", "boards"], ["account", "list"],
        ] {
            for line in try home.perform(head + list + ["--ids"]).output.split(separator: "\n")
            where !found.contains(String(line)) { found.append(String(line)) }
        }
        return found
    }

    /// Puts the same words in the place of identities, which are random, and of the home's folder.
    private func masked(_ text: String, _ ids: [String], _ home: HelixHome) -> String {
        // An agent is told of the kinds that it does not read.
        var text = text.replacing(/,\n  "remarks": \[\n[^\n]*does not read[^\n]*\n  \]/, with: "")
            .replacing(/[^\n]*does not read[^\n]*\n/, with: "")
            .replacingOccurrences(of: home.folder.path, with: "HOME")
        for (place, id) in ids.enumerated() {
            for length in [16, 6, 5, 4] {
                text = text.replacingOccurrences(
                    of: "(?<=^|[^0-9a-z]|\\[[0-9;]{1,9}m)" + id.prefix(length) + "(?![0-9a-z])", with: "id\(place)",
                    options: .regularExpression)
            }
        }
        // Identities of columns and the like, which no list has.
        return text.replacingOccurrences(of: "\"[0-9a-hjkmnp-tv-z]{16}\"", with: "\"ID\"", options: .regularExpression)
            .replacingOccurrences(of: "\"[0-9a-z]{16}@helix", with: "\"UID@helix", options: .regularExpression)
            .replacingOccurrences(of: "\"thread\": \"[0-9a-z]+\"", with: "", options: .regularExpression)
            // An agent gets the texts of others fenced.
            .replacingOccurrences(
                of: "\\[untrusted [^]]*\\] | \\[/untrusted [^]]*\\]", with: "", options: .regularExpression)
    }
}
