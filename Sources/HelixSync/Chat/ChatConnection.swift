import Foundation
import HelixGateway
import HelixModel
import HelixStore

/// A line to a gateway that people talk over: what waits goes, what is new comes, and answers are told as they are made. It
/// belongs to one thread.
public final class ChatConnection {
    /// What came over the line.
    public enum Arrival: Sendable {
        /// Messages that are new here, and others that were changed.
        case messages([EntityID])
        /// A message that was here has other words, or was deleted.
        case changed(EntityID)
        /// Somebody writes something in a conversation.
        case typing(conversation: EntityID, name: String)
        /// An answer has come further.
        case answer(RunStream)
        /// The other descriptor can be read.
        case woken
        /// Nothing came in time.
        case nothing
    }

    private let store: Store
    private let account: MailAccount
    private let client: GatewayClient
    private var helix: ChatSync?
    private var other: SessionSync?
    private var streams: [String: RunStream] = [:]

    /// Connects.
    /// - Parameter password: asks a person, where nothing else is there to sign in with.
    /// - Throws: ``HelixError``.
    public init(
        _ store: Store, _ account: MailAccount, _ access: GatewayAccess, password: (() throws -> String)? = nil
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

    /// Over a line that is open already.
    init(_ store: Store, _ account: MailAccount, _ client: GatewayClient) {
        self.store = store
        self.account = account
        self.client = client
        if client.hello.isHelix {
            helix = ChatSync(store, account, client)
        } else {
            other = SessionSync(store, account, client)
        }
    }

    /// Ends it.
    public func close() { client.close() }

    /// What the gateway would not have, in words.
    public var problems: [String] { (helix?.problems ?? []) + (other?.problems ?? []) }
    /// What somebody may want to know.
    public var notes: [String] { helix?.notes ?? [] }
    /// How many messages left, and how many came.
    public var counts: (sent: Int, arrived: Int) {
        ((helix?.sent ?? 0) + (other?.sent ?? 0), (helix?.arrived.count ?? 0) + (other?.arrived.count ?? 0))
    }

    /// What is new comes, and what waits goes: in that order, for a gateway that came back from a backup says so first.
    /// - Throws: ``HelixError``.
    public func exchange() throws {
        // Other gateways tell nothing of that, and a look at them is long.
        guard helix != nil else {
            try push()
            return try pull()
        }
        try pull()
        guard try store.hasChatErrands(of: account.id) else { return }
        try push()
        // Who is where may be otherwise by now.
        try pull()
    }

    /// What waits goes.
    /// - Throws: ``HelixError``: `offline`, if the line breaks.
    public func push() throws {
        try helix?.push()
        try other?.push()
    }

    /// What is new comes.
    /// - Throws: ``HelixError``.
    public func pull() throws {
        try helix?.pull()
        try other?.pull()
    }

    /// Listens for the answer to a message from now on.
    public func expect(answerTo message: EntityID) { streams[message.text] = RunStream(run: message.text) }

    /// Waits until something comes.
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
        // Something was lost: all that is new is asked for.
        if event.isAfterGap { return try news() }
        switch event.name {
        case "chat":
            if let run = event.payload["runId"]?.text, var stream = streams[run], stream.take(event.payload) {
                streams[run] = stream.end == nil ? stream : nil
                if stream.end != nil { try keep(stream, event.payload) }
                return .answer(stream)
            }
            guard let entry = event.payload["entry"] else {
                // Of other gateways only what is whole makes a difference.
                return other != nil && event.payload["state"]?.text == "final" ? try news() : .messages([])
            }
            let new = try helix?.take([entry], seen: event.payload["cursor"]?.text) ?? []
            // Of a conversation that is not here yet there is more to know.
            let isPlaced =
                try entry["conversation"]?.text.map { try store.conversation(remote: $0, of: account.id) } ?? nil
            if isPlaced == nil { return try news() }
            // What was said again has come, too.
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

    /// Keeps an answer that has ended.
    private func keep(_ stream: RunStream, _ payload: JSONText) throws {
        if let entry = stream.entry {
            _ = try helix?.take([entry])
        } else if other != nil, let key = payload["sessionKey"]?.text {
            // What the gateway keeps of it is the truth, with the names by which it is known again.
            let id =
                try store.conversation(remote: key, of: account.id)
                ?? store.conversation(
                    remote: try store.conversation(ofMessage: stream.run)?.remote ?? "", of: account.id)
            guard let id, let remote = try store.conversation(id).remote else { return }
            try other?.history(of: remote, in: id)
        }
    }

    /// Breaks the answer to a message off.
    /// - Throws: ``HelixError``.
    public func abort(_ message: ChatMessage) throws {
        let conversation = try store.conversation(message.conversation)
        try client.notify(
            "chat.abort", ["sessionKey": .string(conversation.remote ?? ""), "runId": .string(message.id.text)])
    }

    /// Tells others that one writes something.
    /// - Throws: ``HelixError``.
    public func type(in conversation: Conversation) throws {
        guard helix != nil, let key = conversation.remote else { return }
        try client.notify("chat.typing", ["conversation": .string(key)])
    }

    /// Fetches a file that came with a message.
    /// - Throws: ``HelixError``.
    public func fetch(_ file: ChatAttachment, of message: ChatMessage) throws {
        guard helix != nil else {
            throw HelixError(.notFound, "\(client.label) does not give files back")
        }
        try ChatFileTransfer(store, client).fetch(file, of: message.id)
    }
}
