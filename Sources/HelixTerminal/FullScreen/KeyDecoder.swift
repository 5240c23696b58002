/// Decodes the bytes of a terminal into keys, mouse events and pastes.
///
/// Sequences that it does not know are skipped whole, so that no rest of them is taken for keys.
public struct KeyDecoder: Sendable {
    private var rest: [UInt8] = []
    private var pasted: [UInt8]?
    /// The replies of the terminal to questions about images, whole; cleared by the reader.
    public var replies: [UInt8] = []

    /// Creates a decoder.
    public init() {}

    /// Whether the last bytes may be the beginning of a sequence.
    public var isPending: Bool { !rest.isEmpty && pasted == nil }

    /// Adds bytes.
    /// - Returns: the complete events.
    public mutating func take(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        rest += bytes
        var events: [InputEvent] = []
        while let (event, count) = next() {
            rest.removeFirst(count)
            if let event { events.append(event) }
        }
        return events
    }

    /// Ends the wait for the rest of a sequence: an Escape is then a key of its own.
    public mutating func flush() -> [InputEvent] {
        guard isPending else { return [] }
        let bytes = rest
        rest = []
        if bytes.first == 0x1B {
            let events: [InputEvent] = [.key("esc", [0x1B])]
            return bytes.count == 1 ? events : events + KeyDecoder.simple(bytes.dropFirst())
        }
        return KeyDecoder.simple(bytes[...])
    }

    private static func simple(_ bytes: ArraySlice<UInt8>) -> [InputEvent] {
        String(decoding: bytes, as: UTF8.self).compactMap { character in
            character.isLetter || character.isNumber || character.isPunctuation || character.isSymbol
                ? .key(Key(String(character)), Array(String(character).utf8)) : nil
        }
    }

    /// The next event, and its number of bytes; nil if it is incomplete. An event of nil is skipped.
    private mutating func next() -> (InputEvent?, Int)? {
        if pasted != nil { return paste() }
        guard let first = rest.first else { return nil }
        if first == 0x1B { return escape() }
        if let name = KeyDecoder.control(first) { return (.key(Key(name), [first]), 1) }
        let length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        // The first byte of an invalid sequence is skipped.
        if first >= 0x80 && first < 0xC0 || first >= 0xF8 { return (nil, 1) }
        if rest.prefix(length).dropFirst().contains(where: { $0 & 0xC0 != 0x80 }) { return (nil, 1) }
        guard rest.count >= length else { return nil }
        let bytes = Array(rest[..<length])
        let text = String(decoding: bytes, as: UTF8.self)
        return (.key(Key(text == " " ? "space" : text), bytes), length)
    }

    /// The name of the key that sends a control character.
    private static func control(_ byte: UInt8) -> String? {
        switch byte {
        case 0x0D, 0x0A: "enter"
        case 0x09: "tab"
        case 0x7F, 0x08: "backspace"
        case 0x00: "ctrl-space"
        case 0x01...0x1A: "ctrl-" + String(UnicodeScalar(byte + 0x60))
        case 0x1C...0x1F: "ctrl-" + String(UnicodeScalar(byte + 0x40))
        default: nil
        }
    }

    private mutating func escape() -> (InputEvent?, Int)? {
        guard rest.count > 1 else { return nil }
        switch rest[1] {
        case UInt8(ascii: "["): return sequence()
        case UInt8(ascii: "O"):
            guard rest.count > 2 else { return nil }
            return (KeyDecoder.letter(rest[2]).map { .key(Key($0), Array(rest[..<3])) }, 3)
        // Replies of the terminal: strings up to a bell or ESC \.
        case UInt8(ascii: "]"), UInt8(ascii: "_"), UInt8(ascii: "P"), UInt8(ascii: "^"): return reply()
        case 0x1B: return (.key("esc", [0x1B]), 1)
        default:
            if let name = KeyDecoder.control(rest[1]) { return (.key(Key("alt-" + name), Array(rest[..<2])), 2) }
            guard rest[1] < 0x80 else { return (.key("esc", [0x1B]), 1) }
            return (.key(Key("alt-" + String(UnicodeScalar(rest[1]))), Array(rest[..<2])), 2)
        }
    }

    private mutating func reply() -> (InputEvent?, Int)? {
        for place in rest.indices.dropFirst(2) {
            let isEnd = rest[place] == 0x07 || rest[place] == 0x5C && rest[place - 1] == 0x1B
            if isEnd {
                replies += rest[...place]
                return (nil, place + 1)
            }
        }
        return rest.count > KeyDecoder.replyLimit ? (nil, rest.count) : nil
    }

    /// The length of a reply in bytes after which it is given up.
    private static let replyLimit = 4096

