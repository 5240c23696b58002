/// A colour of red, green and blue from 0 to 255.
public struct ScreenColor: Hashable, Sendable {
    /// The red part.
    public var red: Int
    /// The green part.
    public var green: Int
    /// The blue part.
    public var blue: Int

    /// A colour of its number: 0xRRGGBB.
    public init(_ number: Int) { (red, green, blue) = (number >> 16 & 255, number >> 8 & 255, number & 255) }

    /// A colour as typed: `#rrggbb`; nil for any other text.
    public init?(typed text: String) {
        guard text.count == 7, text.first == "#", let number = Int(text.dropFirst(), radix: 16) else { return nil }
        self.init(number)
    }

    /// The relative luminance (WCAG 2.2).
    private var luminance: Double {
        func linear(_ value: Int) -> Double {
            let part = Double(value) / 255
            return part <= 0.04045 ? part / 12.92 : ScreenColor.power((part + 0.055) / 1.055)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// `base` to the power of 2.4, for bases from 0 to 1: five roots of the twelfth power.
    private static func power(_ base: Double) -> Double {
        // x^2.4 = (x^12)^(1/5), by Newton's method.
        let power = (0..<12).reduce(1.0) { product, _ in product * base }
        var root = max(base, 1e-9)
        for _ in 0..<60 { root -= (root * root * root * root * root - power) / (5 * root * root * root * root) }
        return root
    }

    /// The contrast with another colour, from 1 to 21 (WCAG 2.2).
    public func contrast(with other: ScreenColor) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// The number of the nearest colour of the 216 and 24 that all terminals with 256 colours have in common.
    public var paletteNumber: Int {
        func distance(_ one: ScreenColor) -> Int {
            let (r, g, b) = (one.red - red, one.green - green, one.blue - blue)
            return r * r * 3 + g * g * 6 + b * b
        }
        return (16..<256).min { distance(ScreenColor(palette: $0)) < distance(ScreenColor(palette: $1)) } ?? 16
    }

    /// The colour of a number from 16 to 255 of the palette.
    public init(palette number: Int) {
        if number >= 232 {
            let gray = 8 + (number - 232) * 10
            (red, green, blue) = (gray, gray, gray)
        } else {
            let steps = [0, 95, 135, 175, 215, 255]
            let place = max(0, number - 16)
            (red, green, blue) = (steps[place / 36 % 6], steps[place / 6 % 6], steps[place % 6])
        }
    }
}

/// The colours of a full screen.
public struct ScreenTheme: Sendable {
    /// The number of colours that a terminal shows.
    public enum Depth: Sendable {
        /// None, as NO_COLOR asks for: only bold, underlined and reversed text.
        case none
        /// The sixteen of its own palette.
        case sixteen
        /// 256.
        case palette
        /// All.
        case full
    }

    /// The colours of a theme by role.
    public struct Colors: Hashable, Sendable {
        /// The background.
        public var background: ScreenColor
        /// The text.
        public var text: ScreenColor
        /// Less important text.
        public var muted: ScreenColor
        /// The background of the chosen item.
        public var selection: ScreenColor
        /// The background of the lines at the top and the bottom.
        public var bar: ScreenColor
        /// The colours of texts.
        public var named: [TerminalColor: ScreenColor]

        /// The names of the roles, as in settings.
        public static let roles =
            ["background", "text", "muted", "selection", "bar"] + TerminalColor.allCases.map(\.name)

        /// The colour of a role, which may be set; a role that does not exist has none.
        public subscript(role: String) -> ScreenColor? {
            get {
                switch role {
                case "background": background
                case "text": text
                case "muted": muted
                case "selection": selection
                case "bar": bar
                default: TerminalColor.allCases.first { $0.name == role }.flatMap { named[$0] }
                }
            }
            set {
                guard let newValue else { return }
                switch role {
                case "background": background = newValue
                case "text": text = newValue
                case "muted": muted = newValue
                case "selection": selection = newValue
                case "bar": bar = newValue
                default:
                    if let color = TerminalColor.allCases.first(where: { $0.name == role }) { named[color] = newValue }
                }
            }
        }
    }

    /// The colours; nil for those of the terminal's own palette.
    public let colors: Colors?
    private let depth: Depth

    /// Creates a theme for a terminal. Terminals with few colours keep their own.
    public init(_ colors: Colors?, depth: Depth) {
        self.depth = depth
        switch depth {
        case .none, .sixteen: self.colors = nil
        case .palette, .full: self.colors = colors
        }
    }

    /// The theme for the same terminal with other colours.
    func with(_ colors: Colors?) -> ScreenTheme { ScreenTheme(colors, depth: depth) }

    /// The sequence for empty cells, with which the screen is cleared.
    var base: String { sequence(for: .plain) }

    /// The escape sequence that sets a style, whatever was set before.
    func sequence(for style: TextStyle) -> String {
        var codes = ["0"]
        if style.isBold { codes.append("1") }
        if style.isUnderlined { codes.append("4") }
        if style.isStruck { codes.append("9") }
        guard let colors else {
            if style.surface != nil || style.isReversed { codes.append("7") }
            if depth != .none, style.surface == nil {
                if style.isDim { codes.append("2") }
                switch style.color {
                case .gray?: codes.append("90")
                // Most palettes of sixteen have no orange.
                case .orange?: codes.append("33")
                case let color?: codes.append("\(30 + color.rawValue)")
                case nil: break
                }
            }
            return "\u{1B}[\(codes.joined(separator: ";"))m"
        }
        var ground =
            switch style.surface {
            case .selection?: colors.selection
            case .bar?: colors.bar
            case nil: colors.background
            }
        var ink = style.color.flatMap { colors.named[$0] } ?? (style.isDim ? colors.muted : colors.text)
        if style.isReversed { (ground, ink) = (ink, colors.background) }
        codes.append(code(ink, "38"))
        codes.append(code(ground, "48"))
        return "\u{1B}[\(codes.joined(separator: ";"))m"
    }

    private func code(_ color: ScreenColor, _ kind: String) -> String {
        if case .full = depth { return "\(kind);2;\(color.red);\(color.green);\(color.blue)" }
        return "\(kind);5;\(color.paletteNumber)"
    }
}

extension ScreenTheme {
    /// The themes by name, besides `terminal`. The contrast of each text on each of its backgrounds is at least 4.5.
    public static let named: [(name: String, colors: Colors)] = [
        (
            "dark",
            colors(
                0x16181D, 0xE6E6E6, 0xA3A8B3, 0x2C3444, 0x20242D, red: 0xFF8A80, green: 0x8FD694, yellow: 0xE8C872,
                blue: 0x8AB4F8, magenta: 0xDDA0F0, cyan: 0x7FD8D8, orange: 0xFFB074)
        ),
        (
            "light",
            colors(
                0xFDFDFB, 0x1C1E21, 0x555A62, 0xDCE6F5, 0xE9EAEC, red: 0xA91515, green: 0x1B5E20, yellow: 0x6B4E00,
                blue: 0x0B4AA2, magenta: 0x7B1FA2, cyan: 0x00565E, orange: 0x8A3B00)
        ),
        (
            "contrast",
            colors(
                0x000000, 0xFFFFFF, 0xD0D0D0, 0x00306B, 0x262626, red: 0xFF9B93, green: 0x7CFF7C, yellow: 0xFFF06B,
                blue: 0xA9CBFF, magenta: 0xFFB1FF, cyan: 0x7CFFFF, orange: 0xFFC08A)
        ),
        (
            "sepia",
            colors(
                0xF6EEDC, 0x2F2618, 0x5D5038, 0xE6D9B8, 0xEBE0C6, red: 0x8E1B12, green: 0x2F5613, yellow: 0x634800,
                blue: 0x1F4580, magenta: 0x72245F, cyan: 0x0E5050, orange: 0x702F00)
        ),
        (
            "night",
            colors(
                0x0F1B2D, 0xDCE6F2, 0x9FB2C8, 0x1F3A5C, 0x182B45, red: 0xFF938A, green: 0x9ADCA0, yellow: 0xF0D080,
                blue: 0x94C2FF, magenta: 0xE0B0FF, cyan: 0x8CE0E0, orange: 0xFFBC85)
        ),
    ]

    private static func colors(
        _ background: Int, _ text: Int, _ muted: Int, _ selection: Int, _ bar: Int, red: Int, green: Int, yellow: Int,
        blue: Int, magenta: Int, cyan: Int, orange: Int
    ) -> Colors {
        Colors(
            background: ScreenColor(background), text: ScreenColor(text), muted: ScreenColor(muted),
            selection: ScreenColor(selection), bar: ScreenColor(bar),
            named: [
                .red: ScreenColor(red), .green: ScreenColor(green), .yellow: ScreenColor(yellow),
                .blue: ScreenColor(blue), .magenta: ScreenColor(magenta), .cyan: ScreenColor(cyan),
                .gray: ScreenColor(muted), .orange: ScreenColor(orange),
            ])
    }

    /// The number of colours of a terminal, by its environment.
    public static func depth(_ environment: [String: String], hasColor: Bool) -> Depth {
        if !hasColor { return .none }
        if ["truecolor", "24bit"].contains(environment["COLORTERM"]?.lowercased() ?? "") { return .full }
        let terminal = environment["TERM"] ?? ""
        if terminal.hasSuffix("-direct") { return .full }
        return terminal.contains("256color") || terminal.contains("kitty") ? .palette : .sixteen
    }
}
