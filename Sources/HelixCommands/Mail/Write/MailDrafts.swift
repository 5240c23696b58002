import ArgumentParser
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// `helix mail drafts`
struct MailDrafts: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "drafts", abstract: "List drafts and queued messages.",
        discussion: """
            Drafts are stored in the drafts mailbox, where other programs see them. Also lists text that was not saved \
            because helix or the machine stopped.

              helix mail drafts
            """)
    static let reports: [PrintedReport] = [.json(MailListReport.self)]

    @OptionGroup var mail: MailOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.mailStore(mail)
        try context.recoverDrafts()
        let limit = min(context.listLimit(50), 100_000_000)
        let found = try store.drafts(limit: limit + 1)
        var report = MailListReport(items: try context.items(Array(found.prefix(limit))))
        (report.isTruncated, report.nothing, report.hidesMailbox) = (found.count > limit, "No drafts.", true)
        try context.present(report, ids: report.items.map(\.message.id))
    }
}

/// `helix mail edit`
struct MailEdit: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "edit", abstract: "Edit a draft.",
        discussion: """
            Opens the editor; with --body, --to and similar options, changes the draft without it. Options replace \
            values; --attach adds.

              helix mail edit k3f7
              helix mail edit k3f7 --attach plan.pdf
              helix mail edit k3f7 --improve shorter
            """)
    static let reports: [PrintedReport] = [
        .json(OutboxReport.self), .json(MailChangeReport.self), .json(SentReport.self, with: "--improve"),
    ]

    @Argument(help: ArgumentHelp("A draft by its id.", valueName: "id"), completion: .custom(CompletionLists.draftIDs))
    var id: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Let an assistant rewrite your text: \(Improvement.words). Shows the difference, and asks at a terminal.",
            valueName: "way"))
    var improve: Improvement?

    @OptionGroup var write: WriteOptions
    @OptionGroup var sending: SendOptions
    @OptionGroup var mail: MailOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if improve != nil, !write.saysNothing || write.edit || sending.send || sending.at != nil {
            throw ValidationError("--improve changes the text alone; use the other options afterwards.")
        }
    }

    func run(in context: CommandContext) throws {
        _ = try context.mailStore(mail)
        let id = try context.draftID(id)
        if let improve { return try context.presentingSentText { try rewrite(id, improve, context) } }
        var session = try DraftSession(draft: id, command: "mail edit", context: context)
        guard !write.saysNothing else { return try session.run(write, sending) }
        try context.refuseUnfinished(id, "mail edit")
        try write.apply(to: &session.draft, in: context, isEdit: true)
        if write.edit {
            try session.keep(isQuiet: true)
            return try session.run(write, sending)
        }
        // With options, no question is asked.
        session.followUp = sending.remindIfNoAnswer
        if sending.send || sending.at != nil {
            return try session.send(
                try context.leaves(sending.at), at: sending.at, isAnswered: sending.send && sending.at == nil)
        }
        try session.keep()
    }

    /// Lets an assistant rewrite the person's own lines of a draft, and keeps the result.
    private func rewrite(_ id: EntityID, _ way: Improvement, _ context: CommandContext) throws {
        try context.refuseUnfinished(id, "mail edit")
        let assistant = try Assistant(context, isDryRun: context.isDryRun)
        var session = try DraftSession(draft: id, command: "mail edit", context: context)
        let (own, rest) = session.draft.ownText
        let text = try way.improved(own, assistant)
        context.showDifference(own, text)
        if context.console.canAsk, !output.isMachine,
            !["", "y"].contains(context.console.ask("Keep the new text? [Y/n]"))
        {
            return context.note(StyledText("Nothing was changed.", .dim))
        }
        session.draft.body = text + "\n" + rest
        try session.keep()
    }
}

extension MessageDraft {
    /// The lines that its author wrote, and those after them: the quoted message with the line before it, or the signature.
    fileprivate var ownText: (own: String, rest: String) {
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
        var end = lines.firstIndex { $0.hasPrefix(">") || $0 == "-- " || $0.hasPrefix("-----") } ?? lines.endIndex
        // "On Monday, Ana wrote:", and the blank line before it.
        if end > 0, end < lines.endIndex, lines[end].hasPrefix(">"), lines[end - 1].hasSuffix(":") { end -= 1 }
        let own = lines[..<end].joined(separator: "\n").trimmingBlanks()
        let rest = lines[end...].joined(separator: "\n")
        return (own, rest.isEmpty ? "" : "\n" + rest)
    }
}

