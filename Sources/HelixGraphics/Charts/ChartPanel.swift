import HelixModel
import HelixTerminal

/// The beginning of a group of bars.
public struct ChartHeading: Hashable, Sendable {
    /// The name of the group, and the text beside it.
    public var name, text: String

    /// Creates a heading.
    public init(_ name: String, text: String = "") { (self.name, self.text) = (name, text) }
}

/// A bar of a chart, with its text.
public struct ChartBar: Hashable, Sendable {
    /// The name at its start, and the text at its end.
    public var label, text: String
    /// The value, not negative.
    public var value: Double
    /// The colour.
    public var color: TerminalColor
    /// The group that begins with it.
    public var heading: ChartHeading?

    /// Creates a bar.
    public init(
        _ label: String, value: Double, text: String, color: TerminalColor = .blue, heading: ChartHeading? = nil
    ) {
        (self.label, self.value, self.text, self.color, self.heading) = (label, value, text, color, heading)
    }
}

/// The values of one colour in a chart over time.
public struct ChartSeries: Hashable, Sendable {
    /// The name in the legend.
    public var name: String
    /// A value for each place of the axis; nil where there is none.
    public var values: [Double?]
    /// The colour.
    public var color: TerminalColor
    /// Whether it is a dashed line, such as a plan.
    public var isDashed: Bool

    /// Creates a series.
    public init(_ name: String, _ values: [Double?], color: TerminalColor, dashed: Bool = false) {
        (self.name, self.values, self.color, isDashed) = (name, values, color, dashed)
    }
}

/// A month of a calendar whose days have shades.
public struct ChartMonth: Hashable, Sendable {
    /// Its name.
    public var title: String
    /// The weekday of its first day, counted from the first of the week.
    public var lead: Int
    /// The shade of each day, from 0 (nothing) to 4.
    public var levels: [Int]

    /// Creates a month.
    public init(title: String, lead: Int, levels: [Int]) {
        (self.title, self.lead, self.levels) = (title, lead, levels)
    }
}

/// The unit of an axis.
public enum ChartUnit: Sendable {
    case number, seconds

    /// The lines of an axis from 0 to a value that is at least `most`, three to six of them.
    func ticks(to most: Double) -> [Double] {
        let steps: [Double] =
            switch self {
            case .number:
                (0..<12).flatMap { power in [1, 2, 5].map { $0 * (0..<power).reduce(1.0) { sum, _ in sum * 10 } } }
            case .seconds:
                [300, 900, 1800, 3600, 7200, 14_400, 28_800, 72_000, 144_000, 360_000, 720_000, 1_800_000, 3_600_000]
                    + [7_200_000, 18_000_000, 36_000_000, 72_000_000, 180_000_000, 360_000_000]
            }
        let step = steps.first { most / $0 <= 5 } ?? max(1, (most / 5).rounded(.up))
        let count = max(1, Int((most / step).rounded(.up)))
        return (0...count).map { Double($0) * step }
    }

    /// The text of a value.
    func text(_ value: Double) -> String {
        switch self {
        case .number: "\(Int(value))"
        case .seconds: value == 0 ? "0" : DateWords.text(hours: Int(value))
        }
    }
}

/// A part of a page of charts. The terminal draws bars, too, from the same values.
public struct ChartPanel: Hashable, Sendable {
    /// The kinds of charts.
    public enum Kind: Hashable, Sendable {
        /// Bars from the left, one below the other.
        case bars([ChartBar])
        /// Columns over a time, stacked by series.
        case columns(labels: [String], [ChartSeries], ChartUnit)
        /// Lines over a time.
        case lines(labels: [String], [ChartSeries], ChartUnit)
        /// Areas over a time, stacked by series: a cumulative flow.
        case areas(labels: [String], [ChartSeries], ChartUnit)
        /// Months with a shade behind each day; the weekdays, and the word of each shade from 1.
        case days([ChartMonth], weekdays: [String], levels: [String])
    }

    /// The title.
    public var title: String
    /// The chart.
    public var kind: Kind

    /// Creates a panel.
    public init(_ title: String, _ kind: Kind) { (self.title, self.kind) = (title, kind) }
}

/// A page of charts below each other.
public struct ChartPage: Hashable, Sendable {
    /// The title, and the line below it.
    public var title, subtitle: String
    /// The charts.
    public var panels: [ChartPanel]

    /// Creates a page.
    public init(_ title: String, subtitle: String = "", panels: [ChartPanel]) {
        (self.title, self.subtitle, self.panels) = (title, subtitle, panels)
    }

    /// The width of a page in points.
    static let width = 720.0
    static let margin = 28.0

    /// The page as a picture, as high as its charts need.
    public func picture(_ theme: PictureTheme = .light) -> Picture {
        let (margin, inner) = (ChartPage.margin, ChartPage.width - 2 * ChartPage.margin)
        let summary = ([subtitle] + panels.map(\.title)).filter { !$0.isEmpty }.joined(separator: "; ")
        var picture = Picture(width: ChartPage.width, height: 0, title: title, summary: summary, theme: theme)
        picture.text(title, margin, margin, width: inner, size: 17, bold: true)
        var y = margin + 26
        if !subtitle.isEmpty {
            picture.text(subtitle, margin, y, width: inner, size: 11, lines: 2, color: theme.faint)
            y += 18
        }
        for panel in panels {
            y += 16
            if !panel.title.isEmpty {
                picture.text(panel.title, margin, y, width: inner, size: 12, bold: true)
                y += 22
            }
            y = panel.draw(on: &picture, x: margin, y: y, width: inner)
        }
        picture.height = (y + margin).rounded(.up)
        return picture
    }
}
