import HelixModel

/// A filter for tasks.
///
/// ```
/// project:house priority>=high due<fri +billing -waiting status:open assignee:me words
/// ```
public indirect enum TaskFilter: QueryTree, Hashable, Sendable {
    case everything
    case all([TaskFilter])
    case any([TaskFilter])
    case not(TaskFilter)
    /// All words of the text, each a prefix, in title, notes or tags.
    case text(String)
    /// The words of the text, in sequence.
    case phrase(String)
    /// All words of the text in the title.
    case title(String)
    /// All words of the text in the notes; nil for no notes.
    case notes(String?)
    case tag(String)
    case mark(TaskMark)
    case state(TaskState)
    case kind(TaskKind)
    /// The project and its subprojects (`house.kitchen`); nil for no project.
    case project(String?)
    /// The block; nil for no block.
    case block(String?)
    case board(String)
    case column(String)
    /// The value of a ``TaskProperty``; nil for no value.
    case property(String, String?)
    /// The number of a ``TaskProperty``, in hundredths.
    case number(String, Comparison, Int)
    /// The day of a ``TaskProperty``; nil for none.
    case day(String, Comparison, TimeBounds?)
    /// The priority; nil for no priority.
    case priority(Comparison, TaskPriority?)
    /// The estimate in seconds; nil for no estimate.
    case estimate(Comparison, Int?)
    case time(TimeField, Comparison, TimeBounds?)
    /// The urgency in hundredths, and its coefficients. Equality compares tenths, as shown in lists.
    case urgency(Comparison, Int, UrgencyCoefficients)
    /// The ID prefix.
    case id(EntityPrefix)
    /// The subtasks of a task; nil for tasks without a parent.
    case parent(EntityPrefix?)
    /// The tasks that depend on a task, completed or not; nil for tasks without dependencies.
    case depends(EntityPrefix?)

    /// The comparison of values.
    public typealias Comparison = QueryComparison

    /// A time field of tasks.
    public enum TimeField: String, Sendable, CaseIterable {
        case due
        case scheduled
        case hidden
        case created
        case modified
        case started
        case completed
    }

    /// A range of time both in instants and in local wall-clock time, which applies to days.
    public typealias TimeBounds = QueryTimes

    /// The conjunction of two filters.
    public func and(_ other: TaskFilter) -> TaskFilter {
        switch (self, other) {
        case (.everything, _): other
        case (_, .everything): self
        case (.all(let mine), .all(let others)): .all(mine + others)
        case (.all(let mine), _): .all(mine + [other])
        default: .all([self, other])
        }
    }

    /// True if the filter contains a state; without one, lists show open tasks.
    public var namesState: Bool {
        switch self {
        case .state, .id: true
        case .time(.completed, _, _): true
        case .mark(let mark): mark == .done || mark == .dropped || mark == .open
        case .all(let parts), .any(let parts): parts.contains(where: \.namesState)
        case .not(let part): part.namesState
        default: false
        }
    }

    /// True if only open tasks match, as far as the outer conditions tell.
    public var isOpen: Bool {
        switch self {
        case .state(.open), .mark(.open): true
        case .all(let parts): parts.contains(where: \.isOpen)
        default: false
        }
    }

    /// A name in a filter.
    public enum Name: Hashable, Sendable {
        case project(String)
        case board(String)
        case column(String)

        /// The text of the name.
        public var text: String {
            switch self {
            case .project(let text), .board(let text), .column(let text): text
            }
        }
    }

    /// The names of projects, boards and columns in the filter.
    public var names: [Name] {
        switch self {
        case .project(let name?): [.project(name)]
        case .board(let name): [.board(name)]
        case .column(let name): [.column(name)]
        case .all(let parts), .any(let parts): parts.flatMap(\.names)
        case .not(let part): part.names
        default: []
        }
    }

    /// True if the filter refers to hidden tasks.
    public var namesHidden: Bool {
        switch self {
        case .mark(.waiting), .time(.hidden, _, _), .id: true
        case .all(let parts), .any(let parts): parts.contains(where: \.namesHidden)
        case .not(let part): part.namesHidden
        default: false
        }
    }
}

/// A computed state of a task, written like a tag: `+overdue`.
public enum TaskMark: String, Sendable, CaseIterable {
    case open
    case done
    case dropped
    /// Depends on an open task.
    case blocked
    /// Blocks an open task.
    case blocking
    case overdue
    /// Due today, whether overdue or not.
    case today
    /// Hidden until a later time.
    case waiting
    /// Started.
    case started
    /// Recurring.
    case recurring
    /// Has a parent.
    case subtask
    /// Has subtasks.
    case parent
    /// Has a tag.
    case tagged
    /// Has notes.
    case noted
}
