/// Writes frames to a terminal: only the cells that differ from the former frame.
struct FrameWriter {
    private let theme: ScreenTheme
    private let isASCII: Bool
    private var shown: ScreenFrame?
    /// The escape sequences of the styles that were used.
    private var sequences: [TextStyle: String] = [:]
    /// The images; nil on a terminal without them.
    private var images: ImageWriter?

    init(theme: ScreenTheme, ascii: Bool) { (self.theme, isASCII) = (theme, ascii) }

    /// Draws everything with the next frame.
    mutating func forget() {
        shown = nil
        images?.forget()
    }

    /// Shows images from now on.
    mutating func use(_ terminal: TerminalImages) { images = ImageWriter(terminal) }

    /// The bytes that change the terminal to a frame; empty if it shows that frame.
    mutating func bytes(for frame: ScreenFrame) -> [UInt8] {
        if shown == frame { return [] }
        // A terminal that knows them shows the frame at once; others ignore the marks.
        var out = Array("\u{1B}[?2026h\u{1B}[?25l".utf8)
        let former = shown.flatMap { $0.width == frame.width && $0.height == frame.height ? $0 : nil }
        if former == nil { out += Array((theme.base + "\u{1B}[2J").utf8) }
        if former == nil { images?.forget() }
        let stale = images?.staleLines(for: frame.images) ?? []
        var style: TextStyle?
        for y in 0..<frame.height {
            let row = (y * frame.width)..<((y + 1) * frame.width)
            let old = stale.contains(y) ? nil : former
            if let old, old.grid.cells[row] == frame.grid.cells[row] { continue }
            write(row, of: frame, after: old, line: y, style: &style, to: &out)
        }
        out += Array("\u{1B}[0m".utf8)
        out += images?.bytes(for: frame.images) ?? []
        if let cursor = frame.cursor {
            out += Array("\u{1B}[\(cursor.y + 1);\(cursor.x + 1)H\u{1B}[?25h".utf8)
        }
        out += Array("\u{1B}[?2026l".utf8)
        shown = frame
        return out
    }

    private mutating func write(
        _ row: Range<Int>, of frame: ScreenFrame, after former: ScreenFrame?, line y: Int, style: inout TextStyle?,
        to out: inout [UInt8]
    ) {
        /// The column at which the terminal writes next; nil if it is elsewhere.
        var column: Int?
        var x = 0
        while x < frame.width {
            let cell = frame.grid.cells[row.lowerBound + x]
            // The right half of a wide character is written with its left half.
            if cell.text.isEmpty {
                x += 1
                continue
            }
            let isWide = x + 1 < frame.width && frame.grid.cells[row.lowerBound + x + 1].text.isEmpty
            if let former {
                let old = former.grid.cells[row.lowerBound + x]
                let isSame =
                    old.text == cell.text && old.style == cell.style
                    && (!isWide || former.grid.cells[row.lowerBound + x + 1].text.isEmpty)
                if isSame {
                    x += isWide ? 2 : 1
                    continue
                }
            }
            if column != x { out += Array("\u{1B}[\(y + 1);\(x + 1)H".utf8) }
            if style != cell.style {
                out += Array(sequence(cell.style).utf8)
                style = cell.style
            }
            out += Array((isASCII ? SafeText.ascii(cell.text) : cell.text).utf8)
            x += isWide ? 2 : 1
            // Terminals disagree about the width of what is not ASCII: the place is set again after it.
            column = cell.text.utf8.count == 1 || TextWidth.isCertain(cell.text) ? x : nil
        }
    }

    private mutating func sequence(_ style: TextStyle) -> String {
        if let known = sequences[style] { return known }
        let sequence = theme.sequence(for: style)
        sequences[style] = sequence
        return sequence
    }
}
