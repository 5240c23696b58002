import FoundationEssentials
import HelixCrypto
import HelixGateway
import HelixGatewayStore
import HelixModel
import HelixNetwork

/// The chat methods of the family: `chat.send`, `chat.abort`, `chat.history`, `chat.inject` and `agent.wait`
/// (docs/gateway.md, "The family's methods").
enum ChatRunMethods {
    static let all: [GatewayMethod] = [
        .chat("chat.send", .write) { call, store in
            let conversation = try SessionKeys.conversation(&call, store, makes: true)
            let content = try call.params.text("message", most: ChatMessage.largestContent) ?? ""
            let key = try call.params.needed("idempotencyKey", most: 256)
            let replyTo = try call.params.identity("replyToId")
            let files = try files(&call, store)
            let writtenAt = try call.params.instant("sent_at")
            let details = try details(&call, in: conversation)
            // Parameters for agents of other gateways.
            for name in ["thinking", "deliver", "timeoutMs"] { _ = call.params.take(name) }
            try call.params.end()
            // A message of one of these words ends the answer, as at the family's gateways.
            if conversation.kind == .assistant, files.isEmpty, stopWords.contains(content.lowercased().trimmingBlanks())
            {
                return stopped(conversation, nil, call)
            }
            let draft = ChatDraft(
                id: identity(of: key, call), content: content, replyTo: replyTo, files: files,
                writtenAt: writtenAt, details: details)
            let (message, isNew, seen) = try store.say(
                draft, in: conversation.id, by: call.session.user.id, asAssistant: false, now: call.now)
            if isNew {
                call.deliveries.append(
                    MethodCall.Delivery(
                        users: seen.users, name: "chat", payload: ChatWire.event(message),
                        event: .message(conversation: seen.id, number: message.number, isNew: true)))
                if seen.users.count > 1 { call.notices.append(PushNotice(message, in: seen)) }
            }
            return [
                "runId": .string(key), "status": .string(try answer(message, isNew, key, seen, &call, store)),
                "message": call.session.dialect.form.isHelix ? ChatWire.json(message) : nil,
            ]
        },
        .chat("chat.abort", .write) { call, store in
            let conversation = try SessionKeys.conversation(&call, store, makes: false)
            let run = try call.params.text("runId", most: 256)
            try call.params.end()
            return stopped(conversation, run, call)
        },
        .chat("chat.history", .read) { call, store in
            let limit = try call.params.integer("limit", in: 1...1000) ?? 50
            let before = try call.params.integer("before", in: 1...Int.max)
            let (conversation, key) = try SessionKeys.conversationIfBegun(&call, store)
            try call.params.end()
            guard let conversation else {
                return [
                    "sessionKey": .string(key), "sessionId": .string(key), "thinkingLevel": "off", "messages": [],
                    "hasMore": false,
                ]
            }
            let messages = try store.messages(
                of: conversation.id, for: call.session.user.id, before: before.map { Int64($0) }, limit: limit)
            let isHelix = call.session.dialect.form.isHelix
            return [
                "sessionKey": .string(isHelix ? conversation.id.text : key),
                "sessionId": .string(conversation.id.text), "thinkingLevel": "off",
                "messages": .array(
                    messages.map { message in
                        [
                            "role": .string(message.role.rawValue),
                            "content": [["type": "text", "text": .string(message.content)]],
                            "timestamp": .integer(message.sentAt.seconds * 1000),
                            "__openclaw": [
                                "id": .string(message.id.text), "seq": .integer(message.number), "kind": "message",
                            ],
                            "entry": isHelix ? ChatWire.json(message) : nil,
                        ]
                    }),
                "hasMore": .bool(messages.first.map { $0.number > conversation.own.first } ?? false),
            ]
        },
        .chat("chat.inject", .write) { call, store in
            let conversation = try SessionKeys.conversation(&call, store, makes: true)
            let content = try call.params.needed("message", most: ChatMessage.largestContent)
            _ = try call.params.text("label", most: 100)
            var details = try details(&call, in: conversation)
            details.thinking = try call.params.text("thinking", most: ChatMessage.largestContent)
            try call.params.end()
            guard conversation.kind == .assistant else {
                throw HelixError(.usage, "only conversations with an assistant can be written to in its name")
            }
            let draft = ChatDraft(id: EntityID(), content: content, role: .assistant, details: details)
            let (message, _, seen) = try store.say(
                draft, in: conversation.id, by: call.session.user.id, asAssistant: true, now: call.now)
            call.deliveries.append(
                MethodCall.Delivery(
                    users: seen.users, name: "chat",
                    payload: ChatWire.event(message).setting("runId", .string("inject-\(message.id.text)")),
                    event: .message(conversation: seen.id, number: message.number, isNew: true)))
            return ["ok": true, "messageId": .string(message.id.text)]
        },
        .later("agent.wait", .write) { call, done in
            let run = try call.params.needed("runId", most: 256)
            let time = try call.params.integer("timeoutMs", in: 0...600_000) ?? 30_000
            try call.params.end()
            call.services.assistant.wait(for: run, of: call.session.user.id, milliseconds: time) { state in
                done(
                    .success([
                        "runId": .string(run), "status": .string(state.status),
                        "startedAt": state.startedAt.map { .integer($0) },
                        "endedAt": state.endedAt.map { .integer($0) }, "error": state.error.map { .string($0) },
                    ]))
            }
        },
    ]

