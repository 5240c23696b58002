import Glibc
import HelixModel

/// The folder of a gateway on this machine: its store, and those of its users.
public struct GatewayFolder: Hashable, Sendable {
    /// The path: `gateway`, beside the store of helix itself.
    public let path: String

    /// Creates the description of a folder, which need not exist.
    public init(_ path: String) { self.path = path }

    /// Whether there is a gateway's store.
    public var hasStore: Bool { access(path + "/gateway.db", F_OK) == 0 }

    /// The path of a user's own helix store.
    public func storePath(of user: EntityID) -> String { "\(path)/users/\(user.text)/helix.db" }

    /// Opens the gateway's store, creating it if it does not exist.
    /// - Parameter kilobytes: the size of the page cache.
    /// - Throws: ``HelixError``.
    public func open(keeping kilobytes: Int = 256) throws -> any GatewayStore {
        try SQLiteGatewayStore(folder: path, keeping: kilobytes)
    }
}