/// `helix mail send`
struct MailSend: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "send", abstract: "Send drafts.",
        discussion: """
            Queues drafts for sending; 'helix undo' makes them drafts again until they are sent.

              helix mail send k3f7
              helix mail send k3f7 --now
              helix mail send k3f7 --at 'mon 8:00'
            """)
    static let reports: [PrintedReport] = [.json(OutboxReport.self)]

    @Argument(
        help: ArgumentHelp("Drafts by their ids.", valueName: "id"), completion: .custom(CompletionLists.draftIDs))
    var ids: [String]

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Send at this time: 'mon 8:00', 'in 2 hours'.", valueName: "when"))
    var at: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Tell you if nobody has answered by then: 3d, 'fri 9:00'.", valueName: "when"))
    var remindIfNoAnswer: String?

    @Flag(name: .long, help: "Send them at once instead of at the next sync; mail.send-delay counts.")
    var now = false

    @OptionGroup var mail: MailOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if now && at != nil { throw ValidationError("--now and --at exclude each other.") }
    }

    func run(in context: CommandContext) throws {
        _ = try context.mailStore(mail)
        var leaves = try context.leaves(at)
        let isNow = now && leaves <= context.clock
        // They are due for this command, whose time is that of its start.
        if isNow { leaves = min(leaves, context.now) }
        var accounts: [Account] = []
        // Queue all or none, each once.
        var departures: [Departure] = []
        do {
            for id in try ids.map({ try context.draftID($0) }).uniqued {
                try context.refuseUnfinished(id, "mail edit")
                var session = try DraftSession(draft: id, command: "mail send", context: context)
                session.followUp = remindIfNoAnswer
                if !accounts.contains(where: { $0.id == session.account.id }) { accounts.append(session.account) }
                departures.append(try Departure(session, leaves: leaves, at: at))
            }
        } catch {
            for departure in departures { departure.staged.discard() }
            throw error
        }
        let queued = try context.queue(departures, command: "mail send")
        guard isNow, !context.isDryRun else { return try context.presentOutbox(queued, verb: "queued") }
        try context.sendNow(queued, of: accounts)
    }
}

/// `helix mail discard`
struct MailDiscard: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "discard", abstract: "Delete drafts.",
        discussion: "  helix mail discard k3f7")
    static let reports: [PrintedReport] = [.json(MailChangeReport.self)]

    @Argument(
        help: ArgumentHelp("Drafts by their ids.", valueName: "id"), completion: .custom(CompletionLists.draftIDs))
    var ids: [String]

    @OptionGroup var mail: MailOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        _ = try context.mailStore(mail)
        try context.discardDrafts(try ids.map { try context.draftID($0) }.uniqued)
    }
}

extension CommandContext {
    /// Finds a draft by a prefix of its id.
    /// - Throws: ``HelixError``: no such message, or it is not a draft.
    func draftID(_ text: String) throws -> EntityID {
        let store = try store()
        let id = try messageID(text)
        // A new message that is being written is not in a mailbox yet.
        if UnfinishedDrafts(self).text(id) != nil { return id }
        let message = try store.message(id)
        let isDraft = message.flags.contains(.draft) || Mailbox.Role(name: message.mailbox) == .drafts
        guard isDraft, try !store.isKept(id) else {
            throw HelixError(
                .notFound, "'\(message.subject)' is not a draft",
                hint: "'helix mail drafts' lists drafts; 'helix undo' restores a sent or discarded one.")
        }
        return id
    }

    /// Discards drafts; `helix undo` restores them.
    /// - Throws: ``HelixError``.
    func discardDrafts(_ ids: [EntityID]) throws {
        let store = try store()
        for id in ids where UnfinishedDrafts(self).isOpen(id) {
            throw HelixError(
                .busy, "an editor is open on the draft \(id.text.prefix(6))", hint: "Close it first.")
        }
        let items = try store.messages(ids: ids).map { MailItem(message: $0) }
        var edit = MessageEdit()
        edit.target = .deleted
        let what = ids.count == 1 ? "the draft '\(items.first?.message.subject ?? "")'" : "\(ids.count) drafts"
        let names = try store.shortIDs(ids)
        let aside = try ids.filter { try store.isKept($0) }
        _ = try store.change("discard \(what)", command: "mail discard") { try $0.editMessages(ids, edit) }
        for id in ids { UnfinishedDrafts(self).end(id) }
        // Drafts that were never in a mailbox are dropped.
        for id in aside { try store.dropKept(id) }
        try present(MailChangeReport(verb: "discarded", items: items), shortIDs: names)
    }

    /// Refuses to send a draft with unsaved text.
    /// - Throws: ``HelixError`` of code `conflict`.
    func refuseUnfinished(_ id: EntityID, _ command: String) throws {
        if UnfinishedDrafts(self).text(id) == nil { return }
        throw HelixError(
            .conflict, "\(id.text.prefix(6)) has unsaved text: an editor is open on it, or was interrupted",
            hint: "'helix \(command) \(id.text.prefix(6))' opens the text.")
    }

    /// Recovers texts that were being written when helix or the machine stopped.
    /// - Throws: ``HelixError``.
    func recoverDrafts() throws {
        let unfinished = UnfinishedDrafts(self)
        var unreadable: [String] = []
        for id in unfinished.leftOver {
            do {
                guard let text = unfinished.text(id) else { continue }
                let waiting = try? store().outgoing(id)
                var session =
                    try waiting.map { try DraftSession($0, command: "mail drafts", context: self) }
                    ?? DraftSession(draft: id, command: "mail drafts", context: self)
                try session.take(text, original: session.draft)
                try session.commit()
                unfinished.end(id)
                if session.outgoing == nil, session.id != id { try store().dropKept(id) }
                let place = waiting == nil ? "" : " in the outbox, where it is held"
                note(
                    StyledText(
                        "Recovered unsaved text\(place): '\(session.draft.subject)'.", TextStyle(.yellow)))
            } catch let error as HelixError {
                unreadable.append("\(id.text.prefix(8)) (\(error.message))")
            }
        }
        if unreadable.isEmpty { return }
        note(
            StyledText(
                "Unsaved text that cannot be read as a message: \(unreadable.joined(separator: "; ")). "
                    + "'helix mail edit ID' opens it again, 'helix mail discard ID' discards it.",
                TextStyle(.yellow)))
    }
}
