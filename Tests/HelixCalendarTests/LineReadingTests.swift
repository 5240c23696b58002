import HelixModel
import TestSupport
import Testing

@testable import HelixCalendar

/// The fast ways to read a line give what the slow ones do.
@Suite struct LineReadingTests {
    private let pieces: [[UInt8]] = [
        Array("SUMMARY".utf8), Array(";X=".utf8), Array(":".utf8), Array(";".utf8), Array("\"a:b\"".utf8),
        Array(",".utf8),
        Array("=".utf8), Array("é".utf8), Array("日本".utf8), Array("😀".utf8), [0xC2, 0x85], [0xC2, 0xA0], [0x80], [0xFF],
        [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0x07], [0x7F], [0x09], [0x00], Array(" ".utf8), Array("a".utf8),
        Array("\"".utf8), Array("X-A.b_1".utf8),
    ]

    private func line(_ random: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 1...8, using: &random)).flatMap { _ in pieces.randomElement(using: &random) ?? [] }
    }

    @Test func aLineIsUTF8WithoutControlCharacters() throws {
        var random = SeededGenerator(seed: 2_411)
        for _ in 0..<5_000 {
            let bytes = [UInt8(ascii: "A")] + line(&random)
            var rest: [UInt8]? = bytes
            var lines = UnfoldedLines {
                defer { rest = nil }
                return rest ?? []
            }
            let read = try #require(try lines.next())
            let own = String(validating: bytes, as: UTF8.self)
            let text = own ?? String(windows1252: bytes[...])
            let kept = text.unicodeScalars.filter { scalar in
                !(scalar.value < 0x20 && scalar.value != 0x09 || (0x7F...0x9F).contains(scalar.value))
            }
            var plain = String.UnicodeScalarView()
            plain.append(contentsOf: kept)
            #expect(Array(read.bytes) == Array(String(plain).utf8), "\(bytes)")
            #expect(read.isForeign == (own == nil))
        }
    }

    @Test func aContentLineIsOneThatCanBeParsed() {
        var random = SeededGenerator(seed: 2_412)
        var count = 0
        for _ in 0..<50_000 {
            let bytes = line(&random)[...]
            let isOne = ICalendarProperty.isContentLine(bytes)
            if isOne != (ICalendarProperty(bytes) != nil) { Issue.record("\(String(decoding: bytes, as: UTF8.self))") }
            count += isOne ? 1 : 0
        }
        #expect(count > 100)
    }
}
