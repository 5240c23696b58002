import Foundation
import HelixModel
import TestSupport
import Testing

@testable import HelixCommands

/// An agent whose changes are proposals sees them as done; nobody else sees anything of them until a person accepts them.
@Suite struct ProposalTests {
    private func home(_ rules: [String: String] = [:]) throws -> HelixHome {
        let home = try HelixHome(zone: "UTC")
        var all = ["change": "all", "changes": "propose", "send": "held"]
        all.merge(rules) { $1 }
        for (key, value) in all.sorted(by: { $0.key < $1.key }) {
            let result = try home.perform("config", "set", "agent.planner.\(key)", value)
            try #require(result.status == 0, "\(result.errors)")
        }
        return home
    }

    private func agent(
        _ home: HelixHome, _ words: [String], name: String = "planner", run: String = "r1"
    ) throws -> HelixHome.Result {
        let former = home.environment
        defer { home.environment = former }
        (home.environment["HELIX_AS"], home.environment["HELIX_RUN"]) = (name, run)
        return try home.perform(words)
    }

    private func agent(_ home: HelixHome, _ words: String...) throws -> HelixHome.Result { try agent(home, words) }

    private func proposal(_ home: HelixHome) throws -> [String: Any] {
        try #require(try home.perform("review", "--json").items().first)
    }

