import FoundationEssentials
import Glibc
import HelixGateway
import HelixModel
import HelixStore

/// Sends local changes to the gateway.
extension ChatSync {
    /// Sends the pending operations. A message that the gateway refuses is parked; the rest continues.
    /// - Throws: ``HelixError``: `offline`, if the connection breaks.
    public mutating func push() throws {
        guard account.settings.isReadOnly != true, try store.hasChatErrands(of: account.id) else { return }
        // If the user at the gateway is another one now, nothing is sent.
        _ = try known()
        defer { if let seen { try? store.takeChat(of: account, seen: seen) { _ in } } }
        // A created conversation has messages to send.
        for _ in 0..<3 {
            let operations = try store.chatErrands(of: account.id)
            if operations.isEmpty { return }
            var begun = false
            var blocked: Set<EntityID> = []
            for operation in operations {
                if case .begin = operation { begun = true }
                try tell(operation, &blocked)
            }
            if !begun { return }
        }
    }

    private mutating func ask(_ method: String, _ params: JSONText) throws -> JSONText {
        let answer = try client.ask(method, params)
        seen = answer["cursor"]?.text ?? seen
        return answer
    }

    private mutating func tell(_ operation: OutboundOperation, _ blocked: inout Set<EntityID>) throws {
        do {
            switch operation {
            case .begin(let conversation, let others):
                try begin(conversation, others)
                // Its messages are sent in the next round: the conversation may have existed already.
                blocked.insert(conversation.id)
            case .change(let conversation, let edit):
                _ = try ask(
                    "chat.update",
                    [
                        "conversation": .string(conversation.remote ?? ""), "name": edit.name.map { .string($0) },
                        "description": edit.description.map { .string($0) },
                        "archived": edit.isArchived.map { .bool($0) }, "muted": edit.isMuted.map { .bool($0) },
                        "read_up_to": edit.readUpTo.map { .integer($0) },
                    ])
                try store.didTell(operation)
            case .member(let conversation, let member):
                if blocked.contains(conversation.id), member.pending == .invite || member.isMe { return }
                try tell(member, of: conversation, operation)
            case .send(let conversation, let message):
                if blocked.contains(conversation.id) { return }
                try send(message, in: conversation, &blocked)
            case .edit(let conversation, let message, let content):
                if blocked.contains(conversation.id) { return }
                try edit(message, content, in: conversation, &blocked)
            case .withdraw(let id):
                _ = try ask("chat.delete", ["id": .string(id.text)])
                try store.didTell(operation)
            case .forget(_, let remote):
                _ = try ask("chat.forget", ["conversation": .string(remote)])
                try store.didTell(operation)
            }
        } catch let error as GatewayError {
            if case .withdraw = operation, !error.isPassing {
                // It never arrived, or is deleted already.
                return try store.didTell(operation)
            }
            if error.isPassing { throw error.problem(calling: "chat", of: client.label) }
            if case .member(_, let member) = operation, member.pending == .remove, error.isMissing {
                // The member was removed already.
                return try store.didTell(operation)
            }
            let problem = ChatSync.words(of: error, operation)
            problems.append(problem)
            try store.didRefuse(operation, problem)
            switch operation {
            case .begin(let conversation, _): blocked.insert(conversation.id)
            case .member(let conversation, let member) where member.pending != .invite:
                try restore(conversation)
                try store.didRefuse(operation, problem)
            default: break
            }
        }
    }

    /// The text of a gateway's refusal for users.
    private static func words(of error: GatewayError, _ operation: OutboundOperation) -> String {
        switch operation {
        case .change(let conversation, _), .member(let conversation, _), .send(let conversation, _),
            .edit(let conversation, _, _):
            guard error.isMissing, let key = conversation.remote, error.message.contains(key) else { break }
            return "you are no longer a member of '\(conversation.name)'"
        case .begin, .withdraw, .forget: break
        }
        return error.message
    }

    /// Restores a conversation from the gateway: the local change was refused.
    private mutating func restore(_ conversation: Conversation) throws {
        let reader = try known()
        guard let key = conversation.remote,
            let json = try? ask("chat.update", ["conversation": .string(key)])["conversation"]
        else { return }
        let remote = try reader.conversation(json)
        _ = try store.takeChat(of: account) { try $0.take(remote, isWhole: false) }
    }

    private mutating func begin(_ conversation: Conversation, _ others: [ChatMember]) throws {
        let reader = try known()
        let answer = try ask(
            "chat.create",
            [
                "id": .string(conversation.remote ?? conversation.id.text),
                "kind": .string(conversation.kind.rawValue), "name": .string(conversation.name),
                "members": .strings(others.map(\.name)),
            ])
        guard let json = answer["conversation"] else {
            throw HelixError(.protocol, "\(client.label) returned an invalid answer to 'chat.create'")
        }
        let remote = try reader.conversation(json)
        let key = remote.conversation.remote ?? ""
        // Two users who create a direct conversation with each other at the same time share one.
        if let known = try store.conversation(remote: key, of: account.id), known != conversation.id {
            return try store.mergeConversation(conversation.id, into: known)
        }
        try store.didBegin(conversation, remote: key)
        let taken = try store.takeChat(of: account) { try $0.take(remote, isWhole: false) }
        if let range = taken.missing { try fetch(taken.id, key, range) }
    }

