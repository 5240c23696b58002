import Foundation
import TestSupport
import Testing

/// `--dry-run`: the same answer, and nothing written or sent.
@Suite struct DryRunTests {
    /// Commands that only read, or write files that somebody names; all others can be tried with --dry-run.
    private static let readers: Set<String> = [
        "gateway push list", "account check", "account list", "account show", "cal agenda", "cal calendars list",
        "cal conflicts", "cal day",
        "cal export", "cal free", "cal month", "cal print", "cal search", "cal show", "cal stats", "cal week",
        "cal year",
        "chat deliver", "chat export", "chat follow", "chat list", "chat open", "chat people", "chat search",
        "chat show",
        "completions", "contacts birthdays", "contacts books list", "contacts export", "contacts list",
        "contacts search", "contacts show", "config edit", "config get", "config list", "config path", "dates",
        "doctor", "fields",
        "gateway as",
        "gateway database check", "gateway database status", "gateway devices", "gateway serve", "gateway status",
        "gateway user list", "history list", "history show", "reminders list", "review list", "review show",
        "mcp install", "mcp serve",
        "mail attachments extract", "mail attachments list",
        "mail attachments open", "mail attachments save", "mail drafts", "mail export", "mail inbox", "mail index",
        "mail keys export", "mail keys list", "mail list",
        "mail mailboxes list", "mail people", "mail open", "mail read", "mail search run", "mail search saved",
        "mail rules list", "mail rules script", "mail rules server", "mail vacation show",
        "mail stats", "mail templates", "mail verify",
        "cal check", "mail thread", "mail unread", "outbox changes", "outbox list", "outbox show",
        "projects blocks list", "projects gantt", "projects burndown", "projects invoices export",
        "projects invoices list",
        "projects invoices show",
        "projects files check",
        "projects files list", "projects files open", "projects files save", "projects list", "projects material list",
        "projects report", "projects show", "schema", "search", "show", "status", "sync conflicts", "watch log",
        "watch run", "tasks board",
        "tasks boards list", "tasks columns list", "tasks export", "tasks list", "tasks next", "tasks search",
        "tasks show", "tasks stats", "tasks view list", "time chart", "time export", "time gaps", "time log",
        "time report",
        "time status", "today", "ui", "unlock", "vault guard", "vault open", "vault recovery", "vault status",
    ]

