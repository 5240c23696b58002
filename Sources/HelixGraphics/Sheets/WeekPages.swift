import HelixTerminal

/// Days side by side with an axis of hours, on paper.
public struct WeekPages: Sendable {
    /// An event of hours.
    public struct Block: Hashable, Sendable {
        /// The day, from 0.
        public var column: Int
        /// The minutes of the day.
        public var minutes: Range<Int>
        /// The event.
        public var event: SheetEvent

        /// Creates a block.
        public init(column: Int, minutes: Range<Int>, event: SheetEvent) {
            (self.column, self.minutes, self.event) = (column, minutes, event)
        }
    }

    private let sheet: Sheet
    private let days: [String]
    private let bars: [SheetBar]
    private let blocks: [Block]
    /// The minutes of the axis, whole hours.
    private let minutes: Range<Int>
    private let clock: @Sendable (Int) -> String

    /// The most lanes of all-day events.
    private static let laneLimit = 8
    /// The narrowest box that is read.
    private static let narrowest = 36.0
    private static let axis = 34.0
    private static let barHeight = 13.0

    /// - Parameters:
    ///   - days: the name of each day.
    ///   - hours: the minutes that are always shown.
    ///   - clock: the text of a minute of the day.
    public init(
        _ sheet: Sheet, days: [String], bars: [SheetBar], blocks: [Block], hours: Range<Int>,
        clock: @escaping @Sendable (Int) -> String
    ) {
        (self.sheet, self.days, self.bars, self.blocks, self.clock) = (sheet, days, bars, blocks, clock)
        let low = min(hours.lowerBound, blocks.map(\.minutes.lowerBound).min() ?? hours.lowerBound) / 60 * 60
        let high = (max(hours.upperBound, blocks.map(\.minutes.upperBound).max() ?? hours.upperBound) + 59) / 60 * 60
        minutes = low..<max(high, low + 60)
    }

    /// The page, followed by lists of the days on which something has no room.
    public func pages() -> [Picture] {
        var picture = sheet.page()
        let area = sheet.area
        let columnWidth = (area.width - WeekPages.axis) / Double(max(1, days.count))
        let left = area.x + WeekPages.axis
        for (column, name) in days.enumerated() {
            picture.text(
                name, left + Double(column) * columnWidth, area.y, width: columnWidth, size: 10, bold: true,
                align: .center)
        }
        var crowded: Set<Int> = []
        var lanes = BarLanes()
        var top = area.y + 18
        for bar in bars {
            guard let lane = lanes.place(bar.columns, limit: WeekPages.laneLimit) else {
                crowded.formUnion(bar.columns)
                continue
            }
            bar.draw(
                on: &picture, x: left, y: top + Double(lane) * (WeekPages.barHeight + 2), columnWidth: columnWidth,
                height: WeekPages.barHeight, size: 8.5)
        }
        top += Double(lanes.count) * (WeekPages.barHeight + 2) + 4
        let grid = Box(x: left, y: top, width: area.width - WeekPages.axis, height: area.y + area.height - top)
        drawAxis(on: &picture, grid, columnWidth)
        for column in days.indices {
            if drawDay(column, on: &picture, grid, columnWidth) { crowded.insert(column) }
        }
        for column in crowded {
            picture.text(
                columnWidth < 70 ? "overleaf" : "more overleaf", left + Double(column) * columnWidth,
                area.y + area.height + 1, width: columnWidth,
                size: 7.5, align: .center, color: picture.theme.faint)
        }
        let lists = crowded.sorted().map { column in
            (
                name: days[column],
                events: bars.filter { $0.columns.contains(column) }.map(\.event)
                    + blocks.filter { $0.column == column }.sorted { $0.minutes.lowerBound < $1.minutes.lowerBound }
                    .map(\.event)
            )
        }
        return [picture] + SheetList(sheet: sheet, days: lists).pages()
    }

    private func y(_ minute: Int, _ grid: Box) -> Double {
        grid.y + Double(minute - minutes.lowerBound) / Double(minutes.count) * grid.height
    }

    private func drawAxis(on picture: inout Picture, _ grid: Box, _ columnWidth: Double) {
        for minute in stride(from: minutes.lowerBound, through: minutes.upperBound, by: 60) {
            let y = y(minute, grid)
            picture.line(from: PicturePoint(grid.x - 4, y), to: PicturePoint(grid.x + grid.width, y))
            // The end of the day has no name: the next one begins there.
            if minute < minutes.upperBound {
                picture.text(
                    clock(minute), grid.x - WeekPages.axis, y - 5, width: WeekPages.axis - 7, size: 8, align: .right,
                    color: picture.theme.faint)
            }
        }
        for column in 0...days.count {
            let x = grid.x + Double(column) * columnWidth
            picture.line(from: PicturePoint(x, grid.y), to: PicturePoint(x, grid.y + grid.height))
        }
    }

    /// A box that stands for several events.
    private static func sum(of blocks: [Block], _ clock: (Int) -> String) -> Block {
        let start = blocks.map(\.minutes.lowerBound).min() ?? 0
        let end = blocks.map(\.minutes.upperBound).max() ?? start
        return Block(
            column: blocks.first?.column ?? 0, minutes: start..<end,
            event: SheetEvent(
                time: "\(clock(start))–\(clock(end))", label: "\(blocks.count) events", detail: "overleaf",
                color: .gray, isFaint: false))
    }

    /// Draws the hours of a day, overlapping events beside each other.
    /// - Returns: whether they are too narrow to be read.
    private func drawDay(_ column: Int, on picture: inout Picture, _ grid: Box, _ columnWidth: Double) -> Bool {
        var isCrowded = false
        var cluster: [(block: Block, lane: Int)] = []
        var lanes: [Int] = []
        func draw() {
            let width = (columnWidth - 3) / Double(max(1, lanes.count))
            if !cluster.isEmpty, width < WeekPages.narrowest {
                isCrowded = true
                // Too narrow to be read: one box says how many there are.
                cluster = [(WeekPages.sum(of: cluster.map(\.block), clock), 0)]
                lanes = [0]
                return draw()
            }
            for (block, lane) in cluster {
                let (top, bottom) = (y(block.minutes.lowerBound, grid), y(block.minutes.upperBound, grid))
                let box = Box(
                    x: grid.x + Double(column) * columnWidth + 1.5 + Double(lane) * width, y: top + 0.5,
                    width: width - 1, height: max(6, bottom - top - 1))
                block.event.draw(on: &picture, box, size: min(8.5, box.height * 0.8), showsTime: true)
            }
            (cluster, lanes) = ([], [])
        }
        let own = blocks.filter { $0.column == column }.sorted {
            ($0.minutes.lowerBound, $1.minutes.upperBound) < ($1.minutes.lowerBound, $0.minutes.upperBound)
        }
        // A short event is drawn higher than it lasts.
        let least = Int((7 / max(1, grid.height) * Double(minutes.count)).rounded(.up))
        for block in own {
            let end = max(block.minutes.upperBound, block.minutes.lowerBound + least)
            if let last = lanes.max(), block.minutes.lowerBound >= last { draw() }
            let lane = lanes.firstIndex { $0 <= block.minutes.lowerBound } ?? lanes.count
            if lane == lanes.count { lanes.append(end) } else { lanes[lane] = end }
            cluster.append((block, lane))
        }
        draw()
        return isCrowded
    }
}
