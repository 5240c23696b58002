/// A colour of the terminal's own palette, so that it suits light and dark backgrounds.
public enum TerminalColor: Int, Hashable, Sendable, CaseIterable {
    case red = 1
    case green = 2
    case yellow = 3
    case blue = 4
    case magenta = 5
    case cyan = 6
    case gray = 8
    case orange = 9

    /// The name, as in settings.
    public var name: String { "\(self)" }
}

/// A text style.
public struct TextStyle: Hashable, Sendable {
    /// The colour; nil is the terminal's own.
    public var color: TerminalColor?
    /// Bold.
    public var isBold = false
    /// Dimmed.
    public var isDim = false
    /// Struck through.
    public var isStruck = false
    /// Foreground and background exchanged.
    public var isReversed = false
    /// Underlined.
    public var isUnderlined = false
    /// The surface that it lies on, of a full screen.
    public var surface: Surface?

    /// A background of a full screen.
    public enum Surface: Hashable, Sendable {
        /// The chosen item.
        case selection
        /// The lines at the top and the bottom.
        case bar
    }

    /// Creates a style.
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

    /// The terminal's default style.
    public static let plain = TextStyle()
    /// Dimmed text.
    public static let dim = TextStyle(dim: true)
    /// Bold text.
    public static let bold = TextStyle(bold: true)

    /// The escape sequence that switches from the default to the style.
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

/// One line of styled text. All text is sanitized on input: escape sequences come from styles only.
public struct StyledText: Hashable, Sendable, ExpressibleByStringInterpolation {
    struct Run: Hashable, Sendable {
        var text: String
        var style: TextStyle
        /// The width in columns, computed once: layouts need it again and again.
        var width: Int
    }
    var runs: [Run] = []

    /// Creates an empty line.
    public init() {}

    /// Creates a line with `text` in one style.
    public init(_ text: some StringProtocol, _ style: TextStyle = .plain) { append(text, style) }

    /// Creates a line of plain text.
    public init(stringLiteral value: String) { append(value) }

    /// Appends text.
    public mutating func append(_ text: some StringProtocol, _ style: TextStyle = .plain) {
        if text.isEmpty { return }
        // Nearly all texts are harmless and of simple characters: one pass checks both.
        if let width = text.utf8.withContiguousStorageIfAvailable(TextWidth.ofSingleColumns), let width {
            runs.append(Run(text: String(text), style: style, width: width))
        } else {
            let safe = SafeText.line(text)
            runs.append(Run(text: safe, style: style, width: TextWidth.of(safe)))
        }
    }

    /// Appends blanks.
    mutating func append(blanks count: Int) {
        if count > 0 { runs.append(Run(text: .blanks(count), style: .plain, width: count)) }
    }

    /// Appends `other`, cut or padded to exactly `width` columns.
    mutating func append(_ other: StyledText, padded width: Int, right: Bool = false) {
        var missing = width - other.width
        let shown = missing < 0 ? other.fitted(width) : other
        if missing < 0 { missing = width - shown.width }
        if right { append(blanks: missing) }
        runs.append(contentsOf: shown.runs)
        if !right { append(blanks: missing) }
    }

    /// Appends styled text.
    public mutating func append(_ other: StyledText) { runs += other.runs }

    /// The parts of one style each.
    public var pieces: [(text: String, style: TextStyle)] { runs.map { ($0.text, $0.style) } }

    /// The text with other styles.
    public func styled(_ change: (inout TextStyle) -> Void) -> StyledText {
        var text = self
        for index in text.runs.indices { change(&text.runs[index].style) }
        return text
    }

    /// Concatenates two texts.
    public static func + (a: StyledText, b: StyledText) -> StyledText {
        var sum = a
        sum.append(b)
        return sum
    }

    /// Whether the text is empty, without even a blank.
    public var isEmpty: Bool { runs.isEmpty }
    /// The width in columns.
    public var width: Int {
        var sum = 0
        for run in runs { sum += run.width }
        return sum
    }
    /// The style of the first part.
    public var firstStyle: TextStyle { runs.first?.style ?? .plain }
    /// The text without styles.
    public var plain: String { runs.map(\.text).joined() }

    /// The text cut or padded to exactly `width` columns.
    public func padded(_ width: Int, right: Bool = false) -> StyledText {
        if width == self.width { return self }
        var line = StyledText()
        line.append(self, padded: width, right: right)
        return line
    }

    /// The text cut to `width` columns.
    public func fitted(_ width: Int) -> StyledText {
        guard self.width > width else { return self }
        var cut = StyledText()
        var rest = width
        for run in runs {
            if run.width < rest {
                cut.runs.append(run)
                rest -= run.width
            } else {
                // Something follows, or the run itself is too long: either way it ends with the mark of truncation.
                let text = run.width > rest ? run.text : run.text + " "
                cut.append(text.fitted(rest), run.style)
                break
            }
        }
        return cut
    }

    /// Writes the line to `out`, with a line feed.
    func render(into out: inout [UInt8], color: Bool, ascii: Bool, links: Bool = false) {
        let start = out.count
        for run in runs {
            let sequence = color ? run.style.sequence : ""
            out.append(contentsOf: sequence.utf8)
            let text = ascii ? SafeText.ascii(run.text) : run.text
            if links, text.utf8.contains(0x3A), text.contains("://") {
                out.append(contentsOf: WebLinks.marked(text).utf8)
            } else {
                out.append(contentsOf: text.utf8)
            }
            if !sequence.isEmpty { out.append(contentsOf: "\u{1B}[0m".utf8) }
        }
        // Blanks at the end of a line are dropped, unless they are coloured.
        while out.count > start, out.last == 0x20 { out.removeLast() }
        out.append(0x0A)
    }
}

extension String {
    /// Returns `count` blanks.
    static func blanks(_ count: Int) -> String {
        String(unsafeUninitializedCapacity: count) {
            $0.initialize(repeating: 0x20)
            return count
        }
    }
}
