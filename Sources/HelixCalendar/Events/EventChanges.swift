import HelixModel

/// What to set on an event; what is nil stays as it is.
public struct EventChanges: Hashable, Sendable {
    /// SUMMARY.
    public var title: String?
    /// DTSTART.
    public var start: EventTime?
    /// DTEND.
    public var end: EventTime?
    /// DURATION in seconds, instead of an end whose reading of the clock comes twice.
    public var duration: Int?
    /// LOCATION; empty removes it. So with the texts below.
    public var location: String?
    /// DESCRIPTION.
    public var description: String?
    /// URL.
    public var url: String?
    /// CATEGORIES; an empty list removes them.
    public var categories: ListChange<String>?
    /// ATTENDEE; an empty list removes them.
    public var attendees: ListChange<Attendee>?
    /// VALARM, as seconds before the start; an empty list removes them.
    public var alarms: ListChange<Int>?
    /// STATUS.
    public var status: EventStatus?
    /// TRANSP.
    public var isOpaque: Bool?
    /// RRULE; an empty text removes it.
    public var rule: String?

    /// Nothing to set.
    public init() {}

    /// Whether there is nothing to set.
    public var isEmpty: Bool { self == EventChanges() }
}

extension ICalendarComponent {
    /// A new VEVENT.
    public static func event(uid: String, now: Instant, _ changes: EventChanges) -> ICalendarComponent {
        let stamp = ICalendarTime.utc(now).text
        var event = ICalendarComponent(
            "VEVENT",
            items: [
                .line(ICalendarProperty("UID", value: uid).line), .line("DTSTAMP:\(stamp)"), .line("CREATED:\(stamp)"),
                .line("LAST-MODIFIED:\(stamp)"),
            ])
        event.apply(changes)
        return event
    }

    /// Sets what `changes` say; everything else stays as it is, to the letter.
    public mutating func apply(_ changes: EventChanges) {
        if let start = changes.start { set("DTSTART", ICalendarProperty("DTSTART", time: start)) }
        if let end = changes.end {
            remove("DURATION")
            set("DTEND", ICalendarProperty("DTEND", time: end))
        }
        if let duration = changes.duration {
            remove("DTEND")
            set("DURATION", ICalendarProperty("DURATION", value: ICalendarDuration(seconds: duration).text))
        }
        if let rule = changes.rule { set("RRULE", rule.isEmpty ? nil : ICalendarProperty("RRULE", value: rule)) }
        func setText(_ name: String, _ text: String?) {
            guard let text else { return }
            // The parameters say how the old text is written, such as its language; they go with it.
            set(name, text.isEmpty ? nil : ICalendarProperty(name, text: text))
        }
        setText("SUMMARY", changes.title)
        setText("LOCATION", changes.location)
        setText("DESCRIPTION", changes.description)
        if let url = changes.url { set("URL", url.isEmpty ? nil : ICalendarProperty("URL", value: url)) }
        if let change = changes.categories {
            let categories = change.applied(to: categories) { $0.lowercased() == $1.lowercased() }
            let value = categories.map(ICalendarProperty.escaped).joined(separator: ",")
            set("CATEGORIES", categories.isEmpty ? nil : ICalendarProperty("CATEGORIES", value: value))
        }
        if let status = changes.status {
            set("STATUS", ICalendarProperty("STATUS", value: status.rawValue.uppercased()))
        }
        if let isOpaque = changes.isOpaque {
            set("TRANSP", ICalendarProperty("TRANSP", value: isOpaque ? "OPAQUE" : "TRANSPARENT"))
        }
        if let change = changes.attendees { apply(attendees: change) }
        if let change = changes.alarms { apply(alarms: change) }
    }

    /// The words of all CATEGORIES.
    private var categories: [String] { all("CATEGORIES").flatMap(\.texts) }

