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
}
