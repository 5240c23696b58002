import Foundation
import HelixModel
import HelixSQLite

/// Attached files in a backup: it is one file that holds all, so their bytes lie in a table of its own that the store
/// itself does not have.
enum FileBackup {
    /// How many bytes stand in a row: SQLite's rows end at a thousand million.
    private static let part = 1 << 20

    /// Writes the bytes of all files into a backup, also of those that can still come back with `helix undo`.
    /// - Returns: the attached files whose bytes are gone, or are not what was attached; these cannot be in it.
    static func add(_ db: Database, from folder: FileFolder) throws -> [FileRecord] {
        try db.execute(
            sql: "CREATE TABLE backup_file (sha256 TEXT, part INTEGER, bytes BLOB, PRIMARY KEY (sha256, part))")
        let attached = try Store.files(db, "1", [])
        var missing: Set<String> = []
        for hash in Set(attached.map(\.sha256) + folder.stored() + folder.removedHashes()).sorted() {
            if try !add(hash, db, folder) { missing.insert(hash) }
        }
        return attached.filter { missing.contains($0.sha256) }
    }

    /// - Returns: whether the bytes were there, and whole.
    private static func add(_ hash: String, _ db: Database, _ folder: FileFolder) throws -> Bool {
        guard folder.isWhole(hash), let path = folder.path(hash), let file = FileHandle(forReadingAtPath: path) else {
            return false
        }
        defer { try? file.close() }
        var number = 0
        // At least one row, or an empty file would be no file.
        while true {
            let bytes = try file.read(upToCount: part) ?? Data()
            if bytes.isEmpty, number > 0 { return true }
            try db.execute(
                sql: "INSERT INTO backup_file (sha256, part, bytes) VALUES (?, ?, ?)",
                arguments: [hash, number, bytes])
            number += 1
        }
    }

    /// Takes the files out of a backup that is about to become the store, and puts them into its folder. One that is
    /// damaged is left out: `projects files check` names it, and everything else is there.
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
            if staged.hash == hash { try folder.keep(staged) }
        }
        try db.execute(sql: "DROP TABLE backup_file")
    }
}
