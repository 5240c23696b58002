import Glibc

/// The places of a home and of its vault, in which its files lie encrypted while it is closed.
public struct VaultPlace: Sendable {
    /// The folder of the store, where the files are seen while the vault is open.
    public let home: String
    /// The folder of the vault.
    public var folder: String { home + ".vault" }
    /// The folder with the encrypted files.
    public var cipher: String { folder + "/cipher" }

    /// - Parameter home: the folder of the store.
    public init(home: String) { self.home = home }

    /// Whether there is a vault.
    public var exists: Bool { access(folder, F_OK) == 0 }

    /// Whether another file system begins at the home, also one whose program has ended.
    public var isMounted: Bool {
        var (inside, beside) = (stat(), stat())
        guard stat(home, &inside) == 0 else { return errno == ENOTCONN }
        return stat(folder, &beside) == 0 && inside.st_dev != beside.st_dev
    }
}
