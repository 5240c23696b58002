import ArgumentParser
import HelixCalendar
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// The option not to notify attendees of a change.
struct NoticeOptions: ParsableArguments {
    @Flag(name: .long, help: "Do not notify attendees.")
    var silent = false
}

/// Queues messages to the attendees of an event, within the change that requires them.
final class InvitationPost {
    private let context: CommandContext
    private let isSilent: Bool
    private var staged: [StagedFile] = []
    /// The queued messages, in words: `The change for 2 people`.
    private var queued: [String] = []

    /// The sending account; found before the change begins, because the first one may have to be created.
    private var account: Account?

    init(_ context: CommandContext, silent: Bool = false) {
        self.context = context
        isSilent = silent
    }

    /// Finds the account to notify the attendees of an event; does nothing if there are none.
    func prepare(_ event: [ICalendarComponent]) throws {
        let invitation = EventInvitation(event)
        if isOwn(invitation), !invitation.told.isEmpty { try prepare(from: invitation.organizer) }
    }

    /// Prints a note that the organizer of another person's event is not notified of a local change.
    func sayForeign(_ event: [ICalendarComponent], _ what: String, _ hint: String) {
        guard let organizer = EventInvitation(event).organizer, !isOwn(EventInvitation(event)), !isSilent,
            !context.ownAddresses.isEmpty
        else { return }
        context.note(
            StyledText(
                "This is the event of \(organizer), who is not notified that it is \(what) locally; \(hint).",
                TextStyle(.yellow)))
    }

    /// Finds the account to send from.
    func prepare(from address: String?) throws {
        if isSilent || account != nil { return }
        account = try context.writingAccount(nil, sender: address.map { MailAddress(address: $0) })
    }

    deinit { for file in staged { file.discard() } }

    /// Whether a message was queued.
    var hasQueued: Bool { !queued.isEmpty }

    /// Prints a note about the queued messages.
    func say() {
        guard !queued.isEmpty else { return }
        let verb = queued.count == 1 && !queued[0].hasSuffix("s") ? "is" : "are"
        context.note("\(queued.joined(separator: " and ")) \(verb) queued; \(context.nextOfQueued).")
    }

    /// Whether the user is the organizer of the event.
    private func isOwn(_ invitation: EventInvitation) -> Bool {
        let own = context.ownAddresses.map { $0.address.lowercased() }
        return invitation.organizer.map(own.contains) ?? false
    }

    /// Notifies the attendees of a changed event, and asks them to reply again if its time has changed.
    func changed(_ id: EntityID, from old: [ICalendarComponent], _ change: Change) throws {
        guard let stored = try HelixError.ifFound({ try change.storedEvent(id) }) else {
            return try deleted(old, zones: nil, change)
        }
        let former = EventInvitation(old)
        var invitation = EventInvitation(ICalendarComponent.list(stored.text))
        guard isOwn(former) || isOwn(invitation), !(former.told.isEmpty && invitation.told.isEmpty) else { return }
        let removed = former.told.subtracting(invitation.told)
        let isTold = EventInvitation.isWorthTelling(old, invitation.components) || former.told != invitation.told
        guard isTold else { return }
        invitation.touch(since: old, now: context.clock)
        try change.setEventText(id, invitation.components.map(\.text).joined(), zones: stored.zones)
        try send(.request, invitation, to: invitation.told, zones: stored.zones, "Changed", since: old, change)
        if !removed.isEmpty {
            let gone = SchedulingText.cancelled(old, for: removed, now: context.clock)
            try send(.cancel, EventInvitation(gone), to: removed, zones: stored.zones, "Cancelled", change)
        }
    }

    /// Notifies the attendees of a deleted event.
    func deleted(_ old: [ICalendarComponent], zones: String?, _ change: Change) throws {
        let former = EventInvitation(old)
        guard isOwn(former), !former.told.isEmpty else { return }
        let gone = SchedulingText.cancelled(old, for: former.told, now: context.clock)
        try send(.cancel, EventInvitation(gone), to: former.told, zones: zones, "Cancelled", change)
    }

    /// Queues an iCalendar message for several people.
    ///
    /// - Parameter old: the event as they know it, so that the message can describe the changes.
    func send(
        _ method: SchedulingText.Method, _ invitation: EventInvitation, to people: Set<String>, zones: String?,
        _ verb: String, comment: String? = nil, from organizer: String? = nil, since old: [ICalendarComponent] = [],
        _ change: Change
    ) throws {
        guard !isSilent, !people.isEmpty, let account, let address = organizer ?? invitation.organizer else { return }
        var draft = MessageDraft()
        draft.from = context.ownAddresses.first { $0.address.lowercased() == address } ?? MailAddress(address: address)
        draft.to = people.sorted().map { MailAddress(address: $0) }
        draft.subject = "\(verb): \(invitation.title)"
        draft.messageID = MessageDraft.newMessageID(for: draft.from)
        draft.body =
            InvitationWords(sender: draft.from?.label ?? address, former: old).text(method, invitation.components)
            + (comment.map { "\n\(SchedulingText.plain($0))\n" } ?? "")
        draft.calendar = DraftCalendar(
            method: method.rawValue, text: SchedulingText.file(method, invitation.components, zones: zones))
        staged.append(try context.queue(draft, in: account, change))
        let what = ["Invitation": "The invitation", "Changed": "The change", "Cancelled": "The cancellation"][verb]
        queued.append(
            "\(what ?? "The answer") for \(people.count == 1 ? people.first ?? "" : "\(people.count) people")")
    }
}

extension CommandContext {
    /// Writes and queues a message about an event, within the change that requires it.
    /// - Returns: its file, which the caller discards in the end.
    /// - Throws: ``HelixError``, of code `unexpected` if its iCalendar is not valid.
    func queue(_ draft: MessageDraft, in account: Account, _ change: Change) throws -> StagedFile {
        if let calendar = draft.calendar { try refuseInvalid(calendar) }
        let writer = MessageWriter(draft, date: clock, zone: zone, isFinal: true, read: DraftFiles.read)
        let file = try store().stageOutgoing { try writer.write(to: $0) }
        do {
            let message = OutgoingMessage(draft, account: account.id, madeAt: now, leavesAt: try leaves(nil), file)
            try change.queue(message, file)
        } catch {
            file.discard()
            throw error
        }
        return file
    }

    /// The next step of a queued message.
    var nextOfQueued: String {
        // The store is open: the message was just written to it.
        let isHeld = (try? store()).map { $0.profile?.send == .held || $0.proposes } ?? false
        return isHeld ? "it waits in the outbox until a person releases it" : "'helix sync' sends it"
    }

    /// Other programs must be able to rely on what helix sends.
    private func refuseInvalid(_ calendar: DraftCalendar) throws {
        guard CalendarCheck.isAvailable else {
            return note("Not checked by libical, which is not installed: apt-get install libical3")
        }
        let findings = CalendarCheck.findings(in: Array(calendar.text.utf8), comparesReadings: false)
        guard let first = findings.first(where: \.rule.isInvalid) else { return }
        throw HelixError(
            .badInput,
            "the message about the event would not be valid iCalendar (\(calendar.method), \(first.text)); nothing was changed",
            hint: "--silent makes the change without a message; 'helix cal edit' can repair the event.")
    }
}
