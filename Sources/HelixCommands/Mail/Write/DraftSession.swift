import FoundationEssentials
import HelixMail
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// The writing of a message, by options or in the editor; until it is sent, it is a draft that survives crashes.
struct DraftSession {
    let context: CommandContext
    let store: Store
    let account: Account
    /// The command, for `helix history`.
    let command: String
    var draft: MessageDraft
    /// The draft, once it is saved in a mailbox.
    private(set) var id: EntityID?
    /// The draft of an earlier session that is not saved in a mailbox yet.
    let aside: EntityID?
    /// The queued message, if one is edited.
    let outgoing: OutgoingMessage?
    /// When the user is told if nobody has answered, as typed.
    var followUp: String?

    /// Begins a new message.
    /// - Throws: ``HelixError``.
    init(_ draft: MessageDraft, in account: Account, command: String, context: CommandContext) throws {
        self.context = context
        self.account = account
        self.command = command
        self.draft = draft
        store = try context.store()
        (aside, outgoing) = (nil, nil)
        if self.draft.from == nil { self.draft.from = context.sender(in: account) }
    }

    /// Continues a draft.
    /// - Throws: ``HelixError``: it is missing, or cannot be read.
    init(draft id: EntityID, command: String, context: CommandContext) throws {
        store = try context.store()
        self.context = context
        self.command = command
        account = try store.account(of: id)
        draft = try Self.read(id, context)
        let isAside = try store.isKept(id)
        aside = isAside ? id : nil
        self.id = isAside ? nil : id
        outgoing = nil
    }

    /// Edits a message queued in the outbox.
    /// - Throws: ``HelixError``: its file is missing.
    init(_ message: OutgoingMessage, command: String, context: CommandContext) throws {
        store = try context.store()
        self.context = context
        self.command = command
        (aside, outgoing) = (nil, message)
        account = try store.mailAccounts().first { $0.id == message.account } ?? context.writingAccount(nil)
        let file = try store.outgoingFile(message)
        draft = try context.readable(file).draft(isOutgoing: true)
        // Queued messages have no Bcc header.
        let shown = Set((draft.to + draft.cc).map { $0.address.lowercased() })
        draft.bcc = message.recipients.map { MailAddress(text: $0) }
            .filter { !shown.contains($0.address.lowercased()) }
    }

    /// Reads the draft of a stored message.
    /// - Throws: ``HelixError``: it is missing, or encrypted and cannot be decrypted.
    static func read(_ id: EntityID, _ context: CommandContext) throws -> MessageDraft {
        let readable = try context.readable(try context.store().messageFile(id), verifies: false)
        if let encryption = readable.security.layers.compactMap(\.encryption).first(where: { $0.state != .decrypted }) {
            throw HelixError(
                .notAllowed, "the draft \(id.text.prefix(6)) is encrypted, and cannot be decrypted",
                hint: encryption.state == .noKey
                    ? "Its secret key is not on this machine." : "\(encryption.reason). It is kept as it is.")
        }
        return try readable.draft()
    }

