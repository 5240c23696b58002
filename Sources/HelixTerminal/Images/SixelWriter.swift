/// Images as sixels: six lines of pixels a row, each colour of the row one after the other.
public enum SixelWriter {
    /// The sequence of an image.
    /// - Parameter pixels: four bytes each (red, green, blue, opacity), line by line.
    public static func bytes(_ pixels: [UInt8], width: Int, height: Int) -> [UInt8] {
        guard width > 0, height > 0, pixels.count >= width * height * 4 else { return [] }
        var output = Array("\u{1B}P0;1q\"1;1;\(width);\(height)".utf8)
        let (colors, palette) = indexed(pixels, count: width * height)
        for (number, color) in palette.enumerated() {
            let parts = [color >> 10 & 31, color >> 5 & 31, color & 31].map { "\((Int($0) * 100 + 15) / 31)" }
            output += Array("#\(number);2;\(parts.joined(separator: ";"))".utf8)
        }
        for top in stride(from: 0, to: height, by: 6) {
            let lines = min(6, height - top)
            let row = colors[top * width..<(top + lines) * width]
            for color in Set(row).sorted() {
                output += Array("#\(color)".utf8)
                var run: (sign: UInt8, count: Int) = (0, 0)
                for x in 0..<width {
                    var bits: UInt8 = 0
                    for line in 0..<lines where colors[(top + line) * width + x] == color { bits |= 1 << UInt8(line) }
                    let sign = 63 + bits
                    if run.count > 0, run.sign != sign {
                        append(run.sign, run.count, to: &output)
                        run.count = 0
                    }
                    run = (sign, run.count + 1)
                }
                append(run.sign, run.count, to: &output)
                output.append(UInt8(ascii: "$"))
            }
            output.append(UInt8(ascii: "-"))
        }
        return output + Array("\u{1B}\\".utf8)
    }

    private static func append(_ sign: UInt8, _ count: Int, to output: inout [UInt8]) {
        if count > 3 {
            output += Array("!\(count)".utf8) + [sign]
        } else {
            output += [UInt8](repeating: sign, count: count)
        }
    }

    /// The number of each pixel in a palette of the most frequent colours, at most 256 of five bits for each part.
    private static func indexed(_ pixels: [UInt8], count: Int) -> (colors: [UInt8], palette: [UInt16]) {
        func part(_ value: UInt8) -> UInt16 { UInt16((Int(value) * 31 + 127) / 255) }
        let exact = (0..<count).map { place in
            part(pixels[place * 4]) << 10 | part(pixels[place * 4 + 1]) << 5 | part(pixels[place * 4 + 2])
        }
        var counts: [UInt16: Int] = [:]
        for color in exact { counts[color, default: 0] += 1 }
        let palette = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(256).map(\.key)
        var numbers = Dictionary(uniqueKeysWithValues: palette.enumerated().map { ($1, UInt8($0)) })
        for color in counts.keys where numbers[color] == nil {
            // A rare colour becomes the nearest one.
            let nearest = palette.indices.min { distance(palette[$0], color) < distance(palette[$1], color) }
            numbers[color] = UInt8(nearest ?? 0)
        }
        return (exact.map { numbers[$0] ?? 0 }, palette)
    }

    private static func distance(_ one: UInt16, _ other: UInt16) -> Int {
        [10, 5, 0].reduce(0) { sum, shift in
            let difference = Int(one >> shift & 31) - Int(other >> shift & 31)
            return sum + difference * difference
        }
    }
}
