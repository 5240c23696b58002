import HelixModel

/// A draft as plain text for an editor: a head of `Name: value` lines, an empty line, the text.
///
/// ```
/// From: Me <me@example.org>
/// To: Ana Rossi <ana@example.org>
/// Subject: Re: Plans
/// Attached: plan.pdf
///
/// Hello Ana, …
/// ```
public enum MessageTemplate {
    /// What a text says, read back.
    public struct Content: Sendable {
        /// The draft, with those of its attachments that are still named.
        public var draft: MessageDraft
        /// Files that are to be attached, as they were typed.
        public var files: [String]
    }

    /// The text of a draft.
    public static func text(_ draft: MessageDraft) -> String {
        func list(_ addresses: [MailAddress]) -> String { addresses.map(\.typed).joined(separator: ", ") }
        var lines = ["From: \(draft.from?.typed ?? "")", "To: \(list(draft.to))", "Cc: \(list(draft.cc))"]
        lines.append("Bcc: \(list(draft.bcc))")
        if !draft.replyTo.isEmpty { lines.append("Reply-To: \(list(draft.replyTo))") }
        lines.append("Subject: \(draft.subject.oneLine)")
        if let id = draft.inReplyTo { lines.append("In-Reply-To: <\(id)>") }
        if draft.isMarkdown { lines.append("Markdown: yes") }
        for attachment in draft.attachments { lines.append("Attached: \(attachment.name)") }
        lines.append("# 'Attach: ~/plan.pdf' attaches a file, 'Markdown: yes' sends HTML, too.")
        return lines.joined(separator: "\n") + "\n\n" + draft.body
    }

    /// Reads a text back.
    ///
    /// - Parameter original: the draft that the text was made of, which knows what is attached and what came before.
    /// - Throws: ``HelixError`` of code `badInput` that names the line: nothing of what was typed is guessed at.
    public static func read(_ text: String, original: MessageDraft) throws -> Content {
        var content = Content(draft: original, files: [])
        (content.draft.to, content.draft.cc, content.draft.bcc, content.draft.replyTo) = ([], [], [], [])
        (content.draft.from, content.draft.inReplyTo, content.draft.isMarkdown) = (nil, nil, false)
        var kept: [DraftAttachment] = []
        var left = original.attachments
        let lines = text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
        var place = 0
        while place < lines.count, !lines[place].allSatisfy(\.isWhitespace) {
            let number = place + 1
            var line = String(lines[place])
            place += 1
            if line.hasPrefix("#") { continue }
            // A line that begins with a blank goes on with the one before it.
            while place < lines.count, lines[place].first?.isWhitespace == true,
                !lines[place].allSatisfy(\.isWhitespace)
            {
                line += " " + String(lines[place]).trimmed
                place += 1
            }
            guard let colon = line.firstIndex(of: ":") else {
                throw wrong(number, "'\(line.prefix(40))' is no line of the head", "An empty line ends the head.")
            }
            let value = String(line[line.index(after: colon)...]).trimmed
            do {
                switch line[..<colon].lowercased() {
                case "attach": if !value.isEmpty { content.files.append(value) }
                case "attached":
                    guard let found = left.firstIndex(where: { $0.name == value }) else {
                        throw HelixError(
                            .badInput, "nothing attached is '\(value)'", hint: "'Attach: FILE' adds a file.")
                    }
                    kept.append(left.remove(at: found))
                default: try content.draft.set(String(line[..<colon]), value)
                }
            } catch let error as HelixError {
                throw wrong(number, error.message, error.hint)
            }
        }
        content.draft.attachments = kept
        // Who takes the line away that says what is answered begins a conversation.
        if content.draft.inReplyTo == nil { content.draft.references = [] }
        content.draft.body = lines[min(place + 1, lines.count)...].joined(separator: "\n")
        return content
    }

    private static func wrong(_ line: Int, _ message: String, _ hint: String?) -> HelixError {
        HelixError(.badInput, "line \(line): \(message)", hint: hint)
    }
}

extension MessageDraft {
    /// Takes a line of the head.
    /// - Throws: ``HelixError``: an address that is none, a name that has no meaning here.
    fileprivate mutating func set(_ name: String, _ value: String) throws {
        switch name.lowercased() {
        case "from":
            let typed = try MailAddress.typed(value)
            guard typed.count < 2 else { throw HelixError(.badInput, "a message has one sender") }
            from = typed.first
        case "to": to += try MailAddress.typed(value)
        case "cc": cc += try MailAddress.typed(value)
        case "bcc": bcc += try MailAddress.typed(value)
        case "reply-to": replyTo += try MailAddress.typed(value)
        case "subject": subject = value
        case "in-reply-to":
            inReplyTo = MessageIDs.list(Array(value.utf8)).first
            if let id = inReplyTo, references.last != id { references = references.filter { $0 != id } + [id] }
        case "markdown":
            guard ["yes", "no", ""].contains(value.lowercased()) else {
                throw HelixError(.badInput, "Markdown is yes or no, not '\(value)'")
            }
            isMarkdown = value.lowercased() == "yes"
        default:
            throw HelixError(
                .badInput, "'\(name.prefix(40)):' means nothing here",
                hint: "There are From, To, Cc, Bcc, Reply-To, Subject, In-Reply-To, Markdown, Attach and Attached. "
                    + "An empty line ends the head.")
        }
    }
}