    /// Who was there already keeps the answer given, and what else the file says of them.
    private mutating func apply(attendees change: ListChange<Attendee>) {
        let old = all("ATTENDEE")
        func isOf(_ attendee: Attendee, _ line: ICalendarProperty) -> Bool {
            line.value.lowercased() == "mailto:" + attendee.address
        }
        var lines = change.replacement == nil ? old : []
        lines.removeAll { line in change.removals.contains { isOf($0, line) } }
        for attendee in (change.replacement ?? []) + change.additions
        where !lines.contains(where: { isOf(attendee, $0) }) && !change.removals.contains(attendee) {
            lines.append(old.first { isOf(attendee, $0) } ?? ICalendarProperty(attendee))
        }
        set("ATTENDEE", lines)
    }

    /// Reminders that are not named stay as they are, to the letter.
    private mutating func apply(alarms change: ListChange<Int>) {
        let title = first("SUMMARY")?.text ?? "Reminder"
        func before(_ alarm: ICalendarComponent) -> Int? {
            guard let trigger = alarm.first("TRIGGER") else { return nil }
            return ICalendarDuration(trigger.value).map { -$0.total }
        }
        var kept = change.replacement == nil ? components.filter { $0.name == "VALARM" } : []
        kept.removeAll { alarm in before(alarm).map(change.removals.contains) ?? false }
        for seconds in (change.replacement ?? []) + change.additions
        where !kept.contains(where: { before($0) == seconds }) && !change.removals.contains(seconds) {
            kept.append(
                ICalendarComponent(
                    "VALARM",
                    items: [
                        .line("ACTION:DISPLAY"), .line(ICalendarProperty("DESCRIPTION", text: title).line),
                        .line("TRIGGER:\(ICalendarDuration(seconds: -seconds).text)"),
                    ]))
        }
        setComponents("VALARM", kept)
    }

    /// Notes that the component was changed at `now`: SEQUENCE, LAST-MODIFIED and DTSTAMP (RFC 5546 §2.1.4).
    public mutating func touch(now: Instant) {
        let sequence = first("SEQUENCE").flatMap { Int($0.value) } ?? 0
        set("SEQUENCE", ICalendarProperty("SEQUENCE", value: "\(sequence + 1)"))
        let stamp = ICalendarTime.utc(now).text
        set("LAST-MODIFIED", ICalendarProperty("LAST-MODIFIED", value: stamp))
        set("DTSTAMP", ICalendarProperty("DTSTAMP", value: stamp))
    }
}

extension ICalendarProperty {
    /// A property whose value is a time.
    public init(_ name: String, time: EventTime, _ parameters: [Parameter] = []) {
        switch time {
        case .date(let date):
            self.init(name, parameters + [.init("VALUE", ["DATE"])], value: ICalendarTime.date(date).text)
        case .floating(let civil):
            self.init(name, parameters, value: ICalendarTime.floating(civil).text)
        case .utc(let instant):
            self.init(name, parameters, value: ICalendarTime.utc(instant).text)
        case .zoned(let civil, let zone) where zone.isUTC:
            self.init(name, parameters, value: ICalendarTime.utc(Instant(civil.seconds)).text)
        case .zoned(let civil, let zone):
            self.init(
                name, parameters + [.init("TZID", [zone.identifier])], value: ICalendarTime.floating(civil).text)
        }
    }

    /// An RDATE; a period if it has a length of its own.
    init(extra start: EventTime, duration: Int?) {
        self.init("RDATE", time: start)
        guard let duration else { return }
        parameters.insert(.init("VALUE", ["PERIOD"]), at: 0)
        value += "/" + ICalendarDuration(seconds: duration).text
    }

    /// An ATTENDEE.
    init(_ attendee: Attendee) {
        var parameters: [Parameter] = []
        if let name = attendee.name { parameters.append(.init("CN", [name])) }
        parameters.append(.init("PARTSTAT", [attendee.participation.rawValue.uppercased()]))
        parameters.append(.init("RSVP", ["TRUE"]))
        self.init("ATTENDEE", parameters, value: "mailto:" + attendee.address)
    }
}
