/// SQL conditions joined so that they stay within the depth limit of SQLite's parser.
enum ConditionTree {
    /// The conditions joined by `AND` or `OR`, as a tree whose depth is the logarithm of their number.
    ///
    /// SQLite parses `a AND b AND c` as a list as deep as it is long, and rejects 1,000 levels.
    static func joined(_ conditions: [String], by word: String) -> String {
        guard conditions.count > 8 else {
            let none = word == "AND" ? "1" : "0"
            return conditions.isEmpty ? none : "(" + conditions.joined(separator: " \(word) ") + ")"
        }
        let middle = conditions.count / 2
        let halves = [conditions[..<middle], conditions[middle...]].map { joined(Array($0), by: word) }
        return "(" + halves.joined(separator: " \(word) ") + ")"
    }
}
