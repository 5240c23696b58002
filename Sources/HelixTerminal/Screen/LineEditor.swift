/// A line editor for a few lines of text, with the usual keys of shells.
///
/// It works on bytes and characters, without a terminal: its input is the bytes of the keyboard, its output lines of text.
public struct LineEditor: Sendable {
    /// The request of a key, besides changes of the text.
    public enum Outcome: Hashable, Sendable {
        /// Submit the text.
        case line(String)
        /// Ctrl-C.
        case interrupt
        /// Ctrl-D on an empty line, or the end of the input.
        case end
        /// Tab: complete the text before the cursor.
        case complete
        /// Ctrl-L: redraw everything.
        case redraw
        /// Page Up: show what is before.
        case older
        /// The text was changed.
        case changed
    }

    /// The text.
    public private(set) var text: [Character] = []
    /// The position of the cursor in the text.
    public private(set) var cursor = 0
    /// Earlier lines, the oldest first.
    public var history: [String] = []
    private var place: Int?
    private var draft = ""
    private var rest: [UInt8] = []
    private var isPasting = false
    /// The time of the last bytes from the keyboard.
    private var takenAt = 0.0
    private var cut = ""
    /// The search in the history, if one is open: the typed words, and the place of the line that has them.
    private var search: (words: String, place: Int)?

    /// Creates an empty editor.
    public init() {}

    /// The text before the cursor.
    public var before: String { String(text[..<cursor]) }

    /// Replaces the last `count` characters before the cursor.
    public mutating func replace(last count: Int, with new: String) {
        text.replaceSubrange((cursor - count)..<cursor, with: Array(new))
        cursor += new.count - count
    }

    /// Adds bytes from the keyboard; ``next()`` processes them.
    ///
    /// - Parameter now: the time in seconds of a clock that does not jump. Escape alone, and what is typed after a pause, are two
    ///   keys; together they are one.
    public mutating func take(_ bytes: [UInt8], now: Double = ProgressLine.now) {
        if rest == [0x1B], now - takenAt > 0.1 { rest = [] }
        takenAt = now
        rest += bytes
    }

    /// Processes keys up to the next outcome, and returns it; nil if no complete key is left. The caller handles the outcome
    /// before the following key is processed.
    public mutating func next() -> Outcome? {
        while let (key, count) = LineEditor.key(rest) {
            rest.removeFirst(count)
            if let outcome = press(key) { return outcome }
        }
        return nil
    }

    private enum Key: Equatable {
        case sign(Character)
        case enter, newLine, tab, back, delete, left, right, up, down, home, end, wordLeft, wordRight, pageUp
        case control(UInt8)
        case pasteBegin, pasteEnd, nothing
    }

    /// The first key in bytes, and its number of bytes; nil if it is incomplete.
    private static func key(_ bytes: [UInt8]) -> (Key, Int)? {
        guard let first = bytes.first else { return nil }
        switch first {
        case 0x0D: return (.enter, 1)
        // Input typed while a command ran, with the terminal in its former mode.
        case 0x0A: return (.enter, 1)
        case 0x09: return (.tab, 1)
        case 0x7F, 0x08: return (.back, 1)
        case 0x1B: return escape(bytes)
        case 0..<0x20: return (.control(first), 1)
        default: break
        }
        let length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        // In an invalid sequence, only the first byte is skipped.
        if let wrong = bytes.prefix(length).dropFirst().firstIndex(where: { $0 & 0xC0 != 0x80 }) {
            return (.nothing, wrong)
        }
        guard bytes.count >= length else { return nil }
        let sign = String(decoding: bytes[..<length], as: UTF8.self)
        return (sign.first.map { .sign($0) } ?? .nothing, length)
    }

