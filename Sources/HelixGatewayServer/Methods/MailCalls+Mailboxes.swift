import HelixGateway
import HelixModel
import HelixStore
import HelixSync

/// Mailboxes.
extension MailCalls {
    /// The mailbox of the account with an id.
    /// - Throws: ``Refusal``.
    func mailbox(_ id: String) throws -> Mailbox {
        guard let found = try own().first(where: { String($0.mailbox.number) == id }) else {
            throw Refusal(type: "notFound", text: "mailbox \(id)")
        }
        return found.mailbox
    }

    private func own() throws -> [(mailbox: Mailbox, account: String, count: Int, unread: Int)] {
        try store.mailboxes().filter { $0.mailbox.account == account.number }
    }

    /// `Mailbox/get` (RFC 8621 §2): `fullName` has all levels of the name.
    func mailboxes(_ arguments: JSONText) throws -> JSONText {
        let wanted = arguments["ids"]?.strings
        let remote = try store.remoteMailboxes(account)
        let list = try own().filter { wanted?.contains(String($0.mailbox.number)) ?? true }
        return [
            "state": .string(try store.servedState(of: account)),
            "list": .array(
                list.map { box in
                    let rights = remote.first { $0.path == box.mailbox.path }?.rights ?? .all
                    let canChange = call.session.can(.write)
                    func may(_ right: MailboxRights) -> JSONText { .bool(canChange && rights.contains(right)) }
                    return [
                        "id": .string(String(box.mailbox.number)), "name": .string(box.mailbox.name),
                        "fullName": .string(box.mailbox.name), "parentId": .null,
                        "role": box.mailbox.role.map { .string($0.rawValue) } ?? .null,
                        "totalEmails": .integer(box.count), "unreadEmails": .integer(box.unread), "isSubscribed": true,
                        "myRights": [
                            "mayReadItems": true, "maySetSeen": may(.keepSeen), "maySetKeywords": may(.keepFlags),
                            "mayAddItems": may(.insert), "mayRemoveItems": may(.remove), "mayRename": may(.delete),
                            "mayDelete": may(.delete),
                        ],
                    ]
                }),
            "notFound": .strings(
                (wanted ?? []).filter { id in !list.contains { String($0.mailbox.number) == id } }),
        ]
    }

    /// `Mailbox/set` (RFC 8621 §2.5).
    mutating func setMailboxes(_ arguments: JSONText) throws -> JSONText {
        var answer: [String: [JSONText.Field]] = [:]
        func note(_ part: String, _ name: String, _ value: JSONText) {
            answer[part, default: []].append(JSONText.Field(name: name, value: value))
        }
        var destroyed: [String] = []
        for field in arguments["create"]?.fields ?? [] {
            do {
                let name = try fullName(field.value)
                try alone { try store.addMailbox(name, in: account, as: entry(nil, name)) }
                guard let made = try own().first(where: { $0.mailbox.name == name }) else {
                    throw Refusal(type: "serverFail")
                }
                note("created", field.name, ["id": .string(String(made.mailbox.number))])
            } catch { note("notCreated", field.name, Refusal(error).json) }
        }
        for field in arguments["update"]?.fields ?? [] {
            do {
                let (box, name) = (try mailbox(field.name), try fullName(field.value))
                try alone { try store.renameMailbox(box, of: account, to: name, as: entry(box.name, name)) }
                note("updated", field.name, .null)
            } catch { note("notUpdated", field.name, Refusal(error).json) }
        }
        for id in arguments["destroy"]?.strings ?? [] {
            do {
                let box = try mailbox(id)
                try alone { try store.deleteMailbox(box, of: account, as: entry(box.name, nil)) }
                destroyed.append(id)
            } catch { note("notDestroyed", id, Refusal(error).json) }
        }
        if !answer.isEmpty || !destroyed.isEmpty {
            call.events.append(("sync.changed", ["ts": .integer(call.services.clock.milliseconds)]))
        }
        return [
            "created": .object(answer["created"] ?? []), "notCreated": .object(answer["notCreated"] ?? []),
            "updated": .object(answer["updated"] ?? []), "notUpdated": .object(answer["notUpdated"] ?? []),
            "destroyed": .strings(destroyed), "notDestroyed": .object(answer["notDestroyed"] ?? []),
        ]
    }

    /// The name with all levels: the parent's, and the last part.
    private func fullName(_ json: JSONText) throws -> String {
        guard let name = json["name"]?.text else { throw Refusal(type: "invalidProperties", text: "name") }
        guard let parent = json["parentId"]?.text else { return name }
        return try mailbox(parent).name + "/" + name
    }

    private func entry(_ former: String?, _ name: String?) -> MailboxChange {
        MailboxChange(account, from: former, to: name, command: "mail.call")
    }

    /// Runs a change of folders while no sync of the account uses them.
    private func alone(_ body: () throws -> Void) throws { try AccountSync.alone(store, account, body) }
}
