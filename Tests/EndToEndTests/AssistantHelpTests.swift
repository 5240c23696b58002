import Foundation
import TestSupport
import Testing

/// Assistants that help with what is read and written, over a model that follows a script.
@Suite final class AssistantHelpTests {
    let server: TestServer
    let home: HelixHome
    var message = ""

    init() throws {
        server = try TestServer("fake_completions.py", ports: 1, ["script"])
        home = try HelixHome(zone: "UTC")
        home.environment["HELIX_NOW"] = "2026-11-27T08:00:00"
        try home.run("config", "set", "assistant.url", "http://127.0.0.1:\(server.ports[0])/v1")
        try home.run("config", "set", "user.email", "me@x.example")
        message = try mail("Boiler", "I will bring the boiler papers on Monday at ten.\n\nSee you.")
    }

    func mail(_ subject: String, _ text: String) throws -> String {
        let file = home.folder.appendingPathComponent("\(UUID().uuidString).eml")
        let head =
            "From: Ana <ana@x.example>\nTo: me@x.example\nSubject: \(subject)\nDate: Thu, 26 Nov 2026 10:00:00 +0000\n"
        try Data((head + "Message-ID: <\(UUID().uuidString)@x>\n\n" + text + "\n").utf8).write(to: file)
        try home.run("mail", "import", file.path)
        let found = try home.run("mail", "list", "subject:\(subject)", "--json").items()
        return try #require(found.first?["id"] as? String)
    }

    /// Sets the rules of the model.
    func script(_ rules: [[String: Any]]) throws {
        try JSONSerialization.data(withJSONObject: rules).write(
            to: server.folder.appendingPathComponent("script.json"))
    }

    func rule(_ condition: String, json: [String: Any]) throws -> [String: Any] {
        let text = String(decoding: try JSONSerialization.data(withJSONObject: json), as: UTF8.self)
        return ["if": condition, "reply": "Here you are:\n```json\n\(text)\n```"]
    }

    /// All that was sent to the model so far.
    var sent: String {
        (try? String(contentsOf: server.folder.appendingPathComponent("requests.jsonl"), encoding: .utf8)) ?? ""
    }

    func accept() throws {
        let proposal = try #require(try home.run("review", "list", "--json").items().first?["id"] as? String)
        try home.run("review", "accept", proposal)
    }

    // MARK: Summaries and answers

    @Test func aSummaryIsKeptUntilTheMessagesAreOthers() throws {
        try script([["if": "Summarize the messages", "reply": "Ana comes on Monday \u{1B}[31m[\(message.prefix(6))]."]])
        let first = try home.run("mail", "summarize", message, "--json").items()
        #expect(first.first?["kept"] as? Bool == false && first.first?["model"] as? String == "first-model")
        let count = sent.split(separator: "\n").count
        // The same message by a query is the same text.
        let again = try home.run("mail", "summarize", "from:ana", "--json").items()
        #expect(again.first?["kept"] as? Bool == true && sent.split(separator: "\n").count == count)
        #expect(try home.run("mail", "summarize", message).output.contains("\u{1B}") == false)
        _ = try home.run("mail", "summarize", message, "--again")
        #expect(sent.split(separator: "\n").count == count + 1)
        let other = try mail("Boiler2", "Tuesday rather.")
        let both = try home.run("mail", "summarize", "from:ana", "--json").items()
        #expect(both.first?["kept"] as? Bool == false)
        #expect(Set(try #require(both.first?["links"] as? [String])) == [message, other])
    }

    @Test func anAnswerNamesWhatItRead() throws {
        try script([
            ["if": "What did Ana", "calls": [["name": "list_mail", "arguments": ["query": "from:ana"]]]],
            [
                "if": "helix.mail",
                "calls": [
                    ["name": "read_mail", "arguments": ["id": message]], ["name": "nothing", "arguments": [:]],
                ],
            ],
            ["if": "there is no tool", "reply": "On Monday [\(message.prefix(6))], she said [zz99zz]."],
        ])
        let answer = try #require(try home.run("ask", "What did Ana promise?", "--json").items().first)
        let sources = try #require(answer["sources"] as? [[String: Any]])
        #expect(sources.map { $0["id"] as? String } == [message] && sources.first?["title"] as? String == "Boiler")
        #expect(answer["unknown"] as? [String] == ["zz99zz"])
        #expect(answer["tokens"] as? Int == 300)
        #expect(try home.run("ask", "What did Ana promise?").output.contains("names zz99zz, which it did not read"))
    }

