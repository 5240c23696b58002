/// The headers that carry flags, labels and the mailbox of a message in an mbox file. They are no part of the message: programs
/// write them when they store it, and remove them when they move it elsewhere.
public enum MboxMarks {
    /// The header with the mailbox, percent-encoded, in an export of several mailboxes.
    public static let mailbox = "X-Helix-Mailbox"

    private static let headers = ["status:", "x-status:", "x-keywords:", "x-helix-mailbox:"]

    /// Whether a line of a message's head begins one of them.
    static func isMark(_ line: ArraySlice<UInt8>) -> Bool {
        let name = String(decoding: Array(line.prefix(16)), as: UTF8.self).lowercased()
        return headers.contains { name.hasPrefix($0) }
    }

    /// A message without these headers.
    public static func stripped(_ bytes: [UInt8]) -> [UInt8] {
        let (head, end) = RawHead.without(bytes, isMark)
        return head.count == end ? bytes : head + bytes[end...]
    }
}
