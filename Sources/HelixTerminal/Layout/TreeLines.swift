/// The lines that connect rows of a tree with their parents: `├─`, `│` and `└─`.
public enum TreeLines {
    /// Returns the prefix of each row, in drawing order.
    ///
    /// - Parameters:
    ///   - depths: the depth of each row; 0 for a root. Each row follows its parent.
    ///   - most: the limit of the drawn depth. A deeper row has the number of its level, so that it does not look like a sibling
    ///     of the one above it.
    public static func prefixes(depths real: [Int], most: Int = 10) -> [String] {
        let depths = real.map { min(max($0, 0), most) }
        // Whether a later row of the same parent follows, for each level; computed from the end.
        var open = Array(repeating: false, count: most + 1)
        var prefixes: [String] = []
        prefixes.reserveCapacity(depths.count)
        for (depth, level) in zip(depths, real).reversed() {
            var prefix = ""
            if depth > 0 {
                for level in 1..<max(depth, 1) { prefix += open[level] ? "│ " : "  " }
                prefix += open[depth] ? "├" : "└"
                prefix += level > depth ? "\(level) " : " "
            }
            for level in (depth + 1)..<(most + 2) where level <= most { open[level] = false }
            open[depth] = true
            prefixes.append(prefix)
        }
        return prefixes.reversed()
    }
}
