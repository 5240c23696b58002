/// Positions in an order that never needs renumbering: there is always a rank between two others.
///
/// A rank consists of eight base-36 digits, which appending a card increments, and any number of further digits, which place a
/// card between two others. Ranks compare as texts.
public enum Rank {
    private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)
    private static let middle = 1_400_000_000_000  // about half of 36⁸

    /// A rank after `low` and before `high`; nil means the beginning or the end.
    public static func between(_ low: String?, _ high: String?) -> String {
        switch (low, high) {
        case (nil, nil): return text(middle)
        case (let low?, nil): return text(number(low) + 1)
        case (nil, let high?):
            let number = number(high)
            return number > 0 ? text(number - 1) : text(0) + fraction(after: "", before: String(high.dropFirst(8)))
        case (let low?, let high?):
            let (a, b) = (number(low), number(high))
            if b - a > 1 { return text(a + (b - a) / 2) }
            let rest = String(low.dropFirst(8))
            // Between two adjacent numbers, only the digits after the lower one can grow.
            return text(a) + fraction(after: rest, before: a == b ? String(high.dropFirst(8)) : nil)
        }
    }

    /// Digits that sort after `low` and, if given, before `high`; they never end in 0, so that there is always a value before
    /// them.
    private static func fraction(after low: String, before high: String?) -> String {
        let low = Array(low.utf8)
        let high = high.map { Array($0.utf8) }
        var out: [UInt8] = []
        var isBelowHigh = false
        var place = 0
        while true {
            let a = place < low.count ? value(low[place]) : 0
            let b = isBelowHigh ? 36 : high.map { place < $0.count ? value($0[place]) : 0 } ?? 36
            if b - a > 1 {
                out.append(digits[a + (b - a) / 2])
                return String(decoding: out, as: UTF8.self)
            }
            out.append(digits[a])
            if a < b { isBelowHigh = true }
            place += 1
        }
    }

    /// True if a text is a valid rank; other programs may write any text.
    public static func isValid(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return (8...200).contains(bytes.count) && bytes.allSatisfy(digits.contains)
            && (bytes.count == 8 || bytes.last != digits[0])
    }

    private static func value(_ byte: UInt8) -> Int { digits.firstIndex(of: byte) ?? 0 }

    private static func number(_ rank: String) -> Int { Int(rank.prefix(8), radix: 36) ?? middle }

    private static func text(_ number: Int) -> String {
        let digits = String(max(0, number), radix: 36)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    }
}
