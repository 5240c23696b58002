import HelixCalendar
import HelixModel
import HelixTerminal

/// A conflict in a report.
struct ConflictItem: DescribedItem {
    let conflict: Conflict
    /// The two events, that which starts first before the other.
    let events: [OccurrenceItem]

    static let described = list {
        Field("kind", .choice(Conflict.Kind.allCases.map(\.rawValue)), "The kind of the conflict.") {
            $0.conflict.kind.rawValue
        }
        Field(
            "severity", .choice(Conflict.Severity.allCases.map(\.rawValue)),
            "1 or 2 conflicts of an event: warning; more: critical."
        ) { $0.conflict.severity.rawValue }
        Field("overlap", part: { $0.conflict.overlap }, "The overlap.") {
            ReportField("start", .time, "Start.") { $1.iso($0.start) }
            ReportField("end", .time, "End.") { $1.iso($0.end) }
            ReportField("seconds", .seconds, "Duration.") { $0.duration }
        }
        Field("a", .object(OccurrenceItem.fields), "The event that starts first.") { item, viewer in
            item.events[0].json(for: viewer)
        }
        Field("b", .object(OccurrenceItem.fields), "The other event.") { item, viewer in
            item.events[1].json(for: viewer)
        }
        Field("links", .array(.id), "The identities of both events.") { [$0.conflict.a.event, $0.conflict.b.event] }
    }
}

extension CommandContext {
    /// The report items of conflicts, with the links of their events for machine-readable output.
    /// - Throws: ``HelixError``.
    func items(_ conflicts: [Conflict]) throws -> [ConflictItem] {
        var partners: [ConflictPartner: [EntityID]] = [:]
        for conflict in conflicts {
            partners[ConflictPartner(conflict.a), default: []].append(conflict.b.event)
            partners[ConflictPartner(conflict.b), default: []].append(conflict.a.event)
        }
        let events = try linked(
            conflicts.flatMap { [$0.a, $0.b] }.map {
                OccurrenceItem(occurrence: $0, conflicts: partners[ConflictPartner($0)]?.uniqued ?? [])
            })
        return conflicts.enumerated().map { place, conflict in
            ConflictItem(conflict: conflict, events: Array(events[2 * place..<2 * place + 2]))
        }
    }
}

/// An occurrence, as one of a conflict.
private struct ConflictPartner: Hashable {
    let event: EntityID
    let start: Instant

    init(_ occurrence: Occurrence) { (event, start) = (occurrence.event, occurrence.time.range(in: .utc).start) }
}

/// The conflicts in a range.
struct ConflictReport: Report {
    static let schema = "helix.cal.conflicts/1"
    let items: [ConflictItem]
    let isTruncated: Bool
    /// The checked range, in words.
    let span: String

    func limited(to count: Int) -> ConflictReport {
        ConflictReport(
            items: Array(items.prefix(count)), isTruncated: isTruncated || items.count > count, span: span)
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty {
            canvas.paragraph(
                isTruncated ? "No conflicts among the compared events: \(span)." : "No conflicts: \(span).",
                style: TextStyle(isTruncated ? .yellow : .green))
            return
        }
        var day: CivilDate?
        for item in items {
            let date = viewer.zone.date(item.conflict.overlap.start)
            if date != day {
                if day != nil { canvas.line() }
                canvas.line(StyledText(viewer.day(date), .bold))
                day = date
            }
            item.conflict.draw(on: &canvas, for: viewer)
        }
        canvas.line()
        let critical = items.filter { $0.conflict.severity == .critical }.count
        if critical > 0 { canvas.paragraph("‼ critical: an event that overlaps with three or more", style: .dim) }
        canvas.paragraph(
            "\(items.count)\(isTruncated ? "+" : "") conflict\(items.count == 1 ? "" : "s")"
                + (critical > 0 ? ", \(critical) critical" : "") + " · \(span)", style: .dim)
    }
}

extension Conflict {
    /// Draws the overlap, then both events.
    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        let style = severity == .critical ? TextStyle(.red, bold: true) : TextStyle(.yellow, bold: true)
        var head = StyledText(severity == .critical ? "  ‼ " : "  ! ", style)
        head.append(Conflict.hours(overlap, viewer))
        head.append("  " + DateWords.text(duration: overlap.duration), style)
        if kind != .hard { head.append("  \(kind.rawValue)", .dim) }
        canvas.line(head)
        for occurrence in [a, b] {
            var line = StyledText("    " + viewer.short(occurrence.event), .dim)
            line.append("  \(hours(occurrence, viewer))  ")
            let item = OccurrenceItem(occurrence: occurrence, conflicts: [])
            line.append(item.label, item.style)
            let name = StyledText("  " + occurrence.calendar.name, .dim)
            // The calendar's name goes first where both have no room.
            canvas.line(line.width + name.width > canvas.textWidth ? line.fitted(canvas.textWidth) : line + name)
        }
    }

    /// `10:00–11:00`; if it spans several days, each end has its day.
    private static func hours(_ range: TimeRange, _ viewer: Viewer) -> String {
        let (first, last) = (viewer.zone.date(range.start), viewer.zone.date(range.end - 1))
        if first == last { return viewer.clock(range.start) + "–" + viewer.clock(range.end) }
        func text(_ instant: Instant) -> String {
            let date = viewer.zone.date(instant)
            let month = DateWords.name(month: date.month)
            return "\(DateWords.name(date.weekday)) \(date.day) \(month) \(viewer.clock(instant))"
        }
        return "\(text(range.start)) – \(text(range.end))"
    }

    private func hours(_ occurrence: Occurrence, _ viewer: Viewer) -> String {
        guard case .timed(let range) = occurrence.time else { return "all day" }
        let text = Conflict.hours(range, viewer)
        return occurrence.travel > 0 ? "\(text) (+\(DateWords.text(duration: occurrence.travel)) travel)" : text
    }
}
