import FoundationEssentials
import Glibc
import HelixSystem

/// The capabilities of a console.
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
    /// Whether the output is a terminal.
    public var isInteractive: Bool
    /// Whether styles are used.
    public var hasColor: Bool
    /// Whether output is restricted to ASCII.
    public var isASCII: Bool

    /// The streams.
    public let console: Console

    /// Detects the capabilities from `environment` and the streams.
    public init(
        _ console: Console, environment: [String: String], color: ColorMode = .auto, ascii: Bool = false
    ) {
        self.console = console
        isInteractive = console.isOutputTerminal
        var size = winsize()
        let isKnown = isInteractive && ioctl(console.output, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
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
        let parts = locale.uppercased().filter { $0 != "-" }.split { ".@".contains($0) }
        isASCII = ascii || !parts.contains("UTF8")
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

    /// Clears the screen and draws `text`, in which all styles are the program's own.
    /// - Returns: whether all of it was written.
    public func redraw(_ text: String) -> Bool {
        console.write((isInteractive ? "\u{1B}[H\u{1B}[2J\u{1B}[3J" : "") + text)
    }

    /// Writes to the output; text longer than the screen goes through the pager.
    /// - Returns: whether all of it was written; a closed pipe is no failure.
    public func write(_ text: String, pager: String?) -> Bool {
        if isInteractive, let pager, !pager.isEmpty, let height, text.utf8.count(where: { $0 == 0x0A }) >= height {
            if page(text, through: pager) { return true }
        }
        return console.write(text)
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
