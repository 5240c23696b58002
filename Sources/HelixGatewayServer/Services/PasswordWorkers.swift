import Dispatch
import HelixGateway
import HelixGatewayStore
import Synchronization

/// Threads that hash passwords: each hash takes a tenth of a second and 64 MB, so only a few run at a time, and many failedLogins
/// from one network wait for each other, not ahead of users who know their password.
final class PasswordWorkers: Sendable {
    private struct State {
        var running = 0
        var waiting: [(network: String, run: @Sendable () -> Void)] = []
        /// The number of jobs of each network.
        var networks: [String: Int] = [:]
        var isStopping = false
    }

    /// The maximum number of concurrent jobs, of queued ones, and of those of one network.
    private static let (parallel, most, mostEach) = (2, 24, 4)

    private let queue = DispatchQueue(label: "helix.gateway.passwords", qos: .utility, attributes: .concurrent)
    private let state = Mutex(State())

    /// Runs work on a password.
    /// - Parameters:
    ///   - network: the network of the request.
    ///   - isWanted: whether the client still waits for the result.
    /// - Returns: false if the limit is reached.
    func perform<Answer: Sendable>(
        _ network: String, isWanted: @escaping @Sendable () -> Bool,
        _ body: @escaping @Sendable () throws -> Answer,
        then done: @escaping @Sendable (Result<Answer, any Error>) -> Void
    ) -> Bool {
        let run: @Sendable () -> Void = { if isWanted() { done(Result { try body() }) } }
        return state.withLock { state in
            guard !state.isStopping, state.waiting.count < PasswordWorkers.most,
                state.networks[network, default: 0] < PasswordWorkers.mostEach
            else { return false }
            state.networks[network, default: 0] += 1
            state.waiting.append((network, run))
            start(&state)
            return true
        }
    }

    private func start(_ state: inout State) {
        while state.running < PasswordWorkers.parallel, !state.waiting.isEmpty {
            let (network, run) = state.waiting.removeFirst()
            state.running += 1
            queue.async { [self] in
                run()
                self.state.withLock { state in
                    state.running -= 1
                    let left = state.networks[network, default: 1] - 1
                    state.networks[network] = left > 0 ? left : nil
                    start(&state)
                }
            }
        }
    }

    /// Starts no more jobs.
    func finish() {
        state.withLock { state in
            state.isStopping = true
            state.waiting = []
        }
        queue.sync(flags: .barrier) {}
    }
}
