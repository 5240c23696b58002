import HelixGraphics
import HelixModel
import HelixTerminal

/// Values of days as a chart: a column a day in two months, a calendar up to a year, a column a month in more.
struct ChartDays {
    let days: [CivilDate]

    /// - Parameter last: the last day, which is shown, too.
    init(from first: CivilDate, to last: CivilDate) { days = (0..<max(1, last - first + 1)).map { first + $0 } }

    /// The chart of one value for each day.
    func panel(_ unit: ChartUnit, _ viewer: Viewer, value: @escaping (CivilDate) -> Int) -> [ChartPanel] {
        panel([("", .blue, value)], unit, viewer)
    }

    /// The chart of several values for each day, stacked; a calendar shows their sum.
    func panel(
        _ parts: [(name: String, color: TerminalColor, value: (CivilDate) -> Int)], _ unit: ChartUnit,
        _ viewer: Viewer
    ) -> [ChartPanel] {
        if days.count <= 1 { return [] }
        if days.count > 62, days.count <= 370 {
            return [calendar(unit, viewer) { day in parts.reduce(0) { $0 + $1.value(day) } }]
        }
        let groups = days.count <= 62 ? days.map { [$0] } : months
        let labels = groups.map { group -> String in
            let month = DateWords.name(month: group[0].month)
            return days.count <= 62 ? "\(group[0].day) \(month)" : "\(month) \(group[0].components.year)"
        }
        let series = parts.map { part in
            ChartSeries(
                part.name, groups.map { Double($0.reduce(0) { $0 + part.value($1) }) }, color: part.color)
        }
        return [ChartPanel(days.count <= 62 ? "By day" : "By month", .columns(labels: labels, series, unit))]
    }

    private var months: [[CivilDate]] {
        days.reduce(into: [[CivilDate]]()) { months, day in
            if months.isEmpty || day.day == 1 { months.append([]) }
            months[months.count - 1].append(day)
        }
    }

    private func calendar(_ unit: ChartUnit, _ viewer: Viewer, value: (CivilDate) -> Int) -> ChartPanel {
        let values = days.map(value)
        let shades = DayShades(values)
        // Times have the shades that they have on the terminal.
        let level = { (value: Int) in unit == .seconds ? YearReport.level(value) : shades.level(value) }
        var place = 0
        let isOneYear = days[0].components.year == days[days.count - 1].components.year
        let blocks = months.map { month -> ChartMonth in
            let name = DateWords.fullName(month: month[0].month)
            defer { place += month.count }
            return ChartMonth(
                title: isOneYear ? name : "\(name) \(month[0].components.year)",
                // A first month that is not shown whole has empty places before its days.
                lead: month[0].startOfMonth - month[0].startOfMonth.startOfWeek(on: viewer.firstWeekday),
                levels: [Int](repeating: 0, count: month[0].day - 1)
                    + month.indices.map { level(values[place + $0]) })
        }
        let weekdays = (0..<7).map { DateWords.name(viewer.firstWeekday.advanced(by: $0)) }
        let words = unit == .seconds ? YearReport.levelWords : shades.words
        return ChartPanel("By day", .days(blocks, weekdays: weekdays, levels: Array(words.dropFirst())))
    }
}

/// Four shades for the numbers of days.
struct DayShades {
    /// The greatest number of each shade; where all numbers are small, some shades would be the same.
    private let greatest: [Int]

    init(_ numbers: [Int]) {
        let most = max(1, numbers.max() ?? 0)
        greatest = Set((1...DayCalendar.levels).map { (most * $0 + DayCalendar.levels - 1) / DayCalendar.levels })
            .sorted()
    }

    private var lightest: Int { DayCalendar.levels - greatest.count }

    /// The shade of a number, from 0 for nothing.
    func level(_ number: Int) -> Int {
        number == 0 ? 0 : lightest + 1 + (greatest.firstIndex { $0 >= number } ?? greatest.count - 1)
    }

    /// The word of each shade, from that for nothing; empty for a shade that is not used.
    var words: [String] {
        Array(repeating: "", count: lightest + 1) + greatest.map { $0 == 1 ? "1" : "to \($0)" }
    }
}
