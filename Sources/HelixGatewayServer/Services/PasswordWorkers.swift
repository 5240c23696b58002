import Dispatch
import HelixGateway
import HelixGatewayStore
import Synchronization

/// Hashes passwords beside everything else: each takes a tenth of a second and 64 MB, so a few are done at a time, and those
/// who guess at many wait behind each other, not before those who know theirs.
final class PasswordWorkers: Sendable {
    private struct State {
        var running = 0
        var waiting: [(network: String, run: @Sendable () -> Void)] = []
        /// How many each network has here.
        var networks: [String: Int] = [:]
        var isStopping = false
    }

    /// How many are hashed at the same time, how many wait, and how many of one network are here.
    private static let (parallel, most, mostEach) = (2, 24, 4)

    private let queue = DispatchQueue(label: "helix.gateway.passwords", qos: .utility, attributes: .concurrent)
    private let state = Mutex(State())

    /// Does something with a password.
    /// - Parameters:
    ///   - network: where the question comes from.
    ///   - isWanted: whether anybody still waits for the answer.
    /// - Returns: false if there is no place for it.
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

    /// Begins no more.
    func finish() {
        state.withLock { state in
            state.isStopping = true
            state.waiting = []
        }
        queue.sync(flags: .barrier) {}
    }
}
