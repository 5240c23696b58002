import Dispatch
import Synchronization

/// The latest runs of the assistant, for clients that wait for their end.
final class RunEnds: Sendable {
    /// The state of a run.
    struct State: Sendable {
        /// `ok`, `error`, or `timeout` for a run that has not ended or is unknown.
        var status = "timeout"
        /// The start, in milliseconds.
        var startedAt: Int64?
        /// The end, in milliseconds.
        var endedAt: Int64?
        /// The reason of a failure.
        var error: String?
    }

    private struct Entry {
        var state = State()
        var waiting: [@Sendable (State) -> Void] = []
    }

    private struct Entries {
        var all: [String: Entry] = [:]
        /// The names in the order of their starts.
        var order: [String] = []
    }

    /// The number of runs that are remembered.
    private static let most = 1_000
    private let entries = Mutex(Entries())

    func began(_ name: String, at moment: Int64) {
        entries.withLock { entries in
            if entries.all[name] == nil { entries.order.append(name) }
            entries.all[name, default: Entry()].state.startedAt = moment
            while entries.order.count > RunEnds.most { entries.all[entries.order.removeFirst()] = nil }
        }
    }

    func ended(_ name: String, error: String?, at moment: Int64) {
        let (state, waiting) = entries.withLock { entries -> (State, [@Sendable (State) -> Void]) in
            guard var entry = entries.all[name] else { return (State(), []) }
            entry.state.status = error == nil ? "ok" : "error"
            entry.state.endedAt = moment
            entry.state.error = error
            defer { entries.all[name]?.waiting = [] }
            entries.all[name] = entry
            return (entry.state, entry.waiting)
        }
        for done in waiting { done(state) }
    }

    /// Calls back once: when the run ends, or after the time with the state of then.
    func wait(for name: String, milliseconds: Int, then done: @escaping @Sendable (State) -> Void) {
        let isCalled = Mutex(false)
        let once: @Sendable (State) -> Void = { state in
            let isFirst = isCalled.withLock { flag in
                defer { flag = true }
                return !flag
            }
            if isFirst { done(state) }
        }
        let ended = entries.withLock { entries -> State? in
            guard let entry = entries.all[name] else { return nil }
            if entry.state.endedAt != nil { return entry.state }
            entries.all[name]?.waiting.append(once)
            return nil
        }
        if let ended { return once(ended) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            once(self?.entries.withLock { $0.all[name]?.state } ?? State())
        }
    }
}
