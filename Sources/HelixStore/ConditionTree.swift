/// Conditions of SQL joined so that SQLite's parser does not run out of depth.
enum ConditionTree {
    /// The conditions joined by `AND` or `OR`, as a tree whose depth is the logarithm of their number.
    ///
    /// SQLite reads `a AND b AND c` as a list that is as deep as it is long, and refuses 1,000 levels.
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
