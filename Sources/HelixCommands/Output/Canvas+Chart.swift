import HelixGraphics
import HelixTerminal

extension Canvas {
    /// Draws the bars of a panel under its title, preceded by an empty line. Other charts have drawings of their own.
    mutating func panel(_ panel: ChartPanel) {
        guard case .bars(let bars) = panel.kind else { return }
        chart(panel.title) { $0.add(bars) }
    }

    /// Draws bars.
    mutating func bars(_ bars: [ChartBar], indent: Int = 0) {
        var chart = BarChart()
        chart.add(bars)
        chart.draw(on: &self, indent: indent)
    }
}

extension BarChart {
    fileprivate mutating func add(_ bars: [ChartBar]) {
        for bar in bars {
            if let heading = bar.heading {
                let text = heading.text.isEmpty ? StyledText() : StyledText("  " + heading.text, .dim)
                group(StyledText(heading.name, .bold) + text)
            }
            self.bar(StyledText(bar.label), value: bar.value, text: bar.text, style: TextStyle(bar.color))
        }
    }
}
