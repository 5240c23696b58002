import HelixModel

/// A task's way over its board, as the journal tells it.
public struct TaskPast: Hashable, Sendable {
    /// The task.
    public var id: EntityID
    /// When it was made.
    public var createdAt: Instant
    /// When it was done or dropped.
    public var completedAt: Instant?
    /// Where it stands.
    public var state: TaskState
    /// When it must be done by.
    public var due: TaskTime?
    /// When work on it began, if somebody said.
    public var startedAt: Instant?
    /// The column in which it began.
    public var firstColumn: EntityID
    /// The columns that it went to, and when, in order.
    public var moves: [(at: Instant, column: EntityID)]

    /// A task that stood in `firstColumn` from the beginning.
    public init(
        id: EntityID, createdAt: Instant, completedAt: Instant?, state: TaskState, due: TaskTime?, startedAt: Instant?,
        firstColumn: EntityID, moves: [(at: Instant, column: EntityID)]
    ) {
        self.id = id
        self.createdAt = createdAt
        self.completedAt = completedAt
        self.state = state
        self.due = due
        self.startedAt = startedAt
        self.firstColumn = firstColumn
        self.moves = moves
    }

    /// Equal in all they say.
    public static func == (a: TaskPast, b: TaskPast) -> Bool {
        a.id == b.id && a.createdAt == b.createdAt && a.completedAt == b.completedAt && a.state == b.state
            && a.moves.map(\.at) == b.moves.map(\.at) && a.moves.map(\.column) == b.moves.map(\.column)
    }

    /// By its identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// The column in which it stood at `time`; nil if it was not there yet.
    public func column(at time: Instant) -> EntityID? {
        guard createdAt <= time else { return nil }
        return moves.last { $0.at <= time }?.column ?? firstColumn
    }

    /// Whether it was done or dropped by `time`.
    public func isOver(at time: Instant) -> Bool { completedAt.map { $0 <= time } ?? false }

    /// When work on it began: when it was started, or left its first column.
    public var begunAt: Instant? {
        let left = moves.first?.at
        guard let startedAt else { return left }
        return left.map { min($0, startedAt) } ?? startedAt
    }
}

/// How tasks flow over a board: all from their pasts.
public struct TaskFlow: Sendable {
    /// Counts of a moment.
    public struct Sample: Hashable, Sendable {
        /// The moment.
        public var at: Instant
        /// Open tasks by column.
        public var open: [EntityID: Int]
        /// All that were done by then.
        public var done: Int
        /// All that were open then.
        public var openTotal: Int { open.values.reduce(0, +) }
    }

    private let pasts: [TaskPast]
    private let now: Instant
    private let zone: Zone

    /// The flow of tasks up to `now`.
    public init(_ pasts: [TaskPast], now: Instant, zone: Zone) {
        self.pasts = pasts
        self.now = now
        self.zone = zone
    }

    /// Tasks done in a stretch of time.
    public func done(in range: TimeRange) -> [TaskPast] {
        pasts.filter { $0.state == .done && $0.completedAt.map(range.contains) ?? false }
    }

    /// Seconds from making to doing, of tasks done in `range`, the shortest first.
    public func leadTimes(in range: TimeRange) -> [Int] {
        done(in: range).compactMap { task in task.completedAt.map { max(0, $0 - task.createdAt) } }.sorted()
    }

    /// Seconds from beginning to doing, of tasks done in `range` whose beginning is known and was not their end,
    /// the shortest first.
    public func cycleTimes(in range: TimeRange) -> [Int] {
        done(in: range).compactMap { task in
            guard let begun = task.begunAt, let done = task.completedAt, begun < done else { return nil }
            return done - begun
        }.sorted()
    }

    /// Open tasks on which work has begun, and for how many seconds, the oldest first.
    public func aging() -> [(task: EntityID, seconds: Int)] {
        pasts.filter { $0.state == .open }.compactMap { task in
            task.begunAt.map { (task.id, max(0, now - $0)) }
        }.sorted { $0.1 > $1.1 }.map { (task: $0.0, seconds: $0.1) }
    }

    /// What stood where at each of `times`.
    public func samples(at times: [Instant]) -> [Sample] {
        times.map { time in
            var sample = Sample(at: time, open: [:], done: 0)
            for task in pasts {
                guard let column = task.column(at: time) else { continue }
                if task.isOver(at: time) {
                    if task.state == .done { sample.done += 1 }
                } else {
                    sample.open[column, default: 0] += 1
                }
            }
            return sample
        }
    }

    /// How many open tasks should have been done by now.
    public var overdue: Int {
        pasts.count { $0.state == .open && $0.due.map { $0.end(in: zone) <= now } ?? false }
    }

    /// How many of those made in `range` are done, from 0 to 1; nil if none was made.
    public func completionRate(in range: TimeRange) -> Double? {
        let made = pasts.filter { range.contains($0.createdAt) && $0.state != .dropped }
        return made.isEmpty ? nil : Double(made.count { $0.state == .done }) / Double(made.count)
    }

    /// The value below which `share` of sorted values lie; nil of none.
    public static func percentile(_ sorted: [Int], _ share: Double) -> Int? {
        if sorted.isEmpty { return nil }
        let place = Int((Double(sorted.count) * share).rounded(.up)) - 1
        return sorted[min(sorted.count - 1, max(0, place))]
    }
}
