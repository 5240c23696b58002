import HelixGateway
import HelixGatewayStore
import HelixModel

/// `chat.*`: conversations, their members, and messages (docs/gateway.md, "Chat").
enum ChatMethods {
    static let all: [GatewayMethod] = [
        .chat("chat.sync", .read) { call, store in
            let cursor = try call.params.text("cursor", most: ChatCursor.longest)
            let seen = try call.params.text("seen", most: ChatCursor.longest)
            let limit = try call.params.integer("limit", in: 1...500) ?? 200
            try call.params.end()
            let since = cursor.flatMap { ChatCursor($0) }
            guard cursor == nil || since != nil else { throw call.params.wrong("cursor", "is invalid") }
            let lastSeen = seen.flatMap { ChatCursor($0) }
            guard seen == nil || lastSeen != nil else { throw call.params.wrong("seen", "is invalid") }
            let page = try store.chatPage(for: call.session.user.id, since: since, seen: lastSeen, limit: limit)
            return [
                "conversations": .array(page.conversations.map(ChatWire.json)),
                "messages": .array(page.messages.map(ChatWire.json)),
                "forgotten": page.forgotten.isEmpty ? nil : .strings(page.forgotten.map(\.text)),
                "cursor": .string(page.cursor.text), "has_more": .bool(page.hasMore),
                // A cursor of another count means that the gateway has lost data; clients start over.
                "reset": page.isReset ? true : nil,
            ]
        },
        .chat("chat.create", .write) { call, store in
            let id = try call.params.neededIdentity("id")
            guard let kind = try call.params.choice("kind", of: Conversation.Kind.self) else {
                throw call.params.wrong("kind", "is required")
            }
            let name = try call.params.needed("name", most: 800)
            let members = try call.params.texts("members", most: GatewayLimits.members, each: 64) ?? []
            try call.params.end()
            let conversation = try store.beginConversation(
                id, kind, name: name, others: members, by: call.session.user.id, now: call.now)
            call.tell(conversation)
            return ["conversation": ChatWire.json(conversation)]
        },
        .chat("chat.update", .write) { call, store in
            let id = try call.params.neededIdentity("conversation")
            let name = try call.params.text("name", most: 800)
            let description = try call.params.text("description", most: Conversation.largestDescription)
            let (archived, muted) = (try call.params.bool("archived"), try call.params.bool("muted"))
            let delivered = try call.params.integer("delivered_up_to", in: 0...Int.max)
            let read = try call.params.integer("read_up_to", in: 0...Int.max)
            try call.params.end()
            let (conversation, notified) = try store.changeConversation(
                id, by: call.session.user.id,
                ConversationChange(
                    name: name, isArchived: archived, isMuted: muted, delivered: delivered.map { Int64($0) },
                    read: read.map { Int64($0) }, description: description), now: call.now)
            let own = call.session.user.id
            switch notified {
            case .everybody: call.tell(conversation)
            case .authors(let authors):
                call.tell(conversation, only: [own])
                // Several members read a message at about the same time: its author is told once.
                call.tellSoon(conversation, authors.filter(conversation.users.contains))
            case .nobody: call.tell(conversation, only: [own])
            }
            return ["conversation": ChatWire.json(conversation)]
        },
        .chat("chat.invite", .write) { call, store in
            let id = try call.params.neededIdentity("conversation")
            let name = try call.params.needed("name", most: 64)
            let role = try call.params.choice("role", of: ChatMember.Role.self) ?? .member
            let seesAll = try call.params.bool("history") ?? false
            try call.params.end()
            let conversation = try store.invite(
                name, to: id, as: role, seesAll: seesAll, by: call.session.user.id, now: call.now)
            call.tell(conversation)
            return ["conversation": ChatWire.json(conversation)]
        },
        .chat("chat.role", .write) { call, store in
            let id = try call.params.neededIdentity("conversation")
            let user = try call.params.neededIdentity("user")
            guard let role = try call.params.choice("role", of: ChatMember.Role.self) else {
                throw call.params.wrong("role", "is required")
            }
            try call.params.end()
            if role != .member, call.services.assistant.isOwn(user) {
                throw HelixError(.usage, "the assistant can be a member, and nothing more")
            }
            let conversation = try store.setRole(role, of: user, in: id, by: call.session.user.id)
            call.tell(conversation)
            return ["conversation": ChatWire.json(conversation)]
        },
        .chat("chat.remove", .write) { call, store in
            let id = try call.params.neededIdentity("conversation")
            let user = try call.params.identity("user") ?? call.session.user.id
            try call.params.end()
            let conversation = try store.remove(user, from: id, by: call.session.user.id, now: call.now)
            call.tell(conversation)
            return ["ok": true]
        },
        .chat("chat.forget", .write) { call, store in
            let id = try call.params.neededIdentity("conversation")
            try call.params.end()
            let conversation = try store.conversation(id, of: call.session.user.id)
            try store.forgetConversation(id, by: call.session.user.id, now: call.now)
            if conversation.kind == .group { call.tell(conversation) }
            return ["ok": true]
        },
        .chat("chat.edit", .write) { call, store in
            let id = try call.params.neededIdentity("id")
            let content = try call.params.needed("content", most: ChatMessage.largestContent)
            try call.params.end()
            return try edit(id, content, &call, store)
        },
        .chat("chat.delete", .write) { call, store in
            let id = try call.params.neededIdentity("id")
            try call.params.end()
            return try edit(id, nil, &call, store)
        },
        .chat("chat.react", .write) { call, store in
            let id = try call.params.neededIdentity("id")
            let emoji = try call.params.needed("emoji", most: 64)
            let isOn = try call.params.bool("on") ?? true
            try call.params.end()
            return tellEdited(
                try store.react(emoji, isOn: isOn, to: id, by: call.session.user.id, now: call.now), &call)
        },
        .chat("chat.pin", .write) { call, store in
            let id = try call.params.neededIdentity("id")
            let isPinned = try call.params.bool("pinned") ?? true
            try call.params.end()
            return tellEdited(try store.pin(isPinned, id, by: call.session.user.id, now: call.now), &call)
        },
        .chat("chat.typing", .write) { call, store in
            let id = try call.params.neededIdentity("conversation")
            try call.params.end()
            let conversation = try store.conversation(id, of: call.session.user.id)
            guard conversation.own.role != nil else {
                throw HelixError(.notFound, "you are not in a conversation \(id.text)")
            }
            let others = conversation.users.filter { $0 != call.session.user.id }
            // A typing event is sent but not stored: clients hide it after some seconds.
            let payload: JSONText = [
                "conversation": .string(id.text), "user": .string(call.session.user.id.text),
                "name": .string(call.session.user.name), "ts": .integer(call.services.clock.milliseconds),
            ]
            call.deliveries.append(
                MethodCall.Delivery(
                    users: others, name: "chat.typing", payload: payload,
                    event: .memberWords(
                        conversation: id, author: call.session.user.id, name: "chat.typing", payload: payload.compact)))
            return ["ok": true]
        },
    ]

