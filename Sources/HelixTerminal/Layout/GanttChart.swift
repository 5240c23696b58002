/// Bars on an axis of days, one below the other, with a line for today.
public struct GanttChart: Sendable {
    /// A line of the chart.
    public struct Row: Sendable {
        /// The text before the bar.
        public var label: StyledText
        /// The days of the bar, counted from any day.
        public var days: Range<Int>
        /// The part of the days that is done, or past its date.
        public var marked: Range<Int>
        /// The style of the bar.
        public var style: TextStyle
        /// The style of the marked part.
        public var markStyle: TextStyle
        /// The character of the bar, which differs without colours, too.
        public var fill: Character
        /// The text behind the bar.
        public var remark: StyledText

        /// Creates a line.
        public init(
            label: StyledText, days: Range<Int>, marked: Range<Int> = 0..<0, style: TextStyle,
            markStyle: TextStyle = .plain, fill: Character = "█", remark: StyledText = StyledText()
        ) {
            (self.label, self.days, self.marked) = (label, days, marked)
            (self.style, self.markStyle, self.fill, self.remark) = (style, markStyle, fill, remark)
        }
    }

    private let rows: [Row]
    private let today: Int?
    private let label: @Sendable (Int) -> String

    /// - Parameters:
    ///   - today: the day with a line through all rows.
    ///   - label: the name of a day on the axis.
    public init(_ rows: [Row], today: Int?, label: @escaping @Sendable (Int) -> String) {
        (self.rows, self.today, self.label) = (rows, today, label)
    }

    /// Draws the chart as wide as the canvas. A cell is a day, or as many as the width asks for.
    public func draw(on canvas: inout Canvas) {
        guard let first = rows.map(\.days.lowerBound).min(), let last = rows.map(\.days.upperBound).max() else {
            return
        }
        let names = min(max(8, canvas.width / 3), rows.map(\.label.width).max() ?? 8)
        let remarks = min(canvas.width / 4, rows.map(\.remark.width).max() ?? 0)
        let room = max(10, canvas.width - names - 2 - (remarks > 0 ? remarks + 1 : 0))
        let days = max(1, last - first)
        // Few days get several cells each.
        let cells = max(1, min(8, room / days))
        let perCell = max(1, (days + room - 1) / room)
        func cell(_ day: Int) -> Int { perCell > 1 ? (day - first) / perCell : (day - first) * cells }
        let count = perCell > 1 ? (days + perCell - 1) / perCell : days * cells
        var grid = CellGrid(width: names + 2 + count + (remarks > 0 ? remarks + 1 : 0), height: rows.count + 1)
        drawAxis(first..<last, on: &grid, x: names + 2, width: count, cell: cell)
        for (offset, row) in rows.enumerated() {
            let y = offset + 1
            grid.put(row.label, x: 0, y: y, limit: names)
            if let today, (first..<last).contains(today) {
                grid.put("│", x: names + 2 + cell(today), y: y, style: TextStyle(.red))
            }
            let start = cell(row.days.lowerBound)
            let end = max(start + 1, cell(row.days.upperBound - 1) + (perCell > 1 ? 1 : cells))
            let bar = String(repeating: row.fill, count: end - start)
            grid.put(bar, x: names + 2 + start, y: y, style: row.style)
            if !row.marked.isEmpty {
                let from = max(start, cell(row.marked.lowerBound))
                let to = min(end, cell(row.marked.upperBound - 1) + (perCell > 1 ? 1 : cells))
                let part = String(repeating: "▓", count: max(0, to - from))
                grid.put(part, x: names + 2 + from, y: y, style: row.markStyle)
            }
            if remarks > 0 { grid.put(row.remark, x: names + 3 + count, y: y, limit: remarks) }
        }
        grid.draw(on: &canvas)
    }

    /// Draws the names of days, as many as have room; that of today is always among them.
    private func drawAxis(
        _ days: Range<Int>, on grid: inout CellGrid, x: Int, width: Int, cell: (Int) -> Int
    ) {
        var end = 0
        for day in days {
            let text = label(day)
            let place = cell(day)
            let isFree = place >= end && place + text.count <= width
            guard isFree, !text.isEmpty else { continue }
            if let today, day < today, place + text.count >= cell(today), days.contains(today) { continue }
            grid.put(text, x: x + place, y: 0, style: day == today ? TextStyle(.red, bold: true) : .dim)
            end = place + text.count + 1
        }
    }
}
