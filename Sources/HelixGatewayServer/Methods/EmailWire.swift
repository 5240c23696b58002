import FoundationEssentials
import HelixGateway
import HelixMail
import HelixModel
import HelixStore
import HelixSync

/// The wire format of messages.
enum EmailWire {
    static func text(_ instant: Instant) -> JSONText { .string(ISO8601.text(instant, in: .utc)) }

    static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    static func address(_ address: MailAddress) -> JSONText {
        ["name": address.name.isEmpty ? nil : .string(address.name), "email": .string(address.address)]
    }

    private static func addresses(_ text: String) -> [MailAddress] {
        text.split(separator: "\n").map { MailAddress(text: $0) }
    }

    /// A message in a list: its body is the start of the text.
    static func json(_ message: EmailMessage, _ call: MethodCall) -> JSONText {
        json(message, call, body: message.snippet)
    }

    private static func json(
        _ message: EmailMessage, _ call: MethodCall, body: String, html: String? = nil, attachments: [JSONText]? = nil,
        answered: String? = nil
    ) -> JSONText {
        let from = addresses(message.from).first ?? MailAddress(address: "")
        return [
            "id": .string(message.id.text), "userId": .string(call.session.user.id.text),
            "account_id": .string(message.account), "mailbox": .string(message.mailbox), "from": address(from),
            "to": .array(addresses(message.to).map(address)), "cc": .array(addresses(message.cc).map(address)),
            "subject": .string(message.subject), "body": .string(body), "htmlBody": html.map { .string($0) },
            "is_read": .bool(message.flags.contains(.seen)), "is_starred": .bool(message.flags.contains(.flagged)),
            "isRead": .bool(message.flags.contains(.seen)), "isStarred": .bool(message.flags.contains(.flagged)),
            "threadId": .string(String(message.thread)), "thread_id": .string(String(message.thread)),
            // The app for Android cannot read a message without one.
            "message_id": .string(message.messageID ?? message.id.text),
            "in_reply_to": answered.map { .string($0) },
            "labels": .strings(message.labels), "attachment_count": .integer(message.attachments.count),
            "attachments": attachments.map { .array($0) }, "timestamp": text(message.date),
            "received_at": text(message.date), "created_at": text(message.date), "updated_at": text(message.date),
            "is_deleted": false,
        ]
    }

    /// The file of a message; fetched completely if only its headers are stored.
    static func file(_ id: EntityID, _ store: Store) throws -> MIMEMessage {
        let message = try store.message(id)
        if message.traits & MessageSummary.Traits.isPartial.rawValue != 0 { try complete(id, store) }
        return try MIMEMessage(path: try store.messageFile(id))
    }

    /// Fetches the rest of a message of which only the headers are stored.
    static func complete(_ id: EntityID, _ store: Store) throws { try BodyFetch(store).run(id) }

    /// A message with its text and attachments.
    static func whole(_ id: EntityID, _ call: MethodCall, _ store: Store) throws -> JSONText {
        let parsed = try file(id, store)
        let body = MessageBody(parsed)
        let html = body.sections.lazy.compactMap { section -> MIMEPart? in
            if case .html(let part) = section { part } else { nil }
        }.first.map { parsed.text(of: $0, limit: 4 << 20) }
        let attachments = body.attachments.map { part -> JSONText in
            [
                "id": .string(String(part.index)), "filename": .string(part.filename ?? "part \(part.index)"),
                "mimeType": .string(part.type), "content_type": .string(part.type),
                "size": .integer(parsed.size(of: part)), "size_bytes": .integer(parsed.size(of: part)),
            ]
        }
        let message = try store.message(id)
        return json(
            message, call, body: try MessageText(parsed, body: body).plain, html: html, attachments: attachments,
            answered: try store.references(in: message.thread)[id]?.last)
    }
}
