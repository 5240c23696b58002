import CSQLite
import Foundation
import GRDB
import GRDBSQLite
import HelixModel

/// The one local database. Every command reads from it and answers from it; every change a user makes goes through
/// ``change(_:command:_:)``.
///
/// Several processes may have it open at once.
public final class Store {
    let queue: DatabaseQueue
    /// The file.
    public let path: String
    /// Whether nothing can be written.
    public let isReadOnly: Bool
    /// What `now` is for whatever this store stamps or expands.
    public let now: Instant
    /// The user's own mail addresses, in lower case: what they declined is not busy.
    public let addresses: Set<String>

    /// Opens the store at `path`, making it if there is none.
    /// - Throws: ``HelixError``: it is damaged, newer than this helix, locked, or cannot be made.
    public init(path: String, now: Instant, addresses: Set<String> = []) throws {
        self.path = path
        self.now = now
        self.addresses = addresses
        let folder = (path as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw HelixError(
                .cannotCreate, "the folder \(folder) cannot be made",
                hint: "Name another place with HELIX_HOME, or give yourself the right to write there.")
        }
        do {
            (queue, isReadOnly) = try Store.open(path)
            try Schema.prepare(queue, path: path, isReadOnly: isReadOnly)
        } catch {
            throw HelixError.store(error, path: path)
        }
    }

    private static func open(_ path: String) throws -> (DatabaseQueue, isReadOnly: Bool) {
        let isNew = !FileManager.default.fileExists(atPath: path)
        if isNew || access(path, W_OK) == 0 && access((path as NSString).deletingLastPathComponent, W_OK) == 0 {
            do {
                // The file may hold mail: nobody else reads it, from its first moment on.
                let mask = umask(0o077)
                defer { umask(mask) }
                return (try DatabaseQueue(path: path, configuration: configuration(readOnly: false)), false)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
                // Falls through: a read-only medium can still be read.
            }
        }
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration(readOnly: true))
            _ = try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM sqlite_master") }
            return (queue, true)
        } catch let error as DatabaseError
            where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode) && access(path, R_OK) == 0
        {
            // Without the right to make the shared-memory file, a database at rest can be read as it stands.
            let uri = URL(fileURLWithPath: path).absoluteString + "?immutable=1"
            return (try DatabaseQueue(path: uri, configuration: configuration(readOnly: true)), true)
        }
    }

    private static func configuration(readOnly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = readOnly
        configuration.busyMode = .timeout(5)
        configuration.label = "helix"
        configuration.prepareDatabase { db in
            if let connection = db.sqliteConnection { helix_sqlite_no_checkpoint_on_close(connection) }
            try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY")
        }
        return configuration
    }

    /// Reads; errors come out as ``HelixError``.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do { return try queue.read(body) } catch { throw HelixError.store(error, path: path) }
    }

    /// Folds the write-ahead log into the database once it has grown: a process that opens the store reads the log
    /// from end to end. Somebody who reads just now keeps it from happening; the next change tries again.
    func foldLog(_ db: Database) {
        var info = stat()
        guard stat(path + "-wal", &info) == 0, info.st_size > 200_000 else { return }
        try? db.execute(sql: "PRAGMA busy_timeout = 0")
        _ = try? Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        try? db.execute(sql: "PRAGMA busy_timeout = 5000")
    }

    /// Writes what can be made again, such as an index; errors come out as ``HelixError``.
    func writeDerived<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = NORMAL")
                defer { try? db.execute(sql: "PRAGMA synchronous = FULL") }
                var value: Value?
                try db.inTransaction(.immediate) {
                    value = try body(db)
                    return .commit
                }
                foldLog(db)
                guard let value else { throw HelixError(.unexpected, "the store did not answer") }
                return value
            }
        } catch {
            throw HelixError.store(error, path: path)
        }
    }
}
