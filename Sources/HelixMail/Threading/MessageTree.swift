import HelixModel

/// Messages arranged as a tree by reply.
public struct MessageTree {
    /// The rows in order: each message after its parent.
    public private(set) var rows: [(message: EmailMessage, depth: Int)] = []

    /// - Parameter references: the references of each message, the nearest last.
    public init(_ messages: [EmailMessage], references: [EntityID: [String]]) {
        var byMessageID: [String: EntityID] = [:]
        for message in messages { if let id = message.messageID { byMessageID[id] = byMessageID[id] ?? message.id } }
        var children: [EntityID: [EmailMessage]] = [:]
        var roots: [EmailMessage] = []
        for message in messages {
            // The nearest available reference, except the message itself.
            let parent = references[message.id, default: []].reversed().lazy.compactMap { byMessageID[$0] }.first {
                $0 != message.id
            }
            if let parent { children[parent, default: []].append(message) } else { roots.append(message) }
        }
        var seen: Set<EntityID> = []
        func visit(_ message: EmailMessage, _ depth: Int) {
            guard seen.insert(message.id).inserted, depth < 500 else { return }
            rows.append((message, depth))
            for child in children[message.id, default: []] { visit(child, depth + 1) }
        }
        for root in roots { visit(root, 0) }
        // Messages whose references form a cycle.
        for message in messages where !seen.contains(message.id) { visit(message, 0) }
    }
}
