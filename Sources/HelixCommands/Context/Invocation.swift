import FoundationEssentials
import Glibc
import HelixModel
import HelixSecurity
import HelixSystem
import HelixTerminal

/// All that a run of helix is given: words, environment, streams and clock. Tests run commands with their own.
struct Invocation: Sendable {
    /// The arguments, without the program's name.
    var arguments: [String]
    /// The environment variables.
    var environment: [String: String]
    /// The standard streams.
    var console: Console
    /// The current time; `HELIX_NOW` overrides it.
    var clock: @Sendable () -> Instant = { Instant.current }
    /// Whether the process ends after the run. Then its store need not be closed, and it may decide how many threads SQLite
    /// expects.
    var ownsProcess: Bool
    /// Whether a person gives the command on the screen of `helix ui`, though its streams are no terminal.
    var isOfScreen = false
    /// The lock of the home, which is open; nil if nothing protects it.
    var lock: HomeLock?
    /// The agent for which it runs; nil for a person or a script.
    var agent: AgentEntry?
    /// The open store of the program that runs the command; nil if the command opens its own.
    var lent: LentStore?

    /// The run that the process was started for.
    static var process: Invocation {
        Invocation(
            arguments: ProcessArguments.current, environment: ProcessEnvironment.current, console: .process,
            ownsProcess: true)
    }

    /// All bytes of the input.
    /// - Throws: ``HelixError`` of code `io` if it cannot be read to its end: a part of it would be taken for all.
    func inputData() throws -> Data {
        do { return try FileStream(descriptor: console.input, closes: false).readToEnd() } catch {
            throw HelixError(.io, "standard input cannot be read (\(error.systemReason))")
        }
    }
}
