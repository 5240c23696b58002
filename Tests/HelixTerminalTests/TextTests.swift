import HelixTerminal
import Testing

@Suite struct TextTests {
    @Test(arguments: [
        ("abc", 3), ("é", 1), ("e\u{301}", 1), ("会議", 4), ("👍🏽", 2), ("👨‍👩‍👧", 2), ("🇮🇹", 2), ("❤️", 2), ("", 0),
    ])
    func widthsCountColumns(_ c: (text: String, width: Int)) {
        #expect(TextWidth.of(c.text) == c.width)
    }

    @Test func aCutTextIsNeverWiderThanAskedFor() {
        for text in ["Sprint planning", "会議室の予約", "a👨‍👩‍👧b会c"] {
            for width in 0...12 { #expect(TextWidth.of(text.fitted(width)) <= width) }
            #expect(TextWidth.of(text.padded(20)) == 20)
        }
    }

    @Test func wrappingBreaksBetweenWordsAndInsideLongOnes() {
        #expect("one two three".wrapped(7) == ["one two", "three"])
        #expect("abcdefghij".wrapped(4) == ["abcd", "efgh", "ij"])
        #expect("会議室".wrapped(4) == ["会議", "室"])
    }

    @Test func controlCharactersAndOverridesBecomeHarmless() {
        #expect(SafeText.line("a\u{1B}[31mb") == "a\u{FFFD}[31mb")
        #expect(SafeText.line("a\u{202E}b\u{9B}c\u{7F}") == "a\u{FFFD}b\u{FFFD}c\u{FFFD}")
        #expect(SafeText.line("a\nb\tc") == "a b c")
        #expect(SafeText.line("naïve 会議 👍") == "naïve 会議 👍")
    }

    @Test func asciiKeepsTheColumns() {
        for text in ["│ ─ ▌ … •", "déjà vu", "会議", "→ ◀ ▶"] {
            let ascii = SafeText.ascii(text)
            #expect(ascii.utf8.allSatisfy { $0 < 0x80 })
            #expect(TextWidth.of(ascii) == TextWidth.of(text))
        }
    }

    @Test func aTableShrinksTheColumnsThatMay() {
        var table = Table([.init(), .init(minimum: 5), .init()])
        table.row(["k3f7", "A rather long title that does not fit", "work"])
        var canvas = Canvas(width: 24)
        table.draw(on: &canvas)
        #expect(canvas.rendered(color: false) == "k3f7  A rather lo…  work\n")
    }

    @Test func wideCharactersNeverTearTheGrid() {
        var grid = CellGrid(width: 6, height: 1)
        grid.put("会議室", x: 0, y: 0)
        grid.put("x", x: 1, y: 0)
        var canvas = Canvas(width: 6)
        grid.draw(on: &canvas)
        #expect(canvas.rendered(color: false) == " x議室\n")
    }
}

/// Text of messages keeps the form in which it was written.
@Suite struct WrittenTextTests {
    @Test func codeKeepsItsBlanksAndIsCutNowhere() {
        let text = "```\nlet x = 1   // a comment that is long\n```\nand then prose that is wrapped"
        #expect(
            WrittenText.lines(text, width: 18).map(\.plain) == [
                "│ let x = 1   // a", "│  comment that is", "│  long", "and then prose", "that is wrapped",
            ])
    }

    @Test func itemsOfListsHang() {
        #expect(
            WrittenText.lines("- one item that goes on\n  12. another that does", width: 14).map(\.plain) == [
                "- one item", "  that goes on", "  12. another", "      that", "      does",
            ])
        #expect(
            WrittenText.lines("-5 degrees and a lot more", width: 12).map(\.plain) == [
                "-5 degrees", "and a lot", "more",
            ])
    }

    @Test func longAddressesAreBrokenWhereAWideLineWouldBeCut() {
        let address = "https://example.org/a/very/long/path/to/a/page"
        #expect(WrittenText.lines("see \(address)", width: 20).map(\.plain).contains(address))
        let broken = WrittenText.lines(address, width: 20, keepsAddresses: false).map(\.plain)
        #expect(broken.joined() == address)
        #expect(broken.allSatisfy { $0.count <= 20 })
    }
}
