import HelixModel

/// Which tasks are meant.
///
/// ```
/// project:house priority>=high due<fri +billing -waiting status:open assignee:me words
/// ```
public indirect enum TaskFilter: QueryTree, Hashable, Sendable {
    case everything
    case all([TaskFilter])
    case any([TaskFilter])
    case not(TaskFilter)
    /// All words of the text, each whole or as a beginning, in title, notes or tags.
    case text(String)
    /// The words of the text, in a row.
    case phrase(String)
    /// All words of the text in the title.
    case title(String)
    /// All words of the text in the notes; nil is without notes.
    case notes(String?)
    case tag(String)
    case mark(TaskMark)
    case state(TaskState)
    case kind(TaskKind)
    /// The project and those below it (`house.kitchen`); nil is none.
    case project(String?)
    /// Nil is none.
    case block(String?)
    case board(String)
    case column(String)
    /// Nil is nobody.
    case assignee(String?)
    /// Nil is none.
    case priority(Comparison, TaskPriority?)
    /// Seconds; nil is none.
    case estimate(Comparison, Int?)
    case time(TimeField, Comparison, TimeBounds?)
    /// Hundredths, and what makes tasks urgent. Equal is what looks equal in a list, in tenths.
    case urgency(Comparison, Int, UrgencyCoefficients)
    /// An id that begins so.
    case id(EntityPrefix)
    /// The tasks that are part of one; nil is of none.
    case parent(EntityPrefix?)
    /// The tasks that wait for one, done or not; nil is for none.
    case depends(EntityPrefix?)

    /// How a value is compared.
    public typealias Comparison = QueryComparison

    /// A time that tasks have.
    public enum TimeField: String, Sendable, CaseIterable {
        case due
        case scheduled
        case hidden
        case created
        case modified
        case started
        case completed
    }

    /// A stretch of time on both scales: instants, and the wall clock, on which days are counted.
    public typealias TimeBounds = QueryTimes

    /// Both of two filters.
    public func and(_ other: TaskFilter) -> TaskFilter {
        switch (self, other) {
        case (.everything, _): other
        case (_, .everything): self
        case (.all(let mine), .all(let others)): .all(mine + others)
        case (.all(let mine), _): .all(mine + [other])
        default: .all([self, other])
        }
    }

    /// Whether it says anywhere which states are meant; otherwise lists show what is open.
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

    /// A name that a filter asks for.
    public enum Name: Hashable, Sendable {
        case project(String)
        case board(String)
        case column(String)

        /// The name itself.
        public var text: String {
            switch self {
            case .project(let text), .board(let text), .column(let text): text
            }
        }
    }

    /// The names of projects, boards and columns in it.
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

    /// Whether it says anywhere that hidden tasks are meant.
    public var namesHidden: Bool {
        switch self {
        case .mark(.waiting), .time(.hidden, _, _), .id: true
        case .all(let parts), .any(let parts): parts.contains(where: \.namesHidden)
        case .not(let part): part.namesHidden
        default: false
        }
    }
}

/// What a task is at the moment, asked for like a tag: `+overdue`.
public enum TaskMark: String, Sendable, CaseIterable {
    case open
    case done
    case dropped
    /// Waits for an open task.
    case blocked
    /// An open task waits for it.
    case blocking
    case overdue
    /// Due today, late or not.
    case today
    /// Hidden until later.
    case waiting
    /// Being worked on.
    case started
    /// Comes again.
    case recurring
    /// Part of another task.
    case subtask
    /// Has parts.
    case parent
    /// Has a tag.
    case tagged
    /// Has notes.
    case noted
}
