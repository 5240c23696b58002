import HelixModel
import HelixTerminal

/// A text over the screen: the output of a command, or help.
struct UIOverlay: Sendable {
    /// The title: the command.
    let title: String
    var text: UIText
    /// The command whose output it is, which is read again when the store changes; nil if it stays as it was.
    var source: UICall?
    /// The generation of the data that it shows.
    var generation = 0

    init(_ title: String, _ lines: [StyledText]) {
        self.title = title
        text = UIText(lines: lines)
    }

    /// Draws the text over the screen.
    func draw(on frame: inout ScreenFrame, in area: ScreenArea) {
        for y in area.y..<(area.y + area.height) {
            frame.grid.put(String(repeating: " ", count: area.width), x: area.x, y: y)
        }
        var head = StyledText(title, .bold)
        head.append("  \(text.position)", .dim)
        frame.grid.put(head, x: area.x + 1, y: area.y, limit: area.width - 2)
        frame.grid.put(
            text.shown, in: ScreenArea(x: area.x + 1, y: area.y + 1, width: area.width - 1, height: area.height - 1))
    }
}

extension StyledText {
    /// The lines of helix's own output with its escape sequences; all others are removed.
    static func lines(ofOutput text: String) -> [StyledText] {
        var lines: [StyledText] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var styled = StyledText()
            var style = TextStyle.plain
            var rest = line
            while let start = rest.firstRange(of: "\u{1B}[") {
                styled.append(rest[..<start.lowerBound], style)
                let tail = rest[start.upperBound...]
                guard let end = tail.firstIndex(of: "m"), tail[..<end].allSatisfy({ $0.isNumber || $0 == ";" }) else {
                    rest = tail
                    continue
                }
                style.take(codes: tail[..<end].split(separator: ";").compactMap { Int($0) })
                rest = tail[tail.index(after: end)...]
            }
            styled.append(rest, style)
            lines.append(styled)
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}

extension StyledText {
    /// The line without the blanks before it.
    var unindented: StyledText {
        var text = StyledText()
        for piece in pieces {
            text.append(text.isEmpty ? Substring(piece.text.drop { $0 == " " }) : piece.text[...], piece.style)
        }
        return text
    }

    /// The line of a rehearsal without its verb and the identity that the item would have.
    var withoutVerb: StyledText {
        let verbs: Set<String> = ["Added", "added", "Moved", "moved", "Copied", "changed", "Changed", "would"]
        var text = StyledText()
        var isHead = true
        for piece in pieces {
            let words = piece.text.trimmingBlanks()
            let isID =
                (4...6).contains(words.count) && words.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber) }
            let first = words.split(separator: " ").first.map(String.init) ?? ""
            let isVerb = verbs.contains(words) || words.hasPrefix("would be ")
            if isHead, words.isEmpty || isID && piece.style.isDim || isVerb { continue }
            if isHead, verbs.contains(first) {
                // 'Added x7k2' in one piece.
                let rest = words.split(separator: " ", maxSplits: 2).dropFirst(2).joined(separator: " ")
                if rest.isEmpty { continue }
                text.append(rest, piece.style)
            } else {
                text.append(piece.text, piece.style)
            }
            isHead = false
        }
        return text
    }
}

extension TextStyle {
    /// Takes the codes of an escape sequence that helix itself wrote.
    fileprivate mutating func take(codes: [Int]) {
        if codes.starts(with: [38, 5]) {
            color = .orange
            return
        }
        for code in codes {
            switch code {
            case 0: self = .plain
            case 1: isBold = true
            case 2: isDim = true
            case 4: isUnderlined = true
            case 7: isReversed = true
            case 9: isStruck = true
            case 31...36: color = TerminalColor(rawValue: code - 30)
            case 90: color = .gray
            default: break
            }
        }
        if codes.isEmpty { self = .plain }
    }
}
