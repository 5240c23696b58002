import HelixModel

/// Splits an mbox into its messages, as it is read: a line `From ` after an empty line begins the next one.
///
/// All dialects are read (RFC 4155 and what came before):
/// - One `>` is removed from lines `>From `, `>>From ` and so on, as in mboxrd.
/// - A `Content-Length` counts where it leads to the beginning of the next message or to the end (mboxcl, mboxcl2).
/// - A line `From ` with an `asctime` date begins a message. A malformed one does if a header follows it; any
///   other belongs to the text.
/// - An attached message or mailbox, as one of several parts with a closing boundary, may begin with `From `.
/// - MMDF has a line of four control characters around each message; messages are kept unchanged.
///
/// A file that begins with anything else is a single message, kept unchanged.
public struct MboxReader {
    /// The maximum size of a message in bytes.
    private static let limit = 300 << 20
    /// The maximum bytes, and lines that could begin a message, over which the parts of a message are tracked.
    private static let heldBytes = 8 << 20
    private static let heldLines = 100

    private var source: MboxSource
    /// Whether the file is a single message; nil to decide by its first line.
    private let isSingle: Bool?

    /// Creates a reader of the bytes that `chunk` returns: some per call, none at the end.
    ///
    /// - Parameter isSingle: true for a single message regardless of its content, such as a Maildir file or an `.eml`;
    ///   nil to decide by its first line.
    public init(isSingle: Bool? = nil, _ chunk: @escaping () throws -> [UInt8]) {
        self.isSingle = isSingle
        source = MboxSource(limit: Self.limit, chunk)
    }

    /// Calls `body` with each message; only one message is in memory at a time.
    /// - Throws: what `body` throws, and what the source of bytes throws; ``HelixError`` of code `badInput` for an
    ///   unsupported mailbox format.
    public mutating func read(_ body: ([UInt8]) throws -> Void) throws {
        if try source.peek(3).elementsEqual([0xEF, 0xBB, 0xBF]) { _ = try source.take(3) }
        if let kind = MboxLine.compression(try source.peek(6)) {
            throw HelixError(.badInput, "it is compressed (\(kind))", hint: "Uncompress it first.")
        }
        if isSingle == true { return try readWhole(body) }
        while let line = try source.peekLine(), MboxLine.isEmpty(line) { _ = try source.nextLine() }
        guard let first = try source.peekLine() else { return }
        if MboxLine.isMMDF(first) { return try readMMDF(body) }
        if first.starts(with: "BABYL OPTIONS:".utf8) {
            throw HelixError(
                .badInput,
                "unsupported Babyl file (Emacs RMAIL before 2009); helix reads mbox, MMDF and Maildir",
                hint: "Convert it to mbox in Emacs: M-x unrmail.")
        }
        if let mark = first.firstIndex(of: 0x0D), mark + 1 < first.endIndex, first[mark + 1] != 0x0A {
            throw HelixError(
                .badInput, "its lines end with carriage returns only, as in Mac OS 9",
                hint: "Convert them first: tr '\\r' '\\n' < FILE | helix mail import -")
        }
        guard MboxLine.isFrom(first) else { return try readWhole(body) }
        while try source.peekLine() != nil {
            let message = try readMessage()
            if !message.isEmpty { try body(message) }
        }
    }

    /// Reads a message and the `From ` line above it, up to the next one.
    private mutating func readMessage() throws -> [UInt8] {
        if let line = try source.nextLine() {
            let next = try source.peekLine()
            let isAbove =
                MboxLine.isFrom(line)
                && (MboxLine.saysWhen(line) || MboxLine.namesSender(line) || next.map(MboxLine.isHeader) ?? false)
            if !isAbove { source.unread(Array(line)) }
        }
        var message: [UInt8] = []
        var isInHead = true
        // Empty headers are allowed, but a `From ` line right below another one does not begin a message.
        var isAfterEmpty = false
        var parts: MboxParts?
        // Lines after a possible separator, held while parts of this message are incomplete.
        var held: [UInt8] = []
        var count = 0
        while let line = try source.nextLine() {
            if MboxLine.isFrom(line), try isSeparator(Array(line), isAfterEmpty: isAfterEmpty) {
                guard parts?.isInAttachedMail == true, count < Self.heldLines, held.count < Self.heldBytes else {
                    source.unread(held + line)
                    return Self.finished(message)
                }
                count += 1
                held.append(contentsOf: line)
                isAfterEmpty = false
                continue
            }
            if message.count + held.count > Self.limit {
                throw HelixError(
                    .badInput, "it contains a message of more than \(Self.limit >> 20) MB, or is not a mailbox",
                    hint: "The messages before it were imported.")
            }
            isAfterEmpty = MboxLine.isEmpty(line)
            if isInHead {
                message.append(contentsOf: line)
                guard isAfterEmpty else { continue }
                isInHead = false
                let head = MboxHead(message)
                if let length = head.length, let text = try counted(length) { return message + text }
                parts = head.boundary.map(MboxParts.init)
                continue
            }
            if count > 0 {
                held.append(contentsOf: line)
            } else {
                message.append(contentsOf: MboxLine.unquoted(line))
            }
            parts?.read(line)
            if parts?.isAtEnd == true {
                message.append(contentsOf: Self.unquoted(held))
                (parts, held, count) = (nil, [], 0)
            }
        }
        // No closing boundary: possible separators are separators.
        if !held.isEmpty { source.unread(held) }
        return Self.finished(message)
    }

