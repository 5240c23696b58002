import Dispatch
import HelixModel
import HelixPostgres
import Synchronization

/// Connections to PostgreSQL that threads borrow.
///
/// `@unchecked`: a session belongs to the thread that borrowed it.
final class PostgresPool: @unchecked Sendable {
    private let target: PostgresTarget
    private let room: DispatchSemaphore
    private let free = Mutex<[Box]>([])

    /// A session that travels between threads.
    private struct Box: @unchecked Sendable { let session: PostgresSession }

    /// The longest wait for a connection, in seconds.
    private static let patience = 5

    /// - Parameter size: the maximum number of connections.
    init(_ target: PostgresTarget, size: Int) {
        self.target = target
        room = DispatchSemaphore(value: size)
    }

    /// Runs work with a connection.
    /// - Throws: ``HelixError`` of code `busy` if none is free in time; the errors of `body`.
    func with<Value>(_ body: (PostgresSession) throws -> Value) throws -> Value {
        guard room.wait(timeout: .now() + .seconds(PostgresPool.patience)) == .success else {
            throw HelixError(.busy, "the gateway's connections to the database are all in use")
        }
        defer { room.signal() }
        let box = free.withLock { $0.popLast() } ?? Box(session: PostgresSession(target))
        defer { free.withLock { $0.append(box) } }
        return try body(box.session)
    }
}