    /// Opens the editor unless options set the text, and then sends, saves or discards the draft as requested.
    /// - Parameter hasText: whether the draft has a text that is kept even if the editor leaves it unchanged.
    /// - Throws: ``HelixError``.
    /// - Parameter isWritten: whether the draft is complete, so that no editor opens.
    mutating func run(
        _ write: WriteOptions, _ send: SendOptions, hasText: Bool = false, isWritten: Bool = false
    ) throws {
        // Report errors before the editor opens.
        let leaves = try context.leaves(send.at)
        followUp = send.remindIfNoAnswer
        _ = try followUp.map { try context.followUp($0, after: leaves) }
        encryptIfPossible()
        if draft.seal.isSealed, !send.draft { _ = try context.sealPlan(for: draft) }
        // A template is complete if it is to be sent at once.
        let isWritten = isWritten || write.template != nil && (send.send || send.at != nil)
        let isEdited = write.edit || write.body == nil && !isWritten
        if let template = write.template, !isEdited { try context.requireFilled(draft, template: template) }
        if isEdited {
            guard
                try edit(
                    isWanted: write.edit, hasText: hasText || write.body != nil || write.template != nil || isForward)
            else { return }
            encryptIfPossible()
        }
        if send.draft { return try keep() }
        // At a terminal the summary says what may be missing.
        if !isEdited, lacksAttachment { context.explain(Self.lackingAttachment) }
        if send.send || send.at != nil || !isEdited {
            return try self.send(
                send.at == nil ? context.leaves(nil) : leaves, at: send.at, isAnswered: send.send && send.at == nil)
        }
        guard context.console.canAsk else { return try keep() }
        try keep(isQuiet: true)
        if let id { context.note(StyledText("Kept as the draft \(id.text.prefix(6)).", .dim)) }
        while true {
            for line in summary { context.note(line) }
            let answer = context.console.ask("Send it? [y]es, [e]dit again, [n]o, keep the draft, [d]iscard")
            switch answer {
            case "y": return try self.send(context.leaves(nil), at: nil, isAnswered: true)
            case "e":
                if try edit(isWanted: true) { try keep(isQuiet: true) }
            case "d": return try context.discardDrafts([id].compactMap { $0 })
            case "n", "":
                try store.requireDrafts()
                return try present("kept", [id].compactMap { $0 })
            default: continue
            }
        }
    }

    /// Encrypts the message if the settings say 'auto', and all recipients have keys. Others get a readable message, as the
    /// setting says.
    private mutating func encryptIfPossible() {
        guard context.configuration.text(.encrypt) == "auto", !draft.seal.encrypts, !draft.seal.isDeclined,
            !draft.recipients.isEmpty
        else { return }
        var tried = draft
        tried.seal.encrypts = true
        if let plan = try? context.sealPlan(for: tried), plan.isWelcome { draft.seal.encrypts = true }
    }

    mutating func stage() throws -> StagedMessage {
        if draft.messageID == nil { draft.messageID = MessageDraft.newMessageID(for: draft.from) }
        return try store.stageMessage(for: account, flags: [.draft, .seen]) { sink in
            try context.write(draft, date: context.clock, isFinal: false, to: sink)
        }
    }

    /// Saves the draft in the drafts mailbox, replacing its previous version.
    /// - Throws: ``HelixError``.
    mutating func save() throws {
        let staged = try stage()
        let former = id
        let what = former == nil ? "write" : "edit"
        let name = draft.seal.encrypts ? "an encrypted draft" : "the draft '\(draft.subject)'"
        id = try store.change("\(what) \(name)", command: command) { change in
            try change.place(staged, in: .role(.drafts), replacing: former)
        }
        draft = try id.map { try Self.read($0, context) } ?? draft
    }

    /// Saves the draft if it changed, and reports it.
    mutating func keep(isQuiet: Bool = false) throws {
        if !isQuiet { try store.requireDrafts() }
        if try id == nil || draft != Self.read(id ?? EntityID(), context) { try save() }
        if isQuiet { return }
        try present("kept", [id].compactMap { $0 })
        // A key that is missing would be noticed only when it is to leave.
        if draft.seal.isSealed, let line = sealLine { context.note(line) }
        if let id {
            context.note(StyledText("'helix mail send \(id.text.prefix(6))' sends it.", .dim))
        }
    }

    private func present(_ verb: String, _ ids: [EntityID]) throws {
        try context.present(
            MailChangeReport(verb: verb, items: try context.items(store.messages(ids: ids))), ids: ids)
    }

