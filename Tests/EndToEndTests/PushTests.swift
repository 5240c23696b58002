import Foundation
import TestSupport
import Testing

/// Notifications of devices that are away, by services that check them with libraries of their own (`Tests/Servers/push.py`).
@Suite struct PushTests {
    /// A gateway with push services beside it.
    private final class Site {
        let services: TestServer
        let gateway: GatewaySite
        static let (keyID, team, topic) = ("3F7Q8JX2AB", "TEAM123456", "org.example.helix")

        init(_ options: [String] = ["--push-private"]) throws {
            services = try TestServer("push.py", ports: 2, [Self.keyID, Self.team, Self.topic])
            let folder = services.folder.path
            gateway = try GatewaySite(
                options + [
                    "--push-ca", folder + "/cert.pem", "--push-contact", "mailto:ops@example.org", "--apns-key",
                    folder + "/apns.p8", "--apns-key-id", Self.keyID, "--apns-team", Self.team, "--apns-url",
                    "https://localhost:\(services.ports[1])",
                ])
        }

        var plain: String { "http://127.0.0.1:\(services.ports[0])" }

        /// The pushes so far.
        func pushes() throws -> [[String: Any]] {
            let text =
                (try? String(contentsOf: services.folder.appendingPathComponent("pushes.jsonl"), encoding: .utf8))
            return try (text ?? "").split(separator: "\n").map {
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
            }
        }

        /// Waits for a number of pushes.
        func pushes(_ count: Int) throws -> [[String: Any]] {
            for _ in 0..<200 {
                let found = try pushes()
                if found.count >= count { return found }
                usleep(50_000)
            }
            return try pushes()
        }

        func call(_ home: HelixHome, _ method: String, _ parameters: [String: Any]) throws -> HelixHome.Result {
            let json = String(decoding: try JSONSerialization.data(withJSONObject: parameters), as: UTF8.self)
            return try home.run("gateway", "call", method, json)
        }
    }

    private func content(_ push: [String: Any]) -> [String: Any] { push["content"] as? [String: Any] ?? [:] }

    @Test func everyServiceIsNotifiedOfAMessageAsItSpecifies() throws {
        let site = try Site()
        let (ana, bob) = (try site.gateway.device(of: "ana"), try site.gateway.device(of: "bob"))
        #expect(try bob.run("gateway", "push").output.contains("No push targets"))
        for (kind, path) in [("ntfy", "/bob-7f3k9"), ("unifiedpush", "/up/1?up=1")] {
            let added = try bob.run("gateway", "push", "add", kind, site.plain + path)
            #expect(added.status == 0, "\(added.errors)")
        }
        let locked = try bob.run(
            "gateway", "push", "add", "ntfy", site.plain + "/locked", "--token-command", "echo tk_secret")
        #expect(locked.status == 0, "\(locked.errors)")
        let hook = try bob.run("gateway", "push", "add", "webhook", site.plain + "/hook", "--always", "--json")
        let key = try #require(try hook.items().first?["secret"] as? String, "\(hook.errors)")
        try key.write(to: site.services.folder.appendingPathComponent("hook.secret"), atomically: true, encoding: .utf8)
        let keys = try JSONSerialization.jsonObject(
            with: Data(contentsOf: site.services.folder.appendingPathComponent("webpush.json")))
        #expect(try site.call(bob, "push.web.subscribe", ["endpoint": site.plain + "/wp/1", "keys": keys]).status == 0)
        let token = String(repeating: "0a1B", count: 16)
        let apns = try site.call(
            bob, "node.event",
            [
                "event": "push.apns.register",
                "payloadJSON":
                    #"{"transport":"direct","token":"\#(token)","topic":"\#(Site.topic)","environment":"production"}"#,
            ])
        #expect(apns.status == 0, "\(apns.errors)")
        // All at once, as a test.
        let test = try bob.run("gateway", "push", "test")
        let tested = try site.pushes()
        #expect(test.status == 0 && tested.count == 6, "\(test.output)\(test.errors)\(tested)")
        // A message notifies them; the sender is not notified.
        try ana.run("gateway", "push", "add", "ntfy", site.plain + "/ana")
        try ana.run("chat", "new", "--with", "bob", "-m", "Lunch at \u{1F35D}?\nToday")
        try ana.run("sync")
        let pushes = try site.pushes(12).dropFirst(6)
        #expect(pushes.count == 6 && pushes.allSatisfy { $0["ok"] as? Bool == true }, "\(Array(pushes))")
        let services = Dictionary(grouping: pushes) { $0["service"] as? String ?? "" }
        #expect(services.mapValues(\.count) == ["ntfy": 2, "unifiedpush": 1, "webhook": 1, "webpush": 1, "apns": 1])
        // Services that can read it are told the name alone, and UnifiedPush without keys not even that.
        let ntfy = try #require(services["ntfy"]?.first.map(content))
        #expect(ntfy["title"] as? String == "ana" && ntfy["message"] as? String == "New message")
        #expect((ntfy["click"] as? String ?? "").hasPrefix("helix://chat/"))
        #expect(services["unifiedpush"].map { content($0[0]) as NSDictionary } == ["type": "chat.changed"])
        let apple = services["apns"].map { content($0[0]) }?["aps"] as? [String: Any]
        #expect(apple?["alert"] as? [String: String] == ["title": "ana", "body": "New message"])
        #expect(services["apns"]?[0]["path"] as? String == "/3/device/" + token.lowercased())
        let web = try #require(services["webpush"].map { content($0[0]) })
        #expect(web["body"] as? String == "Lunch at \u{1F35D}? Today" && web["title"] as? String == "ana")
        let event = try #require(services["webhook"].map { content($0[0]) })
        #expect(event["type"] as? String == "chat.message")
        // What the app gave its push service is the key that signed.
        let known = try site.call(bob, "push.web.vapidPublicKey", [:])
        #expect(known.output.contains(web["vapid"] as? String ?? "none"), "\(known.output)")
    }

