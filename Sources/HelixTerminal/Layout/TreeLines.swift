/// The lines that lead from rows of a tree to the row that each belongs to: `├─`, `│` and `└─`.
public enum TreeLines {
    /// What stands before each row, in the order in which they are drawn.
    ///
    /// - Parameters:
    ///   - depths: how deep each row lies; 0 for a root. Each row follows the one it belongs to.
    ///   - most: deeper rows are drawn as deep as this.
    public static func prefixes(depths: [Int], most: Int = 10) -> [String] {
        let depths = depths.map { min(max($0, 0), most) }
        // Whether a later row of the same parent comes, for each level; found from the end.
        var open = Array(repeating: false, count: most + 1)
        var prefixes: [String] = []
        prefixes.reserveCapacity(depths.count)
        for depth in depths.reversed() {
            var prefix = ""
            if depth > 0 {
                for level in 1..<max(depth, 1) { prefix += open[level] ? "│ " : "  " }
                prefix += open[depth] ? "├ " : "└ "
            }
            for level in (depth + 1)..<(most + 2) where level <= most { open[level] = false }
            open[depth] = true
            prefixes.append(prefix)
        }
        return prefixes.reversed()
    }
}
