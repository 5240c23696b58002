import Foundation
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// Somebody writes a message: by options, or in the editor; as a draft that survives whatever happens, until it is sent.
struct DraftSession {
    let context: CommandContext
    let store: Store
    let account: MailAccount
    /// What `helix history` says.
    let command: String
    var draft: MessageDraft
    /// The draft that is written on, once it lies in a mailbox.
    private(set) var id: EntityID?
    /// What is written on while it lies in no mailbox: it began before this session.
    private var aside: EntityID?

    /// Begins a message.
    init(_ draft: MessageDraft, in account: MailAccount, command: String, context: CommandContext) throws {
        self.context = context
        self.account = account
        self.command = command
        self.draft = draft
        store = try context.store()
        if self.draft.from == nil { self.draft.from = context.ownAddresses.first }
    }

    /// Goes on with a draft.
    /// - Throws: ``HelixError``: it is gone, or cannot be read.
    init(draft id: EntityID, command: String, context: CommandContext) throws {
        store = try context.store()
        self.context = context
        self.command = command
        account = try store.account(of: id)
        draft = try Self.read(id, store)
        if try store.isKept(id) { aside = id } else { self.id = id }
    }

    private static func read(_ id: EntityID, _ store: Store) throws -> MessageDraft {
        let file = try store.messageFile(id)
        return try MessageDraft(MIMEMessage(path: file), file: file)
    }

    /// Opens the editor if nothing said the text, and then does what was asked for with what was written.
    /// - Throws: ``HelixError``.
    mutating func run(_ write: WriteOptions, _ send: SendOptions) throws {
        // What cannot be is said before somebody writes for an hour.
        let leaves = try context.leaves(send.at)
        let isEdited = write.edit || write.body == nil
        if isEdited { guard try edit() else { return } }
        if send.draft { return try keep() }
        if send.send || send.at != nil || !isEdited { return try self.send(leaves, at: send.at) }
        guard Terminal.canAsk else { return try keep() }
        try keep(isQuiet: true)
        while true {
            let answer = Terminal.ask("Send it? [y]es, [e]dit again, [n]o, keep the draft, [d]iscard")
            switch answer {
            case "y": return try self.send(leaves, at: send.at)
            case "e":
                if try edit() { try keep(isQuiet: true) }
            case "d": return try discard()
            case "n", "": return try present("kept", [id].compactMap { $0 })
            default: continue
            }
        }
    }

    /// Opens the editor on the draft.
    /// - Parameter isKept: whether what was written becomes a draft in a mailbox.
    /// - Returns: whether anything was written.
    /// - Throws: ``HelixError``: what was written cannot be read; it is kept.
    mutating func edit(isKept: Bool = true) throws -> Bool {
        let unfinished = UnfinishedDrafts(context)
        let before = draft
        // Attachments and all else that no text says are in a message of its own while somebody writes.
        let original = try id ?? aside ?? store.keepAside(stage())
        let base = try Self.read(original, store)
        let first = MessageTemplate.text(base)
        let lock = try unfinished.begin(original, first)
        func end() throws {
            unfinished.end(original, lock)
            if id == nil { try store.dropKept(original) }
        }
        let editor = context.environment["VISUAL"] ?? context.environment["EDITOR"] ?? "vi"
        while true {
            let status = ChildProcess.run(shell: "\(editor) \"$1\"", argument: unfinished.path(original))
            let text = unfinished.text(original) ?? ""
            if text == first || text.allSatisfy(\.isWhitespace) {
                try end()
                if status != 0 { throw Self.failed(editor) }
                context.note(
                    StyledText(id == nil ? "Nothing was written; no draft is kept." : "Nothing was changed.", .dim))
                return false
            }
            do {
                let content = try MessageTemplate.read(text, original: base)
                draft = content.draft
                draft.attachments += try content.files.map { try DraftFiles.attachment($0, context) }
                break
            } catch let error as HelixError {
                guard Terminal.canAsk, status == 0, ask(after: error) else {
                    close(lock)
                    throw HelixError(
                        error.code, error.message,
                        hint: (error.hint.map { $0 + " " } ?? "")
                            + "What you wrote is kept: 'helix mail edit \(original.text.prefix(8))' opens it again.")
                }
            }
        }
        if isKept {
            try save()
        } else {
            // What was attached is still where it was: the message for the time of writing goes.
            draft.attachments = draft.attachments.map { attachment in
                base.attachments.firstIndex(of: attachment).map { before.attachments[$0] } ?? attachment
            }
        }
        // Only now: until here the text was nowhere else.
        unfinished.end(original, lock)
        if original != id { try store.dropKept(original) }
        return true
    }

    private func ask(after error: HelixError) -> Bool {
        context.note(StyledText("\(error.message). \(error.hint ?? "")", TextStyle(.yellow)))
        return ["", "y", "e"].contains(Terminal.ask("Edit it again? [Y/n]"))
    }

    private static func failed(_ editor: String) -> HelixError {
        HelixError(
            .configuration, "the editor '\(editor)' failed, and nothing was written",
            hint: "Set EDITOR to one that is installed, or say the text with --body.")
    }

    private mutating func stage() throws -> StagedMessage {
        if draft.messageID == nil { draft.messageID = MessageDraft.newMessageID(for: draft.from) }
        let writer = MessageWriter(
            draft, date: context.now, zone: context.zone, isFinal: false, read: DraftFiles.read)
        return try store.stageMessage(for: account, flags: [.draft, .seen]) { try writer.write(to: $0) }
    }

