import HelixModel
import HelixSQLite
import HelixTasks
import TestSupport
import Testing

@testable import HelixStore

/// The list of kinds and the columns of records agree with the tables.
@Suite struct EntityDescriptorTests {
    /// The columns of a table.
    private func columns(_ table: String, _ store: Store) throws -> Set<String> {
        Set(
            try store.read {
                try String.fetchAll($0, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
            })
    }

    @Test(arguments: EntityKind.allCases) func theTableHasTheJournaledColumns(_ kind: EntityKind) throws {
        let test = try TestStore()
        let table = EntityDescriptor.of(kind).table
        #expect(table.kind == kind && EntityDescriptor.of(kind).kind == kind)
        let missing = Set(table.columns + ["id"]).subtracting(try columns(table.name, test.store))
        #expect(missing.isEmpty, "\(missing)")
        if let index = table.textIndex { #expect(try !columns(index, test.store).isEmpty) }
        // The title can be read for any row.
        #expect(try test.store.read { try Store.title($0, kind, EntityID()) } == "")
    }

    @Test func everyColumnOfARecordIsRead() throws {
        let test = try TestStore()
        // Those that the store derives itself.
        let derived: Set = ["n", "id", "blockers", "blocking"]
        func expect(_ table: String, _ names: [String]) throws {
            let there = try columns(table, test.store)
            #expect(there.subtracting(derived) == Set(names), "\(table)")
        }
        try expect("task", TaskRecord.layout.columns.map(\.name))
        try expect("time_entry", TimeRecord.layout.columns.map(\.name))
        try expect("project", ProjectRecord.layout.columns.map(\.name))
        try expect("material", MaterialRecord.layout.columns.map(\.name))
    }

    @Test func theViewHasTheKindsThatAnIDFinds() throws {
        let test = try TestStore()
        try test.add("Standup", day: 19)
        let project = ProjectRecord(name: "house", createdAt: test.now)
        try test.store.change("", command: "test") { change in
            try change.addProject(project)
            try change.addMaterial(
                MaterialRecord(project: project.id, name: "Pipe", quantity: 3, unit: "m", unitPrice: 4))
        }
        let kinds = try test.store.read {
            try String.fetchAll($0, sql: "SELECT DISTINCT kind FROM entity ORDER BY kind")
        }
        #expect(kinds == ["calendar", "event", "material", "project"])
        #expect(EntityDescriptor.all.count == EntityKind.allCases.count)
    }

    /// A task with a value in every field, or in none.
    private func randomTask(_ random: inout some RandomNumberGenerator, column: EntityID, now: Instant) -> TodoTask {
        func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &random) ? value : nil }
        func text() -> String { ["plain", "\"quoted\" 'text'", "会議", "a\nb", "🙂"].randomElement(using: &random) ?? "" }
        func time() -> TaskTime? {
            let seconds = Int64.random(in: -2_000_000_000...4_000_000_000, using: &random)
            return maybe(
                Bool.random(using: &random)
                    ? .moment(Instant(seconds)) : .date(CivilDateTime(seconds: seconds).date))
        }
        var task = TodoTask(
            title: text(), column: column, rank: "a",
            createdAt: Instant(Int64.random(in: 0...4_000_000_000, using: &random)))
        task.notes = maybe(text())
        task.kind = TaskKind.allCases.randomElement(using: &random) ?? .task
        task.state = TaskState.allCases.randomElement(using: &random) ?? .open
        task.priority = maybe(.high)
        (task.due, task.scheduled, task.hiddenUntil) = (time(), time(), time())
        task.estimate = maybe(Int.random(in: 0...1_000_000, using: &random))
        task.tags = maybe(["one", "two"]) ?? []
        task.block = maybe(text())
        task.checklist = maybe([ChecklistItem(text(), done: true)]) ?? []
        task.assignee = maybe(text())
        task.series = maybe(EntityID())
        (task.uid, task.source, task.extra) = (maybe(text()), maybe(text()), maybe(text()))
        task.percent = maybe(40)
        (task.startedAt, task.completedAt) = (maybe(now), maybe(now))
        return task
    }

    @Test func aTaskIsReadAsItWasWritten() throws {
        let test = try TestStore()
        var random = SeededGenerator(seed: 24)
        let column = try #require(try test.store.change("", command: "test") { try $0.board(named: nil) }.columns.first)
        for _ in 0..<200 {
            let task = randomTask(&random, column: column.id, now: test.now)
            try test.store.change("add", command: "test") { try $0.insert(task) }
            var expected = task
            expected.modifiedAt = test.now
            #expect(try test.store.task(task.id).task == expected)
            let fields = try test.store.read { try JournaledTable.table(.task).row($0, task.id) }
            #expect(fields == TaskRecord.layout.fields(task))
        }
    }

    @Test func onlyItsOriginSaysThatAChangeCameFromElsewhere() throws {
        let test = try TestStore()
        try test.add("Mine", day: 19)
        try test.store.change("sync 'work'", from: .sync) { _ = try $0.addCalendar("theirs") }
        // The words of a command mean nothing.
        #expect(try test.store.undoable(limit: 5).map(\.summary) == ["add Mine"])
        try test.store.change("mine, too", command: "sync") { _ = try $0.addCalendar("mine") }
        #expect(try test.store.undoable(limit: 5).map(\.summary) == ["mine, too", "add Mine"])
        #expect(try test.store.history(limit: 2).map(\.origin) == [.command, .sync])
    }
}
