import FoundationEssentials
import Glibc
import HelixMail
import HelixModel
import HelixSQLite
import HelixSystem

/// The local database. Every command reads from it; every change by a user goes through
/// ``change(_:command:_:)``.
///
/// Several processes may have it open at once.
public final class Store {
    var database: Database
    /// The path of the file.
    public let path: String
    /// True if the store is read-only.
    public let isReadOnly: Bool
    /// The current time for timestamps and expansions. A command sets it once, a gateway before each request.
    public var now: Instant
    /// The one who makes the changes. A command sets it once, a gateway before each change.
    public var actor = ChangeActor(.script)
    /// The rights of the agent that uses the store; nil for a person.
    public internal(set) var profile: AgentProfile?
    /// The user's own mail addresses, in lower case: events that they declined do not count as busy.
    public let addresses: Set<String>

    /// Warnings for the user; the code that prints them clears them.
    public var warnings: [String] = []

    /// Remarks on a change that are only useful to people.
    public var remarks: [String] = []

    /// The identity of the opened store: a restored backup is a different store in the same file.
    private let origin: StoreOrigin

    /// The maximum number of occurrences of one event that a view lists; truncation is reported (``truncatedEvents``).
    public var listLimit = usualListLimit
    private static let usualListLimit = 50_000

    /// Time ranges in which a view omitted occurrences of an event, because there were too many to list.
    public var unlisted: [Unlisted] = []

    /// An event and the time range in which its occurrences are not listed.
    public struct Unlisted: Sendable {
        /// The event.
        public let event: EntityID
        /// The range from the first omitted occurrence to the end of the requested range.
        public let range: TimeRange

        /// Creates a range without listed occurrences.
        public init(event: EntityID, range: TimeRange) {
            self.event = event
            self.range = range
        }
    }

    /// The events of ``unlisted``.
    public var truncatedEvents: Set<EntityID> { Set(unlisted.map(\.event)) }

    /// The cached numbers of messages that match queries, with the state of the database that they belong to.
    var counted: (mark: Database.ChangeMark, counts: [MailQuery: Int])?

    /// True if a change was saved since the store was opened.
    public internal(set) var hasChanged = false

    /// The last hundred change sets that were saved since the store was opened, or since ``beginCommand(now:actor:)``.
    public internal(set) var savedChangeSets: [EntityID] = []

    /// The log that change sets are appended to before they are committed; nil if this store is the only copy.
    public var log: (any StoreLog)?

    /// Whether the store is a copy made from a log, which is on a disk already: a commit here need not wait for the disk. What a
    /// power cut takes away is read from the log again, since the position goes with it.
    public var isCopy = false {
        didSet {
            // A failure leaves it slower, not less safe.
            if isCopy, !oldValue { try? database.execute(sql: "PRAGMA synchronous = NORMAL") }
        }
    }

    /// True in a dry run, whose changes are rolled back at the end.
    public internal(set) var isRehearsal = false
    /// The branch of an agent whose changes are proposals; nil if it is not open.
    var branch: Branch?
    /// Whether messages are put into the outbox, where they wait for a person.
    var isHolding = false
    /// Whether proposals are made again, whose changes were checked when they were first made.
    var isReplaying = false
    /// The folder for the bytes of files during a dry run.
    var scratch: String?

    /// The columns that hold whole numbers, by kind, as far as they were looked up.
    var numberColumns: [EntityKind: Set<String>] = [:]

    /// Prepares for a program that serves many requests from one store.
    /// - Parameter most: the maximum size of the store in bytes; nil for no limit but the disk.
    /// - Throws: ``HelixError``.
    public func prepareForServing(most: Int? = nil) throws {
        do {
            try database.keepPages(8_000)
            guard let most else { return }
            let size = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 4096
            // SQLite does not go below the current number of pages.
            _ = try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(max(1, most / size))")
            mostBytes = most
        } catch { throw HelixError.store(error, path: path) }
    }

    /// Whether the birthdays of contacts are events in a calendar of their own.
    public var hasBirthdays = true

    /// The maximum size of the store in bytes, if there is a limit.
    private var mostBytes: Int?

    /// A database error as a message for the user.
    func readable(_ error: any Error) -> any Error {
        if let profile, (error as? DatabaseError)?.code == .constraint {
            return HelixError(
                .conflict,
                "this is not possible with what the profile '\(profile.name)' sees: a name is taken, or something else depends on it",
                hint: "Choose another name, or ask the person for whom you work. Nothing was changed.")
        }
        if let mostBytes, (error as? DatabaseError)?.code == .full {
            return HelixError(
                .badInput,
                "the store is full: it may hold at most \(mostBytes >> 20) MB; nothing was changed",
                hint: "Delete something first.")
        }
        return HelixError.store(error, path: path)
    }

    /// Trims the cache of prepared statements between two requests.
    public func didServe() { database.trimStatements() }

    /// Turns off the locks of the database, for programs with one thread, before they open a store.
    public static func useOneThread() { Database.useOneThread() }

