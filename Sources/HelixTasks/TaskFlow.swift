import HelixModel

/// The history of a task on its board, from the journal.
public struct TaskHistory: Hashable, Sendable {
    /// The task.
    public var id: EntityID
    /// The time of creation.
    public var createdAt: Instant
    /// The time at which it was completed or dropped.
    public var completedAt: Instant?
    /// The current state.
    public var state: TaskState
    /// The due date or time.
    public var due: TaskTime?
    /// The time at which work started, if it is recorded.
    public var startedAt: Instant?
    /// The first column of the task.
    public var firstColumn: EntityID
    /// The later columns with the times of the moves, in order.
    public var moves: [(at: Instant, column: EntityID)]

    /// Creates a history that starts in `firstColumn`.
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

    /// True if all fields are equal.
    public static func == (a: TaskHistory, b: TaskHistory) -> Bool {
        a.id == b.id && a.createdAt == b.createdAt && a.completedAt == b.completedAt && a.state == b.state
            && a.moves.map(\.at) == b.moves.map(\.at) && a.moves.map(\.column) == b.moves.map(\.column)
    }

    /// Hashes the ID.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// The column of the task at `time`; nil before its creation.
    public func column(at time: Instant) -> EntityID? {
        guard createdAt <= time else { return nil }
        return moves.last { $0.at <= time }?.column ?? firstColumn
    }

    /// True if it was completed or dropped by `time`.
    public func isOver(at time: Instant) -> Bool { completedAt.map { $0 <= time } ?? false }

    /// The time at which work began: when it was started, or left its first column.
    public var begunAt: Instant? {
        let left = moves.first?.at
        guard let startedAt else { return left }
        return left.map { min($0, startedAt) } ?? startedAt
    }
}

/// Flow statistics of tasks on a board, computed from their histories.
public struct TaskFlow: Sendable {
    /// The counts at one time.
    public struct Sample: Hashable, Sendable {
        /// The time.
        public var at: Instant
        /// Open tasks by column.
        public var open: [EntityID: Int]
        /// The number of tasks completed by then.
        public var done: Int
        /// The number of tasks open at that time.
        public var openTotal: Int { open.values.reduce(0, +) }
    }

    private let pasts: [TaskHistory]
    private let now: Instant
    private let zone: Zone

    /// Creates the statistics of tasks up to `now`.
    public init(_ pasts: [TaskHistory], now: Instant, zone: Zone) {
        self.pasts = pasts
        self.now = now
        self.zone = zone
    }

    /// The tasks completed in a time range.
    public func done(in range: TimeRange) -> [TaskHistory] {
        pasts.filter { $0.state == .done && $0.completedAt.map(range.contains) ?? false }
    }

    /// The seconds from creation to completion of tasks completed in `range`, shortest first.
    public func leadTimes(in range: TimeRange) -> [Int] {
        done(in: range).compactMap { task in task.completedAt.map { max(0, $0 - task.createdAt) } }.sorted()
    }

    /// The seconds from start to completion of tasks completed in `range`, shortest first. Tasks whose start is unknown or equals
    /// their completion are omitted.
    public func cycleTimes(in range: TimeRange) -> [Int] {
        done(in: range).compactMap { task in
            guard let begun = task.begunAt, let done = task.completedAt, begun < done else { return nil }
            return done - begun
        }.sorted()
    }

    /// The open tasks in progress with the seconds since their start, oldest first.
    public func aging() -> [(task: EntityID, seconds: Int)] {
        pasts.filter { $0.state == .open }.compactMap { task in
            task.begunAt.map { (task.id, max(0, now - $0)) }
        }.sorted { $0.1 > $1.1 }.map { (task: $0.0, seconds: $0.1) }
    }

    /// The counts at each of `times`.
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

    /// The number of open tasks that are overdue.
    public var overdue: Int {
        pasts.count { $0.state == .open && $0.due.map { $0.end(in: zone) <= now } ?? false }
    }

    /// The completed share of tasks created in `range`, from 0 to 1; nil if none was created.
    public func completionRate(in range: TimeRange) -> Double? {
        let made = pasts.filter { range.contains($0.createdAt) && $0.state != .dropped }
        return made.isEmpty ? nil : Double(made.count { $0.state == .done }) / Double(made.count)
    }

    /// The value below which `share` of the sorted values lie; nil if there are none.
    public static func percentile(_ sorted: [Int], _ share: Double) -> Int? {
        if sorted.isEmpty { return nil }
        let place = Int((Double(sorted.count) * share).rounded(.up)) - 1
        return sorted[min(sorted.count - 1, max(0, place))]
    }
}
