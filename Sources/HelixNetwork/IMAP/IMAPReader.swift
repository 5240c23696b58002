import HelixModel

/// Parses responses from the bytes of an IMAP stream (RFC 9051 §9), in chunks of any size. It performs no I/O.
public struct IMAPReader {
    /// A parsed item.
    public enum Output: Hashable, Sendable {
        /// A complete response.
        case response(IMAPResponse)
        /// Some bytes of a literal that is too large for memory; the response with ``IMAPValue/spilled(_:)`` follows.
        case piece([UInt8])
    }

    /// Literals above this size arrive in pieces.
    private let largest: Int
    /// The limits on the length of a line and the depth of lists.
    private static let longestLine = 64 << 20
    private static let deepest = 60

    private var buffer: [UInt8] = []
    /// The start of the current response.
    private var start = 0
    /// The end of the scanned bytes.
    private var place = 0
    /// Its literals that are complete or spilled: their start in the buffer, and their size.
    private var literals: [(start: Int, count: Int, isSpilled: Bool)] = []
    /// The remaining bytes of a spilled literal.
    private var spilling = 0

    /// - Parameter largest: literals above this size arrive in pieces.
    public init(largest: Int = 1 << 20) { self.largest = largest }

    /// Adds received bytes.
    public mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>) {
        if start > 0, start == buffer.count {
            buffer.removeAll(keepingCapacity: true)
            place -= start
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Removes and returns the bytes that were not parsed yet.
    mutating func takeRest() -> [UInt8] {
        defer { (buffer, start, place) = ([], 0, 0) }
        return Array(buffer[start...])
    }

    /// Adds received bytes.
    public mutating func feed(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { feed($0) } }

    /// The next complete response; nil until more bytes arrive.
    /// - Throws: ``HelixError`` of code `protocol` for invalid IMAP.
    public mutating func next() throws -> Output? {
        while true {
            if spilling > 0 {
                guard place < buffer.count else { return nil }
                let count = min(spilling, buffer.count - place)
                let piece = Array(buffer[place..<place + count])
                buffer.removeSubrange(place..<place + count)
                spilling -= count
                return .piece(piece)
            }
            guard let end = endOfLine() else {
                guard
                    buffer.count - start < Self.longestLine + literals.reduce(0, { $0 + ($1.isSpilled ? 0 : $1.count) })
                else { throw problem("a line that is too long") }
                return nil
            }
            if let size = literalSize(before: end) {
                let first = end + 2
                if size > largest {
                    literals.append((first, size, true))
                    spilling = size
                    place = first
                    continue
                }
                guard buffer.count >= first + size else {
                    place = end
                    return nil
                }
                literals.append((first, size, false))
                place = first + size
                continue
            }
            let response = try parse(start..<end)
            literals.removeAll(keepingCapacity: true)
            start = end + 2
            place = start
            if start > 1 << 20 {
                buffer.removeSubrange(..<start)
                (start, place) = (0, 0)
            }
            return .response(response)
        }
    }

    /// The next CRLF from `place` on.
    private mutating func endOfLine() -> Int? {
        let found = buffer.withUnsafeBufferPointer { bytes -> Int? in
            var index = place
            while index + 1 < bytes.count {
                if bytes[index] == 13, bytes[index + 1] == 10 { return index }
                index += 1
            }
            return nil
        }
        if found == nil { place = max(place, buffer.count - 1) }
        return found
    }

    /// The size in `{123}` before the end of a line.
    private func literalSize(before end: Int) -> Int? {
        guard end > start, buffer[end - 1] == UInt8(ascii: "}") else { return nil }
        var index = end - 2
        var size = 0
        var unit = 1
        if index >= start, buffer[index] == UInt8(ascii: "+") { index -= 1 }
        while index >= start, (48...57).contains(buffer[index]) {
            guard unit <= 10_000_000_000 else { return nil }
            size += Int(buffer[index] - 48) * unit
            unit *= 10
            index -= 1
        }
        guard unit > 1, index >= start, buffer[index] == UInt8(ascii: "{") else { return nil }
        return size
    }

    private func problem(_ what: String) -> HelixError {
        HelixError(.protocol, "the server sent invalid IMAP: \(what)")
    }
}

extension IMAPReader {
    private func parse(_ range: Range<Int>) throws -> IMAPResponse {
        do {
            return try buffer.withUnsafeBufferPointer { bytes in
                var scanner = Scanner(
                    bytes: bytes, place: range.lowerBound, end: range.upperBound, literals: literals[...])
                return try scanner.response()
            }
        } catch let error as HelixError where error.code == .protocol {
            // A report about a server needs the line.
            let line = String(decoding: buffer[range].prefix(160), as: UTF8.self)
            throw HelixError(error.code, "\(error.message): \(line)", hint: error.hint)
        }
    }

    /// Parses the bytes of one response.
    private struct Scanner {
        let bytes: UnsafeBufferPointer<UInt8>
        var place: Int
        let end: Int
        var literals: ArraySlice<(start: Int, count: Int, isSpilled: Bool)>

        mutating func response() throws -> IMAPResponse {
            let first = word()
            skipBlanks()
            if first == "+" { return .goOn(rest()) }
            guard !first.isEmpty else { throw problem("an empty line") }
            let tag = first == "*" ? nil : first
            var name = word().uppercased()
            if let condition = IMAPResponse.Condition(rawValue: name) {
                skipBlanks()
                var code: [IMAPValue] = []
                if peek == UInt8(ascii: "[") {
                    place += 1
                    // A code is for programs; an invalid one is ignored.
                    code = (try? values(until: UInt8(ascii: "]"), depth: 0)) ?? []
                    skipBlanks()
                }
                return .status(tag: tag, condition, code: code, text: rest())
            }
            guard tag == nil else { throw problem("'\(first.prefix(40)) \(name.prefix(40))'") }
            var number: Int?
            if let found = Int(name) {
                number = found
                skipBlanks()
                name = word().uppercased()
            }
            guard !name.isEmpty else { throw problem("data without a name") }
            let from = place
            do { return .data(number: number, name: name, try values(until: nil, depth: 0)) } catch {
                guard name == "STATUS", let repaired = withoutMailboxID(from) else { throw error }
                return try repaired.withUnsafeBufferPointer { bytes in
                    var other = Scanner(bytes: bytes, place: 0, end: bytes.count, literals: [])
                    return .data(number: number, name: name, try other.values(until: nil, depth: 0))
                }
            }
        }

        /// The values of a `STATUS` response without the id of the mailbox: Cyrus 3.6 sends bytes of its memory as the id of a
        /// mailbox below one that was renamed. Nil if there is none.
        private func withoutMailboxID(_ from: Int) -> [UInt8]? {
            let (name, next) = (Array("MAILBOXID (".utf8), Array(" HIGHESTMODSEQ ".utf8))
            func isThere(_ text: [UInt8], _ place: Int) -> Bool {
                place >= from && place + text.count <= end && bytes[place..<place + text.count].elementsEqual(text)
            }
            guard let first = (from..<end).first(where: { isThere(name, $0) }), bytes[end - 1] == UInt8(ascii: ")")
            else {
                return nil
            }
            // The last item that follows; the id may contain anything.
            let last = (first..<end).last { isThere(next, $0) } ?? end - 1
            return Array(bytes[from..<first + name.count]) + [UInt8(ascii: ")")] + Array(bytes[last..<end])
        }

        private var peek: UInt8? { place < end ? bytes[place] : nil }

        private mutating func skipBlanks() { while peek == 32 { place += 1 } }

        /// Reads up to the next blank.
        private mutating func word() -> String {
            let from = place
            while let byte = peek, byte != 32 {
                _ = byte
                place += 1
            }
            return String(decoding: bytes[from..<place], as: UTF8.self)
        }

        private mutating func rest() -> String {
            defer { place = end }
            return String(decoding: bytes[place..<end], as: UTF8.self)
        }

        private mutating func values(until close: UInt8?, depth: Int) throws -> [IMAPValue] {
            guard depth < IMAPReader.deepest else { throw problem("lists nested too deeply") }
            var values: [IMAPValue] = []
            while true {
                skipBlanks()
                guard let byte = peek else {
                    if close == nil { return values }
                    throw problem("a list that is not closed")
                }
                if byte == close {
                    place += 1
                    return values
                }
                switch byte {
                case UInt8(ascii: "("):
                    place += 1
                    values.append(.list(try self.values(until: UInt8(ascii: ")"), depth: depth + 1)))
                case UInt8(ascii: "\""): values.append(.string(try quoted()))
                case UInt8(ascii: "{"), UInt8(ascii: "~"):
                    if let literal = literal() { values.append(literal) } else { values.append(try atom(close)) }
                case UInt8(ascii: ")"): throw problem("an unexpected ')'")
                default: values.append(try atom(close))
                }
            }
        }

        private mutating func literal() -> IMAPValue? {
            // `{12}`, or `~{12}` for binary; the bytes were counted on arrival.
            var index = place
            if bytes[index] == UInt8(ascii: "~") { index += 1 }
            guard let next = literals.first, index < next.start, next.start - index < 20 else { return nil }
            var line = index
            while line < next.start, bytes[line] != 10 { line += 1 }
            guard line + 1 == next.start else { return nil }
            literals = literals.dropFirst()
            if next.isSpilled {
                place = next.start
                return .spilled(next.count)
            }
            place = next.start + next.count
            return .string(Array(bytes[next.start..<place]))
        }

        private mutating func quoted() throws -> [UInt8] {
            place += 1
            var found: [UInt8] = []
            while let byte = peek {
                place += 1
                if byte == UInt8(ascii: "\"") { return found }
                if byte == UInt8(ascii: "\\"), let next = peek {
                    found.append(next)
                    place += 1
                } else {
                    found.append(byte)
                }
            }
            throw problem("a string that is not closed")
        }

        /// Reads a word, including its brackets: `BODY[HEADER.FIELDS (MESSAGE-ID)]<0>`.
        private mutating func atom(_ close: UInt8?) throws -> IMAPValue {
            let from = place
            var depth = 0
            while let byte = peek {
                if byte == UInt8(ascii: "[") { depth += 1 }
                if depth == 0, byte == 32 || byte == close || byte == 40 || byte == 41 { break }
                if byte == UInt8(ascii: "]"), depth > 0 { depth -= 1 }
                place += 1
            }
            if place == from {
                throw problem("'\(String(decoding: bytes[from..<min(end, from + 20)], as: UTF8.self))'")
            }
            let text = String(decoding: bytes[from..<place], as: UTF8.self)
            return text.utf8.count == 3 && text.uppercased() == "NIL" ? .none : .atom(text)
        }

        private func problem(_ what: String) -> HelixError {
            HelixError(.protocol, "the server sent invalid IMAP: \(what)")
        }
    }
}
