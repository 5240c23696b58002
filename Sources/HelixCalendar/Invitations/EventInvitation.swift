import HelixModel

/// An own event with invited attendees (RFC 5546 §3.2.2).
public struct EventInvitation {
    /// The event's components.
    public private(set) var components: [ICalendarComponent]

    /// Creates an invitation from the event's components.
    public init(_ components: [ICalendarComponent]) { self.components = components }

    /// The event's title.
    public var title: String { components.lazy.compactMap { $0.first("SUMMARY")?.text }.first ?? "" }

    /// The organizer's address; nil if there is no organizer.
    public var organizer: String? { components.lazy.compactMap { $0.first("ORGANIZER") }.first?.calendarAddress }

    /// The addresses of attendees who were invited by mail and are notified of changes.
    public var told: Set<String> {
        Set(components.flatMap { $0.all("ATTENDEE") }.filter(\.isToldByMail).map(\.calendarAddress))
            .subtracting(organizer.map { [$0] } ?? [])
    }

    /// Sets the organizer, who is also an attendee.
    public mutating func setOrganizer(_ address: String, name: String?) {
        for index in components.indices {
            var organizer = ICalendarProperty("ORGANIZER", value: "mailto:" + address)
            if let name { organizer.parameters = [.init("CN", [name])] }
            components[index].set("ORGANIZER", organizer)
            var attendees = components[index].all("ATTENDEE")
            if !attendees.contains(where: { $0.calendarAddress == address }) {
                let own = Attendee(address: address, name: name, participation: .accepted)
                attendees.insert(ICalendarProperty(own), at: 0)
                components[index].set("ATTENDEE", attendees)
            }
        }
    }

    /// Invites people; existing attendees keep their replies, but are notified of changes from now on.
    ///
    /// - Parameter isByServer: whether the server notifies them, instead of helix by mail (RFC 6638 §7.1).
    public mutating func invite(_ people: [Attendee], isOptional: Bool, isByServer: Bool = false) {
        for index in components.indices {
            var attendees = components[index].all("ATTENDEE")
            for person in people {
                let place = attendees.firstIndex { $0.calendarAddress == person.address }
                var property = place.map { attendees[$0] } ?? ICalendarProperty(person)
                if isOptional { property.setParameter("ROLE", "OPT-PARTICIPANT") }
                if !isByServer { property.setParameter("SCHEDULE-AGENT", "CLIENT") }
                if let place { attendees[place] = property } else { attendees.append(property) }
            }
            components[index].set("ATTENDEE", attendees)
        }
    }

    /// Removes attendees.
    public mutating func remove(_ addresses: Set<String>) {
        for index in components.indices {
            components[index].set(
                "ATTENDEE", components[index].all("ATTENDEE").filter { !addresses.contains($0.calendarAddress) })
        }
    }

    /// Updates SEQUENCE for a change; after a change of the time, all attendees must reply again.
    public mutating func touch(since old: [ICalendarComponent], now: Instant) {
        for index in components.indices {
            let key = components[index].first("RECURRENCE-ID")?.value
            let former = old.first { $0.first("RECURRENCE-ID")?.value == key }
            let sequence = former?.first("SEQUENCE").flatMap { Int($0.value) } ?? 0
            // Unless the edit incremented it already.
            if (components[index].first("SEQUENCE").flatMap { Int($0.value) } ?? 0) <= sequence {
                components[index].touch(now: now)
            }
            guard Self.isMoved(components[index], since: former) else { continue }
            components[index].set(
                "ATTENDEE",
                components[index].all("ATTENDEE").map { attendee in
                    guard attendee.isToldByMail, attendee.calendarAddress != organizer else { return attendee }
                    var attendee = attendee
                    attendee.setParameter("PARTSTAT", "NEEDS-ACTION")
                    return attendee
                })
        }
    }

    /// Whether the time of a component changed; excluding a day of a series does not move others.
    private static func isMoved(_ component: ICalendarComponent, since former: ICalendarComponent?) -> Bool {
        guard let former else {
            // A new override of a series.
            return component.first("RECURRENCE-ID").map { $0.value != component.first("DTSTART")?.value } ?? true
        }
        return facts([component], spans) != facts([former], spans)
    }

    private static let spans = ["DTSTART", "DTEND", "DURATION", "RRULE"]
    private static let times = ["DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID"]
    private static let worth = times + ["SUMMARY", "LOCATION", "DESCRIPTION", "URL", "STATUS"]

    private static func facts(_ components: [ICalendarComponent], _ names: [String]) -> Set<[String]> {
        Set(components.map { component in names.flatMap { component.all($0).map(\.line) } })
    }

    /// Whether attendees should be notified of the changes.
    public static func isWorthTelling(_ old: [ICalendarComponent], _ new: [ICalendarComponent]) -> Bool {
        facts(old, worth) != facts(new, worth)
    }
}
