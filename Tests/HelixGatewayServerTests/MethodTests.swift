import Foundation
import HelixGateway
import HelixGatewayStore
import HelixModel
import Testing

@testable import HelixGatewayServer

@Suite struct MethodTests {
    @Test func everyMethodRefusesUnknownParametersAndForeignScopes() async throws {
        let gateway = try TestGateway()
        let ana = try await gateway.client("ana", scopes: [.admin])
        let nobody = try await gateway.client("bo", scopes: [])
        #expect(gateway.methods.names.count > 80)
        for name in gateway.methods.names {
            await #expect(throws: GatewayError.self, "\(name)") {
                try await ana.call(name, ["no-such-parameter": 1])
            }
            await #expect(throws: GatewayError.self, "\(name)") { try await ana.call(name, [1, 2]) }
            do {
                try await nobody.call(name)
                Issue.record("\(name) needs no scope")
            } catch let error as GatewayError {
                #expect(error.code == "FORBIDDEN" && error.message.hasPrefix("missing scope: "), "\(name)")
            }
        }
        await #expect(throws: GatewayError.self) { try await ana.call("no.such.method") }
    }

    @Test func theClockIsTheGateways() async throws {
        let gateway = try TestGateway()
        let ana = try await gateway.client("ana")
        let health = try await ana.call("health")
        #expect(health == ["ok": true, "ts": .integer(TestGateway.now.seconds * 1000 + 123)])
    }

    @Test func aChangeIsToldToTheOtherDevicesAlone() async throws {
        let gateway = try TestGateway()
        let (laptop, phone) = (
            try await gateway.client("ana"), try await gateway.client("ana", device: "phone")
        )
        let bo = try await gateway.client("bo")
        let id = EntityID()
        let fields: JSONText = [
            "name": "house", "status": "active", "blocks": "[]", "created_at": .integer(TestGateway.now.seconds),
        ]
        let change: JSONText = ["kind": "project", "id": .string(id.text), "fields": fields]
        let answer = try await laptop.call("sync.push", ["changes": [change]])
        #expect(answer["results"]?.elements?.first?["status"]?.text == "applied", "\(answer)")
        #expect(await phone.events("sync.changed").count == 1)
        #expect(await laptop.events("sync.changed").isEmpty)
        #expect(await bo.events("sync.changed").isEmpty)
        // The other device has it; somebody else does not.
        let page = try await phone.call("sync.pull")
        #expect(page["changes"]?.elements?.contains { $0["id"]?.text == id.text } == true)
        let others = try await bo.call("sync.pull")
        #expect(others["changes"]?.elements?.contains { $0["id"]?.text == id.text } == false)
        // The same again changes nothing, and tells nobody.
        let again = try await laptop.call("sync.push", ["changes": [change]])
        #expect(again["results"]?.elements?.first?["status"]?.text == "already")
        #expect(await phone.events("sync.changed").count == 1)
    }

    @Test func aMessageReachesAllMembersOnceAndOnlyThem() async throws {
        let gateway = try TestGateway()
        let (ana, bo, cy) = (
            try await gateway.client("ana"), try await gateway.client("bo"), try await gateway.client("cy")
        )
        let id = EntityID()
        try await ana.call(
            "chat.create", ["id": .string(id.text), "kind": "group", "name": "pipes", "members": ["bo"]])
        #expect(await bo.events("chat.changed").count == 1)
        let params: JSONText = [
            "sessionKey": .string(id.text), "message": "the valve leaks", "idempotencyKey": "k1",
        ]
        let first = try await ana.call("chat.send", params)
        let again = try await ana.call("chat.send", params)
        #expect(first["message"]?["id"] == again["message"]?["id"] && first["cursor"] == again["cursor"])
        let events = await bo.events("chat")
        #expect(events.count == 1)
        #expect(events.first?["entry"]?["content"]?.text == "the valve leaks")
        #expect(events.first?["cursor"] == first["cursor"])
        #expect(await ana.events("chat").isEmpty)
        #expect(await cy.events("chat").isEmpty)
        // Another user with the same key has a message of their own.
        let other = try await bo.call("chat.send", params)
        #expect(other["message"]?["id"] != first["message"]?["id"])
    }

    @Test func readMarksOfAMomentAreOneEvent() async throws {
        let gateway = try TestGateway()
        let ana = try await gateway.client("ana")
        let id = EntityID()
        var readers: [TestClient] = []
        for number in 0..<20 { readers.append(try await gateway.client("reader-\(number)")) }
        try await ana.call(
            "chat.create",
            [
                "id": .string(id.text), "kind": "group", "name": "pipes",
                "members": .strings((0..<20).map { "reader-\($0)" }),
            ])
        try await ana.call(
            "chat.send", ["sessionKey": .string(id.text), "message": "hello", "idempotencyKey": "k1"])
        let before = await ana.events("chat.changed").count
        for reader in readers {
            try await reader.call("chat.update", ["conversation": .string(id.text), "read_up_to": 1])
        }
        #expect(await ana.events("chat.changed").count == before + 1)
        // The other readers are not told about each other: that would be an event for each pair of them.
        for reader in readers { #expect(await reader.events("chat.changed").count <= 2) }
    }

    @Test func presenceIsToldAfterAMoment() async throws {
        let gateway = try TestGateway()
        let laptop = try await gateway.client("ana")
        for name in ["phone", "tablet", "watch"] { _ = try await gateway.client("ana", device: name) }
        let events = await laptop.events("presence")
        #expect(events.count == 1)
        #expect(events.first?["presence"]?.elements?.count == 4)
        let names = try await laptop.call("presence")["presence"]?.elements?.compactMap { $0["host"]?.text }
        #expect(Set(names ?? []) == ["laptop", "phone", "tablet", "watch"])
    }

    @Test func aRevokedDeviceIsDisconnectedAndGuessesAreSlowedDown() async throws {
        let gateway = try TestGateway()
        let (laptop, phone) = (
            try await gateway.client("ana"), try await gateway.client("ana", device: "phone")
        )
        for client in [laptop, phone] {
            let device = GatewayDevice(
                id: client.session.device, publicKey: "key", name: client.session.deviceName, platform: "linux",
                scopes: client.session.scopes.map(\.rawValue), createdAt: TestGateway.now, seenAt: TestGateway.now)
            try await withCheckedThrowingContinuation { done in
                gateway.queues.accounts.perform { accounts in
                    done.resume(
                        with: Result {
                            try accounts.store.admit(
                                device, user: client.session.user.id, remote: "::1", now: TestGateway.now)
                        })
                }
            }
        }
        try await laptop.call("device.token.revoke", ["deviceId": .string(phone.session.device)])
        await gateway.advance(.seconds(1))
        #expect(phone.end == "device revoked" && laptop.end == nil)
        for _ in 0..<5 {
            await #expect(throws: GatewayError.self) {
                try await laptop.call(
                    "users.password", ["old_password": "guess", "new_password": "long enough"])
            }
        }
        do {
            try await laptop.call(
                "users.password", ["old_password": "ana-password", "new_password": "long enough"])
            Issue.record("a guess after many failures is accepted at once")
        } catch let error as GatewayError {
            #expect(error.details?["code"]?.text == "AUTH_RATE_LIMITED" && error.retryAfter == 1000)
        }
    }

    /// A store that fails when it is written to, as on a full disk: clients learn no internals.
    @Test func internalErrorsAreNotTold() async throws {
        let gateway = try TestGateway()
        let ana = try await gateway.client("ana")
        try Data("this is no database".utf8).write(
            to: URL(filePath: GatewayFolder(gateway.folder).storePath(of: ana.session.user.id))
                .deletingLastPathComponent()
                .madeFolder().appendingPathComponent("helix.db"))
        do {
            try await ana.call("sync.pull")
            Issue.record("a damaged store answers")
        } catch let error as GatewayError {
            #expect(!error.message.contains(gateway.folder) && error.code == "UNAVAILABLE", "\(error)")
        }
    }
}

extension URL {
    /// The folder, created if it does not exist.
    fileprivate func madeFolder() throws -> URL {
        try FileManager.default.createDirectory(at: self, withIntermediateDirectories: true)
        return self
    }
}
