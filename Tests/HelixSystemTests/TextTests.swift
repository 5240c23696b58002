import Foundation
import HelixSystem
import TestSupport
import Testing

/// Text functions give what Foundation gives, which the programs do not link.
@Suite struct TextTests {
    /// Texts of signs that have a meaning in paths and addresses, and of others.
    private static func texts(_ signs: [String], _ count: Int, seed: UInt64) -> [String] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            (0..<Int.random(in: 0...12, using: &random)).map { _ in signs.randomElement(using: &random) ?? "" }.joined()
        }
    }

    @Test func pathsHaveThePartsThatFoundationFinds() {
        for path in Self.texts(["/", "/", ".", "a", "b", "é", " ", "tar", "gz"], 20_000, seed: 1) + [
            "/", "//", ".", "..",
        ] {
            // A run of slashes is one; Foundation keeps some of them within a path.
            let known = path.replacing(/\/+/, with: "/") as NSString
            let own = path.replacing(/\/+/, with: "/")
            // Foundation's deletingLastPathComponent crashes on 'a' and 'a/'.
            if own.count < (own.hasSuffix("/") ? 3 : 2) { continue }
            #expect(own.lastPathComponent == known.lastPathComponent, "\(own)")
            #expect(own.deletingLastPathComponent == known.deletingLastPathComponent, "\(own)")
            // Foundation finds no ending with a blank in it.
            guard !own.lastPathComponent.contains(" ") else { continue }
            #expect(own.pathExtension == known.pathExtension || own.lastPathComponent.hasPrefix("."), "\(own)")
        }
    }

    @Test func addressesAreEncodedAsByFoundation() {
        var paths = CharacterSet.urlPathAllowed
        paths.insert(charactersIn: ";")
        for text in Self.texts(
            ["/", "%", "2", "F", " ", "é", "日", "?", "#", "+", ";", "a", "~", "\"", "\u{1F600}"], 20_000, seed: 2)
        {
            #expect(
                text.percentEncoded(keeping: String.signsOfPaths)
                    == text.addingPercentEncoding(withAllowedCharacters: paths))
            #expect(text.percentDecoded == text.removingPercentEncoding, "\(text)")
            #expect(text.percentEncoded(keeping: "").percentDecoded == text)
        }
    }

    @Test func normalFormsAreThoseOfFoundation() throws {
        let signs = ["e\u{301}", "é", "ﬁ", "①", "Å", "Å", "가", "ㄱ", "ş", "x", "ａ", "ἄ", "q\u{323}\u{307}", "ß", "日"]
        for text in Self.texts(signs, 5_000, seed: 3) {
            let own = try #require(text.normalized(.nfd))
            #expect(own.unicodeScalars.elementsEqual(text.decomposedStringWithCanonicalMapping.unicodeScalars))
            let composed = try #require(text.normalized(.nfkc))
            #expect(
                composed.unicodeScalars.elementsEqual(text.precomposedStringWithCompatibilityMapping.unicodeScalars))
            let decomposed = try #require(text.normalized(.nfkd))
            #expect(
                decomposed.unicodeScalars.elementsEqual(text.decomposedStringWithCompatibilityMapping.unicodeScalars))
        }
    }

    @Test func shortPathsHaveTheirParts() {
        #expect("".lastPathComponent.isEmpty && "".deletingLastPathComponent.isEmpty && "".pathExtension.isEmpty)
        #expect("/".lastPathComponent == "/" && "/".deletingLastPathComponent == "/")
        #expect("a".lastPathComponent == "a" && "a".deletingLastPathComponent.isEmpty)
        #expect("a/".lastPathComponent == "a" && "a/".deletingLastPathComponent.isEmpty)
    }
}
