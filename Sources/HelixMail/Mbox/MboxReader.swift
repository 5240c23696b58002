import HelixModel

/// Splits an mbox into its messages, as it is read: a line `From ` after an empty line begins the next one.
///
/// All dialects are read (RFC 4155 and what came before):
/// - One `>` is taken off lines `>From `, `>>From ` and so on, as mboxrd has them.
/// - A `Content-Length` counts where it leads to the beginning of the next message or to the end (mboxcl, mboxcl2).
/// - A line `From ` with a date as `asctime` writes it begins a message. A broken one does where a header follows it; any
///   other belongs to a text.
/// - A mail or a mailbox that is attached, as one of several parts that have an end, may begin with `From `.
/// - MMDF has a line of four control characters around each message, and nothing in them is changed.
///
/// A file that begins with anything else is one message, of which no byte is changed.
public struct MboxReader {
    /// No message is larger, in bytes.
    private static let limit = 300 << 20
    /// Parts of a message are followed over so many bytes, and so many lines that could begin a message.
    private static let heldBytes = 8 << 20
    private static let heldLines = 100

    private var source: MboxSource
    /// Whether the whole is one message, nil to go by its first line.
    private let isSingle: Bool?

    /// Reads what `chunk` gives: some bytes a call, none at the end.
    ///
    /// - Parameter isSingle: true for what is one message whatever it looks like, such as a file of a Maildir or an `.eml`;
    ///   nil to go by its first line.
    public init(isSingle: Bool? = nil, _ chunk: @escaping () throws -> [UInt8]) {
        self.isSingle = isSingle
        source = MboxSource(limit: Self.limit, chunk)
    }

    /// Gives each message to `body`; the bytes of each are in memory, the others are not.
    /// - Throws: what `body` throws, and what the source of bytes throws; ``HelixError`` of code `badInput` for what is no
    ///   mailbox that helix reads.
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
                "this is a Babyl file, as Emacs's RMAIL kept mail before 2009; helix reads mbox, MMDF, Maildir",
                hint: "Emacs makes an mbox of it: M-x unrmail.")
        }
        if let mark = first.firstIndex(of: 0x0D), mark + 1 < first.endIndex, first[mark + 1] != 0x0A {
            throw HelixError(
                .badInput, "its lines end with carriage returns alone, as Mac OS 9 wrote them",
                hint: "Change them first: tr '\\r' '\\n' < FILE | helix mail import -")
        }
        guard MboxLine.isFrom(first) else { return try readWhole(body) }
        while try source.peekLine() != nil {
            let message = try readMessage()
            if !message.isEmpty { try body(message) }
        }
    }

    /// Reads a message with the line above it, up to the next one.
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
        // An empty head is a head, but a line `From ` right below another one begins no message.
        var isAfterEmpty = false
        var parts: MboxParts?
        // Lines from one on that could begin a message, while parts of this one are still to come.
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
                    .badInput, "there is a message of more than \(Self.limit >> 20) MB in it, or none at all",
                    hint: "What came before it was taken.")
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
        // The parts have no end: what could begin a message does.
        if !held.isEmpty { source.unread(held) }
        return Self.finished(message)
    }

    /// The text of a message whose header tells its length, if another message or the end follows it.
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
        // mboxcl2 changes no line of a text; the others do not leave one as it is that begins with `From `.
        let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
        return lines.contains(where: MboxLine.isFrom) ? Array(text) : Self.unquoted(text)
    }

    /// The lines of a text without what keeps them from being taken for the beginning of a message.
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

    /// Gives what lies between the lines of MMDF.
    private mutating func readMMDF(_ body: ([UInt8]) throws -> Void) throws {
        var message: [UInt8] = []
        while let line = try source.nextLine() {
            if MboxLine.isMMDF(line) {
                if !message.isEmpty { try body(message) }
                message = []
            } else if !message.isEmpty || !MboxLine.isEmpty(line) && !MboxLine.isFrom(line) {
                message.append(contentsOf: line)
                if message.count > Self.limit {
                    throw HelixError(.badInput, "there is a message of more than \(Self.limit >> 20) MB in it")
                }
            }
        }
        if !message.isEmpty { try body(message) }
    }

    /// Gives all there is to `body` as one message. Programs that save one put the mbox's line above it at times; that is
    /// no part of it.
    private mutating func readWhole(_ body: ([UInt8]) throws -> Void) throws {
        var message: [UInt8] = []
        while let line = try source.nextLine() {
            if message.isEmpty, MboxLine.isFrom(line), MboxLine.saysWhen(line) { continue }
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
        let saysWhen = MboxLine.saysWhen(line)
        if isAfterEmpty, saysWhen { return true }
        // Programs forget the empty line before it, the date in it, or the sender; a text has hardly two lines of a header.
        guard saysWhen || isAfterEmpty else { return false }
        let next = try source.peek(2000).split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false).prefix(
            2)
        let count = next.prefix { MboxLine.isHeader($0) }.count
        return count == 2 || count == 1 && (saysWhen || MboxLine.namesSender(line))
    }
}
