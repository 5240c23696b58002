import HelixModel
import Testing

@testable import HelixGatewayStore

@Suite struct ChatStoreTests {
    @Test(arguments: StoreImplementation.all)
    func requestsThatArriveTwiceHaveOneEffect(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, bo) = (try test.user("ana"), try test.user("bo"))
        let id = EntityID()
        for _ in 0..<2 {
            let made = try test.store.beginConversation(
                id, .direct, name: "bo", others: ["bo"], by: ana, now: test.now)
            #expect(made.id == id)
        }
        // A direct conversation of two users is one, whoever begins it.
        let other = try test.store.beginConversation(
            EntityID(), .direct, name: "ana", others: ["ana"], by: bo, now: test.now)
        #expect(other.id == id)
        let draft = ChatDraft(id: EntityID(), content: "hello")
        let first = try test.store.say(draft, in: id, by: ana, asAssistant: false, now: test.now)
        let again = try test.store.say(draft, in: id, by: ana, asAssistant: false, now: test.now)
        #expect(first.isNew && !again.isNew && first.message == again.message)
        expect(.conflict) { _ = try test.store.say(draft, in: id, by: bo, asAssistant: false, now: test.now) }
        expect(.conflict) {
            _ = try test.store.beginConversation(
                id, .group, name: "x", others: [], by: try test.user("cy"), now: test.now)
        }
    }

    @Test(arguments: StoreImplementation.all)
    func onlyMembersSeeAConversation(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, cy) = (try test.user("ana"), try test.user("cy"))
        try test.user("bo")
        let group = try test.group("pipes", of: ana, ["bo"])
        let message = try test.say("the valve leaks", in: group, by: ana)
        // Not even its existence is revealed.
        for body: () throws -> Void in [
            { _ = try test.store.conversation(group, of: cy) },
            { _ = try test.store.messages(of: group, for: cy, before: nil, limit: 10) },
            { try test.say("hi", in: group, by: cy) },
            { _ = try test.store.edit(message.id, content: "no", by: cy, now: test.now) },
            { _ = try test.store.invite("cy", to: group, as: .member, seesAll: true, by: cy, now: test.now) },
            { _ = try test.store.changeConversation(group, by: cy, ConversationChange(read: 1), now: test.now) },
            { try test.store.forgetConversation(group, by: cy, now: test.now) },
        ] { expect(.notFound, body) }
        #expect(try test.pages(of: cy).allSatisfy { $0.conversations.isEmpty && $0.messages.isEmpty })
    }

    /// An assistant that is a member is nobody's heir while a person is there, and its answers can be removed.
    @Test(arguments: StoreImplementation.all)
    func anAssistantInAGroupIsGovernedByPeople(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, zoe) = (try test.user("ana"), try test.user("zoe"))
        let own = try test.store.user(
            ofSubject: GatewayUser.assistantSubject, email: nil, name: "assistant", now: test.now
        ).user.id
        let group = try test.group("pipes", of: ana, ["assistant", "zoe"])
        let draft = ChatDraft(id: EntityID(), content: "a wrong answer", role: .assistant)
        let answer = try test.store.say(draft, in: group, by: own, asAssistant: true, now: test.now).message
        expect(.notFound) { _ = try test.store.edit(answer.id, content: nil, by: zoe, now: test.now) }
        expect(.notFound) { _ = try test.store.edit(answer.id, content: "better", by: ana, now: test.now) }
        #expect(try test.store.edit(answer.id, content: nil, by: ana, now: test.now).message.isDeleted)
        _ = try test.store.remove(ana, from: group, by: ana, now: test.now)
        let roles = try test.store.conversation(group, of: zoe).members.filter { $0.role != nil }
        #expect(roles.first { $0.user == zoe }?.role == .owner && roles.first { $0.user == own }?.role == .member)
        // Without anybody else it keeps the group, as any last member does.
        _ = try test.store.remove(zoe, from: group, by: zoe, now: test.now)
        #expect(try test.store.conversation(group, of: own).own.role == .owner)
    }

    @Test(arguments: StoreImplementation.all)
    func aNewMemberSeesWhatTheInvitationAllows(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, bo, cy) = (try test.user("ana"), try test.user("bo"), try test.user("cy"))
        let group = try test.group("pipes", of: ana, [])
        try test.say("before", in: group, by: ana)
        _ = try test.store.invite("bo", to: group, as: .member, seesAll: false, by: ana, now: test.now)
        _ = try test.store.invite("cy", to: group, as: .member, seesAll: true, by: ana, now: test.now)
        try test.say("after", in: group, by: ana)
        func texts(_ user: EntityID) throws -> [String] {
            try test.store.messages(of: group, for: user, before: nil, limit: 50).filter { $0.role == .user }
                .map(\.content)
        }
        #expect(try texts(bo) == ["after"])
        #expect(try texts(cy) == ["before", "after"])
        // Members may not invite, admins may, but not owners.
        expect(.notAllowed) {
            _ = try test.store.invite("bo", to: group, as: .admin, seesAll: true, by: cy, now: test.now)
        }
        _ = try test.store.setRole(.admin, of: cy, in: group, by: ana)
        expect(.notAllowed) { _ = try test.store.setRole(.owner, of: bo, in: group, by: cy) }
        // Who leaves sees nothing later; a group that its owner leaves has another.
        _ = try test.store.remove(ana, from: group, by: ana, now: test.now)
        try test.say("without ana", in: group, by: bo)
        #expect(try !texts(ana).contains("without ana"))
        #expect(try test.store.conversation(group, of: cy).own.role == .owner)
        expect(.notFound) { try test.say("am I still in?", in: group, by: ana) }
    }

    @Test(arguments: StoreImplementation.all)
    func readMarksNeverGoBackNorBeyondTheEnd(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, bo) = (try test.user("ana"), try test.user("bo"))
        let group = try test.group("pipes", of: ana, ["bo"])
        for number in 1...5 { try test.say("\(number)", in: group, by: ana) }
        func mark(_ number: Int64) throws -> (Int64, ChangeAudience) {
            let (conversation, notified) = try test.store.changeConversation(
                group, by: bo, ConversationChange(read: number), now: test.now)
            return (conversation.own.read, notified)
        }
        let last = try test.store.conversation(group, of: ana).last
        #expect(try mark(2) == (2, .authors([ana])))
        #expect(try mark(1) == (2, .nobody))
        #expect(try mark(-7) == (2, .nobody))
        #expect(try mark(.max) == (last, .authors([ana])))
        #expect(try test.store.conversation(group, of: bo).own.delivered == last)
    }

    @Test(arguments: StoreImplementation.all)
    func onlyTheAuthorsOfWhatIsReadAreNotified(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, bo, cy) = (try test.user("ana"), try test.user("bo"), try test.user("cy"))
        try test.user("dan")
        let group = try test.group("pipes", of: ana, ["bo", "cy", "dan"])
        try test.say("1", in: group, by: ana)
        try test.say("2", in: group, by: bo)
        try test.say("3", in: group, by: ana)
        func notified(_ change: ConversationChange, by user: EntityID) throws -> ChangeAudience {
            try test.store.changeConversation(group, by: user, change, now: test.now).notified
        }
        let first = try #require(try test.store.messages(of: group, for: cy, before: nil, limit: 10).first)
        #expect(try notified(ConversationChange(read: first.number), by: cy) == .authors([ana]))
        #expect(try notified(ConversationChange(delivered: .max), by: cy) == .authors([ana, bo]))
        #expect(try notified(ConversationChange(delivered: .max), by: cy) == .nobody)
        #expect(try notified(ConversationChange(read: .max), by: cy) == .authors([ana, bo]))
        #expect(try notified(ConversationChange(read: .max), by: bo) == .authors([ana]))
        #expect(try notified(ConversationChange(isMuted: true), by: bo) == .nobody)
        #expect(try notified(ConversationChange(name: "drains"), by: ana) == .everybody)
    }

    @Test(arguments: StoreImplementation.all)
    func aForgottenConversationReappearsWithTheNextMessage(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, bo) = (try test.user("ana"), try test.user("bo"))
        let id = try test.store.beginConversation(
            EntityID(), .direct, name: "bo", others: ["bo"], by: ana, now: test.now
        ).id
        try test.say("old", in: id, by: ana)
        try test.store.forgetConversation(id, by: bo, now: test.now)
        #expect(try test.store.conversations(of: bo, matching: ConversationFilter(), limit: 10).total == 0)
        #expect(try test.pages(of: bo).last?.forgotten == [id])
        try test.say("new", in: id, by: ana)
        #expect(try test.store.messages(of: id, for: bo, before: nil, limit: 10).map(\.content) == ["new"])
        // Begun again by the user, it has everything that was visible before.
        _ = try test.store.beginConversation(EntityID(), .direct, name: "ana", others: ["ana"], by: bo, now: test.now)
        #expect(try test.store.messages(of: id, for: bo, before: nil, limit: 10).map(\.content) == ["old", "new"])
    }

    @Test(arguments: StoreImplementation.all)
    func theMainConversationCannotBeTakenByOthers(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, bo) = (try test.user("ana"), try test.user("bo"))
        let guessed = EntityID()
        _ = try test.store.beginConversation(guessed, .group, name: "trap", others: ["ana"], by: bo, now: test.now)
        #expect(try test.store.mainConversation(of: ana) == nil)
        let main = try test.store.makeMainConversation(of: ana, former: guessed, now: test.now)
        #expect(main.id != guessed && main.kind == .assistant)
        #expect(try test.store.makeMainConversation(of: ana, former: guessed, now: test.now).id == main.id)
        #expect(try test.store.mainConversation(of: ana)?.id == main.id)
        let secret = try test.store.secret()
        #expect(secret.count == 32)
        #expect(try test.another().secret() == secret)
    }

    @Test(arguments: StoreImplementation.all)
    func aCursorOfAnotherStoreStartsOver(_ kind: StoreImplementation) throws {
        let (test, other) = (try TestGatewayStore(kind), try TestGatewayStore(kind))
        for each in [test, other] {
            let ana = try each.user("ana")
            let group = try each.group("pipes", of: ana, [])
            for number in 0..<20 { try each.say("\(number)", in: group, by: ana) }
        }
        let ana = try test.store.user(named: "ana").id
        let own = try test.store.chatCursor()
        let theirs = try other.store.chatCursor()
        #expect(try test.store.chatPage(for: ana, since: own, seen: nil, limit: 100).isReset == false)
        let page = try test.store.chatPage(for: ana, since: theirs, seen: nil, limit: 100)
        #expect(page.isReset && page.messages.count == 20)
        #expect(try test.store.chatPage(for: ana, since: nil, seen: theirs, limit: 100).isReset)
        // The nonces of the latest cursors are kept.
        try test.store.sweepCursors()
        #expect(try test.store.chatPage(for: ana, since: own, seen: nil, limit: 100).isReset == false)
        #expect(ChatCursor(own.text) == own)
    }

    @Test(arguments: StoreImplementation.all)
    func conversationsAreFoundByTheirName(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let ana = try test.user("ana")
        try test.user("bo")
        for name in ["pipes", "100% done", "a_b", "axb", #"back\slash"#] { _ = try test.group(name, of: ana, []) }
        _ = try test.store.beginConversation(EntityID(), .direct, name: "x", others: ["bo"], by: ana, now: test.now)
        func found(_ text: String) throws -> [String] {
            try test.store.conversations(of: ana, matching: ConversationFilter(search: text), limit: 10).list.map(
                \.conversation.name
            ).sorted()
        }
        #expect(try found("PIPE") == ["pipes"])
        // Signs of patterns have no meaning.
        #expect(try found("%") == ["100% done"])
        #expect(try found("a_b") == ["a_b"])
        #expect(try found(#"k\s"#) == [#"back\slash"#])
        #expect(try found("bo") == ["bo"])
        #expect(try found("none").isEmpty)
        #expect(try test.store.conversations(of: ana, matching: ConversationFilter(), limit: 2).total == 6)
        // The whole name, the kind, and the time of the latest message.
        func count(_ filter: ConversationFilter) throws -> Int {
            try test.store.conversations(of: ana, matching: filter, limit: 10).total
        }
        #expect(try count(ConversationFilter(label: "pipes")) == 1)
        #expect(try count(ConversationFilter(label: "pipe")) == 0)
        #expect(try count(ConversationFilter(label: "a_b")) == 1)
        #expect(try count(ConversationFilter(kind: .direct)) == 1)
        #expect(try count(ConversationFilter(kind: .group, since: test.now)) == 5)
        #expect(try count(ConversationFilter(since: Instant(test.now.seconds + 3600))) == 0)
    }

    @Test(arguments: StoreImplementation.all)
    func aClearedConversationStartsAnewForOneUser(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, bo) = (try test.user("ana"), try test.user("bo"))
        let group = try test.group("pipes", of: ana, ["bo"])
        try test.say("old", in: group, by: ana)
        #expect(try test.store.clearConversation(group, by: ana).own.first == 2)
        try test.say("new", in: group, by: bo)
        #expect(try test.store.messages(of: group, for: ana, before: nil, limit: 9).map(\.content) == ["new"])
        #expect(try test.store.messages(of: group, for: bo, before: nil, limit: 9).map(\.content) == ["old", "new"])
        expect(.notFound) { _ = try test.store.clearConversation(group, by: try test.user("cy")) }
    }
}
