import HelixModel
import HelixTasks
import TestSupport
import Testing

@testable import HelixStore

/// The first tasks of a long list, which are found without reading it whole, are those that sorting all of it finds.
@Suite struct TaskOrderTests {
    /// 400 tasks with random properties: whole days and times, all states, cards for information, dependencies.
    private static func fill(_ test: TestStore, _ random: inout SeededGenerator) throws {
        let dates = DatePhraseParser(now: test.now, zone: test.rome)
        func time(_ days: ClosedRange<Int>) -> TaskTime {
            let day = test.rome.date(test.now) + Int.random(in: days, using: &random)
            // Few different times, so that many tasks are equal.
            return Bool.random(using: &random)
                ? .date(day)
                : .moment(
                    test.rome.instant(CivilDateTime(day, hour: [0, 9, 12, 18].randomElement(using: &random) ?? 0)))
        }
        func isChosen(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
        try test.store.change("", command: "test") { change in
            var open: [EntityID] = []
            for number in 0..<400 {
                var task = TaskChanges()
                task.title = "Task \(number)"
                if isChosen(2) { task.due = .set(time(-30...40)) }
                if isChosen(3) { task.scheduled = .set(time(-5...5)) }
                if isChosen(4) { task.hiddenUntil = .set(time(-2...2)) }
                if isChosen(2), let priority = TaskPriority.allCases.randomElement(using: &random) {
                    task.priority = .set(priority)
                }
                if isChosen(3) { task.project = .set(isChosen(2) ? "house" : "work") }
                task.addedTags = (0..<Int.random(in: 0...3, using: &random)).map { "t\($0)" }
                if isChosen(12) { (task.kind, task.due) = (.info, .keep) }
                if task.kind != .info, isChosen(6), let blocker = open.randomElement(using: &random) {
                    task.blockers = [EntityPrefix(blocker.text)]
                }
                let id = try change.addTask(task, dates: dates)
                if task.kind == .info { continue }
                if isChosen(8) { _ = try change.beginTask(id) }
                if isChosen(5) {
                    _ = try change.completeTask(id, zone: test.rome)
                } else if isChosen(10) {
                    try change.dropTask(id)
                } else {
                    open.append(id)
                }
            }
        }
    }

    private static let filters: [TaskFilter] = [
        .all([.state(.open), .not(.mark(.waiting))]), .state(.open), .everything,
        .all([.state(.open), .kind(.task), .not(.mark(.waiting))]), .all([.state(.open), .tag("t1")]),
        .any([.state(.open), .state(.done)]), .all([.state(.open), .mark(.blocked)]), .mark(.waiting), .state(.done),
        .not(.mark(.waiting)), .all([.mark(.open), .project("house")]),
    ]

    @Test(arguments: Corpora.isThorough ? [1, 2, 3] : [1]) func theFirstAreThoseOfTheWholeList(seed: UInt64) throws {
        let test = try TestStore()
        var random = SeededGenerator(seed: seed)
        try Self.fill(test, &random)
        let all = UrgencyFactor.allCases.map(\.rawValue)
        let coefficients = [
            UrgencyCoefficients(), UrgencyCoefficients(["due": -3, "waiting": 6, "age": 0]),
            UrgencyCoefficients(
                Dictionary(uniqueKeysWithValues: all.map { ($0, Double.random(in: -9...15, using: &random)) })),
            UrgencyCoefficients(Dictionary(uniqueKeysWithValues: all.map { ($0, $0 == "due" ? 40 : 0.5) })),
        ]
        for filter in Self.filters {
            // In order of insertion, so that a stable sort keeps it for equal tasks.
            let found = try test.store.taskIDs(filter, zone: test.rome)
            let tasks = try test.store.tasks(found)
            let byDue = tasks.enumerated().sorted { Self.isDueBefore($0, $1) }.map(\.element.task.id)
            let byLateDue = tasks.enumerated().sorted { Self.isDueBefore($0, $1, reversed: true) }.map(
                \.element.task.id)
            for limit in [0, 1, 7, 50, 150, 399, 1_000] {
                func ids(_ order: TaskOrder, _ urgency: Urgency) throws -> [EntityID] {
                    let list = try test.store.tasks(
                        filter, order: order, limit: limit, zone: test.rome, urgency: urgency)
                    #expect(list.total == tasks.count)
                    return list.tasks.map(\.task.id)
                }
                let usual = Urgency(now: test.now, zone: test.rome)
                #expect(try ids(TaskOrder(.due), usual) == Array(byDue.prefix(limit)), "\(filter) \(limit)")
                #expect(try ids(TaskOrder("-due"), usual) == Array(byLateDue.prefix(limit)), "\(filter) \(limit)")
                for own in coefficients {
                    let urgency = Urgency(coefficients: own, now: test.now, zone: test.rome)
                    let sorted = tasks.map { ($0.task.id, urgency.value($0.urgencyFacts)) }.enumerated()
                        .sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }
                    #expect(
                        try ids(TaskOrder(.urgency), urgency) == Array(sorted.prefix(limit).map(\.element.0)),
                        "\(filter) \(limit) \(own)")
                }
            }
        }
    }

    /// True if a task comes first by due time, then by priority, then by insertion; those without a due time are last. The store
    /// compares whole days by their midnight without a zone.
    private static func isDueBefore(
        _ a: (offset: Int, element: TaskDetails), _ b: (offset: Int, element: TaskDetails), reversed: Bool = false
    ) -> Bool {
        func key(_ at: (offset: Int, element: TaskDetails)) -> (Int64, Int, Int) {
            let seconds: Int64? =
                switch at.element.task.due {
                case .date(let day)?: CivilDateTime(day).seconds
                case .moment(let instant)?: instant.seconds
                case nil: nil
                }
            return (
                seconds.map { reversed ? -$0 : $0 } ?? .max, -(at.element.task.priority?.rawValue ?? 0), at.offset
            )
        }
        return key(a) < key(b)
    }
}
