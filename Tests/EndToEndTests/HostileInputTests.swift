import Foundation
import TestSupport
import Testing

/// No input ends in a signal, an assertion, or the status of something unexpected.
@Suite struct HostileInputTests {
    @Test func aStrangeFileOfSettingsIsAnErrorThatNamesTheLine() throws {
        let home = try HelixHome()
        try home.run("tasks", "list")
        for text in ["[.a]\n", "[[.a]]\n", "[ .a ]\n", "a." + String(repeating: "b.", count: 100_000) + "c = 1\n"] {
            try home.write(text, to: "home/config.toml")
            let result = try home.run("cal", "week")
            #expect(result.status == 78)
            #expect(result.errors.contains("line 1"))
        }
        // A string may say what it likes.
        try home.write("[user]\nname = \"\"\"\n[.a]\"\"\"\n", to: "home/config.toml")
        #expect(try home.run("config", "list").status == 0)
    }

    @Test func randomFilesOfSettingsNeverEndTheProgram() throws {
        let home = try HelixHome()
        try home.run("tasks", "list")
        var random = SeededGenerator(seed: 12)
        let pieces = [
            "[", "]", "[[", ".", "a", "user", "name", "\"", "'", "\"\"\"", "=", " = ", "\n", "1", "1e9", "{", "}", ",",
            "#", "\\", "\\u12", "true", "inf", "2026-01-01", "\t", "é", "\u{0}", "-", "_",
        ]
        for _ in 0..<(Corpora.isThorough ? 5000 : 150) {
            let text = (0..<Int.random(in: 1...14, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            try home.write(text, to: "home/config.toml")
            let status = try home.run("config", "list").status
            #expect([0, 78].contains(status), "\(text.debugDescription)")
        }
    }

    @Test(arguments: [20, 1001, 10_000])
    func filtersMayBeAsLongAsTheyLike(_ count: Int) throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "paint the fence")
        let even = String(repeating: "not ", count: count * 2) + "fence"
        #expect(try home.run("tasks", "list", even, "--json").items().count == 1)
        #expect(try home.run("tasks", "list", "not " + even, "--json").items().isEmpty)
        let words = Array(repeating: "fence", count: min(count, 5000)).joined(separator: " ")
        #expect(try home.run("tasks", "list", words, "--json").items().count == 1)
        let either = Array(repeating: "roof", count: min(count, 5000)).joined(separator: " or ") + " or fence"
        #expect(try home.run("tasks", "list", either, "--json").items().count == 1)
        let brackets = String(repeating: "(", count: count) + "fence" + String(repeating: ")", count: count)
        #expect([0, 64].contains(try home.run("tasks", "list", brackets).status))
        for query in [even, words, either, brackets] {
            #expect([0, 64].contains(try home.run("mail", "search", "run", query).status))
            #expect([0, 64].contains(try home.run("chat", "search", query).status))
            #expect([0, 64].contains(try home.run("time", "report", query).status))
        }
    }

    @Test func aRuleThatIsNoneIsAnErrorWithItsReason() throws {
        let home = try HelixHome()
        for rule in ["FREQ=DAILY;COUNT=x", "freq=bad", "FREQ=", "FREQ=DAILY;BYDAY=XX"] {
            let result = try home.run("tasks", "add", "x due:fri", "--repeat", rule)
            #expect(result.status == 64)
            #expect(!result.errors.contains("RecurrenceRuleError"))
        }
    }

    private func change(_ home: HelixHome, _ sql: String) throws {
        let script =
            "import sqlite3; c = sqlite3.connect('\(home.store)'); c.executescript(\"\"\"\(sql)\"\"\"); c.commit()"
        #expect(try home.run(program: "/usr/bin/python3", ["-c", script]).status == 0)
    }

