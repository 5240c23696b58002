import ArgumentParser
import HelixModel

/// An option or flag of a command, as declared. Looking them up takes milliseconds: only for errors.
struct DeclaredOption: Sendable {
    /// All its names: `--project`, `-p`.
    var names: [String]
    /// Whether a value follows it.
    var takesValue: Bool
    /// Whether it may be repeated.
    var isRepeating: Bool
    /// Its purpose, as its help says.
    var summary = ""
    /// The only values that it takes; empty if it takes others.
    var choices: [String] = []
    /// The word for its value in its help.
    var value = ""

    /// Its names, with its value: `-p, --project <name>`.
    var form: String {
        let word = choices.isEmpty ? value : choices.joined(separator: "|")
        return names.joined(separator: ", ") + (takesValue ? " <\(word)>" : "") + (isRepeating ? " …" : "")
    }

    /// The options of a command, in the order of its help.
    static func all(of type: any ParsableCommand.Type) -> [DeclaredOption] {
        guard let help = try? JSONText(Array(type._dumpHelp().utf8)), let list = help["command"]?["arguments"]?.elements
        else { return [] }
        return list.compactMap { option in
            guard let kind = option["kind"]?.text, kind == "option" || kind == "flag" else { return nil }
            let names = (option["names"]?.elements ?? []).compactMap { name in
                name["name"]?.text.map { (name["kind"]?.text == "short" ? "-" : "--") + $0 }
            }
            return DeclaredOption(
                names: names, takesValue: kind == "option", isRepeating: option["isRepeating"]?.bool == true,
                summary: option["abstract"]?.text ?? "", choices: option["allValues"]?.strings ?? [],
                value: option["valueName"]?.text ?? "")
        }
    }

    /// The error for an option that a command does not have.
    static func unknown(_ name: String, of type: any ParsableCommand.Type, command: String) -> HelixError {
        let typed = String(name.prefix { $0 != "=" }.drop { $0 == "-" }).lowercased()
        let names = all(of: type).flatMap(\.names).filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
        let others = synonyms[typed].map { $0.filter(names.contains) } ?? []
        let near = others.first ?? EditDistance.suggestion(for: typed, among: names)
        return HelixError(
            .usage, "unknown option '\(name)'",
            hint: (near.map { "Did you mean --\($0)? " } ?? "") + "'helix \(command) --help' lists them.")
    }

    /// Options of other programs, each with the equivalent ones of helix.
    private static let synonyms: [String: [String]] = [
        "force": ["yes", "force"], "confirm": ["yes"], "assume-yes": ["yes"], "noconfirm": ["yes"],
        "format": ["columns", "json"], "output": ["json", "out"], "order": ["sort"], "order-by": ["sort"],
        "count": ["limit"], "max": ["limit"], "number": ["limit"], "since": ["from"], "after": ["from"],
        "until": ["to"], "before": ["to"], "where": ["location", "where"], "place": ["location"], "loc": ["location"],
        "tag": ["category", "tag"], "tags": ["category", "tag"], "guest": ["attendee"], "invite": ["attendee"],
        "reminder": ["alarm"], "remind": ["alarm"], "recur": ["repeat"], "repeats": ["repeat"], "rule": ["rrule"],
        "timezone": ["tz"], "zone": ["tz"], "length": ["duration"], "notes": ["description"], "note": ["description"],
        "quiet": ["silent"], "simulate": ["dry-run"], "pretend": ["dry-run"], "colour": ["color"],
    ]
}

/// A positional argument of a command.
struct DeclaredArgument: Sendable {
    /// The word for it in the help.
    var name: String
    /// Whether it may be left out.
    var isOptional: Bool
    /// Whether it may be repeated.
    var isRepeating: Bool
    /// Its purpose, as its help says.
    var summary: String

    /// The argument as in the usage: `<text>`, `[filter …]`.
    var form: String {
        let word = name + (isRepeating ? " …" : "")
        return (isOptional ? "[\(word)]" : "<\(word)>") + (summary.isEmpty ? "" : ": \(summary)")
    }

    /// The arguments of a command.
    static func all(of type: any ParsableCommand.Type) -> [DeclaredArgument] {
        guard let help = try? JSONText(Array(type._dumpHelp().utf8)), let list = help["command"]?["arguments"]?.elements
        else { return [] }
        return list.filter { $0["kind"]?.text == "positional" }.map { argument in
            DeclaredArgument(
                name: argument["valueName"]?.text ?? "", isOptional: argument["isOptional"]?.bool == true,
                isRepeating: argument["isRepeating"]?.bool == true, summary: argument["abstract"]?.text ?? "")
        }
    }
}
