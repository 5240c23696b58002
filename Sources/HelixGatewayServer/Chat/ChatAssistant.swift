import FoundationEssentials
import HelixCrypto
import HelixGatewayStore
import HelixModel

/// Deterministic identities derived from the gateway's secret. They cannot be computed by others, who could otherwise claim
/// them before their owner needs them.
struct SecretIdentities: Sendable {
    private let key: [UInt8]

    init(secret: [UInt8]) { key = secret }

    /// The identity derived from a text, for one user.
    func identity(_ purpose: String, _ user: EntityID, _ text: String) -> EntityID {
        let code = SHA256.authenticationCode(
            of: Array("\(purpose)\u{0}\(user.text)\u{0}\(text)".utf8), key: key)
        return EntityID(digest: SHA256.hash(Array(code)))
    }
}

/// The assistant of a gateway.
enum ChatAssistant {
    /// The name of its user, unless somebody has it already.
    static let name = "assistant"

    /// Whether a text names a user: `@assistant`, and not `@assistants`.
    static func isNamed(_ name: String, in text: String) -> Bool {
        let sign = "@" + name.lowercased()
        let lowered = text.lowercased()
        var rest = lowered[...]
        while let found = rest.firstRange(of: sign) {
            let isWhole = rest[found.upperBound...].first.map { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "_" }
            // An address such as me@assistant.example is no name.
            let isBegun = lowered[..<found.lowerBound].last.map { !$0.isLetter && !$0.isNumber }
            let isDomain =
                rest[found.upperBound...].first == "." && rest[found.upperBound...].dropFirst().first?.isLetter == true
            if isWhole ?? true, isBegun ?? true, !isDomain { return true }
            rest = rest[found.upperBound...]
        }
        return false
    }

    /// The prompt for an answer in a conversation of which it is a member.
    static func prompt(_ name: String, in conversation: GatewayConversation) -> String {
        guard conversation.kind == .group else {
            return "You are '\(name)', in a conversation with one person, whose messages begin with that person's name."
        }
        return """
            You are '\(name)', a member of the group '\(conversation.name)'. Each message of the others begins with its author's \
            name. Answer the last one, which names you, to the whole group, without a name before it.
            """
    }

    /// The identity of its conversation at gateways of earlier versions.
    static func formerMainConversation(of user: EntityID) -> EntityID {
        EntityID(digest: SHA256.hash(Array("main\u{0}\(user.text)\u{0}".utf8)))
    }
}
