import HelixModel

/// The order in which tasks come: by its first key, tasks that are equal there by the next, and so on.
public struct TaskOrder: Hashable, Sendable {
    /// A property that tasks are put in order by.
    public enum Key: String, Sendable, CaseIterable {
        /// The most urgent first.
        case urgency
        case due
        case scheduled
        /// By the time until which they are hidden.
        case wait
        case priority
        /// The latest first.
        case created
        case modified
        case started
        case title
        case project
        case assignee
        case estimate
        /// By board, column and place in it.
        case board
        /// What was done last comes first.
        case completed
    }

    /// A key, in its own direction or the other one.
    public struct Term: Hashable, Sendable {
        /// The property.
        public var key: Key
        /// Whether what usually comes first comes last. What lacks the property comes last in both directions.
        public var isReversed: Bool
    }

    /// The keys, the first that decides first; there is at least one.
    public private(set) var terms: [Term]

    /// By one key.
    public init(_ key: Key) { terms = [Term(key: key, isReversed: false)] }

    /// The order that `text` names: keys in commas, `-` before one that is turned around: `project,-due`.
    /// - Throws: ``HelixError`` of code `usage`.
    public init(_ text: String) throws {
        terms = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let typed = String(word).trimmingBlanks().lowercased()
            let isReversed = typed.hasPrefix("-")
            let name = typed.hasPrefix("-") || typed.hasPrefix("+") ? String(typed.dropFirst()) : typed
            guard let key = Key(rawValue: name) else {
                let names = Key.allCases.map(\.rawValue)
                let near = EditDistance.suggestion(for: name, among: names)
                throw HelixError(
                    .usage, name.isEmpty ? "a key of the order is empty" : "tasks have no order by '\(name)'",
                    hint: (near.map { "Did you mean \($0)? " } ?? "") + "There are: \(names.joined(separator: ", ")).")
            }
            if terms.contains(where: { $0.key == key }) {
                throw HelixError(.usage, "the order names '\(name)' twice")
            }
            terms.append(Term(key: key, isReversed: isReversed))
        }
    }

    /// The order in which what came first comes last.
    public var reversed: TaskOrder {
        var order = self
        for index in order.terms.indices { order.terms[index].isReversed.toggle() }
        return order
    }

    /// The most urgent first.
    public static let urgency = TaskOrder(.urgency)
    /// What is due first comes first.
    public static let due = TaskOrder(.due)
    /// The newest first.
    public static let created = TaskOrder(.created)
    /// What was changed last comes first.
    public static let modified = TaskOrder(.modified)
    /// By board, column and place.
    public static let board = TaskOrder(.board)
    /// What was done last comes first.
    public static let completed = TaskOrder(.completed)
}
