import ArgumentParser
import FoundationEssentials
import Glibc
import HelixModel
import HelixStore
import HelixSystem
import HelixTerminal

/// Runs the commands that keys stand for, through the door that a shell has.
struct UIRunner {
    let invocation: Invocation
    /// The columns for output.
    var width = 80
    /// Whether output is coloured.
    var hasColor = true
    /// Whether commands index new mail before they begin; else the program does it beside them.
    var isIndexing = false

    /// The outcome of a command.
    struct Outcome: Sendable {
        var status: Int32
        var output: String
        var errors: String
    }

    /// The beginnings of commands that use the terminal themselves, talk with servers, or go on until they are ended.
    private static let ofTerminal: [[String]] = [
        ["mail", "new"], ["mail", "reply"], ["mail", "reply-all"], ["mail", "forward"], ["mail", "edit"],
        ["mail", "resend"], ["mail", "open"], ["mail", "bounce"], ["chat", "open"], ["chat", "ask"],
        ["chat", "follow"],
        ["watch"], ["account"], ["config", "edit"], ["restore"], ["backup"], ["vault"], ["lock"], ["unlock"], ["ui"],
        ["mcp"], ["gateway"], ["sync"], ["ask"], ["plan"], ["extract"], ["open"], ["outbox", "send"],
        ["outbox", "retry"], ["completions"], ["doctor"], ["mail", "keys"], ["review"], ["remind"],
        ["mail", "rules", "upload"], ["mail", "rules", "server"], ["mail", "triage"], ["mail", "draft"],
        ["mail", "summarize"], ["chat", "summarize"], ["chat", "suggest"], ["chat", "improve"], ["chat", "deliver"],
    ]

    /// Whether a command runs on the terminal, in place of the screen.
    func needsTerminal(_ words: [String]) -> Bool {
        if words.first == "help" { return false }
        var asked = invocation
        (asked.arguments, asked.ownsProcess) = (words, false)
        let expanded = (try? CommandAliases.expanded(asked)) ?? words
        if expanded.contains(where: { ["--watch", "--edit", "--help", "-h", "--verbose", "-v"].contains($0) }) {
            return true
        }
        if UIRunner.ofTerminal.contains(where: { expanded.starts(with: $0) }) { return true }
        // Programs named helix-NAME, and whatever is no command.
        guard let (type, _) = HelixProgram.leafType(expanded) else { return true }
        return !(type is any HelixCommand.Type) && type.configuration.subcommands.isEmpty
    }

    /// Runs a command in this process, with the store that the program has open.
    /// - Throws: ``HelixError`` if there is no memory for its output.
    func run(_ call: UICall, in store: Store? = nil) throws -> Outcome {
        let output = try MemoryFile().orThrow()
        let errors = try MemoryFile().orThrow()
        let input = try MemoryFile().orThrow()
        if let text = call.input {
            guard Terminal.write(text, to: input.descriptor), lseek(input.descriptor, 0, SEEK_SET) == 0 else {
                throw HelixError(.io, "the system has no room for the input of a command")
            }
        }
        var own = invocation
        own.arguments = call.words
        own.console = Console(input: input.descriptor, output: output.descriptor, errors: errors.descriptor)
        own.ownsProcess = false
        own.isOfScreen = !isIndexing
        own.lent = store.map(LentStore.init)
        own.environment["COLUMNS"] = "\(max(20, width))"
        if hasColor { own.environment["CLICOLOR_FORCE"] = "1" }
        let status = HelixProgram.run(own)
        return Outcome(
            status: status, output: String(decoding: output.contents(), as: UTF8.self),
            errors: String(decoding: errors.contents(), as: UTF8.self))
    }

    /// Runs a command on the terminal, as a process of its own.
    /// - Returns: its exit status; nil if it could not be started.
    func runOnTerminal(_ call: UICall) -> Int? {
        guard let program = ProcessArguments.program,
            let process = try? Subprocess(program, call.words, variables: invocation.environment)
        else { return nil }
        return process.wait()
    }

    /// Starts a command beside this program.
    func start(_ words: [String]) -> Subprocess? {
        guard let program = ProcessArguments.program else { return nil }
        return try? Subprocess(
            program, words, input: .null, output: .pipe, errors: .pipe, variables: invocation.environment, stays: true)
    }
}
