/// A table of cells, fitted to a width.
public struct Table: Sendable {
    /// The layout of a column.
    public struct Column: Sendable {
        /// The heading; empty for none.
        public var title: String
        /// Whether cells are right-aligned.
        public var isRight: Bool
        /// The minimum width of a column that may be cut to fit; nil for one that is never cut.
        public var minimum: Int?
        /// The order in which columns are dropped if cutting is not enough, the least first; nil is never dropped.
        public var importance: Int?

        /// Creates a column.
        public init(_ title: String = "", right: Bool = false, minimum: Int? = nil, importance: Int? = nil) {
            self.title = title
            isRight = right
            self.minimum = minimum
            self.importance = importance
        }
    }

    private let columns: [Column]
    private var rows: [[StyledText]] = []
    /// Lines below rows, by the index of the row.
    private var notes: [Int: StyledText] = [:]
    /// Lines above rows, by the place of the row.
    private var headings: [Int: [StyledText]] = [:]

    /// Whether empty columns are kept.
    private let keepsEmpty: Bool

    /// Creates a table without rows.
    public init(_ columns: [Column], keepsEmpty: Bool = false) {
        (self.columns, self.keepsEmpty) = (columns, keepsEmpty)
    }

    /// Adds a row with one cell for each column.
    public mutating func row(_ cells: [StyledText]) { rows.append(cells) }

    /// Adds a line below the last row, as wide as the canvas.
    public mutating func note(_ text: StyledText) { notes[rows.count - 1] = text }

    /// Adds a line above the next row, as wide as the canvas and without the indent; rows of all sections share the columns.
    public mutating func heading(_ text: StyledText) { headings[rows.count, default: []].append(text) }

    /// Draws the table after `indent` blanks, with two blanks between columns. Empty columns are dropped, unless they are kept.
    public func draw(on canvas: inout Canvas, indent: Int = 0) {
        // Output for programs is never cut; long cells overflow their columns there.
        let most = canvas.isBounded ? Int.max : 60
        var widths = columns.indices.map { column -> Int in
            let widest = rows.reduce(0) { max($0, $1[column].width) }
            return widest == 0 && !keepsEmpty
                ? 0
                : max(min(widest, columns[column].minimum == nil ? .max : most), TextWidth.of(columns[column].title))
        }
        func least() -> Int {
            let shown = columns.indices.filter { widths[$0] > 0 }
            return shown.reduce(0) { $0 + min(widths[$1], columns[$1].minimum ?? .max) } + max(0, shown.count - 1) * 2
                + indent
        }
        let dispensable = columns.indices.filter { columns[$0].importance != nil }
            .sorted { (columns[$0].importance ?? 0, $1) < (columns[$1].importance ?? 0, $0) }
        for column in dispensable where least() > canvas.textWidth { widths[column] = 0 }
        let gaps = max(0, widths.filter { $0 > 0 }.count - 1) * 2
        var excess = widths.reduce(0, +) + gaps + indent - canvas.textWidth
        // The widest column that may shrink is cut first.
        while excess > 0 {
            let candidates = columns.indices.filter { widths[$0] > columns[$0].minimum ?? .max }
            guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        if columns.contains(where: { !$0.title.isEmpty }) {
            let titles = columns.map { StyledText($0.title, .dim) }
            canvas.line(joined(titles, widths, after: indent, whole: !canvas.isBounded))
        }
        for (place, row) in rows.enumerated() {
            for heading in headings[place] ?? [] { canvas.line(heading.fitted(canvas.textWidth)) }
            canvas.line(joined(row, widths, after: indent, whole: !canvas.isBounded))
            guard let note = notes[place] else { continue }
            var line = StyledText()
            line.append(blanks: indent)
            line.append(note)
            canvas.line(line.fitted(canvas.textWidth))
        }
        for heading in headings[rows.count] ?? [] { canvas.line(heading.fitted(canvas.textWidth)) }
    }

    private func joined(_ cells: [StyledText], _ widths: [Int], after indent: Int, whole: Bool) -> StyledText {
        var line = StyledText()
        line.runs.reserveCapacity(cells.count * 3)
        var gap = indent
        for (column, cell) in cells.enumerated() where widths[column] > 0 {
            line.append(blanks: gap)
            line.append(cell, padded: max(widths[column], whole ? cell.width : 0), right: columns[column].isRight)
            gap = 2
        }
        return line
    }
}
