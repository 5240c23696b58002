import Foundation
import TestSupport
import Testing

/// Files that were cut off, and settings that cannot be used, are reported.
@Suite struct HonestInputTests {
    @Test func aMessageThatWasCutOffIsReported() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        let file = try maildir.deliver("Subject: Hello\nMessage-ID: <1@x>\n\nThe text is here.\n", flags: "S")
        try home.perform("account", "add", "home", "maildir", maildir.path)
        let id = try home.perform("mail", "list", "--ids").output.trimmingCharacters(in: .newlines)
        #expect(try home.perform("mail", "read", id).errors.isEmpty)
        let path = maildir.path + "/cur/" + (file as NSString).lastPathComponent
        let bytes = try #require(FileManager.default.contents(atPath: path))
        for count in [bytes.count - 1, 20, 0] {
            try bytes.prefix(count).write(to: URL(fileURLWithPath: path))
            for words in [["mail", "read", id], ["mail", "read", id, "--json"], ["mail", "read", id, "--raw"]] {
                let result = try home.perform(words)
                #expect(result.errors.contains("cut off after it was indexed: \(count) of"), "\(count) \(words)")
            }
        }
    }

    @Test func settingsOutOfRangeAreRefused() throws {
        let home = try HelixHome()
        for (key, values) in [
            ("assistant.budget", ["0", "499", "-1", "1e5", "many"]), ("assistant.history", ["0", "4.5", ""]),
        ] {
            for value in values {
                #expect(try home.perform("config", "set", key, value).status == 64, "\(key) \(value)")
            }
        }
        #expect(try home.perform("config", "set", "assistant.budget", "500").status == 0)
    }

    @Test func standardOutputIsNoFile() throws {
        let home = try HelixHome()
        try home.perform("tasks", "add", "Paint")
        for words in [["tasks", "export", "--format", "todotxt"], ["time", "export"], ["cal", "export"]] {
            let result = try home.perform(words + ["--output", "-"])
            #expect(result.status == 0 && !FileManager.default.fileExists(atPath: "-"), "\(words)")
        }
        #expect(try home.perform("tasks", "export", "--format", "todotxt", "-o", "-").output.contains("Paint"))
        #expect(try home.perform("backup", "-").status == 64)
    }

    @Test func rulesOfAgentsNameWhatExists() throws {
        let home = try HelixHome()
        #expect(try home.perform("config", "set", "agent.bot.commands", "florble x").status == 64)
        #expect(try home.perform("config", "set", "agent.bot.commands", "cal").status == 64)
        #expect(try home.perform("config", "set", "agent.bot.commands", "cal week", "tasks list").status == 0)
        let boards = try home.perform("config", "set", "agent.bot.boards", "nonesuch")
        #expect(boards.status == 0 && boards.errors.contains("'nonesuch'"), "\(boards.errors)")
    }

    /// Why a list is empty is said to programs, too.
    @Test func emptyListsAreExplained() throws {
        let home = try HelixHome()
        try home.perform("tasks", "add", "Paint")
        let list = try home.perform("tasks", "list", "project:nope", "--json")
        #expect(try list.items().isEmpty && list.errors.contains("Unknown project 'nope'"), "\(list.errors)")
        let found = try home.perform("search", "with:ana boiler", "--json")
        #expect(found.errors.contains("'with:ana boiler' is one value"), "\(found.errors)")
    }

    /// What was exported is the same when it is imported again, and a difference is told.
    @Test(arguments: ["csv", "timewarrior"]) func timeThatIsImportedAgainIsTheSame(_ form: String) throws {
        let home = try HelixHome()
        try home.perform("time", "add", "yesterday 9:00-10:00 Alpha", "--tag", "one", "--tag", "two", "--note", "n")
        try home.perform("time", "add", "yesterday 11:00-12:00 Omega")
        let text = try home.perform("time", "export", "--format", form).output
        let again = try home.perform("time", "import", home.write(text, to: "time"))
        #expect(again.output.contains("2 unchanged") && again.errors.isEmpty, "\(again.output)\(again.errors)")
        let other = try home.perform("time", "import", home.write(text.replacing("two", with: "three"), to: "other"))
        #expect(text.contains("two") && other.errors.contains("other tags"), "\(other.output)\(other.errors)")
    }

    @Test func anUnknownOptionIsNoPartOfATitle() throws {
        let home = try HelixHome()
        for word in ["-q", "-quiet", "--quite"] {
            let run = try home.perform("cal", "add", "Lunch", "tomorrow", "12:00", word)
            #expect(run.status == 64 && run.errors.contains("unknown option '\(word)'"), "\(run)")
        }
        #expect(try home.perform("cal", "add", "Lunch -q", "tomorrow", "12:00").status == 0)
        #expect(try home.perform("cal", "add", "tomorrow", "13:00", "--", "-q").status == 0)
        let titles = try home.perform("cal", "search", "q", "--json").items().compactMap { $0["title"] as? String }
        #expect(Set(titles) == ["Lunch -q", "-q"])
    }

    @Test func aCutListSaysSo() throws {
        let home = try HelixHome()
        for number in 1...4 { try home.perform("tasks", "add", "Task \(number) due:today") }
        for words in [["today"], ["tasks", "next", "--why"], ["tasks", "next"], ["tasks", "list"]] {
            #expect(
                try home.perform(words + ["--json", "--limit", "2"]).json()["truncated"] as? Bool == true, "\(words)")
        }
        #expect(try home.perform("tasks", "next", "--why", "--limit", "2").output.contains("--limit"))
        let line = try home.perform("tasks", "list", "--jsonl", "--fields", "title,title", "--limit", "4").output
        #expect(line.split(separator: "\n").first == "{\"title\": \"Task 1\"}")
    }

    @Test func textThatIsNotUTF8IsTold() throws {
        let home = try HelixHome()
        let path = home.folder.path + "/latin.ics"
        let text = "BEGIN:VEVENT\nUID:a\nDTSTART:20261201T100000Z\nSUMMARY:caf"
        try (Data(text.utf8) + [0xE9] + Data("\nEND:VEVENT\n".utf8)).write(to: URL(fileURLWithPath: path))
        let run = try home.perform("cal", "import", path)
        #expect(run.status == 0 && run.errors.contains("line 4: a line of latin.ics is not UTF-8"), "\(run)")
        #expect(try home.perform("cal", "search", "caf\u{E9}", "--json").items().count == 1)
    }
}
