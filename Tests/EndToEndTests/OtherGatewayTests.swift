import Foundation
import TestSupport
import Testing

/// What helix makes of gateways that are not its own, and of what is none.
@Suite final class OtherGatewayTests {
    /// They run until the test ends.
    private var servers: [TestServer] = []

    private func home(_ kind: String) throws -> HelixHome {
        let server = try TestServer("fake_gateway.py", ports: 1, [kind])
        servers.append(server)
        let home = try HelixHome()
        let added = try home.run(
            "account", "add", "claw", "gateway", "ws://127.0.0.1:\(server.ports[0])", "--token-command", "echo tok-123")
        #expect(added.status == 0, "\(added.errors)")
        return home
    }

    @Test(arguments: [("v3", 3), ("v4", 4)]) func bothVersionsAreSpoken(kind: String, version: Int) throws {
        let home = try home(kind)
        let status = try home.run("gateway", "status", "--json")
        #expect(status.status == 0, "\(status.errors)")
        #expect(try status.json()["protocol"] as? Int == version)
        #expect(try status.json()["type"] as? String == "openclaw")
        // Nothing is sent that one of the two would not take.
        let bytes = try Data(contentsOf: servers[0].folder.appendingPathComponent("connect.json"))
        let frame = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        let params = try #require(frame["params"] as? [String: Any])
        #expect(
            Set(params.keys) == ["minProtocol", "maxProtocol", "client", "caps", "role", "scopes", "device", "auth"])
        #expect(params["scopes"] as? [String] == ["operator.read", "operator.write"])
        #expect((params["auth"] as? [String: Any])?["token"] as? String == "tok-123")
    }

    @Test(arguments: ["v3", "v4"]) func whatAChatGatewayDoesNotHaveIsSaid(kind: String) throws {
        let home = try home(kind)
        let call = try home.run("gateway", "call", "tasks.list")
        #expect(call.status == 66)
        #expect(call.errors.contains("has no method tasks.list"))
        let sync = try home.run("sync")
        #expect(sync.status == 0, "\(sync.errors)")
        #expect((sync.output + sync.errors).contains("gateway for chat"))
    }

    @Test func whatItAnswersIsPrintedHarmless() throws {
        let home = try home("v4")
        let call = try home.run("gateway", "call", "chat.history", "{\"sessionKey\": \"main\"}")
        #expect(call.status == 0, "\(call.errors)")
        #expect(!call.output.contains("\u{1B}"))
        #expect(call.output.contains("\\u001b[31mred"))
    }

    @Test func aDeviceThatMustBeLetInSaysWhatToDo() throws {
        let home = try home("pairing")
        let pair = try home.run("gateway", "pair")
        #expect(pair.status == 77)
        #expect(pair.errors.contains("req-42"))
        // Lines are broken where the terminal's width wants it.
        let words = pair.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("openclaw devices approve req-42"))
    }

    @Test func errorsHaveTheirStatus() throws {
        let home = try home("v4")
        #expect(try home.run("gateway", "call", "limited").status == 75)
        let broken = try home.run("gateway", "call", "payload.only")
        #expect(broken.status == 1)
        #expect(broken.errors.contains("it broke"))
        // The gateway says what is too much for it.
        let large = try home.run("gateway", "call", "x", "{\"a\": \"\(String(repeating: "x", count: 2000))\"}")
        #expect(large.status == 65)
        #expect(large.errors.contains("accepts 1024 at most"))
    }

    @Test func whatIsNoGatewayIsNamed() throws {
        let starting = try home("starting")
        #expect(try starting.run("gateway", "status").status == 75)
        let closing = try home("closing")
        #expect(try closing.run("gateway", "status").status == 77)
        let noise = try home("noise")
        #expect(try noise.run("gateway", "status").status == 76)
        let mute = try home("mute")
        let call = try mute.run("gateway", "call", "chat.history", "--timeout", "1")
        #expect(call.status == 69)
        #expect(call.errors.contains("no response to"))
        let web = try TestServer("web.py", ports: 1)
        let home = try HelixHome()
        _ = try home.run("account", "add", "web", "gateway", "ws://127.0.0.1:\(web.ports[0])")
        let status = try home.run("gateway", "status")
        #expect([69, 76].contains(status.status), "\(status.errors)")
    }

    @Test func addressesThatAreNoneAreRefused() throws {
        let home = try HelixHome()
        for address in [
            "ftp://example.org", "wss://", "ws://user:pass@example.org", "ws://example.org:99999", "not an address",
        ] {
            #expect(try home.run("account", "add", "x", "gateway", address).status == 78, "\(address)")
        }
        #expect(try home.run("account", "add", "x", "gateway").status == 64)
        let wrong = try home.run("account", "add", "x", "gateway", "wss://example.org", "--fingerprint", "abc")
        #expect(wrong.status == 64)
    }
}
