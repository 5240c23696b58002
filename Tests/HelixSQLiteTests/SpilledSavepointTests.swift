import Foundation
import Testing

@testable import HelixSQLite

/// What is committed after a savepoint was rolled back is there for the next process, however many pages were written in between.
@Suite struct SpilledSavepointTests {
    /// Opens a copy of a database without the shared memory of its log, as after the end of all processes.
    private func names(_ path: String) throws -> [String] {
        let copy = path + ".copy"
        for ending in ["", "-wal"] {
            try? FileManager.default.removeItem(atPath: copy + ending)
            try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending)
        }
        return try String.fetchAll(try Database(path: copy), sql: "SELECT name FROM kept ORDER BY name")
    }

    /// Writes more pages than the cache holds, the later ones several times: the log has frames of a transaction that goes on.
    private func fill(_ db: Database, _ count: Int) throws {
        for round in 0..<4 {
            for number in (round == 0 ? 0 : count)..<(round == 0 ? count : count * 2) {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO item VALUES (?, ?)",
                    arguments: [number, String(repeating: "\(round)", count: 3_000)])
            }
        }
    }

    @Test(arguments: [0, 20, 200], [0, 100, 400])
    func aCommitIsThereForTheNextProcess(_ before: Int, _ within: Int) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("db").path
        let db = try Database(path: path)
        try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -160")
        try db.execute(sql: "CREATE TABLE item (n INTEGER PRIMARY KEY, text TEXT); CREATE TABLE kept (name TEXT)")
        var expected: [String] = []
        for round in 0..<3 {
            // A branch, which is rolled back and leaves one row.
            try db.rehearse(keeping: true)
            try fill(db, within)
            try db.endRehearsal { try db.execute(sql: "INSERT INTO kept VALUES (?)", arguments: ["a\(round)"]) }
            // A savepoint within a transaction.
            struct Failure: Error {}
            try db.transaction(.immediate) {
                try db.execute(sql: "PRAGMA cache_size = -160")
                try fill(db, before)
                #expect(throws: Failure.self) {
                    try db.savepoint {
                        try fill(db, within)
                        throw Failure()
                    }
                }
                try db.execute(sql: "INSERT INTO kept VALUES (?)", arguments: ["b\(round)"])
            }
            try db.transaction(.immediate) {
                try db.execute(sql: "INSERT INTO kept VALUES (?)", arguments: ["c\(round)"])
            }
            expected += ["a\(round)", "b\(round)", "c\(round)"]
            #expect(try names(path) == expected.sorted())
        }
    }
}
