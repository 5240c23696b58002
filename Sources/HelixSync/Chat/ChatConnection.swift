import FoundationEssentials
import HelixGateway
import HelixModel
import HelixStore

/// A connection to a gateway for chat: sends queued messages, receives new ones, and follows answers as they are written. It
/// belongs to one thread.
public final class ChatConnection {
    /// An event from the connection.
    public enum Arrival: Sendable {
        /// New messages, and messages that were changed.
        case messages([EntityID])
        /// A stored message was edited or deleted.
        case changed(EntityID)
        /// Another member is typing in a conversation.
        case typing(conversation: EntityID, name: String)
        /// An answer has grown.
        case answer(RunStream)
        /// The other descriptor is readable.
        case woken
        /// The wait timed out.
        case nothing
    }

    private let store: Store
    private let account: Account
    private let client: GatewayClient
    private var helix: ChatSync?
    private var other: SessionSync?
    private var streams: [String: RunStream] = [:]
    /// The messages that the last exchange left queued.
    private var delayed: [String] = []

    /// Connects to the gateway.
    /// - Parameter password: prompts for the password, if there is no other credential.
    /// - Throws: ``HelixError``.
    public init(
        _ store: Store, _ account: Account, _ access: GatewayAccess, password: (() throws -> String)? = nil
    ) throws {
        self.store = store
        self.account = account
        client = try access.connect(password: password)
        if client.hello.isHelix {
            helix = ChatSync(store, account, client)
        } else {
            other = SessionSync(store, account, client)
        }
    }

    /// Creates one over an open connection.
    init(_ store: Store, _ account: Account, _ client: GatewayClient) {
        self.store = store
        self.account = account
        self.client = client
        if client.hello.isHelix {
            helix = ChatSync(store, account, client)
        } else {
            other = SessionSync(store, account, client)
        }
    }

    /// Closes the connection.
    public func close() { client.close() }

    /// The gateway's refusals.
    public var problems: [String] { delayed + (helix?.problems ?? []) + (other?.problems ?? []) }
    /// Notes for the user.
    public var notes: [String] { helix?.notes ?? [] }
    /// The numbers of sent and received messages.
    public var counts: (sent: Int, arrived: Int) {
        ((helix?.sent ?? 0) + (other?.sent ?? 0), (helix?.arrived.count ?? 0) + (other?.arrived.count ?? 0))
    }

    /// Receives, then sends: a gateway that was restored from a backup must report that first.
    /// - Throws: ``HelixError``.
    public func exchange() throws {
        // Other gateways have no such report, and a full diff of them is slow.
        guard helix != nil else {
            delayed = try delayedMessages()
            try push()
            return try pull()
        }
        try pull()
        delayed = try delayedMessages()
        guard try store.hasChatErrands(of: account.id) else { return }
        try push()
        // The members may have changed.
        try pull()
    }

    /// The messages whose next attempt is not due, in words: without them, a sync that leaves them queued would look complete.
    private func delayedMessages() throws -> [String] {
        guard account.settings.isReadOnly != true else { return [] }
        return try store.delayedChat(of: account.id).map { delayed in
            "\(delayed.count) message\(delayed.count == 1 ? "" : "s") in '\(delayed.conversation)' "
                + "stay\(delayed.count == 1 ? "s" : "") queued for \(delayed.wait) s more: \(delayed.problem)"
        }
    }

    /// Changes a message by a method of the gateway, and stores the result.
    /// - Parameter params: the parameters besides the message's ID.
    /// - Throws: ``HelixError`` of code `notFound` for a gateway without the method.
    public func change(_ message: ChatMessage, _ method: String, _ params: JSONText) throws {
        let answer = try client.call(method, params.setting("id", .string(message.id.text)))
        guard let entry = answer["message"] else { return }
        _ = try helix?.take([entry], seen: answer["cursor"]?.text)
    }

    /// Sends the queued messages and changes.
    /// - Throws: ``HelixError``: `offline`, if the connection breaks.
    public func push() throws {
        try helix?.push()
        try other?.push()
    }

    /// Receives the changes of the gateway.
    /// - Throws: ``HelixError``.
    public func pull() throws {
        try helix?.pull()
        try other?.pull()
    }

    /// Follows the answer to a message from now on.
    public func expect(answerTo message: EntityID) { streams[message.text] = RunStream(run: message.text) }

