import HelixModel

/// What becomes of a field.
public enum Assignment<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Nothing was said.
    case keep
    case clear
    case set(Value)

    /// The value after it.
    public func applied(to old: Value?) -> Value? {
        switch self {
        case .keep: old
        case .clear: nil
        case .set(let value): value
        }
    }
}

/// What is said of a task, by one line or by flags: for a new one its fields, for others what changes.
public struct TaskChanges: Hashable, Sendable {
    /// The title; nil if nothing was said.
    public var title: String?
    /// NOTES.
    public var notes = Assignment<String>.keep
    /// Whether it only informs.
    public var kind: TaskKind?
    /// The board, by its name.
    public var board: String?
    /// The column, by its name.
    public var column: String?
    /// How much it matters.
    public var priority = Assignment<TaskPriority>.keep
    /// When it must be done.
    public var due = Assignment<TaskTime>.keep
    /// Whether ``due`` was said as the end of a month, so that a repetition keeps to that.
    public var isDueMonthEnd = false
    /// When work on it is planned to begin.
    public var scheduled = Assignment<TaskTime>.keep
    /// Until when lists leave it out.
    public var hiddenUntil = Assignment<TaskTime>.keep
    /// Seconds.
    public var estimate = Assignment<Int>.keep
    /// The tags in the place of those that it has.
    public var replacedTags: [String]?
    /// Shifts of its times, by their fields: from the time that each is.
    public var shifts: [String: PhraseShift] = [:]
    /// Times of day for its days, by their fields, in seconds after midnight.
    public var clocks: [String: Int] = [:]
    /// Tags that it gets.
    public var addedTags: [String] = []
    /// Tags that it loses.
    public var removedTags: [String] = []
    /// The project, by its name.
    public var project = Assignment<String>.keep
    /// The block of the project, by its name.
    public var block = Assignment<String>.keep
    /// The task of which it is a part.
    public var parent = Assignment<EntityPrefix>.keep
    /// Who does it.
    public var assignee = Assignment<String>.keep
    /// How it comes again, as it was said.
    public var recurrence = Assignment<String>.keep
    /// The last day on which it comes again, as it was said; part of ``recurrence`` once the line is read.
    var recurrenceEnd: String?
    /// Tasks that must be done before it.
    public var blockers: [EntityPrefix] = []
    /// Steps that it gets.
    public var addedSteps: [String] = []
    /// How much is done.
    public var percent = Assignment<Int>.keep

    /// Nothing said.
    public init() {}

    /// Whether nothing was said.
    public var isEmpty: Bool { self == TaskChanges() }
}

extension TaskChanges {
    /// A time of a task after its shift or its new time of day; without one it is counted from now, or today.
    public func moved(_ time: TaskTime?, _ name: String, _ dates: DatePhraseParser) -> TaskTime? {
        let zone = dates.zone
        if let shift = shifts[name] {
            switch time {
            case .date(let date)? where shift.seconds == 0:
                return .date(shift.applied(to: CivilDateTime(date)).date)
            case nil where shift.seconds == 0: return .date(shift.applied(to: CivilDateTime(dates.today)).date)
            case .date(let date)?:
                return .moment(zone.instant(shift.applied(to: CivilDateTime(date))))
            case .moment(let instant)?:
                let isExact = shift.days == 0 && shift.months == 0
                return .moment(
                    isExact ? instant + shift.seconds : zone.instant(shift.applied(to: zone.civil(instant))))
            case nil: return .moment(dates.now + shift.seconds)
            }
        }
        guard let clock = clocks[name] else { return time }
        return .moment(zone.instant(CivilDateTime(time?.date(in: zone) ?? dates.today) + clock))
    }
}

extension TaskChanges {
    /// Takes over a change of tags; nil takes all away.
    /// - Parameter isEdit: whether plain ones take the place of those that are there; a new task has none.
    public mutating func take(_ change: TagChange?, isEdit: Bool) {
        guard let change else {
            replacedTags = []
            return
        }
        if isEdit {
            if let replacement = change.replacement { replacedTags = (replacedTags ?? []) + replacement }
        } else {
            addedTags += change.replacement ?? []
        }
        addedTags += change.additions
        removedTags += change.removals
    }

    /// Writes the last day into the repetition that it ends: `repeat:weekly until:dec 31`.
    /// - Throws: ``HelixError`` of code `usage` if there is none to end.
    mutating func settleEnd(_ dates: DatePhraseParser) throws {
        guard let end = recurrenceEnd else { return }
        guard case .set(let phrase) = recurrence, !phrase.lowercased().contains("until") else {
            throw HelixError(
                .usage, "until:\(end) ends a repetition, and none is said beside it",
                hint: "Say both: repeat:weekly until:\"dec 31\". What is due on a day has due:.")
        }
        (recurrence, recurrenceEnd) = (.set("\(phrase) until \(ISO8601.text(try dates.date(end)))"), nil)
    }
}
