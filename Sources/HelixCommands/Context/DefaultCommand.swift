import ArgumentParser
import HelixModel
import HelixTerminal

/// The default command of a noun: `helix` is `helix today`, `helix cal` is `helix cal agenda`.
enum DefaultCommand {
    /// The nouns, each with the setting of its default command.
    static let keys: [(noun: String, key: ConfigurationKey)] = [
        ("", .defaultHelix), ("cal", .defaultCalendar), ("mail", .defaultMail), ("tasks", .defaultTasks),
        ("time", .defaultTime), ("chat", .defaultChat),
    ]

    /// The nouns whose default command is not a setting: their list.
    static let lists = ["projects", "account", "config"]

    /// The arguments with the default command added; unchanged if they name a command or request help.
    ///
    /// - Throws: ``HelixError`` of code `configuration` if the settings cannot be read.
    /// - Parameter atTerminal: whether a person sees the output, and may get a screen.
    static func expanded(
        _ typed: [String], environment: [String: String], atTerminal: Bool = false
    ) throws -> [String] {
        let arguments = withOptionsLast(typed)
        if arguments.isEmpty, atTerminal, environment[AgentEntry.variable]?.isEmpty ?? true,
            try Configuration(file: Paths(environment: environment).configuration).overlaid(by: environment)
                .bool(.defaultUI)
        {
            return ["ui"]
        }
        if let noun = arguments.first, lists.contains(noun) {
            let rest = arguments.dropFirst()
            let isAlone = rest.first.map { $0.hasPrefix("-") && !isSpecial($0) } ?? true
            return isAlone && !rest.contains(where: isSpecial) ? [noun, "list"] + rest : arguments
        }
        // An item whose history is asked for is no command: 'show' and 'list' have letters that identities lack.
        if arguments.first == "history" {
            let rest = arguments.dropFirst()
            let isCommand = rest.first.map { ["list", "show"].contains($0) } ?? false
            return isCommand || rest.contains(where: isSpecial) ? arguments : ["history", "list"] + rest
        }
        let isNoun = arguments.first.map { word in keys.contains { $0.noun == word } && !word.isEmpty } ?? false
        let rest = isNoun ? arguments.dropFirst() : arguments[...]
        guard rest.first.map({ $0.hasPrefix("-") && !isSpecial($0) }) ?? true, !rest.contains(where: isSpecial),
            let key = keys.first(where: { $0.noun == (isNoun ? arguments[0] : "") })?.key
        else { return arguments }
        let words = try words(key, environment: environment)
        return (isNoun ? [arguments[0]] : []) + words + rest
    }

    /// `helix --json cal week`: options before the noun are those of the command.
    private static func withOptionsLast(_ arguments: [String]) -> [String] {
        guard let first = arguments.first, first.hasPrefix("-"), !isSpecial(first), first != "--" else {
            return arguments
        }
        let nouns = Set(Helix.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"])
        guard let place = arguments.firstIndex(where: nouns.contains), !arguments[..<place].contains("--") else {
            return arguments
        }
        let end = arguments[place...].firstIndex(of: "--") ?? arguments.endIndex
        return Array(arguments[place..<end] + arguments[..<place] + arguments[end...])
    }

    /// Whether a word requests help or the like of the noun itself.
    private static func isSpecial(_ word: String) -> Bool {
        ["-h", "-help", "--help", "--version", "--help-hidden"].contains(word) || word.hasPrefix("---")
            || word.hasPrefix("--experimental") || word.hasPrefix("--generate")
    }

    private static func words(_ key: ConfigurationKey, environment: [String: String]) throws -> [String] {
        let paths = try Paths(environment: environment)
        let settings = try Configuration(file: paths.configuration)
        return (settings.text(key) ?? key.fallback).split(separator: " ").map(String.init)
    }

    /// Whether the words are a command of the noun, without options.
    static func isCommand(_ words: [String], of noun: String) -> Bool {
        var type: any ParsableCommand.Type = Helix.self
        for word in (noun.isEmpty ? [] : [noun]) + words {
            guard let next = type.configuration.subcommands.first(where: { $0.configuration.commandName == word })
            else { return false }
            type = next
        }
        return !words.isEmpty && (type.configuration.subcommands.isEmpty || noun.isEmpty)
    }
}
