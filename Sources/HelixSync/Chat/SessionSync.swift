import HelixGateway
import HelixModel
import HelixStore

/// Syncs conversations with the agents of other gateways of the family, which call them sessions. Such a gateway stores messages,
/// but neither numbers nor edits them, and has no other members.
struct SessionSync {
    let store: Store
    let account: Account
    let client: GatewayClient
    private(set) var arrived: [EntityID] = []
    private(set) var problems: [String] = []
    private(set) var sent = 0

    init(_ store: Store, _ account: Account, _ client: GatewayClient) {
        self.store = store
        self.account = account
        self.client = client
    }

    /// Imports the sessions with messages since the last pull.
    mutating func pull() throws {
        let since = Int64(try store.chatPlace(of: account.id).cursor ?? "") ?? 0
        let answer: JSONText
        do {
            answer = try client.ask(
                "sessions.list", ["limit": 200, "includeDerivedTitles": true], milliseconds: 60_000)
        } catch let error as GatewayError {
            // Then there are only the messages sent from here.
            if error.isUnknownMethod { return }
            throw error.problem(calling: "sessions.list", of: client.label)
        }
        guard let rows = answer["sessions"]?.elements else {
            throw HelixError(.protocol, "\(client.label) returned an invalid answer to 'sessions.list'")
        }
        var newest = since
        for row in rows {
            guard let key = row["key"]?.text, let updated = row["updatedAt"]?.integer, updated > since,
                row["kind"]?.text != "global"
            else { continue }
            newest = max(newest, updated)
            let name =
                ["label", "displayName", "derivedTitle", "subject"].compactMap { row[$0]?.text }
                .first { Conversation.isName($0) } ?? key
            // The name and the archived flag are local.
            let id =
                try store.conversation(remote: key, of: account.id)
                ?? store.takeChat(of: account) { intake in
                    try intake.take(
                        RemoteConversation(
                            conversation: Conversation(
                                id: intake.identity(ofSession: key), kind: .assistant, name: name, account: account.id,
                                remote: key, createdAt: Instant(updated / 1000)), members: [], first: 1, last: 0),
                        isWhole: true
                    ).id
                }
            try history(of: key, in: id)
        }
        try store.takeChat(of: account, cursor: String(newest)) { _ in }
    }

    /// Imports the messages of a session.
    mutating func history(of key: String, in id: EntityID) throws {
        let answer = try client.call("chat.history", ["sessionKey": .string(key), "limit": 200], milliseconds: 60_000)
        let lines = (answer["messages"]?.elements ?? []).compactMap { message -> SessionMessage? in
            guard let role = message["role"]?.text.flatMap(ChatMessage.Role.init), role != .system,
                let text = RunStream.text(of: message), text.contains(where: { !$0.isWhitespace })
            else { return nil }
            let moment = message["timestamp"]?.integer ?? 0
            // A message without an id and a time is identified by its text.
            let words = moment > 0 ? nil : "undated \(role.rawValue) \(text)"
            return SessionMessage(
                key: message["__openclaw"]?["id"]?.text ?? words, role: role, text: text,
                sentAt: moment > 0 ? Instant(moment / 1000) : store.now)
        }
        arrived += try store.takeChat(of: account) { try $0.take(lines, in: id, sender: "assistant") }
    }

    /// Sends the queued messages.
    mutating func push() throws {
        for _ in 0..<2 {
            var begun = false
            var blocked: Set<EntityID> = []
            for operation in try store.chatErrands(of: account.id) {
                switch operation {
                case .begin(let conversation, _):
                    guard conversation.kind == .assistant else {
                        try refuse(operation, "\(client.label) has assistants only, and no other users")
                        continue
                    }
                    // The default agent.
                    let agent = client.hello.mainSession.split(separator: ":").dropFirst().first ?? "main"
                    try store.didBegin(conversation, remote: "agent:\(agent):helix-\(conversation.id.text)")
                    begun = true
                case .send(let conversation, let message):
                    if conversation.remote != nil, !blocked.contains(conversation.id) {
                        try send(message, in: conversation, &blocked)
                    }
                case .edit(_, let message, _):
                    let reason = "\(client.label) cannot edit messages"
                    problems.append(reason)
                    try store.didFail(message, reason, isFinal: true)
                case .member: try refuse(operation, "\(client.label) has no other users")
                // Names and the archived, muted and deleted flags are local.
                case .change, .withdraw, .forget: try store.didTell(operation)
                }
            }
            if !begun { return }
        }
    }

    private mutating func refuse(_ operation: OutboundOperation, _ reason: String) throws {
        problems.append(reason)
        try store.didRefuse(operation, reason)
    }

    private mutating func send(
        _ message: ChatMessage, in conversation: Conversation, _ blocked: inout Set<EntityID>
    ) throws {
        do {
            let files = try message.attachments.map { file -> JSONText in
                guard let bytes = store.bytes(of: file) else {
                    throw HelixError(.badInput, "the bytes of '\(file.name)' are gone", hint: "Send the file again.")
                }
                return [
                    "type": file.type.hasPrefix("image/") ? "image" : "file", "mimeType": .string(file.type),
                    "fileName": .string(file.name), "content": .string(bytes.base64EncodedString()),
                ]
            }
            _ = try client.ask(
                "chat.send",
                [
                    "sessionKey": .string(conversation.remote ?? ""), "message": .string(message.content),
                    "idempotencyKey": .string(message.id.text), "attachments": files.isEmpty ? nil : .array(files),
                ], milliseconds: 60_000)
            try store.didSendToSession(message)
            sent += 1
        } catch let error as GatewayError {
            let wait = Int64(((error.retryAfter ?? 0) + 999) / 1000)
            if try store.didFail(message, error.message, isFinal: !error.isPassing, wait: wait) {
                problems.append("'\(message.title.prefix(40))' was not sent: \(error.message)")
            } else {
                blocked.insert(conversation.id)
                problems.append("the messages in '\(conversation.name)' stay queued: \(error.message)")
            }
        } catch let error as HelixError where error.code == .badInput {
            problems.append(error.message)
            try store.didFail(message, error.message, isFinal: true)
        }
    }
}