    /// Queues the message in the outbox.
    /// - Parameters:
    ///   - at: the requested time of sending, as typed.
    ///   - isAnswered: whether the user confirmed sending it now.
    /// - Throws: ``HelixError``: it has no sender or no recipients; then it is kept as a draft.
    mutating func send(_ leaves: Instant, at: String?, isAnswered: Bool = false) throws {
        // Save it as a draft first: 'helix undo' restores that.
        let isEmpty = draft.body.isEmpty && draft.attachments.isEmpty
        if draft.problem == nil || !isEmpty { try keep(isQuiet: true) }
        if let problem = draft.problem {
            let kept = context.isDryRun || store.proposes ? nil : id
            throw HelixError(
                problem.code, problem.message,
                hint: (problem.hint ?? "")
                    + (kept.map { " Your text is saved as draft \($0.text.prefix(6))." } ?? ""))
        }
        let isNow = isAnswered && context.configuration.text(.send) == "now" && leaves <= context.clock
        // It is due for this command, whose time is that of its start.
        let departure = try Departure(self, leaves: isNow ? min(leaves, context.now) : leaves, at: at)
        if draft.seal.encrypts, let line = sealLine { context.note(line) }
        let queued: [OutgoingMessage]
        do { queued = try context.queue([departure], command: command) } catch let error as HelixError {
            guard let id, !context.isDryRun else { throw error }
            // A command of a proposal that fails leaves nothing behind.
            if store.proposes {
                throw HelixError(
                    error.code, error.message, hint: "Nothing was kept; with --draft, the draft becomes a proposal.")
            }
            let saved = "Your text is saved as draft \(id.text.prefix(6))."
            // A second draft is not needed.
            let hint = error.code == .notAllowed ? saved + " The person can send it." : "\(error.hint ?? "") \(saved)"
            throw HelixError(error.code, error.message, hint: hint.trimmingBlanks())
        }
        guard isNow, !context.isDryRun else {
            return try context.presentOutbox(queued, verb: "queued")
        }
        try context.sendNow(queued, of: [account])
    }

    /// The message in a few lines, with what may have been forgotten.
    private var summary: [StyledText] {
        func line(_ name: String, _ text: String) -> StyledText {
            var line = StyledText("  " + name.padded(8), .dim)
            line.append(text)
            return line
        }
        var lines: [StyledText] = []
        for (name, list) in [("To", draft.to), ("Cc", draft.cc), ("Bcc", draft.bcc)] where !list.isEmpty {
            lines.append(line(name, list.map(\.quoted).joined(separator: ", ")))
        }
        lines.append(line("Subject", draft.subject))
        for name in draft.attachments.map(\.name) { lines.append(line("File", name)) }
        if let seal = sealLine { lines.append(seal) }
        for warning in warnings { lines.append(StyledText("  " + warning, TextStyle(.yellow))) }
        return lines
    }

    /// The protection of the message, and what may have been forgotten, for a screen that shows the message below.
    var review: [StyledText] {
        var lines = [sealLine ?? StyledText("  " + "Security".padded(8) + " not signed, not encrypted", .dim)]
        for warning in warnings { lines.append(StyledText("  " + warning, TextStyle(.yellow))) }
        return lines
    }

    /// The line that says how the message is protected.
    private var sealLine: StyledText? {
        guard draft.seal.isSealed else { return nil }
        let found = Result { try context.sealPlan(for: draft)?.words { context.viewer.day(context.zone.date($0)) } }
        switch found {
        case .success(let words?):
            var line = StyledText("  " + "Security".padded(8) + " ", .dim)
            line.append(words.text, words.isWarning ? TextStyle(.yellow) : .plain)
            return line
        case .success(nil): return nil
        case .failure(let error):
            let reason = (error as? HelixError)?.message ?? "unknown reason"
            return StyledText(
                "  It cannot be \(draft.seal.encrypts ? "encrypted" : "signed"): \(reason).", TextStyle(.yellow))
        }
    }

    /// Warnings about parts that are probably missing.
    private var warnings: [String] {
        var found: [String] = []
        if draft.to.isEmpty, draft.cc.isEmpty, draft.bcc.isEmpty { found.append("It has no recipients.") }
        if draft.subject.trimmingBlanks().isEmpty { found.append("The subject is empty.") }
        // Quoted lines are of others.
        let own = draft.body.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix(">") }
        if own.allSatisfy({ $0.allSatisfy(\.isWhitespace) }), draft.attachments.isEmpty, draft.forwarded == nil {
            found.append("The text is empty.")
        }
        if lacksAttachment { found.append(Self.lackingAttachment) }
        return found
    }

    private static let lackingAttachment = "The text mentions an attachment, but there is none."

    /// Whether the own lines mention an attachment that is not there.
    private var lacksAttachment: Bool {
        guard draft.attachments.isEmpty, draft.forwarded == nil else { return false }
        // Quoted lines are of others.
        let text = draft.body.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix(">") }
            .joined(separator: "\n").lowercased()
        return [
            "attached", "attachment", "enclosed", "anbei", "angehängt", "im anhang", "allegat", "ci-joint", "adjunt",
        ].contains(where: text.contains)
    }

    /// Whether a message is forwarded to recipients: it may have no text of its own.
    private var isForward: Bool { draft.forwarded != nil && !(draft.to + draft.cc + draft.bcc).isEmpty }
}

