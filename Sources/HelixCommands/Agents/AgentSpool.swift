import Glibc
import HelixModel
import HelixSystem
import HelixTerminal

/// The streams of a command whose changes become a proposal. While it runs it holds the store's lock, since its view of the store is
/// a transaction that never ends: so it must wait neither for what it reads nor for whoever reads what it writes.
struct AgentSpool {
    /// The run, with streams that never wait.
    private(set) var invocation: Invocation
    private let output: MemoryFile
    private let input: MemoryFile?
    private let console: Console

    /// Reads standard input to its end, if a word of the command names it.
    /// - Throws: ``HelixError`` of code `io` if there is no room, or if standard input cannot be read.
    init(_ given: Invocation) throws {
        guard let output = MemoryFile() else {
            throw HelixError(.io, "the system has no room for the output of a command")
        }
        (console, self.output) = (given.console, output)
        var input: MemoryFile?
        if given.arguments.contains(where: { $0 == "-" || $0.hasSuffix("=-") }), !given.console.isInputTerminal {
            let bytes = Array(try given.inputData())
            guard let file = MemoryFile(), Console(input: 0, output: file.descriptor, errors: 2).write(bytes),
                lseek(file.descriptor, 0, SEEK_SET) == 0
            else { throw HelixError(.io, "the system has no room for standard input") }
            input = file
        }
        self.input = input
        invocation = given
        // An editor waits, too.
        (invocation.environment["EDITOR"], invocation.environment["VISUAL"]) = (nil, nil)
        invocation.console = Console(
            input: input?.descriptor ?? console.input, output: output.descriptor, errors: console.errors)
        // The store is closed before the output is written.
        invocation.ownsProcess = false
    }

    /// Runs a command, and writes its output when the store is free again.
    /// - Throws: the errors of the command; ``HelixError`` of code `io` if its output cannot be written.
    func run(_ body: (Invocation) throws -> Void) throws {
        let result = Result { try body(invocation) }
        let isWritten = console.write(output.contents())
        try result.get()
        if !isWritten { throw HelixError(.io, "the output cannot be written", hint: "Is the disk full?") }
    }
}