    private mutating func tell(_ member: ChatMember, of conversation: Conversation, _ operation: OutboundOperation)
        throws
    {
        let key = JSONText.string(conversation.remote ?? "")
        switch member.pending {
        case .invite?:
            _ = try ask(
                "chat.invite",
                [
                    "conversation": key, "name": .string(member.name), "role": .string(member.role.rawValue),
                    "history": member.seesAll ? true : nil,
                ])
        case .remove?:
            _ = try ask(
                "chat.remove", ["conversation": key, "user": member.isMe ? nil : .string(member.user)])
        case .role?:
            _ = try ask(
                "chat.role",
                ["conversation": key, "user": .string(member.user), "role": .string(member.role.rawValue)])
        case nil: break
        }
        try store.didTell(operation)
    }

    private mutating func send(
        _ message: ChatMessage, in conversation: Conversation, _ blocked: inout Set<EntityID>
    ) throws {
        do {
            for file in message.attachments { try FileTransfer(store, client, .attachments).give(file) }
            let params: JSONText =
                [
                    "sessionKey": .string(conversation.remote ?? ""), "message": .string(message.content),
                    "idempotencyKey": .string(message.id.text),
                    // A message keeps the time at which it was written, however long it was queued.
                    "sent_at": .string(ISO8601.text(message.sentAt, in: .utc)),
                    "replyToId": message.replyTo.map { .string($0.text) },
                    "metadata": message.details.metadataJSON,
                    "attachments": message.attachments.isEmpty
                        ? nil
                        : .array(
                            message.attachments.map {
                                [
                                    "id": .string($0.id.text), "name": .string($0.name), "type": .string($0.type),
                                    "size": .integer($0.size), "sha256": .string($0.sha256),
                                ]
                            }),
                ]
            let answer: JSONText
            do { answer = try patiently("chat.send", params) } catch let error as GatewayError {
                // The message that it answers is missing there: it is sent without the reference.
                guard error.isMissing, let answered = message.replyTo, error.message.contains(answered.text) else {
                    throw error
                }
                answer = try patiently("chat.send", params.setting("replyToId", nil))
            }
            let number = answer["message"]?["number"]?.integer
            // The gateway may have an earlier version of it from a former try.
            var told = message
            told.content = answer["message"]?["content"]?.text ?? message.content
            try store.didSend(
                told, number: number, sentAt: answer["message"]?["sent_at"]?.text.flatMap(ISO8601Reader.instant))
            sent += 1
        } catch let error as GatewayError {
            try park(message, error, in: conversation, &blocked)
        } catch let error as HelixError where error.code == .badInput {
            // The message itself is at fault: a missing file, or more than one frame can hold.
            problems.append(error.message)
            try store.didFail(message, error.message, isFinal: true)
        }
    }

    /// Sends a request, and waits for a moment if the gateway limits the rate.
    private mutating func patiently(_ method: String, _ params: JSONText) throws -> JSONText {
        for _ in 0..<200 {
            do { return try ask(method, params) } catch let error as GatewayError {
                guard error.code == GatewayError.Code.rateLimited.rawValue, let wait = error.retryAfter, wait <= 2000
                else {
                    throw error
                }
                usleep(UInt32(max(10, wait)) * 1000)
            }
        }
        return try ask(method, params)
    }

    private mutating func edit(
        _ message: ChatMessage, _ content: String?, in conversation: Conversation, _ blocked: inout Set<EntityID>
    ) throws {
        do {
            if let content {
                _ = try ask("chat.edit", ["id": .string(message.id.text), "content": .string(content)])
            } else {
                _ = try ask("chat.delete", ["id": .string(message.id.text)])
            }
            try store.didSend(message, number: nil, sentAt: nil)
            sent += 1
        } catch let error as GatewayError { try park(message, error, in: conversation, &blocked) }
    }

    /// Keeps a message that the gateway did not accept: for a retry, or parked.
    private mutating func park(
        _ message: ChatMessage, _ error: GatewayError, in conversation: Conversation, _ blocked: inout Set<EntityID>
    ) throws {
        let wait = Int64(((error.retryAfter ?? 0) + 999) / 1000)
        let problem = ChatSync.words(of: error, .send(conversation, message))
        let isParked = try store.didFail(message, problem, isFinal: !error.isPassing, wait: wait)
        if isParked { problems.append("'\(message.title.prefix(40))' was not sent: \(problem)") }
        // Later messages wait for it, to keep their order.
        if !isParked {
            blocked.insert(conversation.id)
            problems.append("the messages in '\(conversation.name)' stay queued: \(problem)")
        }
    }
}

extension GatewayError {
    /// Whether it reports a missing entity.
    var isMissing: Bool { details?["code"]?.text == "NOT_FOUND" }

    /// Whether a retry may succeed.
    var isPassing: Bool {
        isRetryable || code == Code.unavailable.rawValue || code == Code.rateLimited.rawValue
    }
}
