import TestSupport
import Testing

@testable import HelixTerminal

/// Frames reach the terminal as they are: a model of a terminal that gets the differences shows each of them.
@Suite struct FrameWriterTests {
    /// A terminal that knows what helix writes: places, styles, the end of a style, and characters of one or two columns.
    private struct ModelTerminal {
        let width: Int
        var cells: [String]
        var x = 0
        var y = 0

        init(width: Int, height: Int) {
            self.width = width
            cells = Array(repeating: " ", count: width * height)
        }

        mutating func take(_ bytes: [UInt8]) {
            var rest = Substring(String(decoding: bytes, as: UTF8.self))
            while let character = rest.first {
                if character == "\u{1B}" {
                    rest = rest.dropFirst(2)
                    let end = rest.firstIndex { $0.isLetter } ?? rest.endIndex
                    let arguments = rest[..<end]
                    switch rest[end] {
                    case "H":
                        let numbers = arguments.split(separator: ";").compactMap { Int($0) }
                        (y, x) = (numbers[0] - 1, numbers[1] - 1)
                    case "J": cells = Array(repeating: " ", count: cells.count)
                    default: break
                    }
                    rest = rest[rest.index(after: end)...]
                    continue
                }
                let columns = TextWidth.of(character)
                // A wide character that loses one half leaves a blank.
                if cells[y * width + x].isEmpty { cells[y * width + x - 1] = " " }
                let next = y * width + x + columns
                if x + columns < width, cells[next].isEmpty { cells[next] = " " }
                cells[y * width + x] = String(character)
                if columns == 2 { cells[y * width + x + 1] = "" }
                x += columns
                rest = rest.dropFirst()
            }
        }
    }

    @Test func everyFrameIsShownWhateverWasShownBefore() {
        var generator = SeededGenerator(seed: 7)
        let (width, height) = (31, 7)
        let theme = ScreenTheme(ScreenTheme.named[0].colors, depth: .full)
        var writer = FrameWriter(theme: theme, ascii: false)
        var terminal = ModelTerminal(width: width, height: height)
        var frame = ScreenFrame(width: width, height: height)
        let texts = ["hello", "日本語", "a", "─┼─", "é", "👍 ok", "  ", "x日y", "e\u{301}"]
        let styles: [TextStyle] = [.plain, .bold, TextStyle(.red), .dim]
        for _ in 0..<400 {
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                frame.grid.put(
                    texts.randomElement(using: &generator)!, x: Int.random(in: 0..<width, using: &generator),
                    y: Int.random(in: 0..<height, using: &generator), style: styles.randomElement(using: &generator)!)
            }
            if Int.random(in: 0..<20, using: &generator) == 0 { frame = ScreenFrame(width: width, height: height) }
            terminal.take(writer.bytes(for: frame))
            #expect(terminal.cells == frame.grid.cells.map(\.text))
        }
    }

    @Test func anUnchangedFrameWritesNothing() {
        var writer = FrameWriter(theme: ScreenTheme(nil, depth: .sixteen), ascii: false)
        var frame = ScreenFrame(width: 20, height: 3)
        frame.grid.put("hello", x: 0, y: 0)
        #expect(!writer.bytes(for: frame).isEmpty)
        #expect(writer.bytes(for: frame).isEmpty)
        frame.grid.put("j", x: 0, y: 0)
        #expect(writer.bytes(for: frame).count < 80)
    }
}

/// The colours of themes.
@Suite struct ScreenThemeTests {
    /// Each text can be read on each of its backgrounds, with all colours and with 256 (WCAG 2.2, level AA).
    @Test(arguments: ScreenTheme.named.map(\.name))
    func theContrastOfEachTextIsHighEnough(_ name: String) throws {
        let colors = try #require(ScreenTheme.named.first { $0.name == name }?.colors)
        let texts = [("text", colors.text), ("muted", colors.muted)] + colors.named.map { ($0.key.name, $0.value) }
        let grounds = [
            ("background", colors.background), ("selection", colors.selection), ("bar", colors.bar),
        ]
        for (word, text) in texts {
            for (place, ground) in grounds {
                #expect(text.contrast(with: ground) >= 4.5, "\(name): \(word) on \(place)")
                let reduced = ScreenColor(palette: text.paletteNumber)
                    .contrast(with: ScreenColor(palette: ground.paletteNumber))
                #expect(reduced >= 4.5, "\(name) in 256 colours: \(word) on \(place)")
            }
            // Reversed text, such as today in a month.
            #expect(text.contrast(with: colors.background) >= 4.5)
        }
    }

    @Test func contrastIsThatOfWCAG() {
        #expect(abs(ScreenColor(0x000000).contrast(with: ScreenColor(0xFFFFFF)) - 21) < 0.001)
        #expect(abs(ScreenColor(0x777777).contrast(with: ScreenColor(0xFFFFFF)) - 4.478) < 0.01)
        #expect(ScreenColor(typed: "#1c1e21") == ScreenColor(0x1C1E21))
        #expect(ScreenColor(typed: "red") == nil)
    }

    @Test func aTerminalTellsHowManyColoursItHas() {
        #expect(ScreenTheme.depth(["TERM": "xterm-256color"], hasColor: true) == .palette)
        #expect(ScreenTheme.depth(["TERM": "xterm", "COLORTERM": "truecolor"], hasColor: true) == .full)
        #expect(ScreenTheme.depth(["TERM": "linux"], hasColor: true) == .sixteen)
        #expect(ScreenTheme.depth(["TERM": "xterm-256color"], hasColor: false) == .none)
    }
}
