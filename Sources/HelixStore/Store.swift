import Foundation
import HelixMail
import HelixModel
import HelixSQLite

/// The one local database. Every command reads from it and answers from it; every change a user makes goes through
/// ``change(_:command:_:)``.
///
/// Several processes may have it open at once.
public final class Store {
    var database: Database
    /// The file.
    public let path: String
    /// Whether nothing can be written.
    public let isReadOnly: Bool
    /// What `now` is for whatever this store stamps or expands. A command has one; a gateway sets it before each question.
    public var now: Instant
    /// The user's own mail addresses, in lower case: what they declined is not busy.
    public let addresses: Set<String>

    /// Notes for the user besides the answer of a command; the one that shows them takes them out.
    public var warnings: [String] = []

    /// Remarks on a change that only people need.
    public var remarks: [String] = []

    /// The store that was opened: a restored backup is another one, although it is in the same file.
    private let origin: StoreOrigin

    /// The most occurrences of one event that a view lists; whoever is shown fewer is told (``truncatedEvents``).
    public var listLimit = 50_000

    /// Stretches of time for which a view left out occurrences of an event, because there were too many to list.
    public var unlisted: [Unlisted] = []

    /// An event, and from when to when its occurrences are not listed.
    public struct Unlisted: Sendable {
        /// The event.
        public let event: EntityID
        /// From the first that is left out to the end of what was asked for.
        public let range: TimeRange

        /// An event, and from when to when its occurrences are not listed.
        public init(event: EntityID, range: TimeRange) {
            self.event = event
            self.range = range
        }
    }

    /// The events of ``unlisted``.
    public var truncatedEvents: Set<EntityID> { Set(unlisted.map(\.event)) }

    /// How many messages queries meant, and when that was.
    var counted: (mark: Database.ChangeMark, counts: [MailQuery: Int])?

    /// Whether a change was saved since the store was opened.
    public internal(set) var hasChanged = false

    /// Whether all is only tried, and taken back at the end.
    public internal(set) var isRehearsal = false
    /// The folder for bytes of files meanwhile.
    var scratch: String?

    /// Which columns hold whole numbers, where that was asked.
    var numberColumns: [EntityKind: Set<String>] = [:]

    /// For a program that answers from the same store again and again.
    /// - Parameter most: the bytes that the store may grow to; nil for what the disk has.
    /// - Throws: ``HelixError``.
    public func prepareForServing(most: Int? = nil) throws {
        do {
            try database.keepPages(8_000)
            guard let most else { return }
            let size = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 4096
            // SQLite takes no fewer than there are already.
            _ = try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(max(1, most / size))")
            mostBytes = most
        } catch { throw HelixError.store(error, path: path) }
    }

    /// The bytes that the store may grow to, if there is a limit.
    private var mostBytes: Int?

    /// An error of the database as a person should read it.
    func readable(_ error: any Error) -> any Error {
        if let mostBytes, (error as? DatabaseError)?.code == .full {
            return HelixError(
                .badInput,
                "there is no room for more: a store here holds at most \(mostBytes >> 20) MB; nothing was changed",
                hint: "Delete something first.")
        }
        return HelixError.store(error, path: path)
    }

    /// For such a program, between two questions: what was prepared for the last ones is not kept for ever.
    public func didServe() { database.trimStatements() }

    /// For a program with one thread, before it opens a store: the database then takes no locks of its own.
    public static func useOneThread() { Database.useOneThread() }

