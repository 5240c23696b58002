/// What a report draws on: lines of styled text, `width` columns wide.
public struct Canvas: Sendable {
    /// The columns there are.
    public let width: Int
    /// Whether only ASCII may be drawn. Layouts need not care: drawing characters have stand-ins of the same width.
    public let isASCII: Bool
    /// Whether lines of text end at the width. Into files and pipes they are written whole; pictures have their width there, too.
    public let isBounded: Bool
    private(set) var lines: [StyledText] = []
    /// The columns that a line of text may have.
    public var textWidth: Int { isBounded ? width : Int.max / 4 }

    /// An empty canvas.
    public init(width: Int, isASCII: Bool = false, isBounded: Bool = true) {
        self.width = width
        self.isBounded = isBounded
        self.isASCII = isASCII
    }

    /// A text that is cut where lines are.
    public func cell(_ text: StyledText, most width: Int) -> StyledText { isBounded ? text.fitted(width) : text }

    /// Adds a line.
    public mutating func line(_ text: StyledText = StyledText()) { lines.append(text) }
    /// Adds a plain line.
    public mutating func line(_ text: String) { lines.append(StyledText(text)) }

    /// Adds paragraphs, broken to the width, each line after `indent` blanks.
    public mutating func paragraph(_ text: String, indent: Int = 0, style: TextStyle = .plain) {
        for line in SafeText.lines(text) {
            for piece in line.wrapped(max(10, textWidth - indent), keepsAddresses: true) {
                self.line(StyledText(String(repeating: " ", count: indent) + piece, style))
            }
        }
    }

    /// Adds pieces beside each other, with two blanks between them, and on the next line where there is no room.
    public mutating func flow(_ pieces: [StyledText]) {
        var line = StyledText()
        for piece in pieces where piece.width > 0 {
            if line.width > 0, line.width + 2 + piece.width > width {
                self.line(line)
                line = StyledText()
            }
            if line.width > 0 { line.append("  ") }
            line = line + piece
        }
        if line.width > 0 { self.line(line.fitted(textWidth)) }
    }

    /// The whole text, each line ended by a line feed.
    ///
    /// - Parameter links: whether addresses of the web can be clicked at (OSC 8).
    public func rendered(color: Bool, links: Bool = false) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(lines.count * (width + 16))
        for line in lines { line.render(into: &out, color: color, ascii: isASCII, links: links) }
        return String(decoding: out, as: UTF8.self)
    }

    /// How many lines there are.
    public var height: Int { lines.count }
}
