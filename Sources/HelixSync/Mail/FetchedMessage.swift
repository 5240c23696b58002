import HelixMail
import HelixModel
import HelixNetwork

/// A message as a server gives it: as IMAP does in a `FETCH` (RFC 9051 §7.5.2), or JMAP in an `Email` (RFC 8621 §4.1).
struct FetchedMessage {
    var uid: UInt32
    var flags: ServerFlags?
    /// When the server got it.
    var date: Instant?
    /// The bytes of the whole message, lines with CRLF.
    var size: Int?
    /// Message-ID without brackets.
    var messageID: String?
    /// The message itself; nil if it came in pieces before, or was not asked for.
    var body: [UInt8]?
    /// Its head; nil if that was not asked for alone.
    var head: [UInt8]?
    /// Whether the message came in pieces before.
    var isSpilled = false
}
