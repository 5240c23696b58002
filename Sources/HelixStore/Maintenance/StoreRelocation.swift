import FoundationEssentials
import HelixModel
import HelixSQLite

extension Store {
    /// Prepares a store for a move to another folder: updates the paths in it and checkpoints its log into the one file.
    ///
    /// - Parameters:
    ///   - path: the store.
    ///   - old: the current folder of the store and its files.
    ///   - new: the new folder.
    /// - Throws: ``HelixError``, also of code `busy` if another process writes.
    public static func relocate(_ path: String, from old: String, to new: String) throws {
        let store = try Store(path: path, now: Instant(0))
        try store.writeDerived { db in
            // The length in characters, as SQLite counts them.
            let length = old.unicodeScalars.count
            try db.execute(
                sql: """
                    UPDATE account SET path = ?1 || substr(path, ?2 + 1)
                    WHERE path = ?3 OR substr(path, 1, ?2 + 1) = ?3 || '/'
                    """, arguments: [new, length, old])
            try db.execute(
                sql: "UPDATE setting SET name = replace(name, ?, ?) WHERE name LIKE 'former-%'",
                arguments: [old + "/", new + "/"])
        }
        try store.foldWhole()
    }
}
