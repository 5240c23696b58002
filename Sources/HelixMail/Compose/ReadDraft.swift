import HelixModel

extension MessageDraft {
    /// The draft that a message is: written by helix, or by another program.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - file: where it lies; what is attached stays there until the draft is written anew.
    ///   - isOutgoing: whether it is what was written to be sent: then HTML beside the text was made of it.
    /// - Throws: ``HelixError`` if a library is missing.
    public init(_ message: MIMEMessage, file: String, isOutgoing: Bool = false) throws {
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
        let content = MessageBody(message)
        body = try Self.text(message, content)
        attachments = DraftAttachment.all(of: content, in: message, file: file)
    }

    /// The text as it was written: the first of it as it stands, what else there is as it is read.
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
    /// What is attached to a message, to be sent once more.
    public static func all(of body: MessageBody, in message: MIMEMessage, file: String) -> [DraftAttachment] {
        body.attachments.map { part in
            return DraftAttachment(
                name: FileName.safe(part.label, fallback: "part-\(part.index + 1)"),
                type: part.kind == .message ? "message/rfc822" : part.type, size: part.encodedSize,
                charset: part.contentType["charset"], method: part.contentType["method"],
                source: .part(file: file, index: part.index))
        }
    }
}