    /// The data of a message beside its text. Other people do not learn which device it was sent from.
    private static func details(
        _ call: inout MethodCall, in conversation: GatewayConversation
    ) throws -> ChatDetails {
        let given = call.params.take("metadata")
        guard given == nil || given?.fields != nil else { throw call.params.wrong("metadata", "must be an object") }
        let metadata = ChatDetails.metadata(given)
        guard ChatDetails.fits(metadata), metadata.count == given?.fields?.count ?? 0 else {
            throw call.params.wrong(
                "metadata",
                "must have at most \(ChatDetails.mostMetadata) texts, \(ChatDetails.largestMetadata >> 10) KiB")
        }
        var details = ChatDetails(metadata: metadata)
        if [.own, .assistant].contains(conversation.kind) {
            (details.platform, details.device) = (call.session.platform, call.session.device)
        }
        return details
    }

    /// The words that end a running answer.
    private static let stopWords: Set<String> = ["/stop", "stop", "esc", "abort", "wait", "exit", "interrupt"]

    /// Ends answers of a conversation.
    private static func stopped(_ conversation: GatewayConversation, _ run: String?, _ call: MethodCall) -> JSONText {
        let gone = call.services.assistant.abort(in: conversation.id, of: call.session.user.id, only: run)
        return ["ok": true, "aborted": .bool(!gone.isEmpty), "runIds": .strings(gone)]
    }

    /// Starts the assistant's answer if the conversation has one.
    /// - Returns: `started`, `in_flight` if it is running already, and `ok` if no answer is needed or it is complete.
    private static func answer(
        _ message: GatewayMessage, _ isNew: Bool, _ key: String, _ conversation: GatewayConversation,
        _ call: inout MethodCall,
        _ store: any GatewayChatStore
    ) throws -> String {
        let (user, assistant) = (call.session.user.id, call.services.assistant)
        let member = assistant.member(of: conversation, namedIn: message.content)
        guard conversation.kind == .assistant || member != nil else { return "ok" }
        if !isNew { return assistant.active(in: conversation.id, of: user).contains(key) ? "in_flight" : "ok" }
        // In a group it is shown what all members may see, since all get its answer.
        let first = member == nil ? 0 : conversation.members.filter { $0.role != nil }.map(\.first).max() ?? 0
        var turns = try store.messages(of: conversation.id, for: member?.user ?? user, before: nil, limit: 500)
            .compactMap {
                message -> CompletionClient.Turn? in
                if message.number < first { return nil }
                if message.role == .system || message.isDeleted { return nil }
                let author = member == nil || message.role == .assistant ? "" : "\(message.senderName): "
                return CompletionClient.Turn(role: message.role.rawValue, content: author + message.content)
            }
        if let member {
            let prompt = ChatAssistant.prompt(member.name, in: conversation)
            turns = [CompletionClient.Turn(role: "system", content: prompt)] + turns.suffix(assistant.history)
        }
        let start = assistant.begin(
            key, key: conversation.id.text, conversation: conversation.id, user: user, member: member?.user,
            turns: turns)
        if let start {
            call.afterwards.append(start)
            return "started"
        }
        // The user's message is kept; only the answer is missing.
        call.services.clients.tell(
            user, "chat",
            [
                "runId": .string(key), "sessionKey": .string(conversation.id.text), "seq": 0, "state": "error",
                "errorMessage": "the assistant is busy",
            ])
        return "ok"
    }

    /// The identity for a key: clients of the family choose any text, and a repeated key must have no further effect.
    private static func identity(of key: String, _ call: MethodCall) -> EntityID {
        EntityID(key) ?? call.services.identities.identity("key", call.session.user.id, key)
    }

    /// The attachments of a message: those of helix, uploaded before, and those of the family, which have their bytes in them.
    private static func files(_ call: inout MethodCall, _ store: any GatewayMessageStore) throws -> [ChatAttachment] {
        guard let list = call.params.take("attachments") else { return [] }
        guard let elements = list.elements, elements.count <= 20 else {
            throw call.params.wrong("attachments", "must be an array of at most 20")
        }
        return try elements.map { element in
            if element["content"] != nil { return try inline(element, call, store) }
            var fields = try Params(element, of: "chat.send attachment")
            let id = try fields.neededIdentity("id")
            let name = try fields.needed("name", most: 1000)
            let type = try fields.text("type", most: 200) ?? "application/octet-stream"
            let hash = try fields.needed("sha256", most: 64)
            guard let size = try fields.integer("size", in: 0...ChatAttachment.largest), ChatAttachment.isHash(hash)
            else {
                throw fields.wrong("sha256", "and size must be those of a file")
            }
            try fields.end()
            return ChatAttachment(id: id, name: name, type: type, size: size, sha256: hash)
        }
    }

    /// An attachment in the family's form, stored as a file of the gateway.
    private static func inline(
        _ element: JSONText, _ call: MethodCall, _ store: any GatewayMessageStore
    ) throws -> ChatAttachment {
        var fields = try Params(element, of: "chat.send attachment")
        let kind = try fields.text("type", most: 200)
        let type =
            try fields.text("mimeType", most: 200) ?? (kind == "image" ? "image/png" : "application/octet-stream")
        let name = try fields.text("fileName", most: 1000) ?? "attachment"
        let content = try fields.text("content", most: 2 << 20) ?? ""
        try fields.end()
        guard let data = Data(base64Encoded: content), !data.isEmpty else {
            throw fields.wrong("content", "is not base64")
        }
        let bytes = [UInt8](data)
        let hash = SHA256.hash(bytes).hexadecimal
        _ = try store.take(bytes, at: 0, of: hash, size: bytes.count, from: call.session.user.id, now: call.now)
        return ChatAttachment(id: EntityID(), name: name, type: type, size: bytes.count, sha256: hash)
    }
}