    @Test func nobodyIsNotifiedWhoIsHereOrWantsSilence() throws {
        let site = try Site(["--push-private", "--push-content", "text"])
        let (ana, bob) = (try site.gateway.device(of: "ana"), try site.gateway.device(of: "bob"))
        try bob.run("gateway", "push", "add", "ntfy", site.plain + "/bob")
        try ana.run("chat", "new", "House", "--group", "--with", "bob", "-m", "one")
        try ana.run("sync")
        #expect(try site.pushes(1).map { content($0)["message"] as? String } == ["one"])
        #expect(try site.pushes().map { content($0)["title"] as? String } == ["ana in House"])
        // While bob follows the conversation, he is here.
        let follower = Process()
        follower.executableURL = HelixHome.binary
        follower.arguments = ["chat", "follow"]
        follower.environment = bob.environment
        follower.standardOutput = FileHandle.nullDevice
        follower.standardError = FileHandle.nullDevice
        try follower.run()
        // Threads of the tests block other signals, and their children inherit that.
        defer { kill(follower.processIdentifier, SIGKILL) }
        func isOnline() throws -> Bool {
            let bob = try ana.run("chat", "people", "--json").items().first { $0["name"] as? String == "bob" }
            return bob?["online"] as? Bool == true
        }
        for _ in 0..<100 where try !isOnline() { usleep(50_000) }
        #expect(try isOnline())
        try ana.run("chat", "send", "House", "two", "--wait")
        kill(follower.processIdentifier, SIGKILL)
        follower.waitUntilExit()
        for _ in 0..<100 where try isOnline() { usleep(50_000) }
        // Muted conversations and blocked people are silent.
        try bob.run("sync")
        try bob.run("chat", "mute", "House")
        try bob.run("sync")
        try ana.run("chat", "send", "House", "three", "--wait")
        try bob.run("chat", "mute", "House", "--off")
        try bob.run("sync")
        try bob.run("chat", "block", "ana")
        try ana.run("chat", "send", "House", "four", "--wait")
        try bob.run("chat", "unblock", "ana")
        try ana.run("chat", "send", "House", "five", "--wait")
        let told = try site.pushes(2).map { content($0)["message"] as? String }
        #expect(told == ["one", "five"], "\(told)")
    }

