import CTerminal
import Glibc

/// The whole screen of a terminal, on its alternate screen: keys without echo, and frames that are drawn by their differences.
///
/// The terminal is restored when the screen is closed, when the process is stopped, and when it crashes.
public final class FullScreen {
    /// An event other than a key or the mouse.
    public enum Notice: Hashable, Sendable {
        /// The window has another size.
        case resized
        /// The process goes on after it was stopped.
        case resumed
        /// Ctrl-Z of another process.
        case stop
        /// The process has to end: the terminal is gone, or somebody ended it.
        case end
    }

    private let console: Console
    private var theme: ScreenTheme
    private let hasMouse: Bool
    private let isASCII: Bool
    private let asksForImages: Bool
    private var wake: Int32 = -1
    private var writer: FrameWriter
    private var decoder = KeyDecoder()
    private var hasAsked = false
    /// The images that the terminal shows; nil before it has answered, and if it shows none.
    public private(set) var images: TerminalImages?

    /// Opens the screen.
    /// - Parameters:
    ///   - theme: the colours.
    ///   - mouse: whether the mouse is used; then the terminal selects text only with Shift.
    /// - Returns: nil if the streams are no terminal.
    ///   - images: whether the terminal is asked for images.
    public init?(_ console: Console, theme: ScreenTheme, mouse: Bool, ascii: Bool, images asksForImages: Bool) {
        guard console.isInputTerminal, console.isOutputTerminal else { return nil }
        (self.console, self.theme, hasMouse, isASCII) = (console, theme, mouse, ascii)
        self.asksForImages = asksForImages
        writer = FrameWriter(theme: theme, ascii: ascii)
        guard open() else { return nil }
    }

    deinit { close() }

    /// Opens the screen again after ``close()``.
    /// - Returns: whether that was possible.
    @discardableResult
    public func open() -> Bool {
        if wake >= 0 { return true }
        wake = helix_screen_open(console.input, console.output)
        guard wake >= 0 else { return false }
        writer.forget()
        decoder = KeyDecoder()
        // The alternate screen, pastes in marks, buttons and drags of the mouse in the form without a limit of columns.
        var text = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h"
        if hasMouse { text += "\u{1B}[?1002h\u{1B}[?1006h" }
        return console.write(text + theme.base + "\u{1B}[2J")
    }

    /// Restores the terminal, such as for an editor.
    public func close() {
        guard wake >= 0 else { return }
        helix_screen_close()
        wake = -1
    }

    /// Stops the process, as Ctrl-Z does, and opens the screen again when it goes on.
    public func suspend() {
        close()
        kill(0, SIGTSTP)
        open()
    }

    /// The current size; 80 by 24 if the terminal does not know it.
    public var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(console.output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Draws a frame.
    /// - Returns: whether it was written.
    public func draw(_ frame: ScreenFrame) -> Bool {
        let bytes = writer.bytes(for: frame)
        guard bytes.isEmpty || console.write(bytes) else { return false }
        // After the first frame, for which nobody waits then.
        if asksForImages, !hasAsked {
            hasAsked = true
            return console.write(TerminalImages.question)
        }
        return true
    }

    /// Reads the answers to the question about images, which come among the keys.
    private func learn() {
        guard images == nil, TerminalImages.isComplete(decoder.replies) else { return }
        images = TerminalImages(answers: decoder.replies, cell: TerminalImages.cell(of: console))
        decoder.replies = []
        if let images { writer.use(images) }
    }

    /// Takes other colours; nil for those of the terminal.
    public func set(colors: ScreenTheme.Colors?) {
        theme = theme.with(colors)
        writer = FrameWriter(theme: theme, ascii: isASCII)
        if let images { writer.use(images) }
    }

    /// Draws everything anew with the next frame.
    public func forget() { writer.forget() }

    /// Waits for keys.
    /// - Parameters:
    ///   - milliseconds: the longest wait.
    ///   - others: descriptors that end the wait when they become readable.
    /// - Returns: the keys, and other events; both empty after the wait.
    public func events(within milliseconds: Int32, besides others: [Int32] = []) -> (keys: [InputEvent], [Notice]) {
        var descriptors = ([console.input, wake] + others).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // Escape alone is a key, if nothing follows it soon.
        let wait = decoder.isPending ? min(milliseconds, FullScreen.escapeWait) : milliseconds
        poll(&descriptors, UInt(descriptors.count), wait)
        var notices: [Notice] = []
        while true {
            let number = helix_screen_signal()
            if number == 0 { break }
            switch number {
            case SIGWINCH: notices.append(.resized)
            case SIGCONT: notices.append(.resumed)
            case SIGTSTP: notices.append(.stop)
            default: notices.append(.end)
            }
        }
        guard descriptors[0].revents != 0 else { return (decoder.flush(), notices) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(console.input, &bytes, bytes.count)
        if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN { return ([], notices + [.end]) }
        let keys = decoder.take(bytes.prefix(max(0, count)))
        learn()
        return (keys, notices)
    }

    /// Whether a key waits to be read.
    public var hasInput: Bool {
        var descriptor = pollfd(fd: console.input, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 0) > 0
    }

    /// The time in milliseconds after which Escape is a key of its own.
    private static let escapeWait: Int32 = 40
}
