import FoundationEssentials
import HelixGateway
import HelixModel
import HelixStore

/// Syncs the conversations of an account with its gateway: queued messages are sent in order and once, new ones are received.
public struct ChatSync {
    let store: Store
    let account: Account
    let client: GatewayClient
    /// Messages that arrived in the last pull.
    public private(set) var arrived: [EntityID] = []
    /// The gateway's refusals.
    public internal(set) var problems: [String] = []
    /// Notes for the user.
    public private(set) var notes: [String] = []
    /// The number of sent messages.
    public internal(set) var sent = 0
    private var reader: ChatWireReader?
    var name = ""
    /// The last seen cursor of the gateway.
    var seen: String?

    /// - Parameter client: a helix gateway.
    public init(_ store: Store, _ account: Account, _ client: GatewayClient) {
        self.store = store
        self.account = account
        self.client = client
    }

    /// The user's id at the gateway; nil before it was requested.
    var user: String? { reader?.user }

    /// Requests the user's identity at the gateway.
    mutating func known() throws -> ChatWireReader {
        if let reader { return reader }
        let me = try client.call("users.me")
        guard let user = me["id"]?.text, let name = me["name"]?.text else {
            throw HelixError(.protocol, "\(client.label) returned an invalid answer to 'users.me'")
        }
        note(unknown: try store.setChatUser(of: account.id, user: user, name: name))
        let made = ChatWireReader(account: account.id, user: user, label: client.label)
        (reader, self.name) = (made, name)
        return made
    }

    // Pull

    /// Imports the changes since the last pull.
    /// - Throws: ``HelixError``.
    public mutating func pull() throws {
        let reader = try known()
        let place = try store.chatPlace(of: account.id)
        var cursor = place.cursor
        // A complete list has all messages in its pages.
        let isFirst = cursor == nil
        var named: [EntityID: RemoteConversation] = [:]
        while true {
            let page = try page(since: cursor, seen: cursor == place.cursor ? place.seen : nil, reader)
            if page.isReset { return try recover(page, reader) }
            let name = name
            let (new, missing) = try store.takeChat(of: account, cursor: page.cursor, seen: page.cursor) { intake in
                var missing: [(EntityID, String, ClosedRange<Int64>)] = []
                for remote in page.conversations {
                    let taken = try intake.take(remote, isWhole: isFirst)
                    if let range = taken.missing, !isFirst, let key = remote.conversation.remote {
                        missing.append((taken.id, key, range))
                    }
                }
                let fresh = try intake.take(try intake.placed(page.messages), name: name)
                for key in page.forgotten { try intake.forget(remote: key) }
                return (fresh, missing)
            }
            arrived += new
            // A joined conversation has earlier messages.
            for (id, key, range) in missing { try fetch(id, key, range) }
            for conversation in page.conversations { named[conversation.conversation.id] = conversation }
            cursor = page.cursor
            if !page.hasMore { break }
        }
        try acknowledge(Array(named.values))
        // Interrupted fetches are resumed.
        for gap in try store.chatGaps(of: account.id) { try fetch(gap.id, gap.remote, gap.missing) }
    }

    /// A gateway's answer to `chat.sync`.
    private struct Page {
        var conversations: [RemoteConversation]
        var messages: [ChatMessage]
        var forgotten: [String]
        var cursor: String
        var hasMore: Bool
        var isReset: Bool
    }

    private func page(since cursor: String?, seen: String?, _ reader: ChatWireReader) throws -> Page {
        let answer = try client.call(
            "chat.sync", ["cursor": cursor.map { .string($0) }, "seen": seen.map { .string($0) }],
            milliseconds: 60_000)
        guard let next = answer["cursor"]?.text, let rooms = answer["conversations"]?.elements,
            let lines = answer["messages"]?.elements
        else { throw HelixError(.protocol, "\(client.label) returned an invalid answer to 'chat.sync'") }
        return Page(
            conversations: try rooms.map(reader.conversation), messages: try lines.map(reader.message),
            forgotten: answer["forgotten"]?.strings ?? [], cursor: next, hasMore: answer["has_more"]?.bool == true,
            isReset: answer["reset"]?.bool == true)
    }

