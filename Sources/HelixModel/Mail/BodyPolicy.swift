/// Which messages of a server are fetched whole; of the others the head is, and the rest when somebody reads them.
public enum BodyPolicy: Hashable, Sendable {
    /// All of them.
    case all
    /// Those that came in the last so many days.
    case recent(days: Int)
    /// None before somebody reads it.
    case onDemand

    /// The policy written as `all`, `on-demand`, `recent 90 days`, `90d` or `90`; nil for other words.
    public init?(_ text: String) {
        let words = text.lowercased().split(whereSeparator: \.isWhitespace)
        switch words.first {
        case "all"? where words.count == 1: self = .all
        case "on-demand"? where words.count == 1: self = .onDemand
        default:
            let rest = words.first == "recent" ? words.dropFirst() : words[...]
            guard let first = rest.first, rest.count == 1 || rest.count == 2 && ["days", "day"].contains(rest.last),
                let days = Int(first.hasSuffix("d") ? first.dropLast() : first), (1...36_500).contains(days)
            else { return nil }
            self = .recent(days: days)
        }
    }

    /// The words for it, as ``init(_:)`` reads them.
    public var text: String {
        switch self {
        case .all: "all"
        case .recent(let days): "recent \(days) days"
        case .onDemand: "on-demand"
        }
    }

    /// Whether a message is fetched whole.
    ///
    /// - Parameters:
    ///   - date: when the server got it.
    public func isWhole(_ date: Instant?, at now: Instant) -> Bool {
        switch self {
        case .all: true
        case .recent(let days): date.map { now - $0 <= Int64(days) * 86_400 } ?? true
        case .onDemand: false
        }
    }
}
