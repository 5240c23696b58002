import HelixCalendar
import HelixModel

/// The events of the days that were shown, and of those before and after them, which are read while no key waits.
struct CalendarPages: Sendable {
    /// A number of days in a row.
    struct Span: Hashable, Sendable {
        var first: CivilDate
        var count: Int
    }

    private var pages: [Span: [OccurrenceItem]] = [:]
    private var generation = -1
    /// Those that could not be read ahead: they are read when they are shown, which tells the error.
    private var unreadable: Set<Span> = []

    /// The most days whose events are kept.
    private static let dayLimit = 130

    /// Forgets what is out of date.
    /// - Parameter now: the generation of the data.
    mutating func keep(generation now: Int) {
        if generation != now { (pages, unreadable) = ([:], []) }
        generation = now
    }

    /// Whether some days need not be read ahead.
    func has(_ span: Span) -> Bool { pages[span] != nil || unreadable.contains(span) }

    /// Notes that some days could not be read ahead.
    mutating func giveUp(_ span: Span) { unreadable.insert(span) }

    /// The events of some days, read at the first use.
    /// - Throws: the error of `read`.
    mutating func items(of span: Span, read: () throws -> [OccurrenceItem]) rethrows -> [OccurrenceItem] {
        if let known = pages[span] { return known }
        let items = try read()
        pages[span] = items
        // The days that are farthest away are forgotten.
        while pages.count > 3, pages.keys.reduce(0, { $0 + $1.count }) > CalendarPages.dayLimit {
            guard let far = pages.keys.max(by: { abs($0.first - span.first) < abs($1.first - span.first) }) else {
                break
            }
            pages[far] = nil
        }
        return items
    }
}
