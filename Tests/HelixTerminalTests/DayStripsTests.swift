import HelixTerminal
import Testing

/// Days on an axis of hours.
@Suite struct DayStripsTests {
    private func drawn(_ blocks: [DayStrips.Block], hours: Range<Int>, width: Int) -> [String] {
        var canvas = Canvas(width: width)
        let strip = DayStrips.Strip(heading: "Mon", blocks: blocks, text: "3h")
        DayStrips([strip], hours: hours) { "\($0)" }.draw(on: &canvas)
        return canvas.rendered(color: false).split(separator: "\n").map(String.init)
    }

    private func block(_ minutes: Range<Int>, _ label: String = "", fill: Character = "#") -> DayStrips.Block {
        DayStrips.Block(minutes: minutes, label: label, style: .plain, fill: fill)
    }

    @Test func aBlockFillsItsHours() {
        let lines = drawn([block(9 * 60..<11 * 60)], hours: 8..<12, width: 17)
        #expect(lines == ["     8 9 10", "Mon  · ####·   3h"])
    }

    @Test func theAxisGrowsWithWhatLiesOutside() {
        let lines = drawn([block(0..<60), block(23 * 60..<1440)], hours: 8..<12, width: 80)
        #expect(lines[0].contains(" 0 ") && lines[0].contains("22"))
        #expect(lines[1].hasPrefix("Mon  ##") && lines[1].hasSuffix("##  3h"))
    }

    @Test func shortBlocksAreSeenAndLabelsStandWhereThereIsRoom() {
        let lines = drawn(
            [block(540..<541), block(600..<720, "plan", fill: "=")], hours: 9..<13, width: 60)
        #expect(lines[1].contains("#") && lines[1].contains(" plan ="))
        #expect(drawn([block(600..<720, "a very long title")], hours: 9..<13, width: 30)[1].contains("###"))
    }

    @Test(arguments: [20, 40, 80, 120, 200])
    func nothingIsWiderThanTheScreen(_ width: Int) {
        let lines = drawn([block(0..<1440, "x")], hours: 0..<24, width: width)
        #expect(lines.allSatisfy { $0.count <= width })
    }
}