    /// The text of a message with a declared length, if another message or the end follows it.
    private mutating func counted(_ length: Int) throws -> [UInt8]? {
        guard length <= Self.limit else { return nil }
        let ahead = try source.peek(length + 1000)
        guard ahead.count >= length else { return nil }
        var rest = ahead.dropFirst(length)
        let empty = rest.starts(with: [0x0D, 0x0A]) ? 2 : rest.starts(with: [0x0A]) ? 1 : 0
        rest = rest.dropFirst(empty)
        let isAfterLine = length == 0 || empty > 0 || ahead.prefix(length).last == 0x0A
        let line = rest.prefix { $0 != 0x0A }
        let isSeparator = MboxLine.isFrom(line) && (MboxLine.saysWhen(line) || MboxLine.namesSender(line))
        guard isAfterLine, rest.isEmpty || isSeparator else { return nil }
        let text = try source.take(length)
        _ = try source.take(empty)
        // mboxcl2 does not escape text lines; the other dialects escape lines that begin with `From `.
        let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
        return lines.contains(where: MboxLine.isFrom) ? Array(text) : Self.unquoted(text)
    }

    /// The lines of a text without the escapes of `From ` lines.
    private static func unquoted(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var rest = text[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            result.append(contentsOf: MboxLine.unquoted(rest[..<end]))
            rest = rest[end...]
        }
        return result
    }

    /// Calls `body` with each message of an MMDF mailbox.
    private mutating func readMMDF(_ body: ([UInt8]) throws -> Void) throws {
        var message: [UInt8] = []
        while let line = try source.nextLine() {
            if MboxLine.isMMDF(line) {
                if !message.isEmpty { try body(message) }
                message = []
            } else if !message.isEmpty || !MboxLine.isEmpty(line) && !MboxLine.isFrom(line) {
                message.append(contentsOf: line)
                if message.count > Self.limit {
                    throw HelixError(.badInput, "it contains a message of more than \(Self.limit >> 20) MB")
                }
            }
        }
        if !message.isEmpty { try body(message) }
    }

    /// Calls `body` with the whole file as one message. Programs sometimes save the `From ` line of an mbox above it,
    /// which is skipped.
    private mutating func readWhole(_ body: ([UInt8]) throws -> Void) throws {
        var message: [UInt8] = []
        while let line = try source.nextLine() {
            if message.isEmpty, MboxLine.isFrom(line), MboxLine.saysWhen(line) { continue }
            message.append(contentsOf: line)
            if message.count > Self.limit {
                throw HelixError(.badInput, "it contains a message of more than \(Self.limit >> 20) MB")
            }
        }
        if !message.isEmpty { try body(message) }
    }

    /// The message without the empty line before the next one, which belongs to the mailbox.
    private static func finished(_ message: [UInt8]) -> [UInt8] {
        if message.suffix(4) == [0x0D, 0x0A, 0x0D, 0x0A] { return Array(message.dropLast(2)) }
        return message.suffix(2) == [0x0A, 0x0A] ? Array(message.dropLast()) : message
    }

    /// Whether a line is `From sender Thu Jan  1 00:00:00 1970`, or similar.
    private mutating func isSeparator(_ line: [UInt8], isAfterEmpty: Bool) throws -> Bool {
        guard line.count < 1000 else { return false }
        let saysWhen = MboxLine.saysWhen(line)
        if isAfterEmpty, saysWhen { return true }
        // Programs omit the empty line before it, the date, or the sender; a text rarely has two header lines.
        guard saysWhen || isAfterEmpty else { return false }
        let next = try source.peek(2000).split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false).prefix(
            2)
        let count = next.prefix { MboxLine.isHeader($0) }.count
        return count == 2 || count == 1 && (saysWhen || MboxLine.namesSender(line))
    }
}
