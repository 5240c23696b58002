import HelixCalendar
import HelixMail
import HelixModel
import HelixStore
import HelixSync

/// Queues replies to the organizers of other people's events, within the change of the user's participation.
final class AnswerPost {
    private let context: CommandContext
    /// The account that sends replies; nil if nobody is notified.
    private var account: Account?
    private var staged: [StagedFile] = []
    private var told: [String] = []
    /// Replies still queued.
    private var waiting: [Waiting] = []

    /// A reply in the outbox.
    private struct Waiting {
        var id: EntityID
        var organizer: String
        var subjects: Set<[String]>

        /// Creates it from a message; nil if that is not a reply, or is being sent.
        init?(_ message: OutgoingMessage, _ store: Store) throws {
            // Replies are smaller than 256 KiB.
            guard message.state != .leaving, message.recipients.count == 1, message.size < 1 << 18,
                let path = try? store.outgoingFile(message), let parsed = try? MIMEMessage(path: path),
                let part = parsed.parts.first(where: \.isCalendar)
            else { return nil }
            let (method, groups) = SchedulingFile.read(parsed.text(of: part))
            guard method == "REPLY" || method == "COUNTER" else { return nil }
            let components = groups.flatMap { ICalendarComponent.list(String(decoding: $0.text, as: UTF8.self)) }
            (id, organizer) = (message.id, message.recipients[0].lowercased())
            subjects = AnswerPost.subjects(components)
        }
    }

    init(_ context: CommandContext) { self.context = context }

    deinit { for file in staged { file.discard() } }

    /// Finds the sending account; before the change begins, because the first account may have to be created.
    /// - Throws: ``HelixError``.
    func prepare(_ given: Account? = nil) throws {
        if account != nil { return }
        account = try given ?? context.writingAccount(nil, sender: context.ownAddresses.first)
        waiting = try context.store().outbox().compactMap { try Waiting($0, context.store()) }
    }

    /// The subjects of replies: UID and RECURRENCE-ID.
    private static func subjects(_ components: [ICalendarComponent]) -> Set<[String]> {
        Set(components.map { [$0.first("UID")?.value ?? "", $0.first("RECURRENCE-ID")?.value ?? ""] })
    }

    /// Queues a reply. It replaces replies to the same event that are still queued.
    ///
    /// - Parameters:
    ///   - verb: the beginning of the subject.
    ///   - source: the Message-ID of the invitation.
    /// - Throws: ``HelixError``.
    func queue(
        _ answer: InvitationAnswer, _ verb: String, _ words: String, zones: String?, source: String? = nil,
        comment: String?, _ change: Change
    ) throws {
        guard let account else { return }
        let about = Self.subjects(answer.reply)
        for former in waiting where former.organizer == answer.organizer && former.subjects.isSubset(of: about) {
            try change.withdrawOutgoing(former.id)
        }
        let title = EventInvitation(answer.event).title
        var draft = MessageDraft()
        let asked = try MailAddress.typed(answer.attendee).first
        draft.from = context.ownAddresses.first { $0.address.lowercased() == asked?.address.lowercased() } ?? asked
        // Without a name in the settings, the organizer's name for the user is better than none.
        if draft.from?.name.isEmpty == true, let name = answer.attendeeName { draft.from?.name = name }
        draft.to = try MailAddress.typed(answer.organizer)
        draft.subject = "\(verb): \(title)"
        draft.inReplyTo = source
        draft.references = source.map { [$0] } ?? []
        draft.messageID = MessageDraft.newMessageID(for: draft.from)
        let who = draft.from?.label ?? answer.attendee
        draft.body = "\(who) \(words)\n" + (comment.map { "\n\(SchedulingText.plain($0))\n" } ?? "")
        draft.calendar = DraftCalendar(method: answer.method.rawValue, text: answer.text(zones: zones))
        staged.append(try context.queue(draft, in: account, change))
        told.append(answer.organizer)
    }

    /// Prints a note about the queued replies.
    func say() {
        guard !told.isEmpty else { return }
        context.note(
            "The answer to \(Set(told).sorted().joined(separator: ", ")) is queued; \(context.nextOfQueued).")
    }
}

extension CommandContext {
    /// The reply that declines a locally deleted event of another organizer, if it was accepted before; nil if no reply is
    /// needed.
    func refusal(
        of event: StoredEvent, _ scope: EventEditor.Scope, _ occurrence: Occurrence
    ) -> InvitationAnswer? {
        let own = Set(ownAddresses.map { $0.address.lowercased() })
        var components = event.components
        switch scope {
        case .all: break
        case .future: return nil
        case .this:
            // The day as a separate component, with the organizer's SEQUENCE.
            var editor = EventEditor(components, zones: event.zones, now: now)
            guard (try? editor.edit(EventChanges(), scope: scope)) != nil else { return nil }
            let day = editor.components.first { !components.contains($0) && $0.first("RECURRENCE-ID") != nil }
            guard var day else { return nil }
            let former = components.first { $0.first("RECURRENCE-ID")?.value == day.first("RECURRENCE-ID")?.value }
            day.set("SEQUENCE", (former ?? components[0]).all("SEQUENCE"))
            components = [day]
        }
        let promised = components.flatMap { $0.all("ATTENDEE") }.contains {
            own.contains($0.calendarAddress) && ["ACCEPTED", "TENTATIVE"].contains($0["PARTSTAT"]?.uppercased() ?? "")
        }
        let isCancelled = components.allSatisfy { $0.first("STATUS")?.value.uppercased() == "CANCELLED" }
        let isOver = scope == .all && !occurrence.isRecurring && occurrence.time.range(in: zone).end < now
        guard promised, !isCancelled, !isOver else { return nil }
        return try? InvitationAnswer(
            components, .decline, own: ownAddresses.map(\.address), comment: nil, now: clock)
    }
}
