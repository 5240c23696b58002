import Foundation
import HelixModel
import HelixSQLite

/// What a gateway knows of its users and their devices. Their calendars, tasks and mail lie in stores of their own, one for
/// each user, so that nothing that is asked of one can reach another's.
///
/// It belongs to one thread at a time. Several processes may have it open at once.
public final class GatewayStore {
    let database: Database
    /// The folder in which everything of the gateway lies.
    public let folder: String

    /// Opens it, making it if there is none.
    /// - Parameters:
    ///   - folder: `gateway`, beside the store of helix itself.
    ///   - kilobytes: of its pages, so many are kept.
    /// - Throws: ``HelixError``.
    public init(folder: String, keeping kilobytes: Int = 256) throws {
        self.folder = folder
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw HelixError(.cannotCreate, "the folder \(folder) cannot be made") }
        do {
            let mask = umask(0o077)
            defer { umask(mask) }
            database = try Database(path: folder + "/gateway.db")
            try database.keepPages(kilobytes)
            try GatewaySchema.prepare(database)
        } catch { throw GatewayStore.problem(error, folder) }
    }

    /// Whether there is a gateway in a folder.
    public static func exists(in folder: String) -> Bool { access(folder + "/gateway.db", F_OK) == 0 }

    /// The store of helix that is a user's own.
    public func storePath(of user: EntityID) -> String { "\(folder)/users/\(user.text)/helix.db" }

    /// Between two questions: what was prepared for the last ones is not kept for ever.
    public func didServe() { database.trimStatements() }

    /// Begins to only try what is done from now on; the end of the process takes it back.
    /// - Throws: ``HelixError`` of code `busy` if somebody else is writing.
    public func rehearse() throws {
        do { try database.rehearse() } catch { throw GatewayStore.problem(error, folder) }
    }

    /// Reads, all of one moment.
    /// - Throws: ``HelixError``.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do { return try database.transaction(.deferred) { try body(database) } } catch {
            throw GatewayStore.problem(error, folder)
        }
    }

    /// Writes, all or nothing.
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
