import HelixModel

/// Events as notifications carry them: a line of words.
extension GatewayEvent {
    /// The largest text of an event; longer ones are not sent, and their receivers fetch what has changed.
    static let largest = 7_000

    /// The line.
    var text: String {
        func list(_ users: [EntityID]) -> String { users.map(\.text).joined(separator: ",") }
        return switch self {
        case .message(let conversation, let number, let isNew): "\(isNew ? "m" : "e") \(conversation.text) \(number)"
        case .appMessage(let conversation, let number): "a \(conversation.text) \(number)"
        case .conversation(let conversation, let users): "c \(conversation.text) \(list(users))"
        case .entities(let user): "u \(user.text)"
        case .sessions(let user): "s \(user.text)"
        case .words(let users, let name, let payload): "w \(list(users)) \(name) \(payload)"
        case .memberWords(let conversation, let author, let name, let payload):
            "t \(conversation.text) \(author.text) \(name) \(payload)"
        case .presence(let gateway, let present, let absent): "p \(gateway) \(list(present)) \(list(absent))"
        case .devices(let gateway, let present, let absent):
            "d \(gateway) \(present.joined(separator: ",")) \(absent.joined(separator: ","))"
        case .appEntities(let user): "b \(user.text)"
        case .life(let gateway, let asks): "l \(gateway) \(asks ? "ask" : "")"
        }
    }

    /// Reads a line; nil for one of a newer helix.
    init?(text: String) {
        let parts = text.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
        func rest(after count: Int) -> String {
            text.split(separator: " ", maxSplits: count, omittingEmptySubsequences: false).last.map(String.init) ?? ""
        }
        func list(_ place: Int) -> [EntityID] {
            parts.indices.contains(place) ? parts[place].split(separator: ",").compactMap { EntityID(String($0)) } : []
        }
        func words(_ place: Int) -> [String] {
            parts.indices.contains(place) ? parts[place].split(separator: ",").map(String.init) : []
        }
        guard parts.count >= 2 else { return nil }
        switch parts[0] {
        case "m", "e":
            guard parts.count == 3, let id = EntityID(parts[1]), let number = Int64(parts[2]) else { return nil }
            self = .message(conversation: id, number: number, isNew: parts[0] == "m")
        case "a":
            guard parts.count == 3, let id = EntityID(parts[1]), let number = Int64(parts[2]) else { return nil }
            self = .appMessage(conversation: id, number: number)
        case "c":
            guard let id = EntityID(parts[1]) else { return nil }
            self = .conversation(id, users: list(2))
        case "u", "s", "b":
            guard let user = EntityID(parts[1]) else { return nil }
            self =
                switch parts[0] {
                case "u": .entities(user: user)
                case "s": .sessions(user: user)
                default: .appEntities(user: user)
                }
        case "w":
            guard parts.count >= 4 else { return nil }
            self = .words(users: list(1), name: parts[2], payload: rest(after: 3))
        case "t":
            guard parts.count >= 5, let id = EntityID(parts[1]), let author = EntityID(parts[2]) else { return nil }
            self = .memberWords(conversation: id, author: author, name: parts[3], payload: rest(after: 4))
        case "p": self = .presence(gateway: parts[1], present: list(2), absent: list(3))
        case "d": self = .devices(gateway: parts[1], present: words(2), absent: words(3))
        case "l": self = .life(gateway: parts[1], asks: parts.dropFirst(2).first == "ask")
        default: return nil
        }
    }
}
