/// Months as blocks of numbers beside each other, with a shade behind each day: a calendar that is a heat map.
public struct DayCalendar: Sendable {
    /// A day.
    public struct Day: Sendable {
        /// Its number in the month.
        public var number: Int
        /// Its shade, from 0 (nothing) to 4.
        public var level: Int
        /// Whether a dot stands behind a day without a shade.
        public var hasDot: Bool
        /// Whether it is today.
        public var isToday: Bool

        /// Creates a day.
        public init(number: Int, level: Int, hasDot: Bool = false, isToday: Bool) {
            (self.number, self.level, self.hasDot, self.isToday) = (number, level, hasDot, isToday)
        }
    }

    /// A month, or the part of it that is shown.
    public struct Month: Sendable {
        /// Its name.
        public var title: String
        /// The weekday of the first day shown, counted from the first of the week.
        public var lead: Int
        /// Its days.
        public var days: [Day]

        /// Creates a month.
        public init(title: String, lead: Int, days: [Day]) {
            (self.title, self.lead, self.days) = (title, lead, days)
        }

        fileprivate var weeks: Int { (lead + days.count + 6) / 7 }
    }

    /// The number of shades without the lowest.
    public static let levels = 4
    private static let dayWidth = 3
    private static let monthWidth = dayWidth * 7
    private static let gap = 3

    private let months: [Month]
    private let weekdays: [String]

    /// Creates a calendar.
    /// - Parameter weekdays: the names of the seven days, of which two letters are shown.
    public init(_ months: [Month], weekdays: [String]) { (self.months, self.weekdays) = (months, weekdays) }

    /// The sign and the style of a shade.
    public static func shade(_ level: Int) -> (sign: String, style: TextStyle) {
        switch level {
        case ...0: ("·", .dim)
        case 1: ("░", TextStyle(.blue))
        case 2: ("▒", TextStyle(.blue))
        case 3: ("▓", TextStyle(.blue))
        default: ("█", TextStyle(.blue, bold: true))
        }
    }

    /// Draws as many months beside each other as have room; a divisor of 12, so that years have full lines.
    public func draw(on canvas: inout Canvas) {
        let room = (canvas.width + DayCalendar.gap) / (DayCalendar.monthWidth + DayCalendar.gap)
        let beside = [12, 6, 4, 3, 2, 1].first { $0 <= room } ?? 1
        for start in stride(from: 0, to: months.count, by: beside) {
            draw(Array(months[start..<min(start + beside, months.count)]), on: &canvas)
            canvas.line()
        }
    }

    private func draw(_ months: [Month], on canvas: inout Canvas) {
        let (width, gap) = (DayCalendar.monthWidth, DayCalendar.gap)
        let weeks = months.map(\.weeks).max() ?? 0
        var grid = CellGrid(width: months.count * (width + gap) - gap, height: weeks + 2)
        for (place, month) in months.enumerated() {
            let left = place * (width + gap)
            grid.put(month.title, x: left, y: 0, limit: width, style: .bold)
            for (column, name) in weekdays.enumerated() {
                grid.put(String(name.prefix(2)), x: left + column * DayCalendar.dayWidth, y: 1, limit: 2, style: .dim)
            }
            for (offset, day) in month.days.enumerated() {
                let cell = month.lead + offset
                let x = left + cell % 7 * DayCalendar.dayWidth
                let (sign, style) = DayCalendar.shade(day.level)
                let number = day.number < 10 ? " \(day.number)" : "\(day.number)"
                let numberStyle =
                    day.isToday
                    ? TextStyle(bold: true, reversed: true)
                    : day.level > 0 ? TextStyle(style.color, bold: true) : .plain
                grid.put(number, x: x, y: cell / 7 + 2, style: numberStyle)
                if day.level > 0 || day.hasDot { grid.put(sign, x: x + 2, y: cell / 7 + 2, style: style) }
            }
        }
        grid.draw(on: &canvas)
    }

    /// A line that explains the shades: the sign of each level with its words.
    public static func legend(_ words: [String]) -> [StyledText] {
        words.enumerated().compactMap { level, text in
            if text.isEmpty { return nil }
            let (sign, style) = shade(level)
            return StyledText(sign, style) + StyledText(" \(text)", .dim)
        }
    }
}
