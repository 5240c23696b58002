import Foundation

/// What the process writes to, and what it can do.
public struct Terminal: Sendable {
    /// When colours are used.
    public enum ColorMode: String, Sendable, CaseIterable {
        case auto
        case always
        case never
    }

    /// Columns.
    public var width: Int
    /// Whether somebody looks at so many columns: output is a terminal, or COLUMNS says how wide it is.
    public var hasWidth: Bool
    /// Whether it knows links, or leaves them out (OSC 8).
    private let takesLinks: Bool
    /// Lines, where output is a terminal.
    public var height: Int?
    /// Whether standard output is a terminal.
    public var isInteractive: Bool
    /// Whether styles are written.
    public var hasColor: Bool
    /// Whether only ASCII is written.
    public var isASCII: Bool

    /// What `environment` and the standard streams say.
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

    /// Whether addresses are written as links: other pagers than less show what makes them.
    public func hasLinks(pager: String) -> Bool {
        let program = pager.split(separator: " ").first?.split(separator: "/").last
        return takesLinks && hasColor && program == "less"
    }

    /// Whether styles are wanted (https://no-color.org, https://bixense.com/clicolors).
    private static func wantsColor(_ environment: [String: String], isTerminal: Bool) -> Bool {
        func isSet(_ name: String) -> Bool { !["", "0"].contains(environment[name] ?? "") }
        if !environment["NO_COLOR", default: ""].isEmpty { return false }
        if isSet("CLICOLOR_FORCE") || isSet("FORCE_COLOR") { return true }
        return isTerminal && environment["CLICOLOR"] != "0"
    }

    /// Whether a person can be asked: standard input is a terminal.
    public static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Asks for a yes on standard error; anything else is a no.
    public static func confirm(_ question: String) -> Bool {
        FileHandle.standardError.write(Data((SafeText.line(question) + " [y/N] ").utf8))
        let answer = typedLine()?.lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }

    /// Asks something that takes one letter.
    /// - Returns: the first letter of the answer in lower case; empty for none, also where nobody can answer.
    public static func ask(_ question: String) -> String {
        FileHandle.standardError.write(Data((SafeText.line(question) + " ").utf8))
        return String((typedLine() ?? "").lowercased().prefix(1))
    }

    /// A line that somebody types; nil where nobody does, or where Ctrl-C was pressed that something else catches: that is
    /// no answer, where `readLine` would go on waiting for one.
    private static func typedLine() -> String? {
        guard isatty(STDIN_FILENO) == 1 else { return readLine() }
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(STDIN_FILENO, &byte, 1) == 1 {
            if byte == 0x0A { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        FileHandle.standardError.write(Data("\n".utf8))
        return nil
    }

    /// Asks for a line.
    /// - Parameter usual: what an empty line stands for.
    /// - Returns: the line without blanks at its ends; nil where nobody answers any more.
    public static func line(_ question: String, usual: String? = nil) -> String? {
        let shown = usual.map { " [\($0)]" } ?? ""
        FileHandle.standardError.write(Data((SafeText.line(question + shown) + ": ").utf8))
        guard let line = readLine() else {
            FileHandle.standardError.write(Data("\n".utf8))
            return nil
        }
        let answer = line.trimmingCharacters(in: .whitespaces)
        return answer.isEmpty ? usual ?? "" : answer
    }

    /// Asks for something that nobody else is to see.
    public static func secret(_ question: String) -> String {
        guard isatty(STDIN_FILENO) != 0 else { return readLine() ?? "" }
        FileHandle.standardError.write(Data((SafeText.line(question) + ": ").utf8))
        var former = termios()
        tcgetattr(STDIN_FILENO, &former)
        var silent = former
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSANOW, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSANOW, &former)
            FileHandle.standardError.write(Data("\n".utf8))
        }
        return readLine() ?? ""
    }

    /// Draws `text`, whose styles are the program's own, over what the screen shows.
    /// - Returns: whether all could be written.
    public func redraw(_ text: String) -> Bool {
        Terminal.write((isInteractive ? "\u{1B}[H\u{1B}[2J\u{1B}[3J" : "") + text, to: STDOUT_FILENO)
    }

    /// Writes to standard output; text longer than the screen goes through the pager.
    /// - Returns: whether all could be written; a closed pipe is no failure.
    public func write(_ text: String, pager: String?) -> Bool {
        if isInteractive, let pager, !pager.isEmpty, let height, text.utf8.count(where: { $0 == 0x0A }) >= height {
            if page(text, through: pager) { return true }
        }
        return Terminal.write(text, to: STDOUT_FILENO)
    }

    private func page(_ text: String, through pager: String) -> Bool {
        // The pager is the user's own setting, run by the shell as git and man do.
        let less = ProcessEnvironment.current["LESS"] == nil ? ["LESS": "FRX"] : [:]
        guard let status = ChildProcess.run(shell: pager, input: text, environment: less) else { return false }
        return status != 127
    }

    /// Writes all of `text`; false if that fails for another reason than a reader that has gone.
    public static func write(_ text: String, to descriptor: Int32) -> Bool {
        var text = text
        return text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    /// Writes all `bytes`; false if that fails for another reason than a reader that has gone.
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

    /// Says on standard error how far something is, over what was said before; nothing takes it away.
    public static func progress(_ text: String) {
        _ = write("\r\u{1B}[K" + SafeText.line(text), to: STDERR_FILENO)
    }
}
