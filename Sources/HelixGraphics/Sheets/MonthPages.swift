import HelixTerminal

/// Weeks below each other, on paper.
public struct MonthPages: Sendable {
    /// A day.
    public struct Day: Hashable, Sendable {
        /// Its number, and its name in lists.
        public var number, name: String
        /// Whether it belongs to the month.
        public var isInside: Bool
        /// The events that begin and end on it, in order.
        public var events: [SheetEvent]

        /// Creates a day.
        public init(number: String, name: String, isInside: Bool, events: [SheetEvent]) {
            (self.number, self.name, self.isInside, self.events) = (number, name, isInside, events)
        }
    }

    /// A week, with the events of several days.
    public struct Week: Hashable, Sendable {
        /// Its number in the year.
        public var number: String
        /// Its seven days.
        public var days: [Day]
        /// Events over several days, or of a whole day.
        public var bars: [SheetBar]

        /// Creates a week.
        public init(number: String, days: [Day], bars: [SheetBar]) {
            (self.number, self.days, self.bars) = (number, days, bars)
        }
    }

    private let sheet: Sheet
    private let weekdays: [String]
    private let weeks: [Week]
    private static let line = 11.5
    private static let head = 14.0

    /// - Parameter weekdays: the names of the seven days.
    public init(_ sheet: Sheet, weekdays: [String], weeks: [Week]) {
        (self.sheet, self.weekdays, self.weeks) = (sheet, weekdays, weeks)
    }

    /// The page, followed by lists of the days on which something has no room.
    public func pages() -> [Picture] {
        var picture = sheet.page()
        let (area, gutter) = (sheet.area, 18.0)
        let columnWidth = (area.width - gutter) / 7
        let left = area.x + gutter
        for (column, name) in weekdays.enumerated() {
            picture.text(
                columnWidth < 64 ? String(name.prefix(3)) : name, left + Double(column) * columnWidth, area.y,
                width: columnWidth, size: 9, bold: true,
                align: .center,
                color: picture.theme.faint)
        }
        let top = area.y + 16
        let height = (area.y + area.height - top) / Double(max(1, weeks.count))
        var lists: [(name: String, events: [SheetEvent])] = []
        for (place, week) in weeks.enumerated() {
            let box = Box(x: left, y: top + Double(place) * height, width: columnWidth * 7, height: height)
            picture.text(
                week.number, area.x, box.y + 3, width: gutter - 4, size: 7.5, align: .right, color: picture.theme.faint)
            lists += draw(week, on: &picture, box, columnWidth)
        }
        for column in 0...7 {
            let x = left + Double(column) * columnWidth
            picture.line(from: PicturePoint(x, top), to: PicturePoint(x, area.y + area.height))
        }
        for place in 0...weeks.count {
            let y = top + Double(place) * height
            picture.line(from: PicturePoint(left, y), to: PicturePoint(left + columnWidth * 7, y))
        }
        return [picture] + SheetList(sheet: sheet, days: lists).pages()
    }

    /// Draws a week.
    /// - Returns: the days that have more events than lines, with all of their events.
    private func draw(
        _ week: Week, on picture: inout Picture, _ box: Box, _ columnWidth: Double
    ) -> [(name: String, events: [SheetEvent])] {
        let room = max(1, Int((box.height - MonthPages.head - 2) / MonthPages.line))
        for (column, day) in week.days.enumerated() {
            let x = box.x + Double(column) * columnWidth
            if !day.isInside {
                picture.rectangle(x, box.y, columnWidth, box.height, picture.theme.rule.faded(0.25))
            }
            picture.text(
                day.number, x + 4, box.y + 2, width: columnWidth - 8, size: 9, bold: day.isInside,
                color: day.isInside ? nil : picture.theme.faint)
        }
        // The lines that the bars of each day take, and the bars that have none.
        var lanes = BarLanes()
        var taken = [Int](repeating: 0, count: 7)
        var hidden = [Int](repeating: 0, count: 7)
        // A day with more than its room keeps a line for the number of the others.
        let least = week.days.indices.map { column in
            let bars = week.bars.count { $0.columns.contains(column) }
            return week.days[column].events.count + bars > room ? room - 1 : room
        }
        for bar in week.bars {
            let limit = bar.columns.map { least[$0] }.min() ?? room
            guard limit > 0, let lane = lanes.place(bar.columns, limit: limit) else {
                for column in bar.columns { hidden[column] += 1 }
                continue
            }
            for column in bar.columns { taken[column] = max(taken[column], lane + 1) }
            bar.draw(
                on: &picture, x: box.x, y: box.y + MonthPages.head + Double(lane) * MonthPages.line,
                columnWidth: columnWidth, height: MonthPages.line - 1, size: 7.5)
        }
        var lists: [(name: String, events: [SheetEvent])] = []
        for (column, day) in week.days.enumerated() {
            let free = max(0, room - taken[column])
            let isWhole = hidden[column] == 0 && day.events.count <= free
            let shown = isWhole ? day.events.count : max(0, free - 1)
            let x = box.x + Double(column) * columnWidth
            for (place, event) in day.events.prefix(shown).enumerated() {
                let y = box.y + MonthPages.head + Double(taken[column] + place) * MonthPages.line
                draw(event, on: &picture, x: x, y: y, width: columnWidth)
            }
            if isWhole { continue }
            let more = hidden[column] + day.events.count - shown
            picture.text(
                "+\(more)\(columnWidth < 80 ? "" : " more") overleaf", x + 8,
                box.y + MonthPages.head + Double(taken[column] + shown) * MonthPages.line,
                width: columnWidth - 10, size: 7.5,
                bold: true, color: picture.theme.faint)
            lists.append(
                (day.name, week.bars.filter { $0.columns.contains(column) }.map(\.event) + day.events))
        }
        return lists
    }

    private func draw(_ event: SheetEvent, on picture: inout Picture, x: Double, y: Double, width: Double) {
        picture.rectangle(x + 3, y + 2, 2.5, 7, radius: 1, PictureColor(event.color).faded(event.isFaint ? 0.4 : 1))
        let start = event.time.prefix { $0 != "–" }
        let text = start.isEmpty ? event.label : "\(start) \(event.label)"
        picture.text(
            text, x + 8, y, width: width - 10, size: 7.5, color: event.isFaint ? picture.theme.faint : nil)
    }
}
