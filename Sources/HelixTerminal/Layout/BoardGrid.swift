/// A board: columns of cards side by side, in lanes; in a narrow terminal, the columns are stacked.
public struct BoardGrid: Sendable {
    /// A card.
    public struct Card: Sendable {
        /// The title, wrapped over several lines.
        public var title: String
        /// The style of the title.
        public var style: TextStyle
        /// The style of the bar at the left edge.
        public var bar: TextStyle
        /// Short texts below the title, several on a line if they fit.
        public var details: [StyledText]

        /// Creates a card.
        public init(title: String, style: TextStyle, bar: TextStyle, details: [StyledText]) {
            self.title = title
            self.style = style
            self.bar = bar
            self.details = details
        }
    }

    /// A swimlane: cards by column.
    public struct Lane: Sendable {
        /// The name; empty for a single lane.
        public var title: StyledText
        /// The cards of each column, from the top.
        public var cards: [[Card]]
        /// A line below the cards of each column, such as the number of hidden ones.
        public var rests: [String]

        /// Creates a lane.
        public init(title: StyledText, cards: [[Card]], rests: [String]) {
            self.title = title
            self.cards = cards
            self.rests = rests
        }
    }

    private let heads: [StyledText]
    private let lanes: [Lane]
    private static let gap = 2
    /// The minimum width of a column; a title wraps badly in less.
    private static let minimum = 16
    private static let maximum = 48
    private static let titleLines = 4

    /// - Parameter heads: the heading of each column.
    public init(heads: [StyledText], lanes: [Lane]) {
        self.heads = heads
        self.lanes = lanes
    }

    /// A card of a drawing: its lane, its column, its place in that column, and the part of the drawing with it.
    public struct PlacedCard: Hashable, Sendable {
        /// The lane, from 0.
        public let lane: Int
        /// The column, from 0.
        public let column: Int
        /// The place in the column of the lane, from 0.
        public let place: Int
        /// Its part of the drawing.
        public let area: ScreenArea
    }

    /// The places of the cards in a drawing of some width, and the first and last columns of the screen of each column of the board;
    /// these are empty where the columns are below each other.
    public func placedCards(width: Int) -> (cards: [PlacedCard], columns: [Range<Int>]) {
        var cards: [PlacedCard] = []
        func place(_ lane: Int, _ column: Int, x: Int, y: Int, width: Int) -> Int {
            var line = y
            for (index, card) in lanes[lane].cards[column].enumerated() {
                if index > 0 { line += 1 }
                let height = lines([card], rest: "", width).count
                cards.append(
                    PlacedCard(
                        lane: lane, column: column, place: index,
                        area: ScreenArea(x: x, y: line, width: width, height: height)))
                line += height
            }
            return line + (lanes[lane].rests[column].isEmpty ? 0 : line > y ? 2 : 1)
        }
        guard let widths = widths(in: width) else {
            var y = 0
            for column in heads.indices {
                if column > 0 { y += 1 }
                y += 2
                for lane in lanes.indices where column < lanes[lane].cards.count {
                    if lanes[lane].cards[column].isEmpty, lanes[lane].rests[column].isEmpty { continue }
                    if lanes[lane].title.width > 0 { y += 1 }
                    y = place(lane, column, x: 0, y: y, width: width)
                }
            }
            return (cards, [])
        }
        var columns: [Range<Int>] = []
        for width in widths {
            let x = columns.last.map { $0.upperBound + BoardGrid.gap } ?? 0
            columns.append(x..<x + width)
        }
        var y = 2
        for (index, lane) in lanes.enumerated() {
            if lane.title.width > 0 { y += index > 0 ? 2 : 1 }
            y =
                lane.cards.indices.map { place(index, $0, x: columns[$0].lowerBound, y: y, width: widths[$0]) }.max()
                ?? y
        }
        return (cards, columns)
    }

