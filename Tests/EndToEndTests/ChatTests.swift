import Foundation
import TestSupport
import Testing

/// Conversations with oneself need no account and no network.
@Suite struct ChatTests {
    /// The words of a conversation, the oldest first.
    private func words(_ home: HelixHome, _ name: String = "Notes") throws -> [String] {
        try home.run("chat", "show", name, "--json").items().map { $0["content"] as? String ?? "?" }
    }

    @Test func whatIsSaidHasItsPlaceAtOnceAndStays() throws {
        let home = try HelixHome()
        #expect(try home.run("chat", "list").output.contains("No conversations yet"))
        let begun = try home.run("chat", "new", "Notes", "--json").items().first
        #expect(begun?["type"] as? String == "self" && begun?["account"] == nil)
        let one = try #require(try home.run("chat", "send", "notes", "The keys", "--json").items().first)
        #expect(
            one["state"] as? String == "sent" && one["number"] as? Int == 1
                && one["client_id"] as? String == one["id"] as? String)
        #expect(try home.run("chat", "send", "Notes", "-", input: "from\na pipe\n").status == 0)
        let id = try #require(one["id"] as? String)
        #expect(try home.run("chat", "send", "Notes", "--reply", id, "Found them").output.contains("The keys"))
        #expect(try words(home) == ["The keys", "from\na pipe", "Found them"])
        let last = try #require(try home.run("chat", "show", "Notes", "--json").items().last)
        #expect(last["reply_to"] as? String == id)
        #expect(try home.run("doctor").status == 0)
    }

    @Test func changesAreUndoneAndMadeAgain() throws {
        let home = try HelixHome()
        try home.run("chat", "new", "Notes", "--message", "one")
        try home.run("chat", "send", "Notes", "two")
        let id = try #require(HelixHome.ids(home.run("chat", "show", "Notes", "--json")).last)
        try home.run("chat", "message", id, "--edit", "second")
        #expect(try words(home) == ["one", "second"])
        #expect(try home.run("chat", "search", "second", "--count").output == "1\n")
        try home.run("undo")
        #expect(try words(home) == ["one", "two"] && home.run("chat", "search", "second", "--count").output == "0\n")
        try home.run("redo")
        #expect(try words(home) == ["one", "second"])
        #expect(try home.run("chat", "message", id, "--delete").status == 64, "nobody said yes")
        try home.run("chat", "message", id, "--delete", "--yes")
        #expect(try words(home) == ["one"])
        try home.run("undo")
        #expect(try words(home) == ["one", "second"])
        #expect(try home.run("chat", "delete", "Notes", "--yes").status == 0)
        #expect(try home.run("chat", "show", "Notes").status == 66)
        #expect(try home.run("chat", "search", "one", "--count").output == "0\n")
        try home.run("undo")
        #expect(try words(home) == ["one", "second"])
        #expect(try home.run("chat", "search", "one", "--count").output == "1\n")
        for (command, field) in [("archive", "archived"), ("mute", "muted")] {
            func state() throws -> Bool? {
                try home.run("chat", "list", "--all", "--json").items().first?[field] as? Bool
            }
            try home.run("chat", command, "Notes")
            #expect(try state() == true)
            try home.run("chat", command, "Notes", "--off")
            #expect(try state() == false)
        }
        try home.run("chat", "archive", "Notes")
        #expect(try home.run("chat", "list", "--json").items().isEmpty)
        try home.run("chat", "send", "Notes", "three")
        #expect(try home.run("chat", "list", "--json").items().count == 1, "what is talked in is in sight")
        #expect(try home.run("chat", "rename", "Notes", "All things").status == 0)
        #expect(try home.run("chat", "show", "all things", "--json").items().count == 3)
        #expect(try home.run("doctor").status == 0)
    }

    @Test func pagesGoBackToTheBeginning() throws {
        let home = try HelixHome()
        try home.run("chat", "new", "Notes")
        for number in 1...7 { try home.run("chat", "send", "Notes", "n\(number)") }
        let latest = try home.run("chat", "show", "Notes", "--limit", "3", "--json")
        #expect(try latest.items().map { $0["content"] as? String } == ["n5", "n6", "n7"])
        #expect(try latest.json()["truncated"] as? Bool == true)
        let first = try #require(HelixHome.ids(latest).first)
        let before = try home.run("chat", "show", "Notes", "--limit", "3", "--before", first, "--json")
        #expect(try before.items().map { $0["content"] as? String } == ["n2", "n3", "n4"])
        let start = try home.run(
            "chat", "show", "Notes", "--limit", "3", "--before", HelixHome.ids(before).first ?? "", "--json")
        #expect(try start.items().map { $0["content"] as? String } == ["n1"])
        #expect(try start.json()["truncated"] == nil)
    }

    @Test func searchKnowsFieldsPhrasesAndScripts() throws {
        let home = try HelixHome()
        try home.run("chat", "new", "House", "--message", "Die Schlüssel liegen unter der Matte")
        try home.run("chat", "new", "Trip", "--message", "東京タワーへ行きます")
        try home.run("chat", "send", "House", "the plan")
        func count(_ query: String...) throws -> String {
            try home.run(["chat", "search"] + query + ["--count"]).output
        }
        #expect(try count("schlussel") == "1\n" && count("タワー") == "1\n" && count("\"unter der\"") == "1\n")
        #expect(try count("in:trip") == "1\n" && count("schlussel in:trip") == "0\n" && count("unter or タワー") == "2\n")
        #expect(try count("from:me -matte in:house") == "1\n" && count("after:2026-12-01") == "0\n")
        #expect(try home.run("chat", "search", "label:x").status == 64)
        #expect(try home.run("search", "matte").output.contains("chat message"))
        let found = try home.run("chat", "search", "matte", "--json").items().first
        #expect((found?["excerpt"] as? String)?.contains("Matte") == true)
    }

    @Test func filesGoWithMessagesAndComeBackWhole() throws {
        let home = try HelixHome()
        try home.run("chat", "new", "Notes")
        let file = home.folder.appendingPathComponent("plan.pdf")
        let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try bytes.write(to: file)
        let said = try home.run("chat", "send", "Notes", "the plan", "--attach", file.path, "--json").items().first
        let attached = (said?["attachments"] as? [[String: Any]])?.first
        #expect(attached?["name"] as? String == "plan.pdf" && attached?["type"] as? String == "application/pdf")
        let id = try #require(said?["id"] as? String)
        let folder = home.folder.appendingPathComponent("saved")
        #expect(try home.run("chat", "message", id, "--save", folder.path).status == 66, "there is no such folder")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        #expect(try home.run("chat", "message", id, "--save", folder.path).status == 0)
        #expect(try Data(contentsOf: folder.appendingPathComponent("plan.pdf")) == bytes)
        #expect(try home.run("chat", "message", id, "--save", folder.path).status == 73, "it is there already")
        #expect(try home.run("chat", "search", "has:attachment filename:plan", "--count").output == "1\n")
        #expect(try home.run("chat", "send", "Notes", "x", "--attach", "/nowhere").status == 66)
        #expect(try home.run("undo").status == 0)
        #expect(try words(home).isEmpty)
        try home.run("redo")
        #expect(try home.run("chat", "message", id, "--save", folder.path, "--force").status == 0)
    }

    @Test func aMessageBecomesATaskOrAnEventLinkedWithIt() throws {
        let home = try HelixHome()
        try home.run("chat", "new", "Notes", "--message", "Lunch with Ana tomorrow 12:30")
        let id = try #require(HelixHome.ids(home.run("chat", "show", "Notes", "--json")).first)
        let event = try home.run("chat", "message", id, "--to-event")
        #expect(event.output.contains("Lunch with Ana") && event.output.contains("12:30"), "\(event.errors)")
        let task = try home.run("chat", "message", id, "--to-task", "due:fri", "+food", "--json").items().first
        #expect(task?["title"] as? String == "Lunch with Ana tomorrow 12:30" && task?["tags"] as? [String] == ["food"])
        let links = try home.run("chat", "message", id, "--json").items().first?["links"] as? [String]
        #expect(links?.count == 2 && links?.contains(task?["id"] as? String ?? "") == true)
        #expect(try home.run("show", task?["id"] as? String ?? "").output.contains("chat message"))
        // An event that was shared is added as it is.
        let shared = try #require(HelixHome.ids(home.run("cal", "agenda", "tomorrow", "--json")).first)
        #expect(try home.run("chat", "share", "Notes", shared, task?["id"] as? String ?? "").status == 0)
        let said = try #require(try home.run("chat", "show", "Notes", "--json").items().last)
        #expect((said["attachments"] as? [Any])?.count == 2 && (said["links"] as? [String])?.count == 2)
        #expect(try home.run("chat", "message", said["id"] as? String ?? "", "--to-event").status == 80, "it is there")
    }

    @Test func everyFormOfExportHasEverything() throws {
        let home = try HelixHome()
        try home.run("chat", "new", "Notes", "--message", "one\u{1B}[31m red")
        try home.run("chat", "send", "Notes", "two")
        #expect(try home.run("chat", "list", "--unread").output.contains("No new messages."))
        let markdown = try home.run("chat", "export", "Notes").output
        #expect(markdown.contains("# Notes") && markdown.contains("two") && !markdown.contains("\u{1B}"))
        #expect(try home.run("chat", "export", "Notes", "--format", "text").output.contains("me: two"))
        let lines = try home.run("chat", "export", "Notes", "--format", "jsonl").output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(
            try !home.run("chat", "show", "Notes").output.contains("\u{1B}"), "nothing harmful reaches the terminal")
    }

    static let mistakes: [([String], Int32)] = [
        (["chat", "send", "nobody", "x"], 66), (["chat", "show", "nobody"], 66), (["chat", "send", "Notes", " "], 64),
        (["chat", "new", "a", "--assistant", "--with", "b"], 64), (["chat", "new", "--with", "ana"], 66),
        (["chat", "invite", "Notes", "ana"], 64), (["chat", "leave", "Notes", "--yes"], 64),
        (["chat", "rename", "Notes", ""], 64), (["chat", "message", "zzzz"], 66), (["chat", "delete", "Notes"], 64),
        (["chat", "show", "Notes", "--before", "zzzz"], 66), (["chat", "members", "Notes", "--role", "x"], 64),
        (["chat", "new", "x\u{1B}y"], 64),
    ]

    @Test(arguments: mistakes)
    func whatMakesNoSenseIsSaid(command: [String], status: Int32) throws {
        let home = try HelixHome()
        try home.run("chat", "new", "Notes", "--message", "one")
        let result = try home.run(command)
        #expect(result.status == status && !result.errors.isEmpty && result.output.isEmpty, "\(result.errors)")
        #expect(try words(home) == ["one"])
    }
}

