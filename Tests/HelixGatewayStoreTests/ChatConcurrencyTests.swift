import Dispatch
import HelixModel
import Synchronization
import TestSupport
import Testing

@testable import HelixGatewayStore

/// Several connections write and read at the same time, as several gateways do.
@Suite struct ChatConcurrencyTests {
    private static let (writers, readers, each) = (4, 3, 60)

    /// `@unchecked`: each store belongs to one thread.
    private struct Stores: @unchecked Sendable { let list: [any GatewayStore] }

    @Test(arguments: StoreImplementation.all)
    func everyMessageIsReadOnceAndInTheSameOrder(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let names = (0..<Self.writers).map { "user\($0)" }
        let users = try names.map { try test.user($0) }
        let groups = try (0..<3).map { try test.group("group \($0)", of: users[0], names) }
        let stores = Stores(list: try (0..<Self.writers + Self.readers).map { _ in try test.another() })
        let said = Mutex<Set<EntityID>>([])
        let isDone = Atomic(0)
        let read = Mutex<[[EntityID: GatewayMessage]]>([])
        let problems = Mutex<[String]>([])
        let now = test.now
        DispatchQueue.concurrentPerform(iterations: Self.writers + Self.readers) { number in
            let store = stores.list[number]
            do {
                if number < Self.writers {
                    defer { isDone.add(1, ordering: .sequentiallyConsistent) }
                    for step in 0..<Self.each {
                        let draft = ChatDraft(id: EntityID(), content: "\(number) \(step)")
                        let group = groups[(number + step) % groups.count]
                        let answer = try store.say(draft, in: group, by: users[number], asAssistant: false, now: now)
                        guard answer.isNew else { throw HelixError(.unexpected, "not new") }
                        said.withLock { _ = $0.insert(draft.id) }
                        // Read by the same connection, it is there: and the marks of the others go on.
                        _ = try store.changeConversation(
                            group, by: users[number], ConversationChange(read: answer.message.number), now: now)
                    }
                } else {
                    var (cursor, found, repeats) = (ChatCursor?.none, [EntityID: GatewayMessage](), 0)
                    var isLast = false
                    while !isLast {
                        isLast = isDone.load(ordering: .sequentiallyConsistent) == Self.writers
                        var hasMore = true
                        while hasMore {
                            let page = try store.chatPage(for: users[0], since: cursor, seen: cursor, limit: 7)
                            guard !page.isReset else { throw HelixError(.unexpected, "a cursor is unknown") }
                            for message in page.messages {
                                if found[message.id] != nil { repeats += 1 }
                                found[message.id] = message
                            }
                            (cursor, hasMore) = (page.cursor, page.hasMore)
                        }
                    }
                    if repeats > 0 { problems.withLock { $0.append("\(repeats) messages came twice") } }
                    let all = found
                    read.withLock { $0.append(all) }
                }
            } catch { problems.withLock { $0.append("\(error)") } }
        }
        #expect(problems.withLock { $0 }.isEmpty)
        let (all, seen) = (said.withLock { $0 }, read.withLock { $0 })
        #expect(all.count == Self.writers * Self.each && seen.count == Self.readers)
        for found in seen {
            #expect(Set(found.keys) == all)
            #expect(found == seen[0])
        }
        for group in groups {
            let list = try test.store.messages(of: group, for: users[1], before: nil, limit: 1_000)
            #expect(list.map(\.number) == Array(1...Int64(list.count)))
            #expect(list.allSatisfy { seen[0][$0.id] == $0 })
        }
    }

    @Test(arguments: StoreImplementation.all)
    func aMessageSentToTwoGatewaysIsStoredOnce(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let ana = try test.user("ana")
        let group = try test.group("pipes", of: ana, [])
        let stores = Stores(list: try (0..<4).map { _ in try test.another() })
        let drafts = (0..<40).map { ChatDraft(id: EntityID(), content: "\($0)") }
        let new = Atomic(0)
        let problems = Mutex<[String]>([])
        let now = test.now
        DispatchQueue.concurrentPerform(iterations: 4) { number in
            for draft in drafts {
                do {
                    let answer = try stores.list[number].say(draft, in: group, by: ana, asAssistant: false, now: now)
                    if answer.isNew { new.add(1, ordering: .relaxed) }
                } catch { problems.withLock { $0.append("\(error)") } }
            }
        }
        #expect(problems.withLock { $0 }.isEmpty)
        #expect(new.load(ordering: .relaxed) == drafts.count)
        let list = try test.store.messages(of: group, for: ana, before: nil, limit: 1_000)
        #expect(list.map(\.number) == Array(1...Int64(drafts.count)))
        #expect(Set(list.map(\.id)) == Set(drafts.map(\.id)))
    }
}
