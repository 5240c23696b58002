import HelixTerminal

extension ChartPanel {
    /// Draws the chart.
    /// - Returns: the lower edge.
    func draw(on picture: inout Picture, x: Double, y: Double, width: Double) -> Double {
        switch kind {
        case .bars(let bars): ChartPanel.draw(bars, on: &picture, x: x, y: y, width: width)
        case .columns(let labels, let series, let unit):
            TimeAxis(labels: labels, series: series, unit: unit, isStacked: true)
                .draw(on: &picture, Box(x: x, y: y, width: width, height: 170)) { $0.drawColumns(on: &$1) }
        case .lines(let labels, let series, let unit):
            TimeAxis(labels: labels, series: series, unit: unit, isStacked: false)
                .draw(on: &picture, Box(x: x, y: y, width: width, height: 200)) { $0.drawLines(on: &$1) }
        case .areas(let labels, let series, let unit):
            TimeAxis(labels: labels, series: series, unit: unit, isStacked: true)
                .draw(on: &picture, Box(x: x, y: y, width: width, height: 200)) { $0.drawAreas(on: &$1) }
        case .days(let months, let weekdays, let levels):
            ShadedDays(months: months, weekdays: weekdays, levels: levels)
                .draw(on: &picture, x: x, y: y, width: width)
        }
    }

    private static func draw(
        _ bars: [ChartBar], on picture: inout Picture, x: Double, y: Double, width: Double
    ) -> Double {
        let (size, line) = (10.5, 18.0)
        // Columns of the terminal stand for widths that only the reader's font knows.
        let wide = bars.map { Double(TextWidth.of($0.label)) * size * 0.68 }.max() ?? 0
        let labels = min(max(wide, 40), width * 0.36)
        let texts = min((bars.map { Double(TextWidth.of($0.text)) * size * 0.6 }.max() ?? 0) + 6, width * 0.3)
        let room = width - labels - texts - 16
        let most = bars.map(\.value).max() ?? 0
        var y = y
        for bar in bars {
            if let heading = bar.heading {
                picture.text(heading.name, x, y + 4, width: width * 0.7, size: size, bold: true)
                picture.text(
                    heading.text, x + width * 0.7, y + 4, width: width * 0.3, size: size, align: .right,
                    color: picture.theme.faint)
                y += line + 2
            }
            picture.text(bar.label, x, y + 1, width: labels, size: size)
            let length = most > 0 ? bar.value / most * room : 0
            picture.rectangle(x + labels + 8, y + 2, room, 12, radius: 2, picture.theme.rule.faded(0.35))
            picture.rectangle(
                x + labels + 8, y + 2, bar.value > 0 ? max(1.5, length) : 0, 12, radius: 2, PictureColor(bar.color))
            picture.text(
                bar.text, x + width - texts, y + 1, width: texts, size: size, align: .right,
                color: picture.theme.faint)
            y += line
        }
        return y
    }
}

/// A calendar whose days have shades.
struct ShadedDays {
    let months: [ChartMonth]
    let weekdays: [String]
    let levels: [String]

    func draw(on picture: inout Picture, x: Double, y: Double, width: Double) -> Double {
        let (gap, beside) = (22.0, 4)
        let monthWidth = (width - gap * Double(beside - 1)) / Double(beside)
        let cell = monthWidth / 7
        var y = y
        for start in stride(from: 0, to: months.count, by: beside) {
            let row = months[start..<min(start + beside, months.count)]
            for (place, month) in row.enumerated() {
                let left = x + Double(place) * (monthWidth + gap)
                picture.text(month.title, left, y, width: monthWidth, size: 10, bold: true)
                for (column, name) in weekdays.enumerated() {
                    picture.text(
                        String(name.prefix(1)), left + Double(column) * cell, y + 15, width: cell, size: 8,
                        align: .center, color: picture.theme.faint)
                }
                for (place, level) in month.levels.enumerated() {
                    let slot = month.lead + place
                    let (column, line) = (Double(slot % 7), Double(slot / 7))
                    let (left, top) = (left + column * cell + 1, y + 28 + line * cell + 1)
                    picture.rectangle(left, top, cell - 2, cell - 2, radius: 3, ShadedDays.color(level, picture.theme))
                    picture.text(
                        "\(place + 1)", left, top + 3, width: cell - 2, size: 8, align: .center,
                        color: level >= 3 ? PictureColor(0xFFFFFF) : picture.theme.text)
                }
            }
            let weeks = row.map { ($0.lead + $0.levels.count + 6) / 7 }.max() ?? 0
            y += 28 + Double(weeks) * cell + 10
        }
        var left = x
        for (place, word) in levels.enumerated() where !word.isEmpty {
            picture.rectangle(left, y + 1, 10, 10, radius: 2, ShadedDays.color(place + 1, picture.theme))
            picture.text(word, left + 15, y, width: 90, size: 9, color: picture.theme.faint)
            left += 15 + Double(TextWidth.of(word)) * 5.6 + 18
        }
        return y + 16
    }

    private static func color(_ level: Int, _ theme: PictureTheme) -> PictureColor {
        level <= 0 ? theme.rule.faded(0.35) : PictureColor(.blue).faded([0.25, 0.5, 0.8, 1][min(level, 4) - 1])
    }
}