    /// Imports the whole state of a gateway that has lost data, in one transaction: an interrupted import starts over.
    private mutating func recover(_ first: Page, _ reader: ChatWireReader) throws {
        var whole = first
        while whole.hasMore {
            let next = try page(since: whole.cursor, seen: nil, reader)
            // It was restored once more meanwhile.
            if next.isReset { return try recover(next, reader) }
            whole.conversations += next.conversations
            whole.messages += next.messages
            whole.forgotten += next.forgotten
            (whole.cursor, whole.hasMore) = (next.cursor, next.hasMore)
        }
        let told = Dictionary(whole.conversations.map { ($0.conversation.id, $0) }, uniquingKeysWith: { $1 })
        let heard = Dictionary(whole.messages.map { ($0.id, $0.isMine) }, uniquingKeysWith: { $1 })
        let (known, hasLeft) = (try store.chatMemberNames(of: account.id), try store.chatsLeft(of: account.id))
        let (store, name) = (store, name)
        let (new, recovery) = try store.takeChat(
            of: account, cursor: whole.cursor, seen: whole.cursor, isRecovering: true
        ) { intake in
            for remote in told.values { _ = try intake.take(remote, isWhole: true) }
            let new = try intake.take(try intake.placed(whole.messages), name: name)
            for key in whole.forgotten { try intake.forget(remote: key) }
            return (
                new,
                try intake.recover(
                    Array(told.values), heard: heard, new: Set(new), known: known, hasLeft: hasLeft,
                    hasFile: store.hasBytes)
            )
        }
        arrived += new
        note(unknown: recovery.unknown)
        notes += recovery.people.map { "\(client.label) was restored from a backup: \($0)" }
        if recovery.again > 0 {
            notes.append("\(client.label) was restored from a backup; messages sent again: \(recovery.again)")
            notes.append("Reactions, pins, profiles and push targets of the time since the backup are lost.")
        }
        if recovery.parked > 0 {
            notes.append(
                "\(client.label) was restored from a backup; later messages kept in the outbox: \(recovery.parked);"
                    + " list them with 'helix outbox', send one again with 'helix outbox retry ID'")
        }
        try acknowledge(Array(told.values))
    }

    private mutating func note(unknown names: [String]) {
        notes += names.map {
            "\(client.label) no longer has '\($0)'; its messages are kept locally, and 'helix chat new' creates another one"
        }
    }

    /// Imports messages from an event, without a request.
    /// - Returns: those that are new locally.
    /// - Throws: ``HelixError``.
    /// - Parameter seen: the event's cursor.
    public mutating func take(_ entries: [JSONText], seen: String? = nil) throws -> [EntityID] {
        let reader = try known()
        let messages = try entries.map(reader.message)
        let name = name
        return try store.takeChat(of: account, seen: seen) { intake in
            try intake.take(try intake.placed(messages), name: name)
        }
    }

    /// Fetches the earlier messages of a joined conversation, page by page, the latest first.
    mutating func fetch(_ id: EntityID, _ key: String, _ range: ClosedRange<Int64>) throws {
        let reader = try known()
        var end = range.upperBound + 1
        while end > range.lowerBound {
            let answer = try client.call(
                "chat.history", ["sessionKey": .string(key), "limit": 200, "before": .integer(end)],
                milliseconds: 60_000)
            let messages = try (answer["messages"]?.elements ?? []).compactMap { try $0["entry"].map(reader.message) }
            let name = name
            // An empty page ends the gap.
            let next = messages.first?.number ?? range.lowerBound
            guard next < end else { return }
            _ = try store.takeChat(of: account) { intake in
                let new = try intake.take(try intake.placed(messages), name: name)
                try intake.didFetch(id, from: next)
                return new
            }
            end = next
        }
    }

    /// Acknowledges the receipt of messages to their senders.
    private func acknowledge(_ conversations: [RemoteConversation]) throws {
        guard account.settings.isReadOnly != true else { return }
        for remote in conversations where remote.conversation.role != nil {
            guard let me = remote.members.first(where: \.isMe), me.deliveredUpTo < remote.last,
                let key = remote.conversation.remote
            else { continue }
            _ = try client.call(
                "chat.update", ["conversation": .string(key), "delivered_up_to": .integer(remote.last)])
        }
    }
}
