import HelixModel

/// A sort order of tasks: by the first key, then by the next for equal tasks, and so on.
public struct TaskOrder: Hashable, Sendable {
    /// A property to sort tasks by.
    public enum Key: Hashable, Sendable {
        /// The most urgent first.
        case urgency
        case due
        case scheduled
        /// By the time until which tasks are hidden.
        case wait
        case priority
        /// The newest first.
        case created
        case modified
        case started
        case title
        case project
        /// By a ``TaskProperty`` of that name.
        case property(String)
        case estimate
        /// By board, column and position.
        case board
        /// The most recently completed first.
        case completed

        /// The names of all keys, in the order in which they are listed.
        public static let names = named.map(\.name)

        private static let named: [(name: String, key: Key)] =
            [
                ("urgency", .urgency), ("due", .due), ("scheduled", .scheduled), ("wait", .wait),
                ("priority", .priority), ("created", .created), ("modified", .modified), ("started", .started),
                ("title", .title), ("project", .project),
            ] + TaskProperty.all.map { ($0.name, .property($0.name)) }
            + [("estimate", .estimate), ("board", .board), ("completed", .completed)]

        /// The key with a name; nil if there is none.
        public init?(_ name: String) {
            guard let found = Key.named.first(where: { $0.name == name }) else { return nil }
            self = found.key
        }
    }

    /// A key with its direction.
    public struct Term: Hashable, Sendable {
        /// The property.
        public var key: Key
        /// True to reverse the usual direction. Tasks without the property sort last in both directions.
        public var isReversed: Bool
    }

    /// The keys in order of significance; at least one.
    public private(set) var terms: [Term]

    /// Creates an order with one key.
    public init(_ key: Key) { terms = [Term(key: key, isReversed: false)] }

    /// Parses an order: keys separated by commas, `-` to reverse one: `project,-due`.
    /// - Throws: ``HelixError`` of code `usage`.
    public init(_ text: String) throws {
        terms = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let typed = String(word).trimmingBlanks().lowercased()
            let isReversed = typed.hasPrefix("-")
            let name = typed.hasPrefix("-") || typed.hasPrefix("+") ? String(typed.dropFirst()) : typed
            guard let key = Key(name) else {
                let near = EditDistance.suggestion(for: name, among: Key.names)
                throw HelixError(
                    .usage, name.isEmpty ? "empty sort key" : "unknown sort key '\(name)'",
                    hint: (near.map { "Did you mean \($0)? " } ?? "")
                        + "Use one of: \(Key.names.joined(separator: ", ")).")
            }
            if terms.contains(where: { $0.key == key }) {
                throw HelixError(.usage, "duplicate sort key '\(name)'")
            }
            terms.append(Term(key: key, isReversed: isReversed))
        }
    }

    /// The reverse order.
    public var reversed: TaskOrder {
        var order = self
        for index in order.terms.indices { order.terms[index].isReversed.toggle() }
        return order
    }

    /// The most urgent first.
    public static let urgency = TaskOrder(.urgency)
    /// The earliest due first.
    public static let due = TaskOrder(.due)
    /// The newest first.
    public static let created = TaskOrder(.created)
    /// The most recently changed first.
    public static let modified = TaskOrder(.modified)
    /// By board, column and position.
    public static let board = TaskOrder(.board)
    /// The most recently completed first.
    public static let completed = TaskOrder(.completed)
}
