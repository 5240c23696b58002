import Foundation
import TestSupport
import Testing

/// Lines of tasks: what is typed is understood or refused, and never stored wrong.
@Suite struct TaskLineTests {
    @discardableResult
    private func add(_ home: HelixHome, _ words: String...) throws -> String {
        let made = try home.run(["tasks", "add"] + words + ["--json"])
        return String(try #require(made.items().first?["id"] as? String, "\(made.errors)").prefix(12))
    }

    private func task(_ home: HelixHome, _ id: String) throws -> [String: Any] {
        try home.run("tasks", "show", id, "--json").json()
    }

    /// Today is Wednesday 18 November 2026.
    @Test(arguments: [
        ("call bank due:dec 15", "call bank", "2026-12-15"), ("x due:monday next week", "x", "2026-11-23"),
        ("x due:last friday of the month", "x", "2026-11-27"), ("x due:tomorrow noon", "x", "2026-11-19T12:00"),
        ("due:fri call bank", "call bank", "2026-11-20"), ("buy due:mon 2 eggs", "buy 2 eggs", "2026-11-23"),
        ("x due:fri 17:00 y", "x y", "2026-11-20T17:00"), ("x due:in 2 weeks", "x", "2026-12-02"),
        ("x due:\"next friday\" y", "x y", "2026-11-27"), ("x due:15 dec at 9am", "x", "2026-12-15T09:00"),
        ("Dinner due:fri for 2 people", "Dinner for 2 people", "2026-11-20"),
        ("Meet due:fri at Home", "Meet at Home", "2026-11-20"),
        ("Buy due:fri at 5 Main St", "Buy at 5 Main St", "2026-11-20"),
    ])
    func aTimeOfSeveralWordsIsReadWhole(line: String, title: String, due: String) throws {
        let made = try HelixHome().run("tasks", "add", line, "--json")
        let task = try #require(try made.items().first, "\(line): \(made.errors)")
        #expect(task["title"] as? String == title, "\(line)")
        #expect((task["due"] as? String)?.hasPrefix(due) == true, "\(line): \(task["due"] ?? "")")
    }

    @Test(arguments: [
        "x due:tomorrow eod", "x repeat:mon wed", "x due:fri due:mon", "x due=tomorrow", "x priority>high",
        "x due.before:fri", "x project:a project:b", "x repeat:banana", "x estimate:soon",
        "x due:fri until 5", "x repeat:every monday at 9", "x repeat:every 3 months from 1 jan",
        "x estimate:half a day", "Call due:dec 1-3", "Call due:dec 1 - 3", "x due:fri 25:00", "x due:fri at 10 or 11",
        "x due:fri Europe/Berln", "x due:fri 14:00-15:00", "x due:fri Asia/Tokyo", "x tags:a,-b", "x due:nov",
        "x due:2026",
        "x due:\"28 mar 2027 2:30\"",
    ])
    func whatIsHalfUnderstoodIsRefused(line: String) throws {
        let home = try HelixHome()
        let made = try home.run("tasks", "add", line)
        #expect(made.status == 64 && made.output.isEmpty, "\(line)")
        #expect(try home.run("tasks", "list", "--json").items().isEmpty)
    }

    @Test func repetitionsAndLengthsMayHaveSeveralWords() throws {
        let home = try HelixHome()
        for (line, title, phrase) in [
            ("x repeat:3 days after done", "x", "3 days after it is done"),
            ("repeat:every monday clean", "clean", "on Mon"),
            ("y repeat:monthly 10 times due:fri", "y", "10 times"),
            ("z repeat:last friday of the month", "z", "on the last Fri"),
        ] {
            let made = try home.run("tasks", "add", line)
            #expect(
                made.output.contains(title) && made.output.contains(phrase), "\(line): \(made.output)\(made.errors)")
        }
        let id = try add(home, "call estimate:2 hours")
        #expect(try task(home, id)["estimate"] as? Int == 7200)
    }

    @Test func anEditMovesFromTheTimeThatIsThere() throws {
        let home = try HelixHome()
        let id = try add(home, "x due:2026-12-01 +a")
        try home.run("tasks", "edit", id, "due:+1w")
        #expect(try task(home, id)["due"] as? String == "2026-12-08")
        try home.run("tasks", "edit", id, "due:17:00")
        #expect((try task(home, id)["due"] as? String)?.hasPrefix("2026-12-08T17:00") == true)
        try home.run("tasks", "edit", id, "due:-2d")
        #expect((try task(home, id)["due"] as? String)?.hasPrefix("2026-12-06T17:00") == true)
        try home.run("tasks", "edit", id, "tags:b,c")
        #expect(try task(home, id)["tags"] as? [String] == ["b", "c"])
        try home.run("tasks", "edit", id, "tags:none")
        #expect(try task(home, id)["tags"] as? [String] == [])
    }

