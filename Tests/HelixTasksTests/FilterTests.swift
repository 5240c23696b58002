import HelixModel
import HelixTasks
import TestSupport
import Testing

@Suite struct FilterTests {
    private let parser = TaskQueryParser(
        dates: DatePhraseParser(now: Instant(1_795_252_800), zone: .utc), me: ["ana@example.org"],
        saved: { $0 == "mine" ? "assignee:me +open" : nil })

    @Test func partsHoldTogetherUnlessOrStandsBetweenThem() throws {
        let filter = try parser.filter("project:house priority>=high (+billing or -waiting) not milk")
        #expect(
            filter
                == .all([
                    .project("house"), .priority(.greaterOrEqual, .high),
                    .any([.tag("billing"), .not(.mark(.waiting))]), .not(.text("milk")),
                ]))
    }

    @Test func orBindsLooserThanAnd() throws {
        #expect(
            try parser.filter("a b or c and d")
                == .any([.all([.text("a"), .text("b")]), .all([.text("c"), .text("d")])]))
    }

    @Test func quotesHoldBlanksAndTakeAwayMeaning() throws {
        #expect(try parser.filter("project:\"my house\"") == .project("my house"))
        #expect(try parser.filter("\"or\" \"+x\"") == .all([.phrase("or"), .phrase("+x")]))
        #expect(try parser.filter("due:\"this week\"") != .everything)
    }

    @Test func aSavedViewStandsForItsFilter() throws {
        #expect(
            try parser.filter("@mine x")
                == .all([
                    .all([.any([.property("assignee", "ana@example.org"), .property("assignee", "me")]), .mark(.open)]),
                    .text("x"),
                ]))
    }

    @Test(arguments: [
        ("priority>=hihg", "^^^^^^^^^^^^^^"), ("(a b", "^"), ("a)", " ^"), ("colour:red", "^^^^^^^^^^"),
        ("due<florp", "^^^^^^^^^"), ("a or", "  ^^"), ("estimate:x", "^^^^^^^^^^"),
        ("+a project<b", "   ^^^^^^^^^"), ("@nobody", "^^^^^^^"), ("not", "^^^"), ("\"open", "^^^^^"),
        ("project: house", "^^^^^^^^"), ("due.foo:fri", "^^^^^^^^^^^"), ("a and", "  ^^^"), ("and a", "^^^"),
        ("()", " ^"), ("x (", "  ^"), ("kind:tsak", "^^^^^^^^^"), ("due:..", "^^^^^^"), ("a*b", "^^^"),
    ])
    func whatIsWrongIsPointedAt(filter: String, place: String) {
        let error = #expect(throws: HelixError.self) { try parser.filter(filter) }
        #expect(error?.code == .usage)
        #expect(error?.message.hasSuffix("\n  \(filter)\n  \(place)") == true)
    }

    @Test func aLineSaysATask() throws {
        let lines = TaskLineParser(dates: DatePhraseParser(now: Instant(1_795_252_800), zone: .utc))
        let changes = try lines.changes(
            "Send invoice to Ana +billing project:house due:fri 17:00 priority:high estimate:2h -5 C++ http://x.org/a:b"
        )
        #expect(changes.title == "Send invoice to Ana -5 C++ http://x.org/a:b")
        #expect(changes.addedTags == ["billing"] && changes.removedTags == [])
        #expect(changes.project == .set("house") && changes.priority == .set(.high) && changes.estimate == .set(7200))
        guard case .set(.moment(let due)) = changes.due else {
            Issue.record("no due time")
            return
        }
        #expect(CivilDateTime(seconds: due.seconds).hour == 17)
        #expect(try lines.changes("due:fri Buy 2 eggs").title == "Buy 2 eggs")
        #expect(try lines.changes("title:\"Call Ben\" +x").title == "Call Ben")
        #expect(try lines.changes("title:Call Ben").title == "Call Ben")
        #expect(throws: HelixError.self) { try lines.changes("title: of the book") }
        #expect(try lines.changes("due:none").due == .clear)
        #expect(throws: HelixError.self) { try lines.changes("x due:whenever") }
    }

    /// Fields, times, quotes and signs at random end in a task or a refusal; nothing of a field is in the title.
    @Test(arguments: 1...4) func noiseInLinesIsReadOrRefused(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let lines = TaskLineParser(dates: DatePhraseParser(now: Instant(1_795_252_800), zone: .utc))
        let words = [
            "due:", "fri", "17:00", "due:eom", "wait:+3d", "+a", "-b", "+", "-", "project:", "house", "\"big house\"",
            "\"", "note:", "priority:high", "repeat:", "weekly", "every", "2", "weeks", "until", "estimate:1h", "1h30",
            "tags:a,b", "title:", "--", "http://x.org/a:b", "10:30", ":", "::", "x:y", "due.before:", "Buy", "eggs",
            "'",
            "none", "board:", "column:doing", "(", ")", "and", "\u{200B}", "é", "\\", "@me",
        ]
        for _ in 0..<Corpora.samples(8_000, thorough: 25_000) {
            var line = ""
            for _ in 0..<Int.random(in: 1...10, using: &random) {
                line += words.randomElement(using: &random)! + (Int.random(in: 0..<4, using: &random) > 0 ? " " : "")
            }
            guard let changes = try? lines.changes(line) else { continue }
            for field in [" due:eom ", " priority:high ", " estimate:1h ", " column:doing "] {
                let title = " \(changes.title ?? "") "
                let isTitle = ["\"", "title:", "--"].contains(where: line.contains)
                #expect(!title.contains(field) || isTitle, "\(line)")
            }
        }
    }

    @Test func aCircleOfDependenciesIsFoundWithItsPath() {
        var graph = DependencyGraph()
        let ids = (0..<4).map { _ in EntityID() }
        graph.add(blocker: ids[0], blocked: ids[1])
        graph.add(blocker: ids[1], blocked: ids[2])
        #expect(graph.cycle(ifBlocking: ids[0], by: ids[2]) == [ids[2], ids[0], ids[1], ids[2]])
        #expect(graph.cycle(ifBlocking: ids[3], by: ids[2]) == nil)
        #expect(graph.cycle(ifBlocking: ids[3], by: ids[3]) != nil)
    }

    @Test func anInstanceOfASeriesIsTheSameWhoeverMakesIt() {
        let series = EntityID()
        let day = TaskTime.date(CivilDate(dayNumber: 20_000))
        #expect(TaskSeries.instance(of: series, at: day) == TaskSeries.instance(of: series, at: day))
        #expect(TaskSeries.instance(of: series, at: day) != TaskSeries.instance(of: EntityID(), at: day))
    }
}
