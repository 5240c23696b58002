/// A grid of time columns, such as the days of a week: blocks at their hours, a lane of bars above, a line for now.
public struct TimeGrid: Sendable {
    /// A block in a column.
    public struct Block: Sendable {
        /// The column, from 0.
        public var column: Int
        /// The start in minutes from the beginning of the column.
        public var start: Int
        /// The end, after ``start``.
        public var end: Int
        /// A mark before the title, such as `!`.
        public var mark: String
        /// The first line.
        public var title: String
        /// Its hours, from the longest form to the shortest: the first that fits is shown below the title.
        public var hours: [String]
        /// The lines below the title, if they fit.
        public var details: [String]
        /// The style of the title.
        public var style: TextStyle
        /// The style of the left edge.
        public var edge: TextStyle
        /// Whether it is the chosen one, on a full screen.
        public var isChosen = false
        /// The number by which it is found under the mouse.
        public var tag = 0

        /// Creates a block.
        public init(
            column: Int, start: Int, end: Int, mark: String = "", title: String, hours: [String] = [],
            details: [String] = [], style: TextStyle, edge: TextStyle
        ) {
            self.column = column
            self.start = start
            self.end = end
            self.mark = mark
            self.title = title
            self.hours = hours
            self.details = details
            self.style = style
            self.edge = edge
        }
    }

    /// A bar over one or more columns.
    public struct Bar: Sendable {
        /// The first column.
        public var first: Int
        /// The first column after it.
        public var end: Int
        /// Whether it begins before the first column of the grid.
        public var comesFromBefore: Bool
        /// Whether it continues after the last column of the grid.
        public var goesOn: Bool
        /// The title.
        public var title: String
        /// The style.
        public var style: TextStyle
        /// Whether it is the chosen one, on a full screen.
        public var isChosen = false
        /// The number by which it is found under the mouse.
        public var tag = 0

        /// Creates a bar.
        public init(first: Int, end: Int, comesFromBefore: Bool, goesOn: Bool, title: String, style: TextStyle) {
            self.first = first
            self.end = end
            self.comesFromBefore = comesFromBefore
            self.goesOn = goesOn
            self.title = title
            self.style = style
        }
    }

    /// The headings of the columns.
    public var headings: [StyledText] = []
    /// Blocks in any order.
    public var blocks: [Block] = []
    /// Bars in any order.
    public var bars: [Bar] = []
    /// The minutes shown, a multiple of ``step``.
    public var minutes: Range<Int> = 480..<1080
    /// The minutes per line.
    public var step = 30
    /// Ranges of ``minutes`` that are drawn as one line each, in order: hours in which nothing begins or ends.
    public var folded: [Range<Int>] = []
    /// The column and minute of the current time.
    public var now: (column: Int, minute: Int)?
    /// The labels of the axis, by minute.
    public var label: @Sendable (Int) -> String = { "\($0 / 60):00" }
    /// The limit of bars below each other.
    private static let laneLimit = 6

    /// Creates an empty grid.
    public init() {}

    /// The columns of the axis, and those of each column of the grid.
    private func widths(in width: Int) -> (axis: Int, column: Int) {
        let labels = (minutes.lowerBound..<minutes.upperBound).filter { $0 % 60 == 0 }.map { TextWidth.of(label($0)) }
        let axis = max(6, labels.max() ?? 5) + 1
        return (axis, max(4, (width - axis) / max(1, headings.count)))
    }

    /// The column and the minute at a place of a drawing of some width; nil outside of the hours.
    public func point(x: Int, y: Int, width: Int) -> (column: Int, minute: Int)? {
        let (axis, columnWidth) = widths(in: width)
        let starts = rowStarts
        let row = y - headHeight
        guard starts.indices.contains(row), x >= axis, (x - axis) / columnWidth < headings.count else { return nil }
        return ((x - axis) / columnWidth, starts[row])
    }

    /// The column at a place of a drawing of some width, whatever the line; nil outside of the columns.
    public func column(x: Int, width: Int) -> Int? {
        let (axis, columnWidth) = widths(in: width)
        return x >= axis && (x - axis) / columnWidth < headings.count ? (x - axis) / columnWidth : nil
    }

    /// The tag of the block or bar at a place of a drawing of some width; nil if none is there.
    public func tag(x: Int, y: Int, width: Int) -> Int? {
        guard let column = column(x: x, width: width) else { return nil }
        if y < headHeight {
            return placedBars.placed.first { $0.lane == y - 1 && ($0.bar.first..<$0.bar.end).contains(column) }?.bar.tag
        }
        let (axis, columnWidth) = widths(in: width)
        let offset = x - axis - column * columnWidth
        return placedBlocks(of: column, rowStarts, width: columnWidth).last {
            $0.rows.contains(y - headHeight) && ($0.x..<$0.x + $0.width).contains(offset)
        }?.block.tag
    }