    @Test func anOptionDoesNotContradictTheLine() throws {
        let home = try HelixHome()
        #expect(try home.run("tasks", "add", "x due:fri", "--due", "mon").status == 64)
        #expect(try home.run("tasks", "add", "x due:fri", "--due", "fri").status == 0)
        #expect(try home.run("cal", "add", "Lunch fri 12:30 at Roma", "--location", "Milano").status == 64)
    }

    @Test func wordsOfTimeInATitleAreSaid() throws {
        let home = try HelixHome()
        let made = try home.run("tasks", "add", "call bank friday 5pm")
        #expect(made.status == 0 && made.errors.contains("due:\"friday 5pm\""))
        #expect(!(try home.run("tasks", "add", "Buy milk").errors.contains("due:")))
    }

    @Test func anEmptyAnswerSaysWhatThereIsNot() throws {
        let home = try HelixHome()
        try add(home, "paint project:house")
        #expect(try home.run("tasks", "list", "project:housse").errors.contains("did you mean 'house'"))
        #expect(try home.run("tasks", "list", "project:house paint").errors.contains("one value"))
        #expect(try home.run("tasks", "list", "board:nope").errors.contains("Unknown board 'nope'"))
        for wrong in ["due < fri", "pay | paint", "project:house, due:fri", "project:h*", "due~fri"] {
            #expect(try home.run("tasks", "list", wrong).status == 64, "\(wrong)")
        }
        #expect(try home.run("tasks", "done", "paint").errors.contains("text:paint"))
    }

