import FoundationEssentials
import Glibc
import HelixTerminal

/// Prints an answer while it is streamed; on a terminal it wraps lines between words.
struct AnswerPrinter {
    let console: Console
    let isShown: Bool
    /// The columns of the terminal; nil if the output is not a terminal, and must not be wrapped.
    let width: Int?
    private var shown = ""
    private var column = 0
    /// The blanks and the word at the end, which may be incomplete.
    private var blanks = 0
    private var word = ""

    init(_ console: Console, isShown: Bool, width: Int?) {
        self.console = console
        self.isShown = isShown
        self.width = width
    }

    mutating func show(_ text: String) {
        guard isShown, text != shown else { return }
        var added = text
        if text.utf8.starts(with: shown.utf8) {
            added = String(decoding: Array(text.utf8.dropFirst(shown.utf8.count)), as: UTF8.self)
        } else if !shown.isEmpty {
            // The answer was restarted.
            added = "\n" + text
        }
        shown = text
        guard let width else {
            _ = console.write(added)
            return
        }
        var out = ""
        for character in SafeText.lines(added).joined(separator: "\n") {
            switch character {
            case "\n":
                end(&out, width)
                out.append("\n")
                (column, blanks) = (0, 0)
            case " ":
                end(&out, width)
                blanks += 1
            default: word.append(character)
            }
        }
        _ = console.write(out)
    }

    /// Writes a complete word.
    private mutating func end(_ out: inout String, _ width: Int) {
        if word.isEmpty { return }
        let size = StyledText(word).width
        if column > 0, column + blanks + size > width {
            out.append("\n")
            (column, blanks) = (0, 0)
        }
        out += String(repeating: " ", count: blanks) + word
        column += blanks + size
        (blanks, word) = (0, "")
    }

    mutating func finish() {
        guard isShown, !shown.isEmpty else { return }
        var out = ""
        if let width { end(&out, width) }
        if !shown.hasSuffix("\n") { out.append("\n") }
        _ = console.write(out)
    }
}
