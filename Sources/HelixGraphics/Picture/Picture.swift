import HelixTerminal

/// A colour, each part from 0 to 1.
public struct PictureColor: Hashable, Sendable {
    /// The parts; an opacity of 0 is invisible.
    public var red, green, blue, opacity: Double

    /// Creates a colour of `0xRRGGBB`.
    public init(_ code: Int, opacity: Double = 1) {
        red = Double(code >> 16 & 0xFF) / 255
        green = Double(code >> 8 & 0xFF) / 255
        blue = Double(code & 0xFF) / 255
        self.opacity = opacity
    }

    /// A colour of the terminal, as it is drawn on paper and on a dark background: at least 4.5 : 1 on the dark one, and
    /// at least 3 : 1 on white, as WCAG 2.1 §1.4.11 asks of graphics.
    public init(_ color: TerminalColor) {
        switch color {
        case .red: self.init(0xE0443E)
        case .green: self.init(0x2E9E4F)
        case .yellow: self.init(0xA98600)
        case .blue: self.init(0x3B82D6)
        case .magenta: self.init(0xB866C4)
        case .cyan: self.init(0x1F97A5)
        case .gray: self.init(0x868E96)
        case .orange: self.init(0xD9730D)
        }
    }

    /// The colour, less visible.
    public func faded(_ share: Double) -> PictureColor {
        var color = self
        color.opacity = opacity * share
        return color
    }
}

/// The colours of a picture that are not those of its data.
public struct PictureTheme: Hashable, Sendable {
    /// The background, texts, less important texts, and lines.
    public var background, text, faint, rule: PictureColor

    /// For paper and files.
    public static let light = PictureTheme(
        background: PictureColor(0xFFFFFF), text: PictureColor(0x1F2328), faint: PictureColor(0x59636E),
        rule: PictureColor(0xD1D9E0))
    /// For terminals with a dark background.
    public static let dark = PictureTheme(
        background: PictureColor(0x1A1B1E), text: PictureColor(0xE6E6E6), faint: PictureColor(0x9DA5AE),
        rule: PictureColor(0x3A3F45))
}

/// A rectangle in points, 1/72 inch; `y` grows downwards.
public struct Box: Hashable, Sendable {
    /// The left edge, the upper edge, and the size.
    public var x, y, width, height: Double

    /// Creates a rectangle.
    public init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
}

/// A point of a line.
public struct PicturePoint: Hashable, Sendable {
    /// Points from the left, and from the top.
    public var x, y: Double

    /// Creates a point.
    public init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
}

/// A text in a box. Where it does not fit, it ends with an ellipsis.
public struct PictureText: Hashable, Sendable {
    /// The position of a text in its width.
    public enum Alignment: Int, Sendable {
        case left, center, right
    }

    /// The text, without control characters.
    public var text: String
    /// The left edge, the upper edge and the width.
    public var x, y, width: Double
    /// The height of the font.
    public var size: Double
    /// Bold.
    public var isBold: Bool
    /// Its position in the width.
    public var alignment: Alignment
    /// The most lines.
    public var lines: Int
    /// The colour.
    public var color: PictureColor

    /// The height of a line, for each point of the font.
    public static let lineHeight = 1.3

    /// Creates a text; control characters are escaped.
    public init(
        _ text: String, x: Double, y: Double, width: Double, size: Double = 10, bold: Bool = false,
        align: Alignment = .left, lines: Int = 1, color: PictureColor
    ) {
        let safe = SafeText.lines(text).prefix(max(1, lines)).joined(separator: "\n")
        (self.text, self.x, self.y, self.width) = (lines == 1 ? SafeText.line(text) : safe, x, y, max(1, width))
        (self.size, isBold, alignment, self.lines, self.color) = (size, bold, align, lines, color)
    }
}

/// A part of a picture.
public enum PictureShape: Hashable, Sendable {
    case rectangle(Box, radius: Double, PictureColor)
    case line([PicturePoint], width: Double, isDashed: Bool, PictureColor)
    case area([PicturePoint], PictureColor)
    case text(PictureText)
}

/// A page of shapes, which a file or a terminal shows.
public struct Picture: Hashable, Sendable {
    /// The size in points.
    public var width, height: Double
    /// The title, and a sentence for those who do not see it.
    public var title, summary: String
    /// The colours.
    public var theme: PictureTheme
    /// The shapes, in the order in which they are painted.
    public var shapes: [PictureShape] = []

    /// Creates an empty page.
    public init(width: Double, height: Double, title: String, summary: String = "", theme: PictureTheme = .light) {
        (self.width, self.height, self.title, self.summary, self.theme) = (width, height, title, summary, theme)
    }

    /// Adds a filled rectangle.
    public mutating func rectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, radius: Double = 0, _ color: PictureColor
    ) {
        guard width > 0, height > 0 else { return }
        let most = min(width, height) / 2
        shapes.append(
            .rectangle(Box(x: x, y: y, width: width, height: height), radius: min(radius, most), color))
    }

    /// Adds a straight line.
    public mutating func line(
        from start: PicturePoint, to end: PicturePoint, width: Double = 0.5, dashed: Bool = false,
        _ color: PictureColor? = nil
    ) {
        shapes.append(.line([start, end], width: width, isDashed: dashed, color ?? theme.rule))
    }

    /// Adds a text, in the colour of texts if none is given.
    public mutating func text(
        _ text: String, _ x: Double, _ y: Double, width: Double, size: Double = 10, bold: Bool = false,
        align: PictureText.Alignment = .left, lines: Int = 1, color: PictureColor? = nil
    ) {
        if text.isEmpty { return }
        shapes.append(
            .text(
                PictureText(
                    text, x: x, y: y, width: width, size: size, bold: bold, align: align, lines: lines,
                    color: color ?? theme.text)))
    }
}
