import HelixGateway
import HelixMail
import HelixModel
import HelixStore

/// Drafts and outgoing messages.
enum EmailWriting {
    /// A saved draft.
    struct Saved {
        var id: EntityID
        var draft: MessageDraft
        var account: String
        var at: Instant
    }

    /// The account to send from: the named one, or the first that can send.
    private static func account(_ name: String?, _ store: Store) throws -> Account? {
        let all = try store.mailAccounts()
        if let name {
            guard let found = all.first(where: { $0.name == name || $0.id.text == name }) else {
                throw HelixError(.notFound, "unknown account \(name)")
            }
            return found
        }
        return all.first { $0.settings.canSend } ?? all.first { $0.kind.hasMailServer } ?? all.first
    }

    private static func read(_ params: inout Params, _ store: Store) throws -> (MessageDraft, Account?) {
        let account = try account(try params.text("account_id", most: 64), store)
        var draft = MessageDraft()
        draft.to = try people("to", &params)
        draft.cc = try people("cc", &params)
        draft.bcc = try people("bcc", &params)
        draft.subject = SafeHeader.line(try params.text("subject", most: 4096) ?? "")
        draft.body = try params.text("body", most: 1 << 20) ?? ""
        if let answered = try params.text("in_reply_to", most: 1024) {
            // The apps send the id that they have for the message.
            let message = try EntityID(answered).flatMap { id in try HelixError.ifFound { try store.message(id) } }
            guard let id = message?.messageID ?? MessageID.written(answered) else {
                throw params.wrong("in_reply_to", "is neither the id of a message nor a Message-ID")
            }
            draft.inReplyTo = id
            draft.references = (try message.flatMap { try store.references(in: $0.thread)[$0.id] } ?? []) + [id]
        }
        try params.end()
        if let address = account?.settings.address { draft.from = MailAddress(address: address) }
        draft.messageID = MessageDraft.newMessageID(for: draft.from)
        return (draft, account)
    }

    /// Addresses: each `{"email", "name"}`, or the address alone, depending on the app.
    private static func people(_ name: String, _ params: inout Params) throws -> [MailAddress] {
        guard let value = params.take(name) else { return [] }
        guard let elements = value.elements, elements.count <= 500 else { throw params.wrong(name, "must be an array") }
        return try elements.flatMap { element -> [MailAddress] in
            if let text = element.text { return try typed(text, name, params) }
            var fields = try Params(element, of: name)
            let address = try fields.needed("email", most: 512)
            let shown = try fields.text("name", most: 512) ?? ""
            try fields.end()
            return try typed(address, name, params).map {
                MailAddress(name: SafeHeader.line(shown), address: $0.address)
            }
        }
    }

    private static func typed(_ text: String, _ name: String, _ params: Params) throws -> [MailAddress] {
        do { return try MailAddress.typed(text) } catch let error as HelixError {
            throw params.wrong(name, "is not an address: \(error.message)")
        }
    }

    static func send(_ call: inout MethodCall, _ store: Store) throws -> JSONText {
        let (draft, account) = try read(&call.params, store)
        guard let account, account.settings.canSend else {
            throw GatewayError(.notLinked, "no account can send mail")
        }
        if let problem = draft.problem { throw problem }
        let writer = MessageWriter(draft, date: call.now, zone: .utc, isFinal: true) { _, _ in }
        let staged = try store.stageOutgoing { try writer.write(to: $0) }
        defer { staged.discard() }
        let message = OutgoingMessage(
            id: EntityID(), account: account.id, state: .queued, madeAt: call.now, leavesAt: call.now,
            messageID: draft.messageID ?? "", sender: draft.from?.text ?? "", recipients: draft.envelope,
            subject: draft.subject, sha256: staged.hash, size: staged.size)
        try call.change("send '\(draft.subject)'", in: store) { change, _ in try change.queue(message, staged) }
        call.services.accounts.sync(call.session.user.id)
        return [
            "id": .string(message.id.text), "userId": .string(call.session.user.id.text),
            "from": draft.from.map(EmailWire.address), "to": .array(draft.to.map(EmailWire.address)),
            "cc": .array(draft.cc.map(EmailWire.address)), "bcc": .array(draft.bcc.map(EmailWire.address)),
            "subject": .string(draft.subject), "body": .string(draft.body), "is_read": true, "is_starred": false,
            "thread_id": "", "message_id": draft.messageID.map { .string($0) },
            "in_reply_to": draft.inReplyTo.map { .string($0) }, "labels": [], "attachment_count": 0,
            "timestamp": EmailWire.text(call.now),
        ]
    }

    static func save(_ call: inout MethodCall, _ store: Store) throws -> Saved {
        let (draft, account) = try read(&call.params, store)
        let target = try account ?? store.localAccount(named: "local")
        let writer = MessageWriter(draft, date: call.now, zone: .utc, isFinal: false) { _, _ in }
        let staged = try store.stageMessage(for: target, flags: [.draft, .seen]) { try writer.write(to: $0) }
        let id = try call.change("save draft '\(draft.subject)'", in: store) { change, _ in
            try change.place(staged, in: .role(.drafts))
        }
        return Saved(id: id, draft: draft, account: target.name, at: call.now)
    }

    static func draft(_ call: inout MethodCall, _ store: Store) throws -> JSONText {
        let saved = try save(&call, store)
        return try json(saved, call)
    }

    static func json(_ saved: Saved, _ call: MethodCall) throws -> JSONText {
        let draft = saved.draft
        return [
            "id": .string(saved.id.text), "userId": .string(call.session.user.id.text),
            "accountId": .string(saved.account), "created_at": EmailWire.text(saved.at),
            "updated_at": EmailWire.text(saved.at), "to": .array(draft.to.map(EmailWire.address)),
            "cc": .array(draft.cc.map(EmailWire.address)), "bcc": .array(draft.bcc.map(EmailWire.address)),
            "subject": .string(draft.subject), "body": .string(draft.body),
            "inReplyTo": draft.inReplyTo.map { .string($0) }, "attachments": [], "timestamp": EmailWire.text(saved.at),
        ]
    }
}

/// Text for a header, on one line.
enum SafeHeader {
    static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
    }
}
