import FoundationEssentials
import Glibc
import HelixModel
import HelixPostgres

/// The folder of a gateway on this machine: its store, and those of its users.
public struct GatewayFolder: Sendable {
    /// The path: `gateway`, beside the store of helix itself.
    public let path: String

    /// The database that several gateways share; nil for one gateway with SQLite in the folder.
    public let database: PostgresTarget?

    /// Creates the description of a folder, which need not exist.
    public init(_ path: String, database: PostgresTarget? = nil) { (self.path, self.database) = (path, database) }

    /// Whether there is a gateway's store.
    public var hasStore: Bool { database != nil || access(path + "/gateway.db", F_OK) == 0 }

    /// The path of a user's own helix store.
    public func storePath(of user: EntityID) -> String { "\(path)/users/\(user.text)/helix.db" }

    /// Opens the gateway's store, creating it if it does not exist.
    /// - Parameter kilobytes: the size of the page cache.
    /// - Throws: ``HelixError``.
    public func open(keeping kilobytes: Int = 256) throws -> any GatewayStore {
        try create()
        if let database { return try PostgresGatewayStore(database) }
        return try SQLiteGatewayStore(folder: path, keeping: kilobytes)
    }

    /// The events between this gateway and the others of the database; nil for a single gateway.
    public func events() -> (any GatewayEvents)? {
        database.map { PostgresEvents($0, PostgresPool($0, size: 2)) }
    }

    /// Creates the folder, which only its owner may enter.
    private func create() throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw HelixError(.cannotCreate, "cannot create the folder \(path)") }
    }

    /// The logs of the users' entities; nil if the stores of users are only in the folder.
    /// - Parameter connections: the maximum number of connections.
    public func userLogs(connections: Int) -> (any GatewayUserLogs)? {
        database.map { PostgresUserLogs(PostgresPool($0, size: connections)) }
    }

    /// The rights to sync users' accounts; nil if there is one gateway.
    public func accountLeases() -> (any GatewayAccountLeases)? {
        database.map { PostgresAccountLeases(PostgresPool($0, size: 1)) }
    }
}
