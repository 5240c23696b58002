import ArgumentParser
import HelixCalendar
import HelixModel
import HelixStore
import HelixTerminal

/// The action on a conflict before saving.
enum OnConflict: String, ExpressibleByArgument, CaseIterable {
    case warn
    case fail
    case suggest
    case allow
}

/// The option for the action on a conflict.
struct ConflictOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "On a conflict: warn (and save), fail, suggest free times, or allow.", valueName: "what"))
    var onConflict: OnConflict = .warn

    /// No options set.
    static var unset: ConflictOptions {
        var options = ConflictOptions()
        options.onConflict = .warn
        return options
    }
}

extension Change {
    /// The conflicts of an event with others after this change. For a series, only the next year is checked.
    /// - Throws: ``HelixError``.
    func conflicts(of id: EntityID, series: EventSeries, context: CommandContext) throws -> [Conflict] {
        let zone = context.zone
        let policy = context.conflictPolicy
        var ranges: [TimeRange] = []
        var own: [TimeRange] = []
        let store = try context.store()
        let travel = series.components.map(\.travel).max() ?? 0
        let (instances, unknown) = series.instancesToCheck(from: context.now)
        if let unknown { store.unlisted.append(Store.Unlisted(event: id, range: unknown)) }
        for instance in instances {
            let time: (Int64) -> Instant = { seconds in
                instance.basis == .instant ? Instant(seconds) : zone.instant(CivilDateTime(seconds: seconds))
            }
            own.append(
                TimeRange(
                    start: time(instance.start) - policy.buffer,
                    end: max(time(instance.end), time(instance.start) + 1) + policy.buffer))
            // Includes travel to other events, which may begin up to a day before them.
            ranges.append(
                TimeRange(
                    start: time(instance.start) - travel - policy.buffer, end: time(instance.end) + policy.buffer + 1))
        }
        let before = store.unlisted
        guard let first = ranges.map(\.start).min(), let last = ranges.map(\.end).max() else { return [] }
        var around: [Occurrence] = []
        if ranges.count > 40 {
            around = try occurrences(in: TimeRange(start: first, end: last + 7200), zone: zone)
        } else {
            var known: Set<Occurrence> = []
            for range in ranges {
                let found = try occurrences(in: TimeRange(start: range.start, end: range.end + 7200), zone: zone)
                around += found.filter { known.insert($0).inserted }
            }
        }
        if store.unlisted.count > before.count, ranges.count <= 40 {
            // An event occurs too often to read a whole day; a few hours may work.
            store.unlisted = before
            var known = Set(around)
            for range in own {
                let found = try occurrences(in: range, zone: zone)
                around += found.filter { known.insert($0).inserted }
            }
        }
        return around.conflicts(policy: policy).conflicts.filter { $0.a.event == id || $0.b.event == id }
    }
}

extension EventSeries {
    /// The occurrences to check for conflicts when a series is saved: those of the next year, and all that were moved.
    /// - Returns: the occurrences, and the part of the year for which there are too many; nil if there is none.
    func instancesToCheck(from now: Instant) -> (instances: [Instance], unknown: TimeRange?) {
        guard isRecurring else { return (Array(instances().prefix(1)), nil) }
        let year = TimeRange(start: now - 86_400, end: now + 366 * 86_400)
        let regular = window(year, reach: 54_000, limit: 10_000)
        let known = Set(regular.instances)
        let others = standaloneInstances().filter { $0.end >= now.seconds - 86_400 && !known.contains($0) }
        return (regular.instances + others, regular.unknownFrom.map { TimeRange(start: $0, end: year.end) })
    }
}

extension CommandContext {
    /// Applies the option for conflicts: does nothing, or throws so that nothing is saved.
    /// - Throws: ``HelixError`` of code `conflict`.
    func judge(_ conflicts: [Conflict], of id: EntityID, _ option: OnConflict) throws {
        guard option == .fail || option == .suggest else { return }
        guard let first = conflicts.first else {
            guard let unlisted = try store().unlisted.first else { return }
            throw HelixError(
                .conflict,
                "event \(unlisted.event.text.prefix(8)) occurs too often to compare all occurrences, so there may be a conflict; "
                    + "nothing was changed", hint: "Pass --on-conflict warn to save it anyway.")
        }
        let (mine, other) = first.a.event == id ? (first.a, first.b) : (first.b, first.a)
        let more = conflicts.count > 1 ? " and \(conflicts.count - 1) more" : ""
        throw ConflictRefusal(
            error: HelixError(
                .conflict,
                "'\(mine.title)' at \(viewer.span(mine.time)) conflicts with '\(other.title)' at \(viewer.span(other.time))\(more); nothing was changed",
                hint: option == .suggest
                    ? "Suggested free times are listed."
                    : "Pass --on-conflict warn to save it anyway, or suggest for free times."),
            wanted: mine.time.range(in: zone))
    }

    /// Prints the conflicts of an event as notes beside the data.
    func warn(_ conflicts: [Conflict], of id: EntityID) {
        for conflict in conflicts.prefix(5) {
            let (mine, other) = conflict.a.event == id ? (conflict.a, conflict.b) : (conflict.b, conflict.a)
            var line = StyledText("! ", TextStyle(.yellow, bold: true))
            line.append("conflicts with '\(other.title)', \(viewer.span(other.time)) (\(other.calendar.name))")
            if mine.isRecurring { line.append(", on \(DateWords.text(zone.date(conflict.overlap.start)))", .dim) }
            note(line)
        }
        if conflicts.count > 5 { note("! and \(conflicts.count - 5) more conflicts") }
    }

    /// Runs a change; if a conflict rejects it and suggestions are requested, prints free times and rethrows.
    /// - Throws: ``HelixError``.
    func suggesting<Value>(_ option: OnConflict, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let refusal as ConflictRefusal {
            if option == .suggest {
                let start = max(refusal.wanted.start, now)
                let slots = try freeSlots(
                    in: TimeRange(start: start, end: start + 14 * 86_400), duration: max(300, refusal.wanted.duration))
                let length = max(300, refusal.wanted.duration)
                let items = slots.prefix(output.limit ?? 5).map { FreeItem(range: $0) }
                try present(FreeReport(items: items, isTruncated: false, duration: length))
            }
            throw refusal.error
        }
    }
}

/// An error for a change rejected because of a conflict, with the requested time.
struct ConflictRefusal: Error {
    let error: HelixError
    let wanted: TimeRange
}
