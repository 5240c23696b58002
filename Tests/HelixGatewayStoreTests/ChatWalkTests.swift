import HelixModel
import TestSupport
import Testing

@testable import HelixGatewayStore

/// Five users do 600 random things; each has two devices that fetch pages at random times. In the end every device has what a
/// new one gets, and all members the same messages in the same order.
@Suite struct ChatWalkTests {
    /// The copy that a device keeps, as helix does.
    private struct Device {
        var user: EntityID
        var cursor: ChatCursor?
        var messages: [EntityID: GatewayMessage] = [:]
        var conversations: [EntityID: GatewayConversation] = [:]

        mutating func fetch(_ test: TestGatewayStore, limit: Int) throws {
            for page in try test.pages(of: user, since: cursor, limit: limit) {
                #expect(!page.isReset)
                var joined: Set<EntityID> = []
                for conversation in page.conversations {
                    let former = conversations[conversation.id]?.own.role
                    if former == nil, conversation.own.role != nil { joined.insert(conversation.id) }
                    conversations[conversation.id] = conversation
                }
                for id in page.forgotten {
                    conversations[id] = nil
                    messages = messages.filter { $0.value.conversation != id }
                }
                for message in page.messages { messages[message.id] = message }
                for conversation in page.conversations {
                    try fetchEarlier(conversation, test, isAll: joined.contains(conversation.id))
                }
                cursor = page.cursor
            }
            // What is older than a member's first message is no longer visible.
            messages = messages.filter { message in
                conversations[message.value.conversation].map { message.value.number >= $0.own.first } ?? false
            }
        }

        /// A restored conversation has messages before those of the page; a joined one may have some between them, too: one
        /// that was edited since is in the page, and the next one is not.
        private mutating func fetchEarlier(
            _ conversation: GatewayConversation, _ test: TestGatewayStore, isAll: Bool
        ) throws {
            let known =
                isAll ? nil : messages.values.filter { $0.conversation == conversation.id }.map(\.number).min()
            guard conversation.own.first < known ?? Int64.max else { return }
            let earlier = try test.store.messages(of: conversation.id, for: user, before: known, limit: 1_000)
            for message in earlier { messages[message.id] = message }
        }
    }

    @Test(arguments: StoreImplementation.all, Array(1...12))
    func devicesConverge(_ kind: StoreImplementation, seed: Int) throws {
        let test = try TestGatewayStore(kind)
        var random = SeededGenerator(seed: UInt64(seed))
        let names = ["ana", "bo", "cy", "di", "ed"]
        let users = try names.map { try test.user($0) }
        var devices = users.flatMap { [Device(user: $0), Device(user: $0)] }
        var (conversations, said): ([EntityID], [EntityID]) = ([], [])
        func any<Value>(_ list: [Value]) -> Value? { list.randomElement(using: &random) }
        for step in 0..<600 {
            test.now = Instant(test.now.seconds + 1)
            let user = any(users) ?? users[0]
            do {
                switch Int.random(in: 0..<20, using: &random) {
                case 0:
                    let others = names.filter { _ in Bool.random(using: &random) }
                    conversations.append(try test.group("group \(step)", of: user, others))
                case 1:
                    conversations.append(
                        try test.store.beginConversation(
                            EntityID(), .direct, name: "x", others: [any(names) ?? "ana"], by: user, now: test.now
                        ).id)
                case 2:
                    guard let id = any(conversations) else { break }
                    _ = try test.store.invite(
                        any(names) ?? "ana", to: id, as: .member, seesAll: .random(using: &random), by: user,
                        now: test.now)
                case 3:
                    guard let id = any(conversations), Int.random(in: 0..<3, using: &random) == 0 else { break }
                    _ = try test.store.remove(any(users) ?? user, from: id, by: user, now: test.now)
                case 4:
                    guard let id = any(conversations), Int.random(in: 0..<4, using: &random) == 0 else { break }
                    try test.store.forgetConversation(id, by: user, now: test.now)
                case 5:
                    guard let id = any(conversations) else { break }
                    _ = try test.store.changeConversation(
                        id, by: user,
                        ConversationChange(
                            name: Bool.random(using: &random) ? "name \(step)" : nil,
                            isMuted: Bool.random(using: &random) ? true : nil, read: .random(in: 0..<9, using: &random)),
                        now: test.now)
                case 6, 7:
                    guard let id = any(said) else { break }
                    _ = try test.store.edit(
                        id, content: Bool.random(using: &random) ? "edited \(step)" : nil, by: user, now: test.now)
                case 8, 9, 10:
                    let place = devices.indices.randomElement(using: &random) ?? 0
                    try devices[place].fetch(test, limit: any([1, 3, 500]) ?? 1)
                default:
                    guard let id = any(conversations) else { break }
                    said.append(try test.say("message \(step)", in: id, by: user).id)
                }
            } catch let error as HelixError {
                // Not everybody may do everything.
                #expect([.notFound, .notAllowed, .usage, .conflict].contains(error.code), "\(error.message)")
            }
        }
        #expect(said.count > 100)
        for place in devices.indices {
            try devices[place].fetch(test, limit: 7)
            var new = Device(user: devices[place].user)
            try new.fetch(test, limit: 500)
            // Who has left sees no later edits: of a message that was edited since, a new device sees nothing.
            let present = Set(new.conversations.values.filter { $0.own.role != nil }.map(\.id))
            func visible(_ device: Device) -> [GatewayMessage] {
                device.messages.values.filter { present.contains($0.conversation) }
                    .sorted { ($0.conversation.text, $0.number) < ($1.conversation.text, $1.number) }
            }
            let (kept, all) = (visible(devices[place]), visible(new))
            #expect(
                kept == all, "\(names[place / 2]): \(all.filter { !kept.contains($0) }.map(\.content))")
            for (id, conversation) in new.conversations {
                #expect(
                    devices[place].conversations[id] == conversation,
                    "\(String(describing: devices[place].conversations[id]))\n\(conversation)")
            }
            #expect(devices[place].conversations.count == new.conversations.count)
        }
        for id in conversations {
            var known: [Int64: GatewayMessage] = [:]
            for user in users {
                guard let list = try? test.store.messages(of: id, for: user, before: nil, limit: 1_000) else {
                    continue
                }
                #expect(list.map(\.number) == list.map(\.number).sorted())
                guard try test.store.conversation(id, of: user).own.role != nil else { continue }
                if let (first, last) = list.first.flatMap({ first in list.last.map { (first.number, $0.number) } }) {
                    // Without a gap.
                    #expect(list.map(\.number) == Array(first...last))
                }
                for message in list {
                    #expect(known[message.number, default: message] == message)
                    known[message.number] = message
                }
            }
        }
    }
}
