import Glibc
import HelixSystem

/// The standard input, output and error of a run, as file descriptors: those of the process, or others, as in tests.
public struct Console: Sendable {
    /// The descriptor that is read.
    public let input: Int32
    /// The descriptor that results are written to.
    public let output: Int32
    /// The descriptor for errors, notes, questions and progress.
    public let errors: Int32

    /// The standard streams of the process.
    public static let process = Console(input: STDIN_FILENO, output: STDOUT_FILENO, errors: STDERR_FILENO)

    /// Uses open descriptors; they are not closed.
    public init(input: Int32, output: Int32, errors: Int32) {
        (self.input, self.output, self.errors) = (input, output, errors)
    }

    /// Whether input comes from a terminal.
    public var isInputTerminal: Bool { isatty(input) == 1 }
    /// Whether output goes to a terminal.
    public var isOutputTerminal: Bool { isatty(output) == 1 }
    /// Whether errors go to a terminal.
    public var isErrorTerminal: Bool { isatty(errors) == 1 }
    /// Whether the user can be prompted: input and errors are terminals.
    public var canAsk: Bool { isInputTerminal && isErrorTerminal }

    /// Writes results.
    /// - Returns: whether all were written; a closed pipe is no failure.
    public func write(_ text: String) -> Bool { Terminal.write(text, to: output) }

    /// Writes results.
    /// - Returns: whether all were written; a closed pipe is no failure.
    public func write(_ bytes: [UInt8]) -> Bool { Terminal.write(bytes, to: output) }

    /// Writes to the errors. A failure has no effect: there is no other place to tell it.
    public func report(_ text: String) { _ = Terminal.write(text, to: errors) }

    /// Shows progress over the previous text; it is not removed at the end.
    public func progress(_ text: String) { report("\r\u{1B}[K" + SafeText.line(text)) }
}

/// Questions, which are asked on the errors, so that results can be redirected.
extension Console {
    /// Asks for confirmation; any answer but yes is a no.
    public func confirm(_ question: String) -> Bool {
        report(SafeText.line(question) + " [y/N] ")
        let answer = typedLine()?.lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }

    /// Asks for an answer of one letter.
    /// - Returns: the first letter of the answer in lower case; empty for none, also if there is no input.
    public func ask(_ question: String) -> String {
        report(SafeText.line(question) + " ")
        return String((typedLine() ?? "").lowercased().prefix(1))
    }

    /// Asks for a line.
    /// - Parameter usual: the default for an empty line.
    /// - Returns: the line without leading and trailing blanks; nil at the end of the input.
    public func line(_ question: String, usual: String? = nil) -> String? {
        let shown = usual.map { " [\($0)]" } ?? ""
        report(SafeText.line(question + shown) + ": ")
        guard let line = readLine() else {
            report("\n")
            return nil
        }
        let start = line.drop(while: \.isWhitespace)
        let answer = String(
            start.prefix(
                start.lastIndex { !$0.isWhitespace }.map { start.distance(from: start.startIndex, to: $0) + 1 } ?? 0))
        return answer.isEmpty ? usual ?? "" : answer
    }

    /// Asks for a secret, without echo. Ctrl-C restores the terminal before it ends the process.
    public func secret(_ question: String) -> String {
        guard isInputTerminal else { return readLine() ?? "" }
        report(SafeText.line(question) + ": ")
        var former = termios()
        tcgetattr(input, &former)
        var silent = former
        // Ctrl-C ends the line instead of the process, which would leave the terminal without echo.
        silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
        withUnsafeMutableBytes(of: &silent.c_cc) { $0[Int(VEOL)] = Console.interrupt }
        tcsetattr(input, TCSANOW, &silent)
        let line = readLine(endingWith: [0x0A, Console.interrupt])
        tcsetattr(input, TCSANOW, &former)
        report("\n")
        if line.end == Console.interrupt { raise(SIGINT) }
        return line.text ?? ""
    }

    /// The byte that Ctrl-C sends.
    private static let interrupt: UInt8 = 0x03

    /// Reads a typed line; nil at the end of the input, or after a Ctrl-C that is caught elsewhere: that cancels the prompt.
    private func typedLine() -> String? {
        guard isInputTerminal else { return readLine() }
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(input, &byte, 1) == 1 {
            if byte == 0x0A { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        report("\n")
        return nil
    }

    /// Reads a line without its end; nil at the end of the input.
    private func readLine() -> String? { readLine(endingWith: [0x0A]).text }

    /// Reads up to one of some bytes, which is returned, too. Nothing after it is read: it may be meant for a program that is
    /// started later.
    private func readLine(endingWith ends: [UInt8]) -> (text: String?, end: UInt8?) {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(input, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return (bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self), nil) }
            if ends.contains(byte) { break }
            bytes.append(byte)
        }
        if bytes.last == 0x0D { bytes.removeLast() }
        return (String(decoding: bytes, as: UTF8.self), byte)
    }
}
