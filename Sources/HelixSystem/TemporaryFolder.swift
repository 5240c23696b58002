import FoundationEssentials
import Glibc

/// The folder of temporary files. In memory where the system has such a folder: what lies in a vault, or on no disk at all, must
/// not be written to a disk in plain.
public enum TemporaryFolder {
    /// The path of the folder.
    public static var path: String {
        access("/dev/shm", W_OK) == 0 ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    }
}