    private static func edit(
        _ id: EntityID, _ content: String?, _ call: inout MethodCall, _ store: any GatewayChatStore
    ) throws -> JSONText {
        tellEdited(try store.edit(id, content: content, by: call.session.user.id, now: call.now), &call)
    }

    /// Notifies the members of a conversation of a changed message, and answers with it.
    private static func tellEdited(
        _ changed: (message: GatewayMessage, conversation: GatewayConversation), _ call: inout MethodCall
    ) -> JSONText {
        let entry = ChatWire.json(changed.message)
        call.deliveries.append(
            MethodCall.Delivery(
                // Members who joined later do not see it.
                users: changed.conversation.members.filter { $0.role != nil && $0.first <= changed.message.number }
                    .map(\.user), name: "chat.edited", payload: ["entry": entry],
                event: .message(
                    conversation: changed.conversation.id, number: changed.message.number, isNew: false)))
        return ["message": entry]
    }
}

extension MethodCall {
    /// Notifies members of a conversation of changes after a moment: several at once are sent as one event.
    func tellSoon(_ conversation: GatewayConversation, _ users: Set<EntityID>) {
        services.clients.tellSoon(
            users, "chat.changed", about: conversation.id,
            ["conversation": .string(conversation.id.text), "ts": .integer(services.clock.milliseconds)])
    }

    /// Notifies the members of a conversation of a change; they fetch it themselves.
    mutating func tell(_ conversation: GatewayConversation, only users: [EntityID]? = nil) {
        deliveries.append(
            Delivery(
                users: users ?? conversation.users, name: "chat.changed",
                payload: ["conversation": .string(conversation.id.text), "ts": .integer(services.clock.milliseconds)],
                event: .conversation(conversation.id, users: users ?? [])))
    }
}
