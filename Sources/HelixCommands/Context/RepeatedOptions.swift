import ArgumentParser
import HelixModel

/// Rejects a repeated option that takes one value: the argument parser would silently use the last one.
enum RepeatedOptions {
    /// The error for a repeated option; nil if no option is repeated, or each of them may be.
    static func error(_ arguments: [String]) -> HelixError? {
        var counts: [String: Int] = [:]
        for argument in arguments.prefix(while: { $0 != "--" }) {
            guard let name = name(of: argument) else { continue }
            counts[name, default: 0] += 1
        }
        let repeated = counts.keys.filter { name in
            // `-p x --project y`
            counts[name, default: 0] > 1
                || name.count == 2 && counts.keys.contains { $0.count > 2 && $0.hasPrefix("-" + name) }
        }.sorted()
        guard !repeated.isEmpty, let leaf = HelixProgram.leafType(arguments) else { return nil }
        // The declarations are looked up only if something is repeated: that takes milliseconds.
        let single = singleValued(leaf.type)
        // A word after an option can be its value: `--title --due`.
        guard let name = repeated.first(where: { single[$0] != nil }) else { return nil }
        let values = values(of: single[name] ?? [name], leaf.rest)
        guard values.count > 1 else { return nil }
        return HelixError(
            .usage, "\(name) is given \(values.count) times: \(values.map { "'\($0)'" }.joined(separator: ", "))",
            hint: "It takes one value. Leave out the rest.")
    }

    /// The name of an option: `--due` for `--due` and `--due=fri`, `-p`.
    private static func name(of argument: String) -> String? {
        guard argument.hasPrefix("-"), argument.count > 1 else { return nil }
        if argument.hasPrefix("--") { return String(argument.prefix { $0 != "=" }) }
        return argument.count == 2 && argument.last?.isLetter == true ? argument : nil
    }

    /// The values that are given to an option under any of its names.
    private static func values(of names: [String], _ arguments: ArraySlice<String>) -> [String] {
        var values: [String] = []
        var index = arguments.startIndex
        while index < arguments.endIndex, arguments[index] != "--" {
            if let name = name(of: arguments[index]), names.contains(name) {
                if let sign = arguments[index].firstIndex(of: "="), arguments[index].hasPrefix("--") {
                    values.append(String(arguments[index][sign...].dropFirst()))
                } else if index + 1 < arguments.endIndex {
                    index += 1
                    values.append(arguments[index].trimmingBlanks())
                }
            }
            index += 1
        }
        return values
    }

    /// The options of a command that take one value, each name with all names of its option.
    private static func singleValued(_ type: any ParsableCommand.Type) -> [String: [String]] {
        var found: [String: [String]] = [:]
        for option in DeclaredOption.all(of: type) where option.takesValue && !option.isRepeating {
            for name in option.names { found[name] = option.names }
        }
        return found
    }
}