    /// Draws the board.
    public func draw(on canvas: inout Canvas) {
        guard let widths = widths(in: canvas.width) else { return drawStacked(on: &canvas) }
        canvas.line(joined(heads, widths))
        canvas.line(joined(widths.map { StyledText(String(repeating: "─", count: $0), .dim) }, widths))
        for (index, lane) in lanes.enumerated() {
            if lane.title.width > 0 {
                if index > 0 { canvas.line() }
                canvas.line(lane.title.fitted(canvas.width))
            }
            let columns = lane.cards.indices.map { lines(lane.cards[$0], rest: lane.rests[$0], widths[$0]) }
            for row in 0..<(columns.map(\.count).max() ?? 0) {
                canvas.line(joined(columns.map { row < $0.count ? $0[row] : StyledText() }, widths))
            }
        }
    }

    /// The widths of the columns side by side; nil where they have no room. Columns without cards are as wide as their heads, and
    /// leave the rest to the others.
    private func widths(in width: Int) -> [Int]? {
        let isEmpty = heads.indices.map { column in
            lanes.allSatisfy { $0.cards[column].isEmpty && $0.rests[column].isEmpty }
        }
        let full = isEmpty.count { !$0 }
        let free = width - BoardGrid.gap * (heads.count - 1)
        let even = free / max(1, heads.count)
        // An empty board, and one with much room, has columns of one width.
        if full == 0 || even >= BoardGrid.maximum {
            return even < BoardGrid.minimum ? nil : heads.map { _ in min(even, BoardGrid.maximum) }
        }
        let narrow = heads.indices.map { isEmpty[$0] ? min(even, max(8, heads[$0].width)) : 0 }
        let share = min((free - narrow.reduce(0, +)) / full, BoardGrid.maximum)
        if share < BoardGrid.minimum { return nil }
        return heads.indices.map { isEmpty[$0] ? narrow[$0] : share }
    }

    private func drawStacked(on canvas: inout Canvas) {
        for (column, head) in heads.enumerated() {
            if column > 0 { canvas.line() }
            canvas.line(head.fitted(canvas.width))
            canvas.line(StyledText(String(repeating: "─", count: canvas.width), .dim))
            for lane in lanes where column < lane.cards.count {
                let found = lines(lane.cards[column], rest: lane.rests[column], canvas.width)
                if found.isEmpty { continue }
                if lane.title.width > 0 { canvas.line(lane.title.fitted(canvas.width)) }
                for line in found { canvas.line(line) }
            }
        }
    }

    private func joined(_ cells: [StyledText], _ widths: [Int]) -> StyledText {
        var line = StyledText()
        guard let last = cells.lastIndex(where: { !$0.isEmpty }) else { return line }
        let gap = String(repeating: " ", count: BoardGrid.gap)
        for index in 0...last {
            if index > 0 { line.append(gap) }
            // The last cell needs no padding.
            line.append(index < last ? cells[index].padded(widths[index]) : cells[index].fitted(widths[index]))
        }
        return line
    }

    /// The lines of cards, separated by blank ones.
    private func lines(_ cards: [Card], rest: String, _ width: Int) -> [StyledText] {
        var lines: [StyledText] = []
        for card in cards {
            if !lines.isEmpty { lines.append(StyledText()) }
            var title = SafeText.line(card.title).wrapped(width - 2)
            if title.count > BoardGrid.titleLines {
                title = Array(title.prefix(BoardGrid.titleLines))
                title[BoardGrid.titleLines - 1] = (title[BoardGrid.titleLines - 1] + "…").fitted(width - 2)
            }
            for piece in title { lines.append(line(StyledText(piece, card.style), card)) }
            var detail = StyledText()
            for text in card.details where text.width > 0 {
                if detail.width > 0, detail.width + 1 + text.width > width - 2 {
                    lines.append(line(detail, card))
                    detail = StyledText()
                }
                if detail.width > 0 { detail.append(" ") }
                detail.append(text.fitted(width - 2))
            }
            if detail.width > 0 { lines.append(line(detail, card)) }
        }
        if !rest.isEmpty {
            if !lines.isEmpty { lines.append(StyledText()) }
            lines.append(StyledText(rest, .dim))
        }
        return lines
    }

    private func line(_ text: StyledText, _ card: Card) -> StyledText {
        var line = StyledText("▌", card.bar)
        line.append(" ")
        line.append(text)
        return line
    }
}
