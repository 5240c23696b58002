import Foundation
import Testing

@testable import HelixSQLite

/// A statement runs with the values it was given, and with no others; what is wrong is thrown.
@Suite struct StatementTests {
    private func database() throws -> Database {
        let db = try Database(path: ":memory:")
        try db.execute(sql: "CREATE TABLE item (n INTEGER PRIMARY KEY, name TEXT)")
        for number in 1...4 {
            try db.execute(sql: "INSERT INTO item VALUES (?, ?)", arguments: [number, "item \(number)"])
        }
        return db
    }

    @Test func aTextThatIsBeingReadCanBeReadInside() throws {
        let db = try database()
        let text = "SELECT n FROM item WHERE n >= ?1 ORDER BY n"
        var pairs: [[Int64]] = []
        for _ in 0..<3 {
            pairs = []
            let outer = try Statement(db, text)
            outer.bind(1, 1)
            while try outer.step() {
                let inner = try Statement(db, text)
                inner.bind(1, 3)
                while try inner.step() { pairs.append([outer.integer(0), inner.integer(0)]) }
            }
        }
        #expect(pairs == [1, 2, 3, 4].flatMap { one in [3, 4].map { [one, $0] } })
        // The second statement is reused, too.
        #expect(db.statementCount <= 4)
    }

    @Test func aValueOfTheLastRunIsGone() throws {
        let db = try database()
        let text = "SELECT count(*) FROM item WHERE ?1 IS NULL OR name = ?1"
        let first = try Statement(db, text)
        first.bind(1, "item 2")
        #expect(try first.step() && first.integer(0) == 1)
        first.reset()
        let second = try Statement(db, text)
        #expect(try second.step() && second.integer(0) == 4)
        second.reset()
    }

    @Test func aValueThatCannotBeBoundIsThrown() throws {
        let db = try database()
        let statement = try Statement(db, "DELETE FROM item WHERE n = ?1")
        statement.bind(2, 7)
        #expect(throws: DatabaseError.self) { try statement.run() }
        #expect(try Int64.fetchOne(db, sql: "SELECT count(*) FROM item") == 4)
        // The error is that of one run.
        statement.bind(1, 4)
        try statement.run()
        #expect(try Int64.fetchOne(db, sql: "SELECT count(*) FROM item") == 3)
    }

    @Test func anUnknownColumnIsAnError() throws {
        let db = try database()
        let row = try #require(try Row.fetchOne(db, sql: "SELECT n, name FROM item"))
        #expect(try row["name"] as String == "item 1")
        #expect(throws: DatabaseError.self) { try row["nmae"] as String }
        #expect(throws: DatabaseError.self) { try row["nmae"] as String? }
    }

    @Test func textsWithZerosAreWhole() throws {
        let db = try database()
        let statement = try Statement(db, "SELECT length(CAST(?1 AS BLOB))")
        statement.bind(1, "a\u{0}b")
        #expect(try statement.step() && statement.integer(0) == 3)
        statement.reset()
    }

    /// A reader that a transaction leaves before its last row, by a return or an error, holds no snapshot: what others change
    /// is seen next, and can be changed.
    @Test(arguments: [false, true]) func aReaderThatIsLeftHoldsNothing(_ throwsError: Bool) throws {
        struct GivenUp: Error {}
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (own, other) = (
            try Database(path: folder.path + "/db"), try Database(path: folder.path + "/db")
        )
        try own.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE item (n INTEGER PRIMARY KEY)")
        try own.execute(sql: "INSERT INTO item VALUES (1), (2), (3)")
        func first() throws -> Int64 {
            try own.transaction(.deferred) {
                let row = try Statement(own, "SELECT n FROM item ORDER BY n")
                guard try row.step() else { return 0 }
                if throwsError { throw GivenUp() }
                return row.integer(0)
            }
        }
        if throwsError {
            #expect(throws: GivenUp.self) { try first() }
        } else {
            #expect(try first() == 1)
        }
        try other.execute(sql: "DELETE FROM item WHERE n = 1")
        #expect(try Int64.fetchAll(own, sql: "SELECT n FROM item ORDER BY n") == [2, 3])
        try own.transaction(.immediate) { try own.execute(sql: "INSERT INTO item VALUES (4)") }
        #expect(try Int64.fetchAll(own, sql: "SELECT n FROM item ORDER BY n") == [2, 3, 4])
    }

    /// A transaction within the rows of a reader outside of it lets the reader go on.
    @Test func aReaderOutsideGoesOn() throws {
        let db = try database()
        let row = try Statement(db, "SELECT n FROM item ORDER BY n")
        var numbers: [Int64] = []
        while try row.step() {
            try db.transaction(.deferred) { _ = try Int64.fetchOne(db, sql: "SELECT count(*) FROM item") }
            numbers.append(row.integer(0))
        }
        #expect(numbers == [1, 2, 3, 4])
    }
}
