/// A field of tasks that helix stores, finds, sorts and exchanges without a meaning of its own for it: a text, a person, a number
/// or a day.
///
/// The column, the JSON, lines (`name:value`), filters, orders, the editor's form, the formats of other programs and the screens
/// are made of ``all``. docs/architecture.md adds one of each kind as an example.
public struct TaskProperty: Sendable {
    /// The kind of value.
    public enum Kind: Hashable, Sendable {
        /// Text on one line.
        case text
        /// The name or address of a person; `me` is the user.
        case person
        /// A whole number in a range.
        case number(ClosedRange<Int>)
        /// A day of the calendar.
        case day
    }

    /// The name of the column, the field and the option.
    public let name: String
    /// The plural of the name, for what a format cannot hold.
    public let plural: String
    /// Other names in lines and filters.
    public let aliases: [String]
    /// The kind of its values.
    public let kind: Kind
    /// Its meaning, as in `Assignee.`
    public let doc: String
    /// The value in a task, as text: digits, or `2026-12-01`.
    public let get: @Sendable (TodoTask) -> String?
    /// Sets the value in a task; a text that is none of its kind counts as none.
    public let set: @Sendable (inout TodoTask, String?) -> Void

    init(
        _ name: String, plural: String, aliases: [String] = [], kind: Kind = .text, _ doc: String,
        get: @escaping @Sendable (TodoTask) -> String?, set: @escaping @Sendable (inout TodoTask, String?) -> Void
    ) {
        (self.name, self.plural, self.aliases) = (name, plural, aliases)
        (self.kind, self.doc, self.get) = (kind, doc, get)
        self.set = { task, text in set(&task, text.flatMap { TaskProperty.normalized($0, kind) }) }
    }

    /// All properties, in the order in which they are shown.
    public static let all: [TaskProperty] = [assignee]

    /// The person who is to do the task.
    public static let assignee = TaskProperty(
        "assignee", plural: "assignees", aliases: ["for"], kind: .person, "Assignee."
    ) {
        $0.assignee
    } set: {
        $0.assignee = $1
    }

    /// The property with a name; nil if there is none.
    public static func named(_ name: String) -> TaskProperty? { all.first { $0.name == name } }

    /// Whether its values are people.
    public var isPerson: Bool { kind == .person }

    /// A value as it is stored; nil if the text is none of its kind.
    public func normalized(_ text: String) -> String? { TaskProperty.normalized(text, kind) }

    /// The values that it takes, for errors; nil for any text.
    public var values: String? {
        switch kind {
        case .text, .person: nil
        case .number(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .day: "a day"
        }
    }

    private static func normalized(_ text: String, _ kind: Kind) -> String? {
        switch kind {
        case .text, .person: text
        case .number(let range): Int(text).flatMap { range.contains($0) ? "\($0)" : nil }
        case .day: ISO8601Reader.date(text).map { ISO8601.text($0) }
        }
    }
}
