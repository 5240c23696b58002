import Foundation
import HelixGraphics
import HelixTerminal
import TestSupport
import Testing

@Suite struct InlinePictureTests {
    /// A reader of sixels, by the manual of the VT330 and VT340: pixels of red, green and blue, in percent.
    private func decoded(_ bytes: [UInt8], width: Int, height: Int) -> [[Int]] {
        var pixels = [[Int]](repeating: [0, 0, 0], count: width * height)
        var colors: [Int: [Int]] = [:]
        var text = Array(String(decoding: bytes, as: UTF8.self).drop { $0 != "q" }.dropFirst())
        var (x, y, color) = (0, 0, 0)
        func numbers() -> [Int] {
            var list = ""
            while let sign = text.first, sign.isNumber || sign == ";" {
                list.append(sign)
                text.removeFirst()
            }
            return list.split(separator: ";").compactMap { Int($0) }
        }
        func put(_ sign: Character, _ count: Int) {
            let bits = Int(sign.asciiValue ?? 63) - 63
            for _ in 0..<count {
                for line in 0..<6 where bits & 1 << line != 0 { pixels[(y + line) * width + x] = colors[color] ?? [] }
                x += 1
            }
        }
        while let sign = text.first, sign != "\u{1B}" {
            text.removeFirst()
            switch sign {
            case "\"": _ = numbers()
            case "#":
                let list = numbers()
                color = list[0]
                if list.count == 5 { colors[color] = Array(list[2...]) }
            case "!":
                let count = numbers()[0]
                put(text.removeFirst(), count)
            case "$": x = 0
            case "-": (x, y) = (0, y + 6)
            default: put(sign, 1)
            }
        }
        return pixels
    }

    @Test func sixelsShowTheImage() {
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<40 {
            let (width, height) = (Int.random(in: 1...30, using: &generator), Int.random(in: 1...20, using: &generator))
            let steps = (0..<width * height * 4).map { _ in [0, 31, 7, 20, 15].randomElement(using: &generator) ?? 0 }
            let bytes = SixelWriter.bytes(steps.map { UInt8(($0 * 255 + 15) / 31) }, width: width, height: height)
            let expected = (0..<width * height).map { place in (0..<3).map { (steps[place * 4 + $0] * 100 + 15) / 31 } }
            #expect(decoded(bytes, width: width, height: height) == expected)
        }
    }

    @Test func theProtocolOfKittyCarriesThePNGInPieces() throws {
        var picture = Picture(width: 300, height: 300, title: "")
        var generator = SeededGenerator(seed: 1)
        for place in 0..<400 {
            picture.rectangle(
                Double(place % 20) * 15, Double(place / 20) * 15, 15, 15,
                PictureColor(Int.random(in: 0..<0x1000000, using: &generator)))
        }
        let images = try #require(
            TerminalImages(answers: Array("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62c".utf8), cell: (10, 20)))
        let text = String(decoding: try InlinePicture.sequence(picture, for: images, columns: 30), as: UTF8.self)
        let pieces = text.split(separator: "\u{1B}_G").map { $0.prefix { $0 != "\u{1B}" } }
        #expect(
            pieces.count > 1 && pieces.dropLast().allSatisfy { $0.contains("m=1;") } && pieces.last!.hasPrefix("m=0;"))
        let data = pieces.map { $0.split(separator: ";", maxSplits: 1)[1] }
        #expect(data.allSatisfy { $0.utf8.count <= 4096 })
        let png = try #require(Data(base64Encoded: data.joined()))
        #expect(png.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
    }

    @Test func terminalsSayWhatTheyShow() {
        func images(_ answers: String) -> TerminalImages? { TerminalImages(answers: Array(answers.utf8), cell: nil) }
        #expect(images("\u{1B}[?62;4;22c")?.form == .sixel)
        #expect(images("\u{1B}[?1;2c") == nil)
        // A class of 4 is no attribute.
        #expect(images("\u{1B}[?4;6c") == nil)
        #expect(images("") == nil)
        #expect(images("\u{1B}]11;rgb:ffff/ffff/eeee\u{1B}\\\u{1B}[?62;4c")?.isDark == false)
        #expect(images("\u{1B}]11;rgb:1a/1a/1a\u{7}\u{1B}[?62;4c")?.isDark == true)
        #expect(images("\u{1B}_Gi=31;EINVAL\u{1B}\\\u{1B}[?62c") == nil)
    }
}
