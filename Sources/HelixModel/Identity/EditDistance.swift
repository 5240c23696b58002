/// Detects typing errors.
public enum EditDistance {
    /// The word of a list that was probably meant, for a hint. More tolerant than ``isOneSlip(_:_:)``, since the result is only
    /// shown.
    public static func suggestion(for word: String, among words: [String]) -> String? {
        if let found = words.first(where: { isOneSlip($0, word) }) { return found }
        guard word.count >= 3 else { return nil }
        // The same letters in another order: mial.
        if let found = words.first(where: { $0.first == word.first && $0.sorted() == word.sorted() }) { return found }
        return words.first { $0.count >= 3 && word.hasPrefix($0) } ?? words.first { $0.hasPrefix(word) }
    }

    /// Whether the words differ by one inserted, missing or replaced letter, or by two that are swapped.
    ///
    /// In words of fewer than five letters, a replaced letter makes another word.
    public static func isOneSlip(_ a: String, _ b: String) -> Bool {
        let (a, b) = (Array(a), Array(b))
        guard abs(a.count - b.count) <= 1, min(a.count, b.count) >= 3 else { return false }
        let start = zip(a, b).prefix { $0 == $1 }.count
        let (left, right) = (a.dropFirst(start), b.dropFirst(start))
        if left.dropFirst() == right || left == right.dropFirst() { return true }
        guard a.count >= 5 else { return false }
        return left.dropFirst() == right.dropFirst()
            || left.count >= 2 && right.count >= 2 && left.dropFirst(2) == right.dropFirst(2)
                && left[left.startIndex] == right[right.startIndex + 1]
                && left[left.startIndex + 1] == right[right.startIndex]
    }
}
