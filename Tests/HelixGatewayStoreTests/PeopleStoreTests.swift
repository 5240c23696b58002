import HelixGatewayStore
import HelixModel
import TestSupport
import Testing

/// Profiles, the directory, blocked users and invitations by link, in every implementation.
@Suite struct PeopleStoreTests {
    @Test(arguments: StoreImplementation.all)
    func aProfileKeepsWhatItIsGiven(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let ana = try test.user("ana")
        #expect(try test.store.profile(of: ana) == GatewayProfile())
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]
        let made = try test.store.changeProfile(
            of: ana,
            ProfileChange(
                displayName: " Ana Rossi ", email: "Ana@Example.org", status: "on holiday until Monday", avatar: png),
            now: test.now)
        #expect(made.displayName == "Ana Rossi" && made.email == "ana@example.org")
        #expect(made.status == "on holiday until Monday" && made.avatar?.type == "image/png")
        #expect(try test.store.profile(of: ana) == made)
        #expect(try test.store.avatar(of: ana) == png)
        // A change leaves the rest, and an empty value clears.
        let changed = try test.store.changeProfile(of: ana, ProfileChange(status: "", avatar: []), now: test.now)
        #expect(changed.displayName == "Ana Rossi" && changed.status.isEmpty && changed.avatar == nil)
        #expect(try test.store.avatar(of: ana) == nil)
    }

    @Test(arguments: StoreImplementation.all)
    func aProfileRefusesWhatItCannotShow(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, bo) = (try test.user("ana"), try test.user("bo"))
        _ = try test.store.changeProfile(
            of: bo, ProfileChange(displayName: "Bo Dahl", email: "bo@example.org"), now: test.now)
        func change(_ change: ProfileChange) throws {
            _ = try test.store.changeProfile(of: ana, change, now: test.now)
        }
        // Names that look like another user's name or displayed name, in any script.
        for name in ["bo", "BO", "b\u{43E}", "B\u{43E} Dahl", "bo dahl", "B0 Dahl"] {
            expect(.conflict) { try change(ProfileChange(displayName: name)) }
        }
        for name in ["a\u{7}b", "a\u{202E}b", "a\nb", String(repeating: "x", count: 81)] {
            expect(.usage) { try change(ProfileChange(displayName: name)) }
        }
        for email in [
            "ana", "@example.org", "ana@", "ana@host", "a b@example.org", "a@b@example.org", "a:b@example.org",
        ] {
            expect(.usage) { try change(ProfileChange(email: email)) }
        }
        expect(.conflict) { try change(ProfileChange(email: "BO@example.org")) }
        for status in ["two\nlines", String(repeating: "x", count: 201), "\u{1B}[31m"] {
            expect(.usage) { try change(ProfileChange(status: status)) }
        }
        expect(.usage) { try change(ProfileChange(avatar: Array("<svg/>".utf8))) }
        expect(.usage) {
            try change(ProfileChange(avatar: [0xFF, 0xD8, 0xFF] + Array(repeating: 0, count: 256 << 10)))
        }
        #expect(try test.store.profile(of: ana) == GatewayProfile())
        // Nor can a new user take a displayed name.
        _ = try test.store.changeProfile(of: bo, ProfileChange(displayName: "carol"), now: test.now)
        expect(.conflict) { _ = try test.user("Carol") }
    }

    @Test(arguments: StoreImplementation.all)
    func theDirectoryShowsWhatItsOwnerAllows(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, bo, cy) = (try test.user("ana"), try test.user("bo"), try test.user("cy"))
        _ = try test.user("dan")
        let group = try test.group("pipes", of: ana, ["bo"])
        func names(_ user: EntityID, _ scope: DirectoryScope) throws -> [String] {
            try test.store.people(for: user, in: scope).map(\.user.name)
        }
        #expect(try names(ana, .all) == ["ana", "bo", "cy", "dan"])
        #expect(try names(ana, .members) == ["ana", "bo"])
        #expect(try names(cy, .members) == ["cy"])
        #expect(try names(ana, .off) == ["ana"])
        // Who has left is no acquaintance any more, and a disabled user is shown to nobody.
        _ = try test.store.remove(bo, from: group, by: bo, now: test.now)
        #expect(try names(ana, .members) == ["ana"])
        #expect(try names(bo, .members) == ["bo"])
        try test.store.setDisabled(true, user: cy, now: test.now)
        #expect(try names(ana, .all) == ["ana", "bo", "dan"])
    }

    @Test(arguments: StoreImplementation.all)
    func aBlockedUserCannotWriteDirectlyNorInvite(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, mal) = (try test.user("ana"), try test.user("mal"))
        let direct = try test.store.beginConversation(
            EntityID(), .direct, name: "ana", others: ["ana"], by: mal, now: test.now
        ).id
        try test.say("hello", in: direct, by: mal)
        _ = try test.store.setBlocked(true, "mal", by: ana, now: test.now)
        #expect(try test.store.people(for: ana, in: .all).filter(\.isBlocked).map(\.user.name) == ["mal"])
        #expect(try test.store.people(for: mal, in: .all).filter(\.isBlocked).isEmpty)
        expect(.notAllowed) { try test.say("again", in: direct, by: mal) }
        // Nor does the one who blocks write into the void.
        expect(.notAllowed) { try test.say("well", in: direct, by: ana) }
        expect(.notAllowed) { _ = try test.group("trap", of: mal, ["ana"]) }
        let group = try test.group("own", of: mal, [])
        expect(.notAllowed) {
            _ = try test.store.invite("ana", to: group, as: .member, seesAll: false, by: mal, now: test.now)
        }
        expect(.usage) { _ = try test.store.setBlocked(true, "ana", by: ana, now: test.now) }
        expect(.notFound) { _ = try test.store.setBlocked(true, "nobody", by: ana, now: test.now) }
        _ = try test.store.setBlocked(false, "mal", by: ana, now: test.now)
        try test.say("peace", in: direct, by: mal)
    }

    @Test(arguments: StoreImplementation.all)
    func whoSignsUpByAddressGetsANameOfTheirOwn(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        _ = try test.user("ana")
        let hash = try GatewayPassword.hash("a long password")
        func signUp(_ text: String) throws -> String { try test.store.signUp(text, hash: hash, now: test.now).name }
        #expect(try signUp("bo@example.org") == "bo")
        #expect(try signUp("bo@example.com") == "bo2")
        #expect(try signUp("ANA@example.org") == "ana2")
        #expect(try signUp("x+y@example.org") == "x-y")
        #expect(try signUp("dora") == "dora")
        #expect(try test.store.userName(ofEmail: "ana@EXAMPLE.org") == "ana2")
        #expect(try test.store.userName(ofEmail: "ana") == nil)
        expect(.conflict) { _ = try signUp("Bo@example.org") }
        expect(.usage) { _ = try signUp("bo@") }
        expect(.conflict) { _ = try signUp("D0ra") }
    }

    @Test(arguments: StoreImplementation.all)
    func anEndedAccountLeavesNothingButItsMessages(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, bo) = (try test.user("ana"), try test.user("bo"))
        let group = try test.group("pipes", of: bo, ["ana"])
        try test.say("hello", in: group, by: bo)
        _ = try test.store.changeProfile(
            of: bo, ProfileChange(displayName: "Bo Dahl", email: "bo@example.org"), now: test.now)
        expect(.conflict) { try test.store.endAccount(of: ana, now: test.now) }
        try test.store.endAccount(of: bo, now: test.now)
        let gone = try #require(try test.store.user(bo))
        #expect(gone.isDisabled && gone.deviceCount == 0)
        #expect(try test.store.profile(of: bo) == GatewayProfile())
        #expect(try test.store.conversation(group, of: ana).members.map(\.user) == [ana])
        #expect(try test.store.conversation(group, of: ana).own.role == .owner)
        #expect(try test.store.messages(of: group, for: ana, before: nil, limit: 10).contains { $0.content == "hello" })
        #expect(try test.store.userName(ofEmail: "bo@example.org") == nil)
        // The name stays taken: nobody can pretend to be the former user.
        expect(.conflict) { _ = try test.store.signUp("bo", hash: "x", now: test.now) }
    }

    @Test(arguments: StoreImplementation.all)
    func aLinkLetsInAsManyAsItSaysUntilItExpires(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, bo, cy, dan) = (
            try test.user("ana"), try test.user("bo"), try test.user("cy"), try test.user("dan")
        )
        let group = try test.group("pipes", of: ana, ["bo"])
        try test.say("before", in: group, by: ana)
        func create(_ token: String, uses: Int, seesAll: Bool = false, by user: EntityID) throws -> GatewayInvitation {
            try test.store.createInvitation(
                token: token, to: group, seesAll: seesAll, uses: uses, until: test.now + 3600, by: user, now: test.now)
        }
        expect(.notAllowed) { _ = try create("t0", uses: 1, by: bo) }
        expect(.notFound) { _ = try create("t0", uses: 1, by: cy) }
        let made = try create("t1", uses: 1, by: ana)
        #expect(try test.store.invitations(to: group, by: ana, now: test.now).map(\.id) == [made.id])
        #expect(try test.store.join(token: "t1", by: cy, now: test.now).conversation.id == group)
        // Those who join see what is said from then on.
        try test.say("after", in: group, by: ana)
        let seen = try test.store.messages(of: group, for: cy, before: nil, limit: 10).map(\.content)
        #expect(seen.contains("after") && !seen.contains("before"))
        // A member who follows the link again changes nothing, and it is used up for others.
        expect(.notFound) { _ = try test.store.join(token: "t1", by: dan, now: test.now) }
        expect(.notFound) { _ = try test.store.invitedGroup(token: "t1", now: test.now) }
        #expect(try test.store.join(token: "t1", by: cy, now: test.now).isNew == false)
        expect(.notFound) { _ = try test.store.join(token: "guess", by: dan, now: test.now) }
        _ = try create("t2", uses: 5, seesAll: true, by: ana)
        expect(.notFound) { _ = try test.store.join(token: "t2", by: dan, now: test.now + 3600) }
        _ = try test.store.join(token: "t2", by: bo, now: test.now)
        #expect(try test.store.invitations(to: group, by: ana, now: test.now).map(\.usesLeft) == [5])
        _ = try test.store.join(token: "t2", by: dan, now: test.now)
        #expect(
            try test.store.messages(of: group, for: dan, before: nil, limit: 10).contains { $0.content == "before" })
        let left = try #require(try test.store.invitations(to: group, by: ana, now: test.now).first)
        expect(.notAllowed) { try test.store.revokeInvitation(left.id, by: dan) }
        try test.store.revokeInvitation(left.id, by: ana)
        let eve = try test.user("eve")
        expect(.notFound) { _ = try test.store.join(token: "t2", by: eve, now: test.now) }
    }

    @Test(arguments: StoreImplementation.all)
    func reactionsAndPinsReachWhoSeesTheMessage(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, bo, cy) = (try test.user("ana"), try test.user("bo"), try test.user("cy"))
        let group = try test.group("pipes", of: ana, ["bo"])
        let said = try test.say("hello", in: group, by: bo)
        func react(_ emoji: String, _ isOn: Bool = true, by user: EntityID) throws -> [ChatReaction] {
            try test.store.react(emoji, isOn: isOn, to: said.id, by: user, now: test.now).message.details.reactions
        }
        let before = try test.store.chatCursor()
        #expect(try react("👍", by: ana) == [ChatReaction(emoji: "👍", users: ["ana"])])
        // Twice is once, and without an effect for others.
        let after = try #require(try test.pages(of: ana).last).cursor
        #expect(try react("👍", by: ana).count == 1)
        #expect(try test.pages(of: ana, since: after).allSatisfy { $0.messages.isEmpty } && after != before)
        #expect(try react("👍", by: bo) == [ChatReaction(emoji: "👍", users: ["ana", "bo"])])
        #expect(try react("👩‍👩‍👧", by: bo).map(\.emoji) == ["👍", "👩‍👩‍👧"])
        #expect(try react("👍", false, by: ana).first?.users == ["bo"])
        for text in ["", "a", "1", "ok", "👍👍", " ", "\u{1B}", "é"] { expect(.usage) { _ = try react(text, by: ana) } }
        expect(.notFound) { _ = try react("👍", by: cy) }
        // A page since then has the message again, with its reactions.
        let page = try test.pages(of: ana, since: before)
        #expect(page.flatMap(\.messages).last?.details.reactions.map(\.emoji) == ["👍", "👩‍👩‍👧"])
        expect(.notAllowed) { _ = try test.store.pin(true, said.id, by: bo, now: test.now) }
        #expect(try test.store.pin(true, said.id, by: ana, now: test.now).message.details.pinnedAt == test.now)
        #expect(try test.store.pin(false, said.id, by: ana, now: test.now).message.details.pinnedAt == nil)
        for number in 0..<25 {
            let emoji = String(Character(Unicode.Scalar(0x1F400 + UInt32(number)) ?? "?"))
            if number < 20 {
                _ = try react(emoji, by: ana)
            } else {
                expect(.notAllowed) { _ = try react(emoji, by: ana) }
            }
        }
    }

    @Test(arguments: StoreImplementation.all)
    func ownersAndAdminsRemoveMessagesOfOthers(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, bo, cy) = (try test.user("ana"), try test.user("bo"), try test.user("cy"))
        let group = try test.group("pipes", of: ana, ["bo", "cy"])
        _ = try test.store.setRole(.admin, of: bo, in: group, by: ana)
        func remove(_ message: GatewayMessage, by user: EntityID) throws -> GatewayMessage {
            try test.store.edit(message.id, content: nil, by: user, now: test.now).message
        }
        let (first, second) = (try test.say("rude", in: group, by: cy), try test.say("rule", in: group, by: ana))
        expect(.notFound) { _ = try remove(try test.say("mine", in: group, by: bo), by: cy) }
        // An admin does not remove what an owner said, and nobody changes the words of others.
        expect(.notFound) { _ = try remove(second, by: bo) }
        expect(.notFound) { _ = try test.store.edit(first.id, content: "nice", by: ana, now: test.now) }
        let gone = try remove(first, by: bo)
        #expect(gone.isDeleted && gone.content.isEmpty && gone.details.removedBy == "bo")
        // Its author can neither restore it nor hide who removed it.
        expect(.notAllowed) { _ = try test.store.edit(first.id, content: "rude again", by: cy, now: test.now) }
        expect(.notAllowed) { _ = try remove(first, by: cy) }
        #expect(
            try test.store.messages(of: group, for: cy, before: nil, limit: 10).contains {
                $0.details.removedBy == "bo"
            })
        #expect(try remove(second, by: ana).details.removedBy == nil)
        // In a direct conversation nobody removes what the other said.
        let direct = try test.store.beginConversation(
            EntityID(), .direct, name: "bo", others: ["bo"], by: ana, now: test.now
        ).id
        let word = try test.say("word", in: direct, by: bo)
        expect(.notFound) { _ = try remove(word, by: ana) }
    }
}