    /// A sequence that begins with ESC [.
    private mutating func sequence() -> (InputEvent?, Int)? {
        guard let end = rest.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
            return rest.count > 64 ? (nil, rest.count) : nil
        }
        let count = end + 1
        let text = String(decoding: rest[2..<end], as: UTF8.self)
        if text.first == "?", rest[end] == UInt8(ascii: "c") {
            replies += rest[...end]
            return (nil, count)
        }
        if text.first == "<" { return (mouse(text.dropFirst(), isRelease: rest[end] == UInt8(ascii: "m")), count) }
        let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map {
            Int($0.prefix { $0 != ":" }) ?? 0
        }
        let bytes = Array(rest[..<count])
        func key(_ name: String?, _ modifiers: Int) -> (InputEvent?, Int) {
            (name.map { .key(KeyDecoder.key($0, modifiers), bytes) }, count)
        }
        switch rest[end] {
        case UInt8(ascii: "~"):
            if numbers.first == 200 {
                pasted = []
                return (nil, count)
            }
            // The form of xterm for keys with modifiers: 27;MODIFIERS;CODE~.
            if numbers.first == 27, numbers.count == 3 { return key(KeyDecoder.typed(numbers[2]), numbers[1]) }
            return key(KeyDecoder.numbered[numbers.first ?? 0], numbers.dropFirst().first ?? 1)
        case UInt8(ascii: "u"): return key(KeyDecoder.typed(numbers.first ?? 0), numbers.dropFirst().first ?? 1)
        case UInt8(ascii: "Z"): return key("tab", 2)
        case UInt8(ascii: "M") where text.isEmpty:
            // The old form of the mouse: three bytes follow.
            return rest.count >= count + 3 ? (nil, count + 3) : nil
        default:
            // A report of the cursor looks like F3 with modifiers, of which there are eight.
            let isReport = rest[end] == UInt8(ascii: "R") && (numbers.first ?? 1 > 1 || numbers.last ?? 1 > 8)
            return isReport ? (nil, count) : key(KeyDecoder.letter(rest[end]), numbers.dropFirst().first ?? 1)
        }
    }

    private func mouse(_ text: Substring, isRelease: Bool) -> InputEvent? {
        let numbers = text.split(separator: ";").compactMap { Int($0) }
        guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
        let (x, y) = (numbers[1] - 1, numbers[2] - 1)
        switch numbers[0] & ~0x1C {
        case 64: return .mouse(MouseEvent(.wheelUp, x: x, y: y))
        case 65: return .mouse(MouseEvent(.wheelDown, x: x, y: y))
        case 0: return .mouse(MouseEvent(isRelease ? .release : .press, x: x, y: y))
        case 32: return .mouse(MouseEvent(.drag, x: x, y: y))
        default: return nil
        }
    }

    /// Collects a paste up to its end mark.
    private mutating func paste() -> (InputEvent?, Int)? {
        let end: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]
        if let place = rest.indices.first(where: { rest[$0...].starts(with: end) }) {
            let text = String(decoding: (pasted ?? []) + rest[..<place], as: UTF8.self)
            pasted = nil
            return (.paste(text), place + end.count)
        }
        // The end mark may be cut by the read.
        let sure = max(0, rest.count - end.count)
        guard sure > 0 else { return nil }
        pasted? += rest[..<sure]
        return (nil, sure)
    }

    /// The key with modifiers: 1, and 1 for Shift, 2 for Alt, 4 for Ctrl.
    private static func key(_ name: String, _ modifiers: Int) -> Key {
        let bits = max(0, modifiers - 1)
        var shown = name
        if bits & 1 != 0, name.count > 1 { shown = "shift-" + shown }
        if bits & 2 != 0 { shown = "alt-" + shown }
        if bits & 4 != 0 { shown = "ctrl-" + shown }
        return Key(shown)
    }

    /// The name of the key with a code point.
    private static func typed(_ code: Int) -> String? {
        switch code {
        case 13: "enter"
        case 9: "tab"
        case 27: "esc"
        case 32: "space"
        case 127, 8: "backspace"
        default: UInt32(exactly: code).flatMap(UnicodeScalar.init).map { String(Character($0)) }
        }
    }

    private static let numbered: [Int: String] = [
        1: "home", 2: "insert", 3: "delete", 4: "end", 5: "pageup", 6: "pagedown", 7: "home", 8: "end", 11: "f1",
        12: "f2", 13: "f3", 14: "f4", 15: "f5", 17: "f6", 18: "f7", 19: "f8", 20: "f9", 21: "f10", 23: "f11",
        24: "f12",
    ]

    private static func letter(_ byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "A"): "up"
        case UInt8(ascii: "B"): "down"
        case UInt8(ascii: "C"): "right"
        case UInt8(ascii: "D"): "left"
        case UInt8(ascii: "H"): "home"
        case UInt8(ascii: "F"): "end"
        case UInt8(ascii: "M"): "enter"
        case UInt8(ascii: "P"): "f1"
        case UInt8(ascii: "Q"): "f2"
        case UInt8(ascii: "R"): "f3"
        case UInt8(ascii: "S"): "f4"
        default: nil
        }
    }
}