    @Test func aFailureIsRepeatedAndToldAndADeadTargetRemoved() throws {
        let site = try Site()
        let (ana, bob) = (try site.gateway.device(of: "ana"), try site.gateway.device(of: "bob"))
        try bob.run("gateway", "push", "add", "ntfy", site.plain + "/bob")
        let refused = try site.services.withHabits("deny") { try bob.run("gateway", "push", "test") }
        #expect(refused.status == 69 && refused.output.contains("403"), "\(refused.status) \(refused.output)")
        #expect(try bob.run("gateway", "push", "list").output.contains("403"))
        // Redirects are not followed: they could lead anywhere.
        sleep(2)
        let moved = try site.services.withHabits("redirect") { try bob.run("gateway", "push", "test") }
        #expect(moved.status == 69 && moved.output.contains("302"), "\(moved.output)")
        // A service that is busy gets it again, which ends the count of failures.
        try site.services.setHabits("busy")
        try ana.run("chat", "new", "--with", "bob", "-m", "one")
        try ana.run("sync")
        #expect(try site.pushes(1).count == 1)
        for _ in 0..<100 where try bob.run("gateway", "push", "list").output.contains("failed") { usleep(50_000) }
        #expect(try !bob.run("gateway", "push", "list").output.contains("failed"))
        try site.services.setHabits("gone")
        sleep(2)
        let gone = try bob.run("gateway", "push", "test")
        #expect(gone.output.contains("does not exist any more"), "\(gone.output)")
        for _ in 0..<100 where try !bob.run("gateway", "push").output.contains("No push targets") { usleep(50_000) }
        #expect(try bob.run("gateway", "push").output.contains("No push targets"))
    }

