import Foundation
import HelixGraphics
import HelixModel
import TestSupport
import Testing

@Suite struct SVGWriterTests {
    @Test func textsAreEscapedAndStayTexts() {
        var picture = Picture(width: 100, height: 50, title: "a < b & c", theme: .light)
        picture.text("1 < 2 & \"3\"\u{1B}[31m", 4, 4, width: 96)
        let text = SVGWriter.text(picture)
        #expect(text.contains("<title>a &lt; b &amp; c</title>"))
        #expect(text.contains(">1 &lt; 2 &amp; &quot;3&quot;"))
        #expect(!text.contains("\u{1B}"))
    }

    /// Python's parser of XML reads what random texts and numbers become.
    @Test func everyDocumentIsWellFormed() throws {
        var generator = SeededGenerator(seed: 29)
        let signs = Array("ab<>&\"'é面👩‍🚀\u{301}\u{0}\u{1B}\u{7}\u{FFFE}\n \u{202E}")
        func word() -> String {
            String((0..<Int.random(in: 0...40, using: &generator)).map { _ in signs.randomElement(using: &generator)! })
        }
        let home = try HelixHome()
        for number in 0..<60 {
            var panels: [ChartPanel] = []
            for _ in 0..<3 {
                let bars = (0..<5).map { _ in
                    ChartBar(
                        word(), value: Double.random(in: 0...9, using: &generator), text: word(),
                        heading: ChartHeading(word()))
                }
                let series = (0..<2).map { _ in
                    ChartSeries(word(), [1, nil, 3, Double.random(in: 0...1e6, using: &generator)], color: .red)
                }
                let labels = (0..<4).map { _ in word() }
                let kinds: [ChartPanel.Kind] = [
                    .bars(bars), .columns(labels: labels, series, .seconds), .lines(labels: labels, series, .number),
                    .areas(labels: labels, series, .number),
                ]
                panels.append(ChartPanel(word(), kinds.randomElement(using: &generator)!))
            }
            let page = ChartPage(word(), subtitle: word(), panels: panels)
            _ = try home.write(SVGWriter.text(page.picture()), to: "\(number).svg")
        }
        let check =
            "import sys,glob,xml.dom.minidom as m; n=[m.parse(f) for f in glob.glob(sys.argv[1]+'/*.svg')]; print(len(n))"
        let folder = URL(fileURLWithPath: try home.write("", to: "none")).deletingLastPathComponent().path
        let result = try home.run(program: "/usr/bin/python3", ["-c", check, folder])
        #expect(result.output.trimmingCharacters(in: .whitespacesAndNewlines) == "60", "\(result.errors)")
    }
}
