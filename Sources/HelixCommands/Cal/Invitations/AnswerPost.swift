import HelixCalendar
import HelixMail
import HelixModel
import HelixStore
import HelixSync

/// Tells the organizer of somebody else's event whether one comes, within the change that says so.
final class AnswerPost {
    private let context: CommandContext
    /// Where answers go out; nil if nobody is told.
    private var account: MailAccount?
    private var staged: [StagedFile] = []
    private var told: [String] = []
    /// Answers that have not left yet.
    private var waiting: [Waiting] = []

    /// An answer in the outbox.
    private struct Waiting {
        var id: EntityID
        var organizer: String
        var subjects: Set<[String]>

        /// Nil for what is no answer, or is leaving just now.
        init?(_ message: OutgoingMessage, _ store: Store) throws {
            // No answer is larger.
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

    /// Makes ready to write; before the change begins, because the first account may have to be made.
    /// - Throws: ``HelixError``.
    func prepare(_ given: MailAccount? = nil) throws {
        if account != nil { return }
        account = try given ?? context.writingAccount(nil, sender: context.ownAddresses.first)
        waiting = try context.store().outbox().compactMap { try Waiting($0, context.store()) }
    }

    /// What answers are about: UID and RECURRENCE-ID.
    private static func subjects(_ components: [ICalendarComponent]) -> Set<[String]> {
        Set(components.map { [$0.first("UID")?.value ?? "", $0.first("RECURRENCE-ID")?.value ?? ""] })
    }

    /// Puts an answer into the outbox. Former ones about the same that have not left yet are overtaken by it.
    ///
    /// - Parameters:
    ///   - verb: how its subject begins.
    ///   - source: the Message-ID of what is answered.
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
        draft.from = try MailAddress.typed(answer.attendee).first
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

    /// Says what waits in the outbox.
    func say() {
        guard !told.isEmpty else { return }
        context.note(
            "The answer to \(Set(told).sorted().joined(separator: ", ")) waits in the outbox; 'helix sync' sends it.")
    }
}

extension CommandContext {
    /// That one does not come to somebody else's event that is deleted here, where one had said otherwise; nil if its
    /// organizer waits for no such answer.
    func refusal(
        of event: StoredEvent, _ scope: EventEditor.Scope, _ occurrence: Occurrence
    ) -> InvitationAnswer? {
        let own = Set(ownAddresses.map { $0.address.lowercased() })
        var components = event.components
        switch scope {
        case .all: break
        case .future: return nil
        case .this:
            // The day as a component of its own, of the organizer's count.
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