    @Test func appleIsAskedWithANewTokenAndDropsDeadOnes() throws {
        let site = try Site()
        let bob = try site.gateway.device(of: "bob")
        func register(_ token: String) throws -> HelixHome.Result {
            try site.call(bob, "push.register", ["kind": "apns", "address": token, "topic": Site.topic])
        }
        try site.services.setHabits("clock")
        #expect(try register(String(repeating: "0a1b", count: 16)).status == 0)
        #expect(try bob.run("gateway", "push", "test").status == 0)
        for dead in ["dead", "0bad"] {
            #expect(try register(String(repeating: dead, count: 16)).status == 0)
            sleep(2)
            let test = try bob.run("gateway", "push", "test", "--json")
            #expect(try Set(test.items().map { $0["status"] as? String }) == ["delivered", "gone"], "\(test.output)")
            for _ in 0..<100 where try bob.run("gateway", "push", "--json").items().count > 1 { usleep(50_000) }
            #expect(try bob.run("gateway", "push", "--json").items().count == 1)
        }
        // A telephone that signs in as somebody else notifies them alone.
        let ana = try site.gateway.device(of: "ana")
        #expect(
            try site.call(
                ana, "push.register",
                ["kind": "apns", "address": String(repeating: "0a1b", count: 16), "topic": Site.topic]
            ).status == 0)
        #expect(try bob.run("gateway", "push", "--json").items().isEmpty)
        // A device that is revoked is notified no more.
        let id = try #require(try ana.run("gateway", "devices", "--json").items().first?["id"] as? String)
        try site.gateway.host.run("gateway", "revoke", id, "--local", "--yes")
        let again = try site.gateway.device(of: "ana")
        #expect(try again.run("gateway", "push", "--json").items().isEmpty)
    }

    @Test func aRepetitionAsksWhetherItIsStillWanted() throws {
        let site = try Site(["--push-private", "--push-content", "text"])
        let (ana, bob) = (try site.gateway.device(of: "ana"), try site.gateway.device(of: "bob"))
        for name in ["removed", "kept"] { try bob.run("gateway", "push", "add", "ntfy", site.plain + "/" + name) }
        try ana.run("chat", "new", "House", "--group", "--with", "bob", "-m", "start")
        try HelixHome.sync(ana, bob)
        _ = try site.pushes(2)
        try site.services.setHabits("down")
        try ana.run("chat", "send", "House", "kept", "--wait")
        try ana.run("chat", "send", "House", "oops", "--wait")
        sleep(1)
        let message = try #require(
            try ana.run("chat", "show", "House", "--json").items().last?["id"] as? String)
        #expect(try ana.run("chat", "message", message, "--delete", "--yes").status == 0)
        try HelixHome.sync(ana)
        let target = try #require(
            try bob.run("gateway", "push", "--json").items().first {
                ($0["address"] as? String)?.hasSuffix("oved") == true
            }?["id"] as? String)
        #expect(try bob.run("gateway", "push", "remove", target).status == 0)
        try site.services.setHabits("")
        let pushes = try site.pushes(3)
        sleep(2)
        #expect(try site.pushes().count == 3)
        #expect(pushes.dropFirst(2).map { content($0)["message"] as? String } == ["kept"])
        #expect(pushes.dropFirst(2).map { content($0)["topic"] as? String } == ["kept"])
    }

    @Test func aSlowServiceDelaysNobodyElse() throws {
        let site = try Site()
        let (ana, bob) = (try site.gateway.device(of: "ana"), try site.gateway.device(of: "bob"))
        for number in 1...12 { try ana.run("gateway", "push", "add", "webhook", site.plain + "/hang/\(number)") }
        try bob.run("gateway", "push", "add", "ntfy", site.plain + "/bob")
        let slow = Process()
        slow.executableURL = HelixHome.binary
        slow.arguments = ["gateway", "push", "test", "--json"]
        slow.environment = ana.environment
        let answer = Pipe()
        (slow.standardOutput, slow.standardError) = (answer, FileHandle.nullDevice)
        try slow.run()
        sleep(1)
        #expect(try bob.run("gateway", "push", "test").status == 0)
        // A second test of hers waits for the first, which answers in time and says what it does not know.
        #expect(try ana.run("gateway", "push", "test").errors.contains("a test is running"))
        slow.waitUntilExit()
        let text = String(decoding: answer.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text.components(separatedBy: "\"failed\"").count == 13 && text.contains("no answer within"))
    }

    @Test func privateAddressesAndInvalidTargetsAreRefused() throws {
        let site = try Site([])
        let bob = try site.gateway.device(of: "bob")
        for url in [
            "http://example.org/topic", "https://", "ftp://example.org/x", "https://u:p@example.org/topic",
            "https://example.org/a b", "https://example.org/", "https://example.org/topic#x", "x",
            "https://127.0.0.1/topic", "https://2130706433/topic", "https://0x7f.1/topic", "https://[::1]/topic",
            "https://[::ffff:10.0.0.1]/topic", "https://169.254.169.254/topic", "https://10.1.2.3/topic",
            "https://[fd00::1]/topic", "https://example.org:99999/topic",
        ] {
            let run = try bob.run("gateway", "push", "add", "ntfy", url)
            #expect(run.status == 65, "\(url): \(run.status) \(run.errors)")
        }
        #expect(try bob.run("gateway", "push", "--json").items().isEmpty)
        // The name is public, its address is not.
        try bob.run("gateway", "push", "add", "webhook", "https://localhost:\(site.services.ports[1])/hook")
        let test = try bob.run("gateway", "push", "test")
        #expect(test.status == 69 && test.output.contains("private network"), "\(test.output)")
        for parameters: [String: Any] in [
            ["kind": "apns", "address": "xyz", "topic": Site.topic],
            ["kind": "apns", "address": String(repeating: "0", count: 64)],
            ["kind": "apns", "address": String(repeating: "0", count: 64), "topic": "a\r\nx: y"],
            ["kind": "webpush", "address": "https://example.org/1", "key": "AAAA", "authentication": "AAAA"],
            ["kind": "carrier pigeon", "address": "https://example.org/1"],
            ["kind": "ntfy", "address": "https://example.org/t", "secret": "a\r\nx: y"],
        ] {
            #expect(try site.call(bob, "push.register", parameters).status != 0, "\(parameters)")
        }
        #expect(try bob.run("gateway", "push", "remove", "zzzz").status == 66)
        #expect(try bob.run("gateway", "push", "--json").items().count == 1)
        #expect(
            try bob.run(
                "gateway", "push", "remove",
                String(
                    try #require(try bob.run("gateway", "push", "--json").items().first?["id"] as? String).prefix(6))
            ).status == 0)
    }
}
