import Glibc
import HelixModel
import HelixSQLite

/// A store that no other process has open, for a move of its files to another place.
public final class StoreHold {
    private let database: Database
    private let path: String

    /// Takes a store whose log is in its one file.
    /// - Returns: nil if there is no store.
    /// - Throws: ``HelixError`` of code `busy` if another process has it open.
    public init?(path: String) throws {
        guard access(path, F_OK) == 0 else { return nil }
        // A usual opening brings the commits of others into the file.
        try Store(path: path, now: Instant(0)).foldWhole()
        self.path = path
        do {
            database = try Database(path: path, busyTimeout: 1000)
            // In this mode the lock is on the file itself: others that have it open prevent it, and none can open it.
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            try database.execute(sql: "BEGIN EXCLUSIVE")
            try database.execute(sql: "COMMIT")
            try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        } catch {
            let problem = HelixError.store(error, path: path)
            guard (problem as? HelixError)?.code == .busy else { throw problem }
            throw HelixError(
                .busy, "another helix has the store open", hint: "End it: a watch, a sync, a chat or an assistant.")
        }
    }

    /// Marks the file as one of a newer helix, so that a process which waits for it fails rather than writes into a file that is
    /// deleted; then gives it free.
    /// - Throws: ``HelixError``.
    public func retire() throws {
        do {
            try database.execute(sql: "PRAGMA user_version = \(Int32.max)")
            database.close()
        } catch { throw HelixError.store(error, path: path) }
    }
}
