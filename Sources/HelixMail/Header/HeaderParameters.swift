/// The value of a structured header and its parameters: `text/plain; charset=utf-8`, with continuations and character
/// sets (RFC 2231), and with the encoded words that many programs write instead.
public struct HeaderParameters: Hashable, Sendable {
    /// The value before the first semicolon, in lower case.
    public var value: String
    /// The parameters, with names in lower case; of several with one name, the first counts.
    public var parameters: [(name: String, value: String)] = []

    /// Whether two have the same value and parameters.
    public static func == (a: Self, b: Self) -> Bool {
        a.value == b.value && a.parameters.elementsEqual(b.parameters) { $0 == $1 }
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }

    /// A parameter's value.
    public subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// A segment of a parameter, as written.
    private struct Segment {
        var number: Int
        var isEncoded: Bool
        var bytes: [UInt8]
    }

    /// Parses a raw value; unreadable parts are skipped.
    public init(_ raw: some Collection<UInt8>) {
        var scanner = Scanner(bytes: EncodedWord.unfolded(raw))
        value = String(decoding: scanner.token(until: [UInt8(ascii: ";")]), as: UTF8.self)
            .lowercased().filter { !$0.isWhitespace }
        var order: [String] = []
        var segments: [String: [Segment]] = [:]
        while scanner.skip(UInt8(ascii: ";")) {
            var name = String(
                decoding: scanner.token(until: [UInt8(ascii: "="), UInt8(ascii: ";")]), as: UTF8.self
            ).lowercased().filter { !$0.isWhitespace }
            guard scanner.skip(UInt8(ascii: "=")) else { continue }
            let bytes = scanner.parameterValue()
            var isEncoded = false
            if name.hasSuffix("*") {
                isEncoded = true
                name.removeLast()
            }
            var number = 0
            if let star = name.lastIndex(of: "*"), let found = Int(name[name.index(after: star)...]), found < 10_000 {
                number = found
                name = String(name[..<star])
            }
            if name.isEmpty { continue }
            if segments[name] == nil { order.append(name) }
            // A duplicate name: the first counts, unless the second has the extended form.
            if number == 0, segments[name, default: []].contains(where: { $0.number == 0 && $0.isEncoded == isEncoded })
            {
                continue
            }
            segments[name, default: []].append(Segment(number: number, isEncoded: isEncoded, bytes: bytes))
        }
        for name in order {
            var list = segments[name, default: []]
            if list.contains(where: \.isEncoded), list.contains(where: { $0.number == 0 && $0.isEncoded }) {
                // 'name*=' besides 'name=': the extended form takes precedence.
                list.removeAll { $0.number == 0 && !$0.isEncoded }
            }
            parameters.append((name, Self.joined(list.sorted { $0.number < $1.number })))
        }
    }

    private static func joined(_ segments: [Segment]) -> String {
        guard let first = segments.first else { return "" }
        if !segments.contains(where: \.isEncoded) {
            let bytes = segments.flatMap(\.bytes)
            return EncodedWord.contains(bytes) ? EncodedWord.text(bytes) : Charset.guess(bytes)
        }
        var charset: String?
        var bytes: [UInt8] = []
        for segment in segments {
            var content = segment.bytes[...]
            if segment.isEncoded, segment.number == first.number {
                // charset'language'text
                let parts = content.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
                if parts.count == 3 {
                    charset = String(decoding: parts[0], as: UTF8.self)
                    content = parts[2]
                }
            }
            bytes += segment.isEncoded ? percentDecoded(content) : Array(content)
        }
        return Charset.text(bytes, charset: charset.flatMap { $0.isEmpty ? nil : $0 })
    }

    private static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        var place = bytes.startIndex
        while place < bytes.endIndex {
            if bytes[place] == UInt8(ascii: "%"), place + 2 < bytes.endIndex,
                let value = hexadecimal(bytes[place + 1], bytes[place + 2])
            {
                out.append(value)
                place += 3
            } else {
                out.append(bytes[place])
                place += 1
            }
        }
        return out
    }
}

/// A scanner of structured headers that skips comments.
private struct Scanner {
    let bytes: [UInt8]
    var place = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func skip(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard place < bytes.count, bytes[place] == byte else { return false }
        place += 1
        return true
    }

    mutating func skipBlanks() {
        while place < bytes.count {
            switch bytes[place] {
            case 0x20, 0x09: place += 1
            case UInt8(ascii: "("): skipComment()
            default: return
            }
        }
    }

    private mutating func skipComment() {
        var depth = 0
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\\"): place += 1
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            default: break
            }
            place += 1
            if depth == 0 { return }
        }
    }

    mutating func token(until ends: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        while place < bytes.count, !ends.contains(bytes[place]) {
            if bytes[place] == UInt8(ascii: "(") {
                skipComment()
            } else if bytes[place] == UInt8(ascii: "\"") {
                out += quoted()
            } else {
                out.append(bytes[place])
                place += 1
            }
        }
        place = min(place, bytes.count)
        return out
    }

    mutating func parameterValue() -> [UInt8] {
        skipBlanks()
        guard place < bytes.count else { return [] }
        if bytes[place] == UInt8(ascii: "\"") {
            let text = quoted()
            // Ignore everything between the closing quote and the semicolon.
            _ = token(until: [UInt8(ascii: ";")])
            return text
        }
        var out: [UInt8] = []
        while place < bytes.count, bytes[place] != UInt8(ascii: ";") {
            // A parenthesis at the start or after a blank begins a comment; within a name it is part of it.
            if bytes[place] == UInt8(ascii: "("), out.isEmpty || out.last == 0x20 || out.last == 0x09 {
                skipComment()
                continue
            }
            out.append(bytes[place])
            place += 1
        }
        while let last = out.last, last == 0x20 || last == 0x09 { out.removeLast() }
        return out
    }

    private mutating func quoted() -> [UInt8] {
        place += 1
        var out: [UInt8] = []
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            if bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count {
                // Windows paths have unescaped backslashes.
                let next = bytes[place + 1]
                if next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\") { place += 1 }
            }
            out.append(bytes[place])
            place += 1
        }
        place += 1
        return out
    }
}