    @Test func aTitleIsChangedByItsFieldAlone() throws {
        let home = try HelixHome()
        let id = try #require(try home.run("tasks", "add", "Alpha", "--json").items().first?["id"] as? String)
        for words in [
            ["annotate", "foo"], ["step:1"], ["A better title"], ["due:fri", "soon"], ["title:Beta", "+x", "y"],
        ] {
            #expect(
                try home.run(["tasks", "edit", id] + words).status == (words.first == "title:Beta" ? 0 : 64), "\(words)"
            )
        }
        #expect(try home.run("tasks", "list", "--json").items().first?["title"] as? String == "Beta y")
    }

    @Test func changesTouchExactlyWhatTheListShows() throws {
        let home = try HelixHome()
        for title in ["Old", "New", "Later wait:+9d"] { try home.run("tasks", "add", title, "project:web") }
        try home.run("tasks", "done", "text:Old")
        #expect(try home.run("tasks", "list", "project:web", "--json").items().count == 1)
        let exported = try home.run("tasks", "export", "project:web", "--format", "csv")
        #expect(exported.output.split(whereSeparator: \.isNewline).count == 2 && exported.errors.contains("2 more are"))
        let deleted = try home.run("tasks", "delete", "project:web", "--yes")
        #expect(
            deleted.output.contains("New") && !deleted.output.contains("Old") && deleted.errors.contains("status:all"))
        #expect(try home.run("tasks", "list", "project:web status:all", "--json").items().count == 2)
    }

    @Test func theAnswerShowsEachFieldThatWasStored() throws {
        let home = try HelixHome()
        let parent = try #require(try home.run("tasks", "add", "Whole", "--json").items().first?["id"] as? String)
        let said = try home.run(
            "tasks", "add", "Part due:2026-12-04 scheduled:2026-12-01 wait:2026-11-30 estimate:2h repeat:weekly",
            "parent:\(parent)", "depends:\(parent)", "note:see wiki page", "assignee:Ana")
        for text in [
            "Fri 4 Dec 2026", "Tue 1 Dec 2026", "Mon 30 Nov 2026", "2h", "every week", "Fri 11 Dec 2026",
            "Fri 18 Dec 2026", "Fri 25 Dec 2026", "part of", "waits for", "see wiki page", "Ana",
        ] {
            #expect(said.output.contains(text), "\(text)")
        }
    }

    @Test func aWordAloneIsTheBoard() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "Home page")
        try home.run("tasks", "boards", "add", "Home")
        try home.run("tasks", "add", "Sweep board:Home")
        let drawn = try home.run("tasks", "board", "Home")
        #expect(drawn.output.contains("Sweep") && !drawn.output.contains("page"))
        #expect(try home.run("tasks", "board", "nope").status != 0)
        #expect(try home.run("tasks", "board", "text:page").output.contains("Home page"))
    }

    @Test func filtersReadNegatedFieldsModifiersAndListsOfTags() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "One +a +b project:web due:2026-12-01")
        try home.run("tasks", "add", "Two +a,c due:2027-02-01")
        func titles(_ filter: String) throws -> [String] {
            try home.run("tasks", "list", filter, "--json").items().compactMap { $0["title"] as? String }.sorted()
        }
        #expect(try titles("-project:web") == ["Two"])
        #expect(try titles("due.before:2027-01-01") == ["One"])
        #expect(try titles("due.after:2027-01-01") == ["Two"])
        #expect(try titles("+a,b") == ["One"])
        #expect(try titles("+a,c") == ["Two"])
        #expect(try titles("-b,c") == [])
        #expect(try titles("project.not:web") == ["Two"])
        for (filter, named) in [("prject:web", "project"), ("due.soon:fri", ".before"), ("foo:1", "priority")] {
            let refused = try home.run("tasks", "list", filter)
            #expect(refused.status == 64 && refused.errors.contains(named), "\(filter)")
        }
    }

    @Test func aMistypedFieldIsNoTitle() throws {
        let home = try HelixHome()
        let id = try #require(try home.run("tasks", "add", "Pay", "--json").items().first?["id"] as? String)
        let refused = try home.run("tasks", "edit", id, "dues:fri")
        #expect(refused.status == 64 && refused.errors.contains("due:fri"))
        #expect(try home.run("tasks", "add", "Pay the rent prioritty:high").status == 64)
        for title in ["Re: the invoice", "See http://example.org", "Ratio 3:4", "std::map", "\"foo:bar\" fits"] {
            #expect(try home.run("tasks", "add", title).status == 0)
        }
    }

    @Test func whatIsBookedOrComesAgainIsNotForgotten() throws {
        let home = try HelixHome()
        let id = try #require(
            try home.run("tasks", "add", "Write estimate:1h due:fri", "--json").items().first?["id"] as? String)
        try home.run("tasks", "schedule", id)
        #expect(try home.run("tasks", "done", id).output.contains("still booked"))
        try home.run("tasks", "add", "Water", "--repeat", "weekly")
        #expect(try home.run("tasks", "drop", "text:water").output.contains("does not recur any more"))
    }

    /// The shell takes the quotes away, and gives one argument.
    @Test func aValueOfSeveralWordsStaysOne() throws {
        let home = try HelixHome()
        let id = try #require(
            try home.run("tasks", "add", "Alpha", "project:big house", "--json").items().first?["id"] as? String)
        try home.run("tasks", "add", "Beta project:big")
        func task() throws -> [String: Any] { try home.run("tasks", "show", id, "--json").json() }
        #expect(try task()["title"] as? String == "Alpha")
        #expect(try task()["project"] as? String == "big house")
        #expect(try home.run("tasks", "list", "project:big house", "--json").items().count == 1)
        #expect(try home.run("tasks", "edit", id, "note:see wiki page").status == 0)
        #expect(try task()["title"] as? String == "Alpha")
        #expect(try task()["notes"] as? String == "see wiki page")
        #expect(try home.run("tasks", "edit", id, "project:small house").status == 0)
        #expect(try task()["title"] as? String == "Alpha")
        #expect(try task()["project"] as? String == "small house")
    }

    /// Plain words take the place of a list, signed ones change it.
    @Test(arguments: [
        "--tag c => c", "--tag=-b => a", "--tag +c => a b c", "tags:-a => b", "tag:+c,d => a b c d", "--tag none =>",
        "--tag c,d => c d", "+c,-b => refused", "--tag +x --tag=-x => refused", "+x -x => refused",
    ])
    func listsOfTagsAreChangedBySigns(row: String) throws {
        let parts = row.components(separatedBy: " =>")
        let words = parts[0].split(separator: " ").map(String.init)
        let tags = parts[1].split(separator: " ").map(String.init)
        let home = try HelixHome()
        let id = try add(home, "One +a +b")
        let changed = try home.run(["tasks", "edit", id] + words)
        if tags == ["refused"] {
            #expect(changed.status == 64, "\(words)")
            return
        }
        #expect(changed.status == 0, "\(words): \(changed.errors)")
        #expect(try task(home, id)["tags"] as? [String] ?? [] == tags, "\(words)")
    }

    @Test func aRepetitionEndsOnADayThatIsSaidBesideIt() throws {
        let home = try HelixHome()
        let made = try home.run("tasks", "add", "Water due:fri repeat:weekly until:dec 11")
        #expect(made.status == 0 && made.output.contains("until Fri 11 Dec 2026"), "\(made.output)\(made.errors)")
        for line in [
            "x until:fri", "x due:fri repeat:\"weekly until dec 1\" until:dec 11",
            "x due:fri repeat:weekly until:yesterday",
        ] {
            #expect(try home.run("tasks", "add", line).status == 64, "\(line)")
        }
        let id = try add(home, "Old")
        #expect(try home.run("tasks", "edit", id, "--title", "New").status == 0)
        #expect(try task(home, id)["title"] as? String == "New")
        #expect(try home.run("tasks", "edit", id, "title:A", "--title", "B").status == 64)
        let card = try home.run("tasks", "edit", id, "notes:x")
        #expect(card.output.contains("board"), "where it lies is said: \(card.output)")
    }
}
