import HelixModel
import HelixTasks
import Testing

@testable import HelixSQLite
@testable import HelixStore

/// A store that a program serves from for weeks.
@Suite struct ServingTests {
    @Test func whatWasPreparedForOneMomentIsNotKeptForEver() throws {
        let home = try TestStore()
        let store = home.store
        for second in 0..<2_000 {
            store.now = home.now + second
            #expect(try store.taskCount(.mark(.overdue), zone: home.rome) == 0)
            store.didServe()
            #expect(store.database.statementCount <= 256)
        }
    }

    @Test func aStoreWithALimitTakesNoMoreAndCanBeReadAndEmptied() throws {
        let home = try TestStore()
        let store = home.store
        let limit = 2 << 20
        try store.prepareForServing(most: limit)
        let note = String(repeating: "word ", count: 10_000)
        var count = 0
        var refusal: HelixError?
        while refusal == nil, count < 200 {
            do {
                _ = try store.change("add", command: "tasks add") { change in
                    var task = TaskChanges()
                    task.title = "Task \(count)"
                    task.notes = .set(note)
                    return try change.addTask(task, dates: DatePhraseParser(now: home.now, zone: home.rome))
                }
                count += 1
            } catch let error as HelixError { refusal = error }
        }
        #expect(refusal?.code == .badInput)
        #expect(refusal?.message.contains("at most 2 MB") == true)
        #expect(count > 5)
        #expect(try store.taskCount(.everything, zone: home.rome) == count)
    }
}
