import HelixModel

/// The change that a scheduling message (RFC 5546) makes to a stored event.
public struct SchedulingChange {
    /// The event after the change.
    public var event: [ICalendarComponent]
    /// A description of the change: `Bo has accepted`.
    public var words: String

    /// - Parameters:
    ///   - method: METHOD.
    ///   - incoming: the components of the message.
    ///   - stored: the components of the stored event with that UID.
    ///   - sender: the sender's address, in lower case: a message counts only for its sender.
    ///   - own: the user's addresses, in lower case.
    /// - Returns: nil if there is nothing to change: the message is for another event, or outdated.
    public init?(
        _ method: String, _ incoming: [ICalendarComponent], stored: [ICalendarComponent], sender: String,
        own: Set<String>
    ) {
        let organizer = stored.lazy.compactMap { $0.first("ORGANIZER") }.first?.calendarAddress
        (event, words) = (stored, "")
        switch method {
        case "REPLY", "COUNTER":
            guard let organizer, own.contains(organizer), sender != organizer else { return nil }
            for component in incoming { answer(component, sender, isCounter: method == "COUNTER") }
        case "CANCEL":
            guard let organizer, organizer == sender, !own.contains(organizer) else { return nil }
            for component in incoming where Self.organizer(component) == organizer { cancel(component) }
        case "REQUEST":
            guard let organizer, organizer == sender, !own.contains(organizer),
                incoming.allSatisfy({ Self.organizer($0) == organizer })
            else { return nil }
            update(incoming, own)
        default: return nil
        }
        if words.isEmpty || event == stored { return nil }
    }

    private static func organizer(_ component: ICalendarComponent) -> String? {
        component.first("ORGANIZER")?.calendarAddress
    }

    private static func sequence(_ component: ICalendarComponent) -> Int {
        component.first("SEQUENCE").flatMap { Int($0.value.trimmingBlanks()) } ?? 0
    }

    private static func stamp(_ component: ICalendarComponent) -> String {
        component.first("DTSTAMP")?.value.trimmingBlanks() ?? ""
    }

    /// The RECURRENCE-ID of a component; empty for the master.
    private static func key(_ component: ICalendarComponent) -> String {
        component.first("RECURRENCE-ID")?.value.trimmingBlanks() ?? ""
    }

    // MARK: Answers

    /// Applies an attendee's reply.
    private mutating func answer(_ reply: ICalendarComponent, _ sender: String, isCounter: Bool) {
        guard
            let theirs = reply.all("ATTENDEE").first(where: {
                $0.calendarAddress == sender
                    || $0["SENT-BY"].map { ICalendarProperty("X", value: $0).calendarAddress } == sender
            }), let place = place(for: reply)
        else { return }
        var attendees = event[place].all("ATTENDEE")
        guard let index = attendees.firstIndex(where: { $0.calendarAddress == theirs.calendarAddress }) else { return }
        let stamp = Self.stamp(reply)
        // Ignore a reply to a former time, or one that was superseded by a later one.
        if !isCounter, Self.sequence(reply) < Self.sequence(event[place]),
            let start = reply.first("DTSTART"), start.value != event[place].first("DTSTART")?.value
        {
            return
        }
        if let last = attendees[index]["X-HELIX-ANSWERED"], last > stamp { return }
        let answer = theirs["PARTSTAT"]?.uppercased() ?? "NEEDS-ACTION"
        let verbs = ["ACCEPTED": "has accepted", "DECLINED": "has declined", "TENTATIVE": "may come to"]
        let name = (theirs["CN"] ?? attendees[index]["CN"]).flatMap { $0.isEmpty ? nil : $0 } ?? sender
        let title = event[place].first("SUMMARY")?.text ?? ""
        attendees[index].setParameter("PARTSTAT", answer)
        attendees[index].setParameter("X-HELIX-ANSWERED", stamp)
        attendees[index].setParameter("RSVP", nil)
        event[place].set("ATTENDEE", attendees)
        var said = "\(name) \(verbs[answer] ?? "has answered") '\(title)'"
        if isCounter { said = "\(name) proposes another time for '\(title)'" }
        let comment = reply.first("COMMENT")?.text.split(whereSeparator: \.isNewline).joined(separator: " ") ?? ""
        if !comment.isEmpty { said += ": \(String(comment.prefix(300)))" }
        // Mention equal replies to several components of a series once.
        if words != said { words += (words.isEmpty ? "" : "; ") + said }
    }

