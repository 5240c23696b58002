import HelixGatewayStore
import HelixModel
import TestSupport
import Testing

/// The places that are notified while devices are away, in every implementation.
@Suite struct PushStoreTests {
    private func target(
        _ user: EntityID, _ device: String, _ kind: PushTarget.Kind, _ address: String,
        _ condition: PushTarget.Condition = .device
    ) -> PushTarget {
        PushTarget(
            user: user, device: device, kind: kind, address: address, condition: condition, createdAt: Instant(1000))
    }

    @Test(arguments: StoreImplementation.all)
    func aTargetIsKeptAsItIs(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, bob) = (try test.user("ana"), try test.user("bob"))
        let phone = test.device("phone")
        try test.store.admit(phone, user: ana, remote: "", now: test.now)
        var given = target(ana, phone.id, .webpush, "https://push.example.org/1", .always)
        given.settings.topic = "t"
        given.settings.isSandbox = true
        (given.settings.key, given.settings.authentication, given.settings.secret) = ("k", "a", "s")
        let saved = try test.store.savePushTarget(given)
        #expect(try test.store.pushTargets(of: ana) == [saved] && saved == given)
        #expect(try test.store.pushTargets(of: bob).isEmpty)
        // Registered again, it keeps its identity.
        var again = target(ana, phone.id, .webpush, given.address)
        again.settings.key = "new"
        let renewed = try test.store.savePushTarget(again)
        #expect(renewed.id == saved.id && renewed.settings.key == "new")
        #expect(try test.store.pushTargets(of: ana) == [renewed])
        // Failures are counted until a success.
        for _ in 1...2 { try test.store.notePush(saved.id, problem: "503 busy") }
        #expect(try test.store.pushTargets(of: ana).map(\.failures) == [2])
        #expect(try test.store.pushTargets(of: ana).map(\.problem) == ["503 busy"])
        try test.store.notePush(saved.id, problem: nil)
        #expect(try test.store.pushTargets(of: ana) == [renewed])
        // Nobody removes another's.
        #expect(try !test.store.removePushTarget(saved.id, of: bob))
        #expect(try test.store.removePushTarget(saved.id, of: ana))
        #expect(try test.store.pushTargets(of: ana).isEmpty)
        // A device that is not approved has none, one that is revoked loses its own.
        expect(.notFound) { _ = try test.store.savePushTarget(target(bob, phone.id, .ntfy, "https://ntfy.sh/x")) }
        _ = try test.store.savePushTarget(given)
        try test.store.revoke(phone.id, user: ana, now: test.now)
        #expect(try test.store.pushTargets(of: ana).isEmpty)
    }

    @Test(arguments: StoreImplementation.all)
    func aTokenBelongsToWhoRegisteredItLastAndAnAddressToEach(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, bob) = (try test.user("ana"), try test.user("bob"))
        let phone = test.device("phone")
        for user in [ana, bob] { try test.store.admit(phone, user: user, remote: "", now: test.now) }
        for user in [ana, bob] {
            _ = try test.store.savePushTarget(target(user, phone.id, .apns, "00ff"))
            _ = try test.store.savePushTarget(target(user, phone.id, .ntfy, "https://ntfy.sh/x"))
        }
        #expect(try test.store.pushTargets(of: ana).map(\.kind) == [.ntfy])
        #expect(try Set(test.store.pushTargets(of: bob).map(\.kind)) == [.ntfy, .apns])
        for number in 1..<GatewayLimits.pushTargets {
            _ = try test.store.savePushTarget(target(ana, phone.id, .ntfy, "https://ntfy.sh/\(number)"))
        }
        expect(.conflict) { _ = try test.store.savePushTarget(target(ana, phone.id, .ntfy, "https://ntfy.sh/more")) }
    }

    @Test(arguments: StoreImplementation.all)
    func aMessageNotifiesTheOtherMembersWhoWantIt(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let names = ["ana", "bob", "cy", "dan", "eve"]
        let users = try names.map { try test.user($0) }
        let phone = test.device("phone")
        for user in users {
            try test.store.admit(phone, user: user, remote: "", now: test.now)
            _ = try test.store.savePushTarget(target(user, phone.id, .ntfy, "https://ntfy.sh/x"))
        }
        let group = try test.group("pipes", of: users[0], ["bob", "cy", "dan"])
        func told(_ sender: EntityID?) throws -> [String] {
            let found = try test.store.pushTargets(in: group, from: sender).map(\.user)
            return zip(names, users).filter { found.contains($0.1) }.map(\.0)
        }
        #expect(try told(users[0]) == ["bob", "cy", "dan"])
        #expect(try told(users[1]) == ["ana", "cy", "dan"])
        _ = try test.store.changeConversation(group, by: users[1], ConversationChange(isMuted: true), now: test.now)
        _ = try test.store.setBlocked(true, "ana", by: users[2], now: test.now)
        #expect(try told(users[0]) == ["dan"])
        #expect(try told(users[3]) == ["ana", "cy"])
        _ = try test.store.remove(users[3], from: group, by: users[3], now: test.now)
        #expect(try told(users[0]) == [])
        try test.store.setDisabled(true, user: users[2], now: test.now)
        #expect(try told(users[1]) == ["ana"])
    }
}
