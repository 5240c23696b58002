import HelixModel

/// Splits an mbox into its messages, as it is read: a line `From ` after an empty line begins the next one.
///
/// All dialects are read (RFC 4155 and what came before): one `>` is taken off lines `>From `, `>>From ` and so on, as
/// mboxrd has them. A line `From ` that says a time begins a message; a broken one does where a header follows it; any
/// other stands in a text.
public struct MboxReader {
    /// No message is larger, in bytes.
    private static let limit = 300 << 20

    private let chunk: () throws -> [UInt8]
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    /// Reads what `chunk` gives: some bytes a call, none at the end.
    public init(_ chunk: @escaping () throws -> [UInt8]) { self.chunk = chunk }

    /// Gives each message to `body`; the bytes of each are in memory, the others are not.
    /// - Throws: what `body` throws, and what the source of bytes throws.
    public mutating func read(_ body: ([UInt8]) throws -> Void) throws {
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
                // What stands before the first message belongs to none, unless the file is a single message.
                if isAfterEmpty && message.isEmpty { continue }
                isInMessage = true
            }
            let marks = line.prefix { $0 == UInt8(ascii: ">") }.count
            let isQuoted = marks > 0 && line.dropFirst(marks).starts(with: "From ".utf8)
            message.append(contentsOf: isQuoted ? line.dropFirst() : line)
        }
        if isInMessage { try body(Self.finished(message)) }
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

    /// `Name: …`, as a head begins.
    private static func isHeader(_ line: [UInt8]) -> Bool {
        let name = line.prefix { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
        return !name.isEmpty && line.dropFirst(name.count).first == UInt8(ascii: ":")
            && name.allSatisfy { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
    }

    private static func saysWhen(_ line: [UInt8]) -> Bool {
        // A time of day, and a year.
        let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        let hasTime = words.contains { word in
            let parts = word.split(separator: ":")
            return (2...3).contains(parts.count) && parts.allSatisfy { $0.count <= 2 && $0.allSatisfy(\.isNumber) }
        }
        return hasTime && words.contains { $0.count == 4 && $0.allSatisfy(\.isNumber) }
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
