import HelixGraphics
import TestSupport
import Testing

/// Whatever the events are, each of them stands on a page.
@Suite struct SheetTests {
    private func texts(_ pages: [Picture]) -> Set<String> {
        Set(
            pages.flatMap(\.shapes).compactMap { shape in
                if case .text(let text) = shape { text.text } else { nil }
            })
    }

    private func has(_ label: String, in texts: Set<String>) -> Bool {
        texts.contains {
            $0 == label || $0.hasSuffix(" " + label) || $0.hasPrefix(label + " ") || $0.contains(" \(label) ")
        }
    }

    @Test(arguments: 0..<40) func noEventIsLost(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
        func event(_ number: Int) -> SheetEvent {
            SheetEvent(
                time: "09:00–10:00", label: "event-\(number)", detail: "", color: .red, isFaint: random(0...3) == 0)
        }
        let paper = PaperSize.allCases[random(0...PaperSize.allCases.count - 1)]
        let sheet = Sheet(
            paper, isPortrait: random(0...1) == 0, title: "t", subtitle: "s", footer: "f", legend: [("a", .red)])
        var number = 0
        func next() -> SheetEvent {
            number += 1
            return event(number)
        }
        func bars(_ count: Int) -> [SheetBar] {
            (0..<count).map { _ in
                let start = random(0...6)
                return SheetBar(columns: start..<random(start + 1...7), event: next())
            }
        }
        let blocks = (0..<random(0...60)).map { _ in
            let start = random(0...1430)
            return WeekPages.Block(
                column: random(0...6), minutes: start..<min(1440, start + random(1...200)), event: next())
        }
        let week = WeekPages(
            sheet, days: (0..<7).map { "day \($0)" }, bars: bars(random(0...14)), blocks: blocks, hours: 480..<1080
        ) { "\($0)" }.pages()
        let shown = texts(week)
        for place in 1..<max(2, number + 1) where number > 0 { #expect(has("event-\(place)", in: shown), "\(place)") }

        number = 0
        let weeks = (0..<random(4...6)).map { place in
            MonthPages.Week(
                number: "\(place)",
                days: (0..<7).map { day in
                    MonthPages.Day(
                        number: "\(day)", name: "day \(day)", isInside: true,
                        events: (0..<(random(0...4) == 0 ? random(0...20) : random(0...3))).map { _ in next() })
                }, bars: bars(random(0...8)))
        }
        let month = MonthPages(sheet, weekdays: (0..<7).map { "w\($0)" }, weeks: weeks).pages()
        let names = texts(month)
        for place in 1..<max(2, number + 1) where number > 0 { #expect(has("event-\(place)", in: names), "\(place)") }
        for page in week + month {
            for case .text(let text) in page.shapes {
                #expect(text.x >= -0.1 && text.x + text.width <= page.width + 0.1)
                #expect(text.y >= 0 && text.y + text.size <= page.height)
            }
        }
    }
}
