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
        var out: [UInt8] = []
        var (start, isDropped, kept) = (0, false, 0)
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
            let line = bytes[start..<end]
            // The head ends with an empty line.
            if line.elementsEqual([0x0A]) || line.elementsEqual([0x0D, 0x0A]) { break }
            if line.first != 0x20, line.first != 0x09 { isDropped = isMark(line) }
            if isDropped {
                out += bytes[kept..<start]
                kept = end
            }
            start = end
        }
        return kept == 0 ? bytes : out + bytes[kept...]
    }
}
