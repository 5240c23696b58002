/// Lanes for bars over columns: two bars in one lane share no column.
public struct BarLanes: Sendable {
    private var lanes: [[Range<Int>]] = []

    /// No lanes.
    public init() {}

    /// The number of lanes in use.
    public var count: Int { lanes.count }

    /// Places a bar in the first lane that is free over all of `columns`, and returns the lane's number, from 0.
    ///
    /// - Parameter limit: the number of lanes; nil is returned where none of them is free.
    public mutating func place(_ columns: Range<Int>, limit: Int = .max) -> Int? {
        if let lane = lanes.firstIndex(where: { $0.allSatisfy { !$0.overlaps(columns) } }) {
            lanes[lane].append(columns)
            return lane
        }
        guard lanes.count < limit else { return nil }
        lanes.append([columns])
        return lanes.count - 1
    }
}

extension CellGrid {
    /// Draws a bar `width` cells wide: an edge, the title and a line to its end.
    ///
    /// - Parameters:
    ///   - edge: the style of the left edge.
    ///   - fills: whether a line leads from the title to the end; for bars over several columns.
    ///   - comesFromBefore: whether the bar began before the place where it is drawn, which the edge shows.
    ///   - goesOn: whether it ends later.
    public mutating func putBar(
        _ title: String, x: Int, y: Int, width: Int, fills: Bool, comesFromBefore: Bool, goesOn: Bool,
        style: TextStyle, edge: TextStyle
    ) {
        let room = max(0, width - (goesOn ? 2 : 1))
        let text = SafeText.line(title).fitted(room)
        let rest = room - TextWidth.of(text)
        let line = fills && rest > 1 ? " " + String(repeating: "─", count: rest - 1) : ""
        put(comesFromBefore ? "◀" : "▌", x: x, y: y, style: edge)
        put(text + line, x: x + 1, y: y, limit: room, style: style)
        if goesOn { put("▶", x: x + width - 1, y: y, style: edge) }
    }
}
