/// A task, shown as a card on a board.
public struct TodoTask: Hashable, Sendable {
    /// The identity.
    public var id: EntityID
    /// The title, on one line.
    public var title: String
    /// The notes.
    public var notes: String?
    /// Whether the card is a task or only informs.
    public var kind: TaskKind
    /// The column, which belongs to a board.
    public var column: EntityID
    /// The position in the column: ranks compare as texts.
    public var rank: String
    /// The state.
    public var state: TaskState
    /// The priority; nil if not set.
    public var priority: TaskPriority?
    /// The due date.
    public var due: TaskTime?
    /// The planned start of the work.
    public var scheduled: TaskTime?
    /// The time until which lists hide it.
    public var hiddenUntil: TaskTime?
    /// The estimated duration in seconds.
    public var estimate: Int?
    /// The tags, without `+`.
    public var tags: [String]
    /// The project.
    public var project: EntityID?
    /// The project's named block that contains the task.
    public var block: String?
    /// The parent task.
    public var parent: EntityID?
    /// The steps that are too small to be tasks.
    public var checklist: [ChecklistItem]
    /// The assignee: a name or an address.
    public var assignee: String?
    /// The recurrence.
    public var recurrence: TaskRecurrence?
    /// The first task of a recurring series.
    public var series: EntityID?
    /// The id in other programs: UID of RFC 5545, a Taskwarrior UUID.
    public var uid: String?
    /// The VTODO that it was imported from (RFC 5545 §3.6.2); authoritative for properties that helix has no field for.
    public var source: String?
    /// Attributes of other programs that helix has no field for, kept for export: a JSON object.
    public var extra: String?
    /// The progress in percent, where nothing else determines it (PERCENT-COMPLETE).
    public var percent: Int?
    /// The time of creation.
    public var createdAt: Instant
    /// The time of the last change.
    public var modifiedAt: Instant
    /// The time at which work on it began.
    public var startedAt: Instant?
    /// The time at which it was done or dropped.
    public var completedAt: Instant?

    /// Creates an open task.
    public init(id: EntityID = EntityID(), title: String, column: EntityID, rank: String, createdAt: Instant) {
        self.id = id
        self.title = title
        self.column = column
        self.rank = rank
        self.createdAt = createdAt
        modifiedAt = createdAt
        kind = .task
        state = .open
        tags = []
        checklist = []
    }
}

/// The kind of a card. The raw value is written to the store and to JSON.
public enum TaskKind: String, Sendable, CaseIterable, Codable {
    case task
    /// A card that only informs: it is never due, blocked or urgent.
    case info
}

/// The state of a task. The raw value is written to the store and to JSON.
public enum TaskState: String, Sendable, CaseIterable, Codable {
    case open
    case done
    /// Abandoned.
    case dropped
}

/// The priority of a task, from the lowest. The raw value is written to the store.
public enum TaskPriority: Int, Sendable, CaseIterable, Comparable {
    case low = 1
    case medium
    case high
    case critical

    /// The name.
    public var name: String {
        switch self {
        case .low: "low"
        case .medium: "medium"
        case .high: "high"
        case .critical: "critical"
        }
    }

    /// The priority with that name or prefix: `high`, `h`, `H`.
    public init?(_ word: String) {
        let lower = word.lowercased()
        guard !lower.isEmpty, let found = TaskPriority.allCases.first(where: { $0.name.hasPrefix(lower) }) else {
            return nil
        }
        self = found
    }

    /// Orders priorities from the lowest.
    public static func < (a: TaskPriority, b: TaskPriority) -> Bool { a.rawValue < b.rawValue }
}

/// A step of a task's checklist.
public struct ChecklistItem: Hashable, Sendable, Codable {
    /// The text.
    public var text: String
    /// Whether it is done.
    public var done: Bool

    /// Creates a step.
    public init(_ text: String, done: Bool = false) {
        self.text = text
        self.done = done
    }
}

/// A time of a task: an all-day date, or a moment.
public enum TaskTime: Hashable, Sendable {
    /// A day in whatever zone the user is in. A task due on it is due until its end.
    case date(CivilDate)
    case moment(Instant)

    /// Whether it is an all-day date.
    public var isDay: Bool { if case .date = self { true } else { false } }

    /// The first instant, on the clock of `zone`.
    public func start(in zone: Zone) -> Instant {
        switch self {
        case .date(let date): zone.startOfDay(date)
        case .moment(let instant): instant
        }
    }

    /// The instant from which a task due then is overdue.
    public func end(in zone: Zone) -> Instant {
        switch self {
        case .date(let date): zone.startOfDay(date + 1)
        case .moment(let instant): instant
        }
    }

    /// The day on the clock of `zone`.
    public func date(in zone: Zone) -> CivilDate {
        switch self {
        case .date(let date): date
        case .moment(let instant): zone.date(instant)
        }
    }
}

/// The recurrence of a task.
public enum TaskRecurrence: Hashable, Sendable {
    /// By a rule of RFC 5545 §3.3.10, on a fixed calendar.
    case rule(String)
    /// A number of seconds or months after completion; one of the two is 0.
    case afterCompletion(seconds: Int, months: Int)

    /// The text in the store: `FREQ=WEEKLY`, `after:P7D`, `after:P1M`, `after:PT12H`.
    public var text: String {
        switch self {
        case .rule(let rule): rule
        case .afterCompletion(_, let months) where months > 0: "after:P\(months)M"
        case .afterCompletion(let seconds, _) where seconds % 86_400 == 0: "after:P\(seconds / 86_400)D"
        case .afterCompletion(let seconds, _): "after:PT\(seconds)S"
        }
    }

    /// Parses the recurrence written as ``text``.
    public init(stored text: String) {
        guard text.hasPrefix("after:P") else {
            self = .rule(text)
            return
        }
        let number = Int(text.filter { $0.isASCII && $0.isNumber }) ?? 0
        switch text.last {
        case "M": self = .afterCompletion(seconds: 0, months: number)
        case "D": self = .afterCompletion(seconds: number * 86_400, months: 0)
        default: self = .afterCompletion(seconds: number, months: 0)
        }
    }
}
