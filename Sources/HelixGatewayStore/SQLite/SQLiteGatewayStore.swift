import FoundationEssentials
import Glibc
import HelixModel
import HelixSQLite

/// A gateway's store in an SQLite database and files beside it: one machine, nothing to install.
final class SQLiteGatewayStore: GatewayStore {
    let database: Database
    /// The folder with all of the gateway's data.
    let folder: String

    /// Opens the store, creating it if it does not exist.
    /// - Parameters:
    ///   - folder: `gateway`, beside the store of helix itself.
    ///   - kilobytes: the size of the page cache.
    /// - Throws: ``HelixError``.
    init(folder: String, keeping kilobytes: Int) throws {
        self.folder = folder
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw HelixError(.cannotCreate, "cannot create the folder \(folder)") }
        do {
            let mask = umask(0o077)
            defer { umask(mask) }
            database = try Database(path: folder + "/gateway.db")
            try database.keepPages(kilobytes)
            try GatewaySchema.prepare(database)
        } catch { throw SQLiteGatewayStore.problem(error, folder) }
    }

    func didServe() { database.trimStatements() }

    func rehearse() throws {
        do { try database.rehearse() } catch { throw SQLiteGatewayStore.problem(error, folder) }
    }

    /// Runs a read transaction.
    /// - Throws: ``HelixError``.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do { return try database.transaction(.deferred) { try body(database) } } catch {
            throw SQLiteGatewayStore.problem(error, folder)
        }
    }

    /// Runs a write transaction.
    /// - Throws: ``HelixError``.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do { return try database.transaction(.immediate) { try body(database) } } catch {
            throw SQLiteGatewayStore.problem(error, folder)
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
