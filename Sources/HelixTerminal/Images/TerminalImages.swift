import Glibc

/// The form in which a terminal shows images, and what a picture must know of it.
public struct TerminalImages: Hashable, Sendable {
    /// The forms.
    public enum Form: Sendable {
        /// The graphics protocol of kitty, with PNG.
        case kitty
        /// Sixel, of the VT340.
        case sixel
    }

    /// The form.
    public var form: Form
    /// Whether the background is dark; terminals that do not say are taken as dark.
    public var isDark: Bool
    /// The size of a cell in pixels.
    public var cellWidth, cellHeight: Int

    /// Asks a terminal: for kitty's protocol, for its background (OSC 11), and for its attributes (DA1), which every terminal
    /// answers, so that nobody waits for the other answers.
    ///
    /// - Returns: nil if it shows no images, or if input or output is no terminal.
    public static func detect(_ console: Console, environment: [String: String]) -> TerminalImages? {
        guard console.isInputTerminal, console.isOutputTerminal,
            !["", "dumb", "linux"].contains(environment["TERM"] ?? "")
        else { return nil }
        var former = termios()
        guard tcgetattr(console.input, &former) == 0 else { return nil }
        var mode = former
        mode.c_lflag &= ~UInt32(ICANON | ECHO)
        tcsetattr(console.input, TCSADRAIN, &mode)
        defer { tcsetattr(console.input, TCSADRAIN, &former) }
        guard console.write(question) else { return nil }
        return TerminalImages(answers: answers(of: console.input), cell: cell(of: console))
    }

    /// The questions, the last of which every terminal answers.
    static let question = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\" + "\u{1B}]11;?\u{1B}\\" + "\u{1B}[c"

    /// Whether the last answer is among the bytes.
    static func isComplete(_ answers: [UInt8]) -> Bool { !attributes(String(decoding: answers, as: UTF8.self)).isEmpty }

    /// The size of a cell of a terminal in pixels; nil if it does not tell.
    static func cell(of console: Console) -> (width: Int, height: Int)? {
        var size = winsize()
        guard ioctl(console.output, UInt(TIOCGWINSZ), &size) == 0, size.ws_xpixel > 0, size.ws_col > 0, size.ws_row > 0
        else { return nil }
        return (Int(size.ws_xpixel / size.ws_col), Int(size.ws_ypixel / size.ws_row))
    }

    /// Reads the answers of a terminal.
    /// - Parameter cell: the size of a cell in pixels; nil if it is not known.
    public init?(answers: [UInt8], cell: (width: Int, height: Int)?) {
        let text = String(decoding: answers, as: UTF8.self)
        if text.contains("_Gi=31;OK") {
            form = .kitty
        } else if TerminalImages.attributes(text).dropFirst().contains("4") {
            form = .sixel
        } else {
            return nil
        }
        isDark = TerminalImages.brightness(text).map { $0 < 0.5 } ?? true
        (cellWidth, cellHeight) = (max(4, cell?.width ?? 10), max(8, cell?.height ?? 20))
    }

    /// Reads until the answer to DA1 has come, for a second at most.
    private static func answers(of input: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 512)
        for _ in 0..<100 {
            var descriptor = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, 1000) > 0 else { break }
            let count = Glibc.read(input, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
            if isComplete(bytes) { break }
        }
        return bytes
    }

    /// The numbers of an answer to DA1: `ESC [ ? 62 ; 4 c`.
    private static func attributes(_ text: String) -> [Substring] {
        guard let start = text.firstRange(of: "\u{1B}[?")?.upperBound, let end = text[start...].firstIndex(of: "c")
        else { return [] }
        return text[start..<end].split(separator: ";")
    }

    /// The brightness of a background, from 0 to 1: `ESC ] 11 ; rgb:1a1a/1b1b/1e1e`.
    private static func brightness(_ text: String) -> Double? {
        guard let start = text.firstRange(of: "]11;rgb:")?.upperBound else { return nil }
        let parts = text[start...].prefix { $0.isHexDigit || $0 == "/" }.split(separator: "/").map { part in
            Int(part, radix: 16).map { Double($0) / Double((1 << (4 * part.count)) - 1) }
        }
        guard parts.count == 3, let red = parts[0], let green = parts[1], let blue = parts[2] else { return nil }
        return 0.299 * red + 0.587 * green + 0.114 * blue
    }
}
