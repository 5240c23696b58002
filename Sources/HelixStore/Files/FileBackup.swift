import Foundation
import HelixModel
import HelixSQLite

/// Attached files in a backup: it is one file that holds all, so their bytes lie in a table of its own that the store
/// itself does not have.
enum FileBackup {
    /// How many bytes stand in a row: SQLite's rows end at a thousand million.
    private static let part = 1 << 20

    /// Writes the bytes of all attached files into a backup. Those that are gone are left out: the backup is as whole
    /// as the store.
    static func add(_ db: Database, from folder: FileFolder) throws {
        try db.execute(
            sql: "CREATE TABLE backup_file (sha256 TEXT, part INTEGER, bytes BLOB, PRIMARY KEY (sha256, part))")
        for hash in try String.fetchAll(db, sql: "SELECT DISTINCT sha256 FROM attachment ORDER BY sha256") {
            guard let path = folder.path(hash), let file = FileHandle(forReadingAtPath: path) else { continue }
            defer { try? file.close() }
            var number = 0
            while let bytes = try file.read(upToCount: part), !bytes.isEmpty {
                try db.execute(
                    sql: "INSERT INTO backup_file (sha256, part, bytes) VALUES (?, ?, ?)",
                    arguments: [hash, number, bytes])
                number += 1
            }
        }
    }

    /// Takes the files out of a backup that is about to become the store, and puts them into its folder.
    /// - Throws: ``HelixError`` of code `badInput` if their bytes are not what was attached.
    static func take(_ db: Database, to folder: FileFolder) throws {
        guard try db.tableExists("backup_file") else { return }
        for hash in try String.fetchAll(db, sql: "SELECT DISTINCT sha256 FROM backup_file") {
            var number = 0
            let staged = try folder.stage {
                defer { number += 1 }
                return try Data.fetchOne(
                    db, sql: "SELECT bytes FROM backup_file WHERE sha256 = ? AND part = ?", arguments: [hash, number])
            }
            defer { staged.discard() }
            guard staged.hash == hash else {
                throw HelixError(.badInput, "the backup is damaged: a file in it is not what was attached")
            }
            try folder.keep(staged)
        }
        try db.execute(sql: "DROP TABLE backup_file")
    }
}
