import HelixTerminal

/// Values over a time: an axis of labels, one of values, and a legend.
struct TimeAxis {
    let labels: [String]
    let series: [ChartSeries]
    let unit: ChartUnit
    let isStacked: Bool
    private(set) var area = Box(x: 0, y: 0, width: 0, height: 0)
    private let ticks: [Double]

    init(labels: [String], series: [ChartSeries], unit: ChartUnit, isStacked: Bool) {
        (self.labels, self.series, self.unit, self.isStacked) = (labels, series, unit, isStacked)
        let most =
            isStacked
            ? labels.indices.map { place in series.reduce(0) { $0 + ($1.value(at: place) ?? 0) } }.max()
            : series.flatMap { $0.values.compactMap { $0 } }.max()
        ticks = unit.ticks(to: most ?? 0)
    }

    /// Draws the axes, then the values, then the legend.
    /// - Returns: the lower edge.
    func draw(on picture: inout Picture, _ box: Box, _ values: (TimeAxis, inout Picture) -> Void) -> Double {
        var axis = self
        let names = ticks.map { unit.text($0) }
        let left = (names.map { Double(TextWidth.of($0)) * 6.4 }.max() ?? 0) + 10
        axis.area = Box(x: box.x + left, y: box.y + 4, width: box.width - left, height: box.height)
        for (tick, name) in zip(ticks, names) {
            let y = axis.y(tick)
            picture.line(from: PicturePoint(axis.area.x, y), to: PicturePoint(axis.area.x + axis.area.width, y))
            picture.text(
                name, box.x, y - 6, width: left - 6, size: 9, align: .right, color: picture.theme.faint)
        }
        values(axis, &picture)
        axis.drawLabels(on: &picture)
        var y = axis.area.y + axis.area.height + 20
        if series.count > 1 { y = drawLegend(on: &picture, x: box.x + left, y: y, width: box.width - left) }
        return y
    }

    private func y(_ value: Double) -> Double {
        area.y + area.height - value / (ticks.last ?? 1) * area.height
    }

    /// The middle of a place on the axis.
    private func x(_ place: Int) -> Double { area.x + (Double(place) + 0.5) * slot }

    private var slot: Double { area.width / Double(max(1, labels.count)) }

    /// Draws as many labels as have room, each at its place.
    private func drawLabels(on picture: inout Picture) {
        let wide = (labels.map { Double(TextWidth.of($0)) * 6.2 }.max() ?? 0) + 12
        let step = max(1, Int((wide / slot).rounded(.up)))
        for place in stride(from: 0, to: labels.count, by: step) {
            let room = max(wide, slot)
            // The first and the last one stay in the picture.
            let left = min(max(area.x - 8, x(place) - room / 2), area.x + area.width - room + 8)
            picture.text(
                labels[place], left, area.y + area.height + 4, width: room, size: 9, align: .center,
                color: picture.theme.faint)
        }
    }

    func drawColumns(on picture: inout Picture) {
        // A few columns stay columns, not walls.
        let gap = max(min(6, slot * 0.25), slot - 48)
        for place in labels.indices {
            var base = 0.0
            for series in series {
                guard let value = series.value(at: place), value > 0 else { continue }
                let (top, bottom) = (y(base + value), y(base))
                picture.rectangle(
                    x(place) - slot / 2 + gap / 2, top, slot - gap, max(0.8, bottom - top),
                    PictureColor(series.color))
                base += value
            }
        }
    }

    func drawLines(on picture: inout Picture) {
        for series in series {
            var points: [PicturePoint] = []
            func end() {
                if points.count == 1 {
                    picture.rectangle(points[0].x - 2, points[0].y - 2, 4, 4, radius: 2, PictureColor(series.color))
                } else if !points.isEmpty {
                    picture.shapes.append(
                        .line(points, width: 1.8, isDashed: series.isDashed, PictureColor(series.color)))
                }
                points = []
            }
            for place in labels.indices {
                if let value = series.value(at: place) {
                    points.append(PicturePoint(x(place), y(value)))
                } else {
                    end()
                }
            }
            end()
        }
    }

    func drawAreas(on picture: inout Picture) {
        var lower = [Double](repeating: 0, count: labels.count)
        for series in series {
            let upper = labels.indices.map { lower[$0] + (series.value(at: $0) ?? 0) }
            let points =
                labels.indices.map { PicturePoint(x($0), y(upper[$0])) }
                + labels.indices.reversed().map { PicturePoint(x($0), y(lower[$0])) }
            if labels.count > 1 {
                picture.shapes.append(.area(points, PictureColor(series.color)))
            } else if labels.count == 1 {
                picture.rectangle(
                    x(0) - 12, y(upper[0]), 24, y(lower[0]) - y(upper[0]), PictureColor(series.color))
            }
            lower = upper
        }
    }

    private func drawLegend(on picture: inout Picture, x: Double, y: Double, width: Double) -> Double {
        var (left, top) = (x, y)
        for series in series {
            let room = Double(TextWidth.of(series.name)) * 6 + 30
            if left + room > x + width, left > x { (left, top) = (x, top + 15) }
            let color = PictureColor(series.color)
            if series.isDashed {
                picture.line(
                    from: PicturePoint(left, top + 7), to: PicturePoint(left + 12, top + 7), width: 1.8, dashed: true,
                    color)
            } else {
                picture.rectangle(left, top + 2, 10, 10, radius: 2, color)
            }
            picture.text(series.name, left + 16, top, width: room, size: 9.5, color: picture.theme.faint)
            left += room
        }
        return top + 18
    }
}

extension ChartSeries {
    fileprivate func value(at place: Int) -> Double? { values.indices.contains(place) ? values[place] : nil }
}
