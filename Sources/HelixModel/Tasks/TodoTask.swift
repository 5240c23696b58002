/// A thing to do, as a card on a board.
public struct TodoTask: Hashable, Sendable {
    /// Its identity.
    public var id: EntityID
    /// One line.
    public var title: String
    /// Further text.
    public var notes: String?
    /// Whether there is anything to do.
    public var kind: TaskKind
    /// The column that it stands in, which belongs to a board.
    public var column: EntityID
    /// Its place in the column: ranks compare as texts.
    public var rank: String
    /// Whether it is still to be done.
    public var state: TaskState
    /// How much it matters; nil where nobody said.
    public var priority: TaskPriority?
    /// When it must be done.
    public var due: TaskTime?
    /// When work on it is planned to begin.
    public var scheduled: TaskTime?
    /// Lists leave it out until then.
    public var hiddenUntil: TaskTime?
    /// How long it is thought to take, in seconds.
    public var estimate: Int?
    /// Labels, without `+`.
    public var tags: [String]
    /// The project it belongs to.
    public var project: EntityID?
    /// The project's named block in which it stands.
    public var block: String?
    /// The task of which it is a part.
    public var parent: EntityID?
    /// Steps too small to be tasks.
    public var checklist: [ChecklistItem]
    /// Who does it: a name or an address.
    public var assignee: String?
    /// How it comes again.
    public var recurrence: TaskRecurrence?
    /// The first task of a series that comes again.
    public var series: EntityID?
    /// The id that other programs know it by: UID of RFC 5545, a Taskwarrior UUID.
    public var uid: String?
    /// The VTODO that it was read from (RFC 5545 §3.6.2); the truth for all that helix has no field for.
    public var source: String?
    /// Attributes of other programs that helix has no field for, kept for the way back: a JSON object.
    public var extra: String?
    /// How much is done, in percent, where nothing else says it (PERCENT-COMPLETE).
    public var percent: Int?
    /// When it was made.
    public var createdAt: Instant
    /// When it was last changed.
    public var modifiedAt: Instant
    /// When work on it began.
    public var startedAt: Instant?
    /// When it was done or dropped.
    public var completedAt: Instant?

    /// An open task.
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

/// What a card is. The raw value stands in the store and in JSON.
public enum TaskKind: String, Sendable, CaseIterable, Codable {
    case task
    /// A card that only informs: it is never due, blocked or urgent.
    case info
}

/// Where a task stands. The raw value stands in the store and in JSON.
public enum TaskState: String, Sendable, CaseIterable, Codable {
    case open
    case done
    /// Given up.
    case dropped
}

/// How much a task matters, from the least. The raw value stands in the store.
public enum TaskPriority: Int, Sendable, CaseIterable, Comparable {
    case low = 1
    case medium
    case high
    case critical

    /// The word for it.
    public var name: String {
        switch self {
        case .low: "low"
        case .medium: "medium"
        case .high: "high"
        case .critical: "critical"
        }
    }

    /// The priority of that word, or of its beginning: `high`, `h`, `H`.
    public init?(_ word: String) {
        let lower = word.lowercased()
        guard !lower.isEmpty, let found = TaskPriority.allCases.first(where: { $0.name.hasPrefix(lower) }) else {
            return nil
        }
        self = found
    }

    /// By how much they matter.
    public static func < (a: TaskPriority, b: TaskPriority) -> Bool { a.rawValue < b.rawValue }
}

/// A step of a task.
public struct ChecklistItem: Hashable, Sendable, Codable {
    /// What is to be done.
    public var text: String
    /// Whether it is.
    public var done: Bool

    /// A step.
    public init(_ text: String, done: Bool = false) {
        self.text = text
        self.done = done
    }
}

/// A time that a task has: a whole day, or a moment.
public enum TaskTime: Hashable, Sendable {
    /// A day of whatever zone one is in. What is due on it is due until its end.
    case date(CivilDate)
    case moment(Instant)

    /// Whether it is a whole day.
    public var isDay: Bool { if case .date = self { true } else { false } }

    /// The first instant, on the clock of `zone`.
    public func start(in zone: Zone) -> Instant {
        switch self {
        case .date(let date): zone.startOfDay(date)
        case .moment(let instant): instant
        }
    }

    /// The instant from which something due then is late.
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

/// How a task comes again.
public enum TaskRecurrence: Hashable, Sendable {
    /// By a rule of RFC 5545 §3.3.10, on a fixed calendar.
    case rule(String)
    /// So many seconds or months after it was done; one of the two is 0.
    case afterCompletion(seconds: Int, months: Int)

    /// The text that stands in the store: `FREQ=WEEKLY`, `after:P7D`, `after:P1M`, `after:PT12H`.
    public var text: String {
        switch self {
        case .rule(let rule): rule
        case .afterCompletion(_, let months) where months > 0: "after:P\(months)M"
        case .afterCompletion(let seconds, _) where seconds % 86_400 == 0: "after:P\(seconds / 86_400)D"
        case .afterCompletion(let seconds, _): "after:PT\(seconds)S"
        }
    }

    /// The recurrence written as ``text``.
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
