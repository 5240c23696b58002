import FoundationEssentials
import HelixSystem

/// User names that people can tell apart: a name that looks like an existing one is refused.
enum UserName {
    /// The maximum number of characters of a name.
    private static let most = 64

    /// Whether a name is allowed: visible characters in their usual form (NFKC), letters of one script alone.
    static func isAllowed(_ name: String) -> Bool {
        let scalars = name.unicodeScalars
        guard (1...most).contains(scalars.count),
            let usual = name.normalized(.nfkc), usual.unicodeScalars.elementsEqual(scalars)
        else { return false }
        let isVisible = scalars.allSatisfy { scalar in
            if scalar.isASCII {
                return scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value)
                    || "._-+'".unicodeScalars.contains(scalar)
            }
            let properties = scalar.properties
            if properties.isDefaultIgnorableCodePoint || blanks.contains(scalar.value) { return false }
            switch properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .otherLetter:
                return script(scalar) != "Latin" || isUsualLatin(scalar)
            case .nonspacingMark, .spacingMark: return true
            // Digits, signs and phonetic letters resemble other characters.
            default: return false
            }
        }
        // A combining mark needs a base letter, so a name cannot begin with one.
        guard isVisible, scalars.first.map({ !isMark($0) }) == true else { return false }
        return Set(scalars.compactMap(script)).count <= 1
    }

    /// Invisible letters: Hangul fillers, the blank braille pattern.
    private static let blanks: Set<UInt32> = [0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800]

    /// Latin letters used in languages: ASCII letters with marks, and some others.
    private static func isUsualLatin(_ scalar: Unicode.Scalar) -> Bool {
        let base = String(scalar).normalized(.nfd)?.unicodeScalars.first
        return base?.isASCII == true || "ßæøðþłđœıħŋÆØÐÞŁĐŒĦŊ".unicodeScalars.contains(scalar)
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        [.nonspacingMark, .enclosingMark, .spacingMark].contains(scalar.properties.generalCategory)
    }

    /// The script of a letter, as far as scripts are confusable; nil for common characters.
    private static func script(_ scalar: Unicode.Scalar) -> String? {
        guard scalar.properties.isAlphabetic else { return nil }
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0xAA, 0xBA, 0xC0...0x24F, 0x1E00...0x1EFF, 0x250...0x2AF: return "Latin"
        case 0x370...0x3FF, 0x1F00...0x1FFF: return "Greek"
        case 0x400...0x52F, 0x1C80...0x1C8F, 0x2DE0...0x2DFF, 0xA640...0xA69F: return "Cyrillic"
        case 0x530...0x58F: return "Armenian"
        case 0x13A0...0x13FF, 0xAB70...0xABBF: return "Cherokee"
        case 0x590...0x5FF: return "Hebrew"
        case 0x600...0x77F, 0x8A0...0x8FF: return "Arabic"
        // Japanese uses three scripts at once, Korean and Chinese one or two; none looks like Latin.
        case 0x2E80...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF, 0x20000...0x3FFFF: return "East Asian"
        default: return "\(scalar.value >> 8)"
        }
    }

    /// The form of a name in which it is looked up: without regard to case.
    static func key(_ name: String) -> String { name.lowercased() }

    /// Letters of other scripts that look like Latin ones (Unicode TR39, the common ones).
    static let lookalikes: [Unicode.Scalar: Character] = Dictionary(
        uniqueKeysWithValues: zip(
            "\u{430}\u{432}\u{435}\u{43A}\u{43C}\u{43D}\u{43E}\u{440}\u{441}\u{442}\u{443}\u{445}\u{455}\u{456}\u{458}\u{4BB}\u{501}\u{51B}\u{51D}\u{433}\u{43F}\u{45F}\u{475}\u{44C}"
                .unicodeScalars, "abekmhopctyxsijhdqwrnuvb"
        )
            + Array(
                zip(
                    "\u{3B1}\u{3B2}\u{3B5}\u{3B7}\u{3B9}\u{3BA}\u{3BD}\u{3BF}\u{3C1}\u{3C4}\u{3C5}\u{3C7}\u{3C9}\u{3B3}"
                        .unicodeScalars, "abenikvoptuxwy")))

    /// The skeleton of a name: without case and accents, with lookalike letters replaced by the Latin ones.
    static func shape(_ name: String) -> String {
        let folded = (name.normalized(.nfkc) ?? name).lowercased()
        var shape = ""
        for scalar in (folded.normalized(.nfkd) ?? folded).unicodeScalars
        where !isMark(scalar) && !scalar.properties.isDefaultIgnorableCodePoint {
            switch scalar {
            case "0": shape.append("o")
            case "1", "l", "|", "\u{131}": shape.append("i")
            case "5": shape.append("s")
            default: shape.append(lookalikes[scalar] ?? Character(scalar))
            }
        }
        return shape.replacing("rn", with: "m").replacing("vv", with: "w")
            .replacing("cl", with: "d")
    }
}

/// A name for an error message, without terminal control characters.
enum SafeName {
    static func shown(_ name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.unicodeScalars.prefix(64).map { scalar in
                    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                        || scalar.properties.generalCategory == .format ? "?" : scalar
                }))
    }
}
