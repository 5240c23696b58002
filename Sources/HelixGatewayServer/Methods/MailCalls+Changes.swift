import FoundationEssentials
import HelixGateway
import HelixMail
import HelixModel
import HelixStore

/// Changes of messages.
extension MailCalls {
    /// `Email/set` (RFC 8621 §4.6): flags, labels, the mailbox, and deletion.
    mutating func setEmails(_ arguments: JSONText) throws -> JSONText {
        let updates = arguments["update"]?.fields ?? []
        let destroyed = arguments["destroy"]?.strings ?? []
        guard updates.count + destroyed.count <= MailCalls.mostInSet else { throw Refusal(type: "requestTooLarge") }
        var (updated, notUpdated): ([JSONText.Field], [JSONText.Field]) = ([], [])
        // Messages with the same change are changed together.
        var order: [JSONText] = []
        var groups: [JSONText: [String]] = [:]
        for update in updates {
            if groups[update.value] == nil { order.append(update.value) }
            groups[update.value, default: []].append(update.name)
        }
        for patch in order {
            let parsed = Result { try edit(patch) }
            for (id, refusal) in edit(groups[patch] ?? [], parsed) {
                if let refusal {
                    notUpdated.append(JSONText.Field(name: id, value: refusal.json))
                } else {
                    updated.append(JSONText.Field(name: id, value: .null))
                }
            }
        }
        var deletion = MessageEdit()
        deletion.target = .deleted
        let results = edit(destroyed, .success(deletion))
        return [
            "newState": .string(try store.servedState(of: account)), "updated": .object(updated),
            "notUpdated": .object(notUpdated), "destroyed": .strings(results.filter { $0.1 == nil }.map(\.0)),
            "notDestroyed": .object(
                results.compactMap { id, refusal in refusal.map { JSONText.Field(name: id, value: $0.json) } }),
        ]
    }

    /// Changes messages, in one change if possible.
    /// - Returns: the refusals, by id.
    private mutating func edit(_ ids: [String], _ parsed: Result<MessageEdit, any Error>) -> [(String, Refusal?)] {
        if ids.isEmpty { return [] }
        do {
            let edit = try parsed.get()
            let found = try store.servedMessages(ids, of: account)
            let known = Set(found.map(\.id))
            let missing = ids.filter { !known.contains($0) }.map { ($0, Optional(Refusal(type: "notFound"))) }
            if found.isEmpty { return missing }
            let what = found.count == 1 ? "a message" : "\(found.count) messages"
            let verb = edit.target == .deleted ? "delete" : edit.target != nil ? "move" : "mark"
            do {
                try call.change("\(verb) \(what)", in: store) { change, _ in
                    _ = try change.editMessages(found.map(\.message), edit)
                }
                return missing + found.map { ($0.id, nil) }
            } catch  where found.count > 1 {
                // One of them is refused: the rest is changed one by one.
                return missing + found.flatMap { self.edit([$0.id], parsed) }
            }
        } catch { return ids.map { ($0, Refusal(error)) } }
    }

    /// The change that a patch describes (RFC 8620 §5.3): single keywords and mailboxes.
    private func edit(_ patch: JSONText) throws -> MessageEdit {
        var edit = MessageEdit()
        for field in patch.fields ?? [] {
            let parts = field.name.split(separator: "/", maxSplits: 1).map(String.init)
            let isSet = field.value.bool == true
            guard parts.count == 2, isSet || field.value.isNull else {
                throw Refusal(type: "invalidPatch", text: field.name)
            }
            let name = parts[1].replacing("~1", with: "/").replacing("~0", with: "~")
            switch (parts[0], MailKeywords.flag(name)) {
            case ("keywords", let flag?): if isSet { edit.set.insert(flag) } else { edit.clear.insert(flag) }
            case ("keywords", nil): if isSet { edit.addedLabels.append(name) } else { edit.removedLabels.append(name) }
            case ("mailboxIds", _): if isSet { edit.target = .named(try mailbox(name).name) }
            default: throw Refusal(type: "invalidPatch", text: field.name)
            }
        }
        return edit
    }

