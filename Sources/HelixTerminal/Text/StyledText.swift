/// A colour of the terminal's own palette, so that it suits light and dark backgrounds.
public enum TerminalColor: Int, Hashable, Sendable {
    case red = 1
    case green = 2
    case yellow = 3
    case blue = 4
    case magenta = 5
    case cyan = 6
    case gray = 8
    case orange = 9
}

/// How text looks.
public struct TextStyle: Hashable, Sendable {
    /// The colour; nil is the terminal's own.
    public var color: TerminalColor?
    /// Bold.
    public var isBold = false
    /// Fainter than other text.
    public var isDim = false
    /// Struck through.
    public var isStruck = false
    /// Foreground and background exchanged.
    public var isReversed = false
    /// Underlined.
    public var isUnderlined = false

    /// A style.
    public init(
        _ color: TerminalColor? = nil, bold: Bool = false, dim: Bool = false, struck: Bool = false,
        reversed: Bool = false, underlined: Bool = false
    ) {
        self.color = color
        isBold = bold
        isDim = dim
        isStruck = struck
        isReversed = reversed
        isUnderlined = underlined
    }

    /// As the terminal's default.
    public static let plain = TextStyle()
    /// Fainter than other text.
    public static let dim = TextStyle(dim: true)
    /// Bold.
    public static let bold = TextStyle(bold: true)

    /// The escape sequence that sets the style, from the default.
    var sequence: String {
        var codes: [String] = []
        if isBold { codes.append("1") }
        if isDim { codes.append("2") }
        if isUnderlined { codes.append("4") }
        if isReversed { codes.append("7") }
        if isStruck { codes.append("9") }
        switch color {
        case .gray?: codes.append("90")
        case .orange?: codes.append("38;5;208")
        case let color?: codes.append("\(30 + color.rawValue)")
        case nil: break
        }
        return codes.isEmpty ? "" : "\u{1B}[\(codes.joined(separator: ";"))m"
    }
}

/// One line of text in styles. Whatever is put in is made harmless first: escape sequences come from styles only.
public struct StyledText: Hashable, Sendable, ExpressibleByStringInterpolation {
    struct Run: Hashable, Sendable {
        var text: String
        var style: TextStyle
    }
    var runs: [Run] = []

    /// An empty line.
    public init() {}

    /// `text` in one style.
    public init(_ text: some StringProtocol, _ style: TextStyle = .plain) { append(text, style) }

    /// Plain text.
    public init(stringLiteral value: String) { append(value) }

    /// Adds text at the end.
    public mutating func append(_ text: some StringProtocol, _ style: TextStyle = .plain) {
        if !text.isEmpty { runs.append(Run(text: SafeText.line(text), style: style)) }
    }

    /// Adds styled text at the end.
    public mutating func append(_ other: StyledText) { runs += other.runs }

    /// The two, one after the other.
    public static func + (a: StyledText, b: StyledText) -> StyledText {
        var sum = a
        sum.append(b)
        return sum
    }

    /// Whether there is nothing in it, not even a blank.
    public var isEmpty: Bool { runs.isEmpty }
    /// The columns.
    public var width: Int { runs.reduce(0) { $0 + TextWidth.of($1.text) } }
    /// How its beginning looks.
    public var firstStyle: TextStyle { runs.first?.style ?? .plain }
    /// The text without styles.
    public var plain: String { runs.map(\.text).joined() }

    /// The text cut or filled with blanks to exactly `width` columns.
    public func padded(_ width: Int, right: Bool = false) -> StyledText {
        let missing = width - self.width
        if missing == 0 { return self }
        if missing > 0 {
            let blanks = StyledText(String(repeating: " ", count: missing))
            return right ? blanks + self : self + blanks
        }
        return fitted(width).padded(width, right: right)
    }

    /// The text cut to `width` columns.
    public func fitted(_ width: Int) -> StyledText {
        guard self.width > width else { return self }
        var cut = StyledText()
        var rest = width
        for run in runs {
            let length = TextWidth.of(run.text)
            if length < rest {
                cut.runs.append(run)
                rest -= length
            } else {
                cut.append((run.text + " ").fitted(rest), run.style)
                break
            }
        }
        return cut
    }

    /// The line as it goes out.
    func rendered(color: Bool, ascii: Bool) -> String {
        var out = ""
        for run in runs {
            let text = ascii ? SafeText.ascii(run.text) : run.text
            let sequence = color ? run.style.sequence : ""
            out += sequence.isEmpty ? text : sequence + text + "\u{1B}[0m"
        }
        // Blanks at the end of a line help nobody, unless they are coloured.
        let kept = out.utf8.reversed().drop { $0 == 0x20 }.count
        return kept == out.utf8.count ? out : String(out.utf8.prefix(kept)) ?? out
    }
}
