import Foundation
import TestSupport
import Testing

/// Tasks, boards and dependencies, as a person and as scripts use them.
@Suite struct TasksTests {
    @discardableResult
    private func add(_ home: HelixHome, _ words: String...) throws -> String {
        let made = try home.run(["tasks", "add"] + words + ["--json"])
        return String(try #require(made.items().first?["id"] as? String, "\(made.errors)").prefix(12))
    }

    private func task(_ home: HelixHome, _ id: String) throws -> [String: Any] {
        try home.run("tasks", "show", id, "--json").json()
    }

    @Test func oneLineSaysATask() throws {
        let home = try HelixHome()
        let id = try add(
            home, "Send invoice to Ana +billing project:house due:fri 17:00 priority:high estimate:2h")
        let task = try task(home, id)
        #expect(task["title"] as? String == "Send invoice to Ana")
        #expect(task["due"] as? String == "2026-11-20T17:00:00+01:00")
        #expect(task["estimate"] as? Int == 7200 && task["priority"] as? String == "high")
        #expect(task["tags"] as? [String] == ["billing"] && task["project"] as? String == "house")
        #expect(task["board"] as? String == "main" && task["column"] as? String == "todo")
    }

    @Test func doneCanBeUndoneAndDoneAgain() throws {
        let home = try HelixHome()
        let id = try add(home, "Buy milk")
        try home.run("tasks", "move", id, "doing")
        #expect(try home.run("tasks", "done", id).status == 0)
        #expect(try task(home, id)["status"] as? String == "done")
        #expect(try task(home, id)["column"] as? String == "done")
        try home.run("undo")
        #expect(try task(home, id)["column"] as? String == "doing")
        #expect(try task(home, id)["completed_at"] == nil)
        try home.run("redo")
        #expect(try task(home, id)["status"] as? String == "done")
        // Open again, it goes back to where it stood.
        try home.run("tasks", "reopen", id)
        #expect(try task(home, id)["column"] as? String == "doing")
        #expect(try home.run("doctor").status == 0)
    }

    @Test func movingIntoAColumnForWhatIsDoneFinishesAndOutOfItOpens() throws {
        let home = try HelixHome()
        let id = try add(home, "Card")
        try home.run("tasks", "move", id, "done")
        #expect(try task(home, id)["status"] as? String == "done")
        try home.run("tasks", "move", id, "--prev")
        #expect(try task(home, id)["status"] as? String == "open")
        #expect(try task(home, id)["column"] as? String == "review")
        #expect(try home.run("tasks", "move", id, "nowhere").status == 66)
    }

    @Test func aFullColumnRefusesUnlessAsked() throws {
        let home = try HelixHome()
        let (a, b, c) = (try add(home, "A"), try add(home, "B"), try add(home, "C"))
        try home.run("tasks", "columns", "edit", "doing", "--limit-to", "1")
        // All or none are moved.
        #expect(try home.run("tasks", "move", a, b, "doing").status == 80)
        #expect(try task(home, a)["column"] as? String == "todo")
        #expect(try home.run("tasks", "move", a, "doing").status == 0)
        let refused = try home.run("tasks", "move", b, "doing")
        #expect(refused.status == 80 && refused.errors.contains("1 of at most 1"))
        #expect(try home.run("tasks", "move", b, "doing", "--over-limit").status == 0)
        #expect(try home.run("tasks", "board", "--color", "always").output.contains("\u{1B}[1;31m2/1"))
        #expect(try home.run("tasks", "move", c, "doing").status == 80)
    }

    @Test func cardsKeepTheOrderTheyAreGiven() throws {
        let home = try HelixHome()
        let ids = try ["A", "B", "C", "D"].map { try add(home, $0) }
        try home.run("tasks", "move", ids[3], "--first")
        try home.run("tasks", "move", ids[0], "--after", ids[2])
        try home.run("tasks", "move", ids[1], "--before", ids[0])
        let titles = try home.run("tasks", "list", "--sort", "board", "--jsonl", "--fields", "title").output
        #expect(titles == ["D", "C", "B", "A"].map { "{\"title\": \"\($0)\"}\n" }.joined())
    }

    @Test func scriptsThatMoveAtTheSameTimeLoseNothing() throws {
        let home = try HelixHome()
        let ids = try (0..<12).map { try add(home, "Card \($0)") }
        let script = ids.map { id in
            "'\(HelixHome.binary.path)' tasks move \(id) doing & '\(HelixHome.binary.path)' tasks edit \(id) +x &"
        }.joined(separator: "\n")
        let run = try home.run(program: "/bin/bash", ["-c", script + "\nwait"])
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(try home.run("tasks", "list", "column:doing +x", "--count").output == "12\n")
        #expect(try home.run("doctor").status == 0)
    }

    @Test func whatWaitsForWhatIsKnownAndCirclesAreRefused() throws {
        let home = try HelixHome()
        let (a, b, c) = (try add(home, "Sand"), try add(home, "Paint"), try add(home, "Hang"))
        #expect(try home.run("tasks", "depend", b, a).status == 0)
        #expect(try home.run("tasks", "depend", c, b).status == 0)
        let circle = try home.run("tasks", "depend", a, c)
        #expect(circle.status == 80)
        for title in ["Sand", "Paint", "Hang", "→"] { #expect(circle.errors.contains(title)) }
        #expect(try home.run("tasks", "done", c, "--on-blocked", "fail").status == 80)
        let warned = try home.run("tasks", "move", b, "doing")
        #expect(warned.status == 0 && warned.output.contains("waits for 'Sand'"))
        #expect(try home.run("tasks", "done", a).output.contains("Now free: 'Paint'"))
        #expect(try task(home, b)["blocked"] as? Bool == false)
        try home.run("undo")
        #expect(try task(home, b)["blocked"] as? Bool == true)
        #expect(try home.run("tasks", "depend", "--graph").output.contains("└─"))
        try home.run("tasks", "delete", a, "--yes")
        #expect(try task(home, b)["blocked"] as? Bool == false)
        try home.run("undo")
        #expect(try task(home, b)["blocked_by"] as? [String] != [])
        #expect(try home.run("doctor").status == 0)
    }

    @Test func aFilterChangesManyInOneChangeSetOrOnlySaysSo() throws {
        let home = try HelixHome()
        for number in 0..<5 { try add(home, "Task \(number) project:house") }
        try add(home, "Other")
        let tried = try home.run("tasks", "edit", "project:house", "priority:high", "--dry-run")
        #expect(tried.output.contains("would be changed"))
        #expect(try home.run("tasks", "list", "priority:high", "--count").output == "0\n")
        try home.run("tasks", "edit", "project:house", "priority:high", "+q")
        #expect(try home.run("tasks", "list", "priority>=high +q", "--count").output == "5\n")
        try home.run("undo")
        #expect(try home.run("tasks", "list", "priority:high", "--count").output == "0\n")
        // A word that is no id changes nothing.
        #expect(try home.run("tasks", "done", "Task").status == 66)
    }

    @Test func idsComeFromStandardInput() throws {
        let home = try HelixHome()
        let ids = try [add(home, "A +x"), add(home, "B +x")]
        let listed = try home.run("tasks", "list", "+x", "--ids").output
        #expect(try home.run(["tasks", "done", "-"], input: listed).status == 0)
        for id in ids { #expect(try task(home, id)["status"] as? String == "done") }
    }

    @Test func whatComesAgainComesOnceWhoeverFinishesIt() throws {
        let home = try HelixHome()
        let id = try add(home, "Review", "--repeat", "weekly", "--due", "fri")
        let done = try home.run("tasks", "done", id)
        #expect(done.output.contains("Recurs Fri 27 Nov 2026"))
        let next = try #require(try home.run("tasks", "list", "--json").items().first?["id"] as? String)
        // The same instance again after undo and done: the same identity.
        try home.run("undo")
        try home.run("tasks", "done", id)
        #expect(try home.run("tasks", "list", "--json").items().first?["id"] as? String == next)
        try home.run("tasks", "reopen", id)
        try home.run("tasks", "done", id)
        #expect(try home.run("tasks", "list", "--count").output == "1\n")
        let after = try add(home, "Water", "--repeat", "3 days after done", "--due", "today")
        #expect(try home.run("tasks", "done", after).output.contains("Sat 21 Nov 2026"))
    }

    @Test(arguments: [40, 80, 120, 200])
    func theBoardFitsItsWidth(width: Int) throws {
        let home = try HelixHome()
        try add(home, "A title that goes over more than one line of a narrow column +tag due:today priority:critical")
        try add(home, "日本語のとても長いタスクの名前です column:doing")
        try add(home, String(repeating: "x", count: 300), "column:review")
        let board = try home.run("tasks", "board", "--width", "\(width)").output
        for line in board.split(separator: "\n") {
            let columns = line.unicodeScalars.reduce(0) { $0 + ($1.value > 0x2E80 && $1.value < 0xFF00 ? 2 : 1) }
            #expect(columns <= width, "\(line)")
        }
        #expect(board.contains("todo") && board.contains("done"))
        let ascii = try home.run("tasks", "board", "--ascii", "--width", "\(width)").output
        #expect(ascii.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func lanesAreDrawnByAnyField() throws {
        let home = try HelixHome()
        try add(home, "One project:house +a due:today for:ana priority:low")
        try add(home, "Two")
        for field in ["project", "priority", "assignee", "tag", "due"] {
            let board = try home.run("tasks", "board", "--group-by", field)
            #expect(board.status == 0 && board.output.components(separatedBy: "▸").count == 3, "\(field)")
        }
    }

    @Test func titlesThatWouldSteerATerminalAreHarmless() throws {
        let home = try HelixHome()
        try add(home, "a\u{1B}[31mb\tc\u{202E}d\ne")
        try add(home, String(repeating: "y", count: 10_000))
        for command in [["tasks", "list"], ["tasks", "board"], ["tasks", "next"], ["today"], ["status"]] {
            let shown = try home.run(command)
            #expect(shown.status == 0)
            #expect(!shown.output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" || $0 == "\t" })
        }
    }

    @Test func savedViewsStandInFilters() throws {
        let home = try HelixHome()
        try add(home, "One +x")
        try add(home, "Two")
        #expect(try home.run("tasks", "view", "save", "mine", "+x").status == 0)
        #expect(try home.run("tasks", "list", "@mine", "--count").output == "1\n")
        #expect(try home.run("tasks", "view", "save", "bad", "colour:red").status == 64)
        #expect(try home.run("tasks", "list", "@none").status == 64)
    }

    @Test func timeIsBookedBeforeATaskIsDue() throws {
        let home = try HelixHome()
        let id = try add(home, "Report estimate:2h due:fri 12:00")
        try home.run("cal", "add", "Meeting today 11:00 for 5h")
        let booked = try home.run("tasks", "schedule", id, "--json")
        #expect(try booked.items().first?["start"] as? String == "2026-11-19T09:00:00+01:00")
        let links = try task(home, id)["links"] as? [String]
        #expect(links == [try #require(try booked.items().first?["id"] as? String)])
        let tight = try add(home, "Too long estimate:40h due:fri")
        #expect(try home.run("tasks", "schedule", tight).status == 80)
    }

    @Test func aFreshHomeIsMadeOnceHoweverManyBeginAtOnce() throws {
        for _ in 0..<5 {
            let home = try HelixHome()
            let script = (0..<6).map { "'\(HelixHome.binary.path)' tasks add 'Task \($0)' >/dev/null &" }
                .joined(separator: "\n")
            let run = try home.run(program: "/bin/bash", ["-c", script + "\nwait"])
            #expect(run.errors.isEmpty, "\(run.errors)")
            #expect(try home.run("tasks", "list", "--count").output == "6\n")
        }
    }

    @Test func aTagIsTakenAwayWithOneDash() throws {
        let home = try HelixHome()
        let id = try add(home, "Call +phone +home")
        try add(home, "Other +home")
        #expect(try home.run("tasks", "list", "+home", "-phone", "--count").output == "1\n")
        #expect(try home.run("tasks", "edit", id, "-phone").status == 0)
        #expect(try task(home, id)["tags"] as? [String] == ["home"])
        #expect(try home.run("tasks", "edit", id, "-p", "house").status == 0)
        #expect(try task(home, id)["project"] as? String == "house")
    }

    @Test func whatIsDueOnThe31stComesEveryMonth() throws {
        let home = try HelixHome()
        let id = try add(home, "Rent due:2026-10-31 repeat:monthly")
        #expect(try home.run("tasks", "done", id).output.contains("Mon 30 Nov 2026"))
    }

    @Test func onlyAClockFollowsADate() throws {
        let home = try HelixHome()
        let one = try task(home, try add(home, "Buy due:mon 2 of them"))
        #expect(one["title"] as? String == "Buy 2 of them" && one["due"] as? String == "2026-11-23")
        let other = try task(home, try add(home, "Call due:next fri 5pm Ana"))
        #expect(other["title"] as? String == "Call Ana" && other["due"] as? String == "2026-11-27T17:00:00+01:00")
    }

    @Test func lookingAtABoardChangesNothing() throws {
        let home = try HelixHome()
        for command in [["tasks", "board"], ["tasks", "columns"], ["tasks", "boards"], ["tasks", "stats"]] {
            #expect(try home.run(command).status == 0, "\(command)")
        }
        #expect(try home.run("history", "--json").items().isEmpty)
    }

    @Test func aLimitHoldsForEveryList() throws {
        let home = try HelixHome()
        for title in ["A", "B", "C"] { try add(home, title) }
        for command in [
            ["tasks", "board"], ["tasks", "columns"], ["tasks", "list"], ["today"],
            ["tasks", "edit", "id:0 or +open", "+x"],
        ] {
            let cut = try home.run(command + ["--limit", "1", "--json"]).json()
            #expect((cut["items"] as? [Any])?.count ?? 0 <= 1, "\(command)")
        }
        #expect(try home.run("tasks", "board", "--limit", "1", "--json").json()["truncated"] as? Bool == true)
    }

    @Test func finishingAWholeSaysWhatPartsStayOpen() throws {
        let home = try HelixHome()
        let id = try #require(try home.run("tasks", "add", "Whole", "--json").items().first?["id"] as? String)
        try home.run("tasks", "add", "Part", "--parent", id)
        let done = try home.run("tasks", "done", id, "--json").json()
        #expect((done["remarks"] as? [String])?.first?.contains("'Part'") == true)
        #expect(try home.run("tasks", "done", "text:part", "--at", "tomorrow 9:00").status == 64)
    }

    @Test func aBoardKeepsAPlaceForWhatIsDone() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "Any")
        #expect(try home.run("tasks", "columns", "edit", "done", "--no-done").status == 80)
        #expect(try home.run("tasks", "columns", "delete", "done").status == 80)
        #expect(try home.run("tasks", "columns", "edit", "review", "--done").status == 0)
        #expect(try home.run("tasks", "columns", "delete", "done").status == 0)
    }

    @Test func viewsCannotNameThemselvesThroughOthers() throws {
        let home = try HelixHome()
        #expect(try home.run("tasks", "view", "save", "a", "+one").status == 0)
        #expect(try home.run("tasks", "view", "save", "b", "@a or +two").status == 0)
        let circle = try home.run("tasks", "view", "save", "A", "@b")
        #expect(circle.status == 80 && circle.errors.contains("refer to itself"))
        #expect(try home.run("tasks", "view", "delete", "a").errors.contains("@b"))
    }

    @Test func aTaskIsBookedOnce() throws {
        let home = try HelixHome()
        let id = try #require(
            try home.run("tasks", "add", "Write estimate:1h due:fri", "--json").items().first?["id"] as? String)
        #expect(try home.run("tasks", "schedule", id).status == 0)
        #expect(try home.run("tasks", "schedule", id).status == 80)
        #expect(try home.run("tasks", "schedule", id, "--again").status == 0)
        #expect(try home.run("cal", "agenda", "this", "week", "--json").items().count == 2)
    }

    @Test(arguments: [("!+phone", 1), ("not +phone", 1), ("-phone", 1), ("+phone", 1), ("!text:call", 1)])
    func aFilterIsTurnedRound(filter: String, count: Int) throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "Call +phone")
        try home.run("tasks", "add", "Write")
        #expect(try home.run("tasks", "list", filter, "--json").items().count == count)
    }

    @Test func bulkEditsOfWordsAreFoundAndUndone() throws {
        let home = try HelixHome()
        for number in 0..<30 { try home.run("tasks", "add", "Fence post \(number) project:garden") }
        #expect(try home.run("tasks", "edit", "project:garden", "+wood", "priority:high").status == 0)
        #expect(try home.run("tasks", "search", "wood", "--json").items().count == 30)
        try home.run("tasks", "delete", "text:fence", "--yes")
        #expect(try home.run("tasks", "search", "wood", "--json").items().isEmpty)
        try home.run("undo")
        try home.run("undo")
        #expect(try home.run("tasks", "search", "wood", "--json").items().isEmpty)
        #expect(try home.run("tasks", "search", "fence", "--json").items().count == 30)
        #expect(try home.run("doctor").status == 0)
    }
}
