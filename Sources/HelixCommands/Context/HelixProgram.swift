import ArgumentParser
import FoundationEssentials
import Glibc
import HelixCalendar
import HelixModel
import HelixTerminal

/// The entry point: runs the command that the arguments name, and ends the process with its status.
public enum HelixProgram {
    /// Whether a command is parsed on its own, without its parents.
    @TaskLocal static var isDirect = false

    /// Runs helix with the process's arguments.
    public static func main() -> Never {
        // A reader that closes its end, such as `head`, must not kill the process with a message.
        signal(SIGPIPE, SIG_IGN)
        // A file size limit is treated like a full disk: the write fails, and is reported.
        signal(SIGXFSZ, SIG_IGN)
        exit(run(.process))
    }

    /// Marks words that begin with a dash but are not options. `-phone` in a filter excludes a tag, but the argument parser
    /// would read it as `-p -h -o -n -e`, and print its help for the h: a blank before it, which filters ignore, makes it a
    /// word. The same applies to `-3d`, which is a time.
    private static func protectingWords(_ arguments: [String]) -> [String] {
        guard arguments.first == "tasks" || arguments.first == "time" else {
            let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
            return arguments[..<end].map { isNegative($0) ? " " + $0 : $0 } + arguments[end...]
        }
        let known: Set<Character> = ["h", "p", "y", "o", "c", "q", "v"]
        var isPlain = false
        return arguments.map { word in
            if word == "--" { isPlain = true }
            if !isPlain, isNegative(word) { return " " + word }
            guard !isPlain, word.hasPrefix("-"), let first = word.dropFirst().first, first.isLetter || first == "_"
            else {
                return word
            }
            return word.count == 2 && known.contains(first) || word == "-help" ? word : " " + word
        }
    }

    /// Whether a word is a negative number, with or without a unit.
    private static func isNegative(_ word: String) -> Bool {
        word.hasPrefix("-") && word.dropFirst().first.map { $0.isASCII && $0.isNumber } == true
    }

    /// The maximum number of words that begin with a dash.
    private static let optionLimit = 2_000

    /// Runs the command that the arguments of an invocation name.
    /// - Returns: the exit status.
    static func run(_ given: Invocation) -> Int32 {
        if [["--version"], ["-V"], ["version"]].contains(given.arguments) {
            let text = given.arguments == ["version"] ? Helix.longVersionText : Helix.versionText
            return given.console.write(text) ? 0 : 74
        }
        let invocation: Invocation
        do { invocation = try AgentEntry.entered(given) } catch {
            report(error as? HelixError ?? HelixError(.unexpected, "\(error)"), json: isMachine(given.arguments), given)
            return (error as? HelixError)?.code.exitStatus ?? 1
        }
        let typed = invocation.arguments
        var arguments = typed
        do {
            // An alias may name a command whose words may begin with a dash.
            arguments = try DefaultCommand.expanded(
                protectingWords(CommandAliases.expanded(invocation)), environment: invocation.environment,
                atTerminal: invocation.console.isInputTerminal && invocation.console.isOutputTerminal)
            // The argument parser needs time quadratic in their number.
            if arguments.count(where: { $0.hasPrefix("-") }) > optionLimit {
                throw HelixError(
                    .usage, "more than \(optionLimit) options",
                    hint: "Put words that begin with '-' and are not options after '--'.")
            }
            if let error = RepeatedOptions.error(arguments) { throw error }
            if let command = PlainForms.command(arguments) {
                try perform(command, invocation)
                return 0
            }
            if let command = leaf(arguments) {
                try perform(command, invocation)
                return 0
            }
            if let error = UnknownCommand.error(arguments) { throw error }
            var command = try Helix.parseAsRoot(UnknownCommand.asHelp(arguments) ?? arguments)
            if let command = command as? any HelixCommand {
                try perform(command, invocation)
            } else {
                try command.run()
            }
            return 0
        } catch var error as HelixError {
            // The blank before a word with a dash was added above.
            if arguments.contains(where: { $0.hasPrefix(" -") }) {
                error = HelixError(
                    error.code, error.message.replacing("' -", with: "'-"),
                    hint: error.hint?.replacing("' -", with: "'-"))
            }
            report(error, json: isMachine(arguments), invocation)
            return error.code.exitStatus
        } catch {
            return end(with: error, arguments, invocation)
        }
    }

    /// The command that the first words name, parsed on its own: that takes half the time of walking down the tree.
    ///
    /// Nil for help, for completion, and for any error: then the tree is walked, which gives the best message.
    private static func leaf(_ arguments: [String]) -> (any HelixCommand)? {
        guard let (type, rest) = leafType(arguments) else { return nil }
        guard type.configuration.subcommands.isEmpty, let leaf = type as? any HelixCommand.Type else { return nil }
        let isSpecial = rest.contains {
            ["-h", "-help", "--help", "--version"].contains($0) || $0.hasPrefix("---") || $0.hasPrefix("--experimental")
                || $0.hasPrefix("--generate")
        }
        if isSpecial { return nil }
        return $isDirect.withValue(true) { (try? leaf.parseAsRoot(Array(rest))) as? any HelixCommand }
    }

