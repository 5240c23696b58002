import ArgumentParser
import HelixModel
import HelixTerminal

/// Completes the line of a command, as the shells do.
struct UICompletion {
    let runner: UIRunner

    /// The completions of the last of some words.
    func candidates(_ words: [String]) -> [String] {
        guard let prefix = words.last else { return [] }
        let done = Array(words.dropLast())
        var type: any ParsableCommand.Type = Helix.self
        var path: [String] = []
        for word in done {
            guard
                let next = type.configuration.subcommands.first(where: { $0.configuration.commandName == word })
            else { break }
            type = next
            path.append(word)
        }
        let verbs = type.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        if !verbs.isEmpty, path.count == done.count {
            return verbs.compactMap { $0.configuration.commandName }.filter { $0.hasPrefix(prefix) }
        }
        let options = DeclaredOption.all(of: type)
        let typed = Array(done.dropFirst(path.count))
        if let last = typed.last, let option = options.first(where: { $0.names.contains(last) }), option.takesValue {
            if !option.choices.isEmpty { return option.choices.filter { $0.hasPrefix(prefix) } }
            return custom(option.names.first { $0.hasPrefix("--") } ?? last, path, words)
        }
        if prefix.hasPrefix("-") { return options.flatMap(\.names).filter { $0.hasPrefix(prefix) && $0.count > 2 } }
        let arguments = DeclaredArgument.all(of: type)
        if arguments.isEmpty { return [] }
        let place = min(typed.filter { !$0.hasPrefix("-") }.count, arguments.count - 1)
        return custom("positional@\(place)", path, words)
    }

    /// The completions that the command itself has.
    private func custom(_ argument: String, _ path: [String], _ words: [String]) -> [String] {
        let call = UICall(
            words: ["---completion"] + path + ["--", argument, "\(words.count)", "\(words.last?.count ?? 0)", "helix"]
                + words)
        guard let outcome = try? runner.run(call), outcome.status == 0 else { return [] }
        let prefix = words.last?.lowercased() ?? ""
        return outcome.output.split(separator: "\n").map(String.init).filter { $0.lowercased().hasPrefix(prefix) }
    }

    /// The text that completes a line, and the candidates if there are several.
    static func insertion(_ candidates: [String], prefix: String) -> (text: String?, candidates: [String]) {
        guard let first = candidates.first else { return (nil, []) }
        if candidates.count == 1 { return (first.hasSuffix(":") ? first : first + " ", []) }
        var common = first
        for other in candidates.dropFirst() {
            while !other.lowercased().hasPrefix(common.lowercased()) { common.removeLast() }
        }
        return (common.count > prefix.count ? common : nil, candidates)
    }
}
