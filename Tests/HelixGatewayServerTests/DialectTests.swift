import Foundation
import HelixGateway
import HelixGatewayStore
import HelixModel
import TestSupport
import Testing

@testable import HelixGatewayServer

@Suite struct DialectTests {
    private func names(_ json: JSONText?) -> Set<String> { Set(json?.fields?.map(\.name) ?? []) }

    /// The apps ignore events of other keys than the one that they asked with.
    @Test func eventsHaveTheKeyThatTheClientAskedWith() async throws {
        let gateway = try TestGateway()
        let asker = try await gateway.client("ana", dialect: ClientDialect(version: 3, isHelix: false))
        let phone = try await gateway.client(
            "ana", device: "phone", dialect: ClientDialect(version: 4, isHelix: false))
        let laptop = try await gateway.client("ana", device: "laptop")
        try await phone.call("chat.history", ["sessionKey": "main"])
        let sent = try await asker.call(
            "chat.send", ["sessionKey": "agent:main:main", "message": "hello", "idempotencyKey": "k1"])
        #expect(names(sent) == ["runId", "status"])
        try await phone.call("chat.history", ["sessionKey": "main"])
        try await asker.call(
            "chat.inject", ["sessionKey": "agent:main:main", "message": "good morning", "label": "x"])
        // The others have them; who asked with another key has that one.
        let onPhone = await phone.events("chat").last
        #expect(onPhone?["sessionKey"]?.text == "main")
        #expect(onPhone?["message"]?["content"]?.elements?.first?["text"]?.text == "good morning")
        #expect(names(onPhone) == ["runId", "sessionKey", "seq", "state", "message"])
        let onLaptop = await laptop.events("chat").last
        #expect(onLaptop?["entry"]?["conversation"] == onLaptop?["sessionKey"])
        let history = try await asker.call("chat.history", ["sessionKey": "agent:main:main"])
        #expect(history["sessionKey"]?.text == "agent:main:main")
        #expect(history["messages"]?.elements?.allSatisfy { $0["entry"] == nil } == true)
        let list = try await asker.call("sessions.list")
        #expect(list["sessions"]?.elements?.map { $0["key"]?.text } == ["agent:main:main"])
        #expect(list["defaults"] != nil && list["totalCount"] == nil)
    }

    @Test func fieldsOfHelixAreForHelixAlone() {
        let payload: JSONText = [
            "runId": "1", "sessionKey": "k", "seq": 0, "state": "delta", "deltaText": "x", "replace": true,
            "message": [:], "entry": [:], "cursor": "9",
        ]
        func fields(_ version: Int, _ isHelix: Bool) -> Set<String> {
            names(ClientDialect(version: version, isHelix: isHelix).form.payload(payload, of: "chat"))
        }
        let plain: Set<String> = ["runId", "sessionKey", "seq", "state", "message"]
        #expect(fields(3, false) == plain)
        #expect(fields(4, false) == plain.union(["deltaText", "replace"]))
        #expect(fields(4, true) == names(payload) && fields(3, true) == names(payload))
    }

