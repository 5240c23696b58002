import HelixModel
import Testing

@testable import HelixGatewayStore

@Suite struct DeviceStoreTests {
    @Test(arguments: StoreImplementation.all)
    func aRequestIsAnsweredByItsOwnUserOnce(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, bo) = (try test.user("ana"), try test.user("bo"))
        let device = test.device("phone")
        let id = try test.store.requestPairing(device, user: ana, remote: "192.0.2.7", now: test.now)
        // The same request again is the same; one for more scopes is another.
        #expect(try test.store.requestPairing(device, user: ana, remote: "192.0.2.7", now: test.now) == id)
        let wider = test.device("phone", scopes: ["operator.admin"])
        let second = try test.store.requestPairing(wider, user: ana, remote: "192.0.2.7", now: test.now)
        #expect(second != id)
        expect(.notFound) {
            _ = try test.store.answer(pairing: second, of: bo, admits: true, scopes: nil, now: test.now)
        }
        #expect(try test.store.pairings(of: bo, now: test.now).isEmpty)
        #expect(try test.store.device(device.id, of: ana) == nil)
        _ = try test.store.answer(
            pairing: String(second.prefix(6)), of: ana, admits: true, scopes: ["operator.read"], now: test.now)
        #expect(try test.store.device(device.id, of: ana)?.scopes == ["operator.read"])
        // The older request of the device is gone with it.
        #expect(try test.store.pairings(of: nil, now: test.now).isEmpty)
        expect(.notFound) {
            _ = try test.store.answer(pairing: second, of: ana, admits: true, scopes: nil, now: test.now)
        }
    }

    @Test(arguments: StoreImplementation.all)
    func requestsExpireAndAreFew(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let ana = try test.user("ana")
        for number in 0..<GatewayLimits.pairings {
            _ = try test.store.requestPairing(test.device("d\(number)"), user: ana, remote: "::1", now: test.now)
        }
        expect(.busy) {
            _ = try test.store.requestPairing(test.device("more"), user: ana, remote: "::1", now: test.now)
        }
        test.now = Instant(test.now.seconds + 86_401)
        #expect(try test.store.pairings(of: ana, now: test.now).isEmpty)
        _ = try test.store.requestPairing(test.device("more"), user: ana, remote: "::1", now: test.now)
    }

    @Test(arguments: StoreImplementation.all)
    func aTokenIsTheDevicesAloneAndExpires(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let ana = try test.user("ana")
        let device = test.device("phone")
        try test.store.admit(device, user: ana, remote: "::1", now: test.now)
        let first = try test.store.makeToken(for: device.id, user: ana, epoch: 0, now: test.now)
        let second = try test.store.makeToken(for: device.id, user: ana, epoch: 0, now: test.now)
        #expect(first != second && second.utf8.count >= 43)
        #expect(try test.store.holder(ofToken: first, now: test.now) == nil)
        #expect(try test.store.holder(ofToken: second, now: test.now)?.user == ana)
        #expect(try test.store.holder(ofToken: "", now: test.now) == nil)
        // Use extends it, for a year at most.
        for _ in 0..<5 {
            test.now = Instant(test.now.seconds + 50 * 86_400)
            #expect(try test.store.holder(ofToken: second, now: test.now) != nil)
            try test.store.noteSeen(device.id, name: "phone of ana", user: ana, now: test.now)
        }
        #expect(try test.store.devices(of: ana).first?.name == "phone of ana")
        #expect(try test.store.devices(of: ana).first?.seenAt == test.now)
        test.now = Instant(test.now.seconds + 61 * 86_400)
        #expect(try test.store.holder(ofToken: second, now: test.now) == nil)
        expect(.notAllowed) { _ = try test.store.makeToken(for: device.id, user: ana, epoch: -1, now: test.now) }
    }

    @Test(arguments: StoreImplementation.all)
    func aRevokedDeviceHasNoToken(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, bo) = (try test.user("ana"), try test.user("bo"))
        let device = test.device("phone")
        // Two users may share a device.
        for user in [ana, bo] { try test.store.admit(device, user: user, remote: "::1", now: test.now) }
        let token = try test.store.makeToken(for: device.id, user: ana, epoch: 0, now: test.now)
        #expect(try test.store.revoke(device.id, user: ana, now: test.now))
        #expect(try !test.store.revoke(device.id, user: ana, now: test.now))
        #expect(try test.store.holder(ofToken: token, now: test.now) == nil)
        #expect(try test.store.device(device.id, of: bo) != nil)
    }
}
