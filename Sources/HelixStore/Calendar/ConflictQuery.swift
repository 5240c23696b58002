import HelixCalendar
import HelixModel
import HelixSQLite

extension Store {
    /// The conflicts among the occurrences that overlap `range`.
    ///
    /// Reads only times at first; details are read only for events in conflict.
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
        var candidates = BusyCandidates()
        try readTimes(db, reader, policy, &candidates)
        try expanded(db, reader, nil) { candidates.add($0, policy: policy) }
        let source = OccurrenceSource(db: db, reader: reader, places: candidates.places)
        let sweep = BusySweep(candidates.times, buffer: policy.buffer, limit: policy.limit) { source.isCopy($0, $1) }
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

    /// The busy times in `range`, in order, merged where they overlap. All-day events do not count as busy.
    ///
    /// Reads only times, not the details of events.
    /// - Throws: ``HelixError``.
    public func busyTimes(in range: TimeRange, zone: Zone, calendars: CalendarSelection = .visible) throws
        -> [TimeRange]
    {
        try ensureExpanded(to: range.end.seconds + Store.zoneReach)
        let policy = ConflictPolicy(zone: zone)
        return try read { db in
            let reader = OccurrenceReader(
                range: range, zone: zone, addresses: addresses, calendars: try selected(db, calendars))
            var candidates = BusyCandidates()
            try readTimes(db, reader, policy, &candidates)
            try expanded(db, reader, nil) { candidates.add($0, policy: policy) }
            var joined: [TimeRange] = []
            for time in candidates.times.sorted(by: { $0.start < $1.start }) {
                let own = TimeRange(start: Instant(time.start), end: Instant(time.end))
                guard let part = own.intersection(range) else { continue }
                if let last = joined.last, part.start <= last.end {
                    joined[joined.count - 1].end = max(last.end, part.end)
                } else {
                    joined.append(part)
                }
            }
            return joined
        }
    }

    /// Reads the stored busy times.
    private func readTimes(
        _ db: Database, _ reader: OccurrenceReader, _ policy: ConflictPolicy, _ candidates: inout BusyCandidates
    ) throws {
        let row = try Statement(
            db,
            """
            SELECT start, "end", basis, recurrence, calendar, event, component, flags FROM \(Store.stored(reader.range))
            WHERE flags & 1
            """)
        var exceptions = OccurrenceExceptions(db: db, reader: reader)
        while try row.step() {
            guard reader.calendars[row.integer(4)] != nil else { continue }
            let time = OccurrenceReader.Time(row)
            let isAllDay = time.basis == .date
            if isAllDay && !policy.includesAllDay { continue }
            let own = reader.occurrenceTime(time).range(in: policy.zone)
            guard own.touches(reader.range) else { continue }
            try candidates.add(
                row, own, isAllDay: isAllDay, policy, &exceptions,
                .row(component: row.integer(6), calendar: row.integer(4), time))
        }
    }
}

extension Change {
    /// The conflicts including uncommitted changes; as ``Store/conflicts(in:policy:calendars:)``.
    /// - Throws: ``HelixError``.
    public func conflicts(
        in range: TimeRange, policy: ConflictPolicy, calendars: CalendarSelection = .visible
    ) throws -> ConflictList {
        try store.conflicts(db, in: range, policy: policy, calendars: calendars)
    }
}