    /// Opens the store at `path`, making it if there is none.
    /// - Throws: ``HelixError``: it is damaged, newer than this helix, locked, or cannot be made.
    public init(path: String, now: Instant, addresses: Set<String> = []) throws {
        self.path = path
        self.now = now
        self.addresses = addresses
        let folder = (path as NSString).deletingLastPathComponent
        do {
            if access(folder, F_OK) != 0 {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
        } catch {
            throw HelixError(
                .cannotCreate, "the folder \(folder) cannot be made",
                hint: "Name another place with HELIX_HOME, or give yourself the right to write there.")
        }
        do {
            (database, isReadOnly) = try Store.open(path)
            try Schema.prepare(database, path: path, isReadOnly: isReadOnly)
            origin = try StoreOrigin(database, path: path)
        } catch {
            throw HelixError.store(error, path: path)
        }
        if let settled = try settleMoves() { warnings.append(settled) }
        warnings += settleDeliveries()
    }

    private static func open(_ path: String) throws -> (Database, isReadOnly: Bool) {
        let isNew = access(path, F_OK) != 0
        if isNew || access(path, W_OK) == 0 && access((path as NSString).deletingLastPathComponent, W_OK) == 0 {
            do {
                // The file may hold mail: nobody else reads it, from its first moment on.
                let mask = umask(0o077)
                defer { umask(mask) }
                let database = try Database(path: path)
                // Opening reads nothing yet.
                _ = try Int.fetchOne(database, sql: "PRAGMA user_version")
                return (database, false)
            } catch let error as DatabaseError where error.code == .readOnly {
                // Falls through: a read-only medium can still be read.
            }
        }
        do {
            let database = try Database(path: path, mode: .readOnly)
            _ = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master")
            return (database, true)
        } catch let error as DatabaseError
            where [.cannotOpen, .readOnly].contains(error.code) && access(path, R_OK) == 0
        {
            // Without the right to make the shared-memory file, a database at rest can be read as it stands.
            return (try Database(path: path, mode: .immutable), true)
        }
    }

    /// Reads, all of one moment; errors come out as ``HelixError``.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            if database.isInTransaction { return try body(database) }
            return try database.transaction(.deferred) { try body(database) }
        } catch { throw readable(error) }
    }

    /// Whether the file holds another store than the one that was opened: a backup was restored, or the file replaced.
    public var isReplaced: Bool { (try? StoreOrigin(database, path: path)) != origin }

    /// A transaction that writes, in the store that was opened and in no other.
    ///
    /// Stops a command whose store was replaced meanwhile by a restored backup: its rows may be gone.
    func writing<Value>(_ body: () throws -> Value) throws -> Value {
        try database.transaction(.immediate) {
            guard try StoreOrigin(database, path: path) == origin else {
                throw HelixError(
                    .busy, "the store at \(path) was replaced since this command began; nothing was changed",
                    hint: "Somebody has restored a backup. Run the command again.")
            }
            return try body()
        }
    }

    /// Folds the write-ahead log into the database once it has grown: a process that opens the store reads the log
    /// from end to end. Somebody who reads just now keeps it from happening; the next change tries again.
    func foldLog() {
        var info = stat()
        guard !isRehearsal, stat(path + "-wal", &info) == 0, info.st_size > 200_000 else { return }
        try? database.execute(sql: "PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)")
        try? database.execute(sql: "PRAGMA busy_timeout = 5000")
    }

    /// Brings all that was written into the one file of the store.
    /// - Throws: ``HelixError`` of code `busy` if another process is at it.
    func foldWhole() throws {
        let isBusy = try Int.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)") ?? 1
        if isBusy != 0 { throw HelixError(.busy, "another helix uses the store at \(path)") }
    }

    /// Writes what must survive a power cut and is no change of the user's; errors come out as ``HelixError``.
    func writeDurably<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do { return try writing { try body(database) } } catch {
            throw readable(error)
        }
    }

    /// Writes what can be made again, such as an index; errors come out as ``HelixError``.
    func writeDerived<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            // A change that looks at the calendar may find that its index does not reach far enough.
            if database.isInTransaction { return try body(database) }
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            defer { try? database.execute(sql: "PRAGMA synchronous = FULL") }
            let value = try writing { try body(database) }
            foldLog()
            return value
        } catch {
            throw readable(error)
        }
    }
}

/// A mark that tells the store in a file from another one in its place: a mark that each restored backup gets, and the
/// file itself.
struct StoreOrigin: Equatable {
    private let mark: Int64
    private let device: UInt64
    private let file: UInt64

    init(_ database: Database, path: String) throws {
        mark = try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        var info = stat()
        let exists = stat(path, &info) == 0
        device = exists ? UInt64(info.st_dev) : 0
        file = exists ? UInt64(info.st_ino) : 0
    }
}
