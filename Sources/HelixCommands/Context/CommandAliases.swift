import ArgumentParser
import FoundationEssentials
import Glibc
import HelixModel
import HelixTerminal

/// Alternative names of commands: the singular and the plural of a noun, short verbs of other programs, the user's aliases, and
/// programs `helix-NAME` on the PATH.
enum CommandAliases {
    /// Alternative names of nouns.
    private static let nouns: [String: [String]] = [
        "task": ["tasks"], "todo": ["tasks"], "todos": ["tasks"], "calendar": ["cal"],
        "calendars": ["cal", "calendars"],
        "event": ["cal"], "events": ["cal"], "mails": ["mail"], "email": ["mail"], "inbox": ["mail", "inbox"],
        "times": ["time"], "timer": ["time"], "project": ["projects"], "chats": ["chat"], "accounts": ["account"],
        "settings": ["config"], "agenda": ["cal", "agenda"], "board": ["tasks", "board"],
        "mailboxes": ["mail", "mailboxes"], "boards": ["tasks", "boards"],
    ]
    /// Short verbs, each with the commands that it can mean, the likeliest first.
    private static let verbs: [String: [String]] = [
        "ls": ["list", "log", "agenda"], "list": ["log", "agenda"], "rm": ["delete", "remove"],
        "del": ["delete", "remove"], "remove": ["delete"], "mv": ["move", "rename"], "cp": ["copy"], "new": ["add"],
        "create": ["add", "new"],
        "mod": ["edit"], "modify": ["edit"],
    ]

    /// The arguments with alternative names replaced; unchanged if they name a command.
    /// - Throws: ``HelixError`` for an invalid alias.
    static func expanded(_ invocation: Invocation) throws -> [String] {
        let typed = invocation.arguments
        guard let word = typed.first, !word.isEmpty, !word.hasPrefix("-"), !word.hasPrefix(" ") else { return typed }
        var arguments = typed
        if word == "help", typed.count > 1, nouns[typed[1]] == nil, !isCommand(typed[1]), !typed[1].hasPrefix("-") {
            if let own = try alias(typed[1], invocation) {
                let line = own.map { $0.contains(" ") ? "\"\($0)\"" : $0 }.joined(separator: " ")
                _ = invocation.console.write(
                    "'\(SafeText.line(typed[1]))' is an alias for '\(SafeText.line(line))'.\n\n")
                return ["help"] + commandPath(own)
            }
            try runPlugin(typed[1], ["--help"], invocation)
        }
        if word == "help", typed.count > 1 {
            let noun = nouns[typed[1]] ?? [typed[1]]
            return ["help"]
                + (isCommand(typed[1]) ? withVerbs(Array(typed.dropFirst())) : withVerbs(noun + typed.dropFirst(2)))
        }
        if !isCommand(word) {
            if let other = nouns[word] {
                arguments = other + typed.dropFirst()
            } else if let own = try alias(word, invocation) {
                arguments = own + typed.dropFirst()
            } else {
                try runPlugin(word, Array(typed.dropFirst()), invocation)
                return typed
            }
        }
        return withVerbs(arguments)
    }

    /// Replaces a short verb after a noun that has no command of that name.
    private static func withVerbs(_ arguments: [String]) -> [String] {
        guard arguments.count > 1, verbs[arguments[1]] != nil || arguments.count > 2 && verbs[arguments[2]] != nil
        else {
            return arguments
        }
        var arguments = arguments
        var type: any ParsableCommand.Type = Helix.self
        for place in arguments.indices.prefix(3) {
            let names = type.configuration.subcommands.compactMap { $0.configuration.commandName }
            if names.isEmpty { break }
            if place > 0, !names.contains(arguments[place]),
                let verb = verbs[arguments[place]]?.first(where: names.contains)
            {
                arguments[place] = verb
            }
            let word = arguments[place]
            guard let next = type.configuration.subcommands.first(where: { $0.configuration.commandName == word })
            else { break }
            type = next
        }
        return arguments
    }

    /// The leading words that name a command.
    private static func commandPath(_ words: [String]) -> [String] {
        var type: any ParsableCommand.Type = Helix.self
        return Array(
            words.prefix { word in
                guard let next = type.configuration.subcommands.first(where: { $0.configuration.commandName == word })
                else { return false }
                type = next
                return true
            })
    }

    /// Whether a word is the name of a command.
    static func isCommand(_ word: String) -> Bool {
        PlainForms.isNoun(word) || word == "help"
            || Helix.configuration.subcommands.contains { $0.configuration.commandName == word }
    }

    /// The words of the user's alias `name`; nil if it is not defined.
    private static func alias(_ name: String, _ invocation: Invocation) throws -> [String]? {
        let paths = try Paths(environment: invocation.environment)
        guard access(paths.configuration, F_OK) == 0,
            let text = try Configuration(file: paths.configuration).aliases[name]
        else { return nil }
        let words = try words(text, of: name)
        guard let first = words.first, isCommand(first) else {
            throw HelixError(
                .configuration, "the alias '\(name)' does not begin with a command of helix: '\(text)'",
                hint: "helix config set alias.\(name) 'tasks list +work'")
        }
        return words
    }

    /// The words of a line, split as a shell does: blanks in quotation marks do not separate words.
    /// - Throws: ``HelixError`` of code `configuration` for an unterminated quotation.
    static func words(_ line: String, of name: String) throws -> [String] {
        let (words, isClosed) = ShellWords.parse(line)
        guard isClosed else {
            throw HelixError(.configuration, "unterminated quotation in the alias '\(name)'")
        }
        return words
    }

    /// Replaces the process with the program `helix-NAME`, if it is on the PATH, as git and gh do.
    private static func runPlugin(
        _ name: String, _ arguments: [String], _ invocation: Invocation
    ) throws {
        let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        guard isName, invocation.ownsProcess, let path = invocation.environment["PATH"] else { return }
        for folder in path.split(separator: ":") where folder.hasPrefix("/") {
            let program = "\(folder)/helix-\(name)"
            guard access(program, X_OK) == 0 else { continue }
            try AgentGate.enter(plugin: name, invocation)
            let words = ([program] + arguments).map { strdup($0) }
            defer { for word in words { free(word) } }
            // Other programs expect the default signal handling.
            signal(SIGPIPE, SIG_DFL)
            signal(SIGXFSZ, SIG_DFL)
            execv(program, words + [nil])
            throw HelixError(.io, "\(program) cannot be run: \(String(cString: strerror(errno)))")
        }
    }
}
