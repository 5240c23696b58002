import HelixGateway
import HelixGatewayStore
import HelixModel
import HelixNetwork

/// The chat methods of the family: `chat.send`, `chat.history` and `sessions.*`. A session is a conversation, and its key is
/// the conversation's identity, or `agent:main:main` for the main conversation with the assistant that every user has.
enum SessionMethods {
    static let all: [GatewayMethod] = [
        .chat("chat.send", .write) { call, store in
            let conversation = try conversation(&call, store, makes: true)
            let content = try call.params.text("message", most: ChatMessage.largestContent) ?? ""
            let key = try call.params.needed("idempotencyKey", most: 256)
            let replyTo = try call.params.identity("replyToId")
            let files = try files(&call)
            let writtenAt = try call.params.instant("sent_at")
            // Parameters for agents of other gateways.
            for name in ["thinking", "deliver", "timeoutMs"] { _ = call.params.take(name) }
            try call.params.end()
            let draft = ChatDraft(
                id: identity(of: key, call), content: content, replyTo: replyTo, files: files,
                writtenAt: writtenAt)
            let (message, isNew, seen) = try store.say(
                draft, in: conversation.id, by: call.session.user.id, asAssistant: false, now: call.now)
            if isNew {
                call.deliveries.append(
                    MethodCall.Delivery(users: seen.users, name: "chat", payload: ChatWire.event(message)))
            }
            return [
                "runId": .string(key), "status": .string(try answer(message, isNew, key, seen, &call, store)),
                "message": ChatWire.json(message),
            ]
        },
        .chat("chat.abort", .write) { call, store in
            let conversation = try conversation(&call, store, makes: false)
            let run = try call.params.text("runId", most: 256)
            try call.params.end()
            let gone = call.services.assistant.abort(in: conversation.id, of: call.session.user.id, only: run)
            return ["ok": true, "aborted": .bool(!gone.isEmpty), "runIds": .strings(gone)]
        },
        .chat("chat.history", .read) { call, store in
            let limit = try call.params.integer("limit", in: 1...1000) ?? 50
            let before = try call.params.integer("before", in: 1...Int.max)
            let (conversation, key) = try conversationIfBegun(&call, store)
            try call.params.end()
            guard let conversation else {
                return [
                    "sessionKey": .string(key), "sessionId": .string(key), "thinkingLevel": "off", "messages": [],
                    "hasMore": false,
                ]
            }
            let messages = try store.messages(
                of: conversation.id, for: call.session.user.id, before: before.map { Int64($0) }, limit: limit)
            return [
                "sessionKey": .string(conversation.id.text), "sessionId": .string(conversation.id.text),
                "thinkingLevel": "off",
                "messages": .array(
                    messages.map { message in
                        [
                            "role": .string(message.role.rawValue),
                            "content": [["type": "text", "text": .string(message.content)]],
                            "timestamp": .integer(message.sentAt.seconds * 1000),
                            "__openclaw": [
                                "id": .string(message.id.text), "seq": .integer(message.number), "kind": "message",
                            ],
                            "entry": ChatWire.json(message),
                        ]
                    }),
                "hasMore": .bool(messages.first.map { $0.number > conversation.own.first } ?? false),
            ]
        },
        .chat("sessions.list", .read) { call, store in
            let limit = try call.params.integer("limit", in: 1...500) ?? 100
            let search = try call.params.text("search", most: 200)
            for name in ["includeGlobal", "includeUnknown", "includeDerivedTitles", "includeLastMessage"] {
                _ = try call.params.bool(name)
            }
            try call.params.end()
            let (conversations, total) = try store.conversations(of: call.session.user.id, search: search, limit: limit)
            return [
                "ts": .integer(call.services.clock.milliseconds), "path": "", "count": .integer(conversations.count),
                "totalCount": .integer(total), "hasMore": .bool(total > conversations.count),
                "sessions": .array(conversations.map(row)),
            ]
        },
        .chat("sessions.resolve", .read) { call, store in
            let conversation = try conversation(&call, store, key: "key", makes: false)
            try call.params.end()
            return ["ok": true, "key": .string(conversation.id.text)]
        },
        .chat("sessions.preview", .read) { call, store in
            guard let keys = try call.params.texts("keys", most: 64, each: 200), !keys.isEmpty else {
                throw call.params.wrong("keys", "is required")
            }
            let limit = try call.params.integer("limit", in: 1...50) ?? 12
            let most = try call.params.integer("maxChars", in: 20...4000) ?? 240
            try call.params.end()
            let user = call.session.user.id
            return [
                "ts": .integer(call.services.clock.milliseconds),
                "previews": .array(
                    keys.map { key in
                        guard let id = EntityID(bare(key)),
                            let messages = try? store.messages(of: id, for: user, before: nil, limit: limit)
                        else { return ["key": .string(key), "status": "missing", "items": []] }
                        return [
                            "key": .string(key), "status": messages.isEmpty ? "empty" : "ok",
                            "items": .array(
                                messages.map {
                                    [
                                        "role": .string($0.role.rawValue),
                                        "text": .string(String($0.content.prefix(most))),
                                    ]
                                }),
                        ]
                    }),
            ]
        },
        .chat("sessions.patch", .write) { call, store in
            let conversation = try conversation(&call, store, key: "key", makes: false)
            let label = try call.params.needed("label", most: 800)
            try call.params.end()
            let (changed, _) = try store.changeConversation(
                conversation.id, by: call.session.user.id, ConversationChange(name: label), now: call.now)
            call.tell(changed)
            return ["ok": true, "path": "", "key": .string(conversation.id.text), "entry": row((changed, nil))]
        },
        .chat("sessions.delete", .write) { call, store in
            let conversation = try conversation(&call, store, key: "key", makes: false)
            _ = try call.params.bool("deleteTranscript")
            try call.params.end()
            try store.forgetConversation(conversation.id, by: call.session.user.id, now: call.now)
            return ["ok": true, "key": .string(conversation.id.text), "deleted": true, "archived": []]
        },
    ]

