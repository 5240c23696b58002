import Glibc
import HelixModel
import HelixSQLite

/// A gateway's store in an SQLite database and files beside it: one machine, nothing to install.
final class SQLiteGatewayStore: GatewayStore, SQLAccountStore {
    let database: Database
    /// The folder with all of the gateway's data.
    let folder: String

    /// Opens the store, creating it if it does not exist.
    /// - Parameters:
    ///   - folder: an existing folder: `gateway`, beside the store of helix itself.
    ///   - kilobytes: the size of the page cache.
    /// - Throws: ``HelixError``.
    init(folder: String, keeping kilobytes: Int) throws {
        self.folder = folder
        do {
            let mask = umask(0o077)
            defer { umask(mask) }
            database = try Database(path: folder + "/gateway.db")
            try database.keepPages(kilobytes)
            try GatewaySchema.prepare(database)
        } catch { throw SQLiteGatewayStore.problem(error, folder) }
    }

    func didServe() { if !isTogether { database.trimStatements() } }

    /// Whether the changes of several requests are in one transaction, and whether that has begun.
    private var (isTogether, hasBegun) = (false, false)

    func together(_ body: () -> Void) throws {
        (isTogether, hasBegun) = (true, false)
        defer {
            (isTogether, hasBegun) = (false, false)
            didServe()
        }
        body()
        guard hasBegun else { return }
        do {
            // A full disk, for example, has rolled it back already.
            guard database.isInTransaction else { throw HelixError(.io, "the disk failed; nothing was changed") }
            try database.execute(sql: "COMMIT")
        } catch {
            if database.isInTransaction { try? database.execute(sql: "ROLLBACK") }
            throw SQLiteGatewayStore.problem(error, folder)
        }
    }

    /// Runs a write in the common transaction, which begins with the first one.
    private func writeTogether<Value>(_ body: (Database) throws -> Value) throws -> Value {
        if !hasBegun {
            try database.execute(sql: "BEGIN IMMEDIATE")
            hasBegun = true
        }
        guard database.isInTransaction else { throw HelixError(.io, "the disk failed; nothing was changed") }
        return try database.savepoint { try body(database) }
    }

    func rehearse() throws {
        do { try database.rehearse() } catch { throw SQLiteGatewayStore.problem(error, folder) }
    }

    /// Runs a read transaction.
    /// - Throws: ``HelixError``.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            // The common transaction is a snapshot, too.
            if hasBegun { return try body(database) }
            return try database.transaction(.deferred) { try body(database) }
        } catch {
            throw SQLiteGatewayStore.problem(error, folder)
        }
    }

    /// Runs a write transaction.
    /// - Throws: ``HelixError``.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            if isTogether { return try writeTogether(body) }
            return try database.transaction(.immediate) { try body(database) }
        } catch {
            throw SQLiteGatewayStore.problem(error, folder)
        }
    }

    func reading<Value>(_ body: (any GatewayDatabase) throws -> Value) throws -> Value { try read { try body($0) } }
    func writing<Value>(_ body: (any GatewayDatabase) throws -> Value) throws -> Value { try write { try body($0) } }

    func noteNameChange(_ db: any GatewayDatabase, of user: EntityID) throws {
        try db.execute(
            sql: "UPDATE member SET version = ? WHERE user = ? AND left_version IS NULL",
            arguments: [try tick(database), user.text])
    }

    func isDeleted(_ db: any GatewayDatabase, message: EntityID, in conversation: EntityID) throws -> Bool? {
        try Bool.fetchOne(db, sql: "SELECT is_deleted FROM message WHERE id = ?", arguments: [message.text])
    }

    func leave(_ group: EntityID, _ user: EntityID, now: Instant) throws {
        _ = try remove(user, from: group, by: user, now: now)
    }

    /// A write transaction of SQLite is alone.
    func lockAdministrators(_ db: any GatewayDatabase) throws {}

    func audited(since mark: String?) throws -> (mark: String, users: [EntityID]) {
        try read { db in
            let last = try Int64.fetchOne(db, sql: "SELECT MAX(n) FROM audit") ?? 0
            let users =
                try mark.flatMap { Int64($0) }.map { known in
                    try String.fetchAll(
                        db, sql: "SELECT DISTINCT user FROM audit WHERE n > ? AND user IS NOT NULL", arguments: [known])
                } ?? []
            return (String(last), users.map { EntityID(stored: $0) })
        }
    }

    func sweepAudit(now: Instant) throws {
        try write { db in
            try db.execute(
                sql: "DELETE FROM signin_failure WHERE last < ?", arguments: [now.seconds - SignInFailures.memory])
            // Entries are sorted: the scan starts at the oldest and stops early.
            try db.execute(
                sql: "DELETE FROM audit WHERE n < (SELECT n FROM audit WHERE at >= ? ORDER BY n LIMIT 1)",
                arguments: [now.seconds - 366 * 86_400])
        }
    }

    private static func problem(_ error: any Error, _ folder: String) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        switch error.code {
        case .busy, .locked: return HelixError(.busy, "the gateway's store is in use by another program")
        case .full:
            return HelixError(.io, "the disk is full; nothing was changed", hint: "Free some space for \(folder).")
        default: return HelixError(.io, "the gateway's store in \(folder) failed: \(error.message ?? "\(error.code)")")
        }
    }
}
