import CSQLite

/// A connection to an SQLite database, for one thread at a time.
///
/// A thin layer over the C library: statements prepared once, values bound and read, transactions. It does nothing when
/// it is opened but open.
public final class Database {
    /// Makes SQLite take no locks. To be called by a program with one thread, before it opens anything.
    public static func useOneThread() { _ = helix_sqlite_initialize() }

    /// The version of the SQLite library.
    public static var version: String { String(cString: sqlite3_libversion()) }

    /// Told of each statement that has ended, with its text and its seconds. To be set before a database is opened.
    public nonisolated(unsafe) static var observer: (@Sendable (String, Double) -> Void)?

    private let connection: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    /// How a database is opened.
    public enum Mode: Sendable {
        case readOnly
        /// Made if there is none.
        case readWrite
        /// A file that nobody writes: no lock is taken and no file beside it is looked for.
        case immutable
    }

    /// Opens the database at `path`.
    /// - Parameter busyTimeout: how long to wait for others, in milliseconds.
    /// - Throws: ``DatabaseError``.
    public init(path: String, mode: Mode = .readWrite, busyTimeout: Int32 = 5000) throws {
        var opened: OpaquePointer?
        let flags =
            switch mode {
            case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readOnly: SQLITE_OPEN_READONLY
            case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            }
        let name = mode == .immutable ? "file:" + Database.escaped(path) + "?immutable=1" : path
        // One thread uses it, so SQLite needs no locks of its own.
        let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
            sqlite3_close_v2(opened)
            throw DatabaseError(code, message: message, sql: nil)
        }
        connection = opened
        sqlite3_busy_timeout(opened, busyTimeout)
        if Database.observer != nil {
            sqlite3_trace_v2(
                opened, UInt32(SQLITE_TRACE_PROFILE),
                { _, _, statement, nanoseconds in
                    guard let nanoseconds, let text = sqlite3_sql(OpaquePointer(statement)) else { return 0 }
                    let spent = nanoseconds.assumingMemoryBound(to: Int64.self).pointee
                    Database.observer?(String(cString: text), Double(spent) / 1e9)
                    return 0
                }, nil)
        }
        let configured = helix_sqlite_configure(opened)
        guard configured == SQLITE_OK else { throw failure(configured) }
        let added = helix_sqlite_add_tokenizer(opened)
        guard added == SQLITE_OK else { throw failure(added) }
        // The system has the pages anyway. Each that is kept here, too, costs it the handing out of memory, which takes
        // longer than to copy a page again; a map of the file in memory costs the same.
        try execute(sql: "PRAGMA cache_size = -160")
    }

    /// The KB of changed pages that a writer holds before it must put some of them into the log.
    private static let writersCache = 28_000
    /// Whether all is only tried.
    private var isRehearsal = false
    private var hasWritersCache = false

    deinit { close() }

    private var isClosed = false

    /// Closes it; nothing may be asked of it any more.
    public func close() {
        if isClosed { return }
        isClosed = true
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
        sqlite3_close_v2(connection)
    }

    /// What stands for itself in a URI's path (https://www.sqlite.org/uri.html).
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            switch byte {
            case 0x25: "%25"
            case 0x3F: "%3f"
            case 0x23: "%23"
            default: String(decoding: [byte], as: UTF8.self)
            }
        }.joined()
    }

    func prepared(_ sql: String) throws -> OpaquePointer {
        if let known = statements[sql] { return known }
        var made: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
        guard code == SQLITE_OK, let made else { throw failure(code, sql) }
        statements[sql] = made
        return made
    }

    /// So many statements are kept by a program that stays.
    private static let mostStatements = 256

    /// How many statements are kept.
    var statementCount: Int { statements.count }

    /// Forgets all statements, where there are many: texts that hold a moment or a search are hardly ever asked again. For a
    /// program that stays, between two tasks: nobody may be in the middle of one.
    public func trimStatements() {
        guard statements.count > Database.mostStatements else { return }
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
    }

    /// Runs one statement with values.
    /// - Throws: ``DatabaseError``.
    public func execute(sql: String, arguments: StatementArguments) throws {
        try Statement(self, sql).execute(arguments: arguments)
    }

    /// Runs statements, one after the other.
    /// - Throws: ``DatabaseError``.
    public func execute(sql: String) throws {
        let code = sqlite3_exec(connection, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, sql) }
    }

    /// The row number of the row inserted last.
    public var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(connection) }

    /// A mark that is another one after this connection or any other has changed something.
    /// - Throws: ``DatabaseError``.
    public func changeMark() throws -> ChangeMark {
        ChangeMark(
            others: try Int64.fetchOne(self, sql: "PRAGMA data_version") ?? 0,
            own: Int64(sqlite3_total_changes(connection)))
    }

    /// A number that is another one after somebody else has changed something.
    /// - Throws: ``DatabaseError``.
    public func othersMark() throws -> Int64 { try Int64.fetchOne(self, sql: "PRAGMA data_version") ?? 0 }

    /// See ``changeMark()``.
    public struct ChangeMark: Hashable, Sendable {
        let others: Int64
        let own: Int64
    }

    /// Keeps up to so many KB of pages, for a program that stays: also while it writes, or it would keep them ever after.
    /// - Throws: ``DatabaseError``.
    public func keepPages(_ kilobytes: Int) throws {
        hasWritersCache = true
        try execute(sql: "PRAGMA cache_size = -\(kilobytes)")
    }

    /// How many rows the last statement changed.
    public var changedRows: Int { Int(sqlite3_changes(connection)) }

    /// Whether a transaction is open.
    public var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

    /// How a transaction begins.
    public enum TransactionKind: String, Sendable {
        /// Locks nothing before it must.
        case deferred = "BEGIN DEFERRED"
        /// Keeps other writers out from its start.
        case immediate = "BEGIN IMMEDIATE"
    }

    /// Does `body` in a transaction: all of it holds, or nothing, if it throws. What it reads is of one moment.
    /// - Throws: ``DatabaseError``, and what `body` throws.
    public func transaction<Value>(_ kind: TransactionKind, _ body: () throws -> Value) throws -> Value {
        if isRehearsal { return try savepoint(body) }
        if kind == .immediate, !hasWritersCache {
            hasWritersCache = true
            try execute(sql: "PRAGMA cache_size = -\(Database.writersCache)")
        }
        try execute(sql: kind.rawValue)
        do {
            let value = try body()
            try execute(sql: "COMMIT")
            return value
        } catch {
            // Some errors, such as a full disk, have taken it back already.
            if isInTransaction { try? execute(sql: "ROLLBACK") }
            throw error
        }
    }

    /// Begins to only try all that follows: one transaction around it, which ``endRehearsal()`` takes back.
    /// - Throws: ``DatabaseError`` if somebody else is writing.
    public func rehearse() throws {
        try execute(sql: TransactionKind.immediate.rawValue)
        isRehearsal = true
    }

    /// Takes back what was tried.
    public func endRehearsal() {
        guard isRehearsal else { return }
        isRehearsal = false
        if isInTransaction { try? execute(sql: "ROLLBACK") }
    }

    /// Does `body` within a transaction: all of it holds as far as that, or nothing, if it throws.
    private func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
        try execute(sql: "SAVEPOINT step")
        do {
            let value = try body()
            try execute(sql: "RELEASE step")
            return value
        } catch {
            if isInTransaction { try? execute(sql: "ROLLBACK TO step; RELEASE step") }
            throw error
        }
    }

    /// Whether there is a table of that name.
    /// - Throws: ``DatabaseError``.
    public func tableExists(_ name: String) throws -> Bool {
        try Bool.fetchOne(
            self, sql: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", arguments: [name]) ?? false
    }

    /// Copies everything into another database, as it is at one moment, while others read and write
    /// (https://www.sqlite.org/backup.html).
    /// - Throws: ``DatabaseError``.
    public func backup(to target: Database) throws {
        guard let backup = sqlite3_backup_init(target.connection, "main", connection, "main") else {
            throw target.failure(sqlite3_errcode(target.connection))
        }
        let code = Database.step(backup, pages: -1)
        let finished = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE, finished == SQLITE_OK else {
            throw target.failure(code == SQLITE_DONE ? finished : code)
        }
    }

    /// Writes the contents of another database over this one's, in one transaction: whoever has this one open sees the old
    /// contents or the new ones, whatever happens in between.
    ///
    /// - Parameter body: called when nobody else can write any more and nothing is written yet.
    /// - Throws: ``DatabaseError``, and what `body` throws; then nothing is changed.
    public func replaceContents(with source: Database, _ body: () throws -> Void) throws {
        guard let backup = sqlite3_backup_init(connection, "main", source.connection, "main") else {
            throw failure(sqlite3_errcode(connection))
        }
        // One page: that takes the locks.
        var code = Database.step(backup, pages: 1)
        var problem: (any Error)?
        if code == SQLITE_OK || code == SQLITE_DONE {
            do {
                try body()
                code = Database.step(backup, pages: -1)
            } catch { problem = error }
        }
        // A backup that is not complete is rolled back here.
        let finished = sqlite3_backup_finish(backup)
        if let problem { throw problem }
        guard code == SQLITE_DONE, finished == SQLITE_OK else {
            throw failure(code == SQLITE_DONE || code == SQLITE_OK ? finished : code)
        }
    }

    /// Copies pages, waiting for others for up to five seconds.
    private static func step(_ backup: OpaquePointer, pages: Int32) -> Int32 {
        var code = sqlite3_backup_step(backup, pages)
        var tries = 0
        while code & 0xFF == SQLITE_BUSY || code & 0xFF == SQLITE_LOCKED, tries < 200 {
            sqlite3_sleep(25)
            tries += 1
            code = sqlite3_backup_step(backup, pages)
        }
        return code
    }

    private func failure(_ code: Int32, _ sql: String? = nil) -> DatabaseError {
        let message = sqlite3_errmsg(connection).map { String(cString: $0) }
        return DatabaseError(code, message: message, sql: sql)
    }
}
