import HelixCalendar
import HelixMail
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// A scheduling message about an event (RFC 5546): an invitation, a cancellation or a reply.
struct Invitation: DescribedItem {
    /// REQUEST, CANCEL, REPLY and so on.
    let method: String
    /// The event's UID.
    let uid: String
    let event: EventComponent
    /// The next occurrence, or the last; nil if there is none.
    let time: OccurrenceTime?
    /// The events that it conflicts with.
    var conflicts: [Occurrence] = []
    /// Whether its last occurrence has ended.
    var isOver = false
    /// The sender, if it is not the organizer.
    var stranger: String?
    /// The errors that libical finds in the message's iCalendar.
    var findings: [CalendarFinding] = []
    /// A hint: the command that replies to it, or the proposed change.
    var answer: String?

    /// Reads the event of a group; nil if it cannot be read.
    init?(_ group: EventGroup, method: String, zone: Zone, now: Instant) {
        let components = group.components.compactMap { try? EventComponent($0.text, zones: group.zones) }
        guard let first = components.first else { return nil }
        let series = EventSeries(components)
        // The next occurrence, or the last.
        let next = series.next(after: now)
        self.method = method
        uid = group.uid
        event = first
        time = next.map { instance -> OccurrenceTime in
            switch instance.basis {
            case .instant: .timed(TimeRange(start: Instant(instance.start), end: Instant(instance.end)))
            case .floating:
                .timed(
                    TimeRange(
                        start: zone.instant(CivilDateTime(seconds: instance.start)),
                        end: zone.instant(CivilDateTime(seconds: instance.end))))
            case .date: .days(CivilDateTime(seconds: instance.start).date, CivilDateTime(seconds: instance.end).date)
            }
        }
    }

    /// The attendee that replies.
    private var person: String { event.attendees.first.map { $0.name ?? $0.address } ?? "somebody" }

    /// The purpose of the message, in words.
    var verb: String {
        switch method {
        case "REQUEST": "Invitation"
        case "CANCEL": "Cancelled"
        case "REPLY":
            switch event.attendees.first?.participation {
            case .accepted: "Accepted by \(person)"
            case .declined: "Declined by \(person)"
            case .tentative: "Tentatively accepted by \(person)"
            default: "Answer"
            }
        case "COUNTER": "Another time is proposed"
        case "REFRESH": "Update requested"
        default: "Event"
        }
    }

    /// - Parameter isAlone: whether the message has no other text: then the event's description is printed, too.
    func draw(on canvas: inout Canvas, for viewer: Viewer, isAlone: Bool) {
        if isAlone, let description = event.description, !description.isEmpty {
            defer {
                canvas.line()
                canvas.paragraph(description)
            }
            return draw(on: &canvas, for: viewer, isAlone: false)
        }
        var line = StyledText("◷ " + verb + ": ", TextStyle(.magenta, bold: true))
        line.append(event.title.isEmpty ? "(no title)" : event.title, .bold)
        canvas.line(line.fitted(canvas.textWidth))
        if let time {
            let zone = time.isAllDay ? "" : " \(viewer.zone.identifier)"
            let rule = event.rules.first.map { "  ↻ \($0.phrase(start: event.start))" } ?? ""
            canvas.line(StyledText("  \(viewer.span(time))\(zone)\(rule)").fitted(canvas.textWidth))
        }
        if let location = event.location, !location.isEmpty {
            canvas.line(StyledText("  at \(location)", .dim).fitted(canvas.textWidth))
        }
        // The attendee of a reply or counter-proposal is the sender of the message.
        if let organizer = event.organizer, method != "REPLY", method != "COUNTER" {
            canvas.line(StyledText("  from " + (organizer.name ?? organizer.address), .dim).fitted(canvas.textWidth))
        }
        if let stranger {
            canvas.paragraph(
                "! sent by \(stranger), not by its organizer", indent: 2,
                style: TextStyle(.red, bold: true))
        }
        if let first = findings.first {
            let rest = findings.count == 1 ? "" : " (and \(findings.count - 1) more)"
            canvas.paragraph("! not valid iCalendar: \(first.text)\(rest)", indent: 2, style: TextStyle(.yellow))
        }
        for other in conflicts.prefix(5) {
            var line = StyledText("  ! conflicts with ", TextStyle(.red, bold: true))
            line.append("\(viewer.span(other.time)) \(other.title)")
            if line.width <= canvas.width {
                canvas.line(line)
            } else {
                canvas.line(StyledText("  ! conflicts with", TextStyle(.red, bold: true)))
                canvas.paragraph("\(viewer.span(other.time)) \(other.title)", indent: 4)
            }
        }
        if isOver {
            canvas.line(StyledText("  it is over", .dim))
        } else if method == "REQUEST", time != nil, conflicts.isEmpty {
            canvas.line(StyledText("  you are free then", TextStyle(.green)))
        }
        if let answer { canvas.paragraph(answer, indent: 2, style: .dim) }
    }

