import HelixGateway
import HelixMail
import HelixModel
import HelixStore

/// `email.*` for the phone apps: the method names and results of the one for iOS, and of the one for Android where they
/// differ (docs/gateway.md, "Mail").
enum EmailMethods {
    static let all: [GatewayMethod] = [
        .user("email.list", .read) { call, store in
            let limit = try call.params.integer("limit", in: 1...500) ?? (call.session.dialect.isAndroid ? 50 : 20)
            let skip =
                try call.params.integer("skip", in: 0...1_000_000)
                ?? call.params.integer("offset", in: 0...1_000_000) ?? 0
            let account = try call.params.text("account_id", most: 64)
            let mailbox = try EmailSearch.mailbox(&call) ?? "inbox"
            try call.params.end()
            let isAll = mailbox.lowercased() == "all"
            let asked = MailQuery.all(
                (account.map { [.account($0)] } ?? []) + (isAll ? [] : [.mailbox(mailbox)]))
            let found = try store.messages(asked, limit: skip + limit + 1)
            let emails = found.dropFirst(skip).prefix(limit).map { EmailWire.json($0, call) }
            let total = try store.knownMessageCount(asked)
            return [
                "emails": .array(emails),
                "pagination": [
                    "total_count": .integer(total), "page_size": .integer(limit),
                    "page_number": .integer(skip / limit + 1),
                    "has_more": .bool(found.count > skip + limit),
                ],
            ]
        },
        .user("email.get", .read) { call, store in
            let id = try call.params.neededIdentity("id")
            try call.params.end()
            return try EmailWire.whole(id, call, store)
        },
        .user("email.search", .read) { call, store in try EmailSearch.run(&call, store) },
        .user("email.mark_read", .write) { call, store in try mark("is_read", .seen, &call, store) },
        .user("email.mark_starred", .write) { call, store in try mark("is_starred", .flagged, &call, store) },
        .user("email.add_label", .write) { call, store in
            try label(&call, store) { $0.addedLabels = [$1] }
        },
        .user("email.remove_label", .write) { call, store in
            try label(&call, store) { $0.removedLabels = [$1] }
        },
        .user("email.delete", .write) { call, store in try move(.role(.trash), "trash", &call, store) },
        .user("email.delete_permanent", .write) { call, store in try move(.deleted, "delete", &call, store) },
        .user("email.send", .write) { call, store in try EmailWriting.send(&call, store) },
        .user("email.save_draft", .write) { call, store in
            .string(try EmailWriting.save(&call, store).id.text)
        },
        .user("email.draft.save", .write) { call, store in try EmailWriting.draft(&call, store) },
        .user("email.thread", .read) { call, store in ["emails": try thread(&call, store)] },
        .user("email.thread.get", .read) { call, store in try thread(&call, store) },
        .user("email.attachment_url", .read) { call, store in .string(try attachment(&call, store)) },
        .user("email.attachment.url", .read) { call, store in ["url": .string(try attachment(&call, store))] },
        .user("email.analytics", .read) { call, store in
            let account = try call.params.text("account_id", most: 64)
            try call.params.end()
            return try EmailSearch.analytics(account, call, store)
        },
        .user("email.statistics", .read) { call, store in
            guard let start = try call.params.instant("start_date"), let end = try call.params.instant("end_date"),
                start < end
            else { throw call.params.wrong("start_date", "and end_date are required, in this order") }
            try call.params.end()
            return ["data": .array(try EmailSearch.days(TimeRange(start: start, end: end), store))]
        },
    ]

    private static func mark(
        _ name: String, _ flag: MessageFlags, _ call: inout MethodCall, _ store: Store
    ) throws -> JSONText {
        let id = try call.params.neededIdentity("id")
        guard let isSet = try call.params.bool(name) else { throw call.params.wrong(name, "is required") }
        try call.params.end()
        var edit = MessageEdit()
        if isSet { edit.set = flag } else { edit.clear = flag }
        return try change(id, edit, "mark", &call, store)
    }

    private static func label(
        _ call: inout MethodCall, _ store: Store, _ body: (inout MessageEdit, String) -> Void
    ) throws -> JSONText {
        let id = try call.params.identity("email_id") ?? call.params.neededIdentity("id")
        let label = try call.params.needed("label", most: 256)
        try call.params.end()
        var edit = MessageEdit()
        body(&edit, label)
        return try change(id, edit, "label", &call, store)
    }

    private static func move(
        _ target: MessageEdit.Target, _ verb: String, _ call: inout MethodCall, _ store: Store
    ) throws -> JSONText {
        let id = try call.params.neededIdentity("id")
        try call.params.end()
        let message = try store.message(id)
        var edit = MessageEdit()
        edit.target = target
        try call.change("\(verb) '\(message.subject)'", in: store) { change, _ in
            _ = try change.editMessages([id], edit)
        }
        return ["id": .string(id.text), "deleted": true]
    }

    private static func change(
        _ id: EntityID, _ edit: MessageEdit, _ verb: String, _ call: inout MethodCall, _ store: Store
    ) throws -> JSONText {
        let message = try store.message(id)
        try call.change("\(verb) '\(message.subject)'", in: store) { change, _ in
            _ = try change.editMessages([id], edit)
        }
        return EmailWire.json(try store.message(id), call)
    }

    private static func thread(_ call: inout MethodCall, _ store: Store) throws -> JSONText {
        let text = try call.params.needed("thread_id", most: 64)
        try call.params.end()
        guard let number = Int64(text) else { throw call.params.wrong("thread_id", "is not a thread id") }
        let found = try store.thread(number)
        if found.isEmpty { throw HelixError(.notFound, "unknown thread \(text)") }
        return .array(found.map { EmailWire.json($0, call) })
    }

    /// The attachment as a data URL (RFC 2397): no further request is needed, and no other user can fetch it.
    private static func attachment(_ call: inout MethodCall, _ store: Store) throws -> String {
        let id = try call.params.neededIdentity("email_id")
        let name = try call.params.needed("attachment_id", most: 64)
        try call.params.end()
        let message = try EmailWire.file(id, store)
        let parts = MessageBody(message).attachments
        guard let number = Int(name), let part = parts.first(where: { $0.index == number }) else {
            throw HelixError(.notFound, "the message has no attachment \(name)")
        }
        let most = 8 << 20
        let bytes = message.content(of: part, limit: most + 1)
        guard bytes.count <= most else {
            throw GatewayError(.invalidRequest, "the attachment is larger than \(most >> 20) MB")
        }
        let type =
            part.type.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2C && $0 != 0x3B }
            ? part.type : "application/octet-stream"
        return "data:\(type);base64,\(EmailWire.base64(bytes))"
    }
}
