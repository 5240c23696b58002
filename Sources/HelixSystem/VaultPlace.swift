import FoundationEssentials
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

    /// The permissions of the home while the vault is closed: nobody may write into it. The sticky bit, which has no effect on
    /// such a folder, tells it from one that is read-only for another reason.
    public static let closedMode: mode_t = 0o1500

    /// Whether the home is the place of a closed vault whose folder is not there.
    public var isMissing: Bool {
        var info = stat()
        guard !exists, stat(home, &info) == 0 else { return false }
        return info.st_mode & 0o7777 == Self.closedMode || isMounted && isShownByGocryptFS
    }

    /// Whether the file system at the home is that of a vault.
    private var isShownByGocryptFS: Bool {
        let mounts = FileManager.default.contents(atPath: "/proc/self/mounts").map {
            String(decoding: $0, as: UTF8.self)
        }
        // Blanks in paths are written in octal digits (fstab(5)).
        let name = home.replacing(" ", with: "\\040")
        return mounts?.split(separator: "\n").contains { $0.contains(" \(name) fuse.gocryptfs ") } ?? false
    }

    /// Whether another file system begins at the home, also one whose program has ended.
    public var isMounted: Bool {
        var (inside, beside) = (stat(), stat())
        guard stat(home, &inside) == 0 else { return errno == ENOTCONN }
        return stat(home.deletingLastPathComponent, &beside) == 0 && inside.st_dev != beside.st_dev
    }
}
