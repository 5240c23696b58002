import HelixCalendar
import HelixMail
import HelixModel
import HelixStore

extension CalRsvp {
    /// Answers a proposal of another time for the user's own event (RFC 5546 §3.2.7): the event is moved and all attendees
    /// are notified, or it stays and only the sender is.
    /// - Throws: ``HelixError``.
    func answerProposal(_ message: EntityID, _ groups: [EventGroup], _ context: CommandContext) throws {
        let store = try context.store()
        let sender = try store.message(message).from.split(separator: "\n").first.map { MailAddress(text: $0) }
        guard let sender, let group = groups.first else {
            throw HelixError(.badInput, "the message \(id) has no readable proposal")
        }
        guard answer != .tentative else {
            throw HelixError(.usage, "a proposal can only be accepted or declined", hint: "helix cal rsvp \(id) accept")
        }
        let proposed = ICalendarComponent.list(String(decoding: group.text, as: UTF8.self))
        let post = InvitationPost(context, silent: silent)
        try post.prepare(from: nil)
        let saved = try store.change("\(answer.rawValue) another time", command: "cal rsvp") { change in
            guard let known = try change.event(uid: group.uid) else {
                throw HelixError(.notFound, "no event for the time that \(sender.address) proposes")
            }
            let stored = try change.storedEvent(known.id)
            let old = ICalendarComponent.list(stored.text)
            let invitation = EventInvitation(old)
            guard context.ownAddresses.contains(where: { $0.address.lowercased() == invitation.organizer }) else {
                throw HelixError(.conflict, "'\(invitation.title)' is not your event: only its organizer can move it")
            }
            let isThere = proposed.allSatisfy { component in
                old.contains {
                    $0.first("RECURRENCE-ID")?.value == component.first("RECURRENCE-ID")?.value
                        && $0.first("DTSTART")?.line == component.first("DTSTART")?.line
                }
            }
            if isThere {
                throw HelixError(
                    .conflict, "'\(invitation.title)' already takes place then", hint: "It was accepted before.")
            }
            change.summary = "\(answer.rawValue) another time for '\(invitation.title)'"
            if answer == .decline {
                try post.send(
                    .declineCounter, EventInvitation(proposed), to: [sender.address.lowercased()], zones: stored.zones,
                    "Declined", comment: comment, from: invitation.organizer, change)
            } else {
                let moved = try moved(old, to: proposed, context)
                try change.setEventText(
                    known.id, moved.map(\.text).joined(), zones: group.keptZones ?? stored.zones)
                try post.changed(known.id, from: old, change)
            }
            return try SavedEvent(known.id, change, context, .allow)
        }
        try context.presentSaved(answer == .accept ? "Moved" : "Declined", [saved])
        post.say()
    }

    /// The event at the proposed times.
    private func moved(
        _ event: [ICalendarComponent], to proposed: [ICalendarComponent], _ context: CommandContext
    ) throws -> [ICalendarComponent] {
        var event = event
        for component in proposed {
            let key = component.first("RECURRENCE-ID")?.value
            guard let place = event.firstIndex(where: { $0.first("RECURRENCE-ID")?.value == key }) else {
                throw HelixError(
                    .conflict, "the proposal is for only one day of a series",
                    hint: "Move that day yourself: helix cal move ID WHEN --this DAY.")
            }
            guard component.first("DTSTART") != nil else { continue }
            for name in ["DTSTART", "DTEND", "DURATION"] { event[place].set(name, component.all(name)) }
            if let location = component.first("LOCATION") { event[place].set("LOCATION", location) }
            event[place].touch(now: context.clock)
        }
        return event
    }
}
