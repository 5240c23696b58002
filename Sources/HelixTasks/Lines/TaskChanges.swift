import HelixModel

/// A change to a field.
public enum Assignment<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The field is unchanged.
    case keep
    case clear
    case set(Value)

    /// The value after the change.
    public func applied(to old: Value?) -> Value? {
        switch self {
        case .keep: old
        case .clear: nil
        case .set(let value): value
        }
    }
}

/// Changes to a task, from one line or from options: the fields of a new task, or the changed fields of another.
public struct TaskChanges: Hashable, Sendable {
    /// The ID of a new task; nil to choose one.
    public var newID: EntityID?
    /// The title; nil if it is unchanged.
    public var title: String?
    /// The notes.
    public var notes = Assignment<String>.keep
    /// The kind: a task, or a card for information.
    public var kind: TaskKind?
    /// The name of the board.
    public var board: String?
    /// The name of the column.
    public var column: String?
    /// The priority.
    public var priority = Assignment<TaskPriority>.keep
    /// The due date or time.
    public var due = Assignment<TaskTime>.keep
    /// True if ``due`` was given as the end of a month, which a recurrence then keeps.
    public var isDueMonthEnd = false
    /// The planned start of work.
    public var scheduled = Assignment<TaskTime>.keep
    /// The time until which lists hide it.
    public var hiddenUntil = Assignment<TaskTime>.keep
    /// The estimate in seconds.
    public var estimate = Assignment<Int>.keep
    /// The tags that replace its current ones.
    public var replacedTags: [String]?
    /// Shifts of its times, by field name, relative to the current value.
    public var shifts: [String: PhraseShift] = [:]
    /// New times of day for its dates, by field name, in seconds after midnight.
    public var clocks: [String: Int] = [:]
    /// The tags to add.
    public var addedTags: [String] = []
    /// The tags to remove.
    public var removedTags: [String] = []
    /// The name of the project.
    public var project = Assignment<String>.keep
    /// The name of the block of the project.
    public var block = Assignment<String>.keep
    /// The parent task.
    public var parent = Assignment<EntityPrefix>.keep
    /// The changed properties, by name.
    private var properties: [String: Assignment<String>] = [:]
    /// The recurrence, as text.
    public var recurrence = Assignment<String>.keep
    /// The last day of the recurrence, as text; merged into ``recurrence`` at the end of the line.
    var recurrenceEnd: String?
    /// The blockers to add.
    public var blockers: [EntityPrefix] = []
    /// The checklist steps to add.
    public var addedSteps: [String] = []
    /// The progress in percent.
    public var percent = Assignment<Int>.keep

    /// Creates empty changes.
    public init() {}

    /// The change of a property.
    public subscript(property: TaskProperty) -> Assignment<String> {
        get { properties[property.name] ?? .keep }
        set { properties[property.name] = newValue == .keep ? nil : newValue }
    }

    /// True if there are no changes.
    public var isEmpty: Bool { self == TaskChanges() }
}

extension TaskChanges {
    /// A time of a task after its shift or new time of day; a missing time counts as now, or today.
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
    /// Merges a change of tags; nil removes all.
    /// - Parameter isEdit: True if plain tags replace the current ones; a new task has none.
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

    /// Merges the last day into the recurrence that it ends: `repeat:weekly until:dec 31`.
    /// - Throws: ``HelixError`` of code `usage` if there is no recurrence.
    mutating func settleEnd(_ dates: DatePhraseParser) throws {
        guard let end = recurrenceEnd else { return }
        guard case .set(let phrase) = recurrence, !phrase.lowercased().contains("until") else {
            throw HelixError(
                .usage, "until:\(end) ends a recurrence, but none is set",
                hint: "Set both: repeat:weekly until:\"dec 31\". For a due date, use due:.")
        }
        (recurrence, recurrenceEnd) = (.set("\(phrase) until \(ISO8601.text(try dates.date(end)))"), nil)
    }
}
