import FoundationEssentials
import HelixModel
import HelixSQLite
import HelixSystem

/// Attached files in a backup. A backup is a single file, so their bytes are stored in an additional table, which the store
/// itself does not have.
enum FileBackup {
    /// The number of bytes per row: SQLite limits rows to a thousand million bytes.
    private static let part = 1 << 20

    /// Writes the bytes of all files into a backup, including removed ones that `helix undo` can still restore.
    /// - Returns: the attached files whose bytes are missing or changed; they are not in the backup.
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

    /// - Returns: True if the bytes were present and complete.
    private static func add(_ hash: String, _ db: Database, _ folder: FileFolder) throws -> Bool {
        guard folder.isWhole(hash), let path = folder.path(hash), let file = FileStream(reading: path) else {
            return false
        }
        defer { try? file.close() }
        var number = 0
        // At least one row, or an empty file would be lost.
        while true {
            let bytes = try file.read(upToCount: part)
            if bytes.isEmpty, number > 0 { return true }
            try db.execute(
                sql: "INSERT INTO backup_file (sha256, part, bytes) VALUES (?, ?, ?)",
                arguments: [hash, number, bytes])
            number += 1
        }
    }

    /// Moves the files from a backup that is about to become the store into the store's folder. A damaged file is left out;
    /// `projects files check` then reports it.
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
