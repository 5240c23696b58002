import HelixModel
import HelixTerminal

/// Pictures as SVG 1.1: texts stay texts, which are found, read aloud and set in the reader's font.
///
/// cairo writes SVG, too, but as outlines of letters: larger, and silent to a screen reader.
public enum SVGWriter {
    /// The document.
    public static func text(_ picture: Picture) -> String {
        let (width, height) = (number(picture.width), number(picture.height))
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" "
                + "viewBox=\"0 0 \(width) \(height)\" role=\"img\" font-family=\"system-ui, sans-serif\">",
            "<title>\(XMLText.escaped(picture.title))</title>",
        ]
        if !picture.summary.isEmpty { lines.append("<desc>\(XMLText.escaped(picture.summary))</desc>") }
        lines.append("<rect width=\"\(width)\" height=\"\(height)\"\(fill(picture.theme.background))/>")
        for shape in picture.shapes { lines += element(shape) }
        lines.append("</svg>\n")
        return lines.joined(separator: "\n")
    }

    private static func element(_ shape: PictureShape) -> [String] {
        switch shape {
        case .rectangle(let box, let radius, let color):
            let corner = radius > 0 ? " rx=\"\(number(radius))\"" : ""
            return [
                "<rect x=\"\(number(box.x))\" y=\"\(number(box.y))\" width=\"\(number(box.width))\" "
                    + "height=\"\(number(box.height))\"\(corner)\(fill(color))/>"
            ]
        case .line(let points, let width, let isDashed, let color):
            let dash = isDashed ? " stroke-dasharray=\"3 3\"" : ""
            return [
                "<polyline points=\"\(list(points))\" fill=\"none\" stroke=\"\(code(color))\"\(opacity(color, "stroke")) "
                    + "stroke-width=\"\(number(width))\" stroke-linejoin=\"round\" stroke-linecap=\"round\"\(dash)/>"
            ]
        case .area(let points, let color): return ["<polygon points=\"\(list(points))\"\(fill(color))/>"]
        case .text(let text): return lines(of: text)
        }
    }

    private static func lines(of text: PictureText) -> [String] {
        let (anchor, x) =
            switch text.alignment {
            case .left: ("", text.x)
            case .center: (" text-anchor=\"middle\"", text.x + text.width / 2)
            case .right: (" text-anchor=\"end\"", text.x + text.width)
            }
        let weight = text.isBold ? " font-weight=\"bold\"" : ""
        return TextFit.lines(of: text).enumerated().map { place, line in
            let y = text.y + text.size * (1 + Double(place) * PictureText.lineHeight)
            return "<text x=\"\(number(x))\" y=\"\(number(y))\" font-size=\"\(number(text.size))\"\(weight)\(anchor)"
                + "\(fill(text.color)) xml:space=\"preserve\">\(XMLText.escaped(line))</text>"
        }
    }

    private static func list(_ points: [PicturePoint]) -> String {
        points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
    }

    private static func fill(_ color: PictureColor) -> String {
        " fill=\"\(code(color))\"" + opacity(color, "fill")
    }

    private static func opacity(_ color: PictureColor, _ kind: String) -> String {
        color.opacity < 1 ? " \(kind)-opacity=\"\(number(color.opacity))\"" : ""
    }

    private static func code(_ color: PictureColor) -> String {
        "#"
            + [color.red, color.green, color.blue].map { part in
                let text = String(Int((part * 255).rounded()), radix: 16)
                return text.count < 2 ? "0" + text : text
            }.joined()
    }

    /// A number with at most two decimal places.
    private static func number(_ value: Double) -> String {
        let rounded = (value * 100).rounded() / 100
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}

/// Lines of a text where no font can be measured: a column of the terminal counts as 0.56 of the font's height.
enum TextFit {
    private static let share = 0.56

    /// The lines of a text in its box, the last one with an ellipsis if more would follow.
    static func lines(of text: PictureText) -> [String] {
        let columns = max(1, Int(text.width / (text.size * share * (text.isBold ? 1.08 : 1))))
        var lines: [String] = []
        for paragraph in text.text.split(separator: "\n", omittingEmptySubsequences: false) {
            lines += wrapped(String(paragraph), columns)
        }
        guard lines.count > text.lines else { return lines }
        var shown = Array(lines.prefix(text.lines))
        shown[text.lines - 1] = cut(shown[text.lines - 1] + " " + lines[text.lines], columns)
        return shown
    }

    private static func wrapped(_ text: String, _ columns: Int) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let line = lines[lines.count - 1]
            if line.isEmpty || TextWidth.of(line) + 1 + TextWidth.of(word) <= columns {
                lines[lines.count - 1] = line.isEmpty ? String(word) : line + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.flatMap { pieces($0, columns) }
    }

    /// A word that is wider than a line, in pieces.
    private static func pieces(_ line: String, _ columns: Int) -> [String] {
        var pieces = [""]
        var width = 0
        for character in line {
            let own = TextWidth.of(character)
            if width + own > columns, width > 0 {
                pieces.append("")
                width = 0
            }
            pieces[pieces.count - 1].append(character)
            width += own
        }
        return pieces
    }

    private static func cut(_ line: String, _ columns: Int) -> String {
        var kept = ""
        var width = 0
        for character in line {
            width += TextWidth.of(character)
            if width >= columns { break }
            kept.append(character)
        }
        return kept.trimmingSuffix(" ") + "…"
    }
}

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> String {
        var text = self
        while text.last == character { text.removeLast() }
        return text
    }
}
