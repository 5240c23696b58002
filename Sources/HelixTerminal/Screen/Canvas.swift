/// A canvas for reports: lines of styled text, `width` columns wide.
public struct Canvas: Sendable {
    /// The number of columns.
    public let width: Int
    /// Whether only ASCII may be drawn. Layouts can ignore it: drawing characters have replacements of the same width.
    public let isASCII: Bool
    /// Whether lines of text are cut at the width. In files and pipes they are written in full; charts keep the width there, too.
    public let isBounded: Bool
    /// The lines.
    public private(set) var lines: [StyledText] = []
    /// The maximum width of a line of text.
    public var textWidth: Int { isBounded ? width : Int.max / 4 }

    /// Creates an empty canvas.
    public init(width: Int, isASCII: Bool = false, isBounded: Bool = true) {
        self.width = width
        self.isBounded = isBounded
        self.isASCII = isASCII
    }

    /// A text, cut if lines are cut.
    public func cell(_ text: StyledText, most width: Int) -> StyledText { isBounded ? text.fitted(width) : text }

    /// Adds a line.
    public mutating func line(_ text: StyledText = StyledText()) { lines.append(text) }
    /// Adds a plain line.
    public mutating func line(_ text: String) { lines.append(StyledText(text)) }

    /// Adds paragraphs, wrapped to the width, each line after `indent` blanks.
    public mutating func paragraph(_ text: String, indent: Int = 0, style: TextStyle = .plain) {
        for line in SafeText.lines(text) {
            for piece in line.wrapped(max(10, textWidth - indent), keepsAddresses: true) {
                self.line(StyledText(String(repeating: " ", count: indent) + piece, style))
            }
        }
    }

    /// Adds pieces side by side, separated by two blanks, wrapped to the width.
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

    /// Returns the whole text, each line terminated by a line feed.
    ///
    /// - Parameter links: whether web addresses are clickable (OSC 8).
    public func rendered(color: Bool, links: Bool = false) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(lines.count * (width + 16))
        for line in lines { line.render(into: &out, color: color, ascii: isASCII, links: links) }
        return String(decoding: out, as: UTF8.self)
    }

    /// The number of lines.
    public var height: Int { lines.count }
}
