import Glibc
import HelixModel

/// The lock of a gateway's folder, held as long as the value exists: a folder has one gateway.
final class GatewayLock: Sendable {
    private let descriptor: Int32

    /// - Throws: ``HelixError``: `conflict` if another gateway holds it, `io` if it cannot be made.
    init(folder: String) throws {
        // The system releases the lock, however a gateway ends.
        descriptor = open(folder + "/gateway.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw HelixError(.io, "cannot open \(folder)/gateway.lock: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw HelixError(
                .conflict, "another gateway serves the store in \(folder)",
                hint: "Stop it first; a store has one gateway.")
        }
    }

    deinit { close(descriptor) }
}
