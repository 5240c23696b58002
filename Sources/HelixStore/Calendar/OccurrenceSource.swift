import HelixCalendar
import HelixModel
import HelixSQLite

/// Rare attributes of components: declined invitations and travel time. Each component is read once.
struct OccurrenceExceptions {
    private let db: Database
    private let reader: OccurrenceReader
    private var known: [Int64: (isDeclined: Bool, travel: Int)] = [:]

    init(db: Database, reader: OccurrenceReader) {
        self.db = db
        self.reader = reader
    }

    mutating func isDeclined(_ component: Int64) throws -> Bool { try exception(component).isDeclined }
    mutating func travel(_ component: Int64) throws -> Int { try exception(component).travel }

    private mutating func exception(_ component: Int64) throws -> (isDeclined: Bool, travel: Int) {
        if let found = known[component] { return found }
        var found = (isDeclined: false, travel: 0)
        let row = try Statement(db, "SELECT declined_by, travel FROM component WHERE n = ?")
        row.bind(1, component)
        while try row.step() { found = (reader.isDeclined(row.text(0)), Int(row.integer(1))) }
        known[component] = found
        return found
    }
}

/// Busy times, with the places of their occurrences.
struct BusyCandidates {
    private(set) var times: [BusyTime] = []
    private(set) var places: [OccurrenceSource.Place] = []
    private var owners: [EntityID: Int] = [:]

    /// Adds the time in a row if it is busy, and returns its index.
    ///
    /// The row has the columns start, end, basis, recurrence, calendar, event, component and flags.
    @discardableResult
    mutating func add(
        _ row: Statement, _ range: TimeRange, isAllDay: Bool, _ policy: ConflictPolicy,
        _ exceptions: inout OccurrenceExceptions, _ place: OccurrenceSource.Place
    ) throws -> Int? {
        let flags = row.integer(7)
        guard flags & 1 != 0, policy.includesAllDay || !isAllDay, range.duration > 0 else { return nil }
        if flags & 4 != 0, try exceptions.isDeclined(row.integer(6)) { return nil }
        times.append(
            BusyTime(
                start: range.start.seconds, end: range.end.seconds,
                travel: flags & 8 != 0 ? try exceptions.travel(row.integer(6)) : 0, owner: Int(row.integer(5)),
                isTentative: flags & 2 != 0))
        places.append(place)
        return times.count - 1
    }

    /// Adds an occurrence without a row if it is busy, and returns its index.
    @discardableResult
    mutating func add(_ occurrence: Occurrence, policy: ConflictPolicy) -> Int? {
        let range = occurrence.time.range(in: policy.zone)
        guard occurrence.isBusy, policy.includesAllDay || !occurrence.time.isAllDay, range.duration > 0 else {
            return nil
        }
        // Row numbers start at 1, so negative numbers are unambiguous.
        let owner = owners[occurrence.event] ?? -owners.count - 1
        owners[occurrence.event] = owner
        times.append(
            BusyTime(
                start: range.start.seconds, end: range.end.seconds, travel: occurrence.travel, owner: owner,
                isTentative: occurrence.status == .tentative))
        places.append(.occurrence(occurrence))
        return times.count - 1
    }
}

/// A reader of the occurrences of times, which reads each component once.
final class OccurrenceSource {
    /// The place of an occurrence.
    enum Place {
        case row(component: Int64, calendar: Int64, OccurrenceReader.Time)
        case occurrence(Occurrence)
    }

    private let db: Database
    private let reader: OccurrenceReader
    private let places: [Place]
    private var statement: Statement?
    private(set) var error: (any Error)?

    init(db: Database, reader: OccurrenceReader, places: [Place]) {
        self.db = db
        self.reader = reader
        self.places = places
    }

    /// Whether two occurrences are the same meeting in two calendars; in one calendar a UID is unique.
    func isCopy(_ x: Int, _ y: Int) -> Bool {
        if case .row(_, let one, _) = places[x], case .row(_, let other, _) = places[y], one == other { return false }
        return occurrence(x)?.uid == occurrence(y)?.uid
    }

    func occurrence(_ place: Int) -> Occurrence? { occurrence(places[place]) }

    func occurrence(_ place: Place) -> Occurrence? {
        switch place {
        case .occurrence(let occurrence): return occurrence
        case .row(let component, let calendar, let time):
            if let found = reader.known(component, time) { return found }
            var found: Occurrence?
            do {
                let row =
                    try statement
                    ?? Statement(
                        db, "SELECT \(OccurrenceReader.columns) FROM component c WHERE c.n = ?")
                statement = row
                row.bind(1, component)
                while try row.step() { found = reader.occurrence(row, 0, time, calendar: calendar) }
            } catch {
                self.error = error
            }
            return found
        }
    }
}
