import HelixModel

/// The iCalendar text of scheduling messages (RFC 5546).
public enum SchedulingText {
    /// The METHOD of a message.
    public enum Method: String, Sendable {
        case request = "REQUEST"
        case reply = "REPLY"
        case cancel = "CANCEL"
        case counter = "COUNTER"
        case declineCounter = "DECLINECOUNTER"
    }

    /// A file of that method, with the zones of its components, and without private data: no reminders, no properties of
    /// helix, no parameters of RFC 6638 §7.
    public static func file(_ method: Method, _ components: [ICalendarComponent], zones: String?) -> String {
        let text = components.map { restricted(bare($0), to: method).text }.joined()
        var export = CalendarExport(now: Instant(0))
        export.note(text: text, zones: zones)
        let whole = String(decoding: export.header(name: nil) + export.event(text) + export.footer, as: UTF8.self)
        return whole.replacing(
            "CALSCALE:GREGORIAN\r\n", with: "CALSCALE:GREGORIAN\r\nMETHOD:\(method.rawValue)\r\n", maxReplacements: 1)
    }

    /// The component with the properties of its method (RFC 5546 §3.2.7, §3.2.8).
    private static func restricted(_ component: ICalendarComponent, to method: Method) -> ICalendarComponent {
        var component = component
        switch method {
        case .counter:
            if component.first("SEQUENCE") == nil {
                component.set("SEQUENCE", ICalendarProperty("SEQUENCE", value: "0"))
            }
        case .declineCounter:
            let allowed = ["UID", "RECURRENCE-ID", "DTSTAMP", "ORGANIZER", "COMMENT"]
            component.items = allowed.flatMap { component.all($0) }.map { .line($0.line) }
        case .request, .reply, .cancel: break
        }
        return component
    }

    /// A comment without characters that are not allowed in iCalendar text (RFC 5545 §3.1).
    public static func plain(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0 == "\n" || $0 == "\t" || $0.value >= 0x20 && $0.value != 0x7F })
        )
        .trimmingBlanks()
    }

    private static func bare(_ component: ICalendarComponent) -> ICalendarComponent {
        var component = component
        component.setComponents("VALARM", [])
        component.items.removeAll {
            if case .line(let line) = $0 { line.uppercased().hasPrefix("X-HELIX-") } else { false }
        }
        for name in ["ATTENDEE", "ORGANIZER"] {
            let properties = component.all(name)
            if properties.isEmpty { continue }
            component.set(
                name,
                properties.map { property in
                    var property = property
                    property.parameters.removeAll {
                        $0.name.hasPrefix("SCHEDULE-") || $0.name.hasPrefix("X-HELIX-")
                    }
                    return property
                })
        }
        return component
    }

    /// The cancellation of components, for the attendees to notify.
    public static func cancelled(
        _ components: [ICalendarComponent], for addresses: Set<String>, now: Instant
    ) -> [ICalendarComponent] {
        components.map { component in
            var cancelled = ICalendarComponent("VEVENT")
            for name in ["UID", "RECURRENCE-ID", "DTSTART", "DTEND", "DURATION", "RRULE", "SUMMARY", "ORGANIZER"] {
                for property in component.all(name) { cancelled.items.append(.line(property.line)) }
            }
            for attendee in component.all("ATTENDEE") where addresses.contains(attendee.calendarAddress) {
                cancelled.items.append(.line(attendee.line))
            }
            let sequence = component.first("SEQUENCE").flatMap { Int($0.value) } ?? 0
            cancelled.items.append(.line("SEQUENCE:\(sequence + 1)"))
            cancelled.items.append(.line("DTSTAMP:\(ICalendarTime.utc(now).text)"))
            cancelled.items.append(.line("STATUS:CANCELLED"))
            return cancelled
        }
    }
}

extension ICalendarProperty {
    /// The address of an ORGANIZER or ATTENDEE in lower case, without `mailto:`.
    public var calendarAddress: String {
        let text = value.trimmingBlanks().lowercased()
        return text.hasPrefix("mailto:") ? String(text.dropFirst(7)) : text
    }

    /// Whether helix, not a server, notifies this attendee of changes (RFC 6638 §7.1).
    public var isToldByMail: Bool { self["SCHEDULE-AGENT"]?.uppercased() == "CLIENT" }

    /// Sets a parameter; nil removes it.
    public mutating func setParameter(_ name: String, _ value: String?) {
        parameters.removeAll { $0.name == name }
        if let value { parameters.append(Parameter(name, [value])) }
    }
}
