import HelixCalendar
import HelixModel
import HelixSQLite

/// The content of a month sheet: the first occurrences of each day, and the number of further ones.
public struct MonthSheet: Sendable {
    /// The occurrences that are shown on any day, in order.
    public var occurrences: [Occurrence] = []
    /// Whether each of these conflicts with another one, shown or not.
    public var isInConflict: [Bool] = []
    /// The number of further occurrences on a day, by day number.
    public var further: [Int: Int] = [:]
    /// The calendars of all occurrences, in order of first appearance.
    public var calendars: [CalendarRef] = []
    /// The number of all occurrences in conflict.
    public var conflictCount = 0
}

extension Store {
    /// The first occurrences of each day of `range`, which begins and ends at midnight in the policy's zone.
    ///
    /// Reads only times at first, and details only for occurrences that are shown: in a full month that is one of
    /// eight.
    /// - Throws: ``HelixError``.
    public func monthSheet(
        in range: TimeRange, perDay: Int, policy: ConflictPolicy, calendars: CalendarSelection = .visible
    ) throws -> MonthSheet {
        try ensureExpanded(to: range.end.seconds + Store.zoneReach)
        return try read { db in
            let reader = OccurrenceReader(
                range: range, zone: policy.zone, addresses: addresses, calendars: try selected(db, calendars))
            var times = SheetTimes(reader: reader, policy: policy)
            try times.read(db)
            try expanded(db, reader, nil) { times.add($0) }
            return try times.sheet(db, perDay: perDay)
        }
    }
}

/// All times of a range.
private struct SheetTimes {
    private struct Entry {
        var time: OccurrenceTime
        var range: TimeRange
        var calendar: CalendarRef
        /// The index among the busy times; nil if it is not busy.
        var busy: Int?
        /// The place of its occurrence.
        var source: OccurrenceSource.Place
    }

    private let reader: OccurrenceReader
    private let policy: ConflictPolicy
    private var entries: [Entry] = []
    private var candidates = BusyCandidates()

    init(reader: OccurrenceReader, policy: ConflictPolicy) {
        self.reader = reader
        self.policy = policy
    }

    mutating func read(_ db: Database) throws {
        let row = try Statement(
            db,
            """
            SELECT start, "end", basis, recurrence, calendar, event, component, flags
            FROM \(Store.stored(reader.range))
            """)
        var exceptions = OccurrenceExceptions(db: db, reader: reader)
        while try row.step() {
            guard let calendar = reader.calendars[row.integer(4)] else { continue }
            let found = OccurrenceReader.Time(row)
            let time = reader.occurrenceTime(found)
            let range = time.range(in: policy.zone)
            guard range.touches(reader.range) else { continue }
            let component = row.integer(6)
            let source = OccurrenceSource.Place.row(component: component, calendar: row.integer(4), found)
            let busy = try candidates.add(row, range, isAllDay: time.isAllDay, policy, &exceptions, source)
            entries.append(Entry(time: time, range: range, calendar: calendar, busy: busy, source: source))
        }
    }

    mutating func add(_ occurrence: Occurrence) {
        let busy = candidates.add(occurrence, policy: policy)
        entries.append(
            Entry(
                time: occurrence.time, range: occurrence.time.range(in: policy.zone), calendar: occurrence.calendar,
                busy: busy, source: .occurrence(occurrence)))
    }

    func sheet(_ db: Database, perDay: Int) throws -> MonthSheet {
        let source = OccurrenceSource(db: db, reader: reader, places: candidates.places)
        let sweep = BusySweep(candidates.times, buffer: 0, limit: 0) { source.isCopy($0, $1) }
        let order = entries.indices.sorted { x, y in
            let (a, b) = (entries[x], entries[y])
            if a.range.start != b.range.start { return a.range.start < b.range.start }
            if a.time.isAllDay != b.time.isAllDay { return a.time.isAllDay }
            return a.range.end != b.range.end ? a.range.end > b.range.end : x < y
        }
        var sheet = MonthSheet()
        var known: Set<EntityID> = []
        var isShown = [Bool](repeating: false, count: entries.count)
        var totals: [Int: Int] = [:]
        for place in order {
            let entry = entries[place]
            if known.insert(entry.calendar.id).inserted { sheet.calendars.append(entry.calendar) }
            if let busy = entry.busy, sweep.counts[busy] > 0 { sheet.conflictCount += 1 }
            forEachDay(of: entry) { day in
                if totals[day, default: 0] < perDay { isShown[place] = true }
                totals[day, default: 0] += 1
            }
        }
        sheet.further = totals
        // Read in table order, so that each page of the table is fetched once.
        for place in entries.indices.filter({ isShown[$0] }).sorted(by: { component($0) < component($1) }) {
            _ = source.occurrence(entries[place].source)
        }
        var shown: [(occurrence: Occurrence, isInConflict: Bool)] = []
        for place in order where isShown[place] {
            let entry = entries[place]
            forEachDay(of: entry) { sheet.further[$0, default: 0] -= 1 }
            guard let occurrence = source.occurrence(entry.source) else { continue }
            shown.append((occurrence, entry.busy.map { sweep.counts[$0] > 0 } ?? false))
        }
        if let error = source.error { throw error }
        // Occurrences at the same time are ordered as in lists.
        let sorted = shown.map(\.occurrence).sortedPlaces(in: policy.zone)
        sheet.occurrences = sorted.map { shown[$0].occurrence }
        sheet.isInConflict = sorted.map { shown[$0].isInConflict }
        return sheet
    }

    private func component(_ place: Int) -> Int64 {
        if case .row(let component, _, _) = entries[place].source { return component }
        return 0
    }

    private func forEachDay(of entry: Entry, _ body: (Int) -> Void) {
        let days = entry.time.days(in: policy.zone)
        let first = max(days.first.dayNumber, policy.zone.date(reader.range.start).dayNumber)
        let end = min(days.end.dayNumber, policy.zone.date(reader.range.end).dayNumber)
        var day = first
        while day < end {
            body(day)
            day += 1
        }
    }
}
