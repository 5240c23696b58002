/// Message-IDs as they are written into headers (RFC 5322 §3.6.4).
public enum MessageID {
    /// Parses a Message-ID with or without brackets, and returns it without; nil if it is invalid: it must not end a line
    /// or begin another header.
    public static func written(_ text: String) -> String? {
        var bare = Substring(text)
        if bare.hasPrefix("<"), bare.hasSuffix(">") { bare = bare.dropFirst().dropLast() }
        let isSound =
            (1...900).contains(bare.utf8.count)
            && bare.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
        return isSound ? String(bare) : nil
    }
}
