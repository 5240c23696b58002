import HelixModel

/// A draft as plain text for an editor: headers as `Name: value` lines, an empty line, the text.
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
    /// The parsed content of a text.
    public struct Content: Sendable {
        /// The draft, with the attachments that are still listed.
        public var draft: MessageDraft
        /// Files to attach, as typed.
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
        if !draft.seal.text.isEmpty { lines.append("Security: \(draft.seal.text)") }
        for attachment in draft.attachments { lines.append("Attached: \(attachment.name)") }
        lines.append("# 'Attach: ~/plan.pdf' attaches a file, 'Markdown: yes' sends HTML, too.")
        return lines.joined(separator: "\n") + "\n\n" + draft.body
    }

    /// Parses a text.
    ///
    /// - Parameters:
    ///   - original: the draft that the text was generated from, with its attachments and references.
    ///   - people: the addresses of a name that stands in place of an address; nil if it is unknown.
    /// - Throws: ``HelixError`` of code `badInput` with the line number, for any line that cannot be parsed.
    public static func read(
        _ text: String, original: MessageDraft, people: (String) throws -> [MailAddress]? = { _ in nil }
    ) throws -> Content {
        var content = Content(draft: original, files: [])
        (content.draft.to, content.draft.cc, content.draft.bcc, content.draft.replyTo) = ([], [], [], [])
        (content.draft.from, content.draft.inReplyTo, content.draft.isMarkdown) = (nil, nil, false)
        content.draft.seal = MessageSeal()
        var kept: [DraftAttachment] = []
        var left = original.attachments
        let lines = text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
        var place = 0
        while place < lines.count, !lines[place].allSatisfy(\.isWhitespace) {
            let number = place + 1
            var line = String(lines[place])
            place += 1
            if line.hasPrefix("#") { continue }
            // A line that begins with a blank continues the previous one.
            while place < lines.count, lines[place].first?.isWhitespace == true,
                !lines[place].allSatisfy(\.isWhitespace)
            {
                line += " " + String(lines[place]).trimmed
                place += 1
            }
            guard let colon = line.firstIndex(of: ":") else {
                throw wrong(number, "'\(line.prefix(40))' is not a header", "An empty line ends the headers.")
            }
            let value = String(line[line.index(after: colon)...]).trimmed
            do {
                switch line[..<colon].lowercased() {
                case "attach": if !value.isEmpty { content.files.append(value) }
                case "attached":
                    guard let found = left.firstIndex(where: { $0.name == value }) else {
                        throw HelixError(
                            .badInput, "no attachment '\(value)'", hint: "'Attach: FILE' adds a file.")
                    }
                    kept.append(left.remove(at: found))
                default: try content.draft.set(String(line[..<colon]), value, people)
                }
            } catch let error as HelixError {
                throw wrong(number, error.message, error.hint)
            }
        }
        content.draft.attachments = kept
        // Removing In-Reply-To starts a new conversation.
        if content.draft.inReplyTo == nil { content.draft.references = [] }
        content.draft.body = lines[min(place + 1, lines.count)...].joined(separator: "\n")
        return content
    }

    private static func wrong(_ line: Int, _ message: String, _ hint: String?) -> HelixError {
        HelixError(.badInput, "line \(line): \(message)", hint: hint)
    }
}

extension MessageDraft {
    /// Applies a header line.
    /// - Throws: ``HelixError`` for an invalid address or an unknown header.
    fileprivate mutating func set(
        _ name: String, _ value: String, _ people: (String) throws -> [MailAddress]?
    ) throws {
        switch name.lowercased() {
        case "from":
            let typed = try MailAddress.typed(value)
            guard typed.count < 2 else { throw HelixError(.badInput, "a message has one sender") }
            from = typed.first
        case "to": to += try MailAddress.typed(value, people: people)
        case "cc": cc += try MailAddress.typed(value, people: people)
        case "bcc": bcc += try MailAddress.typed(value, people: people)
        case "reply-to": replyTo += try MailAddress.typed(value)
        case "subject": subject = value
        case "in-reply-to":
            inReplyTo = MessageIDs.list(Array(value.utf8)).first
            if let id = inReplyTo, references.last != id { references = references.filter { $0 != id } + [id] }
        case "markdown":
            guard ["yes", "no", ""].contains(value.lowercased()) else {
                throw HelixError(.badInput, "Markdown takes yes or no, not '\(value)'")
            }
            isMarkdown = value.lowercased() == "yes"
        case "security": try seal.apply(value)
        default:
            throw HelixError(
                .badInput, "unknown header '\(name.prefix(40)):'",
                hint:
                    "Headers: From, To, Cc, Bcc, Reply-To, Subject, In-Reply-To, Markdown, Security, Attach and Attached. "
                    + "An empty line ends the headers.")
        }
    }
}
