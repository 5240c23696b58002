import Foundation

/// The last rows of a terminal, in which somebody types while other things are printed above them. Nothing but the simplest
/// sequences is used, so that it works in any terminal and over any line.
public final class PromptScreen {
    private var saved: termios?
    /// How wide the rows of the prompt are down to that of the cursor, and the cursor's column.
    private var above: [Int] = []
    private var column = 0
    private var isShown = false
    /// What was drawn last, and in how many columns.
    private var drawn = (text: "", columns: 0)

    /// Takes the terminal's keys one by one from now on.
    public init() {
        var mode = termios()
        guard tcgetattr(STDIN_FILENO, &mode) == 0 else { return }
        saved = mode
        takeKeys()
    }

    deinit { giveBack() }

    /// Takes keys one by one.
    public func takeKeys() {
        guard var mode = saved else { return }
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        mode.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
        // What is pasted comes between marks.
        put("\u{1B}[?2004h")
    }

    /// Takes the prompt away while something else is printed: keys wait unseen, and Ctrl-C is a signal.
    public func giveSignals() {
        clear()
        guard var mode = saved else { return }
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
        // Ctrl-C takes away nothing that was typed.
        mode.c_lflag |= tcflag_t(NOFLSH)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    }

    /// Leaves the terminal as it was.
    public func giveBack() {
        clear()
        put("\u{1B}[?2004l")
        if var mode = saved { tcsetattr(STDIN_FILENO, TCSADRAIN, &mode) }
    }

    private func put(_ text: String) { _ = Terminal.write(text, to: STDOUT_FILENO) }

    /// How many columns the terminal has just now.
    private static var columns: Int? {
        var size = winsize()
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
    }

    /// Takes the prompt away.
    public func clear() {
        guard isShown else { return }
        // In a window that has become narrower each row may be several.
        let width = PromptScreen.columns ?? Int.max
        let row = above.reduce(column / width) { $0 + max(1, ($1 + width - 1) / width) }
        put("\r" + (row > 0 ? "\u{1B}[\(row)A" : "") + "\u{1B}[J")
        isShown = false
    }

    /// Prints something above the prompt, which must be drawn again then.
    public func print(_ text: String) {
        clear()
        put(text)
    }

    /// Draws the prompt.
    /// - Parameters:
    ///   - lines: all of it, with what is typed; each no wider than the terminal.
    ///   - row: the cursor's, in them.
    ///   - column: the cursor's.
    ///   - widths: how many columns each line takes.
    ///   - height: the terminal's rows: of a longer prompt those around the cursor are drawn.
    public func draw(_ lines: [String], row: Int, column: Int, widths: [Int], height: Int) {
        let most = max(1, height - 1)
        let first = min(max(0, row - most + 1), max(0, lines.count - most))
        let shown = lines[first..<min(lines.count, first + most)]
        var text = shown.joined(separator: "\r\n")
        let below = shown.count - 1 - (row - first)
        if below > 0 { text += "\u{1B}[\(below)A" }
        text += "\r" + (column > 0 ? "\u{1B}[\(column)C" : "")
        // What stands there already needs no redrawing: nothing flickers, and a line that is slow has nothing to carry.
        let columns = PromptScreen.columns ?? 0
        if isShown, drawn == (text, columns) { return }
        clear()
        put(text)
        drawn = (text, columns)
        above = Array(widths[first..<row])
        (self.column, isShown) = (column, true)
    }
}
