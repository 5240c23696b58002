import Crypto
import HelixModel

/// The assistant of a gateway, and what its conversations are called.
enum ChatAssistant {
    /// The conversation with the assistant that a user has without beginning one.
    static func mainRoom(of user: EntityID) -> EntityID { identity("main", user, "") }

    /// An identity that follows from a text, for one user alone.
    static func identity(_ purpose: String, _ user: EntityID, _ text: String) -> EntityID {
        EntityID(digest: SHA256.hash(data: Array("\(purpose)\u{0}\(user.text)\u{0}\(text)".utf8)))
    }
}
