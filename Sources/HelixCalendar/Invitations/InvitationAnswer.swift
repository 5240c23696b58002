import HelixModel

/// A reply to an invitation (RFC 5546 §3.2.3): the updated event, and the message to its organizer.
public struct InvitationAnswer {
    /// The kind of a reply.
    public enum Kind: String, Sendable, CaseIterable {
        case accept
        case decline
        case tentative

        /// The PARTSTAT value of RFC 5545.
        public var participation: String {
            switch self {
            case .accept: "ACCEPTED"
            case .decline: "DECLINED"
            case .tentative: "TENTATIVE"
            }
        }

        /// The word for the subject of the reply.
        public var word: String {
            switch self {
            case .accept: "Accepted"
            case .decline: "Declined"
            case .tentative: "Tentative"
            }
        }
    }

    /// The event with the reply applied.
    public let event: [ICalendarComponent]
    /// The components of the reply.
    public let reply: [ICalendarComponent]
    /// The attendee's name in the invitation; nil if it has none.
    public var attendeeName: String? {
        reply.lazy.flatMap { $0.properties }.first { $0.name == "ATTENDEE" && $0["CN"]?.isEmpty == false }?["CN"]
    }
    /// The method of the reply: REPLY, or COUNTER for a proposed time.
    public let method: SchedulingText.Method
    /// The address of the organizer, without `mailto:`.
    public let organizer: String
    /// The invited address.
    public let attendee: String

    /// - Parameters:
    ///   - event: the components of the event.
    ///   - own: the user's addresses.
    ///   - proposed: the event at the proposed time, if any (RFC 5546 §3.2.7).
    ///   - isToldByServer: whether the server notifies the organizer once it has the event (RFC 6638 §3.2.2): then only
    ///     the reply is changed in it.
    /// - Throws: ``HelixError``: `conflict` if no own address is invited, or there is no organizer.
    public init(
        _ event: [ICalendarComponent], _ kind: Kind, own: [String], comment: String?,
        proposed: [ICalendarComponent]? = nil, isToldByServer: Bool = false,
        now: Instant
    ) throws {
        method = proposed == nil ? .reply : .counter
        let title = event.lazy.compactMap { $0.first("SUMMARY")?.text }.first ?? ""
        guard let organizer = event.lazy.compactMap({ $0.first("ORGANIZER") }).first else {
            throw HelixError(.conflict, "'\(title)' has no organizer to reply to")
        }
        let known = Set(own.map { $0.lowercased() })
        guard !known.contains(organizer.calendarAddress) else {
            throw HelixError(.conflict, "cannot reply to '\(title)': it is your own event")
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
            let isByServer = isToldByServer && !(component.first("ORGANIZER")?.isToldByMail ?? false)
            let (own, stamp) = Self.answer(kind, of: attendees[place], isByServer: isByServer, now: now)
            invited = own
            var changed = component
            var list = attendees
            list[place] = own
            changed.set("ATTENDEE", list)
            Self.inform(isByServer: isByServer, comment, in: &changed)
            answered.append(changed)
            if isByServer { continue }
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
                hint: "Invited: \(names.prefix(5).joined(separator: ", ")). Set your address with --as.")
        }
        self.event = answered
        reply = replies
        self.organizer = organizer.calendarAddress
        attendee = invited.calendarAddress
    }

    /// The attendee with the answer, and the stamp of the reply.
    private static func answer(
        _ kind: Kind, of attendee: ICalendarProperty, isByServer: Bool, now: Instant
    ) -> (ICalendarProperty, stamp: Instant) {
        var own = attendee
        own.parameters.removeAll { ["PARTSTAT", "RSVP"].contains($0.name.uppercased()) }
        own.parameters.append(ICalendarProperty.Parameter("PARTSTAT", [kind.participation]))
        // The later one of two replies within a second must have a later stamp.
        let last = own["X-HELIX-ANSWERED"].flatMap { text -> Instant? in
            if case .utc(let instant)? = ICalendarTime(text) { instant } else { nil }
        }
        let stamp = max(now, (last ?? now - 1) + 1)
        if !isByServer { own.setParameter("X-HELIX-ANSWERED", ICalendarTime.utc(stamp).text) }
        return (own, stamp)
    }

    /// Leaves the reply to the server, with the comment, or to the mail.
    private static func inform(isByServer: Bool, _ comment: String?, in changed: inout ICalendarComponent) {
        if isByServer {
            if let comment = comment.map(SchedulingText.plain), !comment.isEmpty {
                changed.set("COMMENT", ICalendarProperty("COMMENT", text: comment))
            }
        } else if var organizer = changed.first("ORGANIZER") {
            // Tells a scheduling server (RFC 6638) not to send its own reply besides the mail.
            organizer.setParameter("SCHEDULE-AGENT", "CLIENT")
            changed.set("ORGANIZER", organizer)
        }
    }

    /// The reply to the organizer for one component.
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

    /// The counter-proposal for the event.
    private static func proposal(
        _ other: ICalendarComponent, of component: ICalendarComponent, _ own: ICalendarProperty, _ comment: String?,
        _ now: Instant
    ) -> ICalendarComponent {
        var proposal = other
        // Only the organizer increments SEQUENCE.
        proposal.set("SEQUENCE", component.all("SEQUENCE"))
        proposal.set("DTSTAMP", ICalendarProperty("DTSTAMP", value: ICalendarTime.utc(now).text))
        proposal.set(
            "ATTENDEE", other.all("ATTENDEE").map { $0.calendarAddress == own.calendarAddress ? own : $0 })
        let words = comment.map(SchedulingText.plain) ?? ""
        proposal.set("COMMENT", words.isEmpty ? [] : [ICalendarProperty("COMMENT", text: words)])
        return proposal
    }

    /// The reply as iCalendar, with its zones.
    public func text(zones: String?) -> String { SchedulingText.file(method, reply, zones: zones) }
}
