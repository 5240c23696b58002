/// Writes zero-padded numbers and ASCII separators straight into a new string: a report of a year writes
/// 50,000 times and dates.
public struct DigitWriter {
    private let space: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    /// Returns the text that `body` writes, of at most 64 bytes.
    public static func text(_ body: (inout DigitWriter) -> Void) -> String {
        String(unsafeUninitializedCapacity: 64) { space in
            var writer = DigitWriter(space: space)
            body(&writer)
            return writer.count
        }
    }

    /// A number that is not negative with `places` digits after the point, rounded.
    public static func decimal(_ number: Double, places: Int) -> String {
        let scale = (0..<places).reduce(1) { product, _ in product * 10 }
        let scaled = Int((max(0, min(number, 1e12)) * Double(scale)).rounded())
        guard places > 0 else { return String(scaled) }
        let digits = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: places - digits.count) + digits
    }

    private init(space: UnsafeMutableBufferPointer<UInt8>) { self.space = space }

    /// Appends `number` with leading zeros up to `width` digits.
    public mutating func put(_ number: Int, _ width: Int) {
        if number < 0 { put("-") }
        var rest = number.magnitude
        var digits = 1
        while rest >= 10 {
            rest /= 10
            digits += 1
        }
        rest = number.magnitude
        let length = max(width, digits)
        for place in (0..<length).reversed() {
            space[count + place] = UInt8(rest % 10) + 0x30
            rest /= 10
        }
        count += length
    }

    /// Appends an ASCII character.
    public mutating func put(_ sign: Unicode.Scalar) {
        space[count] = UInt8(truncatingIfNeeded: sign.value)
        count += 1
    }

    /// Appends a date, with `sign` between its numbers if there is one.
    public mutating func put(_ date: CivilDate, separator sign: Unicode.Scalar? = nil) {
        let (year, month, day) = date.components
        put(year, 4)
        if let sign { put(sign) }
        put(month, 2)
        if let sign { put(sign) }
        put(day, 2)
    }

    /// Appends a time of day, with `sign` between its numbers if there is one.
    public mutating func put(time civil: CivilDateTime, separator sign: Unicode.Scalar? = nil) {
        put(civil.hour, 2)
        if let sign { put(sign) }
        put(civil.minute, 2)
        if let sign { put(sign) }
        put(civil.second, 2)
    }
}
