import HelixMail
import HelixModel
import HelixNetwork

/// A message as the server returns it: in an IMAP `FETCH` (RFC 9051 §7.5.2), or a JMAP `Email` (RFC 8621 §4.1).
struct FetchedMessage {
    var uid: UInt32
    var flags: ServerFlags?
    /// When the server received it.
    var date: Instant?
    /// The size of the whole message in bytes, lines with CRLF.
    var size: Int?
    /// The Message-ID without brackets.
    var messageID: String?
    /// The message itself; nil if it arrived in pieces before, or was not requested.
    var body: [UInt8]?
    /// Its headers; nil unless they alone were requested.
    var head: [UInt8]?
    /// Whether the message arrived in pieces before.
    var isSpilled = false
}
