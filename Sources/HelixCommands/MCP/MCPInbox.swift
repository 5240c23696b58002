import Glibc
import HelixModel
import HelixSystem
import Synchronization

/// The messages of a client, read while a request is answered, so that requests can be cancelled.
final class MCPInbox: Sendable {
    private struct State {
        var lines: [[UInt8]] = []
        var isAtEnd = false
        var failure: HelixError?
        /// The ids of cancelled requests, as JSON.
        var cancelled: Set<String> = []
    }

    private let state = Mutex(State())
    /// A pipe with one byte for each line, and one for the end.
    private let (readEnd, writeEnd): (Int32, Int32)
    /// The maximum number of lines that wait.
    private static let most = 1_000

    /// - Throws: ``HelixError`` if the system has no room for another thread or pipe.
    init(_ descriptor: Int32) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw HelixError(.io, "the system has no room for a pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
        do { try DetachedThread.start { [self] in read(descriptor) } } catch {
            throw HelixError(.io, "the system has no room for a thread")
        }
    }

    /// The next message; nil at the end of the input.
    /// - Throws: ``HelixError`` if the input cannot be read.
    func next() throws -> [UInt8]? {
        var byte: UInt8 = 0
        while Glibc.read(readEnd, &byte, 1) < 0, errno == EINTR {}
        return try state.withLock { state in
            if !state.lines.isEmpty { return state.lines.removeFirst() }
            if let failure = state.failure { throw failure }
            return nil
        }
    }

    /// Whether a request was cancelled; then it is not asked again.
    func takeCancelled(_ id: JSONText) -> Bool { state.withLock { $0.cancelled.remove(id.compact) != nil } }

    private func read(_ descriptor: Int32) {
        var lines = InputLines(descriptor)
        do {
            while let line = try lines.next() {
                if let id = MCPInbox.cancelled(line) {
                    state.withLock { state in
                        // A client that cancels what it never asked for must not take all memory.
                        if state.cancelled.count < MCPInbox.most { _ = state.cancelled.insert(id) }
                    }
                    continue
                }
                while state.withLock({ $0.lines.count >= MCPInbox.most }) { usleep(1_000) }
                state.withLock { $0.lines.append(line) }
                wake()
            }
        } catch {
            let failure = error as? HelixError ?? HelixError(.io, "the input cannot be read")
            state.withLock { $0.failure = failure }
        }
        wake()
    }

    private func wake() {
        var byte: UInt8 = 1
        while write(writeEnd, &byte, 1) < 0, errno == EINTR {}
    }

    /// The id of the request that a message cancels, as JSON; nil for any other message.
    private static func cancelled(_ line: [UInt8]) -> String? {
        // Few messages are this short and none of the others has to be parsed twice.
        guard line.count < 4_096, let message = try? JSONText(line),
            message["method"]?.text == "notifications/cancelled"
        else { return nil }
        return message["params"]?["requestId"]?.compact ?? ""
    }
}