    @Test func aStoreOfAnImpossibleVersionIsDamagedAndSaidSo() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "x")
        try change(home, "PRAGMA user_version = -1")
        for command in [["tasks", "list"], ["doctor"], ["undo"]] {
            let result = try home.run(command)
            #expect(result.status == 74)
            #expect(result.errors.contains("damaged"))
        }
    }

    @Test func damagedWordsAreMadeAnew() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "paint the fence")
        try home.run("cal", "add", "Fence day tomorrow 9:00")
        try change(home, "UPDATE task_text_data SET block = x'ffffffffff' WHERE id > 9")
        try change(home, "UPDATE event_text_data SET block = x'00' WHERE id > 9")
        #expect(try home.run("doctor").status == 74)
        #expect(try home.run("doctor", "--reindex").status == 0)
        #expect(try home.run("search", "fence", "--json").items().count == 2)
    }

    @Test func argumentsAreReadWithoutTheProcessFolder() throws {
        let home = try HelixHome()
        let result = try home.run(
            program: "/usr/bin/unshare",
            ["-rm", "sh", "-c", "mount -t tmpfs none /proc && exec \(HelixHome.binary.path) tasks add Fence --json"])
        if result.errors.contains("unshare") || result.errors.contains("mount") { return }
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("Fence"))
    }

    @Test func timesBeforeNowNeedNoEqualsSign() throws {
        let home = try HelixHome()
        #expect(try home.run("tasks", "add", "Tax", "--due", "-3d", "--json").output.contains("2026-11-15"))
        #expect(try home.run("cal", "agenda", "--from", "-3d", "--to", "-1d").status == 0)
    }

    @Test func whatFollowsTwoDashesIsAWord() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.deliver(mail("Plan", id: "1@x", body: "x y --dry z\n"))
        try home.run("account", "add", "home", "maildir", maildir.path)
        #expect(try home.run("mail", "search", "run", "--count", "--", "y").output == "1\n")
        #expect(try home.run("mail", "search", "run", "--", "nowhere", "--json").output.contains("Nothing"))
    }

    @Test func accentsAndPartsOfWordsAreFoundInAllKinds() throws {
        let home = try HelixHome()
        try home.run("time", "add", "7:00-8:00", "Béta")
        try home.run("projects", "add", "Élan")
        for word in ["Béta", "beta", "BÉTA"] {
            #expect(try home.run("search", word, "--json").items().count == 1, "\(word)")
        }
        for word in ["élan", "ELAN"] { #expect(try home.run("search", word, "--json").items().count == 1) }
        try home.run("tasks", "add", "明日の予定表を送る")
        try home.run("cal", "add", "東京会議室 tomorrow 9:00")
        for word in ["予定", "会議"] { #expect(try home.run("search", word, "--json").items().count == 1, "\(word)") }
        #expect(try home.run("tasks", "list", "予定表", "--json").items().count == 1)
        #expect(try home.run("cal", "search", "京会", "--json").items().count == 1)
    }

    @Test func theDayBeforeTheHoursBelongsToThem() throws {
        let home = try HelixHome()
        let added = try home.run("time", "add", "Work yesterday 8:00-9:00", "--json").output
        #expect(added.contains("2026-11-17T08:00:00"))
        #expect(added.contains("\"Work\""))
    }

    @Test func aLongListOfLongEventsIsBounded() throws {
        let home = try HelixHome()
        let events = (0..<60).map {
            vevent("e\($0)", "DTSTART;VALUE=DATE:20000101", "DTEND;VALUE=DATE:20400101", "SUMMARY:Long \($0)")
        }
        let file = try home.write(
            (["BEGIN:VCALENDAR", "VERSION:2.0"] + events + ["END:VCALENDAR", ""]).joined(separator: "\r\n"),
            to: "long.ics")
        try home.run("cal", "import", file)
        let result = try home.run("cal", "agenda", "--from", "2010-01-01", "--to", "2040-01-01")
        #expect(result.output.contains("listed on their first days only"))
        #expect(result.output.utf8.count < 200_000)
    }

    @Test func aTitleOfTenThousandWordsIsRead() throws {
        let home = try HelixHome()
        let words = Array(repeating: "word", count: 10_000).joined(separator: " ")
        #expect(try home.run("time", "add", "9:00-10:00 " + words).status == 0)
        #expect(try home.run("time", "add", words + " 8:00-9:00").status == 0)
        #expect(try home.run("time", "add", words).status == 64)
        let many = (0..<20_000).map { $0 % 2 == 0 ? "word" : "-c" }
        for command in [["tasks", "list"], ["search"], ["mail", "search"]] {
            let result = try home.run(command + many)
            #expect(result.status == 64)
            #expect(result.errors.contains("more than 2000 options"))
        }
    }
}
