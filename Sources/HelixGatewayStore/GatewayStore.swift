import FoundationEssentials
import Glibc
import HelixModel
import HelixSQLite

/// The store of a gateway's users and their devices. Calendars, tasks and mail are in a store of their own for each user, so
/// that a request for one user cannot reach another's data.
///
/// It belongs to one thread at a time. Several processes may have it open at once.
public final class GatewayStore {
    let database: Database
    /// The folder with all of the gateway's data.
    public let folder: String

    /// Opens the store, creating it if it does not exist.
    /// - Parameters:
    ///   - folder: `gateway`, beside the store of helix itself.
    ///   - kilobytes: the size of the page cache.
    /// - Throws: ``HelixError``.
    public init(folder: String, keeping kilobytes: Int = 256) throws {
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
        } catch { throw GatewayStore.problem(error, folder) }
    }

    /// Whether there is a gateway's store in a folder.
    public static func exists(in folder: String) -> Bool { access(folder + "/gateway.db", F_OK) == 0 }

    /// The path of a user's own helix store.
    public func storePath(of user: EntityID) -> String { "\(folder)/users/\(user.text)/helix.db" }

    /// Trims the cache of prepared statements between two requests.
    public func didServe() { database.trimStatements() }

    /// Starts a dry run: all further changes are rolled back at the end of the process.
    /// - Throws: ``HelixError`` of code `busy` if another process is writing.
    public func rehearse() throws {
        do { try database.rehearse() } catch { throw GatewayStore.problem(error, folder) }
    }

    /// Runs a read transaction.
    /// - Throws: ``HelixError``.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do { return try database.transaction(.deferred) { try body(database) } } catch {
            throw GatewayStore.problem(error, folder)
        }
    }

    /// Runs a write transaction.
    /// - Throws: ``HelixError``.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do { return try database.transaction(.immediate) { try body(database) } } catch {
            throw GatewayStore.problem(error, folder)
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