/// A message to be queued in the outbox, completely written.
struct Departure {
    let message: OutgoingMessage
    let staged: StagedFile
    let draft: EntityID?
    /// The messages that it replies to or forwards, with the flags to set.
    let marks: [(id: EntityID, flag: MessageFlags)]

    /// - Throws: ``HelixError``: it has no sender or no recipients, or cannot be written.
    init(_ session: DraftSession, leaves: Instant, at: String?) throws {
        var draft = session.draft
        // The user's address may have been configured since it was written.
        if draft.from == nil, let own = session.context.sender(in: session.account) {
            draft.from = own
            draft.messageID = MessageDraft.newMessageID(for: own)
        }
        if let problem = draft.problem {
            throw HelixError(problem.code, "'\(draft.subject)': \(problem.message)", hint: problem.hint)
        }
        if draft.messageID == nil { draft.messageID = MessageDraft.newMessageID(for: draft.from) }
        draft.tidy()
        let date = at == nil ? session.context.clock : leaves
        staged = try session.store.stageOutgoing { sink in
            try session.context.write(draft, date: date, isFinal: true, to: sink)
        }
        var message = OutgoingMessage(
            draft, account: session.account.id, madeAt: session.context.now, leavesAt: leaves, staged)
        message.followUp = try session.followUp.map { try session.context.followUp($0, after: leaves) }
        self.message = message
        self.draft = session.id
        var marks: [(id: EntityID, flag: MessageFlags)] = []
        for (name, flag) in [(draft.inReplyTo, MessageFlags.answered), (draft.forwarded, .passed)] {
            if let name, let found = try session.store.message(withID: name, in: session.account) {
                marks.append((found.id, flag))
            }
        }
        self.marks = marks
    }
}

extension CommandContext {
    /// Queues messages, removes their drafts and marks the messages that they reply to or forward, in one change.
    /// - Throws: ``HelixError``.
    func queue(_ departures: [Departure], command: String) throws -> [OutgoingMessage] {
        defer { for departure in departures { departure.staged.discard() } }
        let what = departures.count == 1 ? "'\(departures[0].message.subject)'" : "\(departures.count) messages"
        try store().change("send \(what)", command: command) { change in
            for departure in departures {
                try change.queue(departure.message, departure.staged)
                for (id, flag) in departure.marks {
                    var edit = MessageEdit()
                    edit.set = flag
                    edit.isOptional = true
                    try change.editMessages([id], edit)
                }
                if let draft = departure.draft {
                    var edit = MessageEdit()
                    edit.target = .deleted
                    try change.editMessages([draft], edit)
                }
            }
        }
        // The store may hold the message of an agent.
        guard try store().profile != nil, !isDryRun else { return departures.map(\.message) }
        return try departures.map { try store().outgoing($0.message.id) }
    }
}

extension OutgoingMessage {
    /// Creates the queued message of a draft.
    init(_ draft: MessageDraft, account: EntityID, madeAt: Instant, leavesAt: Instant, _ staged: StagedFile) {
        self.init(
            id: EntityID(), account: account, state: .queued, madeAt: madeAt, leavesAt: leavesAt,
            messageID: draft.messageID ?? "", sender: draft.from?.text ?? "", recipients: draft.envelope,
            // The subject of an encrypted message is not kept outside of it.
            subject: draft.seal.encrypts ? "[...]" : draft.subject, sha256: staged.hash, size: staged.size)
    }
}
