import FoundationEssentials
import Glibc
import HelixModel
import HelixSQLite

extension Store {
    /// The file that a backup is written to until it is complete. It is unique: two backups to one target must not write to the
    /// same file.
    public static func backupPart(of target: String) -> String { target + ".\(getpid()).part" }

    /// The approximate size of a backup in bytes: the database and the attached files.
    public var backupSize: Int {
        var info = stat()
        let size = stat(path, &info) == 0 ? Int(info.st_size) : 0
        return size + files.storedSize
    }

    /// Copies the store to a new file while it is in use, as a consistent snapshot (SQLite's online backup). The file gets its
    /// name once it is complete and on disk.
    ///
    /// - Parameter replaces: True to overwrite an existing file.
    /// - Throws: ``HelixError``: `cannotCreate` if the file exists or cannot be written, `io` if the store is damaged. Then an older
    ///   backup is unchanged.
    /// - Returns: the numbers of entities in the backup, and the attached files whose bytes are not in it, because they are missing or
    ///   were changed.
    @discardableResult
    public func backup(
        to target: String, replaces: Bool = false
    ) throws -> (counts: [EntityKind: Int], missing: [FileRecord]) {
        let exists = HelixError(.cannotCreate, "\(target) already exists", hint: "Name another file, or pass --force.")
        if !replaces, FileManager.default.fileExists(atPath: target) { throw exists }
        let part = Store.backupPart(of: target)
        defer { StoreFiles.remove(part) }
        StoreFiles.remove(part)
        do {
            let mask = umask(0o077)
            defer { umask(mask) }
            let copy = try Database(path: part)
            try database.backup(to: copy)
            // A backup is a single file, without a log.
            try copy.execute(sql: "PRAGMA journal_mode = DELETE")
            let missing = try copy.transaction(.immediate) { try FileBackup.add(copy, from: files) }
            copy.close()
            let counts: [EntityKind: Int]
            do { counts = try Store.verifyBackup(part) } catch let error as HelixError {
                throw HelixError(
                    .io,
                    "the store is damaged, and was not backed up: \(error.message.replacing(part, with: "its copy"))",
                    hint: "'helix doctor' shows the damage. An older backup is unchanged.")
            }
            guard replaces ? rename(part, target) == 0 : link(part, target) == 0 else {
                if errno == EEXIST { throw exists }
                throw OpenFile.cannotWrite(target)
            }
            StoreFiles.syncFolder(of: target)
            return (counts, missing)
        } catch {
            if let error = error as? HelixError { throw error }
            if let error = error as? DatabaseError, error.code == .full { throw HelixError.store(error, path: target) }
            let folder = URL(fileURLWithPath: target).deletingLastPathComponent().path
            let reason =
                access(folder, F_OK) != 0
                ? "no such folder: \(folder)" : access(folder, W_OK) != 0 ? "no write permission in \(folder)" : nil
            throw HelixError(
                .cannotCreate, "cannot write \(target)\(reason.map { ": \($0)" } ?? "")",
                hint: reason == nil ? "Check that there is free space." : "Name a file in another folder.")
        }
    }

    /// Checks that `file` is an intact helix store that this version can read.
    /// - Throws: ``HelixError``: `notFound`, or `badInput` with the reason.
    public static func verifyBackup(_ file: String) throws -> [EntityKind: Int] {
        // Reports the error if it is not a regular file.
        _ = try OpenFile(reading: file)
        func refuse(_ reason: String) -> HelixError {
            HelixError(.badInput, "\(file) is no usable backup: \(reason)")
        }
        do {
            let db = try Database(path: file, mode: .immutable)
            return try db.transaction(.deferred) {
                let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
                guard version > 0, try db.tableExists("change_set") else { throw refuse("it is not a helix store") }
                guard version <= Schema.version else { throw refuse("it was made by a newer helix") }
                let problems = try String.fetchAll(db, sql: "PRAGMA quick_check(1)").filter { $0 != "ok" }
                guard problems.isEmpty else { throw refuse("it is damaged (\(problems[0]))") }
                var counts: [EntityKind: Int] = [:]
                for entity in EntityDescriptor.all.filter(\.isCounted) {
                    let table = entity.table.name
                    // A backup from an older helix has fewer tables.
                    let exists = try db.tableExists(table)
                    counts[entity.kind] = exists ? try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \(table)") ?? 0 : 0
                }
                return counts
            }
        } catch let error as DatabaseError {
            throw refuse(error.message ?? "it is not a database")
        }
    }

