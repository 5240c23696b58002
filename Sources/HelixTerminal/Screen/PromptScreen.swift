import Foundation

/// The last rows of a terminal, in which somebody types while other things are printed above them. Nothing but the simplest
/// sequences is used, so that it works in any terminal and over any line.
public final class PromptScreen {
    private var saved: termios?
    /// The row of the cursor below the first row of the prompt.
    private var row = 0
    private var isShown = false

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

    /// Leaves the terminal as it was.
    public func giveBack() {
        clear()
        put("\u{1B}[?2004l")
        if var mode = saved { tcsetattr(STDIN_FILENO, TCSADRAIN, &mode) }
    }

    private func put(_ text: String) { _ = Terminal.write(text, to: STDOUT_FILENO) }

    /// Takes the prompt away.
    public func clear() {
        guard isShown else { return }
        put("\r" + (row > 0 ? "\u{1B}[\(row)A" : "") + "\u{1B}[J")
        (row, isShown) = (0, false)
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
    public func draw(_ lines: [String], row: Int, column: Int) {
        clear()
        var text = lines.joined(separator: "\r\n")
        let above = lines.count - 1 - row
        if above > 0 { text += "\u{1B}[\(above)A" }
        text += "\r" + (column > 0 ? "\u{1B}[\(column)C" : "")
        put(text)
        (self.row, isShown) = (row, true)
    }
}