    @Test func sessionsOfOtherAgentsBeginWithTheirFirstMessage() async throws {
        let gateway = try TestGateway()
        let ana = try await gateway.client("ana", dialect: ClientDialect(version: 3, isHelix: false))
        let bo = try await gateway.client("bo", dialect: ClientDialect(version: 3, isHelix: false))
        let empty = try await ana.call("chat.history", ["sessionKey": "agent:research:main"])
        #expect(empty["messages"]?.elements?.isEmpty == true)
        for client in [ana, bo] {
            try await client.call(
                "chat.send", ["sessionKey": "agent:research:main", "message": "hi", "idempotencyKey": "k"])
        }
        // Each user has their own.
        let history = try await ana.call("chat.history", ["sessionKey": "agent:research:main"])
        #expect(history["messages"]?.elements?.count == 1 && history["sessionKey"]?.text == "agent:research:main")
        let resolved = try await ana.call("sessions.resolve", ["label": "research main"])
        #expect(resolved["key"]?.text == "agent:research:main")
        await #expect(throws: GatewayError.self) {
            try await ana.call("chat.send", ["sessionKey": "nonsense", "message": "x", "idempotencyKey": "k2"])
        }
        // Another connection, as after a restart of the app, finds it by the same key.
        let again = try await gateway.client("ana", dialect: ClientDialect(version: 3, isHelix: false))
        let list = try await again.call("sessions.list")
        #expect(list["sessions"]?.elements?.map { $0["key"]?.text } == ["agent:research:main"])
        try await ana.call("chat.inject", ["sessionKey": "agent:research:main", "message": "later"])
        #expect(await again.events("chat").last?["sessionKey"]?.text == "agent:research:main")
        let previews = try await ana.call(
            "sessions.preview", ["keys": ["agent:main:main", "agent:research:main", "agent:none:main"]])
        #expect(previews["previews"]?.elements?.map { $0["status"]?.text } == ["missing", "ok", "missing"])
        // Begun anew, it has no messages; they are not deleted for others.
        try await ana.call("sessions.reset", ["key": "agent:research:main"])
        let after = try await ana.call("chat.history", ["sessionKey": "agent:research:main"])
        #expect(after["messages"]?.elements?.isEmpty == true)
        try await ana.call("sessions.patch", ["key": "agent:research:main", "thinkingLevel": .null, "label": .null])
        await #expect(throws: GatewayError.self) {
            try await ana.call("sessions.patch", ["key": "agent:research:main", "thinkingLevel": "high"])
        }
        let compacted = try await ana.call("sessions.compact", ["key": "agent:research:main", "maxLines": 10])
        #expect(compacted["compacted"] == false)
    }

    @Test func attachmentsOfTheFamilyBecomeFiles() async throws {
        let gateway = try TestGateway()
        let ana = try await gateway.client("ana", dialect: ClientDialect(version: 4, isHelix: false))
        let laptop = try await gateway.client("ana", device: "laptop")
        let bytes = Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        try await ana.call(
            "chat.send",
            [
                "sessionKey": "main", "message": "look", "idempotencyKey": "k1",
                "attachments": [
                    [
                        "type": "image", "mimeType": "image/png", "fileName": "valve.png",
                        "content": .string(bytes.base64EncodedString()),
                    ]
                ],
            ])
        let entry = try #require(await laptop.events("chat").first?["entry"])
        let file = try #require(entry["attachments"]?.elements?.first)
        #expect(file["name"]?.text == "valve.png" && file["type"]?.text == "image/png" && file["size"] == 5_000)
        let piece = try await laptop.call(
            "chat.attachment.get", ["message": entry["id"] ?? .null, "sha256": file["sha256"] ?? .null])
        #expect(piece["data"]?.text == bytes.base64EncodedString())
        await #expect(throws: GatewayError.self) {
            try await ana.call(
                "chat.send",
                [
                    "sessionKey": "main", "message": "x", "idempotencyKey": "k2",
                    "attachments": [["type": "image", "content": "%%%"]],
                ])
        }
    }

    @Test func stopEndsAndWaitKnows() async throws {
        let gateway = try TestGateway()
        let ana = try await gateway.client("ana", dialect: ClientDialect(version: 3, isHelix: false))
        // The assistant of this gateway is not there: the run ends with an error.
        try await ana.call("chat.send", ["sessionKey": "main", "message": "hello", "idempotencyKey": "run-1"])
        let ended = try await ana.call("agent.wait", ["runId": "run-1", "timeoutMs": 20_000])
        #expect(ended["status"]?.text == "error" && ended["endedAt"] != nil && ended["error"] != nil)
        let unknown = try await ana.call("agent.wait", ["runId": "none", "timeoutMs": 1])
        #expect(unknown["status"]?.text == "timeout")
        let agent = await ana.events("agent")
        #expect(agent.compactMap { $0["data"]?["phase"]?.text } == ["start", "error"])
        #expect(agent.map { $0["seq"] } == [1, 2])
        let stopped = try await ana.call(
            "chat.send", ["sessionKey": "main", "message": "/stop", "idempotencyKey": "k9"])
        #expect(stopped["ok"] == true && stopped["aborted"] == false)
        let history = try await ana.call("chat.history", ["sessionKey": "main"])
        #expect(history["messages"]?.elements?.count == 1)
    }

    /// The documentation shows the tables that the answers are made with.
    @Test func theTablesOfTheDocumentationAreThoseOfTheCode() throws {
        let text = try String(
            contentsOf: Corpora.packageDirectory.appendingPathComponent("docs/gateway.md"), encoding: .utf8)
        let names = AppDialect.names.map { "| `\($0.ios)` | `\($0.android)` |\n" }.joined()
        #expect(text.contains("| iOS | Android |\n|---|---|\n\(names)\n"))
        func rows(_ lists: [String: String], _ clients: String) -> String {
            lists.sorted { $0.key < $1.key }.map { "| `\($0.key)` | `\($0.value)` | \(clients) |\n" }.joined()
        }
        let lists = rows(AppDialect.lists, "all clients") + rows(AppDialect.listsOfAndroid, "Android")
        #expect(text.contains("| method | list | for |\n|---|---|---|\n\(lists)\n"))
    }
}
