import Testing

@testable import HelixSQLite

/// A long read is given up when somebody asks for it, and the connection goes on.
@Suite struct InterruptionTests {
    private static let endless = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
        """

    @Test func anEndlessReadEnds() throws {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE item (n INTEGER)")
        var asked = 0
        func isInterrupted() -> Bool {
            asked += 1
            return asked == 3
        }
        let found = try db.interruptible(isInterrupted) {
            try db.transaction(.deferred) { try Int.fetchOne(db, sql: Self.endless) }
        }
        #expect(found == nil)
        #expect(asked == 3)
        // Nothing is left of it.
        #expect(!db.isInTransaction)
        try db.execute(sql: "INSERT INTO item VALUES (1)")
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM item") == 1)
    }

    @Test func aShortReadHasItsValueAndItsErrors() throws {
        let db = try Database(path: ":memory:")
        func always() -> Bool { true }
        func never() -> Bool { false }
        #expect(try db.interruptible(always) { try Int.fetchOne(db, sql: "SELECT 7") } == 7)
        #expect(throws: DatabaseError.self) {
            try db.interruptible(never) { try Int.fetchOne(db, sql: "SELECT x FROM missing") }
        }
    }
}
