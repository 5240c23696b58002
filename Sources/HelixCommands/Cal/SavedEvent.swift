import HelixCalendar
import HelixModel
import HelixStore
import HelixTerminal

/// A saved event with its conflicts.
struct SavedEvent {
    let id: EntityID
    let occurrence: Occurrence?
    let conflicts: [Conflict]
    /// The recurrence in words, with the next days.
    let repeats: String?
    /// The other stored fields, in words.
    let facts: [String]

    /// Creates the item within the change, so that a rejected conflict rolls everything back.
    init(
        _ id: EntityID, _ change: Change, _ context: CommandContext, _ option: OnConflict, at start: EventTime? = nil,
        isSingle: Bool = false
    )
        throws
    {
        self.id = id
        let series = try change.series(of: id)
        facts =
            (series.master.map { series.components[$0] } ?? series.components.first).map {
                SavedEvent.facts($0, context.viewer)
            } ?? []
        let phrase = series.master.flatMap {
            series.components[$0].rules.first?.phrase(start: series.components[$0].start)
        }
        repeats = phrase.map { phrase in
            let starts = series.starts(after: context.now, in: context.zone)
            // Several on one day are distinguished by their times.
            let hasTimes = Set(starts.map { context.zone.date($0) }).count < starts.count
            let days = starts.map { start in
                let day = context.zone.date(start)
                let isNear = day.year == context.today.year
                let text =
                    isNear
                    ? "\(DateWords.name(day.weekday)) \(day.day) \(DateWords.name(month: day.month))"
                    : DateWords.text(day)
                return hasTimes ? "\(text) \(context.viewer.clock(start))" : text
            }
            return days.isEmpty ? phrase : phrase + ": " + days.joined(separator: ", ")
        }
        var found = option == .allow ? [] : try change.conflicts(of: id, series: series, context: context)
        if isSingle, let start {
            // For one changed occurrence, only its own conflicts are reported.
            let instant = start.instant(in: context.zone)
            found = found.filter { ($0.a.event == id ? $0.a : $0.b).start(in: context.zone) == instant }
        }
        conflicts = found
        try context.judge(conflicts, of: id, option)
        if let start {
            let instant = start.instant(in: context.zone)
            let range = TimeRange(start: instant, end: instant + 1)
            let found = try change.occurrences(in: range, zone: context.zone, calendars: .all, event: id)
            if let moved = found.first(where: { $0.start(in: context.zone) == instant }) {
                occurrence = moved
                return
            }
        }
        occurrence = try series.next(after: context.now).flatMap { instance -> Occurrence? in
            let start =
                instance.basis == .instant
                ? Instant(instance.start) : context.zone.instant(CivilDateTime(seconds: instance.start))
            let range = TimeRange(start: start, end: start + 1)
            return try change.occurrences(in: range, zone: context.zone, calendars: .all, event: id).first
        }
    }
}

extension SavedEvent {
    /// All fields of an event except title, time, place and recurrence.
    fileprivate static func facts(_ event: EventComponent, _ viewer: Viewer) -> [String] {
        var facts: [String] = []
        if !event.exceptions.isEmpty {
            facts.append("except " + event.exceptions.map { DateWords.text($0.civil.date) }.joined(separator: ", "))
        }
        if event.status != .confirmed { facts.append(event.status.rawValue) }
        if !event.isOpaque { facts.append("the time stays free") }
        if !event.attendees.isEmpty { facts.append("with " + event.attendees.map(\.label).joined(separator: ", ")) }
        if !event.categories.isEmpty { facts.append("categories " + event.categories.joined(separator: ", ")) }
        if !event.alarms.isEmpty { facts.append("remind " + event.alarms.map(viewer.text).joined(separator: ", ")) }
        if let url = event.url { facts.append(url) }
        if let notes = event.description?.split(whereSeparator: \.isNewline).first { facts.append(String(notes)) }
        return facts.map(SafeText.line)
    }
}

extension EventSeries {
    /// The starts of the next three occurrences.
    fileprivate func starts(after now: Instant, in zone: Zone) -> [Instant] {
        var starts: [Instant] = []
        var last = now
        while starts.count < 3, let instance = next(after: last) {
            func instant(_ ordinal: Int64) -> Instant {
                instance.basis == .instant ? Instant(ordinal) : zone.instant(CivilDateTime(seconds: ordinal))
            }
            let start = instant(instance.start)
            if let former = starts.last, start <= former { break }
            starts.append(start)
            // An occurrence that ends now still counts as the next one.
            last = max(instant(instance.end), start, Instant(instance.end)) + 1
        }
        return starts
    }
}

