import Foundation
import HelixModel
import HelixSQLite

extension Store {
    /// Makes a store ready to lie in another folder: what it knows of folders beside it is there now, and all is in its one file.
    ///
    /// - Parameters:
    ///   - path: the store.
    ///   - old: the folder that it and what belongs to it lay in.
    ///   - new: the folder that they go to.
    /// - Throws: ``HelixError``, also of code `busy` where another process writes.
    public static func relocate(_ path: String, from old: String, to new: String) throws {
        let store = try Store(path: path, now: Instant(0))
        try store.writeDerived { db in
            // Characters, as SQLite counts them.
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
