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