    /// The index of the component that a message is about; creates an override of an occurrence if there is none.
    private mutating func place(for message: ICalendarComponent) -> Int? {
        let key = Self.key(message)
        if let found = event.firstIndex(where: { Self.key($0) == key }) { return found }
        guard !key.isEmpty, let master = event.first(where: { Self.key($0).isEmpty }),
            master.first("RRULE") != nil || master.first("RDATE") != nil,
            let recurrence = message.first("RECURRENCE-ID"), message.first("DTSTART") != nil
        else { return nil }
        var made = master
        for name in ["RRULE", "RDATE", "EXDATE", "DTSTART", "DTEND", "DURATION"] { made.remove(name) }
        for name in ["DTSTART", "DTEND", "DURATION"] { made.set(name, message.all(name)) }
        made.set("RECURRENCE-ID", recurrence)
        event.append(made)
        return event.count - 1
    }

    // MARK: Of the organizer

    /// Cancels the event, or an occurrence of it.
    private mutating func cancel(_ message: ICalendarComponent) {
        let key = Self.key(message)
        let title = event.first?.first("SUMMARY")?.text ?? ""
        if key.isEmpty {
            guard Self.sequence(message) >= Self.sequence(event[0]) else { return }
            for index in event.indices {
                event[index].set("STATUS", ICalendarProperty("STATUS", value: "CANCELLED"))
                event[index].set("SEQUENCE", ICalendarProperty("SEQUENCE", value: "\(Self.sequence(message))"))
                if let stamp = message.first("DTSTAMP") { event[index].set("DTSTAMP", stamp) }
            }
            words = "'\(title)' is cancelled"
        } else if let place = event.firstIndex(where: { Self.key($0) == key }) {
            guard Self.sequence(message) >= Self.sequence(event[place]) else { return }
            event[place].set("STATUS", ICalendarProperty("STATUS", value: "CANCELLED"))
            words = "one day of '\(title)' is cancelled"
        } else if let master = event.firstIndex(where: { Self.key($0).isEmpty }),
            var left = message.first("RECURRENCE-ID")
        {
            left.name = "EXDATE"
            left.setParameter("RANGE", nil)
            event[master].set("EXDATE", event[master].all("EXDATE") + [left])
            words = "one day of '\(title)' is cancelled"
        }
    }

    /// Updates the event.
    private mutating func update(_ incoming: [ICalendarComponent], _ own: Set<String>) {
        var changed = event
        let hasMaster = incoming.contains { Self.key($0).isEmpty }
        for message in incoming {
            let former = event.first { Self.key($0) == Self.key(message) }
            if let former {
                let (new, old) = (Self.sequence(message), Self.sequence(former))
                guard new > old || new == old && Self.stamp(message) > Self.stamp(former) else { return }
            }
            let next = Self.kept(message, of: former ?? event[0], own)
            if let place = changed.firstIndex(where: { Self.key($0) == Self.key(message) }) {
                changed[place] = next
            } else {
                changed.append(next)
            }
        }
        // A newer master removes previous overrides, unless the message includes them.
        if hasMaster, let master = incoming.first(where: { Self.key($0).isEmpty }),
            let old = event.first(where: { Self.key($0).isEmpty }), Self.sequence(master) > Self.sequence(old)
        {
            let said = Set(incoming.map(Self.key))
            changed.removeAll { !said.contains(Self.key($0)) }
        }
        event = changed
        let title = event.first?.first("SUMMARY")?.text ?? ""
        words = "'\(title)' was changed by \(event.first?.first("ORGANIZER")?["CN"] ?? "its organizer")"
    }

    /// The organizer's component with the user's own data: reminders, and the reply if it is still valid.
    private static func kept(
        _ message: ICalendarComponent, of former: ICalendarComponent, _ own: Set<String>
    ) -> ICalendarComponent {
        var next = message
        next.setComponents("VALARM", former.components.filter { $0.name == "VALARM" })
        let isSame = ["DTSTART", "DTEND", "DURATION", "RRULE"].allSatisfy {
            message.first($0)?.value == former.first($0)?.value
        }
        let mine = former.all("ATTENDEE").first { own.contains($0.calendarAddress) }
        if isSame, let mine {
            next.set(
                "ATTENDEE",
                next.all("ATTENDEE").map { $0.calendarAddress == mine.calendarAddress ? mine : $0 })
        }
        return next
    }
}
