import HelixModel

@testable import HelixTerminal

/// Frames of the screen as SVG: one is a still, several follow each other, each for two and a half seconds.
enum FrameStill {
    private static let (cellWidth, cellHeight, size, margin) = (8.4, 18.0, 14.0, 14.0)
    private static let seconds = 2.5

    static func text(_ frames: [ScreenFrame], title: String) throws -> String {
        guard let first = frames.first, let colors = ScreenTheme.named.first(where: { $0.name == "dark" })?.colors
        else {
            return ""
        }
        let width = Double(first.width) * cellWidth + 2 * margin
        let height = Double(first.height) * cellHeight + 2 * margin
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(number(width))\" height=\"\(number(height))\" "
                + "viewBox=\"0 0 \(number(width)) \(number(height))\" role=\"img\" "
                + "font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"\(number(size))\">",
            "<title>\(XMLText.escaped(title))</title>",
        ]
        if frames.count > 1 { lines.append(animation(frames.count)) }
        lines.append("<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"\(code(colors.background))\"/>")
        for (place, frame) in frames.enumerated() {
            let delay = number(Double(place) * seconds)
            lines.append(frames.count > 1 ? "<g class=\"frame\" style=\"animation-delay:\(delay)s\">" : "<g>")
            lines += drawn(frame, colors)
            lines.append("</g>")
        }
        lines.append("</svg>\n")
        return lines.joined(separator: "\n")
    }

    /// Each frame is seen in its part of the time. Who asks for less motion sees the first one alone.
    private static func animation(_ count: Int) -> String {
        let share = number(100 / Double(count))
        return "<style>.frame{opacity:0;animation:show \(number(Double(count) * seconds))s step-end infinite}"
            + "@keyframes show{0%{opacity:1}\(share)%{opacity:0}}"
            + "@media (prefers-reduced-motion:reduce){.frame{animation:none}.frame:first-of-type{opacity:1}}</style>"
    }

    private static func drawn(_ frame: ScreenFrame, _ colors: ScreenTheme.Colors) -> [String] {
        var lines: [String] = []
        for y in 0..<frame.height {
            var x = 0
            while x < frame.width {
                let style = frame.grid.cells[y * frame.width + x].style
                var end = x
                var text = ""
                while end < frame.width, frame.grid.cells[y * frame.width + end].style == style {
                    text += frame.grid.cells[y * frame.width + end].text
                    end += 1
                }
                lines += run(text, x: x, y: y, columns: end - x, style, colors)
                x = end
            }
        }
        return lines
    }

    private static func run(
        _ text: String, x: Int, y: Int, columns: Int, _ style: TextStyle, _ colors: ScreenTheme.Colors
    ) -> [String] {
        var ground: ScreenColor? =
            switch style.surface {
            case .selection?: colors.selection
            case .bar?: colors.bar
            case nil: nil
            }
        var ink = style.color.flatMap { colors.named[$0] } ?? (style.isDim ? colors.muted : colors.text)
        if style.isReversed { (ground, ink) = (ink, colors.background) }
        let left = margin + Double(x) * cellWidth
        let top = margin + Double(y) * cellHeight
        let wide = number(Double(columns) * cellWidth)
        var lines: [String] = []
        if let ground {
            lines.append(
                "<rect x=\"\(number(left))\" y=\"\(number(top))\" width=\"\(wide)\" height=\"\(number(cellHeight))\" "
                    + "fill=\"\(code(ground))\"/>")
        }
        if text.allSatisfy({ $0 == " " }) { return lines }
        var marks = style.isBold ? " font-weight=\"bold\"" : ""
        if style.isUnderlined { marks += " text-decoration=\"underline\"" }
        if style.isStruck { marks += " text-decoration=\"line-through\"" }
        lines.append(
            "<text x=\"\(number(left))\" y=\"\(number(top + 14))\" fill=\"\(code(ink))\"\(marks) textLength=\"\(wide)\" "
                + "lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\">\(XMLText.escaped(text))</text>")
        return lines
    }

    private static func code(_ color: ScreenColor) -> String {
        "#"
            + [color.red, color.green, color.blue].map { part in
                let text = String(part, radix: 16)
                return text.count < 2 ? "0" + text : text
            }.joined()
    }

    private static func number(_ value: Double) -> String {
        let rounded = (value * 100).rounded() / 100
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}