    /// A model that never stops calling is stopped, and the answer says so.
    @Test func aSearchEnds() throws {
        try script([
            ["if": "Answer now", "reply": "I could not finish."],
            ["if": "Answer the person's question", "calls": [["name": "today", "arguments": [:]]]],
        ])
        let answer = try home.run("ask", "Loop", "--json")
        #expect(answer.output.contains("may be incomplete"))
        #expect(sent.split(separator: "\n").count == 12)
        try home.run("config", "set", "assistant.budget", "20000")
        let short = try home.run("ask", "Loop", "--json")
        #expect(short.output.contains("budget of 20000 tokens"))
        #expect(sent.split(separator: "\n").count < 24)
    }

    /// What an assistant returns counts, too: a longer answer is not read to its end, and that is said.
    @Test func anAnswerBeyondTheBudgetIsCut() throws {
        let words = (0..<3_000).map { "word\($0)" }.joined(separator: " ")
        try script([["if": "Summarize the messages", "reply": words]])
        try home.run("config", "set", "assistant.budget", "1000")
        let cut = try home.run("mail", "summarize", message)
        #expect(cut.status == 76 && cut.errors.contains("budget of 1000 tokens"), "\(cut.errors)")
        #expect(!cut.output.contains("word2999"))
        try home.run("config", "set", "assistant.budget", "60000")
        #expect(try home.run("mail", "summarize", message).output.contains("word2999"))
    }

    /// An answer that the model itself did not finish is none, and is not kept as a summary.
    @Test(arguments: ["length", "content_filter"]) func anUnfinishedAnswerIsNotKept(_ reason: String) throws {
        try script([["if": "Summarize the messages", "reply": "Half an answer that", "finish": reason]])
        let cut = try home.run("mail", "summarize", message)
        #expect(cut.status == 76 && cut.errors.contains(reason), "\(cut.errors)")
        try script([["if": "Summarize the messages", "reply": "A whole answer."]])
        let whole = try home.run("mail", "summarize", message, "--json").items().first
        #expect(whole?["kept"] as? Bool == false)
    }

