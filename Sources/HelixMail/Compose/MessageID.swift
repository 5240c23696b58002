/// Message-IDs as they are written into headers (RFC 5322 §3.6.4).
public enum MessageID {
    /// A Message-ID without brackets, from text with or without them; nil for what is none: nothing in it may end a line or
    /// begin another header.
    public static func written(_ text: String) -> String? {
        var bare = Substring(text)
        if bare.hasPrefix("<"), bare.hasSuffix(">") { bare = bare.dropFirst().dropLast() }
        let isSound =
            (1...900).contains(bare.utf8.count)
            && bare.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
        return isSound ? String(bare) : nil
    }
}
