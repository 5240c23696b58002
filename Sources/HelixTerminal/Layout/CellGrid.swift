/// A rectangle of cells to draw on; later text replaces earlier text.
public struct CellGrid: Hashable, Sendable {
    struct Cell: Hashable, Sendable {
        /// Empty for the right half of a wide character.
        var text: String
        var style: TextStyle
        /// Whether anything was drawn here, a blank included.
        var isTaken = false
    }

    /// The number of columns.
    public let width: Int
    /// The number of lines.
    public let height: Int
    private(set) var cells: [Cell]

    /// Creates an empty grid.
    public init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
        cells = Array(repeating: Cell(text: " ", style: .plain), count: self.width * self.height)
    }

    /// Draws `text` at a column and line, cut at `limit` columns and at the edge.
    public mutating func put(_ text: String, x: Int, y: Int, limit: Int? = nil, style: TextStyle = .plain) {
        guard (0..<height).contains(y), x >= 0 else { return }
        var column = x
        let end = min(width, x + (limit ?? width))
        if putSingleColumns(text, x: x, y: y, end: end, style: style) { return }
        for character in SafeText.line(text).fitted(max(0, end - x)) {
            let columns = TextWidth.of(character)
            if columns == 0 {
                if column > x { cells[y * width + column - 1].text.append(character) }
                continue
            }
            guard column + columns <= end else { return }
            breakWide(column, y)
            if columns == 2 { breakWide(column + 1, y) }
            cells[y * width + column] = Cell(text: String(character), style: style, isTaken: true)
            if columns == 2 { cells[y * width + column + 1] = Cell(text: "", style: style, isTaken: true) }
            column += columns
        }
    }

    /// Draws a text of scalars that take one column each, as most have: without its characters, whose search costs more.
    /// - Returns: false if it has others, or does not fit.
    private mutating func putSingleColumns(_ text: String, x: Int, y: Int, end: Int, style: TextStyle) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            guard let columns = TextWidth.ofSingleColumns(bytes), columns <= end - x else { return false }
            var place = 0
            for column in x..<(x + columns) {
                let byte = bytes[place]
                let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : 3
                breakWide(column, y)
                let text =
                    length == 1
                    ? CellGrid.ascii[Int(byte)] : String(decoding: bytes[place..<(place + length)], as: UTF8.self)
                cells[y * width + column] = Cell(text: text, style: style, isTaken: true)
                place += length
            }
            return true
        } ?? false
    }

    /// The texts of the ASCII characters.
    private static let ascii = (0..<128).map { String(Character(Unicode.Scalar(UInt8($0)))) }

    /// Draws styled text at a column and line, cut at `limit` columns and at the edge.
    public mutating func put(_ text: StyledText, x: Int, y: Int, limit: Int? = nil) {
        var column = x
        for run in text.fitted(min(limit ?? width, max(0, width - x))).runs {
            put(run.text, x: column, y: y, style: run.style)
            column += run.width
        }
    }

    /// Lays a part of a line on a surface.
    public mutating func lay(_ surface: TextStyle.Surface, x: Int, y: Int, width count: Int) {
        guard (0..<height).contains(y) else { return }
        for column in max(0, x)..<max(0, x, min(width, x + count)) { cells[y * width + column].style.surface = surface }
    }

    /// The text of a line, for tests and for programs that read the screen aloud.
    public func text(line y: Int) -> String {
        guard (0..<height).contains(y) else { return "" }
        return cells[(y * width)..<((y + 1) * width)].map(\.text).joined()
    }

    /// Whether nothing was drawn in the cell, not even a blank.
    public func isFree(x: Int, y: Int) -> Bool {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return false }
        return !cells[y * width + x].isTaken
    }

    /// Removes a wide character that loses one half.
    private mutating func breakWide(_ x: Int, _ y: Int) {
        let index = y * width + x
        if cells[index].text.isEmpty, x > 0 { cells[index - 1].text = " " }
        if x + 1 < width, cells[index + 1].text.isEmpty { cells[index + 1].text = " " }
    }

    /// Draws the grid.
    public func draw(on canvas: inout Canvas) {
        for y in 0..<height {
            var line = StyledText()
            var text = ""
            var style = TextStyle.plain
            for cell in cells[(y * width)..<((y + 1) * width)] {
                if cell.style != style {
                    line.append(text, style)
                    text = ""
                    style = cell.style
                }
                text += cell.text
            }
            line.append(text, style)
            canvas.line(line)
        }
    }
}
