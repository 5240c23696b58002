import ArgumentParser
import FoundationEssentials
import Glibc
import HelixCalendar
import HelixModel
import HelixStore
import HelixTerminal

/// A command: parses its arguments, calls the libraries, and presents the result.
protocol HelixCommand: ParsableCommand {
    /// Its name and help.
    static var about: CommandConfiguration { get }
    /// The reports that it prints as JSON; empty for a command that prints none.
    static var reports: [PrintedReport] { get }
    /// Whether it uses the store in several threads; else SQLite is told that there is one, which makes it faster.
    static var usesThreads: Bool { get }
    /// The output options.
    var output: OutputOptions { get }
    /// The command with only these words and no option, created without the argument parser, which takes 2 ms
    /// of a program that takes 8: the most frequent form. Nil if a command has no such form.
    static func plain(_ words: [String]) -> Self?
    /// Sets an option of the plain form: the few that scripts use most. False if it has no such option, or if the value
    /// is invalid: the argument parser words that error better.
    mutating func take(_ option: String, _ value: String) -> Bool
    /// The flags that the plain form accepts.
    static var plainFlags: Set<String> { get }
    /// Sets one of the plain flags.
    mutating func take(flag: String)
    /// Runs the command.
    func run(in context: CommandContext) throws
}

extension HelixCommand {
    static var usesThreads: Bool { false }
    static func plain(_ words: [String]) -> Self? { nil }
    mutating func take(_ option: String, _ value: String) -> Bool { false }
    static var plainFlags: Set<String> { [] }
    mutating func take(flag: String) {}

    /// The context of the command.
    private static func context(_ output: OutputOptions) throws -> CommandContext {
        do { return try CommandContext(output: output) } catch let error as HelixError
            where error.code == .configuration && self is any SettingsCommand.Type
        {
            return try CommandContext(output: output, ignoresSettings: true)
        }
    }

    func run() throws {
        if !Self.usesThreads { Store.useOneThread() }
        let context = try Self.context(output)
        context.isSilent = output.quiet && self is any ChangingCommand
        if let listing = self as? any ListingCommand {
            context.list = listing.list
            if listing.list.printsLines, output.isMachine {
                let lines = listing.list.ids ? "--ids" : "--format"
                throw HelixError(.usage, "\(lines) and \(output.isJSON ? "JSON" : "--columns") exclude each other")
            }
        }
        // The process ends after its one command: the system releases the store's file faster than closing it would.
        HelixProgram.context = context
        guard let command = self as? any ChangingCommand, command.changes.dryRun else { return try run(in: context) }
        context.isDryRun = true
        // A dry run is always rolled back.
        defer { context.endDryRun() }
        try run(in: context)
        context.noteDryRun()
    }

    static var configuration: CommandConfiguration {
        var configuration = about
        if HelixProgram.isDirect {
            // Without a command above it the parser would look for its own flags first, at a cost of 2 ms.
            configuration._superCommandName = "helix"
            configuration.helpNames = []
        }
        return configuration
    }
}

/// The entry point: runs the command that the arguments name, and ends the process with its status.
public enum HelixProgram {
    /// Whether a command is parsed on its own, without its parents.
    nonisolated(unsafe) fileprivate static var isDirect = false
    /// The context of the running command.
    nonisolated(unsafe) fileprivate static var context: CommandContext?

    /// Runs helix with the process's arguments.
    public static func main() -> Never {
        // A reader that closes its end, such as `head`, must not kill the process with a message.
        signal(SIGPIPE, SIG_IGN)
        // A file size limit is treated like a full disk: the write fails, and is reported.
        signal(SIGXFSZ, SIG_IGN)
        exit(run(withTags(ProcessArguments.current)))
    }

