import HelixGraphics
import HelixTerminal
import TestSupport
import Testing

@Suite struct ChartTests {
    private func rectangles(_ picture: Picture, _ color: TerminalColor) -> [Box] {
        picture.shapes.compactMap { shape in
            guard case .rectangle(let box, _, let fill) = shape, fill == PictureColor(color) else { return nil }
            return box
        }
    }

    /// A bar is as long as its value, and a column as high, whatever the values are.
    @Test func lengthsAreProportionalToValues() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<100 {
            let values = (0..<Int.random(in: 2...12, using: &generator)).map { _ in
                Double.random(in: 1...1000, using: &generator).rounded()
            }
            let bars = values.map { ChartBar("x", value: $0, text: "", color: .cyan) }
            let lengths = rectangles(ChartPage("", panels: [ChartPanel("", .bars(bars))]).picture(), .cyan).map(\.width)
            #expect(lengths.count == values.count)
            for (value, length) in zip(values, lengths) where length > 1.5 {
                #expect(abs(length / lengths.max()! - value / values.max()!) < 0.001)
            }
            let columns = ChartPanel.Kind.columns(
                labels: values.map { "\($0)" }, [ChartSeries("", values, color: .cyan)], .number)
            let heights = rectangles(ChartPage("", panels: [ChartPanel("", columns)]).picture(), .cyan).map(\.height)
            #expect(heights.count == values.count)
            for (value, height) in zip(values, heights) where height > 0.8 {
                #expect(abs(height / heights.max()! - value / values.max()!) < 0.001)
            }
        }
    }

    /// Stacked values add up: the top of the upper one is where a column of their sum would end.
    @Test func stackedColumnsAddUp() throws {
        let parts = [ChartSeries("a", [3, 1], color: .red), ChartSeries("b", [5, 1], color: .blue)]
        let picture = ChartPage("", panels: [ChartPanel("", .columns(labels: ["1", "2"], parts, .number))]).picture()
        let (red, blue) = (rectangles(picture, .red), rectangles(picture, .blue))
        // The legend has a square of each colour, too.
        let (lower, upper) = (try #require(red.first), try #require(blue.first))
        #expect(abs(upper.y + upper.height - lower.y) < 0.001)
        #expect(abs(lower.height / upper.height - 0.6) < 0.001)
    }

    @Test func nothingIsDrawnBesideThePage() {
        let wide = String(repeating: "wide ", count: 60)
        let bars = (0..<300).map { ChartBar(wide, value: Double($0), text: wide) }
        let picture = ChartPage(wide, subtitle: wide, panels: [ChartPanel(wide, .bars(bars))]).picture()
        for shape in picture.shapes {
            switch shape {
            case .rectangle(let box, _, _):
                #expect(box.x >= 0 && box.x + box.width <= picture.width && box.y + box.height <= picture.height)
            case .text(let text): #expect(text.x >= 0 && text.x + text.width <= picture.width + 0.01)
            default: break
            }
        }
    }

    @Test func painting() throws {
        var picture = Picture(width: 10, height: 4, title: "")
        picture.rectangle(0, 0, 5, 4, PictureColor(0xFF0000))
        let (pixels, width, height) = try PicturePainter.pixels(picture, scale: 2)
        #expect(width == 20 && height == 8 && pixels.count == 20 * 8 * 4)
        #expect(Array(pixels[0..<4]) == [255, 0, 0, 255])
        #expect(Array(pixels[15 * 4..<16 * 4]) == [255, 255, 255, 255])
        let png = try PicturePainter.png(picture, scale: 1)
        #expect(Array(png.prefix(4)) == [0x89, 0x50, 0x4E, 0x47])
        let pdf = try PicturePainter.file(.pdf, [picture, picture], time: .init(0)).bytes
        #expect(String(decoding: pdf.prefix(5), as: UTF8.self) == "%PDF-")
        #expect(throws: (any Error).self) { try PicturePainter.file(.png, [picture, picture], time: .init(0)) }
    }
}