    /// The first column of the screen of a column of the grid, in a drawing of some width.
    public func columnStart(_ column: Int, width: Int) -> Int? {
        guard headings.indices.contains(column) else { return nil }
        let (axis, columnWidth) = widths(in: width)
        return axis + column * columnWidth
    }

    /// The line of a drawing with a minute.
    public func line(of minute: Int) -> Int {
        headHeight + max(0, (rowStarts.firstIndex { $0 > minute } ?? rowStarts.count) - 1)
    }

    /// The lines above the hours: the headings, the bars and their end.
    public var headHeight: Int {
        guard !bars.isEmpty else { return 1 }
        let (lanes, placed) = placedBars
        return 1 + lanes + (bars.count > placed.count ? 1 : 0) + 1
    }

    /// Draws the grid as wide as the canvas.
    public func draw(on canvas: inout Canvas) {
        let (axis, columnWidth) = widths(in: canvas.width)
        let count = max(1, headings.count)
        drawHeadings(on: &canvas, axis: axis, columnWidth: columnWidth)
        drawBars(on: &canvas, axis: axis, columnWidth: columnWidth)
        let starts = rowStarts
        var grid = CellGrid(width: axis + columnWidth * count, height: starts.count)
        for (row, minute) in starts.enumerated() {
            if folded.contains(where: { $0.lowerBound == minute }) {
                grid.put(canvas.isASCII ? "  :" : "  ⋮", x: 0, y: row, style: .dim)
            } else if minute % 60 == 0 {
                grid.put(label(minute), x: 0, y: row, limit: axis - 1, style: .dim)
            }
            for column in 0..<count {
                grid.put("│", x: axis + column * columnWidth - 1, y: row, style: .dim)
            }
        }
        for column in 0..<count { drawBlocks(of: column, on: &grid, axis: axis, width: columnWidth, starts) }
        drawNow(on: &grid, axis: axis, width: columnWidth)
        grid.draw(on: &canvas)
    }

    /// The first minute of each row.
    private var rowStarts: [Int] {
        var starts: [Int] = []
        var minute = minutes.lowerBound
        while minute < minutes.upperBound {
            starts.append(minute)
            minute = folded.first { $0.lowerBound == minute }?.upperBound ?? minute + step
        }
        return starts
    }

    private func drawHeadings(on canvas: inout Canvas, axis: Int, columnWidth: Int) {
        var line = StyledText(String(repeating: " ", count: axis))
        for heading in headings { line.append(heading.padded(columnWidth - 1) + " ") }
        canvas.line(line)
    }

    private func drawBars(on canvas: inout Canvas, axis: Int, columnWidth: Int) {
        guard !bars.isEmpty else { return }
        let (lanes, placed) = placedBars
        let hidden = bars.count - placed.count
        var grid = CellGrid(width: axis + columnWidth * headings.count, height: lanes)
        for (bar, lane) in placed {
            grid.putBar(
                bar.title, x: axis + bar.first * columnWidth, y: lane, width: (bar.end - bar.first) * columnWidth - 1,
                fills: bar.end - bar.first > 1, comesFromBefore: bar.comesFromBefore, goesOn: bar.goesOn,
                style: bar.style, edge: bar.style)
            if bar.isChosen {
                grid.lay(
                    .selection, x: axis + bar.first * columnWidth, y: lane,
                    width: (bar.end - bar.first) * columnWidth - 1)
            }
        }
        grid.draw(on: &canvas)
        if hidden > 0 { canvas.line(StyledText(String(repeating: " ", count: axis) + "+\(hidden) more", .dim)) }
        canvas.line(
            StyledText(String(repeating: "─", count: min(canvas.width, axis + columnWidth * headings.count)), .dim))
    }

    /// The bars that are shown, each with its line, and the number of lines.
    private var placedBars: (lanes: Int, placed: [(bar: Bar, lane: Int)]) {
        var lanes = BarLanes()
        var placed: [(bar: Bar, lane: Int)] = []
        for bar in bars.sorted(by: { ($0.first, -$0.end, $0.title) < ($1.first, -$1.end, $1.title) }) {
            guard let lane = lanes.place(bar.first..<bar.end, limit: TimeGrid.laneLimit) else { continue }
            placed.append((bar, lane))
        }
        return (lanes.count, placed)
    }

    /// A block with its place in its column.
    private struct PlacedBlock {
        var block: Block
        var rows: Range<Int>
        var lane = 0
        /// The first column of the screen within the column of the grid, and the number of them; 0 if it has no room.
        var x = 0
        var width = 0
    }

