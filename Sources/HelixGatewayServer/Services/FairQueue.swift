import Dispatch
import HelixGateway
import Synchronization

/// A queue that runs jobs serially on a thread of its own, and serves senders in turns: a thousand requests of one sender
/// delay only that sender.
///
/// A job whose sender has disconnected is dropped; one that waited too long is refused; and one that would wait too long is
/// refused at once.
final class FairQueue: Sendable {
    /// Ends a job that ran together with others: with the error that undid all of them, or nil.
    typealias Completion = @Sendable ((any Error)?) -> Void

    /// A job of a sender.
    struct Job: Sendable {
        /// Whether the sender still waits for the job.
        var isWanted: @Sendable () -> Bool = { true }
        /// Called instead of `run` if there is no time for the job; nil for a mandatory one.
        var refuse: (@Sendable (GatewayError) -> Void)?
        var run: @Sendable () -> Void
        /// Runs the job together with others, whose effects are stored at once; nil if it runs alone.
        var runTogether: (@Sendable () -> Completion)?
        fileprivate var since = ContinuousClock.now

        init(
            isWanted: @escaping @Sendable () -> Bool = { true }, refuse: (@Sendable (GatewayError) -> Void)? = nil,
            run: @escaping @Sendable () -> Void
        ) {
            (self.isWanted, self.refuse, self.run) = (isWanted, refuse, run)
        }

        /// A job that runs together with others.
        init(
            isWanted: @escaping @Sendable () -> Bool, refuse: @escaping @Sendable (GatewayError) -> Void,
            together run: @escaping @Sendable () -> Completion
        ) {
            (self.isWanted, self.refuse, self.runTogether) = (isWanted, refuse, run)
            self.run = { run()(nil) }
        }

        fileprivate var isLate: Bool { since.duration(to: .now) > FairQueue.deadline }
    }

    /// The jobs of one sender, the next one first.
    private struct Line {
        var jobs: [Job] = []
        var first = 0
        var count: Int { jobs.count - first }

        mutating func append(_ job: Job) {
            if first > 64, first * 2 > jobs.count {
                jobs.removeFirst(first)
                first = 0
            }
            jobs.append(job)
        }

        mutating func pop() -> Job? {
            guard first < jobs.count else { return nil }
            defer { first += 1 }
            return jobs[first]
        }
    }

    private struct State {
        var lines: [String: Line] = [:]
        /// Users with queued jobs, in the order of their turns.
        var turns: [String] = []
        var turn = 0
        var count = 0
        var isRunning = false
        var isStopping = false
        /// The average duration of recent jobs, in seconds.
        var average = 0.0005
    }

    /// The maximum number of queued jobs of one sender, and of all.
    static let (mostEach, most) = (256, 20_000)
    /// The longest wait; a job that has waited longer is refused.
    private static let deadline = Duration.seconds(10)
    /// The maximum number of jobs that run together.
    private static let mostTogether = 64

    private let queue: DispatchQueue
    /// The longest expected wait in seconds; a job that would wait longer is refused at once.
    private let longestWait: Double
    /// Runs jobs so that their effects are stored at once, or not at all; nil to run each alone.
    private let together: (@Sendable (() -> Void) throws -> Void)?
    private let state = Mutex(State())

    init(
        label: String, qos: DispatchQoS = .userInitiated, longestWait: Double = 2,
        together: (@Sendable (() -> Void) throws -> Void)? = nil
    ) {
        queue = DispatchQueue(label: label, qos: qos)
        (self.longestWait, self.together) = (longestWait, together)
    }

    /// The number of queued jobs.
    var waiting: Int { state.withLock { $0.count } }

    /// Adds a job of a sender.
    func add(_ asker: String, _ job: Job) {
        let (problem, starts) = state.withLock { state -> (GatewayError?, Bool) in
            if state.isStopping {
                return (GatewayError(.unavailable, "gateway is stopping", isRetryable: true, retryAfter: 1000), false)
            }
            let own = state.lines[asker]?.count ?? 0
            if job.refuse != nil, let problem = self.problem(own, state) { return (problem, false) }
            if own == 0 { state.turns.append(asker) }
            // In place: a copy of a long line would cost more than the job.
            state.lines[asker, default: Line()].append(job)
            state.count += 1
            let starts = !state.isRunning
            state.isRunning = true
            return (nil, starts)
        }
        if let problem { return job.refuse?(problem) ?? () }
        if starts { queue.async { self.work() } }
    }

