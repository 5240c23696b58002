import CSQLite

/// A connection to an SQLite database, for one thread at a time.
///
/// A thin layer over the C library: cached prepared statements, typed values, transactions. Opening a database does no
/// further work.
public final class Database {
    /// Disables SQLite's mutexes. Must be called by a single-threaded program before it opens a database.
    public static func useOneThread() { _ = helix_sqlite_initialize() }

    /// The version of the SQLite library.
    public static var version: String { String(cString: sqlite3_libversion()) }

    /// An observer of finished statements, called with the text and the seconds. Must be set before a database is opened.
    public nonisolated(unsafe) static var observer: (@Sendable (String, Double) -> Void)?

    let connection: OpaquePointer
    /// The restriction to views; nil for none.
    var confinement: Confinement?
    private var statements: [String: OpaquePointer] = [:]
    /// Further statements of a text, of which one was in use when it was prepared again.
    private var duplicates: [String: [OpaquePointer]] = [:]

    /// The mode in which a database is opened.
    public enum Mode: Sendable {
        case readOnly
        /// Created if it does not exist.
        case readWrite
        /// A file that nothing writes to: without locks, and without a search for WAL or journal files.
        case immutable
    }

    /// Opens the database at `path`.
    /// - Parameter busyTimeout: the time to wait for locks of others, in milliseconds.
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
        // One thread uses it, so SQLite needs no mutexes.
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
        // The system caches the pages anyway. Each one cached here as well costs a memory allocation by the kernel, which takes
        // longer than copying the page again; a memory map of the file costs as much.
        try execute(sql: "PRAGMA cache_size = -160")
    }

    /// The KB of changed pages that a writer holds before it must spill some of them to the WAL.
    private static let writersCache = 28_000
    /// Whether all changes are to be rolled back.
    private var isRehearsal = false
    /// Whether the rehearsal ends with a commit.
    private var keepsRehearsal = false
    /// The number of savepoints that keep changed pages in memory.
    private var keptPages = 0
    private var hasWritersCache = false

    deinit { close() }

    private var isClosed = false

    /// Closes the connection; it must not be used afterwards.
    public func close() {
        if isClosed { return }
        isClosed = true
        finalizeStatements()
        sqlite3_close_v2(connection)
        if let confinement { helix_sqlite_guard_free(confinement.guardian) }
    }

    /// Escapes a path for use in a URI (https://www.sqlite.org/uri.html).
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

    /// A statement of a text that is not in use, without bound values: a cached one if possible.
    func prepared(_ sql: String) throws -> OpaquePointer {
        guard let known = statements[sql] else {
            let made = try prepare(sql)
            statements[sql] = made
            return made
        }
        if sqlite3_stmt_busy(known) == 0 {
            sqlite3_clear_bindings(known)
            return known
        }
        // A reader of the same text is not at its end.
        if let free = duplicates[sql]?.first(where: { sqlite3_stmt_busy($0) == 0 }) {
            sqlite3_clear_bindings(free)
            return free
        }
        let made = try prepare(sql)
        duplicates[sql, default: []].append(made)
        return made
    }

    func finalizeStatements() {
        for statement in statements.values { sqlite3_finalize(statement) }
        for statement in duplicates.values.joined() { sqlite3_finalize(statement) }
        (statements, duplicates) = ([:], [:])
    }

    private func prepare(_ sql: String) throws -> OpaquePointer {
        var made: OpaquePointer?
        let code = confined(sql) {
            sqlite3_prepare_v3(connection, $0, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
        }
        guard code == SQLITE_OK, let made else { throw failure(code, sql) }
        return made
    }

    /// Compiles a statement as the confinement demands.
    private func confined(_ sql: String, _ compile: (String) -> Int32) -> Int32 {
        guard let confinement else { return compile(sql) }
        let (text, writes) = confinement.rewritten(sql)
        helix_sqlite_guard_set(confinement.guardian, writes ? 2 : 1)
        defer { helix_sqlite_guard_set(confinement.guardian, 0) }
        return compile(text)
    }

    /// The limit of cached statements in a long-running program.
    private static let mostStatements = 256

    /// The number of cached statements.
    var statementCount: Int { statements.count }

    /// Finalizes all cached statements if there are too many: texts that contain a moment or a search are rarely reused. For
    /// long-running programs, between two tasks: no statement may be in use.
    public func trimStatements() {
        guard statements.count > Database.mostStatements else { return }
        finalizeStatements()
    }

    /// Runs one statement with values.
    /// - Throws: ``DatabaseError``.
    public func execute(sql: String, arguments: StatementArguments) throws {
        try Statement(self, sql).execute(arguments: arguments)
    }

    /// Runs statements, one after the other.
    /// - Throws: ``DatabaseError``.
    public func execute(sql: String) throws {
        let code = confined(sql) { sqlite3_exec(connection, $0, nil, nil, nil) }
        guard code == SQLITE_OK else { throw failure(code, sql) }
    }

    /// The rowid of the last inserted row.
    public var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(connection) }

    /// Returns a mark that changes after any connection, this one included, has changed the database.
    /// - Throws: ``DatabaseError``.
    public func changeMark() throws -> ChangeMark {
        ChangeMark(
            others: try Int64.fetchOne(self, sql: "PRAGMA data_version") ?? 0,
            own: Int64(sqlite3_total_changes(connection)))
    }

    /// Returns a number that changes after another connection has changed the database.
    /// - Throws: ``DatabaseError``.
    public func othersMark() throws -> Int64 { try Int64.fetchOne(self, sql: "PRAGMA data_version") ?? 0 }

    /// A state of the database, for comparison; see ``changeMark()``.
    public struct ChangeMark: Hashable, Sendable {
        let others: Int64
        let own: Int64
    }

    /// Sets the page cache to `kilobytes` KB, for a long-running program: also during writes, which would enlarge it for good.
    /// - Throws: ``DatabaseError``.
    public func keepPages(_ kilobytes: Int) throws {
        hasWritersCache = true
        try execute(sql: "PRAGMA cache_size = -\(kilobytes)")
    }

    /// The number of rows that the last statement changed.
    public var changedRows: Int { Int(sqlite3_changes(connection)) }

    /// Whether a transaction is open.
    public var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

    /// The way in which a transaction begins.
    public enum TransactionKind: String, Sendable {
        /// Locks nothing until needed.
        case deferred = "BEGIN DEFERRED"
        /// Locks out other writers from the start.
        case immediate = "BEGIN IMMEDIATE"
    }

    /// Runs `body` in a transaction, which is committed, or rolled back if `body` throws. Its reads see one snapshot.
    /// - Throws: ``DatabaseError``, and the errors of `body`.
    public func transaction<Value>(_ kind: TransactionKind, _ body: () throws -> Value) throws -> Value {
        if isRehearsal { return try savepoint(body) }
        if kind == .immediate, !hasWritersCache {
            hasWritersCache = true
            try execute(sql: "PRAGMA cache_size = -\(Database.writersCache)")
        }
        let hasReader = hasReader
        try execute(sql: kind.rawValue)
        do {
            let value = try body()
            if !hasReader { resetReaders() }
            try execute(sql: "COMMIT")
            return value
        } catch {
            if !hasReader { resetReaders() }
            // Some errors, such as a full disk, have rolled it back already.
            if isInTransaction { try? execute(sql: "ROLLBACK") }
            throw error
        }
    }

    /// Whether a statement is between two of its rows.
    private var hasReader: Bool {
        var next = sqlite3_next_stmt(connection, nil)
        while let statement = next {
            if sqlite3_stmt_busy(statement) != 0 { return true }
            next = sqlite3_next_stmt(connection, statement)
        }
        return false
    }

    /// Ends statements that `body` left before their last row, by a return or an error: they would keep the snapshot, so that
    /// all later reads were old, and no change were possible after one of another connection.
    private func resetReaders() {
        var next = sqlite3_next_stmt(connection, nil)
        while let statement = next {
            if sqlite3_stmt_busy(statement) != 0 { sqlite3_reset(statement) }
            next = sqlite3_next_stmt(connection, statement)
        }
    }

    /// Starts a dry run: one transaction around all that follows, which ``endRehearsal()`` rolls back.
    ///
    /// - Parameter keeps: whether it ends in ``endRehearsal(keeping:)``: then its pages stay in memory until then.
    /// - Throws: ``DatabaseError`` if another connection is writing.
    public func rehearse(keeping keeps: Bool = false) throws {
        if keeps { try keepPages() }
        do { try execute(sql: TransactionKind.immediate.rawValue + "; SAVEPOINT rehearsal") } catch {
            if keeps { releasePages() }
            throw error
        }
        (isRehearsal, keepsRehearsal) = (true, keeps)
    }

    /// Keeps changed pages in memory until the commit, also more than the cache holds.
    ///
    /// SQLite 3.40 writes what the cache cannot hold to the log before the commit. If a savepoint is rolled back then, it forgets
    /// that some of these frames were overwritten, and leaves a wrong checksum behind the commit: the next process finds that the
    /// log ends there, and the commits after it are lost. The number of pages counts at once; ON and OFF only outside of a
    /// transaction.
    private func keepPages() throws {
        if keptPages == 0 { try execute(sql: "PRAGMA cache_spill = 2000000000") }
        keptPages += 1
    }

    private func releasePages() {
        keptPages -= 1
        if keptPages == 0 { try? execute(sql: "PRAGMA cache_spill = 1") }
    }

    /// Ends the dry run: all of it is rolled back, and what `body` writes is committed in the same transaction.
    /// - Throws: ``DatabaseError``, and the errors of `body`; then the dry run goes on.
    public func endRehearsal<Value>(keeping body: () throws -> Value) throws -> Value {
        try execute(sql: "ROLLBACK TO rehearsal")
        let value = try body()
        try execute(sql: "COMMIT")
        isRehearsal = false
        releaseRehearsal()
        return value
    }

    /// Ends the dry run and rolls it back.
    public func endRehearsal() {
        guard isRehearsal else { return }
        isRehearsal = false
        if isInTransaction { try? execute(sql: "ROLLBACK") }
        releaseRehearsal()
    }

    private func releaseRehearsal() {
        if keepsRehearsal { releasePages() }
        keepsRehearsal = false
    }

    /// Runs `body` in a savepoint of an open transaction, which is released, or rolled back if `body` throws.
    /// - Throws: ``DatabaseError``, and the errors of `body`.
    public func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
        // A plain dry run is rolled back as a whole, which needs no pages in memory.
        let keeps = !isRehearsal || keepsRehearsal
        if keeps { try keepPages() }
        defer { if keeps { releasePages() } }
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

    /// Whether a table with that name exists.
    /// - Throws: ``DatabaseError``.
    public func tableExists(_ name: String) throws -> Bool {
        try Bool.fetchOne(
            self, sql: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", arguments: [name]) ?? false
    }

    /// Copies a consistent snapshot into another database, while others read and write
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

    /// Replaces the contents by those of another database in one transaction: connections to this one see either the old or the
    /// new contents, even after a crash.
    ///
    /// - Parameter body: called when other writers are locked out and nothing is written yet.
    /// - Throws: ``DatabaseError``, and the errors of `body`; then nothing is changed.
    public func replaceContents(with source: Database, _ body: () throws -> Void) throws {
        guard let backup = sqlite3_backup_init(connection, "main", source.connection, "main") else {
            throw failure(sqlite3_errcode(connection))
        }
        // One page: this acquires the locks.
        var code = Database.step(backup, pages: 1)
        var problem: (any Error)?
        if code == SQLITE_OK || code == SQLITE_DONE {
            do {
                try body()
                code = Database.step(backup, pages: -1)
            } catch { problem = error }
        }
        // An incomplete backup is rolled back here.
        let finished = sqlite3_backup_finish(backup)
        if let problem { throw problem }
        guard code == SQLITE_DONE, finished == SQLITE_OK else {
            throw failure(code == SQLITE_DONE || code == SQLITE_OK ? finished : code)
        }
    }

    /// Copies pages, waiting for locks of others for up to five seconds.
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
