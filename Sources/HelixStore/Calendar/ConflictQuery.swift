import HelixCalendar
import HelixModel
import HelixSQLite

extension Store {
    /// The conflicts among the occurrences that touch `range`.
    ///
    /// Reads only times at first; what events say is read for those that conflict.
    /// - Throws: ``HelixError``.
    public func conflicts(
        in range: TimeRange, policy: ConflictPolicy, calendars: CalendarSelection = .visible
    ) throws -> ConflictList {
        try ensureExpanded(to: range.end.seconds + Store.zoneReach)
        return try read { try conflicts($0, in: range, policy: policy, calendars: calendars) }
    }

    func conflicts(
        _ db: Database, in range: TimeRange, policy: ConflictPolicy, calendars: CalendarSelection
    ) throws -> ConflictList {
        let reader = OccurrenceReader(
            range: range, zone: policy.zone, addresses: addresses, calendars: try selected(db, calendars))
        var candidates = Candidates()
        try readTimes(db, reader, policy, &candidates)
        try expanded(db, reader, nil) { candidates.add($0, policy: policy) }
        let source = OccurrenceSource(db: db, reader: reader, candidates: candidates)
        let sweep = BusySweep(candidates.times, buffer: policy.buffer, limit: policy.limit) { x, y in
            source.occurrence(x)?.uid == source.occurrence(y)?.uid
        }
        var found: [Conflict] = []
        found.reserveCapacity(sweep.pairs.count)
        for pair in sweep.pairs {
            guard let a = source.occurrence(pair.a), let b = source.occurrence(pair.b),
                var conflict = Conflict(
                    a, b, at: candidates.times[pair.a], candidates.times[pair.b], buffer: policy.buffer)
            else { continue }
            conflict.severity = sweep.severity(of: pair)
            found.append(conflict)
        }
        if let error = source.error { throw error }
        return ConflictList(conflicts: found, isTruncated: sweep.isTruncated)
    }

    /// The stored times that take up time.
    private func readTimes(
        _ db: Database, _ reader: OccurrenceReader, _ policy: ConflictPolicy, _ candidates: inout Candidates
    ) throws {
        let row = try Statement(
            db,
            """
            SELECT start, "end", basis, recurrence, calendar, event, component, flags FROM \(Store.stored(reader.range))
            WHERE flags & 1
            """)
        var exceptions = Exceptions(db: db, reader: reader)
        while try row.step() {
            guard reader.calendars[row.integer(4)] != nil else { continue }
            let time = OccurrenceReader.Time(row)
            if time.basis == .date && !policy.includesAllDay { continue }
            let flags = row.integer(7)
            let component = row.integer(6)
            if flags & 4 != 0, try exceptions.isDeclined(component) { continue }
            let own = reader.occurrenceTime(time).range(in: policy.zone)
            guard reader.touches(own), own.duration > 0 else { continue }
            candidates.times.append(
                BusyTime(
                    start: own.start.seconds, end: own.end.seconds,
                    travel: flags & 8 != 0 ? try exceptions.travel(component) : 0, owner: Int(row.integer(5)),
                    isTentative: flags & 2 != 0))
            candidates.sources.append(.row(component: component, calendar: row.integer(4), time))
        }
    }
}

extension Change {
    /// The conflicts as they will be once this change is saved; as ``Store/conflicts(in:policy:calendars:)``.
    /// - Throws: ``HelixError``.
    public func conflicts(
        in range: TimeRange, policy: ConflictPolicy, calendars: CalendarSelection = .visible
    ) throws -> ConflictList {
        try store.conflicts(db, in: range, policy: policy, calendars: calendars)
    }
}

/// What only few components have: somebody who declined, or a way there. Each is read once.
private struct Exceptions {
    let db: Database
    let reader: OccurrenceReader
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

/// Times, and where what they belong to is to be found.
private struct Candidates {
    enum Source {
        case row(component: Int64, calendar: Int64, OccurrenceReader.Time)
        case occurrence(Occurrence)
    }

    var times: [BusyTime] = []
    var sources: [Source] = []
    private var owners: [EntityID: Int] = [:]

    /// Adds an occurrence that no row has.
    mutating func add(_ occurrence: Occurrence, policy: ConflictPolicy) {
        let range = occurrence.time.range(in: policy.zone)
        guard occurrence.isBusy, policy.includesAllDay || !occurrence.time.isAllDay, range.duration > 0 else { return }
        // Rows have numbers from 1, so these are told apart by negative ones.
        let owner = owners[occurrence.event] ?? -owners.count - 1
        owners[occurrence.event] = owner
        times.append(
            BusyTime(
                start: range.start.seconds, end: range.end.seconds, travel: occurrence.travel, owner: owner,
                isTentative: occurrence.status == .tentative))
        sources.append(.occurrence(occurrence))
    }
}

/// Reads the occurrences behind times, each once.
private final class OccurrenceSource {
    private let db: Database
    private let reader: OccurrenceReader
    private let candidates: Candidates
    private var known: [Int: Occurrence] = [:]
    private(set) var error: (any Error)?

    init(db: Database, reader: OccurrenceReader, candidates: Candidates) {
        self.db = db
        self.reader = reader
        self.candidates = candidates
    }

    func occurrence(_ place: Int) -> Occurrence? {
        if let found = known[place] { return found }
        var found: Occurrence?
        switch candidates.sources[place] {
        case .occurrence(let occurrence): found = occurrence
        case .row(let component, let calendar, let time):
            do {
                let row = try Statement(db, "SELECT \(OccurrenceReader.columns) FROM component c WHERE c.n = ?")
                row.bind(1, component)
                while try row.step() { found = reader.occurrence(row, 0, time, calendar: calendar) }
            } catch {
                self.error = error
            }
        }
        known[place] = found
        return found
    }
}