    /// The commands of the tree that have no commands below, each with its options.
    private func leaves(_ home: HelixHome) throws -> [(name: String, options: Set<String>)] {
        let dump = try home.run("--experimental-dump-help").output
        let root = try #require(try JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any])
        func walk(_ command: [String: Any], _ path: [String]) -> [(String, Set<String>)] {
            let below = (command["subcommands"] as? [[String: Any]] ?? []).filter {
                $0["commandName"] as? String != "help"
            }
            if below.isEmpty {
                let arguments = command["arguments"] as? [[String: Any]] ?? []
                let names = arguments.flatMap {
                    ($0["names"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
                }
                return [(path.joined(separator: " "), Set(names))]
            }
            return below.flatMap { walk($0, path + [$0["commandName"] as? String ?? ""]) }
        }
        let command = try #require(root["command"] as? [String: Any])
        return walk(command, []).map { (name: $0.0, options: $0.1) }
    }

    @Test func everyCommandThatChangesAnythingCanBeTried() throws {
        let leaves = try leaves(try HelixHome())
        #expect(leaves.count > 150)
        for leaf in leaves {
            let isReader = DryRunTests.readers.contains(leaf.name)
            #expect(leaf.options.contains("dry-run") != isReader, "\(leaf.name)")
        }
    }

    /// All that a store shows.
    private func state(_ home: HelixHome) throws -> [String] {
        try [
            ["cal", "agenda", "2026", "--json"], ["cal", "calendars", "list", "--json"],
            ["tasks", "list", "status:all", "--json"], ["tasks", "boards", "list", "--json"],
            ["tasks", "columns", "list", "--json"], ["tasks", "view", "list", "--json"],
            ["time", "log", "2026", "--json"],
            ["projects", "list", "--json"], ["projects", "files", "list", "--json"],
            ["projects", "material", "list", "--json"],
            ["history", "--json"], ["config", "list", "--json"], ["chat", "list", "--json"],
            ["mail", "drafts", "--json"], ["outbox", "list", "--json"], ["mail", "search", "saved", "--json"],
        ].map { try home.run($0).output } + [files(home)]
    }

    /// The names of all files but those of the database.
    private func files(_ home: HelixHome) -> String {
        let all = FileManager.default.enumerator(atPath: home.folder.path + "/home")?.compactMap { $0 as? String } ?? []
        return all.filter { !$0.contains("helix.db") }.sorted().joined(separator: "\n")
    }

    /// What is said twice differs only in identities that are made anew.
    private func masked(_ text: String) -> String {
        text.replacing(/\b(?=[0-9a-z]*[0-9])(?=[0-9a-z]*[a-z])[0-9a-z]{4,16}\b/, with: "#")
            .replacing(/(?m)^[0-9a-z]{4,6}(?=  )/, with: "#")
            .replacing(/\b(Added|Changed|Moved|Deleted|Copied to) [0-9a-z]{4,6}\b/) { "\($0.output.1) #" }
    }

    @Test func theAnswerIsTheSameAndNothingIsWritten() throws {
        let home = try HelixHome()
        let note = home.folder.path + "/note.txt"
        try "some bytes".write(toFile: note, atomically: true, encoding: .utf8)
        for words in [
            ["projects", "add", "house"], ["projects", "add", "boat"],
            ["tasks", "add", "Old task", "project:house", "+x"],
            ["tasks", "add", "Other task"], ["time", "add", "2026-11-17 9:00-10:00 Work"],
            ["tasks", "boards", "add", "Second"],
            ["cal", "calendars", "add", "club"],
        ] { #expect(try home.run(words).status == 0, "\(words)") }
        try home.run("cal", "add", "Meeting 2026-11-20 10:00-11:00")
        let event = try #require(HelixHome.ids(home.run("cal", "search", "meeting", "--json")).first)
        let tasks = try HelixHome.ids(home.run("tasks", "list", "--sort", "created", "--json"))
        let (old, other) = (try #require(tasks.last), try #require(tasks.first))
        let entry = try #require(HelixHome.ids(home.run("time", "log", "2026-11", "--json")).first)
        let commands: [[String]] = [
            ["cal", "add", "Lunch 2026-11-19 12:30"], ["cal", "edit", event, "--title", "Talk"],
            ["cal", "move", event, "+1d"], ["cal", "copy", event, "+7d"],
            ["cal", "calendars", "rename", "club", "team"],
            ["cal", "calendars", "color", "team", "red"], ["cal", "calendars", "hide", "team"],
            ["cal", "calendars", "show", "team"], ["cal", "calendars", "default", "team"],
            ["cal", "delete", event, "--yes"],
            ["cal", "calendars", "delete", "team", "--yes"],
            ["tasks", "add", "New task +y"], ["tasks", "edit", old, "priority:high"], ["tasks", "start", old],
            ["tasks", "stop"], ["tasks", "depend", old, other], ["tasks", "undepend", old, other],
            ["tasks", "done", other], ["tasks", "reopen", other], ["tasks", "drop", other],
            ["tasks", "move", old, "doing"],
            ["tasks", "boards", "rename", "Second", "Third"],
            ["tasks", "columns", "add", "waiting", "--board", "Third"],
            ["tasks", "columns", "edit", "waiting", "--rename", "later", "--board", "Third"],
            ["tasks", "columns", "delete", "later", "--board", "Third"],
            ["tasks", "boards", "delete", "Third"],
            ["tasks", "view", "save", "mine", "project:house"], ["tasks", "view", "delete", "mine"],
            ["time", "add", "2026-11-16 9:00-10:00 More"], ["time", "edit", entry, "title:Less"],
            ["time", "move", entry, "11:00"], ["time", "split", entry, "--at", "11:30"], ["time", "start", "Thing"],
            ["time", "switch", "Another"], ["time", "stop"], ["time", "resume"], ["time", "cancel"],
            ["projects", "edit", "boat", "--customer", "Ana"], ["projects", "attach", "boat", note],
            ["projects", "material", "add", "boat", "Wood", "2", "m", "10"],
            ["projects", "blocks", "add", "boat", "Hull"], ["projects", "blocks", "rename", "boat", "Hull", "Keel"],
            ["projects", "complete", "boat"], ["projects", "start", "boat"], ["link", old, other],
            ["unlink", old, other],
            ["config", "set", "time.clock", "12"], ["config", "unset", "time.clock"],
            ["mail", "search", "save", "bills", "subject:bill"], ["mail", "search", "delete", "bills"],
            [
                "mail", "new", "--from", "ana@example.org", "--to", "bo@example.org", "--subject", "Hello", "--body",
                "Text",
            ],
            ["chat", "new", "Log"], ["chat", "send", "Log", "hello"],
            ["chat", "rename", "Log", "Diary"],
            ["chat", "archive", "Diary"], ["chat", "delete", "Diary", "--yes"],
            ["tasks", "delete", other, "--yes"], ["undo"], ["redo"], ["undo"],
        ]
        var before = try state(home)
        for command in commands {
            let tried = try home.run(command + ["--dry-run"])
            let after = try state(home)
            for (now, then) in zip(after, before) { #expect(now == then, "\(command) has changed something") }
            let done = try home.run(command)
            #expect(done.status == 0, "\(command): \(done.errors)")
            #expect(tried.status == done.status, "\(command): \(tried.errors)")
            let said = tried.output.replacing("would be ", with: "").replacing("would move ", with: "")
            #expect(masked(said) == masked(done.output), "\(command)")
            #expect(tried.errors.contains("Dry run") || command[0] == "tasks", "\(command): \(tried.errors)")
            before = try state(home)
        }
    }

    @Test func whatIsWrongIsAsWrongInADryRun() throws {
        let home = try HelixHome()
        for command in [
            ["cal", "add", "Lunch florp 25:00"], ["tasks", "edit", "zzzz", "priority:high"], ["time", "stop"],
            ["projects", "edit", "nothing", "--customer", "x"], ["config", "set", "time.clock", "13"], ["undo"],
            ["cal", "calendars", "rename", "nope", "x"],
        ] {
            let (tried, done) = (try home.run(command + ["--dry-run"]), try home.run(command))
            #expect(
                tried.status == done.status && tried.errors == done.errors, "\(command): \(tried.errors) \(done.errors)"
            )
        }
    }

    @Test func programsAreToldThatItWasTried() throws {
        let home = try HelixHome()
        let said = try home.run("cal", "add", "Lunch tomorrow 12:30", "--dry-run", "--json")
        let json = try JSONSerialization.jsonObject(with: Data(said.output.utf8)) as? [String: Any]
        #expect(json?["dry_run"] as? Bool == true && said.errors.isEmpty)
    }
}
