import FoundationEssentials
import Glibc
import HelixSystem

/// The standard streams of the process and their capabilities.
public struct Terminal: Sendable {
    /// The condition under which colours are used.
    public enum ColorMode: String, Sendable, CaseIterable {
        case auto
        case always
        case never
    }

    /// The number of columns.
    public var width: Int
    /// Whether the width is known: output is a terminal, or COLUMNS sets it.
    public var hasWidth: Bool
    /// Whether the terminal supports links, or ignores them (OSC 8).
    private let takesLinks: Bool
    /// The number of lines, if output is a terminal.
    public var height: Int?
    /// Whether standard output is a terminal.
    public var isInteractive: Bool
    /// Whether styles are used.
    public var hasColor: Bool
    /// Whether output is restricted to ASCII.
    public var isASCII: Bool

    /// Detects the capabilities from `environment` and the standard streams.
    public init(environment: [String: String], color: ColorMode = .auto, ascii: Bool = false) {
        isInteractive = isatty(STDOUT_FILENO) == 1
        var size = winsize()
        let isKnown = isInteractive && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { (20...1000).contains($0) ? $0 : nil }
        hasWidth = isInteractive || columns != nil
        takesLinks = isInteractive && !["dumb", "linux"].contains(environment["TERM"] ?? "dumb")
        width = columns ?? (isKnown ? max(20, Int(size.ws_col)) : 80)
        height = isKnown ? Int(size.ws_row) : nil
        let isDumb = environment["TERM"] == "dumb"
        switch color {
        case .always: hasColor = true
        case .never: hasColor = false
        case .auto: hasColor = Terminal.wantsColor(environment, isTerminal: isInteractive && !isDumb)
        }
        let locale =
            environment["LC_ALL"].flatMap { $0.isEmpty ? nil : $0 }
            ?? environment["LC_CTYPE"].flatMap { $0.isEmpty ? nil : $0 } ?? environment["LANG"] ?? ""
        let encoding = locale.uppercased()
        isASCII = ascii || !(encoding.contains("UTF-8") || encoding.contains("UTF8"))
    }

    /// Whether web addresses are written as links: pagers other than less show the escape sequences.
    public func hasLinks(pager: String) -> Bool {
        let program = pager.split(separator: " ").first?.split(separator: "/").last
        return takesLinks && hasColor && program == "less"
    }

    /// Whether styles are enabled (https://no-color.org, https://bixense.com/clicolors).
    private static func wantsColor(_ environment: [String: String], isTerminal: Bool) -> Bool {
        func isSet(_ name: String) -> Bool { !["", "0"].contains(environment[name] ?? "") }
        if !environment["NO_COLOR", default: ""].isEmpty { return false }
        if isSet("CLICOLOR_FORCE") || isSet("FORCE_COLOR") { return true }
        return isTerminal && environment["CLICOLOR"] != "0"
    }

    /// Whether the user can be prompted: standard input and standard error are terminals.
    public static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Asks for confirmation on standard error; any answer but yes is a no.
    public static func confirm(_ question: String) -> Bool {
        FileStream.standardError.say(SafeText.line(question) + " [y/N] ")
        let answer = typedLine()?.lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }

    /// Asks for an answer of one letter.
    /// - Returns: the first letter of the answer in lower case; empty for none, also if there is no input.
    public static func ask(_ question: String) -> String {
        FileStream.standardError.say(SafeText.line(question) + " ")
        return String((typedLine() ?? "").lowercased().prefix(1))
    }

    /// Reads a typed line; nil at the end of the input, or after a Ctrl-C that is caught elsewhere: that cancels the prompt,
    /// where `readLine` would go on waiting.
    private static func typedLine() -> String? {
        guard isatty(STDIN_FILENO) == 1 else { return readLine() }
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(STDIN_FILENO, &byte, 1) == 1 {
            if byte == 0x0A { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        FileStream.standardError.say("\n")
        return nil
    }

    /// Asks for a line.
    /// - Parameter usual: the default for an empty line.
    /// - Returns: the line without leading and trailing blanks; nil at the end of the input.
    public static func line(_ question: String, usual: String? = nil) -> String? {
        let shown = usual.map { " [\($0)]" } ?? ""
        FileStream.standardError.say(SafeText.line(question + shown) + ": ")
        guard let line = readLine() else {
            FileStream.standardError.say("\n")
            return nil
        }
        let start = line.drop(while: \.isWhitespace)
        let answer = String(
            start.prefix(
                start.lastIndex { !$0.isWhitespace }.map { start.distance(from: start.startIndex, to: $0) + 1 } ?? 0))
        return answer.isEmpty ? usual ?? "" : answer
    }

    /// Asks for a secret, without echo.
    public static func secret(_ question: String) -> String {
        guard isatty(STDIN_FILENO) != 0 else { return readLine() ?? "" }
        FileStream.standardError.say(SafeText.line(question) + ": ")
        var former = termios()
        tcgetattr(STDIN_FILENO, &former)
        var silent = former
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSANOW, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSANOW, &former)
            FileStream.standardError.say("\n")
        }
        return readLine() ?? ""
    }

    /// Clears the screen and draws `text`, in which all styles are the program's own.
    /// - Returns: whether all of it was written.
    public func redraw(_ text: String) -> Bool {
        Terminal.write((isInteractive ? "\u{1B}[H\u{1B}[2J\u{1B}[3J" : "") + text, to: STDOUT_FILENO)
    }

    /// Writes to standard output; text longer than the screen goes through the pager.
    /// - Returns: whether all of it was written; a closed pipe is no failure.
    public func write(_ text: String, pager: String?) -> Bool {
        if isInteractive, let pager, !pager.isEmpty, let height, text.utf8.count(where: { $0 == 0x0A }) >= height {
            if page(text, through: pager) { return true }
        }
        return Terminal.write(text, to: STDOUT_FILENO)
    }

    private func page(_ text: String, through pager: String) -> Bool {
        // The pager is the user's own setting, run in the shell as git and man do.
        let less = ProcessEnvironment.current["LESS"] == nil ? ["LESS": "FRX"] : [:]
        guard let status = ChildProcess.run(shell: pager, input: text, environment: less) else { return false }
        return status != 127
    }

    /// Writes all of `text`; false after any failure but a closed pipe.
    public static func write(_ text: String, to descriptor: Int32) -> Bool {
        var text = text
        return text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    /// Writes all `bytes`; false after any failure but a closed pipe.
    public static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { write($0, to: descriptor) }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
            if count < 0 {
                if errno == EINTR { continue }
                return errno == EPIPE
            }
            offset += count
        }
        return true
    }
}

extension Terminal {
    /// Whether standard error is a terminal.
    public static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Shows progress on standard error, over the previous text; it is not removed at the end.
    public static func progress(_ text: String) {
        _ = write("\r\u{1B}[K" + SafeText.line(text), to: STDERR_FILENO)
    }
}