    /// Opens the store at `path`, and creates it if it does not exist.
    /// - Throws: ``HelixError`` if it is damaged, newer than this helix, locked, or cannot be created.
    public init(path: String, now: Instant, addresses: Set<String> = []) throws {
        self.path = path
        self.now = now
        self.addresses = addresses
        let folder = path.deletingLastPathComponent
        do {
            if access(folder, F_OK) != 0 {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
        } catch {
            throw HelixError(
                .cannotCreate, "cannot create the folder \(folder)",
                hint: "Set HELIX_HOME to another folder, or get write permission there.")
        }
        let wasEmptied = Store.isEmptied(path)
        do {
            (database, isReadOnly) = try Store.open(path)
            try Schema.prepare(database, path: path, isReadOnly: isReadOnly)
            origin = try StoreOrigin(database, path: path)
        } catch {
            throw HelixError.store(error, path: path)
        }
        if wasEmptied {
            warnings.append(
                "the store at \(path) was an empty file, and is a new store now; "
                    + "'helix restore FILE' brings back a backup")
        }
        if let settled = try settleMoves() { warnings.append(settled) }
        warnings += settleDeliveries()
    }

    /// Whether the file is there and empty, and not because another process creates the store just now.
    private static func isEmptied(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_size == 0 && info.st_mtim.tv_sec + 60 < time(nil)
            && (stat(path + "-wal", &info) != 0 || info.st_size == 0)
    }

    private static func open(_ path: String) throws -> (Database, isReadOnly: Bool) {
        let isNew = access(path, F_OK) != 0
        // A new store in the place of a closed vault would hide that the real one is not there.
        let place = VaultPlace(home: path.deletingLastPathComponent)
        if isNew, place.exists, !place.isMounted {
            throw HelixError(.locked, "the vault of \(place.home) is closed", hint: "helix unlock")
        }
        if isNew, place.isMissing {
            throw HelixError(
                .locked, "the folder of the vault, \(place.folder), is not there", hint: "Is its disk connected?")
        }
        if isNew || access(path, W_OK) == 0 && access(path.deletingLastPathComponent, W_OK) == 0 {
            do {
                // The file may hold mail, so it is private to the user from the moment it is created.
                let mask = umask(0o077)
                defer { umask(mask) }
                let database = try Database(path: path)
                // Opening alone does not read the file.
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
            // Without permission to create the shared-memory file, a database that is not in use can be read as it is.
            return (try Database(path: path, mode: .immutable), true)
        }
    }

    /// Reads from one snapshot; errors are thrown as ``HelixError``.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            if database.isInTransaction { return try body(database) }
            return try database.transaction(.deferred) { try body(database) }
        } catch { throw readable(error) }
    }

    /// Runs a read that may be given up, such as for a key that waits.
    /// - Parameter isInterrupted: asked now and then; true gives up.
    /// - Returns: nil if it was given up.
    /// - Throws: the error of `body`.
    public func interruptible<Value>(_ isInterrupted: () -> Bool, _ body: () throws -> Value) throws -> Value? {
        try database.interruptible(isInterrupted, body)
    }

    /// Whether the path is a file with this name alone, not a link to another store.
    static func isOwnFile(_ path: String) -> Bool {
        var info = stat()
        return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG && info.st_nlink == 1
    }

    /// Prepares the open store for another command of the same process: opening it anew takes longer than most commands.
    /// - Returns: false if it cannot be used, since the file holds another store now, or a dry run has not ended.
    public func beginCommand(now: Instant, actor: ChangeActor) -> Bool {
        guard !isRehearsal, branch == nil, !database.isInTransaction, !isReplaced else { return false }
        (self.now, self.actor) = (now, actor)
        (warnings, remarks, unlisted, listLimit, hasChanged) = ([], [], [], Store.usualListLimit, false)
        savedChangeSets = []
        return true
    }

    /// True if the file is not there any more, such as on a disk that was removed, and no vault explains it.
    public var isGone: Bool {
        let place = VaultPlace(home: path.deletingLastPathComponent)
        return access(path, F_OK) != 0 && !place.exists && !place.isMissing
    }

    /// True if the file now holds another store: a backup was restored, or the file was replaced.
    public var isReplaced: Bool { (try? StoreOrigin(database, path: path)) != origin }

    /// Runs a write transaction, but only in the store that was opened.
    ///
    /// Stops a command whose store was replaced by a restored backup: its rows may no longer exist.
    func writing<Value>(_ body: () throws -> Value) throws -> Value {
        try database.transaction(.immediate) {
            guard try StoreOrigin(database, path: path) == origin else {
                throw HelixError(
                    .busy, "the store at \(path) was replaced since this command began; nothing was changed",
                    hint: "A backup was restored. Run the command again.")
            }
            return try body()
        }
    }

    /// Checkpoints the write-ahead log once it has grown: a process that opens the store reads the whole log. A current reader
    /// prevents this; the next change tries again.
    func foldLog() {
        var info = stat()
        guard !isRehearsal, stat(path + "-wal", &info) == 0, info.st_size > 200_000 else { return }
        try? database.execute(sql: "PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)")
        try? database.execute(sql: "PRAGMA busy_timeout = 5000")
    }

    /// Checkpoints all changes into the store's main file.
    /// - Throws: ``HelixError`` of code `busy` if another process uses the store.
    func foldWhole() throws {
        let isBusy = try Int.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)") ?? 1
        if isBusy != 0 { throw HelixError(.busy, "another helix is using the store at \(path)") }
    }

    /// Writes data that must survive a power failure but is no change by the user; errors are thrown as ``HelixError``.
    func writeDurably<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do { return try writing { try body(database) } } catch {
            throw readable(error)
        }
    }

    /// Writes data that can be rebuilt, such as an index; errors are thrown as ``HelixError``.
    func writeDerived<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            // A change that reads the calendar may need to extend its index.
            if database.isInTransaction { return try body(database) }
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            defer { if !isCopy { try? database.execute(sql: "PRAGMA synchronous = FULL") } }
            let value = try writing { try body(database) }
            foldLog()
            return value
        } catch {
            throw readable(error)
        }
    }
}

/// The identity of the store in a file, which changes when it is replaced: a mark that each restored backup gets, and the
/// inode of the file.
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
