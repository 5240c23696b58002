import FoundationEssentials
import HelixCrypto
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
    /// The identity of its conversation at gateways of earlier versions.
    static func formerMainConversation(of user: EntityID) -> EntityID {
        EntityID(digest: SHA256.hash(Array("main\u{0}\(user.text)\u{0}".utf8)))
    }
}
