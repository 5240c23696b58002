import Foundation
import TestSupport
import Testing

/// What assistants propose, and write.
extension AssistantHelpTests {
    @Test func triageProposesLabelsTasksAndReplies() throws {
        try script([
            try rule(
                "Sort the person's new messages",
                json: [
                    "messages": [
                        [
                            "id": message, "labels": ["home", "Boiler stuff"],
                            "task": ["title": "Be at home", "due": "2026-11-30"],
                            "reply": "Thank you.", "reason": "She comes.",
                        ], ["id": "nothing", "labels": ["x"]],
                    ]
                ])
        ])
        let made = try home.run("mail", "triage", "--json")
        #expect(made.output.contains("which is none of the messages"))
        #expect(try home.run("tasks", "list", "--json").items().isEmpty)
        // Not twice.
        let count = sent.split(separator: "\n").count
        #expect(try home.run("mail", "triage").output.contains("triaged before"))
        #expect(sent.split(separator: "\n").count == count)
        try accept()
        // What it set is marked, until the person sets it.
        let read = try home.run("mail", "read", message, "--json").items().first
        let marked = read?["agent_labels"] as? [[String: String]]
        #expect(
            marked == ["home", "boiler-stuff"].map { ["label": $0, "agent": "assistant"] },
            "\(String(describing: marked))")
        #expect(
            try home.run("mail", "read", message).output.contains("+home (by assistant) +boiler-stuff (by assistant)"))
        try home.run("mail", "label", message, "-home")
        try home.run("mail", "label", message, "+home")
        #expect(try home.run("mail", "read", message).output.contains("+home (by") == false)
        let task = try #require(try home.run("tasks", "list", "--json").items().first)
        #expect(task["title"] as? String == "Be at home")
        #expect(try home.run("mail", "list", "label:boiler-stuff", "--json").items().count == 1)
        let waiting = try home.run("outbox", "list", "--json").items()
        #expect(waiting.first?["state"] as? String == "held" && waiting.first?["by"] as? String == "assistant")
    }

    /// A proposal that is rejected takes its replies with it, unless some of it is kept.
    @Test func aRejectedProposalCancelsItsReplies() throws {
        try script([
            try rule(
                "Sort the person's new messages",
                json: [
                    "messages": [["id": message, "labels": ["home"], "task": ["title": "Go"], "reply": "Thank you."]]
                ])
        ])
        #expect(try home.run("mail", "triage", message).status == 0)
        #expect(try home.run("outbox", "list", "--json").items().count == 1)
        let proposal = try #require(try home.run("review", "list", "--json").items().first?["id"] as? String)
        let part = try home.run("review", "reject", proposal, "1")
        #expect(part.output.contains("still waits in the outbox"), "\(part.output)")
        let rest = try home.run("review", "reject", proposal)
        #expect(rest.output.contains("is cancelled; 'helix undo' brings it back"), "\(rest.output)")
        #expect(try home.run("outbox", "list", "--json").items().isEmpty)
        #expect(try home.run("undo").status == 0)
        #expect(try home.run("outbox", "list", "--json").items().first?["state"] as? String == "held")
    }

    @Test func whatMakesNoSenseIsSaidBeforeAnybodyIsAsked() throws {
        try script([])
        #expect(try home.run("mail", "draft", " ", "--to", "ana@x.example").status == 64)
        for words in [["mail", "triage", message, "zzzz"], ["mail", "summarize", message, "zzzz"]] {
            let result = try home.run(words)
            #expect(result.status == 66 && result.errors.contains("zzzz"), "\(result.errors)")
        }
        #expect(try home.run("mail", "triage", "subject:nothing").output.contains("No messages to triage"))
        for setting in ["assistant.url", "assistant.embedding-url"] {
            for address in ["nonsense", "ftp://x.example", "http://", "localhost:11434"] {
                #expect(try home.run("config", "set", setting, address).status == 64, "\(address)")
            }
        }
        #expect(sent.isEmpty)
    }

    @Test func whatIsExtractedIsInTheText() throws {
        let sentence = "I will bring the boiler papers\non Monday at ten."
        try script([
            try rule(
                "Find the appointments",
                json: [
                    "events": [["title": "Papers", "start": "2026-11-30T10:00", "sentence": sentence]],
                    "tasks": [
                        ["title": "Invented", "sentence": "Pay me now."],
                        ["title": "Bad date", "due": "never ever", "sentence": "See you."],
                        ["title": "Wait", "due": "2026-11-30", "sentence": "See you."],
                    ],
                ])
        ])
        let made = try home.run("extract", message, "--json")
        #expect(
            made.output.contains("no such sentence: 'Pay me now.'") && made.output.contains("'Bad date'"),
            "\(made.output)")
        try accept()
        let event = try #require(try home.run("cal", "agenda", "2026-11-30", "--json").items().first)
        #expect(event["title"] as? String == "Papers" && event["links"] as? [String] == [message])
        let task = try #require(try home.run("tasks", "list", "--json").items().first)
        #expect(task["title"] as? String == "Wait" && task["links"] as? [String] == [message])
        // An agent gets the words of the message fenced, also in what was made of it, and those of the person are not.
        try home.run("tasks", "add", "Own", "--notes", "Words of the person")
        let seen = try home.run("--as", "read-only", "tasks", "list", "--json").items()
        let titles = seen.compactMap { $0["title"] as? String }
        #expect(
            titles.contains("Own") && titles.contains { $0.hasPrefix("[untrusted ") && $0.contains("Wait") },
            "\(titles)")
        #expect(
            seen.allSatisfy {
                ($0["notes"] as? String)?.contains("See you") != true
                    || ($0["notes"] as? String)?.hasPrefix("[untrusted ") == true
            })
        // Notes of a meeting from standard input.
        let notes = try home.run(["extract", "-", "--json"], input: "Minutes\n* See you.\n")
        #expect(notes.output.contains("Wait") && notes.output.contains("no such sentence: 'I will"), "\(notes.output)")
        #expect(try home.run(["extract", "-"], input: " \n").status == 65)
        // A file with a message is sent as it is read, not as it is encoded.
        let encoded = Data("Bring the key on Monday.".utf8).base64EncodedString()
        let mail = try home.run(
            ["extract", "-", "--dry-run"],
            input:
                "From: Ana <ana@example.org>\r\nDate: Fri, 27 Nov 2026 10:00:00 +0000\r\nSubject: =?utf-8?Q?Caf=C3=A9?=\r\n"
                + "Content-Transfer-Encoding: base64\r\n\r\n\(encoded)\r\n")
        #expect(
            mail.output.contains("Subject: Café") && mail.output.contains("Bring the key"),
            "\(mail.output)\(mail.errors)")
        #expect(!mail.output.contains(encoded))
        #expect(try home.run("extract", "zzzz").status == 66)
    }

    @Test func aPlanIsBookedInFreeTime() throws {
        try home.run("cal", "add", "Busy today 9:00 for 2h")
        let id = try #require(try home.run("tasks", "add", "Write report", "--json").items().first?["id"] as? String)
        try script([
            try rule(
                "Plan when",
                json: [
                    "blocks": [
                        ["task": id, "start": "2026-11-27T11:30", "minutes": 45, "reason": "It is due."],
                        ["task": "zzzz", "start": "2026-11-27T13:00", "minutes": 30],
                        ["task": id, "start": "2026-11-27T09:30", "minutes": 30], ["task": id, "minutes": 30],
                    ]
                ])
        ])
        let plan = try home.run("plan", "day", "--json")
        #expect(plan.output.contains("that does not exist") && plan.output.contains("needs a start, and a length"))
        try accept()
        let events = try home.run("cal", "agenda", "today", "--json").items()
        #expect(events.map { $0["start"] as? String } == ["2026-11-27T09:00:00Z", "2026-11-27T11:30:00Z"])
        #expect(try home.run("cal", "conflicts", "today", "--json").items().isEmpty)
    }

    /// An answer that is not in the form that was asked for changes nothing.
    @Test(arguments: ["I cannot do that.", "{\"messages\": [}", "{}", "[]"]) func anAnswerWithoutForm(_ reply: String)
        throws
    {
        try script([["if": "Sort the person", "reply": reply], ["if": "That is not JSON", "reply": reply]])
        let made = try home.run("mail", "triage")
        #expect(made.status == 76, "\(made.output)\(made.errors)")
        #expect(try home.run("review", "list", "--json").items().isEmpty)
    }

    // MARK: Writing

    @Test func textsAreWrittenAndImproved() throws {
        try script([
            try rule(
                "Write a mail",
                json: ["subject": "Fixed\nBcc: eve@x.example", "body": "Hi Ana,\n\nit is fixed, and I thank you."]),
            ["if": "Rewrite", "reply": "Hi Ana,\n\nfixed, thanks!"],
            try rule(
                "Write three replies",
                json: ["replies": [["tone": "short", "text": "Fine."], ["tone": "formal", "text": "Noted."]]]),
            try rule("three short answers", json: ["replies": [["tone": "a", "text": "Hi!"]]]),
            ["if": "Summarize the conversation", "reply": "They greet."],
        ])
        let draft = try #require(
            try home.run("mail", "draft", "it is fixed", "--to", "ana@x.example", "--json").items().first)
        #expect(draft["subject"] as? String == "Fixed" && draft["mailbox"] as? String == "Drafts")
        let id = try #require(draft["id"] as? String)
        let improved = try home.run("mail", "edit", id, "--improve", "shorter")
        #expect(
            improved.errors.contains("- it is fixed, and I thank you.") && improved.errors.contains("+ fixed, thanks!"))
        let text = try home.run("mail", "read", id, "--json").items().first?["text"] as? String
        #expect(text?.contains("fixed, thanks!") == true && text?.contains("thank you") == false)
        // The quoted message stays as it is.
        let reply = try #require(
            try home.run("mail", "reply", message, "--body", "Thank you, that is fixed.", "--draft", "--json").items()
                .first)
        let answerID = try #require(reply["id"] as? String)
        _ = try home.run("mail", "edit", answerID, "--improve", "shorter")
        let whole = try home.run("mail", "read", answerID, "--quotes", "--json").items().first?["text"] as? String
        #expect(
            whole?.contains("> I will bring the boiler papers") == true && whole?.contains("fixed, thanks!") == true)
        let three = try home.run("mail", "reply", message, "--suggest", "--json").items()
        #expect(three.map { $0["text"] as? String } == ["Fine.", "Noted."])
        try home.run("chat", "new", "Notes", "--message", "Hello")
        #expect(try home.run("chat", "suggest", "Notes", "--json").items().map { $0["text"] as? String } == ["Hi!"])
        #expect(try home.run("chat", "summarize", "Notes", "--since", "yesterday").output.contains("They greet."))
        #expect(try home.run("chat", "summarize", "Notes", "--since", "tomorrow").status == 66)
        let fixed = try home.run("chat", "improve", "shorter", "Hi Ana,", "it is fixed")
        #expect(fixed.output.contains("fixed, thanks!"))
    }
}
