import HelixModel
import HelixSQLite
import TestSupport
import Testing

@testable import HelixStore

/// The way in which SQLite finds the time entries of a range.
@Suite struct TimePlanTests {
    /// With `MIN(start)` it walks the index of starts through all entries if none is longer than a day or running: 7 ms of
    /// 50,000 entries, for each entry that a sync receives.
    @Test func aDayIsFoundWithoutReadingAllEntries() throws {
        let home = try HelixHome()
        let store = try Store(path: home.store, now: Instant(1_795_255_200))
        let range = TimeRange(start: Instant(1_795_219_200), end: Instant(1_795_305_600))
        let plan = try store.read { db in
            try Row.fetchAll(
                db,
                sql: "EXPLAIN QUERY PLAN SELECT e.id FROM time_entry e WHERE \(Store.touches(range)) ORDER BY e.start"
            ).map { try $0["detail"] as String }
        }
        let subqueries = plan.filter { !$0.contains(" e ") && $0.contains("time_entry") }
        #expect(
            subqueries.count == 2 && plan.contains { $0.contains("time_entry_start (start>? AND start<?)") }, "\(plan)")
        #expect(subqueries.contains { $0.contains("time_entry_long") }, "\(plan)")
        #expect(subqueries.contains { $0.contains("time_entry_running") }, "\(plan)")
    }
}
