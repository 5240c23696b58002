import CGMime
import HelixModel

/// Parsing of Date headers.
public enum MailDate {
    /// The instant in a raw Date header (RFC 5322 §3.3, and common deviations), or nil.
    public static func instant(_ raw: some Collection<UInt8>) -> Instant? {
        var value = String(decoding: EncodedWord.unfolded(raw), as: UTF8.self)
        if value.contains("(") { value = HeaderComments.removed(value) }
        if value.isEmpty { return nil }
        // Single-letter zones were used with opposite signs, so they mean nothing (RFC 5322 §4.3).
        if let last = value.split(separator: " ").last, last.count == 1, last.allSatisfy(\.isLetter) {
            value = value.dropLast() + "+0000"
        }
        var seconds: Int64 = 0
        var offset: Int32 = 0
        guard helix_mime_date(value, &seconds, &offset) != 0 else { return nil }
        // Before 1960 or far in the future: the header is broken, and the time of arrival is used instead.
        guard seconds > -315_619_200, seconds < 4_102_444_800 else { return nil }
        return Instant(seconds)
    }

    /// The instant in a Received header, after its last semicolon.
    public static func received(_ raw: some BidirectionalCollection<UInt8>) -> Instant? {
        guard let semicolon = raw.lastIndex(of: UInt8(ascii: ";")) else { return nil }
        return instant(raw[raw.index(after: semicolon)...])
    }
}