    /// Replaces the store at `path` with a backup, in one transaction. A copy of the previous store is kept beside it.
    ///
    /// The pages of the backup are written over those of the store under SQLite's own lock, so that the store is the old or the
    /// new one however this ends, and other processes, which keep the file open, see the new one. A process that read the old one
    /// and then writes is stopped (``Store/writing(_:)``). The file itself is replaced only if SQLite cannot open the store.
    ///
    /// - Returns: the path of the previous store, if there was one.
    /// - Throws: ``HelixError``; then nothing is changed.
    public static func restore(_ file: String, to path: String, stamp: String) throws -> String? {
        _ = try verifyBackup(file)
        let manager = FileManager.default
        let folder = path.deletingLastPathComponent
        let part = path + ".restore"
        do {
            try manager.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let mask = umask(0o077)
            defer { umask(mask) }
            let lock = try StoreFiles.lock(path + ".restore-lock")
            defer {
                unlink(path + ".restore-lock")
                close(lock)
            }
            StoreFiles.remove(part)
            defer { StoreFiles.remove(part) }
            try manager.copyItem(atPath: file, toPath: part)
            try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: part)
            let live = manager.fileExists(atPath: path) ? try? StoreFiles.open(path) : nil
            let source = try prepare(part, for: path, pageSize: live.flatMap { try? StoreFiles.pageSize($0) })
            let name = manager.fileExists(atPath: path) ? StoreFiles.freeName("\(path).before-restore-\(stamp)") : nil
            if let live, let name {
                try replace(live, at: path, by: source, keeping: name)
            } else {
                source.close()
                try StoreFiles.exchange(part, with: path, keeping: name)
            }
            return name
        } catch let error as HelixError {
            throw error
        } catch let error as DatabaseError {
            throw HelixError.store(error, path: path)
        } catch {
            throw HelixError(.io, "cannot restore the backup: \(error.systemReason)")
        }
    }

    /// Converts a copy of a backup to a store: extracts its files, migrates it, and gives it a new mark.
    private static func prepare(_ part: String, for path: String, pageSize: Int?) throws -> Database {
        let copy = try Database(path: part)
        try copy.transaction(.immediate) { try FileBackup.take(copy, to: FileFolder(store: path)) }
        try copy.execute(sql: "PRAGMA journal_mode = DELETE")
        if let pageSize { try copy.execute(sql: "PRAGMA page_size = \(pageSize)") }
        try copy.execute(sql: "VACUUM")
        try Schema.prepare(copy, path: part, isReadOnly: false)
        try copy.execute(
            sql: "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE; "
                + "PRAGMA application_id = \(Int32.random(in: 1...Int32.max))")
        return copy
    }

    /// Copies `live` to `name`, and overwrites it with `source`. The copy is made by a reader while writers are locked out, so
    /// that it contains everything that was ever acknowledged.
    private static func replace(_ live: Database, at path: String, by source: Database, keeping name: String) throws {
        let part = name + ".part"
        StoreFiles.remove(part)
        defer { StoreFiles.remove(part) }
        try live.replaceContents(with: source) {
            let reader = try Database(path: path)
            defer { reader.close() }
            let copy = try Database(path: part)
            try reader.backup(to: copy)
            try copy.execute(sql: "PRAGMA journal_mode = DELETE")
            copy.close()
            guard link(part, name) == 0 else { throw OpenFile.cannotWrite(name) }
            StoreFiles.syncFolder(of: name)
        }
    }
}

/// The files that a store consists of.
enum StoreFiles {
    /// Opens the database at `path`, if it can be read and written.
    static func open(_ path: String) throws -> Database {
        let database = try Database(path: path)
        _ = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master")
        return database
    }

    static func pageSize(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 4096
    }

    /// Removes a database with its logs.
    static func remove(_ path: String) { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) } }

    /// An unused file name.
    static func freeName(_ wanted: String) -> String {
        var name = wanted
        var number = 1
        while FileManager.default.fileExists(atPath: name) {
            number += 1
            name = "\(wanted)-\(number)"
        }
        return name
    }

    /// Locks a file until the process ends.
    static func lock(_ path: String) throws -> Int32 {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw OpenFile.cannotWrite(path) }
        var (own, there) = (stat(), stat())
        // The last holder of the lock removes the file: then the opened file is a different one.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &own) == 0, stat(path, &there) == 0,
            own.st_ino == there.st_ino
        else {
            close(descriptor)
            throw HelixError(.busy, "another backup is being restored", hint: "Try again when it has finished.")
        }
        return descriptor
    }

    /// Replaces a store that SQLite cannot open with a database. All its files get a second name before any of them is removed;
    /// the log goes first, because SQLite would take it for the new one's.
    static func exchange(_ part: String, with path: String, keeping name: String?) throws {
        if let name {
            for suffix in ["", "-wal", "-journal"] where access(path + suffix, F_OK) == 0 {
                guard link(path + suffix, name + suffix) == 0 else { throw OpenFile.cannotWrite(name) }
            }
            syncFolder(of: name)
        }
        for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
        guard rename(part, path) == 0 else { throw OpenFile.cannotWrite(path) }
        syncFolder(of: path)
        let restored = try Database(path: path)
        try restored.execute(sql: "PRAGMA journal_mode = WAL")
        restored.close()
    }

    /// Syncs the folder of a file to disk, so that its names are durable.
    static func syncFolder(of path: String) {
        let descriptor = Glibc.open(path.deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