extension CommandContext {
    /// Prints a note that the attendees are not invited yet: that needs `cal invite`.
    func noteUnasked(_ saved: [SavedEvent]) {
        guard !output.isMachine, let event = saved.first else { return }
        let id = (try? store().shortIDs([event.id]))?[event.id] ?? String(event.id.text.prefix(6))
        note(StyledText("Attendees are not invited yet: helix cal invite \(id)", .dim))
    }

    /// Prints saved events and their conflicts.
    /// - Throws: ``HelixError``.
    func presentSaved(_ verb: String, _ saved: [SavedEvent]) throws {
        for event in saved { warn(event.conflicts, of: event.id) }
        let fixed = try store().readOnlyCalendars()
        if !fixed.isEmpty {
            for name in Set(saved.compactMap { $0.occurrence?.calendar }.filter { fixed.contains($0.id) }.map(\.name)) {
                note(
                    StyledText(
                        "'\(name)' is read-only on its server: the change stays on this machine.",
                        TextStyle(.yellow)))
            }
        }
        let items = saved.compactMap { event in
            event.occurrence.map { occurrence in
                OccurrenceItem(
                    occurrence: occurrence,
                    conflicts: event.conflicts.map { $0.a.event == event.id ? $0.b.event : $0.a.event })
            }
        }
        let rules = Dictionary(saved.map { ($0.id, $0.repeats) }) { first, _ in first }.compactMapValues { $0 }
        let facts = Dictionary(saved.map { ($0.id, $0.facts) }) { first, _ in first }
        let report = SavedReport(items: try linked(items), verb: verb, rules: rules, facts: facts, home: homeZone)
        try present(report, ids: items.map(\.occurrence.event))
    }
}

/// The saved events.
struct SavedReport: Report {
    static let schema = "helix.cal.saved/1"
    let items: [OccurrenceItem]
    let verb: String
    /// The recurrences of the events, in words.
    var rules: [EntityID: String] = [:]
    /// The other stored fields of the events, in words.
    var facts: [EntityID: [String]] = [:]
    /// The local zone, regardless of the named one.
    var home: Zone?

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        for item in items {
            let event = item.occurrence
            var line = StyledText(verb + " ", TextStyle(.green))
            line.append(viewer.short(event.event) + "  ", .dim)
            line.append(event.title, .bold)
            canvas.line(line.fitted(canvas.textWidth))
            let zone = event.time.isAllDay ? "" : " " + viewer.zone.identifier
            // The time of an event in another zone is also shown in its own zone, and in the local one.
            let own = event.zone.flatMap { ZoneDatabase.zone(named: $0) }
            let others = event.time.isAllDay ? [] : SavedReport.others([own, home], than: viewer.zone)
            let length = " (\(SavedReport.length(event.time, viewer.zone)))"
            canvas.line("  " + viewer.span(event.time) + length + zone + (event.isRecurring ? " ↻" : ""))
            for other in others {
                let text = "  \(viewer.on(other).span(event.time)) \(other.identifier)"
                canvas.line(text.fitted(canvas.textWidth))
            }
            if let rule = rules[event.event] { canvas.paragraph("↻ " + rule, indent: 2) }
            let place = event.location.map { "  at " + $0 } ?? ""
            canvas.line(StyledText("  \(event.calendar.name)\(place)", .dim).fitted(canvas.textWidth))
            for fact in facts[event.event] ?? [] {
                canvas.line(StyledText("  \(fact)", .dim).fitted(canvas.textWidth))
            }
        }
    }

    /// The duration in words: `1h 30m`, `all day`, `3 days`.
    private static func length(_ time: OccurrenceTime, _ zone: Zone) -> String {
        if case .days(let first, let end) = time { return end - first == 1 ? "all day" : "\(end - first) days" }
        return DateWords.text(duration: time.range(in: zone).duration)
    }

    /// The zones that differ from `shown`.
    private static func others(_ zones: [Zone?], than shown: Zone) -> [Zone] {
        var known = [shown]
        for zone in zones.compactMap({ $0 })
        where !known.contains(where: { $0.identifier == zone.identifier || $0.isUTC && zone.isUTC }) {
            known.append(zone)
        }
        return Array(known.dropFirst())
    }
}
