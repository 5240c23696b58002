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
    /// The days of the pages, the last used ones at the end.
    private var used: [Span] = []
    private var generation = -1
    /// Those that could not be read ahead: they are read when they are shown, which tells the error.
    private var unreadable: Set<Span> = []

    /// The number of pages that are kept. At least three: those before and after the shown one must not displace each other.
    private static let limit = 6

    /// Forgets what is out of date.
    /// - Parameter now: the generation of the data.
    mutating func keep(generation now: Int) {
        if generation != now { (pages, used, unreadable) = ([:], [], []) }
        generation = now
    }

    /// Whether some days need not be read ahead.
    func has(_ span: Span) -> Bool { pages[span] != nil || unreadable.contains(span) }

    /// Notes that some days could not be read ahead.
    mutating func giveUp(_ span: Span) { unreadable.insert(span) }

    /// The events of some days, read at the first use.
    /// - Throws: the error of `read`.
    mutating func items(of span: Span, read: () throws -> [OccurrenceItem]) rethrows -> [OccurrenceItem] {
        let items = try pages[span] ?? read()
        pages[span] = items
        used.removeAll { $0 == span }
        used.append(span)
        if used.count > CalendarPages.limit { pages[used.removeFirst()] = nil }
        return items
    }
}
