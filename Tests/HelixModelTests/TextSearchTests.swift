import HelixModel
import TestSupport
import Testing

/// A part of a text is found where the bytes of both are the same.
@Suite struct TextSearchTests {
    @Test func partsAreFoundAsByTheStandardLibrary() {
        var random = SeededGenerator(seed: 11)
        let letters = Array("aab-é€😀")
        func word(_ most: Int) -> String {
            String((0..<Int.random(in: 0...most, using: &random)).map { _ in letters.randomElement(using: &random)! })
        }
        var found = 0
        for _ in 0..<5_000 {
            let (text, part) = (word(12), word(3))
            let expected = part.isEmpty || text.contains(part)
            #expect(text.hasPart(part) == expected, "\(text) \(part)")
            #expect(text[...].hasPart(part) == expected, "\(text) \(part)")
            if expected, !part.isEmpty { found += 1 }
        }
        #expect(found > 500)
    }

    @Test func aPartOfACharacterIsFound() {
        #expect("e\u{301}a".hasPart("e"))
        #expect(!"é".hasPart("e"))
    }
}