    /// `Email/import` (RFC 8621 §4.8).
    mutating func importEmails(_ arguments: JSONText) throws -> JSONText {
        var (made, refused): ([JSONText.Field], [JSONText.Field]) = ([], [])
        for field in arguments["emails"]?.fields ?? [] {
            do {
                let id = try importEmail(field.value)
                created[field.name] = id
                made.append(JSONText.Field(name: field.name, value: ["id": .string(id), "blobId": .string(id)]))
            } catch { refused.append(JSONText.Field(name: field.name, value: Refusal(error).json)) }
        }
        return [
            "newState": .string(try store.servedState(of: account)), "created": .object(made),
            "notCreated": .object(refused),
        ]
    }

    private mutating func importEmail(_ email: JSONText) throws -> String {
        guard let blob = email["blobId"]?.text,
            let target = (email["mailboxIds"]?.fields ?? []).first(where: { $0.value.bool == true })?.name
        else { throw Refusal(type: "invalidProperties", text: "blobId and mailboxIds are required") }
        let box = try mailbox(target)
        let bytes = try MailUploads(store).bytes(blob)
        let words = (email["keywords"]?.fields ?? []).filter { $0.value.bool == true }.map(\.name)
        let (flags, labels) = MailKeywords.parts(words)
        let staged = try store.stageMessage(for: account, flags: flags) { try $0(bytes) }
        let id = try call.change("file '\(staged.subject)'", in: store) { change, _ in
            let id = try change.place(staged, in: .named(box.name))
            var edit = MessageEdit()
            edit.addedLabels = labels
            if !labels.isEmpty { try change.editMessages([id], edit) }
            return id
        }
        MailUploads(store).remove(blob)
        let message = try store.message(id)
        return "\(id.text).\(message.number)"
    }

    /// `EmailSubmission/set` (RFC 8621 §7.5): queues messages to send.
    mutating func submit(_ arguments: JSONText) throws -> JSONText {
        var (made, refused): ([JSONText.Field], [JSONText.Field]) = ([], [])
        for field in arguments["create"]?.fields ?? [] {
            do {
                let id = try queue(field.value)
                made.append(JSONText.Field(name: field.name, value: ["id": .string(id.text)]))
                let isTemporary = arguments["onSuccessDestroyEmail"]?.strings?.contains("#" + field.name) == true
                if isTemporary, let email = try? self.email(field.value) {
                    _ = try setEmails(["destroy": .strings([email])])
                }
            } catch { refused.append(JSONText.Field(name: field.name, value: Refusal(error).json)) }
        }
        if !made.isEmpty { call.services.accounts.sync(call.session.user.id) }
        return ["created": .object(made), "notCreated": .object(refused)]
    }

    /// The id of the message of a submission, which may be one that the same request created.
    private func email(_ submission: JSONText) throws -> String {
        guard let text = submission["emailId"]?.text else { throw Refusal(type: "invalidProperties", text: "emailId") }
        guard text.hasPrefix("#") else { return text }
        guard let id = created[String(text.dropFirst())] else { throw Refusal(type: "notFound", text: "emailId") }
        return id
    }

    private mutating func queue(_ submission: JSONText) throws -> EntityID {
        guard account.settings.canSend else {
            throw Refusal(type: "forbiddenToSend", text: "the account '\(account.name)' cannot send mail")
        }
        guard let message = try store.servedMessages([try email(submission)], of: account).first else {
            throw Refusal(type: "notFound", text: "emailId")
        }
        let envelope = submission["envelope"]
        let recipients = (envelope?["rcptTo"]?.elements ?? []).compactMap { $0["email"]?.text }
        let (count, limit) = (recipients.count, 500)
        guard count > 0 else { throw Refusal(type: "noRecipients") }
        guard count <= limit else { throw Refusal(type: "tooManyRecipients", text: "at most \(limit) recipients") }
        let checked = try recipients.flatMap { try MailAddress.typed($0) }.map(\.address)
        let shown = try store.message(message.message)
        let sender = SafeHeader.line(envelope?["mailFrom"]?["email"]?.text ?? account.settings.address ?? "")
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: try store.messageFile(message.message))))
        let staged = try store.stageOutgoing { try $0(bytes) }
        defer { staged.discard() }
        let queued = OutgoingMessage(
            id: EntityID(), account: account.id, state: .queued, madeAt: call.now, leavesAt: call.now,
            messageID: shown.messageID ?? "", sender: sender, recipients: checked, subject: shown.subject,
            sha256: staged.hash, size: staged.size)
        try call.change("send '\(shown.subject)'", in: store) { change, _ in try change.queue(queued, staged) }
        return queued.id
    }
}
