import HelixCalendar
import HelixModel

/// The events that were chosen on days: each is chosen again when one comes back to its day, wherever it then is in the list.
struct CalendarChoices: Sendable {
    private var chosen: [CivilDate: (event: EntityID, time: OccurrenceTime)] = [:]
    private var last: CivilDate?

    /// Remembers the event that is chosen on the day that was shown last.
    mutating func note(_ occurrence: Occurrence) {
        if let last { chosen[last] = (occurrence.event, occurrence.time) }
    }

    /// Remembers an event that is chosen on a day, which is shown from now on.
    mutating func note(_ occurrence: Occurrence, on day: CivilDate) {
        last = day
        note(occurrence)
    }

    /// The place of the choice of a day, which is shown from now on: what was chosen on it before, else what was chosen on the
    /// day before it; nil if neither is there.
    mutating func place(on day: CivilDate, among places: [Int], of items: [OccurrenceItem]) -> Int? {
        defer { last = day }
        for choice in [chosen[day], last.flatMap { chosen[$0] }].compactMap({ $0 }) {
            let own = places.filter { items[$0].occurrence.event == choice.event }
            if let place = own.first(where: { items[$0].occurrence.time == choice.time }) ?? own.first { return place }
        }
        return nil
    }
}
