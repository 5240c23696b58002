/// The messages to download in full. Of the rest only the headers are downloaded, and the body when it is read.
public enum BodyPolicy: Hashable, Sendable {
    /// All messages.
    case all
    /// Messages received in the last `days` days.
    case recent(days: Int)
    /// None until it is read.
    case onDemand

    /// Parses `all`, `on-demand`, `recent 90 days`, `90d` or `90`; nil for any other text.
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

    /// The policy as text, in the form that ``init(_:)`` parses.
    public var text: String {
        switch self {
        case .all: "all"
        case .recent(let days): "recent \(days) days"
        case .onDemand: "on-demand"
        }
    }

    /// Whether a message is downloaded in full.
    ///
    /// - Parameters:
    ///   - date: the time at which the server received it.
    public func isWhole(_ date: Instant?, at now: Instant) -> Bool {
        switch self {
        case .all: true
        case .recent(let days): date.map { now - $0 <= Int64(days) * 86_400 } ?? true
        case .onDemand: false
        }
    }
}
