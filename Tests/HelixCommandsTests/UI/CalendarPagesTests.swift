import HelixModel
import TestSupport
import Testing

@testable import HelixCommands

/// Days beside the shown ones are read ahead once, whatever was shown before.
@Suite struct CalendarPagesTests {
    @Test(arguments: 1...20) func readingAheadEnds(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var pages = CalendarPages()
        pages.keep(generation: 1)
        for _ in 0..<200 {
            let count = [1, 7, 42].randomElement(using: &random) ?? 7
            let first = CivilDate(year: 2026, month: 1, day: 1) + Int.random(in: 0..<60, using: &random)
            let shown = CalendarPages.Span(first: first, count: count)
            _ = pages.items(of: shown) { [] }
            let beside = [first + count, first - count].map { CalendarPages.Span(first: $0, count: count) }
            var reads = 0
            while let next = beside.first(where: { !pages.has($0) }), reads < 10 {
                _ = pages.items(of: next) { [] }
                reads += 1
            }
            #expect(reads <= 4)
            #expect(pages.has(shown))
        }
        // A change makes all of it out of date.
        let day = CalendarPages.Span(first: CivilDate(year: 2026, month: 1, day: 1), count: 1)
        _ = pages.items(of: day) { [] }
        pages.keep(generation: 2)
        #expect(!pages.has(day))
        pages.giveUp(day)
        #expect(pages.has(day))
    }
}
