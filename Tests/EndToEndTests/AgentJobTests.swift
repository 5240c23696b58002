import Foundation
import TestSupport
import Testing

/// A scripted agent does twenty jobs, through MCP and through the shell: both leave the same, it is known as the agent's, and one
/// command undoes it.
@Suite struct AgentJobTests {
    /// A step: a tool with its arguments, and the same as words of the shell. `ID` is the first item of the step before.
    private struct Step {
        let tool: String
        let arguments: [String: Any]
        let words: [String]

        init(_ tool: String, _ arguments: [String: Any], _ words: String...) {
            (self.tool, self.arguments, self.words) = (tool, arguments, words)
        }
    }

    /// A job with the command and the words in its JSON that show the result.
    private struct Job {
        let name: String
        let steps: [Step]
        let check: [String]
        let expected: [String]
        var unexpected: [String] = []
    }

    private static var jobs: [Job] {
        [
            Job(
                name: "note a task",
                steps: [
                    Step(
                        "add_task", ["text": "Send invoice to Ana +billing due:fri"], "tasks", "add",
                        "Send invoice to Ana +billing due:fri")
                ], check: ["tasks", "list", "+billing"], expected: ["Send invoice to Ana", "2026-11-27"]),
            Job(
                name: "postpone a task",
                steps: [
                    Step("list_tasks", ["filter": "+billing"], "tasks", "list", "+billing"),
                    Step(
                        "edit_task", ["id": "ID", "due": "2026-12-04", "priority": "high"], "tasks", "edit", "ID",
                        "--due=2026-12-04", "--priority=high"),
                ], check: ["tasks", "list", "+billing"], expected: ["2026-12-04", "high"]),
            Job(
                name: "split a task into steps",
                steps: [
                    Step(
                        "add_task", ["text": "Move house", "step": ["Boxes", "Van"]], "tasks", "add", "Move house",
                        "--step=Boxes", "--step=Van"),
                    Step("edit_task", ["id": "ID", "check": ["1"]], "tasks", "edit", "ID", "--check=1"),
                ], check: ["tasks", "list", "house"], expected: ["Boxes", "Van"]),
            Job(
                name: "move a card",
                steps: [
                    Step("list_tasks", ["filter": "house"], "tasks", "list", "house"),
                    Step("edit_task", ["id": "ID", "column": "doing"], "tasks", "edit", "ID", "--column=doing"),
                ], check: ["tasks", "list", "column:doing"], expected: ["Move house"]),
            Job(
                name: "make a task wait for another",
                steps: [
                    Step("list_tasks", ["filter": "house"], "tasks", "list", "house"),
                    Step("add_task", ["text": "Unpack", "depends": ["ID"]], "tasks", "add", "Unpack", "--depends=ID"),
                ], check: ["tasks", "list", "status:blocked"], expected: ["Unpack"]),
            Job(
                name: "finish a task",
                steps: [
                    Step("add_task", ["text": "Buy tape"], "tasks", "add", "Buy tape"),
                    Step("complete_task", ["id": "ID"], "tasks", "done", "ID"),
                ], check: ["tasks", "list", "status:done"], expected: ["Buy tape"]),
            Job(
                name: "delete a task",
                steps: [
                    Step("add_task", ["text": "Mistake"], "tasks", "add", "Mistake"),
                    Step("delete_task", ["id": "ID"], "tasks", "delete", "ID", "--yes"),
                ], check: ["tasks", "list"], expected: ["Unpack"], unexpected: ["Mistake"]),
            Job(
                name: "enter a meeting",
                steps: [
                    Step(
                        "add_event", ["text": "Lunch with Ana tomorrow 12:30 for 45m at Roma"], "cal", "add",
                        "Lunch with Ana tomorrow 12:30 for 45m at Roma")
                ], check: ["cal", "agenda", "tomorrow"], expected: ["Lunch with Ana", "Roma", "12:30"]),
            Job(
                name: "find a free time and book it",
                steps: [
                    Step(
                        "find_free_time", ["range": "tomorrow", "duration": "2h"], "cal", "free", "tomorrow",
                        "--duration=2h"),
                    Step(
                        "add_event", ["text": "Review tomorrow 9:00 for 2h", "on_conflict": "fail"], "cal", "add",
                        "Review tomorrow 9:00 for 2h", "--on-conflict=fail"),
                ], check: ["cal", "agenda", "tomorrow"], expected: ["Review"]),
            Job(
                name: "move a meeting",
                steps: [
                    Step("search", ["query": "lunch"], "search", "lunch"),
                    Step(
                        "edit_event", ["id": "ID", "start": "tomorrow 13:00"], "cal", "edit", "ID",
                        "--start=tomorrow 13:00"
                    ),
                ], check: ["cal", "agenda", "tomorrow"], expected: ["13:00:00"]),
            Job(
                name: "change one occurrence",
                steps: [
                    Step(
                        "add_event", ["text": "Stand-up mon 9:00 for 15m", "repeat": "daily"], "cal", "add",
                        "Stand-up mon 9:00 for 15m", "--repeat=daily"),
                    Step(
                        "edit_event", ["id": "ID", "this": "2026-12-01", "title": "Stand-up with guests"], "cal",
                        "edit",
                        "ID", "--this=2026-12-01", "--title=Stand-up with guests"),
                ], check: ["cal", "agenda", "2026-11-30", "to", "2026-12-02"], expected: ["Stand-up with guests"]),
            Job(
                name: "delete a meeting",
                steps: [
                    Step("add_event", ["text": "Wrong tomorrow 17:00"], "cal", "add", "Wrong tomorrow 17:00"),
                    Step("delete_event", ["id": "ID"], "cal", "delete", "ID", "--yes"),
                ], check: ["cal", "agenda", "tomorrow"], expected: ["Review"], unexpected: ["Wrong"]),
            Job(
                name: "read mail and label it",
                steps: [
                    Step("list_mail", ["query": "subject:boiler"], "mail", "list", "subject:boiler"),
                    Step("read_mail", ["id": "ID"], "mail", "read", "ID"),
                    Step(
                        "label_mail", ["labels": "+home", "query": "subject:boiler"], "mail", "label", "+home",
                        "--query=subject:boiler"),
                ], check: ["mail", "list", "label:home"], expected: ["Boiler"]),
            Job(
                name: "make a task of a message",
                steps: [
                    Step("list_mail", ["query": "subject:boiler"], "mail", "list", "subject:boiler"),
                    Step(
                        "add_task", ["title": "Be at home", "from_mail": "ID", "due": "mon"], "tasks", "add",
                        "--title=Be at home", "--from-mail=ID", "--due=mon"),
                ], check: ["tasks", "list", "home"], expected: ["Be at home", "2026-11-30"]),
            Job(
                name: "draft an answer",
                steps: [
                    Step("find_people", ["words": "ana"], "mail", "people", "ana"),
                    Step(
                        "draft_mail", ["to": ["ana@x.example"], "subject": "Boiler", "body": "I will be there."],
                        "mail",
                        "new",
                        "--to=ana@x.example", "--subject=Boiler", "--body=I will be there.", "--draft"),
                ], check: ["mail", "drafts"], expected: ["I will be there", "ana@x.example"]),
            Job(
                name: "log time",
                steps: [
                    Step(
                        "add_time", ["text": "today 7:00-7:45 Offers", "project": "sales"], "time", "add",
                        "today 7:00-7:45 Offers", "--project=sales"),
                    Step(
                        "report_time", ["range": "today", "by": "project"], "time", "report", "today", "--by=project"),
                ], check: ["time", "report", "today", "--by=project"], expected: ["sales", "2700"]),
            Job(
                name: "look at the day",
                steps: [
                    Step("today", [:], "today"),
                    Step("list_conflicts", ["range": "this week"], "cal", "conflicts", "this week"),
                    Step("show_board", [:], "tasks", "board"), Step("list_projects", [:], "projects", "list"),
                    Step("list_time", ["range": "today"], "time", "log", "today"),
                    Step("list_chats", [:], "chat", "list"),
                    Step("list_outbox", [:], "outbox", "list"),
                ], check: ["projects", "list"], expected: ["sales"]),
            Job(
                name: "read a conversation",
                steps: [Step("read_chat", ["conversation": "Notes"], "chat", "show", "Notes", "--peek")],
                check: ["chat", "show", "Notes", "--peek"], expected: ["The key is under the mat"]),
            Job(
                name: "follow links",
                steps: [
                    Step("search", ["query": "home kind:task"], "search", "home kind:task"),
                    Step("show", ["id": "ID"], "show", "ID"),
                ], check: ["tasks", "list", "home"], expected: ["links"]),
            Job(
                name: "take back a change",
                steps: [
                    Step("add_task", ["text": "Not wanted"], "tasks", "add", "Not wanted"), Step("undo", [:], "undo"),
                    Step("list_history", ["by": "planner"], "history", "list", "--by=planner"),
                ], check: ["tasks", "list"], expected: ["Unpack"], unexpected: ["Not wanted"]),
        ]
    }

