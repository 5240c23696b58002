import Crypto
import Foundation
import HelixModel

/// Identities that a gateway makes out of what it knows: the same again for the same, and for nobody else to work out, or
/// they could be taken before their owner needs them.
struct SecretIdentities: Sendable {
    private let key: SymmetricKey

    init(secret: [UInt8]) { key = SymmetricKey(data: secret) }

    /// An identity that follows from a text, for one user alone.
    func identity(_ purpose: String, _ user: EntityID, _ text: String) -> EntityID {
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(purpose)\u{0}\(user.text)\u{0}\(text)".utf8), using: key)
        return EntityID(digest: SHA256.hash(data: Data(code)))
    }
}

/// The assistant of a gateway.
enum ChatAssistant {
    /// The identity of the conversation with it at gateways of earlier versions.
    static func formerMainRoom(of user: EntityID) -> EntityID {
        EntityID(digest: SHA256.hash(data: Array("main\u{0}\(user.text)\u{0}".utf8)))
    }
}
