import HelixMCP
import HelixModel
import Testing

/// Messages, revisions and headers of the Model Context Protocol.
@Suite struct MCPMessageTests {
    private func code(_ text: String) -> Int? {
        guard case .invalid(let failure, _) = MCPMessage(Array(text.utf8)) else { return nil }
        return failure.code
    }

    @Test(arguments: [
        ("", -32700), ("{", -32700), ("[]", -32600), ("1", -32600), (#"{"id":1,"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600), (#"{"jsonrpc":"2.0","id":1}"#, -32600),
        (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600),
    ])
    func whatIsNoMessageHasTheCodeOfJSONRPC(_ text: String, _ expected: Int) { #expect(code(text) == expected) }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        #"{"jsonrpc":"2.0","id":1,"error":{}}"#, #"{"jsonrpc":"2.0"}"#,
    ])
    func notificationsAndForeignAnswersAreNotAnswered(_ text: String) {
        guard case .notification = MCPMessage(Array(text.utf8)) else {
            Issue.record("it is to be answered: \(text)")
            return
        }
    }

    private func request(_ version: String?) throws -> MCPRequest {
        var params: JSONText = [:]
        if let version { params = ["_meta": .object([.init(name: MCPRevision.key, value: .string(version))])] }
        let text: JSONText = ["jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": params]
        guard case .request(let request) = MCPMessage(Array(text.compact.utf8)) else {
            throw HelixError(.badInput, "it is no request")
        }
        return request
    }

    @Test func aRequestHasItsOwnRevisionOrThatOfTheHandshake() throws {
        #expect(try MCPRevision.check(request(nil), agreed: "2025-11-25") == "2025-11-25")
        #expect(try MCPRevision.check(request(MCPRevision.stateless), agreed: nil) == MCPRevision.stateless)
        #expect { try MCPRevision.check(request("1999-01-01"), agreed: nil) } throws: { error in
            (error as? MCPFailure)?.code == MCPFailure.unsupportedVersion
        }
        #expect(MCPRevision.agreed(on: "2025-06-18") == "2025-06-18")
        // A handshake for the revision that has none agrees on the newest that has one.
        #expect(MCPRevision.agreed(on: MCPRevision.stateless) == "2025-11-25")
        #expect(MCPRevision.agreed(on: "") == "2025-11-25")
    }

    @Test func answersWithoutAHandshakeSayHowLongTheyLast() throws {
        let answer = try request(MCPRevision.stateless).answer(
            ["tools": []], version: MCPRevision.stateless, identity: [:])
        #expect(answer["result"]?["ttlMs"]?.integer == 60_000)
        #expect(answer["result"]?["resultType"]?.text == "complete")
        let older = try request(nil).answer(["tools": []], version: "2025-11-25", identity: [:])
        #expect(older["result"]?["ttlMs"] == nil)
    }

    @Test(arguments: [
        ("read_mail", "read_mail"), ("=?base64?w7w=?=", "ü"), ("=?base64?!?=", nil), ("=?base64?/w==?=", nil),
        ("=?base64?", "=?base64?"),
    ])
    func headersMayBeInBase64(_ value: String, _ expected: String?) { #expect(MCPHeader.decoded(value) == expected) }
}