    private func home() throws -> HelixHome {
        let home = try HelixHome(zone: "UTC")
        home.environment["HELIX_NOW"] = "2026-11-26T08:00:00"
        let head =
            "From: Ana <ana@x.example>\nTo: me@x.example\nSubject: Boiler\nDate: Wed, 25 Nov 2026 10:00:00 +0000\n"
        try home.run("mail", "import", try home.write(head + "Message-ID: <b@x>\n\nI come on Monday.\n", to: "b.eml"))
        try home.run("config", "set", "user.email", "me@x.example")
        try home.run("chat", "new", "Notes", "--message", "The key is under the mat")
        try home.run("config", "set", "agent.planner.change", "all")
        return home
    }

    /// Runs a step as the agent.
    /// - Returns: the JSON of its answer.
    private func call(_ step: Step, _ id: String, in home: HelixHome, isMCP: Bool) throws -> [String: Any] {
        home.environment["HELIX_AS"] = "planner"
        home.environment["HELIX_RUN"] = "jobs"
        defer { (home.environment["HELIX_AS"], home.environment["HELIX_RUN"]) = (nil, nil) }
        guard isMCP else {
            let result = try home.run(step.words.map { $0.replacing("ID", with: id) } + ["--json"])
            try #require(result.status == 0, "\(step.words): \(result.errors)")
            return try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any] ?? [:]
        }
        let arguments = try JSONSerialization.data(withJSONObject: step.arguments)
        let text = String(decoding: arguments, as: UTF8.self).replacing("\"ID\"", with: "\"\(id)\"")
        let line =
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"\(step.tool)\",\"arguments\":\(text)}}\n"
        let result = try home.run(["mcp"], input: line)
        let answer = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        let outcome = try #require(
            answer?["result"] as? [String: Any], "\(step.tool): \(result.output)\(result.errors)")
        try #require(outcome["isError"] as? Bool == false, "\(step.tool): \(outcome)")
        return try #require(outcome["structuredContent"] as? [String: Any])
    }

    @Test(arguments: [true, false]) func twentyJobsAreDone(isMCP: Bool) throws {
        #expect(Self.jobs.count == 20)
        let home = try home()
        let before =
            try home.run("tasks", "list", "--json").output
            + home.run("cal", "agenda", "2026-11-20", "to", "2026-12-10", "--json").output
        for job in Self.jobs {
            var id = ""
            for step in job.steps {
                let answer = try call(step, id, in: home, isMCP: isMCP)
                if let first = (answer["items"] as? [[String: Any]])?.first, let found = first["id"] as? String {
                    id = found
                }
            }
            let shown = try home.run(job.check + ["--json"]).output
            for word in job.expected { #expect(shown.contains(word), "\(job.name): \(word) in \(shown)") }
            for word in job.unexpected { #expect(!shown.contains(word), "\(job.name): \(word) in \(shown)") }
        }
        let made = try home.run("history", "--by", "planner", "--json", "--limit", "all").items()
        #expect(made.count >= 20 && made.allSatisfy { $0["run"] as? String == "jobs" })
        #expect(try home.run("undo", "--run", "jobs").status == 0)
        let after =
            try home.run("tasks", "list", "--json").output
            + home.run("cal", "agenda", "2026-11-20", "to", "2026-12-10", "--json").output
        #expect(before == after)
        #expect(try home.run("mail", "drafts", "--json").items().isEmpty)
        #expect(try home.run("doctor").status == 0)
    }
}
