import ArgumentParser
import HelixModel

/// A word where the name of a command is expected.
enum UnknownCommand {
    /// The error for the first unknown command, with the closest known one; nil if all are commands.
    static func error(_ arguments: [String]) -> HelixError? {
        var type: any ParsableCommand.Type = Helix.self
        var path = ["helix"]
        var words = arguments[...]
        // `helix help cal wek`
        if words.first == "help" { words = words.dropFirst() }
        while let word = words.popFirst(), !word.hasPrefix("-"), !word.hasPrefix(" ") {
            let below = type.configuration.subcommands
            if below.isEmpty { return nil }
            if let next = below.first(where: { name(of: $0) == word }) {
                (type, path) = (next, path + [word])
                continue
            }
            if word == "help" { continue }
            // `helix mail search` accepts words, `helix tasks boards` does not.
            if let usual = type.configuration.defaultSubcommand, usual.helpMessage().contains("ARGUMENTS:") {
                // `helix chat sned ana hi`: the default command takes one word.
                let names = below.filter { $0.configuration.shouldDisplay }.map(name)
                let isVerb = !usual.helpMessage().contains("...") && words.first.map { !$0.hasPrefix("-") } ?? false
                guard isVerb, EditDistance.suggestion(for: word.lowercased(), among: names) != nil else { return nil }
                return error(word, path, below)
            }
            return error(word, path, below)
        }
        return nil
    }

    /// `help cal` for `cal help`; nil for other arguments.
    static func asHelp(_ arguments: [String]) -> [String]? {
        guard arguments.count > 1, arguments.last == "help" else { return nil }
        var type: any ParsableCommand.Type = Helix.self
        for word in arguments.dropLast() {
            guard let next = type.configuration.subcommands.first(where: { name(of: $0) == word }) else { return nil }
            type = next
        }
        return type.configuration.subcommands.isEmpty ? nil : ["help"] + arguments.dropLast()
    }

    private static func name(of type: any ParsableCommand.Type) -> String { type.configuration.commandName ?? "" }

    private static func error(_ word: String, _ path: [String], _ below: [any ParsableCommand.Type]) -> HelixError {
        let names = below.filter { $0.configuration.shouldDisplay }.map(name)
        var near = EditDistance.suggestion(for: word.lowercased(), among: names).map { path + [$0] }
        // `helix cal ad`, `helix tasks new`
        if near == nil {
            let begun = names.filter { word.count >= 2 && $0.hasPrefix(word.lowercased()) }
            let verb = begun.count == 1 ? begun.first : verbs[word.lowercased()]?.first(where: names.contains)
            near = verb.map { path + [$0] }
        }
        // `helix week`: the command of a noun.
        if near == nil, path.count == 1 {
            near =
                below.lazy.compactMap { noun -> [String]? in
                    let verbs = noun.configuration.subcommands.map(name)
                    return verbs.contains(word.lowercased()) ? path + [name(of: noun), word.lowercased()] : nil
                }.first ?? aliases[word.lowercased()].map { path + $0 }
        }
        let advice = near.map { "Did you mean '\($0.joined(separator: " "))'? " } ?? ""
        return HelixError(
            .usage, "unknown command '\((path + [word]).joined(separator: " "))'",
            hint: "\(advice)Use one of: \(names.joined(separator: ", ")).")
    }

    /// Verbs of other programs, each with the equivalent ones of helix, the likeliest first.
    private static let verbs: [String: [String]] = [
        "remove": ["delete"], "rm": ["delete"], "del": ["delete"], "new": ["add", "new"], "create": ["add", "new"],
        "modify": ["edit"], "mod": ["edit"], "change": ["edit"], "update": ["edit"], "list": ["log", "agenda"],
        "ls": ["list", "log", "agenda"], "info": ["show"], "view": ["show"], "complete": ["done"], "finish": ["done"],
        "find": ["search"], "query": ["search"], "annotate": ["edit"], "agenda": ["list"], "summary": ["report"],
        "track": ["add"], "continue": ["resume"], "duplicate": ["copy"], "cp": ["copy"], "mv": ["move"],
    ]

    /// Nouns of other programs.
    private static let aliases: [String: [String]] = [
        "calendar": ["cal"], "khal": ["cal"], "todo": ["tasks"], "email": ["mail"], "inbox": ["mail", "inbox"],
        "track": ["time"], "timer": ["time"], "settings": ["config"], "setup": ["account", "add"],
        "agenda": ["cal", "agenda"],
        "ls": ["tasks", "list"], "event": ["cal"], "events": ["cal"], "contacts": ["mail", "people"],
        "queries": ["fields"], "filter": ["fields"], "filters": ["fields"],
    ]
}
