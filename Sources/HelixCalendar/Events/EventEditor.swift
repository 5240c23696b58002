import HelixModel

/// Edits or deletes all occurrences of an event, one occurrence, or one and all that follow.
///
/// It works on the components' text, so that unknown properties are kept.
public struct EventEditor {
    /// The scope of an edit.
    public enum Scope: Hashable, Sendable {
        case all
        /// The occurrence with that original start on the master's wall clock.
        case this(CivilDateTime)
        /// That occurrence and all that follow.
        case future(CivilDateTime)
    }

    /// The components after the change; empty if the event was deleted.
    public private(set) var components: [ICalendarComponent]
    /// The new event after a split, with its own UID.
    public private(set) var successor: (uid: String, components: [ICalendarComponent])?
    private let zones: ZoneResolver
    private let now: Instant

    /// Creates an editor for an event's components.
    public init(_ components: [ICalendarComponent], zones: String?, now: Instant) {
        self.components = components
        self.zones = ZoneResolver(definitions: zones ?? "")
        self.now = now
    }

    /// Applies `changes` to the occurrences of `scope`.
    /// - Throws: ``HelixError`` if there is no such occurrence, or the rule cannot be shifted with it.
    public mutating func edit(_ changes: EventChanges, scope: Scope) throws {
        switch scope {
        case .all: try editAll(changes)
        case .this(let start):
            let index = try override(at: start)
            components[index].apply(changes)
            components[index].touch(now: now)
        case .future(let start):
            if try isFirst(start) { return try editAll(changes) }
            var tail = try split(at: start)
            var editor = EventEditor(tail.components, zones: nil, now: now, resolver: zones)
            try editor.editAll(changes)
            tail.components = editor.components
            successor = tail
        }
    }

    /// Deletes the occurrences of `scope`.
    /// - Throws: ``HelixError`` if there is no such occurrence.
    public mutating func delete(scope: Scope) throws {
        switch scope {
        case .all: components = []
        case .this(let start):
            let overrideIndex = index(ofOverride: start)
            if let overrideIndex { components.remove(at: overrideIndex) }
            if let master = masterIndex {
                try requireOccurrence(start, isOverridden: overrideIndex != nil)
                let time = try event(at: master).start.at(start)
                components[master].items.insert(
                    .line(ICalendarProperty("EXDATE", time: time).line), at: exceptionPlace(components[master]))
                components[master].touch(now: now)
                if try hasNoOccurrence() { components = [] }
            } else if overrideIndex == nil {
                throw noSuchOccurrence(start)
            }
        case .future(let start):
            if try isFirst(start) {
                components = []
            } else {
                _ = try split(at: start)
            }
        }
    }

    private init(_ components: [ICalendarComponent], zones: String?, now: Instant, resolver: ZoneResolver) {
        self.components = components
        self.zones = resolver
        self.now = now
    }

    // MARK: Parts

    private var masterIndex: Int? { components.firstIndex { $0.first("RECURRENCE-ID") == nil } }

    private func event(at index: Int) throws -> EventComponent {
        do throws(EventComponentError) {
            return try EventComponent(Array(components[index].text.utf8), zones: zones)
        } catch {
            throw HelixError(.badInput, "cannot read the stored event: \(error.reason)")
        }
    }

    private func series() throws -> EventSeries { EventSeries(try components.indices.map(event(at:))) }

    private func index(ofOverride start: CivilDateTime) -> Int? {
        guard let instance = try? series().standaloneOrChanged(at: start) else { return nil }
        return instance
    }

    private func isFirst(_ start: CivilDateTime) throws -> Bool {
        try series().instances().first { _ in true }.map { $0.recurrence ?? start } == start
    }

    private func hasNoOccurrence() throws -> Bool { try series().instances().first { _ in true } == nil }

    private func requireOccurrence(_ start: CivilDateTime, isOverridden: Bool) throws {
        if isOverridden { return }
        guard try series().instance(at: start) != nil else { throw noSuchOccurrence(start) }
    }

    private func noSuchOccurrence(_ start: CivilDateTime) -> HelixError {
        HelixError(.notFound, "the event has no occurrence at \(ISO8601.text(start))")
    }