/// What is shown of conversations is whole and said once.
@Suite struct ChatHabitTests {
    @Test func aPageOfAConversationNamesTheOneBefore() throws {
        let home = try HelixHome()
        try home.run("chat", "new", "Notes")
        for number in 1...6 { try home.run("chat", "send", "Notes", "m\(number)") }
        let page = try home.run("chat", "show", "Notes", "--limit", "2", "--json").json()
        let items = page["items"] as? [[String: Any]] ?? []
        #expect(items.map { $0["content"] as? String } == ["m5", "m6"])
        let next = try #require(page["next"] as? String)
        let before = try home.run("chat", "show", "Notes", "--limit", "2", "--before", next, "--json").items()
        #expect(before.map { $0["content"] as? String } == ["m3", "m4"])
        let shown = try home.run("chat", "show", "Notes", "--limit", "2")
        #expect((shown.output + shown.errors).components(separatedBy: "More").count == 2, "\(shown)")
        #expect(shown.errors.contains("--before"))
    }

    @Test func aNotebookOfOneNameIsOne() throws {
        let home = try HelixHome()
        for _ in 0..<2 { #expect(try home.run("chat", "new", "Recipes", "-m", "Pasta").status == 0) }
        #expect(try home.run("chat", "list", "--json").items().count == 1)
        #expect(try home.run("chat", "show", "Recipes", "--json").items().count == 2)
    }

    @Test func anExportSaysWhatAMessageRepliesTo() throws {
        let home = try HelixHome()
        try home.run("chat", "new", "Notes", "-m", "Buy paint?")
        let id = try #require(try home.run("chat", "show", "Notes", "--json").items().first?["id"] as? String)
        #expect(try home.run("chat", "send", "Notes", "--reply", id, "Yes, green").status == 0)
        #expect(try home.run("chat", "export", "Notes").output.contains("> me: Buy paint?\n\nYes, green"))
        #expect(try home.run("chat", "export", "Notes", "--format", "text").output.contains("(to me: Buy paint?)"))
    }
}
