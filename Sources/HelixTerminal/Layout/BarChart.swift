extension Canvas {
    /// Draws a chart under a heading, preceded by an empty line.
    public mutating func chart(_ title: String, _ fill: (inout BarChart) -> Void) {
        line()
        line(StyledText(title, .bold))
        var chart = BarChart()
        fill(&chart)
        chart.draw(on: &self, indent: 2)
    }
}

/// A horizontal bar chart, one bar per line: a label, the bar, and a text.
public struct BarChart: Sendable {
    private struct Bar: Sendable {
        var label: StyledText
        var value: Double
        var text: String
        var style: TextStyle
        /// A line above the bar.
        var heading: StyledText?
    }
    /// The line above the next bar.
    private var heading: StyledText?
    private var bars: [Bar] = []

    /// Creates a chart without bars.
    public init() {}

    /// Adds a bar.
    public mutating func bar(_ label: StyledText, value: Double, text: String, style: TextStyle = TextStyle(.blue)) {
        bars.append(Bar(label: label, value: value, text: text, style: style, heading: heading))
        heading = nil
    }

    /// Adds a line above the next bar, which begins a group.
    public mutating func group(_ text: StyledText) { heading = text }

    /// Draws the bars to scale, the longest as wide as space permits.
    public func draw(on canvas: inout Canvas, indent: Int = 0) {
        let labels = min(bars.map(\.label.width).max() ?? 0, max(8, canvas.width / 3))
        let texts = bars.map { TextWidth.of($0.text) }.max() ?? 0
        let room = max(1, min(60, canvas.width - indent - labels - texts - 4))
        let longest = bars.map(\.value).max() ?? 0
        for bar in bars {
            if let heading = bar.heading { canvas.line(heading) }
            let share = longest > 0 ? bar.value / longest : 0
            let count = bar.value > 0 ? max(1, Int((share * Double(room)).rounded())) : 0
            var line = StyledText(String(repeating: " ", count: indent)) + bar.label.padded(labels)
            line.append("  ")
            line.append(String(repeating: "█", count: count), bar.style)
            line.append(String(repeating: " ", count: room - count + 2))
            line.append(bar.text.padded(texts, right: true), .dim)
            canvas.line(line)
        }
    }
}
