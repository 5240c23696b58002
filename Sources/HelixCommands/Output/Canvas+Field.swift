import HelixTerminal

extension Canvas {
    /// Draws a field of an item: its name, and its value beside it, wrapped below itself; nothing for an absent value.
    /// - Parameter indent: the columns before the value.
    mutating func field(_ name: String, _ value: String?, indent: Int) {
        guard let value, !value.isEmpty else { return }
        var isFirst = true
        for line in SafeText.lines(value) {
            for piece in line.wrapped(max(20, textWidth - indent), keepsAddresses: true) {
                var text = StyledText((isFirst ? "  " + name : "").padded(indent), .dim)
                text.append(piece)
                self.line(text)
                isFirst = false
            }
        }
    }
}
