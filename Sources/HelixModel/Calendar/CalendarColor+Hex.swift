extension CalendarColor {
    private static let samples: [(color: CalendarColor, red: Int, green: Int, blue: Int)] = [
        (.blue, 40, 90, 220), (.green, 60, 170, 70), (.magenta, 180, 60, 180), (.yellow, 240, 205, 50),
        (.cyan, 50, 180, 200), (.red, 220, 50, 50), (.orange, 245, 140, 40), (.gray, 130, 130, 130),
    ]

    /// The colour as `#RRGGBB`, the form of other programs: `#285ADC`.
    public var hex: String {
        guard let sample = Self.samples.first(where: { $0.color == self }) else { return "#828282" }
        let digits = [sample.red, sample.green, sample.blue].map { value in
            (value < 16 ? "0" : "") + String(value, radix: 16, uppercase: true)
        }
        return "#" + digits.joined()
    }

    /// The colour nearest to `#RRGGBB`, with or without an alpha after it; nil for any other text.
    public init?(hex: String) {
        let digits = hex.drop { $0 == "#" }.prefix(6)
        guard digits.count == 6, hex.hasPrefix("#"), let value = Int(digits, radix: 16) else { return nil }
        let (red, green, blue) = (value >> 16, value >> 8 & 255, value & 255)
        func distance(_ sample: (color: CalendarColor, red: Int, green: Int, blue: Int)) -> Int {
            let (r, g, b) = (sample.red - red, sample.green - green, sample.blue - blue)
            // Eyes tell shades of green apart best.
            return 2 * r * r + 4 * g * g + 3 * b * b
        }
        guard let found = Self.samples.min(by: { distance($0) < distance($1) }) else { return nil }
        self = found.color
    }
}
