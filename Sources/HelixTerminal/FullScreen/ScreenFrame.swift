/// A picture of the whole screen, made of the state of a program alone.
public struct ScreenFrame: Hashable, Sendable {
    /// The cells.
    public var grid: CellGrid
    /// The place of the cursor; nil if it is hidden.
    public var cursor: Place?
    /// The images on it, for terminals that show them.
    public var images: [PlacedImage] = []

    /// A place on the screen.
    public struct Place: Hashable, Sendable {
        /// The column, from 0.
        public var x: Int
        /// The line, from 0.
        public var y: Int

        /// Creates a place.
        public init(x: Int, y: Int) { (self.x, self.y) = (x, y) }
    }

    /// Creates an empty frame.
    public init(width: Int, height: Int) { grid = CellGrid(width: width, height: height) }

    /// The number of columns.
    public var width: Int { grid.width }
    /// The number of lines.
    public var height: Int { grid.height }
    /// The text, line by line, without the blanks at the ends.
    public var lines: [String] {
        (0..<height).map { y in
            let line = grid.text(line: y)
            return String(
                line.prefix(line.lastIndex { $0 != " " }.map { line.distance(from: line.startIndex, to: $0) + 1 } ?? 0))
        }
    }
}

/// A rectangle of the screen.
public struct ScreenArea: Hashable, Sendable {
    /// The first column.
    public var x: Int
    /// The first line.
    public var y: Int
    /// The number of columns.
    public var width: Int
    /// The number of lines.
    public var height: Int

    /// Creates an area; negative sizes are empty.
    public init(x: Int, y: Int, width: Int, height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, max(0, width), max(0, height))
    }

    /// Whether a place lies in the area.
    public func contains(x: Int, y: Int) -> Bool {
        (self.x..<self.x + width).contains(x) && (self.y..<self.y + height).contains(y)
    }

    /// The left part, and the rest.
    public func split(left columns: Int) -> (ScreenArea, ScreenArea) {
        let own = min(max(0, columns), width)
        return (
            ScreenArea(x: x, y: y, width: own, height: height),
            ScreenArea(x: x + own, y: y, width: width - own, height: height)
        )
    }

    /// The upper part, and the rest.
    public func split(top lines: Int) -> (ScreenArea, ScreenArea) {
        let own = min(max(0, lines), height)
        return (
            ScreenArea(x: x, y: y, width: width, height: own),
            ScreenArea(x: x, y: y + own, width: width, height: height - own)
        )
    }
}

extension CellGrid {
    /// Draws lines from the top of an area, cut at its edges.
    public mutating func put(_ lines: some Sequence<StyledText>, in area: ScreenArea) {
        for (offset, line) in lines.prefix(area.height).enumerated() {
            put(line, x: area.x, y: area.y + offset, limit: area.width)
        }
    }
}