    private func accept(_ home: HelixHome, _ steps: String...) throws -> HelixHome.Result {
        try home.perform(["review", "accept", try #require(try proposal(home)["id"] as? String)] + steps)
    }

    /// All that the lists of a home show.
    private static let lists = [
        ["tasks", "list", "status:all"], ["tasks", "board"], ["tasks", "boards", "list"],
        ["cal", "agenda", "2026-11-01", "to", "2026-12-31"], ["cal", "calendars", "list"],
        ["time", "log", "2026-11-01", "to", "2026-12-31"], ["projects", "list"], ["chat", "list"], ["search", "word"],
    ]

    private func view(_ run: ([String]) throws -> HelixHome.Result) throws -> [String] {
        try Self.lists.map { list in
            let result = try run(list + ["--json"])
            try #require(result.status == 0, "\(list): \(result.errors)")
            // Without the fences around what strangers wrote, which are new each time.
            return result.output.replacing(/\[untrusted [0-9a-z]+\] | \[\/untrusted [0-9a-z]+\]/, with: "")
        }
    }

    /// The first lines that differ.
    private static func difference(_ one: String, _ other: String) -> String {
        let (ones, others) = (one.split(separator: "\n"), other.split(separator: "\n"))
        return zip(ones, others).filter { $0 != $1 }.prefix(3).map { "\($0) / \($1)" }.joined(separator: "\n")
    }

    /// Ids of a list as the agent sees it.
    private func ids(_ home: HelixHome, _ list: String...) throws -> [String] {
        try agent(home, list + ["--ids"]).output.split(separator: "\n").map(String.init)
    }

    @Test(arguments: [1, 2, 3])
    func whatIsAcceptedIsWhatTheAgentSaw(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let home = try home()
        for words in [
            ["tasks", "add", "word first project:house due:fri"], ["cal", "add", "\"word first\" fri 12:30"],
            ["time", "add", "word 2026-11-10 9:00-10:00"],
        ] {
            let result = try home.perform(words)
            #expect(result.status == 0, "\(words): \(result.errors)")
        }
        let before = try view { try home.perform($0) }
        // Fewer steps could cancel each other.
        let count = max(25, Corpora.samples(60))
        var done = 0
        for step in 0..<count {
            func one(_ ids: [String]) -> String { ids.randomElement(using: &random) ?? "zzzz" }
            let task = one(try ids(home, "tasks", "list", "status:all"))
            let event = one(try ids(home, "cal", "agenda", "2026-11-01", "to", "2026-12-31"))
            let entry = one(try ids(home, "time", "log", "2026-11-01", "to", "2026-12-31"))
            let choices: [[String]] = [
                ["tasks", "add", "word \(step) +tag\(step % 3) due:sat"], ["tasks", "add", "part parent:\(task)"],
                ["tasks", "edit", task, "priority:high", "project:new\(step % 4)"], ["tasks", "done", task],
                ["tasks", "move", task, "doing"], ["tasks", "delete", task, "--yes"],
                ["tasks", "depend", task, "--on", task],
                ["cal", "add", "word \(step) 2026-12-\(10 + step % 9) 10:00 daily 3 times"],
                ["cal", "edit", event, "--location", "Room \(step)"], ["cal", "delete", event, "--yes"],
                ["time", "add", "word 2026-11-\(10 + step % 9) 11:00-12:00"],
                ["time", "edit", entry, "--note", "\(step)"],
                ["time", "delete", entry, "--yes"], ["projects", "add", "project \(step)"], ["link", task, event],
                ["chat", "new", "Room \(step)", "--message", "word"], ["undo"], ["undo"], ["redo"],
            ]
            let words = choices.randomElement(using: &random) ?? []
            let result = try agent(home, words)
            #expect([0, 64, 65, 66, 80].contains(result.status), "\(words): \(result.status) \(result.errors)")
            #expect(!result.errors.contains("does not fit"), "\(words): \(result.errors)")
            if result.status == 0 { done += 1 }
        }
        #expect(done > count / 4)
        #expect(try view { try home.perform($0) } == before)
        let seen = try view { try agent(home, $0) }
        #expect(seen != before)
        let accepted = try accept(home)
        #expect(accepted.status == 0, "\(accepted.errors)")
        for (list, (mine, theirs)) in zip(Self.lists, zip(try view { try home.perform($0) }, seen)) where mine != theirs
        {
            Issue.record("\(list): \(Self.difference(mine, theirs))")
        }
        #expect(try view { try agent(home, $0) } == seen)
        #expect(try home.perform("doctor").status == 0)
        // All that the agent did is undone by one command.
        #expect(try home.perform("undo", "--by", "planner").status == 0)
        #expect(try view { try home.perform($0) } == before)
    }

    /// Each proposal is made in the view of the former ones; a person accepts them in any order, also after adding containers of
    /// the same names.
    @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]], [false, true])
    func proposalsAreAcceptedInAnyOrder(_ order: [Int], _ hasNamesakes: Bool) throws {
        let home = try home()
        for number in 0..<3 {
            for words in [
                ["cal", "add", "Meet \(number) tomorrow 1\(number):00"],
                ["tasks", "add", "Work \(number)", "--project", "house", "--board", "team"],
            ] {
                if words[0] == "tasks", number == 0 {
                    #expect(try agent(home, ["tasks", "boards", "add", "team"], run: "r0").status == 0)
                }
                let made = try agent(home, words, run: "r\(number)")
                #expect(made.status == 0, "\(made.errors)")
            }
        }
        if hasNamesakes {
            _ = try home.perform("cal", "add", "Own tomorrow 18:00")
            _ = try home.perform("tasks", "boards", "add", "Team")
            _ = try home.perform("projects", "add", "House")
        }
        let ids = Array(
            try home.perform("review", "list", "--json").items().compactMap { $0["id"] as? String }.reversed())
        try #require(ids.count == 3)
        for place in order {
            let accepted = try home.perform("review", "accept", ids[place])
            #expect(accepted.status == 0, "\(accepted.errors)")
        }
        let events = try home.perform("cal", "agenda", "tomorrow", "--json").items()
        #expect(
            events.count == (hasNamesakes ? 4 : 3) && Set(events.compactMap { $0["calendar"] as? String }).count == 1)
        let tasks = try home.perform("tasks", "list", "--json").items()
        #expect(Set(tasks.compactMap { ($0["board"] as? String)?.lowercased() }) == ["team"])
        #expect(Set(tasks.compactMap { ($0["project"] as? String)?.lowercased() }) == ["house"] && tasks.count == 3)
        #expect(try home.perform("doctor").status == 0)
        #expect(try home.perform("undo", "--by", "planner").status == 0)
        #expect(try home.perform("tasks", "list", "--json").items().isEmpty)
    }

    @Test func rejectedStepsAreGoneForTheAgent() throws {
        let home = try home()
        for title in ["one", "two"] { #expect(try agent(home, "tasks", "add", title).status == 0) }
        let id = try #require(try proposal(home)["id"] as? String)
        #expect(try agent(home, "review", "accept", id).status == 77)
        #expect(try agent(home, "review", "reject", id).status == 77)
        #expect(try home.perform("review", "comment", id, "Not", "that").status == 0)
        #expect(try agent(home, "review", "show", id).output.contains("person: Not that"))
        #expect(try agent(home, "review", "comment", id, "Why?").status == 0)
        #expect(try agent(home, "review", "comment", id, "Dry?", "--dry-run").status == 0)
        let shown = try home.perform("review", "show", id).output
        #expect(shown.contains("planner: Why?") && !shown.contains("Dry?"), "\(shown)")
        #expect(try home.perform("review", "reject", id, "2").status == 0)
        #expect(try agent(home, "tasks", "list").output.contains("one"))
        #expect(try !agent(home, "tasks", "list").output.contains("two"))
        #expect(try home.perform("review", "accept", id, "2").status == 66)
        #expect(try home.perform("review", "accept", id, "7").status == 66)
        #expect(try accept(home).status == 0)
        #expect(try home.perform("review", "accept", id).status == 66)
        #expect(try home.perform("review").output.contains("No proposals"))
        let listed = try home.perform("review", "list", "--all", "--json").items().first
        let states = (listed?["steps"] as? [[String: Any]])?.compactMap { $0["state"] as? String }
        #expect(states == ["accepted", "rejected"])
        #expect(try home.perform("tasks", "list", "--json").items().compactMap { $0["title"] as? String } == ["one"])
        let history = try home.perform("history", "--by", "planner", "--json").items()
        #expect(history.count == 1 && history.first?["run"] as? String == "r1")
    }

    @Test func aRejectionCanBeTakenBack() throws {
        let home = try home()
        for title in ["one", "two"] { #expect(try agent(home, "tasks", "add", title).status == 0) }
        #expect(try home.perform("tasks", "add", "mine").status == 0)
        let id = try #require(try proposal(home)["id"] as? String)
        #expect(try home.perform("review", "reopen", id).status == 66)
        let rejected = try home.perform("review", "reject", id)
        #expect(rejected.output.contains("helix review reopen \(id.prefix(4))"), "\(rejected)")
        #expect(try !agent(home, "tasks", "list").output.contains("two"))
        #expect(try agent(home, "review", "reopen", id).status == 77)
        #expect(try home.perform("review", "reopen", id, "2", "--dry-run").status == 0)
        #expect(try home.perform("review").output.contains("No proposals"))
        #expect(try home.perform("review", "reopen", id, "2").output.contains("reopened"))
        #expect(try home.perform("review", "reopen", id, "2").status == 66)
        #expect(try agent(home, "tasks", "list").output.contains("two"))
        #expect(try home.perform("review", "accept", id).status == 0)
        #expect(try home.perform("review", "reopen", id, "2").status == 66)
        let titles = try home.perform("tasks", "list", "--json").items().compactMap { $0["title"] as? String }
        #expect(Set(titles) == ["mine", "two"])
    }

    /// The message stays as it was: a draft cannot be proposed.
    @Test func aMessageThatCannotBecomeADraftIsNotSaidToBeOne() throws {
        let home = try home()
        try home.perform("config", "set", "user.email", "me@example.org")
        #expect(try agent(home, "mail", "new", "--to", "a@example.org", "-s", "Hi", "-b", "x", "--send").status == 0)
        let id = try #require(try home.perform("outbox", "list", "--json").items().first?["id"] as? String)
        let run = try agent(home, "outbox", "cancel", id)
        #expect(run.status == 77 && run.output.isEmpty, "\(run)")
        #expect(try home.perform("outbox", "list", "--json").items().count == 1)
    }

    /// What was free when the agent proposed may be taken when a person accepts.
    @Test func conflictsThatAroseMeanwhileAreTold() throws {
        let home = try home()
        #expect(try agent(home, "cal", "add", "Dentist 2026-12-01 10:00 for 1h").status == 0)
        #expect(try agent(home, "cal", "add", "Stand-up every day at 9:00 for 30m").status == 0)
        let id = try #require(try proposal(home)["id"] as? String)
        #expect(try home.perform("cal", "add", "Board meeting 2026-12-01 10:30 for 1h").status == 0)
        let dry = try home.perform("review", "accept", id, "--dry-run")
        let accepted = try home.perform("review", "accept", id, "--json")
        for text in [dry.output, accepted.output] {
            #expect(text.contains("'Dentist' conflicts with 'Board meeting'"), "\(text)")
            #expect(!text.contains("Stand-up' conflicts"), "\(text)")
        }
        #expect(try home.perform("cal", "agenda", "2026-12-01", "--ids").output.split(separator: "\n").count == 3)
    }

    @Test func changesOfBothSidesAreMergedByField() throws {
        let home = try home()
        #expect(try home.perform("tasks", "add", "Paint").status == 0)
        #expect(try home.perform("cal", "add", "Lunch fri 12:30").status == 0)
        let task = try #require(try home.perform("tasks", "list", "--ids").output.split(separator: "\n").first)
        let event = try #require(try home.perform("cal", "agenda", "--ids").output.split(separator: "\n").first)
        #expect(try agent(home, "tasks", "edit", String(task), "priority:high").status == 0)
        #expect(try agent(home, "cal", "edit", String(event), "--location", "Rome").status == 0)
        #expect(try home.perform("tasks", "edit", String(task), "due:sat").status == 0)
        #expect(try home.perform("cal", "edit", String(event), "--title", "Long lunch").status == 0)
        #expect(try accept(home).status == 0)
        let merged = try #require(try home.perform("tasks", "list", "--json").items().first)
        #expect(merged["priority"] as? String == "high" && merged["due"] != nil)
        let lunch = try home.perform("cal", "show", String(event)).output
        #expect(lunch.contains("Long lunch") && lunch.contains("Rome"))
        // The same field: nothing is accepted, and it is said which.
        #expect(try agent(home, "tasks", "add", "Other").status == 0)
        #expect(try agent(home, "tasks", "edit", String(task), "priority:low").status == 0)
        #expect(try home.perform("tasks", "edit", String(task), "priority:medium").status == 0)
        let refused = try accept(home)
        #expect(refused.status == 80 && refused.errors.contains("priority"), "\(refused.errors)")
        #expect(try !home.perform("tasks", "list").output.contains("Other"))
        #expect(try accept(home, "1").status == 0)
        // Deleted meanwhile: the agent is told that its proposal does not fit any more.
        #expect(try home.perform("tasks", "delete", String(task), "--yes").status == 0)
        #expect(try agent(home, "tasks", "list").errors.contains("does not fit"))
        #expect(try accept(home).status == 80)
    }

    @Test func mailWaitsInTheOutboxForAPerson() throws {
        let home = try home()
        let maildir = try TestMaildir(home)
        try maildir.deliver(mail("House", id: "b@x", body: "When?\n"))
        for words in [
            ["config", "set", "user.email", "me@example.org"], ["account", "add", "home", "maildir", maildir.path],
        ] {
            #expect(try home.perform(words).status == 0)
        }
        let message = try #require(try home.perform("mail", "list", "--ids").output.split(separator: "\n").first)
        let folder = home.folder.path
        func files() throws -> [String] {
            try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
                .filter { $0.hasPrefix(maildir.path.dropFirst(folder.count + 1)) }.sorted()
        }
        let before = try files()
        let reply = try agent(home, "mail", "reply", String(message), "--body", "Now", "--send")
        #expect(reply.status == 0, "\(reply.errors)")
        #expect(
            try agent(home, "mail", "new", "--to", "bo@x.org", "--subject", "D", "--body", "x", "--draft").status == 77)
        #expect(try agent(home, "mail", "mailboxes", "add", "New").status == 77)
        #expect(try agent(home, "mail", "mark", "starred", String(message)).status == 0)
        #expect(try files() == before)
        let held = try home.perform("outbox", "list", "--json").items()
        #expect(held.map { $0["state"] as? String } == ["held"] && held.map { $0["by"] as? String } == ["planner"])
        let id = try #require(held.first?["id"] as? String)
        #expect(try agent(home, "outbox", "release", id).status == 77)
        let accepted = try accept(home)
        #expect(accepted.status == 0, "\(accepted.errors)")
        #expect(try home.perform("outbox", "list", "--json").items().first?["state"] as? String == "held")
        #expect(try home.perform("outbox", "release", id).status == 0)
        #expect(try home.perform("mail", "list", "is:starred").output.contains("House"))
        // What may never leave cannot be proposed either.
        #expect(try home.perform("config", "set", "agent.planner.send", "never").status == 0)
        #expect(try agent(home, "mail", "reply", String(message), "--body", "Now", "--send").status == 77)
    }

    @Test func attachedBytesAreKeptUntilTheDecision() throws {
        let home = try home()
        #expect(try home.perform("projects", "add", "house").status == 0)
        let plan = try home.write(String(repeating: "plan ", count: 4000), to: "plan.txt")
        #expect(try agent(home, "projects", "attach", "house", plan).status == 0)
        try FileManager.default.removeItem(atPath: plan)
        #expect(try home.perform("doctor").status == 0)
        #expect(try home.perform("projects", "files", "house", "--json").items().isEmpty)
        // Other changes of files sweep those that nobody refers to.
        let other = try home.write("other", to: "other.txt")
        #expect(try home.perform("projects", "attach", "house", other).status == 0)
        #expect(try accept(home).status == 0)
        let files = try home.perform("projects", "files", "house", "--json").items()
        #expect(files.compactMap { $0["name"] as? String }.sorted() == ["other.txt", "plan.txt"])
        #expect(try home.perform("doctor").status == 0)
    }

    @Test func agentsSeeTheirOwnProposalsAlone() throws {
        let home = try home(["hourly": "3"])
        home.environment["HELIX_NOW"] = nil
        #expect(try home.perform("config", "set", "agent.other.change", "tasks").status == 0)
        #expect(try home.perform("config", "set", "agent.other.changes", "propose").status == 0)
        #expect(try home.perform("tasks", "add", "Mine").status == 0)
        #expect(try agent(home, "tasks", "add", "Theirs").status == 0)
        #expect(try agent(home, ["tasks", "add", "Others"], name: "other").status == 0)
        #expect(try !agent(home, ["tasks", "list"], name: "other").output.contains("Theirs"))
        #expect(try agent(home, ["review", "--json"], name: "other").items().count == 1)
        let id = try #require(try agent(home, "review", "--json").items().first?["id"] as? String)
        #expect(try agent(home, ["review", "show", id], name: "other").status == 66)
        #expect(try agent(home, ["review", "comment", id, "x"], name: "other").status == 66)
        // Another run begins another proposal, and sees the first one.
        #expect(try agent(home, ["tasks", "add", "Later"], run: "r2").status == 0)
        #expect(try agent(home, ["tasks", "list"], run: "r2").output.contains("Theirs"))
        #expect(try home.perform("review", "--json").items().count == 3)
        // Proposed changes count for the limit of an hour.
        #expect(try agent(home, "tasks", "add", "third").status == 0)
        #expect(try agent(home, "tasks", "add", "fourth").status == 77)
        // A dry run proposes nothing, and a failed command neither.
        let count = (try proposal(home)["steps"] as? [Any])?.count
        #expect(try agent(home, ["tasks", "add", "dry", "--dry-run"], name: "other").status == 0)
        #expect(try agent(home, ["tasks", "edit", "zzzz", "priority:high"], name: "other").status == 66)
        #expect((try proposal(home)["steps"] as? [Any])?.count == count)
    }
}
