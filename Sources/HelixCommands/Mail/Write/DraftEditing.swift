import FoundationEssentials
import Glibc
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

extension DraftSession {
    /// Opens the editor on the draft, and saves the result: in the drafts mailbox, or in place of a message in the
    /// outbox.
    ///
    /// - Parameters:
    ///   - isWanted: whether the editor was requested explicitly; otherwise it needs a terminal.
    ///   - hasText: whether options set content that is kept even if the text is left unchanged.
    /// - Returns: whether anything was written.
    /// - Throws: ``HelixError``: the text cannot be parsed; it is kept.
    mutating func edit(isWanted: Bool, hasText: Bool = false) throws -> Bool {
        guard isWanted || context.console.isInputTerminal && context.console.isOutputTerminal else {
            throw HelixError(
                .usage, "cannot open the editor without a terminal",
                hint: "Pass the text with --body, or --body - for standard input. --edit runs EDITOR regardless.")
        }
        let unfinished = UnfinishedDrafts(context)
        // Attachments and everything else that the text lacks are kept in a separate message during editing.
        let original = try outgoing?.id ?? id ?? aside ?? store.keepAside(stage())
        let base = try outgoing == nil ? Self.read(original, context) : draft
        let first = MessageTemplate.text(base)
        let lock = try unfinished.begin(original, first)
        let editor = Editor.command(context.environment)
        var hasFailed = false
        while true {
            let status = ChildProcess.run(shell: "\(editor) \"$1\"", argument: unfinished.path(original))
            let text = unfinished.text(original) ?? ""
            if text == first && !hasText || text.allSatisfy(\.isWhitespace) {
                unfinished.end(original, lock)
                if id == nil, outgoing == nil { try store.dropKept(original) }
                if status != 0 { throw Self.failed(editor) }
                context.note(
                    StyledText(
                        id == nil && outgoing == nil
                            ? "Nothing was written; no draft was saved." : "Nothing was changed.", .dim))
                return false
            }
            do {
                hasFailed = status != 0 && text == first
                try take(text, original: base)
                break
            } catch let error as HelixError {
                guard context.console.canAsk, status == 0, ask(after: error) else {
                    close(lock)
                    let command = outgoing == nil ? "mail" : "outbox"
                    throw HelixError(
                        error.code, error.message,
                        hint: (error.hint.map { $0 + " " } ?? "")
                            + "Your text is saved\(base.seal.encrypts ? ", not encrypted" : ""): "
                            + "'helix \(command) edit \(original.text.prefix(8))' opens it again."
                    )
                }
            }
        }
        try commit()
        // Not earlier: so far this was the only copy of the text.
        unfinished.end(original, lock)
        if outgoing == nil, original != id { try store.dropKept(original) }
        if hasFailed {
            throw HelixError(
                .configuration, "the editor '\(editor)' failed",
                hint: "Set EDITOR to an installed editor."
                    + (id.map { " Your text is saved as draft \($0.text.prefix(6))." } ?? ""))
        }
        return true
    }

    /// Parses the edited text into the draft.
    /// - Throws: ``HelixError``: it cannot be parsed, or an attached file is missing.
    mutating func take(_ text: String, original: MessageDraft) throws {
        let context = context
        let content = try MessageTemplate.read(text, original: original) { try context.people(named: $0) }
        let files = try content.files.map { try DraftFiles.attachment($0, context) }
        draft = content.draft
        draft.attachments += files
        // Removing the From line selects the default address.
        if draft.from == nil { draft.from = context.sender(in: account) }
    }

    /// Saves the draft, in the mailbox or in the outbox.
    /// - Throws: ``HelixError``.
    mutating func commit() throws {
        if let outgoing { _ = try replace(outgoing, isChanged: true) } else { try save() }
    }

    private func ask(after error: HelixError) -> Bool {
        context.note(StyledText("\(error.message). \(error.hint ?? "")", TextStyle(.yellow)))
        return ["", "y", "e"].contains(context.console.ask("Edit it again? [Y/n]"))
    }

    private static func failed(_ editor: String) -> HelixError {
        HelixError(
            .configuration, "the editor '\(editor)' failed, and nothing was written",
            hint: "Set EDITOR to an installed editor, or pass the text with --body.")
    }

    /// Replaces a queued message with the draft.
    /// - Parameter isChanged: whether the message itself changed.
    /// - Returns: the queued message.
    /// - Throws: ``HelixError``: it was sent meanwhile, or has no sender or no recipients.
    func replace(_ message: OutgoingMessage, isChanged: Bool) throws -> OutgoingMessage {
        if let problem = draft.problem { throw problem }
        var changed = message
        var staged: StagedFile?
        defer { staged?.discard() }
        if isChanged {
            let date = max(context.clock, message.leavesAt)
            let bytes = try store.stageOutgoing { try context.write(draft, date: date, isFinal: true, to: $0) }
            staged = bytes
            (changed.sha256, changed.size, changed.subject) = (
                bytes.hash, bytes.size, draft.seal.encrypts ? "[...]" : draft.subject
            )
            (changed.sender, changed.recipients) = (draft.from?.text ?? "", draft.envelope)
        }
        let file = staged
        try store.change("edit the outgoing '\(changed.subject)'", command: command) { try $0.replace(changed, file) }
        return changed
    }

}

/// The user's editor.
enum Editor {
    /// `VISUAL` or `EDITOR`; empty values are ignored.
    static func command(_ environment: [String: String]) -> String {
        for name in ["VISUAL", "EDITOR"] {
            if let set = environment[name], !set.allSatisfy(\.isWhitespace) { return set }
        }
        return "vi"
    }
}
