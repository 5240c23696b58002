import ArgumentParser
import HelixCalendar
import HelixMail
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

extension InvitationAnswer.Kind: ExpressibleByArgument {}

/// `helix cal rsvp`
struct CalRsvp: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "rsvp", abstract: "Accept or decline an invitation.",
        discussion: """
            Adds the event to the calendar with your answer and queues the reply to the organizer; 'helix undo' reverts \
            both until it is sent. The id is that of the invitation mail or of the event.

            --propose asks the organizer for another time; the event stays where it is until they agree. Proposals for \
            your own events are answered the same way: 'accept' moves the event and notifies all attendees; 'decline' \
            keeps it and notifies only the sender.

              helix cal rsvp k3f7 accept
              helix cal rsvp k3f7 decline --comment 'I am away that week'
              helix cal rsvp k3f7 tentative --propose 'fri 15:00'
            """)
    static let reports: [PrintedReport] = [.json(SavedReport.self)]

    @Argument(help: "The invitation mail, or the event.", completion: .custom(CompletionLists.messageIDs))
    var id: String

    @Argument(help: "accept, decline or tentative.")
    var answer: InvitationAnswer.Kind

    @Option(name: .long, help: ArgumentHelp("Comment to include in the reply.", valueName: "text"))
    var comment: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Propose another time: 'fri 15:00'.", valueName: "when"))
    var propose: String?

    @Option(
        name: .long, help: ArgumentHelp("The calendar for the event.", valueName: "name"),
        completion: .custom(CompletionLists.calendars))
    var calendar: String?

    @Option(name: .customLong("as"), help: ArgumentHelp("Your invited address.", valueName: "address"))
    var address: String?

    @Flag(name: .long, help: "Do not notify anyone.")
    var silent = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if propose != nil, answer != .tentative { throw ValidationError("--propose needs 'tentative'.") }
        if propose != nil, silent { throw ValidationError("--propose notifies the organizer, --silent does not.") }
    }

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let found = try store.entity(EntityPrefix(id), kinds: [.event, .message])
        if found.kind == .message, let proposal = try proposal(found.id, context) {
            return try answerProposal(found.id, proposal, context)
        }
        let source = try found.kind == .message ? invitation(found.id, context) : nil
        let own = address.map { [$0] } ?? context.ownAddresses.map(\.address)
        guard !own.isEmpty else {
            throw HelixError(
                .configuration, "no address to answer from",
                hint: "helix config set user.email you@example.org, or --as.")
        }
        let title = try source?.title ?? Self.title(store.event(found.id).text)
        // The first account may have to be created, which is not part of the change.
        let post = AnswerPost(context)
        // Servers do not handle proposals (RFC 6638 §3.2.2.1).
        let server = try found.kind == .event && propose == nil ? toldByServer(found.id, store) : nil
        if !silent, server == nil { try post.prepare(source?.account) }
        var asked: String?
        let saved = try store.change("\(answer.rawValue) '\(title)'", command: "cal rsvp") { change in
            let event = try source.map { try file($0, change) } ?? found.id
            let stored = try change.storedEvent(event)
            let components = ICalendarComponent.list(stored.text)
            let reply = try InvitationAnswer(
                components, answer, own: own, comment: comment,
                proposed: propose.map { try proposed($0, components, zones: stored.zones, context) },
                isToldByServer: server != nil && !silent, now: context.clock)
            try change.setEventText(event, reply.event.map(\.text).joined(), zones: stored.zones)
            if let source { try change.addLinkOnce(event, source.message) }
            if server != nil { return try SavedEvent(event, change, context, .allow) }
            if propose != nil {
                asked = InvitationWords(sender: "", former: components).times(of: reply.reply)
            }
            let words = ["accept": "has accepted", "decline": "has declined", "tentative": "may come to"]
            try post.queue(
                reply, propose == nil ? answer.word : "Another time",
                propose == nil
                    ? "\(words[answer.rawValue] ?? "") '\(title)'."
                    : "proposes another time.\n\n" + (asked ?? ""),
                zones: stored.zones, source: source?.messageID, comment: comment, change)
            return try SavedEvent(event, change, context, .allow)
        }
        try context.presentSaved(answer.word, [saved])
        if let asked { context.note(StyledText("Proposed: \(SafeText.line(asked))")) }
        post.say()
        if let server, !silent {
            context.note("The server of '\(server)' notifies the organizer after the next 'helix sync'.")
        }
    }

    /// The account whose server notifies the organizer of an event; nil if replies are sent by mail.
    private func toldByServer(_ event: EntityID, _ store: Store) throws -> String? {
        let components = ICalendarComponent.list(try store.event(event).text)
        let isByMail = components.contains { $0.first("ORGANIZER")?.isToldByMail ?? false }
        return isByMail ? nil : try store.schedulingAccount(of: event, mustBeThere: true)
    }

    /// The event at the time that the user proposes (RFC 5546 §3.2.7).
    private func proposed(
        _ when: String, _ event: [ICalendarComponent], zones: String?, _ context: CommandContext
    ) throws -> [ICalendarComponent] {
        let read = event.compactMap {
            try? EventComponent(Array($0.text.utf8), zones: ZoneResolver(definitions: zones ?? ""))
        }
        guard read.count == 1, let current = read.first, !current.isRecurring else {
            throw HelixError(
                .conflict, "cannot propose another time for a series",
                hint: "Write to its organizer: helix mail new --to ADDRESS.")
        }
        let span = try context.target([when], current: (current.start, current.end(for: current.start)))
        var changes = EventChanges()
        (changes.start, changes.end) = (span.start, span.end)
        if span.start == current.start, span.end == current.end(for: current.start) {
            throw HelixError(.conflict, "the event already takes place then")
        }
        var editor = EventEditor(event, zones: zones, now: context.now)
        try editor.edit(changes, scope: .all)
        return editor.components
    }

    /// An invitation in a message.
    private struct Source {
        var message: EntityID
        var account: Account
        var messageID: String?
        var title: String
        var groups: [EventGroup]
    }

    /// The events of a message that proposes another time; nil if it does not.
    private func proposal(_ id: EntityID, _ context: CommandContext) throws -> [EventGroup]? {
        let parsed = try context.readable(try context.wholeFile(id), verifies: false).message
        guard let part = parsed.parts.first(where: \.isCalendar) else { return nil }
        let (method, groups) = SchedulingFile.read(parsed.text(of: part))
        return method == "COUNTER" ? groups : nil
    }

    private func invitation(_ id: EntityID, _ context: CommandContext) throws -> Source {
        let store = try context.store()
        let parsed = try context.readable(try context.wholeFile(id), verifies: false).message
        guard let part = parsed.parts.first(where: \.isCalendar) else {
            throw HelixError(.badInput, "the message \(self.id) contains no invitation")
        }
        let (method, groups) = SchedulingFile.read(parsed.text(of: part))
        guard method == "REQUEST", let first = groups.first else {
            throw HelixError(.badInput, "the message \(self.id) needs no answer: its method is \(method)")
        }
        let message = try store.message(id)
        try refuseStranger(message, groups, context)
        return Source(
            message: id, account: try store.account(of: id), messageID: message.messageID,
            title: Self.title(String(decoding: first.text, as: UTF8.self)), groups: groups)
    }

    /// Rejects a change of an event in the calendar unless it is sent by its organizer.
    private func refuseStranger(_ message: EmailMessage, _ groups: [EventGroup], _ context: CommandContext) throws {
        let sender = MailAddress(text: String(message.from.prefix { $0 != "\n" })).address.lowercased()
        guard let group = groups.first, let known = try context.store().event(uid: group.uid) else { return }
        let organizer = known.components.lazy.compactMap { $0.first("ORGANIZER") }.first?.calendarAddress
        guard let organizer, organizer != sender else { return }
        throw HelixError(
            .conflict,
            "'\(EventInvitation(known.components).title)' is the event of \(organizer), but the message is from \(sender)",
            hint: "Answer the event in the calendar: helix cal rsvp \(known.id.text.prefix(6)) \(answer.rawValue)")
    }

    private static func title(_ text: String) -> String {
        ICalendarComponent.list(text).lazy.compactMap { $0.first("SUMMARY")?.text }.first ?? ""
    }

    /// Adds the event of an invitation to the calendar, or updates it.
    private func file(_ source: Source, _ change: Change) throws -> EntityID {
        let uid = source.groups[0].uid
        let known = try calendar == nil ? change.event(uid: uid) : nil
        let target =
            try known?.calendar ?? (calendar.map { try change.calendar(named: $0).id } ?? change.defaultCalendar().id)
        let importer = try EventImporter(change, calendar: target)
        for group in source.groups {
            if case .rejected = try importer.add(group) {
                throw HelixError(
                    .badInput, "the invitation cannot be used: \(importer.defects.first?.reason ?? "it cannot be read")"
                )
            }
        }
        guard let event = try change.event(uid: uid, in: target) else {
            throw HelixError(.unexpected, "the event of the invitation is missing")
        }
        return event.item.id
    }
}