    private func exceptionPlace(_ component: ICalendarComponent) -> Int {
        component.items.firstIndex { if case .component = $0 { true } else { false } } ?? component.items.count
    }

    /// The override of the occurrence at `start`, created as a copy of its current state if it has none.
    private mutating func override(at start: CivilDateTime) throws -> Int {
        if let index = index(ofOverride: start) { return index }
        guard let master = masterIndex else { throw noSuchOccurrence(start) }
        guard let instance = try series().instance(at: start) else { throw noSuchOccurrence(start) }
        let owner = try event(at: master)
        let time = owner.start.at(start)
        var copy = components[instance.component]
        for name in ["RRULE", "RDATE", "EXDATE", "EXRULE", "RECURRENCE-ID", "DURATION"] { copy.remove(name) }
        let source = try event(at: instance.component)
        let civil: CivilDateTime
        switch instance.basis {
        case .instant: civil = source.start.clock.civil(Instant(instance.start))
        case .floating, .date: civil = CivilDateTime(seconds: instance.start)
        }
        let begin = source.start.at(civil)
        copy.set("DTSTART", ICalendarProperty("DTSTART", time: begin))
        copy.setEnd(source.end(for: begin))
        copy.set("RECURRENCE-ID", ICalendarProperty("RECURRENCE-ID", time: time))
        components.append(copy)
        return components.count - 1
    }

    /// The unchanged occurrence of a series, for comparison with an override.
    ///
    /// - Parameter override: the changed occurrence.
    /// - Returns: nil if the series has no such occurrence.
    public static func occurrence(
        of series: [ICalendarComponent], for override: ICalendarComponent, zones: String? = nil
    ) -> ICalendarComponent? {
        var editor = EventEditor(series, zones: zones, now: Instant(0))
        let probe = EventEditor([override], zones: zones, now: Instant(0))
        guard let master = editor.masterIndex, let owner = try? editor.event(at: master),
            let id = try? probe.event(at: 0).recurrenceID,
            let place = try? editor.override(at: EventInstances.reading(id, on: owner.start))
        else { return nil }
        return editor.components[place]
    }

    // MARK: All occurrences

    private mutating func editAll(_ changes: EventChanges) throws {
        guard let master = masterIndex else {
            for index in components.indices {
                components[index].apply(changes)
                components[index].touch(now: now)
            }
            return
        }
        let before = try event(at: master)
        var changes = changes
        if let start = changes.start, before.isRecurring || components.count > 1 {
            try shift(from: before, to: start, rule: &changes.rule)
            let own = before.rules.map { $0.aligned(to: start, clock: before.start.clock) }
            if changes.rule == nil, own.count == 1, own != before.rules { changes.rule = own[0].text }
        }
        if changes.start != nil, changes.end == nil {
            changes.end = changes.start.map { start in
                if start.isDate == before.start.isDate { return before.end(for: before.start, movedTo: start) }
                return start.isDate ? .date(start.civil.date + 1) : start.at(start.civil + 3600)
            }
        }
        components[master].apply(changes)
        components[master].touch(now: now)
        if changes.rule == "" {
            // A single event has neither exceptions nor overrides.
            for name in ["RDATE", "EXDATE"] { components[master].remove(name) }
            components = [components[master]]
            return
        }
        // Overrides keep their own changes; changes of all occurrences apply to them, too.
        var shared = changes
        shared.start = nil
        shared.end = nil
        shared.rule = nil
        if !shared.isEmpty {
            for index in components.indices where index != master {
                components[index].apply(shared)
                components[index].touch(now: now)
            }
        }
    }