    /// Starts the assistant's answer if the conversation has one.
    /// - Returns: `started`, `in_flight` if it is running already, and `ok` if no answer is needed or it is complete.
    private static func answer(
        _ message: GatewayMessage, _ isNew: Bool, _ key: String, _ conversation: GatewayConversation,
        _ call: inout MethodCall,
        _ store: any GatewayChatStore
    ) throws -> String {
        guard conversation.kind == .assistant else { return "ok" }
        let (user, assistant) = (call.session.user.id, call.services.assistant)
        if !isNew { return assistant.active(in: conversation.id, of: user).contains(key) ? "in_flight" : "ok" }
        let turns = try store.messages(of: conversation.id, for: user, before: nil, limit: 500).compactMap { message in
            message.role == .system || message.isDeleted
                ? nil : CompletionClient.Turn(role: message.role.rawValue, content: message.content)
        }
        if assistant.begin(
            key, key: conversation.id.text, conversation: conversation.id, user: user, turns: turns)
        {
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

    private static func row(_ item: (conversation: GatewayConversation, last: GatewayMessage?)) -> JSONText {
        let (conversation, last) = item
        let kind = conversation.kind == .group ? "group" : "direct"
        return [
            "key": .string(conversation.id.text), "kind": .string(kind), "label": .string(conversation.name),
            "displayName": .string(conversation.name), "chatType": .string(conversation.kind.rawValue),
            "updatedAt": .integer((last?.sentAt ?? conversation.createdAt).seconds * 1000),
            "sessionId": .string(conversation.id.text),
            "lastMessagePreview": last.map { .string(String($0.content.prefix(120))) },
            "unread": .integer(max(0, conversation.last - conversation.own.read)),
        ]
    }

    /// The last part of a key: `agent:main:k3f7…` is the conversation `k3f7…`.
    static func bare(_ key: String) -> String { key.split(separator: ":").last.map(String.init) ?? key }

    /// The requested conversation.
    /// - Parameter makes: whether the main conversation is created on its first message.
    static func conversation(
        _ call: inout MethodCall, _ store: any GatewayChatStore, key name: String = "sessionKey", makes: Bool
    ) throws -> GatewayConversation {
        let key = try call.params.needed(name, most: 200)
        let user = call.session.user.id
        if isMain(key) {
            if !makes, let known = try store.mainConversation(of: user) { return known }
            guard makes || call.session.can(.write) else {
                throw HelixError(.notFound, "no conversation with the assistant yet")
            }
            return try store.makeMainConversation(
                of: user, former: ChatAssistant.formerMainConversation(of: user), now: call.now)
        }
        guard let id = EntityID(bare(key)) else { throw call.params.wrong(name, "is not a session") }
        return try store.conversation(id, of: user)
    }

    private static func isMain(_ key: String) -> Bool { ["main", "agent:main:main"].contains(key) }

    /// The requested conversation; nil for the main one if the user has not started it.
    private static func conversationIfBegun(
        _ call: inout MethodCall, _ store: any GatewayChatStore
    ) throws -> (conversation: GatewayConversation?, key: String) {
        let key = try call.params.needed("sessionKey", most: 200)
        let user = call.session.user.id
        if isMain(key) { return (try store.mainConversation(of: user), key) }
        guard let id = EntityID(bare(key)) else { throw call.params.wrong("sessionKey", "is not a session") }
        return (try store.conversation(id, of: user), key)
    }

    /// The identity for a key: clients of the family choose any text, and a repeated key must have no further effect.
    private static func identity(of key: String, _ call: MethodCall) -> EntityID {
        EntityID(key) ?? call.services.identities.identity("key", call.session.user.id, key)
    }

    private static func files(_ call: inout MethodCall) throws -> [ChatAttachment] {
        guard let list = call.params.take("attachments") else { return [] }
        guard let elements = list.elements, elements.count <= 20 else {
            throw call.params.wrong("attachments", "must be an array of at most 20")
        }
        return try elements.map { element in
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
}
