import HelixModel

/// Splits an mbox into its messages, as it is read: a line `From ` after an empty line begins the next one.
///
/// All dialects are read (RFC 4155 and what came before): one `>` is taken off lines `>From `, `>>From ` and so on, as
/// mboxrd has them. A line `From ` with a date as `asctime` writes it begins a message; a broken one does where a message's
/// header follows it; any other belongs to a text. A file that begins with anything else than such a line is one message,
/// of which no byte is changed.
public struct MboxReader {
    /// No message is larger, in bytes.
    private static let limit = 300 << 20

    private let chunk: () throws -> [UInt8]
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    /// Whether the whole is one message, nil until its first line is read.
    private var isSingle: Bool?

    /// Reads what `chunk` gives: some bytes a call, none at the end.
    ///
    /// - Parameter isSingle: true for what is one message whatever it looks like, such as a file of a Maildir or an `.eml`;
    ///   nil to go by its first line.
    public init(isSingle: Bool? = nil, _ chunk: @escaping () throws -> [UInt8]) {
        self.isSingle = isSingle
        self.chunk = chunk
    }

    /// Gives each message to `body`; the bytes of each are in memory, the others are not.
    /// - Throws: what `body` throws, and what the source of bytes throws.
    public mutating func read(_ body: ([UInt8]) throws -> Void) throws {
        if try isOneMessage() { return try readWhole(body) }
        var message: [UInt8] = []
        var isInMessage = false
        var isAfterEmpty = true
        while let line = try nextLine() {
            if line.starts(with: "From ".utf8), try isSeparator(Array(line), isAfterEmpty: isAfterEmpty) {
                if isInMessage { try body(Self.finished(message)) }
                message.removeAll(keepingCapacity: message.capacity < 1 << 20)
                (isInMessage, isAfterEmpty) = (true, false)
                continue
            }
            if message.count > Self.limit {
                throw HelixError(
                    .badInput, "there is a message of more than \(Self.limit >> 20) MB in it, or none at all",
                    hint: "What came before it was taken.")
            }
            isAfterEmpty = line.allSatisfy { $0 == 0x0A || $0 == 0x0D }
            if !isInMessage {
                if isAfterEmpty && message.isEmpty { continue }
                isInMessage = true
            }
            let marks = line.prefix { $0 == UInt8(ascii: ">") }.count
            let isQuoted = marks > 0 && line.dropFirst(marks).starts(with: "From ".utf8)
            message.append(contentsOf: isQuoted ? line.dropFirst() : line)
        }
        if isInMessage { try body(Self.finished(message)) }
    }

    /// Whether there is no line `From ` at the beginning, where an mbox has one.
    private mutating func isOneMessage() throws -> Bool {
        if let isSingle { return isSingle }
        while let line = try nextLine() {
            if line.allSatisfy({ $0 == 0x0A || $0 == 0x0D }) { continue }
            start -= line.count
            return !line.starts(with: "From ".utf8)
        }
        return false
    }

    /// Gives all there is to `body` as one message. Programs that save one put the mbox's line above it at times; that is
    /// no part of it.
    private mutating func readWhole(_ body: ([UInt8]) throws -> Void) throws {
        var message: [UInt8] = []
        while let line = try nextLine() {
            if message.isEmpty, line.starts(with: "From ".utf8), Self.saysWhen(Array(line)) { continue }
            message.append(contentsOf: line)
            if message.count > Self.limit {
                throw HelixError(.badInput, "there is a message of more than \(Self.limit >> 20) MB in it")
            }
        }
        if !message.isEmpty { try body(message) }
    }

    /// The empty line before the next message belongs to the mailbox.
    private static func finished(_ message: [UInt8]) -> [UInt8] {
        if message.suffix(4) == [0x0D, 0x0A, 0x0D, 0x0A] { return Array(message.dropLast(2)) }
        return message.suffix(2) == [0x0A, 0x0A] ? Array(message.dropLast()) : message
    }

    /// `From sender Thu Jan  1 00:00:00 1970`, or something near it.
    private mutating func isSeparator(_ line: [UInt8], isAfterEmpty: Bool) throws -> Bool {
        guard line.count < 1000 else { return false }
        let saysWhen = Self.saysWhen(line)
        if isAfterEmpty, saysWhen { return true }
        // The line after it stays to be read.
        guard let next = try nextLine() else { return false }
        start -= next.count
        // Programs forget the empty line before it.
        return Self.isHeader(Array(next)) && (isAfterEmpty || saysWhen)
    }

    /// Headers with which messages begin. A text may have `Note: …` after a line `From here on`; it hardly has these.
    private static let headers: Set<String> = [
        "from", "to", "cc", "subject", "date", "sender", "reply-to", "message-id", "received", "return-path",
        "delivered-to", "mime-version", "status", "content-type", "in-reply-to", "references", "dkim-signature",
        "envelope-to", "delivery-date", "list-id", "newsgroups", "path",
    ]

    /// `Name: …`, as the head of a message begins.
    private static func isHeader(_ line: [UInt8]) -> Bool {
        let bytes = line.prefix { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
        guard line.dropFirst(bytes.count).first == UInt8(ascii: ":") else { return false }
        let name = String(decoding: bytes, as: UTF8.self).lowercased()
        return headers.contains(name) || name.hasPrefix("x-")
    }

    private static let weekdays: Set<String> = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months: Set<String> = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Whether a line has a date as `asctime` writes it (RFC 4155, appendix A), with a zone before or after the year or none:
    /// `Thu Jan  1 00:00:00 1970`.
    private static func saysWhen(_ line: [UInt8]) -> Bool {
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

    private mutating func nextLine() throws -> ArraySlice<UInt8>? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                let line = buffer[start...end]
                start = end + 1
                return line
            }
            if isAtEnd {
                guard start < buffer.count else { return nil }
                let line = buffer[start...]
                start = buffer.count
                return line
            }
            buffer.removeSubrange(..<start)
            start = 0
            searched = buffer.count
            if buffer.count > Self.limit {
                throw HelixError(
                    .badInput, "there is a line of more than \(Self.limit >> 20) MB in it: that is no mail")
            }
            let piece = try chunk()
            if piece.isEmpty { isAtEnd = true } else { buffer.append(contentsOf: piece) }
        }
    }
}
