import HelixGateway
import HelixGatewayStore
import HelixModel

/// `sessions.*` of the family: lists and changes of conversations.
enum SessionMethods {
    static let all: [GatewayMethod] = [
        .chat("sessions.list", .read) { call, store in
            let limit = try call.params.integer("limit", in: 1...500) ?? 100
            let search = try call.params.text("search", most: 200)
            let label = try call.params.text("label", most: 64)
            let agent = try call.params.text("agentId", most: 64)
            let minutes = try call.params.integer("activeMinutes", in: 1...10_000_000)
            // No session of this gateway was begun by another one.
            let isSpawned = try call.params.text("spawnedBy", most: 200) != nil
            for name in ["includeGlobal", "includeUnknown", "includeDerivedTitles", "includeLastMessage"] {
                _ = try call.params.bool(name)
            }
            try call.params.end()
            let user = call.session.user.id
            var filter = ConversationFilter(search: search, label: label)
            // Only conversations with an assistant belong to an agent, and those are few.
            if agent != nil { filter.kind = .assistant }
            filter.since = minutes.map { Instant(call.now.seconds - Int64($0) * 60) }
            let isNarrow = label != nil || agent != nil
            let found: (list: [(conversation: GatewayConversation, last: GatewayMessage?)], total: Int) =
                isSpawned
                ? ([], 0) : try store.conversations(of: user, matching: filter, limit: isNarrow ? 1_000 : limit)
            let main = try store.mainConversation(of: user)?.id
            let chosen = found.list.filter { item in
                if let label, item.conversation.name != label { return false }
                guard let agent else { return true }
                return SessionKeys.shown(item.conversation, main: main, call.session).hasPrefix("agent:\(agent):")
            }
            let total = isNarrow ? chosen.count : found.total
            let rows = chosen.prefix(limit)
            let isHelix = call.session.dialect.form.isHelix
            let isNew = call.session.version >= 4 || isHelix
            return [
                "ts": .integer(call.services.clock.milliseconds), "path": "", "count": .integer(rows.count),
                "totalCount": isNew ? .integer(total) : nil, "hasMore": isNew ? .bool(total > rows.count) : nil,
                "defaults": ["modelProvider": .null, "model": .null, "contextTokens": .null],
                "sessions": .array(rows.map { row($0, main: main, call.session) }),
            ]
        },
        .chat("sessions.resolve", .read) { call, store in
            let label = try call.params.text("label", most: 64)
            let session = try call.params.text("sessionId", most: 200)
            for name in ["agentId", "spawnedBy"] { _ = try call.params.text(name, most: 200) }
            for name in ["includeGlobal", "includeUnknown"] { _ = try call.params.bool(name) }
            let user = call.session.user.id
            var found: GatewayConversation?
            if let label {
                _ = call.params.take("key")
                let filter = ConversationFilter(label: label)
                let all = try store.conversations(of: user, matching: filter, limit: 100).list.map(\.conversation)
                let same = all.filter { $0.name == label }
                guard same.count < 2 else { throw HelixError(.ambiguous, "several sessions have the label '\(label)'") }
                found = same.first
                if found == nil { throw HelixError(.notFound, "no session with the label '\(label)'") }
            } else if let session {
                _ = call.params.take("key")
                guard let id = EntityID(SessionKeys.bare(session)) else {
                    throw call.params.wrong("sessionId", "is unknown")
                }
                found = try store.conversation(id, of: user)
            }
            let conversation = try found ?? SessionKeys.conversation(&call, store, key: "key", makes: false)
            try call.params.end()
            let main = try store.mainConversation(of: user)?.id
            return ["ok": true, "key": .string(SessionKeys.shown(conversation, main: main, call.session))]
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
                    try keys.map { key in
                        guard let id = try SessionKeys.known(key, call, store),
                            let messages = try HelixError.ifFound({
                                try store.messages(of: id, for: user, before: nil, limit: limit)
                            })
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
            let conversation = try SessionKeys.conversation(&call, store, key: "key", makes: false)
            let label = try call.params.text("label", most: 800)
            _ = call.params.take("label")
            // Settings of the family's agents; this gateway has none of them, so that only clearing them has a meaning.
            for name in settings where call.params.has(name) {
                guard call.params.take(name) == nil else {
                    throw call.params.wrong(name, "is not a setting of this gateway")
                }
            }
            try call.params.end()
            var changed = conversation
            if let label {
                changed = try store.changeConversation(
                    conversation.id, by: call.session.user.id, ConversationChange(name: label), now: call.now
                ).conversation
                call.tell(changed)
            }
            return try answer(changed, call, store, ["path": ""])
        },
        .chat("sessions.reset", .write) { call, store in
            let conversation = try SessionKeys.conversation(&call, store, key: "key", makes: false)
            try call.params.end()
            let cleared = try store.clearConversation(conversation.id, by: call.session.user.id)
            call.tell(cleared, only: [call.session.user.id])
            return try answer(cleared, call, store, [:])
        },
        .chat("sessions.compact", .write) { call, store in
            let conversation = try SessionKeys.conversation(&call, store, key: "key", makes: false)
            _ = try call.params.integer("maxLines", in: 1...10_000_000)
            try call.params.end()
            let main = try store.mainConversation(of: call.session.user.id)?.id
            return [
                "ok": true, "key": .string(SessionKeys.shown(conversation, main: main, call.session)),
                "compacted": false, "reason": "the gateway sends an assistant the latest messages only",
            ]
        },
        .chat("sessions.delete", .write) { call, store in
            let conversation = try SessionKeys.conversation(&call, store, key: "key", makes: false)
            _ = try call.params.bool("deleteTranscript")
            try call.params.end()
            let main = try store.mainConversation(of: call.session.user.id)?.id
            try store.forgetConversation(conversation.id, by: call.session.user.id, now: call.now)
            return [
                "ok": true, "key": .string(SessionKeys.shown(conversation, main: main, call.session)),
                "deleted": true, "archived": [],
            ]
        },
    ]

    /// The settings of a session that the family's gateways have.
    private static let settings = [
        "thinkingLevel", "verboseLevel", "reasoningLevel", "responseUsage", "elevatedLevel", "execHost", "execSecurity",
        "execAsk", "execNode", "model", "spawnedBy", "sendPolicy", "groupActivation",
    ]

    /// The answer to a change of a conversation.
    private static func answer(
        _ conversation: GatewayConversation, _ call: MethodCall, _ store: any GatewayChatStore, _ more: JSONText
    ) throws -> JSONText {
        let main = try store.mainConversation(of: call.session.user.id)?.id
        let base: JSONText = [
            "ok": true, "key": .string(SessionKeys.shown(conversation, main: main, call.session)),
            "entry": row((conversation, nil), main: main, call.session),
        ]
        return .object((base.fields ?? []) + (more.fields ?? []))
    }

    private static func row(
        _ item: (conversation: GatewayConversation, last: GatewayMessage?), main: EntityID?, _ session: ClientSession
    ) -> JSONText {
        let (conversation, last) = item
        let kind = conversation.kind == .group ? "group" : "direct"
        return [
            "key": .string(SessionKeys.shown(conversation, main: main, session)), "kind": .string(kind),
            "label": .string(conversation.name), "displayName": .string(conversation.name),
            "chatType": .string(conversation.kind.rawValue),
            "updatedAt": .integer((last?.sentAt ?? conversation.createdAt).seconds * 1000),
            "sessionId": .string(conversation.id.text),
            "lastMessagePreview": last.map { .string(String($0.content.prefix(120))) },
            "unread": session.dialect.form.isHelix
                ? .integer(max(0, conversation.last - conversation.own.read)) : nil,
        ]
    }
}
