import CIdn2
import Glibc
import HelixSystem

extension String {
    /// A domain with the letters that its ASCII form (xn--) stands for.
    public var unicodeDomain: String {
        guard lowercased().contains("xn--"), let found = helix_idn_unicode(self) else { return lowercased() }
        defer { free(found) }
        return String(cString: found).lowercased()
    }
}

/// Names of domains that look like others (UTS #39).
public enum LookAlike {
    /// Letters that look like Latin ones: the most common ones of Cyrillic, Greek, Armenian and Cherokee, and digits.
    private static let letters: [Character: Character] = [
        "а": "a", "ɑ": "a", "α": "a", "в": "b", "Ь": "b", "ь": "b", "с": "c", "ϲ": "c", "ԁ": "d", "ɗ": "d", "е": "e",
        "ё": "e", "є": "e", "ε": "e",
        "ғ": "f", "ɡ": "g", "ց": "g", "һ": "h", "հ": "h", "н": "h", "і": "l", "ї": "l", "ı": "l", "ι": "l", "i": "l",
        "1": "l", "|": "l", "ӏ": "l", "ј": "j",
        "ϳ": "j", "к": "k", "κ": "k", "м": "m", "п": "n", "ո": "n", "η": "n", "о": "o", "ο": "o", "օ": "o", "σ": "o",
        "0": "o",
        "р": "p", "ρ": "p", "ԛ": "q", "г": "r", "ѕ": "s", "ꜱ": "s", "т": "t", "τ": "t", "υ": "u", "ս": "u", "ц": "u",
        "ν": "v",
        "ѵ": "v", "ԝ": "w", "ш": "w", "ω": "w", "х": "x", "χ": "x", "у": "y", "γ": "y", "ყ": "y", "ᴢ": "z", "ƽ": "s",
        "5": "s",
    ]

    /// The form of a name in which names that look alike are equal.
    public static func skeleton(_ name: String) -> String {
        let lower = name.lowercased()
        let plain = (lower.normalized(.nfkd) ?? lower).unicodeScalars.filter {
            $0.properties.generalCategory != .nonspacingMark
        }
        var text = ""
        for character in String(String.UnicodeScalarView(plain)) { text.append(letters[character] ?? character) }
        return text.replacing("rn", with: "m").replacing("vv", with: "w").replacing("cl", with: "d")
    }

    /// The known domain that another one looks like; nil if there is none.
    ///
    /// Domains below a known one are its own. Besides equal skeletons, one letter more, less, other or swapped counts in the
    /// name before the last dot, if that has at least six letters.
    public static func resembled(_ domain: String, among known: Set<String>) -> String? {
        let domain = domain.lowercased()
        guard !known.contains(where: { domain == $0 || domain.hasSuffix("." + $0) }) else { return nil }
        let own = skeleton(domain)
        let (label, ending) = cut(own)
        return known.sorted().first { other in
            guard other != domain else { return false }
            let its = skeleton(other)
            if its == own { return true }
            let (itsLabel, itsEnding) = cut(its)
            return label != itsLabel && ending == itsEnding && min(label.count, itsLabel.count) >= 6
                && isOneApart(Array(label), Array(itsLabel))
        }
    }

    /// Whether a domain mixes letters of several scripts in one label, which no honest domain does.
    public static func mixesScripts(_ domain: String) -> Bool {
        domain.split(separator: ".").contains { label in
            var (isLatin, isOther) = (false, false)
            for scalar in label.lowercased().unicodeScalars where scalar.properties.isAlphabetic {
                switch scalar.value {
                case 0x61...0x7A, 0xDF...0x24F: isLatin = true
                case 0x370...0x52F, 0x10A0...0x10FF, 0x13A0...0x13FF, 0x530...0x58F: isOther = true
                default: break
                }
            }
            return isLatin && isOther
        }
    }

    private static func cut(_ domain: String) -> (label: String, ending: String) {
        let parts = domain.split(separator: ".").map(String.init)
        guard parts.count >= 2 else { return (domain, "") }
        return (parts[parts.count - 2], parts[parts.count - 1])
    }

    /// Whether one insertion, deletion, replacement or swap makes a word another.
    private static func isOneApart(_ left: [Character], _ right: [Character]) -> Bool {
        if abs(left.count - right.count) > 1 { return false }
        let head = zip(left, right).prefix { $0 == $1 }.count
        let tail = zip(left.dropFirst(head).reversed(), right.dropFirst(head).reversed()).prefix { $0 == $1 }.count
        let (one, two) = (Array(left[head..<(left.count - tail)]), Array(right[head..<(right.count - tail)]))
        return max(one.count, two.count) == 1 || one.count == 2 && one == Array(two.reversed())
    }
}
