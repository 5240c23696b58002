import HelixCalendar
import HelixModel
import HelixSQLite

/// A reader that converts rows to occurrences in a range and a time zone.
struct OccurrenceReader {
    /// The columns of component `c` that an occurrence needs, in reading order.
    static let columns = """
        c.n, c.id, c.uid, c.title, c.location, c.url, c.categories, c.status, c.is_opaque, c.zone, c.travel,
        c.declined_by, c.is_recurring
        """

    /// The number of ``columns``.
    static let columnCount: Int32 = 13

    /// A time as stored.
    struct Time {
        var start: Int64
        var end: Int64
        var basis: TimeBasis
        var recurrence: CivilDateTime?

        init(start: Int64, end: Int64, basis: TimeBasis, recurrence: CivilDateTime?) {
            self.start = start
            self.end = end
            self.basis = basis
            self.recurrence = recurrence
        }

        /// Reads a time from the columns start, end, basis and recurrence, which come first.
        init(_ row: Statement) {
            self.init(
                start: row.integer(0), end: row.integer(1), basis: TimeBasis(rawValue: Int(row.integer(2))) ?? .instant,
                recurrence: row.isNull(3) ? nil : CivilDateTime(seconds: row.integer(3)))
        }
    }

    let range: TimeRange
    let zone: Zone
    let addresses: Set<String>
    /// The selected calendars, by row number.
    let calendars: [Int64: CalendarRef]
    private let known = Known()

    init(range: TimeRange, zone: Zone, addresses: Set<String>, calendars: [Int64: CalendarRef]) {
        self.range = range
        self.zone = zone
        self.addresses = addresses
        self.calendars = calendars
    }

    /// A cache of details, by component number.
    private final class Known {
        var details: [Int64: EventDetails] = [:]
    }

    /// Converts a stored time to the time of an occurrence.
    func occurrenceTime(_ found: Time) -> OccurrenceTime {
        switch found.basis {
        case .instant: return .timed(TimeRange(start: Instant(found.start), end: Instant(found.end)))
        case .floating:
            return .timed(
                TimeRange(
                    start: zone.instant(CivilDateTime(seconds: found.start)),
                    end: zone.instant(CivilDateTime(seconds: found.end))))
        case .date:
            let first = CivilDateTime(seconds: found.start).date
            return .days(first, max(first + 1, CivilDateTime(seconds: found.end).date))
        }
    }

    /// The occurrence in a row whose ``columns`` begin at `at`; nil if it does not overlap the range or if its calendar is not
    /// selected.
    func occurrence(_ row: Statement, _ at: Int32, _ found: Time, calendar: Int64) -> Occurrence? {
        guard let ref = calendars[calendar] else { return nil }
        let time = occurrenceTime(found)
        guard time.range(in: zone).touches(range) else { return nil }
        let component = row.integer(at)
        let details = known.details[component] ?? details(row, at + 1, calendar: ref)
        known.details[component] = details
        return Occurrence(
            details: details, time: time, recurrence: details.isRecurring ? found.recurrence : nil, basis: found.basis)
    }

    /// The occurrence of a cached component at another time; nil if the component was not read before.
    func known(_ component: Int64, _ time: Time) -> Occurrence? {
        guard let details = known.details[component] else { return nil }
        return Occurrence(
            details: details, time: occurrenceTime(time), recurrence: details.isRecurring ? time.recurrence : nil,
            basis: time.basis)
    }

    private func details(_ row: Statement, _ at: Int32, calendar: CalendarRef) -> EventDetails {
        EventDetails(
            event: (row.id(at) ?? EntityID(stored: "")), uid: row.text(at + 1) ?? "", calendar: calendar,
            title: row.text(at + 2) ?? "", location: row.text(at + 3), url: row.text(at + 4),
            categories: row.text(at + 5)?.split(separator: "\n").map(String.init) ?? [],
            status: EventStatus(rawValue: row.text(at + 6) ?? "") ?? .confirmed, isOpaque: row.integer(at + 7) != 0,
            isDeclined: isDeclined(row.text(at + 10)), zone: row.text(at + 8), isRecurring: row.integer(at + 11) != 0,
            travel: Int(row.integer(at + 9)))
    }

    func isDeclined(_ list: String?) -> Bool {
        guard let list else { return false }
        return list.split(separator: ",").contains { addresses.isEmpty ? $0 == "*" : addresses.contains(String($0)) }
    }
}