    /// Marks words that begin with a dash but are not options. `-phone` in a filter excludes a tag, but the argument parser
    /// would read it as `-p -h -o -n -e`, and print its help for the h: a blank before it, which filters ignore, makes it a
    /// word. The same applies to `-3d`, which is a time.
    private static func withTags(_ arguments: [String]) -> [String] {
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

    private static func run(_ typed: [String]) -> Int32 {
        if [["--version"], ["-V"], ["version"]].contains(typed) {
            let text = typed == ["version"] ? Helix.longVersionText : Helix.versionText
            return Terminal.write(text, to: STDOUT_FILENO) ? 0 : 74
        }
        var arguments = typed
        do {
            arguments = try DefaultCommand.expanded(CommandAliases.expanded(typed))
            // The argument parser needs time quadratic in their number.
            if arguments.count(where: { $0.hasPrefix("-") }) > optionLimit {
                throw HelixError(
                    .usage, "more than \(optionLimit) options",
                    hint: "Put words that begin with '-' and are not options after '--'.")
            }
            if let error = RepeatedOptions.error(arguments) { throw error }
            if let command = PlainForms.command(arguments) {
                try command.run()
                return 0
            }
            if var command = leaf(arguments) {
                try command.run()
                return 0
            }
            if let error = UnknownCommand.error(arguments) { throw error }
            var command = try Helix.parseAsRoot(UnknownCommand.asHelp(arguments) ?? arguments)
            try command.run()
            return 0
        } catch var error as HelixError {
            // The blank before a word with a dash was added above.
            if arguments.contains(where: { $0.hasPrefix(" -") }) {
                error = HelixError(
                    error.code, error.message.replacing("' -", with: "'-"),
                    hint: error.hint?.replacing("' -", with: "'-"))
            }
            report(error, json: isMachine(arguments))
            return error.code.exitStatus
        } catch {
            return end(with: error, arguments)
        }
    }

    /// The command that the first words name, parsed on its own: that takes half the time of walking down the tree.
    ///
    /// Nil for help, for completion, and for any error: then the tree is walked, which gives the best message.
    private static func leaf(_ arguments: [String]) -> (any ParsableCommand)? {
        guard let (type, rest) = leafType(arguments) else { return nil }
        guard type.configuration.subcommands.isEmpty, let leaf = type as? any HelixCommand.Type else { return nil }
        let isSpecial = rest.contains {
            ["-h", "-help", "--help", "--version"].contains($0) || $0.hasPrefix("---") || $0.hasPrefix("--experimental")
                || $0.hasPrefix("--generate")
        }
        if isSpecial { return nil }
        isDirect = true
        defer { isDirect = false }
        return try? leaf.parseAsRoot(Array(rest))
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
    private static func end(with error: any Error, _ arguments: [String]) -> Int32 {
        if let error = error as? RecurrenceRuleError {
            let problem = HelixError(.badInput, "cannot read a recurrence rule: \(error.reason)")
            report(problem, json: isMachine(arguments))
            return HelixError.Code.badInput.exitStatus
        }
        let status = Helix.exitCode(for: error)
        if status.isSuccess {
            return Terminal.write(Helix.fullMessage(for: error) + "\n", to: STDOUT_FILENO) ? 0 : 74
        }
        if status == .validationFailure {
            if let error = unknownOption(Helix.message(for: error), arguments) {
                report(error, json: isMachine(arguments))
                return HelixError.Code.usage.exitStatus
            }
            if isMachine(arguments) {
                report(HelixError(.usage, Helix.message(for: error)), json: true)
            } else {
                let text = Helix.fullMessage(for: error).replacing("Error: ", with: "helix: ", maxReplacements: 1)
                    .replacing("' -", with: "'-")
                _ = Terminal.write(SafeText.lines(text).joined(separator: "\n") + "\n", to: STDERR_FILENO)
            }
            return HelixError.Code.usage.exitStatus
        }
        report(HelixError(.unexpected, "\(error)"), json: isMachine(arguments))
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

    private static func report(_ error: HelixError, json: Bool) {
        if json {
            var inner = JSONObject()
            inner.set("code", error.code.rawValue)
            inner.set("message", error.message)
            inner.set("hint", error.hint)
            var outer = JSONObject()
            outer.set("error", .object(inner))
            _ = Terminal.write(JSONValue.object(outer).text() + "\n", to: STDERR_FILENO)
            return
        }
        let terminal = Terminal(environment: ProcessEnvironment.current)
        var canvas = Canvas(
            width: max(40, isatty(STDERR_FILENO) == 1 ? terminal.width : 100), isASCII: terminal.isASCII,
            isBounded: isatty(STDERR_FILENO) == 1)
        // A line with marks below it is not wrapped.
        let parts = error.message.split(separator: "\n  ", omittingEmptySubsequences: false).map(String.init)
        var lines = (parts[0] + ".").wrapped(canvas.textWidth - 7, keepsAddresses: true)
        canvas.line("helix: " + lines.removeFirst())
        for line in lines { canvas.line("       " + line) }
        for line in figure(Array(parts.dropFirst()), width: canvas.width - 9) { canvas.line("         " + line) }
        for line in (error.hint ?? "").wrapped(canvas.textWidth - 7, keepsAddresses: true) where !line.isEmpty {
            canvas.line("       " + line)
        }
        _ = Terminal.write(canvas.rendered(color: false), to: STDERR_FILENO)
    }
}