    static let described = list {
        Field("method", .string, "METHOD of RFC 5546.") { $0.method }
        Field("uid", .string, "The event's UID.") { $0.uid }.foreignUnlessWord
        Field("title", .string, "The event's title.") { $0.event.title }.foreign
        Field("start", .time, required: false, "Start; of a recurring event, of the next occurrence.") { item, viewer in
            item.time.map { viewer.ends(of: $0).start }
        }
        Field("end", .time, required: false, "End.") { item, viewer in item.time.map { viewer.ends(of: $0).end } }
        Field("location", .string, required: false, "Location.") { $0.event.location }.foreign
        Field("organizer", .string, required: false, "The address of its organizer.") { $0.event.organizer?.address }
            .foreignUnlessWord
        Field("from_organizer", .bool, "Whether the sender is entitled to send it.") { $0.stranger == nil }
        Field("findings", .array(.string), "Errors in its iCalendar.") { $0.findings.map(\.text) }.foreign
        Field("conflicts", .array(.string), "Identities of the events it conflicts with.") {
            $0.conflicts.map(\.event.text)
        }
    }
}

extension CommandContext {
    /// The user's answers in words, by PARTSTAT (RFC 5545 §3.2.12).
    private static var answers: [String: String] {
        ["ACCEPTED": "accepted", "DECLINED": "declined", "TENTATIVE": "tentatively accepted"]
    }

    /// The invitations in a message, with their conflicts.
    /// - Throws: ``HelixError``.
    func invitations(in texts: [String], of message: EmailMessage) throws -> [Invitation] {
        let store = try store()
        // An invitation is often included twice, as a part and as an attachment.
        var known: Set<String> = []
        let all = texts.flatMap { text in
            let (method, groups) = SchedulingFile.read(text)
            let new = groups.filter { known.insert(method + $0.uid).inserted }
            let findings = new.isEmpty ? [] : CalendarCheck.findings(in: Array(text.utf8), comparesReadings: false)
            return new.compactMap { group -> Invitation? in
                var invitation = Invitation(group, method: method, zone: zone, now: now)
                invitation?.findings = findings.filter { $0.isOfEvent && ($0.uid ?? group.uid) == group.uid }
                return invitation
            }
        }
        return try all.map { invitation in
            var invitation = invitation
            let sender = MailAddress(text: String(message.from.prefix { $0 != "\n" })).address.lowercased()
            if ["REQUEST", "CANCEL", "ADD"].contains(invitation.method), let organizer = invitation.event.organizer,
                organizer.address.lowercased() != sender
            {
                invitation.stranger = sender
            }
            let own = Set(ownAddresses.map { $0.address.lowercased() })
            let isOwn = invitation.event.organizer.map { own.contains($0.address.lowercased()) } ?? false
            if let time = invitation.time { invitation.isOver = time.range(in: zone).end <= now }
            let stored = try invitation.method == "REQUEST" ? store.event(uid: invitation.uid) : nil
            let said = stored.flatMap { event in
                ICalendarComponent.list(event.text).flatMap { $0.all("ATTENDEE") }.first { attendee in
                    let address = attendee.value.lowercased()
                    return own.contains(address.hasPrefix("mailto:") ? String(address.dropFirst(7)) : address)
                }?["PARTSTAT"]?.uppercased()
            }.flatMap { Self.answers[$0] }
            if let said {
                let id = message.id.text.prefix(6)
                invitation.answer = "you have \(said); to change that: helix cal rsvp \(id) accept|decline|tentative"
            } else if invitation.method == "REQUEST", !isOwn, invitation.stranger == nil, !invitation.isOver {
                invitation.answer = "answer: helix cal rsvp \(message.id.text.prefix(6)) accept|decline|tentative"
            } else if invitation.method == "COUNTER", isOwn {
                invitation.answer = "answer: helix cal rsvp \(message.id.text.prefix(6)) accept|decline"
            }
            guard invitation.method == "REQUEST", !invitation.isOver, let time = invitation.time,
                case .timed(let range) = time
            else {
                return invitation
            }
            let around = try store.occurrences(in: range, zone: zone)
            invitation.conflicts = around.filter { other in
                guard other.isBusy, other.uid != invitation.uid, !other.time.isAllDay else { return false }
                return other.time.range(in: zone).intersection(range) != nil
            }
            return invitation
        }
    }
}
