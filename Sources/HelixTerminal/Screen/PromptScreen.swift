import FoundationEssentials
import Glibc

/// A prompt in the last rows of a terminal, with other output printed above it. It uses only the simplest sequences, so that
/// it works in any terminal and over any connection.
public final class PromptScreen {
    private let console: Console
    private var saved: termios?
    /// The widths of the prompt's rows down to that of the cursor, and the cursor's column.
    private var above: [Int] = []
    private var column = 0
    private var isShown = false
    /// The text drawn last, and the width of the terminal then.
    private var drawn = (text: "", columns: 0)

    /// Creates a prompt, and starts reading single keys.
    public init(_ console: Console) {
        self.console = console
        var mode = termios()
        guard tcgetattr(console.input, &mode) == 0 else { return }
        saved = mode
        takeKeys()
    }

    deinit { giveBack() }

    /// Switches the terminal to single keys.
    public func takeKeys() {
        guard var mode = saved else { return }
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        mode.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
        tcsetattr(console.input, TCSADRAIN, &mode)
        // Bracketed paste: pasted text is enclosed in marks.
        put("\u{1B}[?2004h")
    }

    /// Removes the prompt while something else is printed: keys are buffered without echo, and Ctrl-C is a signal.
    public func giveSignals() {
        clear()
        guard var mode = saved else { return }
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
        // Ctrl-C keeps the typed input.
        mode.c_lflag |= tcflag_t(NOFLSH)
        tcsetattr(console.input, TCSADRAIN, &mode)
    }

    /// Restores the terminal's former mode.
    public func giveBack() {
        clear()
        put("\u{1B}[?2004l")
        if var mode = saved { tcsetattr(console.input, TCSADRAIN, &mode) }
    }

    private func put(_ text: String) { _ = console.write(text) }

    /// The current number of columns of the terminal.
    private var columns: Int? {
        var size = winsize()
        return ioctl(console.output, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
    }

    /// Removes the prompt.
    public func clear() {
        guard isShown else { return }
        // In a window that became narrower, each row may be wrapped.
        let width = columns ?? Int.max
        let row = above.reduce(column / width) { $0 + max(1, ($1 + width - 1) / width) }
        put("\r" + (row > 0 ? "\u{1B}[\(row)A" : "") + "\u{1B}[J")
        isShown = false
    }

    /// Prints text above the prompt, which must be redrawn afterwards.
    public func print(_ text: String) {
        clear()
        put(text)
    }

    /// Draws the prompt.
    /// - Parameters:
    ///   - lines: all lines with the typed text; each at most as wide as the terminal.
    ///   - row: the cursor's row in the lines.
    ///   - column: the cursor's column.
    ///   - widths: the width of each line in columns.
    ///   - height: the rows of the terminal: of a longer prompt, those around the cursor are drawn.
    public func draw(_ lines: [String], row: Int, column: Int, widths: [Int], height: Int) {
        let most = max(1, height - 1)
        let first = min(max(0, row - most + 1), max(0, lines.count - most))
        let shown = lines[first..<min(lines.count, first + most)]
        var text = shown.joined(separator: "\r\n")
        let below = shown.count - 1 - (row - first)
        if below > 0 { text += "\u{1B}[\(below)A" }
        text += "\r" + (column > 0 ? "\u{1B}[\(column)C" : "")
        // An unchanged prompt is not redrawn: this avoids flicker, and traffic on a slow connection.
        let columns = self.columns ?? 0
        if isShown, drawn == (text, columns) { return }
        clear()
        put(text)
        drawn = (text, columns)
        above = Array(widths[first..<row])
        (self.column, isShown) = (column, true)
    }
}
