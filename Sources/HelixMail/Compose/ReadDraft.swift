import HelixModel

extension MessageDraft {
    /// Reads a draft from a message, written by helix or by another program.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - file: its file; attachments stay there until the draft is rewritten. Nil if the message was decrypted: then
    ///     they are in memory.
    ///   - isOutgoing: whether it is a queued message: then its HTML was generated from its text.
    /// - Throws: ``HelixError`` if a library is missing.
    public init(_ message: MIMEMessage, file: String?, isOutgoing: Bool = false) throws {
        self.init()
        func addresses(_ name: String) -> [MailAddress] {
            message.headers.filter { $0.name.lowercased() == name }.flatMap { MailAddress.list($0.raw) }
        }
        from = addresses("from").first
        (to, cc, bcc, replyTo) = (addresses("to"), addresses("cc"), addresses("bcc"), addresses("reply-to"))
        subject = message.text(of: "Subject") ?? ""
        messageID = message.header("Message-ID").flatMap { MessageIDs.first($0) }
        inReplyTo = message.header("In-Reply-To").flatMap { MessageIDs.list($0).first }
        references = message.header("References").map { MessageIDs.list($0) } ?? []
        isMarkdown =
            message.header(MessageWriter.markdownHeader) != nil
            || isOutgoing && message.parts.prefix(2).contains { $0.type == "multipart/alternative" }
        forwarded = message.header(MessageWriter.forwardedHeader).flatMap { MessageIDs.first($0) }
        seal = message.text(of: MessageWriter.securityHeader).map { MessageSeal(text: $0) } ?? MessageSeal()
        let content = MessageBody(message, opensMessages: false)
        body = try Self.text(message, content)
        attachments = DraftAttachment.all(of: content, in: message, file: file)
    }

    /// The text as written, if it is a single plain part; otherwise, as it is shown to readers.
    private static func text(_ message: MIMEMessage, _ content: MessageBody) throws -> String {
        if content.sections.count == 1, case .plain(let part)? = content.sections.first,
            part.contentType["format"]?.lowercased() != "flowed"
        {
            return message.text(of: part)
        }
        let text = try MessageText(message, body: content).plain
        return text.isEmpty ? "" : text + "\n"
    }
}

extension DraftAttachment {
    /// The attachments of a message, to be sent again.
    public static func all(of body: MessageBody, in message: MIMEMessage, file: String?) -> [DraftAttachment] {
        body.attachments.map { part in
            return DraftAttachment(
                name: FileName.safe(part.label, fallback: "part-\(part.index + 1)"),
                type: part.kind == .message ? "message/rfc822" : part.type, size: part.encodedSize,
                charset: part.contentType["charset"], method: part.contentType["method"],
                source: file.map { .part(file: $0, index: part.index) } ?? .content(message.content(of: part)))
        }
    }
}
