/// A chart of days on one axis of hours: a line for each day, with its blocks.
public struct DayStrips: Sendable {
    /// A block on a day, in minutes after its midnight.
    public struct Block: Sendable {
        /// From the first minute up to but excluding the last.
        public var minutes: Range<Int>
        /// The label, shown if it fits.
        public var label: String
        /// The colour of the block.
        public var style: TextStyle
        /// The character of the block without colours.
        public var fill: Character

        /// Creates a block that begins and ends on the day.
        public init(minutes: Range<Int>, label: String, style: TextStyle, fill: Character) {
            (self.minutes, self.label, self.style, self.fill) = (minutes, label, style, fill)
        }
    }

    /// A day.
    public struct Strip: Sendable {
        /// The text at the beginning of the line.
        public var heading: StyledText
        /// The blocks, in drawing order.
        public var blocks: [Block]
        /// The text at the end of the line.
        public var text: StyledText

        /// Creates a day with its blocks; later ones are drawn over earlier ones.
        public init(heading: StyledText, blocks: [Block], text: StyledText) {
            (self.heading, self.blocks, self.text) = (heading, blocks, text)
        }
    }

    private let strips: [Strip]
    private let hours: Range<Int>
    private let clock: @Sendable (Int) -> String

    /// - Parameters:
    ///   - hours: the hours that are always shown, even if empty.
    ///   - clock: the label of an hour.
    public init(_ strips: [Strip], hours: Range<Int>, clock: @escaping @Sendable (Int) -> String) {
        self.strips = strips
        let blocks = strips.flatMap(\.blocks)
        let first = min(hours.lowerBound, (blocks.map(\.minutes.lowerBound).min() ?? 1440) / 60)
        let last = max(hours.upperBound, ((blocks.map(\.minutes.upperBound).max() ?? 0) + 59) / 60)
        self.hours = first..<max(first + 1, last)
        self.clock = clock
    }

    /// Draws the axis and the days. Each cell is as short as the width permits, but at least five minutes.
    public func draw(on canvas: inout Canvas) {
        let headings = strips.map(\.heading.width).max() ?? 0
        let texts = strips.map(\.text.width).max() ?? 0
        let room = max(8, canvas.width - headings - texts - 4)
        let minutes = [5, 10, 15, 20, 30, 60, 120, 240].first { (hours.count * 60 + $0 - 1) / $0 <= room } ?? 480
        let count = (hours.count * 60 + minutes - 1) / minutes
        canvas.line(axis(count, minutes, after: headings + 2).fitted(canvas.width))
        for strip in strips {
            var line = strip.heading.padded(headings)
            line.append("  ")
            line.append(cells(of: strip, count, minutes))
            line.append("  ")
            line.append(strip.text.padded(texts, right: true))
            canvas.line(line.fitted(canvas.width))
        }
    }

    private func axis(_ count: Int, _ minutes: Int, after indent: Int) -> StyledText {
        var text = String(repeating: " ", count: indent)
        for hour in hours {
            let place = indent + (hour - hours.lowerBound) * 60 / minutes
            let label = clock(hour)
            // A label needs a blank before it.
            guard (hour - hours.lowerBound) * 60 % minutes == 0, text.count <= place,
                text.count == indent || text.count < place,
                place + label.count <= indent + count + 2
            else { continue }
            text += String(repeating: " ", count: place - text.count) + label
        }
        return StyledText(text, .dim)
    }

    private func cells(of strip: Strip, _ count: Int, _ minutes: Int) -> StyledText {
        // The block of each cell is the one that covers most of it.
        let owners = (0..<count).map { cell -> Int? in
            let start = hours.lowerBound * 60 + cell * minutes
            let shares = strip.blocks.map {
                max(0, min($0.minutes.upperBound, start + minutes) - max($0.minutes.lowerBound, start))
            }
            guard let most = shares.max(), most > 0 else { return nil }
            return 2 * most >= minutes || isAlone(strip.blocks, shares, cell, minutes)
                ? shares.lastIndex(of: most) : nil
        }
        var line = StyledText()
        var cell = 0
        while cell < count {
            var end = cell + 1
            while end < count, owners[end] == owners[cell] { end += 1 }
            guard let owner = owners[cell] else {
                line.append((cell..<end).map { isHour($0, minutes) ? "·" : " " }.joined(), .dim)
                cell = end
                continue
            }
            let block = strip.blocks[owner]
            let width = end - cell
            let title = SafeText.line(block.label)
            let label = !title.isEmpty && TextWidth.of(title) + 2 <= width ? " \(title) " : ""
            var style = block.style
            style.isReversed = true
            line.append(label, style)
            line.append(String(repeating: block.fill, count: width - TextWidth.of(label)), block.style)
            cell = end
        }
        return line
    }

    /// Whether a short block would be invisible, in the cell in which it begins.
    private func isAlone(_ blocks: [Block], _ shares: [Int], _ cell: Int, _ minutes: Int) -> Bool {
        let start = hours.lowerBound * 60 + cell * minutes
        return zip(blocks, shares).contains { block, share in
            share > 0 && block.minutes.lowerBound >= start && block.minutes.count < minutes
        }
    }

    private func isHour(_ cell: Int, _ minutes: Int) -> Bool {
        minutes < 60 && (hours.lowerBound * 60 + cell * minutes) % 60 == 0
    }
}
