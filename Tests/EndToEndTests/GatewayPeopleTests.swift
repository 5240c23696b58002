import Foundation
import TestSupport
import Testing

/// The users of a gateway and this device's session there.
@Suite struct GatewayPeopleTests {
    @Test func aConversationWithAnUnknownUserFailsAtOnce() throws {
        let site = try GatewaySite(users: ["ana", "bob", "carl"])
        let ana = try site.device(of: "ana")
        let unknown = try ana.run("chat", "new", "--with", "bobb")
        #expect(unknown.status == 66 && unknown.errors.contains("unknown user 'bobb'"), "\(unknown)")
        #expect(unknown.errors.contains("Did you mean 'bob'?"))
        #expect(try ana.run("chat", "list", "--json").items().isEmpty)
        #expect(try ana.run("chat", "new", "House", "--with", "bob,carl").status == 0)
        #expect(try ana.run("chat", "invite", "House", "dora").status == 66)
        let people = try ana.run("chat", "people", "--json").items()
        #expect(people.compactMap { $0["name"] as? String }.sorted() == ["ana", "bob", "carl"])
        #expect(people.filter { $0["me"] as? Bool == true }.count == 1)
    }

    @Test func withoutTheGatewayTheConversationIsQueued() throws {
        let site = try GatewaySite(users: ["ana", "bob"])
        let ana = try site.device(of: "ana")
        site.server.stop()
        #expect(try ana.run("chat", "new", "--with", "whoever").status == 0)
        #expect(try ana.run("chat", "people").status == 69)
    }

    @Test func aRemovedAccountIsSignedOutOfTheGateway() throws {
        let site = try GatewaySite(users: ["ana"])
        let (one, two) = (try site.device(of: "ana"), try site.device(of: "ana"))
        try HelixHome.sync(one, two)
        let devices = { try two.run("gateway", "devices", "--json").items().count }
        #expect(try devices() == 2)
        let name = try #require(
            try one.run("account", "list", "--json").items().first { $0["type"] as? String == "gateway" }?["name"]
                as? String)
        let removed = try one.run("account", "remove", name, "--yes")
        #expect(removed.status == 0 && removed.errors.contains("signed out"), "\(removed)")
        #expect(try devices() == 1)
        let folder = try #require(one.environment["HELIX_HOME"]) + "/gateway"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(!files.contains { $0.hasPrefix("token-") }, "\(files)")
    }

    @Test func anAccountIsRemovedWithoutItsGatewayToo() throws {
        let site = try GatewaySite(users: ["ana"])
        let one = try site.device(of: "ana")
        try HelixHome.sync(one)
        let name = try #require(
            try one.run("account", "list", "--json").items().first { $0["type"] as? String == "gateway" }?["name"]
                as? String)
        site.server.stop()
        let removed = try one.run("account", "remove", name, "--yes")
        #expect(removed.status == 0 && removed.errors.contains("not revoked at the gateway"), "\(removed)")
    }

    @Test func aRotatedTokenStaysThisDevicesOwn() throws {
        let site = try GatewaySite(users: ["ana"])
        let one = try site.device(of: "ana")
        #expect(try one.run("gateway", "call", "device.token.rotate").status == 0)
        #expect(try one.run("gateway", "call", "users.me").status == 0)
        #expect(try one.run("sync").status == 0)
    }

    @Test func aMessageKeepsTheTimeAtWhichItWasWritten() throws {
        let site = try GatewaySite(users: ["ana", "bob"])
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        #expect(try ana.run("chat", "new", "--with", "bob", "-m", "Written on the train").status == 0)
        ana.environment["HELIX_NOW"] = "2026-11-18T15:00:00"
        try HelixHome.sync(ana, bob)
        for (home, name) in [(ana, "bob"), (bob, "ana")] {
            let message = try #require(try home.run("chat", "show", name, "--json").items().first)
            #expect(message["sent_at"] as? String == "2026-11-18T10:20:00+01:00")
        }
    }

    @Test func whatIsShownIsReadUnlessItIsPeekedAt() throws {
        let site = try GatewaySite(users: ["ana", "bob", "carl"])
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        #expect(try ana.run("chat", "new", "House", "--with", "bob,carl", "-m", "The keys are with me.").status == 0)
        try HelixHome.sync(ana, bob)
        func unread() throws -> Int? { try bob.run("chat", "list", "--json").items().first?["unread"] as? Int }
        let first = try unread() ?? 0
        #expect(first > 0)
        for peek in [["--peek"], ["--json"], ["--ids"], ["--limit", "0", "--peek"]] {
            #expect(try bob.run(["chat", "show", "House"] + peek).status == 0)
        }
        #expect(try unread() == first)
        #expect(try bob.run("chat", "show", "House").output.contains("The keys are with me."))
        #expect(try unread() == 0)
        try HelixHome.sync(bob, ana)
        let shown = try ana.run("chat", "show", "House").output
        #expect(shown.contains("Read by bob."), "\(shown)")
        let listed = try #require(try ana.run("chat", "list", "--json").items().first)
        #expect(listed["last_state"] as? String == "delivered" || listed["last_state"] as? String == "sent")
    }
}
