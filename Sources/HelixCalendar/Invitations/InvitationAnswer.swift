import HelixModel

/// The answer to an invitation (RFC 5546 §3.2.3): what becomes of the event, and what its organizer is told.
public struct InvitationAnswer {
    /// What one answers.
    public enum Kind: String, Sendable, CaseIterable {
        case accept
        case decline
        case tentative

        /// The participation of RFC 5545.
        public var participation: String {
            switch self {
            case .accept: "ACCEPTED"
            case .decline: "DECLINED"
            case .tentative: "TENTATIVE"
            }
        }

        /// As the subject of the answer says it.
        public var word: String {
            switch self {
            case .accept: "Accepted"
            case .decline: "Declined"
            case .tentative: "Tentative"
            }
        }
    }

    /// The event with the answer in it.
    public let event: [ICalendarComponent]
    /// The components of the answer.
    public let reply: [ICalendarComponent]
    /// What the answer is: a proposal of another time is one, too.
    public let method: SchedulingText.Method
    /// The address of the organizer, without `mailto:`.
    public let organizer: String
    /// The address that was invited.
    public let attendee: String

    /// - Parameters:
    ///   - event: the components of the event.
    ///   - own: the addresses of the one who answers.
    ///   - proposed: the event at another time, if that is what one asks for (RFC 5546 §3.2.7).
    ///   - isToldByServer: whether the server tells the organizer by itself, once it has the event (RFC 6638 §3.2.2): then nothing
    ///     but the answer is changed in it.
    /// - Throws: ``HelixError``: `conflict` if none of them is invited, or nobody invites.
    public init(
        _ event: [ICalendarComponent], _ kind: Kind, own: [String], comment: String?,
        proposed: [ICalendarComponent]? = nil, isToldByServer: Bool = false,
        now: Instant
    ) throws {
        method = proposed == nil ? .reply : .counter
        let title = event.lazy.compactMap { $0.first("SUMMARY")?.text }.first ?? ""
        guard let organizer = event.lazy.compactMap({ $0.first("ORGANIZER") }).first else {
            throw HelixError(.conflict, "'\(title)' has no organizer, so that nobody waits for an answer")
        }
        let known = Set(own.map { $0.lowercased() })
        guard !known.contains(organizer.calendarAddress) else {
            throw HelixError(.conflict, "'\(title)' is your own event, and has no answer of yours")
        }
        var invited: ICalendarProperty?
        var answered: [ICalendarComponent] = []
        var replies: [ICalendarComponent] = []
        for component in event {
            let attendees = component.all("ATTENDEE")
            guard let place = attendees.firstIndex(where: { known.contains($0.calendarAddress) }) else {
                answered.append(component)
                continue
            }
            var own = attendees[place]
            own.parameters.removeAll { ["PARTSTAT", "RSVP"].contains($0.name.uppercased()) }
            own.parameters.append(ICalendarProperty.Parameter("PARTSTAT", [kind.participation]))
            // Of two answers within one second the later one must still say that it is.
            let last = own["X-HELIX-ANSWERED"].flatMap { text -> Instant? in
                if case .utc(let instant)? = ICalendarTime(text) { instant } else { nil }
            }
            let stamp = max(now, (last ?? now - 1) + 1)
            let isByServer = isToldByServer && !(component.first("ORGANIZER")?.isToldByMail ?? false)
            if !isByServer { own.setParameter("X-HELIX-ANSWERED", ICalendarTime.utc(stamp).text) }
            invited = own
            var changed = component
            var list = attendees
            list[place] = own
            changed.set("ATTENDEE", list)
            if isByServer {
                if let comment = comment.map(SchedulingText.plain), !comment.isEmpty {
                    changed.set("COMMENT", ICalendarProperty("COMMENT", text: comment))
                }
                answered.append(changed)
                continue
            }
            // A server that tells organizers by itself (RFC 6638) leaves it to the mail that is sent.
            if var organizer = changed.first("ORGANIZER") {
                organizer.setParameter("SCHEDULE-AGENT", "CLIENT")
                changed.set("ORGANIZER", organizer)
            }
            answered.append(changed)
            let key = component.first("RECURRENCE-ID")?.value
            if let other = proposed?.first(where: { $0.first("RECURRENCE-ID")?.value == key }) {
                replies.append(Self.proposal(other, of: component, own, comment, stamp))
            } else if proposed == nil {
                replies.append(Self.reply(to: component, own, organizer, comment, stamp))
            }
        }
        guard let invited else {
            let names = event.flatMap { $0.all("ATTENDEE") }.map(\.calendarAddress)
            throw HelixError(
                .conflict, "none of your addresses is invited to '\(title)'",
                hint: "Invited are: \(names.prefix(5).joined(separator: ", ")). Say which one is yours with --as.")
        }
        self.event = answered
        reply = replies
        self.organizer = organizer.calendarAddress
        attendee = invited.calendarAddress
    }

    /// What the organizer is told of one component.
    private static func reply(
        to component: ICalendarComponent, _ own: ICalendarProperty, _ organizer: ICalendarProperty, _ comment: String?,
        _ now: Instant
    ) -> ICalendarComponent {
        var reply = ICalendarComponent("VEVENT")
        for name in ["UID", "RECURRENCE-ID", "SEQUENCE", "DTSTART", "DTEND", "DURATION", "SUMMARY"] {
            for property in component.all(name) { reply.items.append(.line(property.line)) }
        }
        reply.items.append(.line("DTSTAMP:\(ICalendarTime.utc(now).text)"))
        reply.items.append(.line(organizer.line))
        reply.items.append(.line(own.line))
        if let comment = comment.map(SchedulingText.plain), !comment.isEmpty {
            reply.items.append(.line(ICalendarProperty("COMMENT", text: comment).line))
        }
        return reply
    }

    /// The event as one would rather have it.
    private static func proposal(
        _ other: ICalendarComponent, of component: ICalendarComponent, _ own: ICalendarProperty, _ comment: String?,
        _ now: Instant
    ) -> ICalendarComponent {
        var proposal = other
        // It is for the organizer to count what becomes of it.
        proposal.set("SEQUENCE", component.all("SEQUENCE"))
        proposal.set("DTSTAMP", ICalendarProperty("DTSTAMP", value: ICalendarTime.utc(now).text))
        proposal.set(
            "ATTENDEE", other.all("ATTENDEE").map { $0.calendarAddress == own.calendarAddress ? own : $0 })
        let words = comment.map(SchedulingText.plain) ?? ""
        proposal.set("COMMENT", words.isEmpty ? [] : [ICalendarProperty("COMMENT", text: words)])
        return proposal
    }

    /// The answer as iCalendar, with the zones that it names.
    public func text(zones: String?) -> String { SchedulingText.file(method, reply, zones: zones) }
}
