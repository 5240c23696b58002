import HelixModel

/// An event of one's own to which others are invited (RFC 5546 §3.2.2).
public struct EventInvitation {
    /// The event's components.
    public private(set) var components: [ICalendarComponent]

    /// The event of these components.
    public init(_ components: [ICalendarComponent]) { self.components = components }

    /// What it is called.
    public var title: String { components.lazy.compactMap { $0.first("SUMMARY")?.text }.first ?? "" }

    /// The organizer's address; nil if nobody is named.
    public var organizer: String? { components.lazy.compactMap { $0.first("ORGANIZER") }.first?.calendarAddress }

    /// The addresses of those who were invited by mail and are to hear of changes.
    public var told: Set<String> {
        Set(components.flatMap { $0.all("ATTENDEE") }.filter(\.isToldByMail).map(\.calendarAddress))
            .subtracting(organizer.map { [$0] } ?? [])
    }

    /// Makes somebody the organizer, who takes part.
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

    /// Invites people; whoever is invited already keeps their answer, but hears of changes from now on.
    ///
    /// - Parameter isByServer: whether the server tells them, instead of helix by mail (RFC 6638 §7.1).
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

    /// Takes people out.
    public mutating func remove(_ addresses: Set<String>) {
        for index in components.indices {
            components[index].set(
                "ATTENDEE", components[index].all("ATTENDEE").filter { !addresses.contains($0.calendarAddress) })
        }
    }

    /// Notes that it changed, and by how much: after another time everybody is asked again.
    public mutating func touch(since old: [ICalendarComponent], now: Instant) {
        for index in components.indices {
            let key = components[index].first("RECURRENCE-ID")?.value
            let former = old.first { $0.first("RECURRENCE-ID")?.value == key }
            let sequence = former?.first("SEQUENCE").flatMap { Int($0.value) } ?? 0
            // An edit counted already.
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

    /// Whether a component takes place at another time than it did: a day that is left out of a series moves no other one.
    private static func isMoved(_ component: ICalendarComponent, since former: ICalendarComponent?) -> Bool {
        guard let former else {
            // A day of a series that stands by itself now.
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

    /// Whether those who are invited should hear of what is different.
    public static func isWorthTelling(_ old: [ICalendarComponent], _ new: [ICalendarComponent]) -> Bool {
        facts(old, worth) != facts(new, worth)
    }
}