    private static func escape(_ bytes: [UInt8]) -> (Key, Int)? {
        guard bytes.count > 1 else { return nil }
        switch bytes[1] {
        case 0x0D, 0x0A: return (.newLine, 2)
        case UInt8(ascii: "b"): return (.wordLeft, 2)
        case UInt8(ascii: "f"): return (.wordRight, 2)
        case 0x7F: return (.control(0x17), 2)
        case UInt8(ascii: "O"):
            guard bytes.count > 2 else { return nil }
            return (letter(bytes[2]), 3)
        case UInt8(ascii: "["):
            guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
                return bytes.count > 32 ? (.nothing, bytes.count) : nil
            }
            let arguments = String(decoding: bytes[2..<end], as: UTF8.self)
            if bytes[end] == UInt8(ascii: "~") {
                let keys: [String: Key] = [
                    "1": .home, "7": .home, "4": .end, "8": .end, "3": .delete, "5": .pageUp, "200": .pasteBegin,
                    "201": .pasteEnd,
                ]
                return (keys[arguments] ?? .nothing, end + 1)
            }
            // With Ctrl or Alt, arrows move by words.
            if arguments.hasSuffix(";5") || arguments.hasSuffix(";3") {
                if bytes[end] == UInt8(ascii: "D") { return (.wordLeft, end + 1) }
                if bytes[end] == UInt8(ascii: "C") { return (.wordRight, end + 1) }
            }
            return (letter(bytes[end]), end + 1)
        // Not a sequence of a terminal: what follows is a key of its own.
        default: return (.nothing, 1)
        }
    }

    private static func letter(_ byte: UInt8) -> Key {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        default: .nothing
        }
    }

    private mutating func press(_ key: Key) -> Outcome? {
        if isPasting {
            switch key {
            case .pasteEnd: isPasting = false
            case .enter, .newLine: insert("\n")
            case .tab: insert(" ")
            case .sign(let sign): insert(sign)
            default: break
            }
            return .changed
        }
        if search != nil, let outcome = find(key) { return outcome }
        switch key {
        case .sign(let sign): insert(sign)
        case .newLine: insert("\n")
        case .enter:
            // A backslash at the end continues on another line.
            if cursor == text.count, text.last == "\\" {
                replace(last: 1, with: "\n")
                return .changed
            }
            let line = String(text)
            if !line.isEmpty, history.last != line { history.append(line) }
            set("")
            place = nil
            return .line(line)
        case .tab: return .complete
        case .back: if cursor > 0 { replace(last: 1, with: "") }
        case .delete: if cursor < text.count { text.remove(at: cursor) }
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(text.count, cursor + 1)
        case .up: if !line(up: true) { recall(-1) }
        case .down: if !line(up: false) { recall(1) }
        case .home: cursor = lineStart
        case .end: cursor = lineEnd
        case .wordLeft: cursor = wordStart
        case .wordRight: cursor = wordEnd
        case .pageUp: return .older
        case .pasteBegin: isPasting = true
        case .control(let byte): return control(byte)
        case .pasteEnd, .nothing: return nil
        }
        return .changed
    }

    private mutating func control(_ byte: UInt8) -> Outcome? {
        switch byte {
        case 0x01: cursor = lineStart
        case 0x02: cursor = max(0, cursor - 1)
        case 0x03: return .interrupt
        case 0x04:
            if text.isEmpty { return .end }
            if cursor < text.count { text.remove(at: cursor) }
        case 0x05: cursor = lineEnd
        case 0x06: cursor = min(text.count, cursor + 1)
        case 0x0B: remove(cursor..<lineEnd)
        case 0x0C: return .redraw
        case 0x0E: recall(1)
        case 0x10: recall(-1)
        case 0x12:
            draft = String(text)
            search = ("", history.count)
        case 0x15: remove(lineStart..<cursor)
        case 0x17: remove(wordStart..<cursor)
        case 0x19: for sign in cut { insert(sign) }
        default: return nil
        }
        return .changed
    }

    private mutating func insert(_ sign: Character) {
        // A combining mark joins the character before it.
        if cursor > 0, let joined = LineEditor.joined(text[cursor - 1], sign) {
            text[cursor - 1] = joined
            return
        }
        text.insert(sign, at: cursor)
        cursor += 1
    }

    private static func joined(_ one: Character, _ other: Character) -> Character? {
        let both = String(one) + String(other)
        return both.count == 1 ? both.first : nil
    }

    private mutating func remove(_ range: Range<Int>) {
        if range.isEmpty { return }
        cut = String(text[range])
        text.removeSubrange(range)
        cursor = range.lowerBound
    }

    private mutating func set(_ new: String) {
        text = Array(new)
        cursor = text.count
    }

    /// Deletes the text.
    public mutating func clear() {
        set("")
        place = nil
        search = nil
    }

    /// The words that are searched in the history; nil if none is open.
    public var searched: String? { search?.words }

    /// Handles a key during a search in the history; nil if the key ends it, and is then handled as usual.
    private mutating func find(_ key: Key) -> Outcome? {
        guard var now = search else { return nil }
        switch key {
        case .sign(let sign):
            now.words.append(sign)
            now.place = min(now.place + 1, history.count)
        case .back:
            if !now.words.isEmpty { now.words.removeLast() }
            now.place = history.count
        case .control(0x12): break
        case .enter:
            // An old line is sent by a second Enter, once it was seen.
            search = nil
            return .changed
        case .control(0x07), .control(0x03):
            search = nil
            set(draft)
            return .changed
        case .nothing: return .changed
        default:
            search = nil
            return nil
        }
        let wanted = now.words.lowercased()
        if let found = history[..<now.place].lastIndex(where: { $0.lowercased().contains(wanted) }), !wanted.isEmpty {
            now.place = found
            set(history[found])
        }
        search = now
        return .changed
    }

    private var lineStart: Int { text[..<cursor].lastIndex(of: "\n").map { $0 + 1 } ?? 0 }
    private var lineEnd: Int { text[cursor...].firstIndex(of: "\n") ?? text.count }

    private var wordStart: Int {
        var at = cursor
        while at > 0, text[at - 1].isWhitespace { at -= 1 }
        while at > 0, !text[at - 1].isWhitespace { at -= 1 }
        return at
    }

    private var wordEnd: Int {
        var at = cursor
        while at < text.count, text[at].isWhitespace { at += 1 }
        while at < text.count, !text[at].isWhitespace { at += 1 }
        return at
    }

    /// Moves to the line above or below, if there is one.
    private mutating func line(up: Bool) -> Bool {
        let column = cursor - lineStart
        if up {
            guard lineStart > 0 else { return false }
            let end = lineStart - 1
            let start = text[..<end].lastIndex(of: "\n").map { $0 + 1 } ?? 0
            cursor = min(start + column, end)
        } else {
            guard lineEnd < text.count else { return false }
            let start = lineEnd + 1
            let end = text[start...].firstIndex(of: "\n") ?? text.count
            cursor = min(start + column, end)
        }
        return true
    }

    private mutating func recall(_ step: Int) {
        let now = place ?? history.count
        let next = now + step
        guard (0...history.count).contains(next) else { return }
        if place == nil { draft = String(text) }
        place = next == history.count ? nil : next
        set(place.map { history[$0] } ?? draft)
    }

    /// Lays out the text on a terminal after a prompt, and returns the rows, and the row and column of the cursor.
    /// - Parameters:
    ///   - prompt: the width of the prompt before the first row; the other rows are indented by as much.
    ///   - width: the columns of the terminal.
    public func rows(behind prompt: Int, width: Int) -> (rows: [String], row: Int, column: Int) {
        let room = max(4, width - prompt - 1)
        var rows = [""]
        var (used, row, column) = (0, 0, 0)
        for (at, sign) in text.enumerated() {
            if at == cursor { (row, column) = (rows.count - 1, used) }
            if sign == "\n" {
                rows.append("")
                used = 0
                continue
            }
            let signWidth = max(1, TextWidth.of(sign))
            if used + signWidth > room {
                rows.append("")
                used = 0
                if at == cursor { (row, column) = (rows.count - 1, 0) }
            }
            rows[rows.count - 1] += SafeText.line(String(sign))
            used += signWidth
        }
        if cursor == text.count { (row, column) = (rows.count - 1, used) }
        return (rows, row, prompt + column)
    }
}
