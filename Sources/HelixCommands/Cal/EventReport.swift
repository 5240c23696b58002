import HelixCalendar
import HelixModel
import HelixStore
import HelixTerminal

/// An event with all its fields.
struct EventItem: DescribedItem {
    let event: StoredEvent
    let component: EventComponent
    let series: EventSeries
    /// The next occurrence, or the last.
    let occurrence: OccurrenceItem?
    /// The next occurrences.
    let upcoming: [Occurrence]

    /// The rules in words. They are the master's: a changed occurrence has none of its own.
    var phrases: [String] {
        let start = series.master.map { series.components[$0].start } ?? component.start
        return rules.map { $0.phrase(start: start) }
    }
    var rules: [RecurrenceRule] { series.master.map { series.components[$0].rules } ?? component.rules }

    static let described =
        OccurrenceItem.described.ofSome { (item: EventItem) in item.occurrence }
        + list {
            Field("description", .string, required: false, "DESCRIPTION.") { $0.component.description }.foreign
            Field("organizer", .string, required: false, "The organizer's address.") { $0.component.organizer?.address }
                .foreignUnlessWord
            Field("attendees", listing: { $0.component.attendees }, "The attendees.") {
                ReportField("address", .string, "The mail address.") { $0.address }.foreignUnlessWord
                ReportField("name", .string, required: false, "The name.") { $0.name }.foreign
                ReportField(
                    "participation", .choice(Attendee.Participation.allCases.map(\.rawValue)), "The answer."
                ) { $0.participation.rawValue }
                ReportField("role", .string, "The role.") { $0.role }
            }
            Field("alarms", .array(.string), "Reminders as RFC 5545 durations or times.") {
                $0.component.alarms.map(EventItem.trigger)
            }
            Field("attachments", .array(.string), "Addresses of attached files.") { $0.component.attachments }.foreign
            Field("rule", .string, required: false, "RRULE.") { $0.rules.first?.text }
            Field("repeats", .string, required: false, "RRULE in words.") { $0.phrases.first }
            Field("upcoming", .array(.time), "The next occurrences.") { item, viewer in
                item.upcoming.map { occurrence -> String in
                    if case .days(let first, _) = occurrence.time { return ISO8601.text(first) }
                    return viewer.iso(occurrence.start(in: viewer.zone))
                }
            }
            Field("sequence", .integer, "SEQUENCE.") { $0.component.sequence }
        }

    private static func trigger(_ alarm: Alarm) -> String {
        switch alarm.trigger {
        case .fromStart(let seconds), .fromEnd(let seconds): ICalendarDuration(seconds: seconds).text
        case .at(let instant): ICalendarTime.utc(instant).text
        }
    }
}

/// One event in full.
struct EventReport: Report {
    static let schema = "helix.cal.event/1"
    static let isList = false
    let items: [EventItem]
    /// The conflicts of the event.
    let conflicts: [Conflict]

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        guard let item = items.first else { return }
        let event = item.component
        var title = StyledText(viewer.short(item.event.id) + "  ", .dim)
        title.append(event.title.isEmpty ? "(no title)" : event.title, .bold)
        if event.status != .confirmed { title.append("  \(event.status.rawValue)", TextStyle(.yellow)) }
        canvas.line(title.fitted(canvas.textWidth))
        if let occurrence = item.occurrence?.occurrence {
            row("When", viewer.span(occurrence.time) + " \(zoneNote(occurrence, viewer))", &canvas)
        }
        for phrase in item.phrases { row("Repeats", phrase, &canvas) }
        if !event.exceptions.isEmpty {
            row("Except", event.exceptions.map { viewer.text($0) }.joined(separator: ", "), &canvas)
        }
        if item.upcoming.count > 1 {
            row("Next", item.upcoming.prefix(5).map { viewer.span($0.time) }.joined(separator: "\n"), &canvas)
        }
        row("Where", event.location, &canvas)
        row("Calendar", item.event.calendar.name, &canvas)
        row("Busy", event.isOpaque ? nil : "no, the time stays free", &canvas)
        row("Travel", event.travel > 0 ? DateWords.text(duration: event.travel) + " before" : nil, &canvas)
        row("Link", event.url, &canvas)
        row("Categories", event.categories.isEmpty ? nil : event.categories.joined(separator: ", "), &canvas)
        row("Organizer", event.organizer?.label, &canvas)
        row(
            "Asked",
            event.attendees.isEmpty
                ? nil
                : event.attendees.map { "\($0.label)  \($0.participation.rawValue)" }.joined(separator: "\n"), &canvas)
        row(
            "Remind", event.alarms.isEmpty ? nil : event.alarms.map(viewer.text).joined(separator: ", "),
            &canvas)
        row("Attached", event.attachments.isEmpty ? nil : event.attachments.joined(separator: "\n"), &canvas)
        for conflict in conflicts.prefix(5) {
            let other = conflict.a.event == item.event.id ? conflict.b : conflict.a
            row("Conflict", "\(viewer.short(other.event))  \(other.title)  \(viewer.span(other.time))", &canvas)
        }
        row("UID", item.event.uid, &canvas)
        if let description = event.description {
            canvas.line()
            canvas.paragraph(description, indent: 2)
        }
    }

    private func row(_ name: String, _ value: String?, _ canvas: inout Canvas) {
        canvas.field(name, value, indent: 14)
    }

    private func zoneNote(_ occurrence: Occurrence, _ viewer: Viewer) -> String {
        guard let name = occurrence.zone, name != viewer.zone.identifier, case .timed(let range) = occurrence.time
        else {
            return occurrence.zone ?? ""
        }
        guard let zone = ZoneDatabase.zone(tzid: name), !zone.isUTC else { return viewer.zone.identifier }
        return "\(viewer.zone.identifier) (\(viewer.clock(zone.civil(range.start).secondOfDay)) in \(name))"
    }
}

extension Viewer {
    /// A reminder in words: `10m before`.
    func text(_ alarm: Alarm) -> String {
        switch alarm.trigger {
        case .fromStart(0): "at the start"
        case .fromStart(let seconds):
            DateWords.text(duration: abs(seconds)) + (seconds < 0 ? " before" : " after the start")
        case .fromEnd(let seconds):
            DateWords.text(duration: abs(seconds)) + (seconds < 0 ? " before the end" : " after the end")
        case .at(let instant): span(.timed(TimeRange(start: instant, end: instant)))
        }
    }

    /// A time of an event.
    func text(_ time: EventTime) -> String {
        time.isDate
            ? DateWords.text(time.civil.date)
            : span(.timed(TimeRange(start: time.instant(in: zone), end: time.instant(in: zone))))
    }
}