    /// Waits for an event.
    /// - Parameter wake: another descriptor that ends the waiting; -1 for none.
    /// - Throws: ``HelixError`` of code `offline`.
    public func wait(milliseconds: Int, wake: Int32 = -1) throws -> Arrival {
        switch try client.wait(milliseconds: milliseconds, wake: wake) {
        case .woken: return .woken
        case .timeout: return .nothing
        case .event(let event): return try take(event)
        }
    }

    private func take(_ event: GatewayClient.Event) throws -> Arrival {
        // Events were lost: all changes are requested.
        if event.isAfterGap { return try news() }
        switch event.name {
        case "chat":
            if let run = event.payload["runId"]?.text, var stream = streams[run], stream.take(event.payload) {
                streams[run] = stream.end == nil ? stream : nil
                if stream.end != nil, let text = try keep(stream, event.payload) { stream.complete(with: text) }
                return .answer(stream)
            }
            guard let entry = event.payload["entry"] else {
                // Other gateways matter only with whole messages.
                return other != nil && event.payload["state"]?.text == "final" ? try news() : .messages([])
            }
            let new = try helix?.take([entry], seen: event.payload["cursor"]?.text) ?? []
            // A conversation that is not stored yet needs more data.
            let isPlaced =
                try entry["conversation"]?.text.map { try store.conversation(remote: $0, of: account.id) } ?? nil
            if isPlaced == nil { return try news() }
            // A repeated message has arrived, too.
            if entry["sender"]?.text != helix?.user, account.settings.isReadOnly != true,
                let key = entry["conversation"],
                let number = entry["number"]
            {
                try client.notify("chat.update", ["conversation": key, "delivered_up_to": number])
            }
            return .messages(new)
        case "chat.edited":
            guard let entry = event.payload["entry"] else { return .messages([]) }
            let new = try helix?.take([entry], seen: event.payload["cursor"]?.text) ?? []
            guard new.isEmpty, let id = entry["id"]?.text.flatMap({ EntityID($0) }) else { return .messages(new) }
            return .changed(id)
        case "chat.changed", "sessions.changed": return try news()
        case "chat.typing":
            guard let key = event.payload["conversation"]?.text, let name = event.payload["name"]?.text,
                let id = try store.conversation(remote: key, of: account.id)
            else { return .messages([]) }
            return .typing(conversation: id, name: name)
        default: return .messages([])
        }
    }

    private func news() throws -> Arrival {
        let before = (helix?.arrived.count ?? 0) + (other?.arrived.count ?? 0)
        try pull()
        let all = (helix?.arrived ?? []) + (other?.arrived ?? [])
        return .messages(Array(all.dropFirst(before)))
    }

    /// Stores a completed answer.
    /// - Returns: the answer that the gateway's history has.
    private func keep(_ stream: RunStream, _ payload: JSONText) throws -> String? {
        if let entry = stream.entry {
            _ = try helix?.take([entry])
        } else if other != nil, let key = payload["sessionKey"]?.text {
            // The gateway's copy takes precedence, with the ids that identify it later.
            let id =
                try store.conversation(remote: key, of: account.id)
                ?? store.conversation(
                    remote: try store.conversation(ofMessage: stream.run)?.remote ?? "", of: account.id)
            guard let id, let remote = try store.conversation(id).remote else { return nil }
            let before = other?.arrived.count ?? 0
            try other?.history(of: remote, in: id)
            let new = try (other?.arrived.dropFirst(before) ?? []).map { try store.chatMessage($0) }
            return new.last { $0.conversation == id && $0.role == .assistant }?.content
        }
        return nil
    }

    /// Aborts the answer to a message.
    /// - Throws: ``HelixError``.
    public func abort(_ message: ChatMessage) throws {
        let conversation = try store.conversation(message.conversation)
        try client.notify(
            "chat.abort", ["sessionKey": .string(conversation.remote ?? ""), "runId": .string(message.id.text)])
    }

    /// Notifies the others that the user is typing.
    /// - Throws: ``HelixError``.
    public func type(in conversation: Conversation) throws {
        guard helix != nil, let key = conversation.remote else { return }
        try client.notify("chat.typing", ["conversation": .string(key)])
    }

    /// Fetches an attachment of a message.
    /// - Throws: ``HelixError``.
    public func fetch(_ file: ChatAttachment, of message: ChatMessage) throws {
        guard helix != nil else {
            throw HelixError(.notFound, "\(client.label) does not provide files")
        }
        try FileTransfer(store, client, .attachments).fetch(file, of: message.id)
    }
}