    /// The blocks of a column with their places; those that share a line are side by side.
    private func placedBlocks(of column: Int, _ starts: [Int], width: Int) -> [PlacedBlock] {
        let height = starts.count
        var placed = blocks.filter { $0.column == column }.map { block in
            let first = max(0, (starts.firstIndex { $0 > block.start } ?? height) - 1)
            let end = max(first + 1, starts.firstIndex { $0 >= block.end } ?? height)
            return PlacedBlock(block: block, rows: min(first, height - 1)..<max(end, min(first, height - 1) + 1))
        }.sorted {
            ($0.rows.lowerBound, $0.block.start, -$0.rows.count, $0.block.title)
                < ($1.rows.lowerBound, $1.block.start, -$1.rows.count, $1.block.title)
        }
        var index = 0
        while index < placed.count {
            // A cluster: blocks connected by overlaps share its lanes.
            var end = index
            var until = placed[index].rows.upperBound
            while end + 1 < placed.count, placed[end + 1].rows.lowerBound < until {
                end += 1
                until = max(until, placed[end].rows.upperBound)
            }
            var lanes: [Int] = []
            for position in index...end {
                let lane = lanes.firstIndex { $0 <= placed[position].rows.lowerBound } ?? lanes.count
                if lane == lanes.count { lanes.append(0) }
                lanes[lane] = placed[position].rows.upperBound
                placed[position].lane = lane
            }
            // A lane is at least an edge and two letters wide; the number of blocks that do not fit is shown.
            let fitting = max(1, min(lanes.count, (width - 1) / 3))
            let laneWidth = (width - 1) / fitting
            for position in index...end where placed[position].lane < fitting {
                placed[position].x = placed[position].lane * laneWidth
                let isLast = placed[position].lane == fitting - 1
                placed[position].width = isLast ? width - 1 - placed[position].x : laneWidth
            }
            index = end + 1
        }
        return placed
    }

    /// Draws the blocks of a column, and the number of those that have no room.
    private func drawBlocks(of column: Int, on grid: inout CellGrid, axis: Int, width: Int, _ starts: [Int]) {
        var extra: [Int: Int] = [:]
        for placed in placedBlocks(of: column, starts, width: width) {
            if placed.width == 0 {
                extra[placed.rows.lowerBound, default: 0] += 1
            } else {
                draw(
                    placed.block, rows: placed.rows, x: axis + column * width + placed.x, width: placed.width, on: &grid
                )
            }
        }
        for (row, number) in extra {
            let text = "+\(number)"
            grid.put(text, x: axis + (column + 1) * width - 1 - text.count, y: row, style: TextStyle(bold: true))
        }
    }

    private func draw(_ block: Block, rows: Range<Int>, x: Int, width: Int, on grid: inout CellGrid) {
        let room = max(1, width - 1)
        // A word that does not fit is cut: its rest on the next line would read as another word.
        let full = block.mark + block.title
        let title =
            TextWidth.of(full) <= room
            ? full : full.split(separator: " ").map { String($0).fitted(room) }.joined(separator: " ")
        // Most blocks have one line, which needs no breaking.
        let whole = rows.count == 1 ? [title.fitted(room)] : title.wrapped(room)
        var lines = whole.prefix(rows.count).map { (text: $0, style: block.style) }
        if whole.count > lines.count, let last = lines.last {
            lines[lines.count - 1].text = (last.text + "…").fitted(room)
        }
        let hours = block.hours.first { TextWidth.of($0) <= room }
        for detail in [hours].compactMap({ $0 }) + block.details where lines.count < rows.count {
            lines.append((detail.fitted(room), .dim))
        }
        let blank = String(repeating: " ", count: width)
        for row in rows {
            grid.put(blank, x: x, y: row, limit: width)
            grid.put("▌", x: x, y: row, style: block.edge)
        }
        for (offset, line) in lines.enumerated() {
            grid.put(line.text, x: x + 1, y: rows.lowerBound + offset, limit: room, style: line.style)
        }
        if block.isChosen { for row in rows { grid.lay(.selection, x: x, y: row, width: width) } }
    }

    private func drawNow(on grid: inout CellGrid, axis: Int, width: Int) {
        guard let now, minutes.contains(now.minute) else { return }
        let row = max(0, (rowStarts.firstIndex { $0 > now.minute } ?? grid.height) - 1)
        let style = TextStyle(.red, bold: true)
        grid.put(String(repeating: " ", count: axis - 1), x: 0, y: row)
        grid.put(label(now.minute) + "▸", x: 0, y: row, limit: axis, style: style)
        for x in (axis + now.column * width)..<(axis + (now.column + 1) * width - 1) where grid.isFree(x: x, y: row) {
            grid.put("─", x: x, y: row, style: TextStyle(.red))
        }
    }
}