    @Test func whatIsAskedForIsAProposal() throws {
        try script([
            [
                "if": "Book lunch",
                "calls": [["name": "add_event", "arguments": ["text": "Lunch with Ana tomorrow 12:30 for 45m"]]],
            ],
            ["if": "helix.cal", "reply": "I propose lunch."],
        ])
        let answer = try #require(try home.run("ask", "Book lunch", "--json").items().first)
        let proposal = try #require(answer["proposal"] as? String)
        #expect(try home.run("cal", "agenda", "tomorrow", "--json").items().isEmpty)
        try home.run("review", "accept", proposal)
        #expect(
            try home.run("cal", "agenda", "tomorrow", "--json").items().first?["title"] as? String == "Lunch with Ana")
        try home.run("undo", "--by", "assistant")
        #expect(try home.run("cal", "agenda", "tomorrow", "--json").items().isEmpty)
    }

    // MARK: What assistants see

    @Test func nothingPrivateIsSent() throws {
        let hidden = try mail("Diagnosis", "Nobody may know the diagnosis.")
        try home.run("mail", "label", hidden, "+private")
        try home.run("cal", "add", "Therapy tomorrow 9:00", "--category", "x")
        let file = home.folder.appendingPathComponent("p.ics")
        let lines = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VEVENT", "UID:p@x", "DTSTAMP:20260101T000000Z",
            "DTSTART:20261128T110000Z", "SUMMARY:Secret meeting", "CLASS:PRIVATE", "END:VEVENT", "END:VCALENDAR", "",
        ]
        try Data(lines.joined(separator: "\r\n").utf8).write(to: file)
        try home.run("cal", "import", file.path)
        try script([
            [
                "if": "Show me everything",
                "calls": [
                    ["name": "list_mail", "arguments": [:]], ["name": "read_mail", "arguments": ["id": hidden]],
                    ["name": "search", "arguments": ["query": "diagnosis"]],
                    ["name": "list_events", "arguments": ["range": "tomorrow"]],
                    ["name": "show", "arguments": ["id": hidden]],
                ],
            ],
            ["if": "Answer the person's question", "reply": "Done."], ["if": "Summarize", "reply": "Done."],
        ])
        #expect(try home.run("ask", "Show me everything").status == 0)
        let refused = try home.run("mail", "summarize", hidden)
        #expect(refused.status == 77 && refused.errors.contains("assistant.may-see"))
        #expect(!sent.contains("Nobody may know") && !sent.contains("Secret meeting"))
        #expect(sent.contains("Therapy") && sent.contains("Boiler"))
        // May-see leaves out all other labels and calendars, and 'private' adds what is marked.
        try home.run("config", "set", "assistant.may-see", "label:family", "private")
        #expect(try home.run("mail", "summarize", message).status == 77)
        try home.run("mail", "label", hidden, "+family")
        #expect(try home.run("mail", "summarize", hidden).status == 0)
        #expect(sent.contains("Nobody may know"))
        #expect(try home.run("config", "set", "assistant.may-see", "everything").status == 64)
        try home.run("config", "unset", "assistant.may-see")
        #expect(try home.run("mail", "summarize", message).status == 0)
        #expect(try home.run("mail", "summarize", hidden, "--again").status == 77)
        home.environment["HELIX_ASSISTANT_MAY_SEE"] = "private"
        #expect(try home.run("mail", "summarize", hidden).status == 78)
    }

    /// Rights that were changed in the file alone count when a person has looked at them, and no assistant confirms them.
    @Test func rightsOfTheFileAreConfirmedByAPerson() throws {
        try script([["if": "Summarize", "reply": "Done."]])
        try home.run("config", "set", "agent.planner.read", "calendar")
        let path = try home.run("config", "path").output.trimmingCharacters(in: .whitespacesAndNewlines)
        let file = URL(fileURLWithPath: path)
        let before = try String(contentsOf: file, encoding: .utf8)
        try Data(
            before.replacing("\"calendar\"", with: "\"all\"").replacing(
                "[assistant]", with: "[assistant]\nmay-see = [\"private\"]"
            ).utf8
        ).write(to: file)
        let refused = try home.run("mail", "summarize", message)
        #expect(
            refused.status == 77 && refused.errors.contains("helix config list"), "\(refused.output)\(refused.errors)")
        #expect(try home.run("--as", "planner", "mail", "list").status == 77)
        try home.run("config", "list")
        #expect(try home.run("mail", "summarize", message).status == 0)
        #expect(try home.run("--as", "planner", "mail", "list").status == 0)
        // The same when all rules are gone.
        let text = try String(contentsOf: file, encoding: .utf8)
        let kept = text.split(separator: "\n").filter {
            !$0.contains("may-see") && !$0.contains("planner") && !$0.hasPrefix("read")
        }
        try Data(kept.joined(separator: "\n").utf8).write(to: file)
        #expect(try home.run("mail", "summarize", message, "--again").status == 77)
        try home.run("config", "list")
        #expect(try home.run("mail", "summarize", message, "--again").status == 0)
    }

    /// Each of them says what it would send, and sends nothing; without an endpoint each says how to set one up.
    @Test(arguments: [
        ["ask", "Who?"], ["mail", "summarize", "ID"], ["mail", "reply", "ID", "--suggest"], ["mail", "triage"],
        ["mail", "draft", "thanks"], ["mail", "edit", "DRAFT", "--improve", "fix"], ["extract", "ID"], ["plan", "day"],
        ["plan", "week"], ["chat", "summarize", "Notes"], ["chat", "suggest", "Notes"],
        ["chat", "improve", "fix", "teh"],
    ])
    func aDryRunSendsNothing(_ words: [String]) throws {
        let draft = try home.run("mail", "new", "--to", "bo@x.example", "--body", "teh text", "--draft", "--json")
            .items()
        try home.run("tasks", "add", "Write report")
        try home.run("chat", "new", "Notes", "--message", "Hello")
        let line = words.map { $0 == "ID" ? message : $0 == "DRAFT" ? draft.first?["id"] as? String ?? "" : $0 }
        let shown = try home.run(line + ["--dry-run"])
        #expect(shown.status == 0 && shown.output.contains("Nothing was sent"), "\(shown.errors)")
        let json = try home.run(line + ["--dry-run", "--json"])
        #expect(json.output.contains("\"kind\": \"request\""), "\(json.output)")
        if words[0] == "ask" {
            // The functions, too, are sent: as they are described to the model.
            let functions = try #require(try json.items().first?["functions"] as? [[String: Any]])
            #expect(functions.count > 5 && functions.allSatisfy { ($0["description"] as? String)?.isEmpty == false })
            #expect(functions.allSatisfy { ($0["parameters"] as? String)?.hasPrefix("{\"type\":\"object\"") == true })
            #expect(shown.output.contains("read_mail: "))
        }
        #expect(sent.isEmpty)
        try home.run("config", "unset", "assistant.url")
        let alone = try home.run(line)
        #expect(alone.status == 78 && alone.errors.contains("assistant.url"), "\(alone.errors)")
        home.environment["HELIX_AS"] = "no-send"
        #expect(try home.run(line).status == 77)
    }
}
