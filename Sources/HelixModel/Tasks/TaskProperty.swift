/// A text field of tasks that nothing but people reads.
///
/// The column, the JSON, lines (`name:value`), filters, orders, the editor's form, the formats of other programs and the screens
/// are made of ``all``. docs/architecture.md adds one as an example.
public struct TaskProperty: Sendable {
    /// The name of the column, the field and the option.
    public let name: String
    /// The plural of the name, for what a format cannot hold.
    public let plural: String
    /// Other names in lines and filters.
    public let aliases: [String]
    /// Whether its values are people: `me` is the user.
    public let isPerson: Bool
    /// Its meaning, as in `Assignee.`
    public let doc: String
    /// The value in a task.
    public let get: @Sendable (TodoTask) -> String?
    /// Sets the value in a task.
    public let set: @Sendable (inout TodoTask, String?) -> Void

    private init(
        _ name: String, plural: String, aliases: [String] = [], isPerson: Bool = false, _ doc: String,
        get: @escaping @Sendable (TodoTask) -> String?, set: @escaping @Sendable (inout TodoTask, String?) -> Void
    ) {
        (self.name, self.plural, self.aliases) = (name, plural, aliases)
        (self.isPerson, self.doc, self.get, self.set) = (isPerson, doc, get, set)
    }

    /// All properties, in the order in which they are shown.
    public static let all: [TaskProperty] = [assignee]

    /// The person who is to do the task.
    public static let assignee = TaskProperty(
        "assignee", plural: "assignees", aliases: ["for"], isPerson: true, "Assignee."
    ) {
        $0.assignee
    } set: {
        $0.assignee = $1
    }

    /// The property with a name; nil if there is none.
    public static func named(_ name: String) -> TaskProperty? { all.first { $0.name == name } }
}