    /// Shifts exceptions and overrides with the series, and its weekdays if it moves to another day.
    private mutating func shift(from before: EventComponent, to start: EventTime, rule: inout String?) throws {
        guard start.isDate == before.start.isDate else {
            guard components.count == 1, before.exceptions.isEmpty, before.extraDates.isEmpty else {
                throw HelixError(
                    .conflict, "a series with exceptions cannot change between all-day and timed",
                    hint: "Delete and recreate it, or change single occurrences with --this DATE.")
            }
            return
        }
        let delta = start.civil - before.start.civil
        let days = start.civil.date - before.start.civil.date
        if rule == nil, days != 0 || delta != 0 && before.rules.contains(where: { $0.until != nil }) {
            let clock = before.start.clock
            let shifted = try before.rules.map { try $0.shifted(days: days, seconds: delta, clock: clock) }
            if let first = shifted.first, shifted.count == 1 { rule = first.text }
            if shifted.count > 1 {
                throw HelixError(.conflict, "an event with two rules cannot be moved to another day as a whole")
            }
        }
        guard let master = masterIndex, delta != 0 || start.clock != before.start.clock else { return }
        func moved(_ time: EventTime) -> EventTime { start.at(EventEditor.reading(time, on: before.start) + delta) }
        let exceptions = before.exceptions.map { ICalendarProperty("EXDATE", time: moved($0)) }
        components[master].set("EXDATE", exceptions)
        components[master].set(
            "RDATE", before.extraDates.map { ICalendarProperty(extra: moved($0.start), duration: $0.duration) })
        for index in components.indices where index != master {
            guard let id = try event(at: index).recurrenceID else { continue }
            let range = components[index].first("RECURRENCE-ID")?.parameters.filter { $0.name == "RANGE" } ?? []
            components[index].set("RECURRENCE-ID", ICalendarProperty("RECURRENCE-ID", time: moved(id), range))
            try follow(index, nominal: id, delta: delta, days: days, before)
        }
    }

    /// Shifts an override with its series: by the whole delta if its time is unchanged, otherwise by days.
    private mutating func follow(
        _ index: Int, nominal: EventTime, delta: Int, days: Int, _ before: EventComponent
    ) throws {
        let own = try event(at: index)
        guard own.start.isDate == before.start.isDate else { return }
        let isMoved = EventEditor.reading(own.start, on: before.start) != EventEditor.reading(nominal, on: before.start)
        let step = isMoved ? days * 86_400 : delta
        if step == 0 { return }
        var changes = EventChanges()
        let start = own.start.at(own.start.civil + step)
        changes.start = start
        changes.end = own.end(for: own.start, movedTo: start)
        components[index].apply(changes)
    }

    private static func reading(_ time: EventTime, on master: EventTime) -> CivilDateTime {
        switch (time, master) {
        case (.utc(let instant), .zoned(_, let zone)): zone.civil(instant)
        case (.date(let date), .zoned), (.date(let date), .floating), (.date(let date), .utc):
            CivilDateTime(date, secondOfDay: master.civil.secondOfDay)
        default: time.civil
        }
    }

    // MARK: Splitting

    /// Ends the series before the occurrence at `start`; the rest becomes a new event.
    private mutating func split(at start: CivilDateTime) throws -> (uid: String, components: [ICalendarComponent]) {
        guard let master = masterIndex else { throw noSuchOccurrence(start) }
        let before = try event(at: master)
        try requireOccurrence(start, isOverridden: index(ofOverride: start) != nil)
        var tail = components[master]
        var head = components[master]
        let uid = EntityID().text + "@helix"
        tail.set("UID", ICalendarProperty("UID", value: uid))
        let first = before.start.at(start)
        tail.set("DTSTART", ICalendarProperty("DTSTART", time: first))
        if tail.first("DURATION") == nil || tail.first("DTEND") != nil {
            tail.setEnd(before.end(for: first))
        }
        let passed = EventRecurrence(start: before.start.civil, rules: before.rules, zone: before.start.clock)
            .prefix { $0 < start }.count
        var headRules: [ICalendarProperty] = []
        var tailRules: [ICalendarProperty] = []
        for rule in before.rules {
            var earlier = rule
            earlier.count = nil
            earlier.until = EventEditor.lastMoment(before: start, like: before.start)
            headRules.append(ICalendarProperty("RRULE", value: earlier.text))
            var later = rule
            if let count = rule.count { later.count = max(1, count - passed) }
            tailRules.append(ICalendarProperty("RRULE", value: later.text))
        }
        head.set("RRULE", headRules)
        tail.set("RRULE", tailRules)
        let isBefore: (EventTime) -> Bool = { EventEditor.reading($0, on: before.start) < start }
        let excluded = before.exceptions
        head.set("EXDATE", excluded.filter(isBefore).map { ICalendarProperty("EXDATE", time: $0) })
        tail.set("EXDATE", excluded.filter { !isBefore($0) }.map { ICalendarProperty("EXDATE", time: $0) })
        func extra(_ isWanted: (EventTime) -> Bool) -> [ICalendarProperty] {
            before.extraDates.filter { isWanted($0.start) }
                .map { ICalendarProperty(extra: $0.start, duration: $0.duration) }
        }
        head.set("RDATE", extra(isBefore))
        tail.set("RDATE", extra { !isBefore($0) })
        head.touch(now: now)
        var headParts = [head]
        var tailParts = [tail]
        for index in components.indices where index != master {
            guard let id = try event(at: index).recurrenceID else { continue }
            if isBefore(id) {
                headParts.append(components[index])
            } else {
                var part = components[index]
                part.set("UID", ICalendarProperty("UID", value: uid))
                tailParts.append(part)
            }
        }
        components = headParts
        return (uid, tailParts)
    }