    private func problem(_ own: Int, _ state: State) -> GatewayError? {
        if own >= FairQueue.mostEach {
            return GatewayError(
                .rateLimited, "too many pending requests", isRetryable: true, retryAfter: 500)
        }
        // Each own job waits for one turn of every queued sender.
        let wait = Double(own + 1) * Double(state.turns.count - state.turn) * state.average
        guard state.count < FairQueue.most, wait < longestWait else {
            return GatewayError(
                .unavailable, "the gateway is overloaded", isRetryable: true, retryAfter: 1000)
        }
        return nil
    }

    private func work() {
        while let job = next() {
            guard isDue(job) else { continue }
            let start = ContinuousClock.now
            var count = 1
            if let together, job.runTogether != nil {
                var jobs = [job]
                while jobs.count < FairQueue.mostTogether, let more = next(onlyTogether: true) {
                    if isDue(more) { jobs.append(more) }
                }
                count = jobs.count
                run(jobs, together)
            } else {
                job.run()
            }
            let time = start.duration(to: .now).components
            let seconds = (Double(time.seconds) + Double(time.attoseconds) / 1e18) / Double(count)
            state.withLock { $0.average += (min(seconds, 1) - $0.average) / 32 }
        }
    }

    /// Whether a job is to run; one that has waited too long is refused.
    private func isDue(_ job: Job) -> Bool {
        guard job.isWanted() else { return false }
        guard let refuse = job.refuse, job.isLate else { return true }
        refuse(GatewayError(.unavailable, "the gateway is overloaded", isRetryable: true, retryAfter: 1000))
        return false
    }

    /// Runs jobs together, and answers them when their effects are stored.
    private func run(_ jobs: [Job], _ together: (() -> Void) throws -> Void) {
        var completions: [Completion] = []
        var problem: (any Error)?
        do { try together { completions = jobs.compactMap { $0.runTogether?() } } } catch { problem = error }
        for complete in completions { complete(problem) }
    }

    /// The job whose turn is next.
    /// - Parameter onlyTogether: whether a job that runs alone stays in the queue.
    private func next(onlyTogether: Bool = false) -> Job? {
        state.withLock { state in
            if onlyTogether {
                guard state.turn < state.turns.count, let line = state.lines[state.turns[state.turn]],
                    line.jobs.indices.contains(line.first), line.jobs[line.first].runTogether != nil
                else { return nil }
            }
            while state.turn < state.turns.count {
                let asker = state.turns[state.turn]
                state.turn += 1
                guard let job = state.lines[asker]?.pop() else { continue }
                state.count -= 1
                if state.lines[asker]?.count ?? 0 > 0 {
                    state.turns.append(asker)
                } else {
                    state.lines[asker] = nil
                }
                if state.turn > 1024, state.turn * 2 > state.turns.count {
                    state.turns.removeFirst(state.turn)
                    state.turn = 0
                }
                return job
            }
            (state.turns, state.turn, state.isRunning) = ([], 0, false)
            return nil
        }
    }

    /// Drops queued jobs, except for mandatory ones, and waits for the rest.
    func finish() {
        let dropped = state.withLock { state -> [Job] in
            state.isStopping = true
            var dropped: [Job] = []
            for (asker, line) in state.lines {
                let jobs = line.jobs[line.first...]
                dropped += jobs.filter { $0.refuse != nil }
                let kept = jobs.filter { $0.refuse == nil }
                state.lines[asker] = kept.isEmpty ? nil : Line(jobs: kept)
                state.count -= jobs.count - kept.count
            }
            return dropped
        }
        for job in dropped {
            job.refuse?(GatewayError(.unavailable, "gateway is stopping", isRetryable: true, retryAfter: 1000))
        }
        queue.sync {}
    }
}