    /// Puts the draft into the mailbox for drafts, or in the place of what it was.
    private mutating func save() throws {
        let staged = try stage()
        let former = id
        let what = former == nil ? "write" : "edit"
        id = try store.change("\(what) the draft '\(draft.subject)'", command: command) { change in
            try change.place(staged, in: .role(.drafts), replacing: former)
        }
        draft = try id.map { try Self.read($0, store) } ?? draft
    }

    /// Keeps the draft, and says so.
    mutating func keep(isQuiet: Bool = false) throws {
        if try id == nil || draft != Self.read(id ?? EntityID(), store) { try save() }
        if isQuiet { return }
        try present("kept", [id].compactMap { $0 })
        if let id {
            context.note(StyledText("'helix mail send \(id.text.prefix(6))' sends it.", .dim))
        }
    }

    private func discard() throws {
        guard let id else { return }
        try context.discardDrafts([id])
    }

    private func present(_ verb: String, _ ids: [EntityID]) throws {
        try context.present(
            MailChangeReport(verb: verb, items: try store.messages(ids: ids).map { MailItem(message: $0) }), ids: ids)
    }

    /// Puts the message into the outbox; the draft goes, and what it answers or sends on is marked, all at once.
    /// - Parameter at: when it leaves, if somebody said so.
    /// - Throws: ``HelixError``: it has no sender or goes to nobody; then it is kept as a draft.
    mutating func send(_ leaves: Instant, at: String?) throws {
        try context.presentOutbox([try queue(leaves, at: at)], verb: "queued")
    }

    /// As ``send(_:at:)``, and says nothing.
    mutating func queue(_ leaves: Instant, at: String?) throws -> OutgoingMessage {
        if let problem = draft.problem {
            guard id == nil, !draft.body.isEmpty || !draft.attachments.isEmpty else { throw problem }
            try save()
            throw HelixError(
                problem.code, problem.message,
                hint: (problem.hint ?? "") + " What you wrote is kept as the draft \(id?.text.prefix(6) ?? "").")
        }
        if draft.messageID == nil { draft.messageID = MessageDraft.newMessageID(for: draft.from) }
        let date = at == nil ? context.now : leaves
        let writer = MessageWriter(draft, date: date, zone: context.zone, isFinal: true, read: DraftFiles.read)
        let staged = try store.stageOutgoing { try writer.write(to: $0) }
        defer { staged.discard() }
        let message = OutgoingMessage(draft, account: account.id, madeAt: context.now, leavesAt: leaves, staged)
        var marks: [(EntityID, MessageFlags)] = []
        for (name, flag) in [(draft.inReplyTo, MessageFlags.answered), (draft.forwarded, .passed)] {
            if let name, let found = try store.message(withID: name, in: account) { marks.append((found.id, flag)) }
        }
        let former = id
        try store.change("send '\(draft.subject)'", command: command) { change in
            try change.queue(message, staged)
            for (id, flag) in marks {
                var edit = MessageEdit()
                edit.set = flag
                try change.editMessages([id], edit)
            }
            if let former {
                var edit = MessageEdit()
                edit.target = .deleted
                try change.editMessages([former], edit)
            }
        }
        return message
    }
}

extension DraftSession {
    /// Puts what was written into the place of what waits.
    /// - Parameter isChanged: whether the message itself is another.
    /// - Throws: ``HelixError``: it left by now, has no sender, or goes to nobody.
    func replace(_ message: OutgoingMessage, isChanged: Bool) throws {
        if let problem = draft.problem { throw problem }
        var changed = message
        var staged: StagedFile?
        defer { staged?.discard() }
        if isChanged {
            let writer = MessageWriter(
                draft, date: max(context.now, message.leavesAt), zone: context.zone, isFinal: true,
                read: DraftFiles.read)
            let bytes = try store.stageOutgoing { try writer.write(to: $0) }
            staged = bytes
            (changed.sha256, changed.size, changed.subject) = (bytes.hash, bytes.size, draft.subject)
            (changed.sender, changed.recipients) = (draft.from?.text ?? "", draft.recipients.map(\.text))
        }
        let file = staged
        try store.change("edit the outgoing '\(changed.subject)'", command: command) { try $0.replace(changed, file) }
        try context.presentOutbox([changed], verb: "changed")
    }

    /// Makes what waits a draft again.
    /// - Returns: the draft.
    /// - Throws: ``HelixError`` if it left by now.
    func cancel(_ message: OutgoingMessage) throws -> EntityID {
        let writer = MessageWriter(draft, date: context.now, zone: context.zone, isFinal: false, read: DraftFiles.read)
        let staged = try store.stageMessage(for: account, flags: [.draft, .seen]) { try writer.write(to: $0) }
        return try store.change("cancel '\(message.subject)'", command: "outbox cancel") { change in
            try change.removeOutgoing(message.id)
            return try change.place(staged, in: .role(.drafts))
        }
    }
}

extension OutgoingMessage {
    /// A draft on its way.
    init(_ draft: MessageDraft, account: EntityID, madeAt: Instant, leavesAt: Instant, _ staged: StagedFile) {
        self.init(
            id: EntityID(), account: account, state: .queued, madeAt: madeAt, leavesAt: leavesAt,
            messageID: draft.messageID ?? "", sender: draft.from?.text ?? "", recipients: draft.recipients.map(\.text),
            subject: draft.subject, sha256: staged.hash, size: staged.size)
    }
}
