import FoundationEssentials
import HelixModel

/// An address of something in helix, for other programs: `helix://event/k3f7`, `helix://chat/k3f7`, or an invitation to a
/// group, `helix://join/TOKEN?gateway=wss://…`.
struct HelixLink: Hashable {
    /// The target of a link.
    enum Target: Hashable {
        /// A conversation, by its name or ID.
        case chat(String)
        /// Any entity, of a kind if one is named.
        case entity(EntityKind?, String)
        /// An invitation to a group of a gateway.
        case invitation(token: String, gateway: String)
    }

    let target: Target

    /// The words for kinds in links.
    static let kinds: [String: EntityKind] = [
        "event": .event, "task": .task, "mail": .message, "message": .chatMessage, "time": .timeEntry,
        "project": .project, "file": .file, "material": .material,
    ]

    /// Parses a link.
    /// - Throws: ``HelixError`` of code `usage`.
    init(_ text: String) throws {
        let refusal = HelixError(
            .usage, "'\(text)' is not a link of helix",
            hint: "Links are helix://show/ID, helix://event/ID, helix://task/ID, helix://mail/ID, helix://chat/NAME or"
                + " helix://join/….")
        guard let parts = URLComponents(string: text), parts.scheme?.lowercased() == "helix", let word = parts.host,
            !word.isEmpty
        else { throw refusal }
        let path = parts.path.split(separator: "/").map(String.init)
        guard path.count == 1, let name = path.first, !name.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw refusal
        }
        switch word.lowercased() {
        case "chat": target = .chat(name)
        case "show": target = .entity(nil, name)
        case "join":
            // A second address would be shown to nobody.
            guard let items = parts.queryItems, items.count == 1, items[0].name == "gateway",
                let gateway = items[0].value, gateway.hasPrefix("ws://") || gateway.hasPrefix("wss://")
            else { throw refusal }
            target = .invitation(token: name, gateway: gateway)
        case let word:
            guard let kind = HelixLink.kinds[word] else { throw refusal }
            target = .entity(kind, name)
        }
    }

    /// The link of an invitation.
    static func invitation(token: String, gateway: String) -> String {
        var parts = URLComponents()
        (parts.scheme, parts.host, parts.path) = ("helix", "join", "/" + token)
        parts.queryItems = [URLQueryItem(name: "gateway", value: gateway)]
        return parts.string ?? "helix://join/\(token)"
    }
}
