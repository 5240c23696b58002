import Dispatch
import HelixModel
import Testing

@testable import HelixGatewayStore

@Suite struct UserStoreTests {
    @Test(arguments: StoreImplementation.all)
    func theFirstUserIsAnAdministratorAndOneStays(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, bo) = (try test.user("ana"), try test.user("bo"))
        #expect(try test.store.users().map(\.name) == ["ana", "bo"])
        #expect(try test.store.users().map(\.isAdmin) == [true, false])
        expect(.conflict) { try test.store.setAdmin(false, user: ana, now: test.now) }
        try test.store.setAdmin(true, user: bo, now: test.now)
        try test.store.setAdmin(false, user: ana, now: test.now)
        #expect(try test.store.user(ana)?.isAdmin == false)
        #expect(try test.store.user(EntityID()) == nil)
        expect(.notFound) { _ = try test.store.user(named: "cy") }
    }

    @Test(arguments: StoreImplementation.all)
    func namesThatLookAlikeAreRefused(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        try test.user("paul")
        for name in ["paul", "Paul", "p\u{430}ul", "pau1"] {
            #expect(throws: HelixError.self, "\(name)") { try test.user(name) }
        }
        for name in ["", "a b", "a:b", "a/b", String(repeating: "a", count: 65), "a\u{202E}b"] {
            expect(.usage) { try test.user(name) }
        }
        #expect(try test.store.users().count == 1)
    }

    @Test(arguments: StoreImplementation.all)
    func aNewPasswordEndsAllSessionsButOne(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let ana = try test.user("ana")
        let devices = ["laptop", "phone"].map { test.device($0) }
        for device in devices { try test.store.admit(device, user: ana, remote: "::1", now: test.now) }
        let tokens = try devices.map {
            try test.store.makeToken(for: $0.id, user: ana, epoch: 0, now: test.now)
        }
        try test.store.setPassword(of: ana, hash: "new", keeping: devices[0].id, now: test.now)
        #expect(try test.store.passwordHash(ofUser: "ana") == "new")
        #expect(try test.store.holder(ofToken: tokens[0], now: test.now)?.device == devices[0].id)
        #expect(try test.store.holder(ofToken: tokens[1], now: test.now) == nil)
        let user = try #require(try test.store.user(ana))
        #expect(user.admits(devices[0].id, since: 0) && !user.admits(devices[1].id, since: 0))
        // Signing in again is possible for both.
        #expect(user.admits(devices[1].id, since: user.epoch))
        try test.store.setPassword(of: ana, hash: "newer", keeping: nil, now: test.now)
        #expect(try test.store.holder(ofToken: tokens[0], now: test.now) == nil)
        #expect(try test.store.user(ana)?.admits(devices[0].id, since: 0) == false)
    }

    @Test(arguments: StoreImplementation.all)
    func aDisabledUserIsSignedOutAndHidden(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, bo) = (try test.user("ana"), try test.user("bo"))
        try test.store.admit(test.device("phone"), user: bo, remote: "::1", now: test.now)
        let token = try test.store.makeToken(for: "id of phone", user: bo, epoch: 0, now: test.now)
        try test.store.setDisabled(true, user: bo, now: test.now)
        #expect(try test.store.holder(ofToken: token, now: test.now) == nil)
        expect(.notFound) { _ = try test.group("pipes", of: ana, ["bo"]) }
        try test.store.setDisabled(false, user: bo, now: test.now)
        _ = try test.group("pipes", of: ana, ["BO"])
    }

    @Test(arguments: StoreImplementation.all)
    func everyChangeOfUsersAndDevicesIsInTheAuditLog(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        var last = try test.store.audited(since: nil).mark
        var ana = EntityID()
        func expectEntry(_ location: SourceLocation = #_sourceLocation, _ body: () throws -> Void) throws {
            try body()
            let next = try test.store.audited(since: last)
            #expect(next.users == [ana], sourceLocation: location)
            last = next.mark
        }
        try expectEntry { ana = try test.user("ana") }
        try expectEntry { try test.store.setPassword(of: ana, hash: "x", keeping: nil, now: test.now) }
        try expectEntry { try test.store.setDisabled(true, user: ana, now: test.now) }
        try expectEntry {
            _ = try test.store.requestPairing(test.device("phone"), user: ana, remote: "::1", now: test.now)
        }
        try expectEntry {
            _ = try test.store.answer(
                pairing: "id of phone", of: ana, admits: true, scopes: nil, now: test.now)
        }
        try expectEntry { try test.store.revoke("id of phone", user: ana, now: test.now) }
        // A failed sign-in is about nobody.
        try test.store.audit(AuditEntry("signin.fail", remote: "::1"), now: test.now)
        #expect(try test.store.audited(since: last).users.isEmpty)
        // Another process sees the same log; after a year only newer entries are kept, and new ones are noticed.
        #expect(try test.another().audited(since: last).users.isEmpty)
        test.now = Instant(test.now.seconds + 400 * 86_400)
        try expectEntry { try test.store.setDisabled(false, user: ana, now: test.now) }
        try test.store.sweepAudit(now: test.now)
        last = try test.store.audited(since: nil).mark
        try expectEntry { try test.store.setDisabled(true, user: ana, now: test.now) }
    }

    @Test(arguments: StoreImplementation.all)
    func anAdministratorIsLeftWhenTwoDemoteEachOther(_ kind: StoreImplementation) throws {
        for _ in 0..<10 {
            let test = try TestGatewayStore(kind)
            let users = [try test.user("ana"), try test.user("bo")]
            for user in users { try test.store.setAdmin(true, user: user, now: test.now) }
            nonisolated(unsafe) let stores = [test.store, try test.another()]
            let now = test.now
            DispatchQueue.concurrentPerform(iterations: 2) { place in
                try? stores[place].setAdmin(false, user: users[place], now: now)
            }
            #expect(try test.store.users().contains(where: \.isAdmin))
        }
    }

    @Test(arguments: StoreImplementation.all)
    func failedSignInsCountAtAllGateways(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let keys = ["address 192.0.2.7", "name ana"]
        let other = try test.another()
        for store in [test.store, other, test.store] { try store.noteSignInFailure(keys, now: test.now) }
        let found = try other.signInFailures(keys + ["name bo"], now: test.now)
        #expect(found == Dictionary(uniqueKeysWithValues: keys.map { ($0, SignInFailures(count: 3, last: test.now)) }))
        try other.forgetSignInFailures(["name ana"])
        #expect(try test.store.signInFailures(keys, now: test.now).keys.sorted() == ["address 192.0.2.7"])
        // After a quarter of an hour the count begins anew.
        test.now = test.now + 901
        #expect(try test.store.signInFailures(keys, now: test.now).isEmpty)
        try test.store.noteSignInFailure(keys, now: test.now)
        #expect(try test.store.signInFailures(keys, now: test.now)["address 192.0.2.7"]?.count == 1)
        try test.store.sweepAudit(now: test.now + 901)
        #expect(try test.store.signInFailures(keys, now: test.now).isEmpty)
        #expect(try !test.store.hasUsers())
    }
}
