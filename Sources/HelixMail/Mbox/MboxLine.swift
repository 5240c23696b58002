/// Classification of mbox lines.
enum MboxLine {
    static func isEmpty(_ line: some Collection<UInt8>) -> Bool { line.allSatisfy { $0 == 0x0A || $0 == 0x0D } }

    /// Whether a line is `From …`, which may begin a message.
    static func isFrom(_ line: some Collection<UInt8>) -> Bool { line.starts(with: "From ".utf8) }

    /// The compression format of a file, by its first bytes; nil for text.
    static func compression(_ bytes: some Collection<UInt8>) -> String? {
        let marks: [(name: String, bytes: [UInt8])] = [
            ("gzip", [0x1F, 0x8B]), ("bzip2", Array("BZh".utf8)), ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A]),
            ("zstd", [0x28, 0xB5, 0x2F, 0xFD]), ("zip", [0x50, 0x4B, 0x03, 0x04]),
        ]
        return marks.first { bytes.starts(with: $0.bytes) }?.name
    }

    /// Whether a line separates messages of an MMDF mailbox.
    static func isMMDF(_ line: some Collection<UInt8>) -> Bool {
        line.starts(with: [1, 1, 1, 1]) && isEmpty(line.dropFirst(4))
    }

    /// The line without the `>` that escapes `From ` lines in a text.
    static func unquoted(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let marks = line.prefix { $0 == UInt8(ascii: ">") }.count
        return marks > 0 && isFrom(line.dropFirst(marks)) ? line.dropFirst() : line
    }

    /// Whether a line without an `asctime` date may begin a message: it has an address, `-`, the mail system or an
    /// ISO 8601 date. Texts have lines such as `From here on …`.
    static func namesSender(_ line: some Collection<UInt8>) -> Bool {
        let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace).dropFirst()
        guard let sender = words.first else { return false }
        if sender == "-" || sender == "MAILER-DAEMON" { return true }
        if sender.contains("@"), !sender.hasSuffix("@"), !sender.hasPrefix("@") { return true }
        return words.contains { word in
            let parts = word.prefix { $0 != "T" }.split(separator: "-", omittingEmptySubsequences: false)
            return parts.map(\.count) == [4, 2, 2] && parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isNumber } }
        }
    }

    /// Headers that messages begin with. A text may have `Note: …` after a line `From here on`, but hardly these.
    private static let headers: Set<String> = [
        "from", "to", "cc", "subject", "date", "sender", "reply-to", "message-id", "received", "return-path",
        "delivered-to", "mime-version", "status", "content-type", "in-reply-to", "references", "dkim-signature",
        "envelope-to", "delivery-date", "list-id", "newsgroups", "path",
    ]

    /// Whether a line is a header, `Name: …`.
    static func isHeader(_ line: some Collection<UInt8>) -> Bool {
        let bytes = line.prefix { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
        guard line.dropFirst(bytes.count).first == UInt8(ascii: ":") else { return false }
        let name = String(decoding: bytes, as: UTF8.self).lowercased()
        return headers.contains(name) || name.hasPrefix("x-")
    }

    private static let weekdays: Set<String> = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months: Set<String> = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Whether a line has an `asctime` date (RFC 4155, appendix A), with a zone before or after the year or without:
    /// `Thu Jan  1 00:00:00 1970`.
    static func saysWhen(_ line: some Collection<UInt8>) -> Bool {
        let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
        guard words.count >= 5 else { return false }
        func isNumber(_ text: some StringProtocol, _ length: ClosedRange<Int>) -> Bool {
            length.contains(text.count) && text.allSatisfy { $0.isASCII && $0.isNumber }
        }
        return (0...words.count - 5).contains { first in
            guard weekdays.contains(words[first].replacing(",", with: "")), months.contains(words[first + 1]),
                isNumber(words[first + 2], 1...2)
            else { return false }
            let clock = words[first + 3].split(separator: ":")
            return (2...3).contains(clock.count) && clock.allSatisfy { isNumber($0, 1...2) }
                && words[(first + 4)...].prefix(2).contains { isNumber($0, 4...4) }
        }
    }
}
