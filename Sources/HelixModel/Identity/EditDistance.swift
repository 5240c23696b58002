/// Tells slips of the hand from other words.
public enum EditDistance {
    /// Whether one letter too many, too few or another one makes the difference, or two that changed places.
    ///
    /// Among words of fewer than five letters another letter makes another word.
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
