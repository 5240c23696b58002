import Testing

@testable import HelixTerminal

/// Images on the whole screen.
@Suite struct ScreenImageTests {
    private func terminal(_ form: TerminalImages.Form) throws -> TerminalImages {
        let answer = form == .kitty ? "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62c" : "\u{1B}[?62;4c"
        return try #require(TerminalImages(answers: Array(answer.utf8), cell: (10, 20)))
    }

    private func image(_ name: String, rows: Int, _ terminal: TerminalImages) -> ScreenImage {
        ScreenImage(
            name, bytes: [UInt8](repeating: 200, count: 40 * rows * 20 * 4), width: 40, height: rows * 20, for: terminal
        )
    }

    private func frame(_ images: [PlacedImage], _ word: String = "text") -> ScreenFrame {
        var frame = ScreenFrame(width: 20, height: 8)
        frame.grid.put(word, x: 0, y: 0)
        frame.images = images
        return frame
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func kittyGetsAnImageOnceAndPlacesItAgain() throws {
        let terminal = try terminal(.kitty)
        var writer = FrameWriter(theme: ScreenTheme(nil, depth: .none), ascii: false)
        writer.use(terminal)
        let photo = image("a", rows: 4, terminal)
        let first = text(
            writer.bytes(
                for: frame([PlacedImage(photo, in: ScreenArea(x: 1, y: 2, width: 4, height: 4), hiddenRows: 0)])))
        #expect(
            first.contains("a=t,f=100,q=2,i=1")
                && first.contains("\u{1B}[3;2H\u{1B}_Ga=p,i=1,p=1,c=4,r=4,x=0,y=0,w=40,h=80"))
        // A row further down, its first row is hidden; the data is not sent again.
        let moved = text(
            writer.bytes(
                for: frame([PlacedImage(photo, in: ScreenArea(x: 1, y: 0, width: 4, height: 3), hiddenRows: 1)])))
        #expect(!moved.contains("a=t") && moved.contains("a=d,d=a") && moved.contains("c=4,r=3,x=0,y=20,w=40,h=60"))
        // Without a change, nothing is written for it.
        #expect(
            !text(
                writer.bytes(
                    for: frame(
                        [PlacedImage(photo, in: ScreenArea(x: 1, y: 0, width: 4, height: 3), hiddenRows: 1)], "other"))
            ).contains("_G"))
        #expect(text(writer.bytes(for: frame([]))).contains("a=d,d=a"))
    }

    @Test func aTerminalKeepsFewImages() throws {
        let terminal = try terminal(.kitty)
        var writer = ImageWriter(terminal)
        var all = ""
        for number in 0..<30 {
            let photo = image("\(number)", rows: 1, terminal)
            all += text(
                writer.bytes(for: [PlacedImage(photo, in: ScreenArea(x: 0, y: 0, width: 4, height: 1), hiddenRows: 0)]))
        }
        #expect(all.ranges(of: "a=t,").count == 30 && all.ranges(of: "a=d,d=I").count == 18)
    }

    /// The cells under a sixel are written again when it moves or goes, also where their text did not change.
    @Test func sixelsAreOverwrittenWhenTheyGo() throws {
        let terminal = try terminal(.sixel)
        var writer = FrameWriter(theme: ScreenTheme(nil, depth: .none), ascii: false)
        writer.use(terminal)
        let photo = image("a", rows: 2, terminal)
        let placed = PlacedImage(photo, in: ScreenArea(x: 1, y: 3, width: 4, height: 2), hiddenRows: 0)
        let first = text(writer.bytes(for: frame([placed])))
        #expect(first.contains("\u{1B}[4;2H\u{1B}P0;1q\"1;1;40;40"))
        #expect(!text(writer.bytes(for: frame([placed], "next"))).contains("\u{1B}P"))
        let gone = text(writer.bytes(for: frame([], "next")))
        #expect(
            !gone.contains("\u{1B}P") && gone.contains("\u{1B}[4;1H") && gone.contains("\u{1B}[5;1H")
                && !gone.contains("\u{1B}[6;1H"))
    }

    @Test func withoutAnAnswerThereAreNoImages() throws {
        var writer = FrameWriter(theme: ScreenTheme(nil, depth: .none), ascii: false)
        let photo = image("a", rows: 2, try terminal(.kitty))
        let bytes = writer.bytes(
            for: frame([PlacedImage(photo, in: ScreenArea(x: 0, y: 0, width: 4, height: 2), hiddenRows: 0)]))
        #expect(!text(bytes).contains("_G"))
    }

    @Test func theAnswersComeAmongTheKeys() {
        var decoder = KeyDecoder()
        var keys: [InputEvent] = []
        for byte in Array("a\u{1B}_Gi=31;OK\u{1B}\\\u{1B}]11;rgb:00/00/00\u{7}b\u{1B}[?62;4cc".utf8) {
            keys += decoder.take([byte])
        }
        #expect(keys.count == 3)
        #expect(TerminalImages.isComplete(decoder.replies))
        #expect(TerminalImages(answers: decoder.replies, cell: nil)?.form == .kitty)
    }
}
