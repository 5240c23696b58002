import HelixModel

/// Changes of an event; fields that are nil are kept.
public struct EventChanges: Hashable, Sendable {
    /// SUMMARY.
    public var title: String?
    /// DTSTART.
    public var start: EventTime?
    /// DTEND.
    public var end: EventTime?
    /// DURATION in seconds, instead of an end at an ambiguous local time.
    public var duration: Int?
    /// LOCATION; an empty text removes it, as for the texts below.
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

    /// Creates an empty set of changes.
    public init() {}

    /// Whether there are no changes.
    public var isEmpty: Bool { self == EventChanges() }
}

extension ICalendarComponent {
    /// Creates a VEVENT.
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

    /// Sets DTEND. An event that ends when it starts has none (RFC 5545 §3.8.2.2).
    mutating func setEnd(_ end: EventTime) {
        let property = ICalendarProperty("DTEND", time: end)
        let isEmpty = first("DTSTART").map { $0.value == property.value && $0["TZID"] == property["TZID"] } ?? false
        set("DTEND", isEmpty ? nil : property)
    }

    /// Applies `changes`; everything else is kept byte for byte.
    public mutating func apply(_ changes: EventChanges) {
        if let start = changes.start { set("DTSTART", ICalendarProperty("DTSTART", time: start)) }
        if let end = changes.end {
            remove("DURATION")
            setEnd(end)
        }
        if let duration = changes.duration {
            remove("DTEND")
            set("DURATION", ICalendarProperty("DURATION", value: ICalendarDuration(seconds: duration).text))
        }
        if let rule = changes.rule { set("RRULE", rule.isEmpty ? nil : ICalendarProperty("RRULE", value: rule)) }
        func setText(_ name: String, _ text: String?) {
            guard let text else { return }
            // The parameters describe the old text, such as its language; they are removed with it.
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

    /// The values of all CATEGORIES.
    private var categories: [String] { all("CATEGORIES").flatMap(\.texts) }

    /// Changes the attendees; existing ones keep their replies and other parameters.
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

    /// Changes the reminders; others are kept byte for byte.
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
            // A day before is the same time of day, also across a clock change.
            let duration = ICalendarDuration(days: -(seconds / 86_400), seconds: -(seconds % 86_400))
            kept.append(.alarm("TRIGGER:\(duration.text)", text: title))
        }
        setComponents("VALARM", kept)
    }

    /// Updates SEQUENCE, LAST-MODIFIED and DTSTAMP for a change at `now` (RFC 5546 §2.1.4).
    public mutating func touch(now: Instant) {
        let sequence = first("SEQUENCE").flatMap { Int($0.value) } ?? 0
        set("SEQUENCE", ICalendarProperty("SEQUENCE", value: "\(sequence + 1)"))
        let stamp = ICalendarTime.utc(now).text
        set("LAST-MODIFIED", ICalendarProperty("LAST-MODIFIED", value: stamp))
        set("DTSTAMP", ICalendarProperty("DTSTAMP", value: stamp))
    }
}

extension ICalendarProperty {
    /// Creates a property with a time value.
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

    /// Creates an RDATE; a period if it has its own duration.
    init(extra start: EventTime, duration: Int?) {
        self.init("RDATE", time: start)
        guard let duration else { return }
        parameters.insert(.init("VALUE", ["PERIOD"]), at: 0)
        value += "/" + ICalendarDuration(seconds: duration).text
    }

    /// Creates an ATTENDEE.
    init(_ attendee: Attendee) {
        var parameters: [Parameter] = []
        if let name = attendee.name { parameters.append(.init("CN", [name])) }
        parameters.append(.init("PARTSTAT", [attendee.participation.rawValue.uppercased()]))
        parameters.append(.init("RSVP", ["TRUE"]))
        self.init("ATTENDEE", parameters, value: "mailto:" + attendee.address)
    }
}