    /// The command that the first words name, and the words after them; nil if there is no such command.
    static func leafType(_ arguments: [String]) -> (type: any ParsableCommand.Type, rest: ArraySlice<String>)? {
        var type: any ParsableCommand.Type = Helix.self
        var rest = arguments[...]
        if let known = PlainForms.type(arguments) { (type, rest) = (known.type, arguments.dropFirst(known.count)) }
        while let word = rest.first, !type.configuration.subcommands.isEmpty {
            guard let next = type.configuration.subcommands.first(where: { $0.configuration.commandName == word })
            else {
                return nil
            }
            type = next
            rest = rest.dropFirst()
        }
        return (type, rest)
    }

    private static func isMachine(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains { $0 == "--json" || $0 == "--jsonl" || $0.hasPrefix("--fields") }
    }

    /// Ends with help and usage errors, which the argument parser words itself.
    private static func end(
        with error: any Error, _ arguments: [String], _ invocation: Invocation
    ) -> Int32 {
        if let error = error as? RecurrenceRuleError {
            let problem = HelixError(.badInput, "cannot read a recurrence rule: \(error.reason)")
            report(problem, json: isMachine(arguments), invocation)
            return HelixError.Code.badInput.exitStatus
        }
        let status = Helix.exitCode(for: error)
        if status.isSuccess {
            return invocation.console.write(Helix.fullMessage(for: error) + "\n") ? 0 : 74
        }
        if status == .validationFailure {
            let message = Helix.message(for: error)
            if let error = unknownOption(message, arguments) {
                report(error, json: isMachine(arguments), invocation)
                return HelixError.Code.usage.exitStatus
            }
            if isMachine(arguments) {
                report(HelixError(.usage, message), json: true, invocation)
            } else {
                let text = Helix.fullMessage(for: error)
                    .replacing("Error: ", with: "helix: ", maxReplacements: 1).replacing("' -", with: "'-")
                invocation.console.report(SafeText.lines(text).joined(separator: "\n") + "\n")
            }
            return HelixError.Code.usage.exitStatus
        }
        report(HelixError(.unexpected, "\(error)"), json: isMachine(arguments), invocation)
        return HelixError.Code.unexpected.exitStatus
    }

    /// The error for an unknown option. The argument parser would suggest `--json` for `--from`.
    private static func unknownOption(_ message: String, _ arguments: [String]) -> HelixError? {
        guard message.hasPrefix("Unknown option '"), let (type, rest) = leafType(arguments) else { return nil }
        let name = message.dropFirst("Unknown option '".count).prefix { $0 != "'" }
        let path = arguments.prefix(arguments.count - rest.count).joined(separator: " ")
        return DeclaredOption.unknown(String(name), of: type, command: path)
    }

    /// A line and the marks below it; only the end with the marks if the line is too long.
    private static func figure(_ lines: [String], width: Int) -> [String] {
        guard lines.count == 2, max(lines[0].count, lines[1].count) > width else { return lines }
        let surplus = max(0, min(lines[1].count + 8, lines[0].count) - width)
        return [
            (surplus > 0 ? "…" : "") + lines[0].dropFirst(surplus + (surplus > 0 ? 1 : 0)).prefix(width - 1),
            String(lines[1].dropFirst(surplus)),
        ]
    }

    private static func report(_ error: HelixError, json: Bool, _ invocation: Invocation) {
        let console = invocation.console
        if json {
            var inner = JSONObject()
            inner.set("code", error.code.rawValue)
            inner.set("message", error.message)
            inner.set("hint", error.hint)
            var outer = JSONObject()
            outer.set("error", .object(inner))
            console.report(JSONValue.object(outer).text() + "\n")
            return
        }
        let terminal = Terminal(console, environment: invocation.environment)
        var canvas = Canvas(
            width: max(40, console.isErrorTerminal ? terminal.width : 100), isASCII: terminal.isASCII,
            isBounded: console.isErrorTerminal)
        // A line with marks below it is not wrapped.
        let parts = error.message.split(separator: "\n  ", omittingEmptySubsequences: false).map(String.init)
        var lines = (parts[0] + ".").wrapped(canvas.textWidth - 7, keepsAddresses: true)
        canvas.line("helix: " + lines.removeFirst())
        for line in lines { canvas.line("       " + line) }
        for line in figure(Array(parts.dropFirst()), width: canvas.width - 9) { canvas.line("         " + line) }
        for line in (error.hint ?? "").wrapped(canvas.textWidth - 7, keepsAddresses: true) where !line.isEmpty {
            canvas.line("       " + line)
        }
        console.report(canvas.rendered(color: false))
    }
}