    private static func lastMoment(before start: CivilDateTime, like time: EventTime) -> RecurrenceRule.Until {
        switch time {
        case .date: .date(start.date - 1)
        case .floating: .floating(start + -1)
        case .zoned(_, let zone): .utc(zone.instant(start) - 1)
        case .utc: .utc(Instant(start.seconds - 1))
        }
    }
}

extension EventSeries {
    /// The override or standalone component with that original start, if any.
    func standaloneOrChanged(at start: CivilDateTime) -> Int? {
        standaloneInstances().first { $0.recurrence == start }.map(\.component)
            ?? components.indices.first { index in
                guard let id = components[index].recurrenceID, master != nil else { return false }
                return id.civil == start && id.basis == components[master ?? index].start.basis
            }
    }
}

extension EventComponent {
    /// The end after a move to `new`; the duration is measured from `old`.
    func end(for old: EventTime, movedTo new: EventTime) -> EventTime {
        var copy = self
        copy.end = end == nil ? nil : end(for: old)
        let length = copy.length
        switch new {
        case .date(let date): return .date(date + length.days)
        case .zoned(let civil, let zone):
            return .zoned(zone.civil(zone.instant(civil + length.days * 86_400) + length.seconds), zone)
        case .floating(let civil): return .floating(civil + length.total)
        case .utc(let instant): return .utc(instant + length.total)
        }
    }
}

extension RecurrenceRule {
    /// The rule of a series shifted by `days`, including its weekdays.
    /// - Throws: ``HelixError`` if it has days that cannot be shifted, such as the last Friday of a month.
    /// - Parameters:
    ///   - seconds: the shift of each occurrence's local time, including days.
    ///   - clock: the zone of the series, in which its end is shifted, so that no occurrence is lost.
    func shifted(days: Int, seconds: Int, clock: Zone) throws -> RecurrenceRule {
        var rule = self
        switch until {
        case .date(let date): rule.until = .date(date + days)
        case .floating(let civil): rule.until = .floating(civil + seconds)
        case .utc(let instant): rule.until = .utc(clock.instant(clock.civil(instant) + seconds))
        case nil: break
        }
        if days == 0 { return rule }
        let isSimple =
            monthDays.isEmpty && yearDays.isEmpty && weekNumbers.isEmpty && setPositions.isEmpty
            && !weekdays.contains { $0.ordinal != nil } && (months.isEmpty || weekdays.isEmpty)
        guard isSimple || weekdays.isEmpty && monthDays.isEmpty else {
            throw HelixError(
                .conflict, "the series repeats '\(phrase())' and cannot be moved to another day as a whole",
                hint: "Set a new recurrence: helix cal edit ID --all --repeat '…', or move one with --this DATE.")
        }
        rule.weekdays = weekdays.map { WeekdayNumber($0.weekday.advanced(by: days)) }
        return rule
    }
}
