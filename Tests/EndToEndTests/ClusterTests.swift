import Glibc
import TestSupport
import Testing

/// Several gateways share one PostgreSQL database; skipped where that is not installed.
@Suite(.enabled(if: PostgresSite.isInstalled, "needs the server postgresql")) struct ClusterTests {
    @Test(arguments: ["chat", "entities", "sessions", "guessing"])
    func clientsOfTwoGateways(_ scenario: String) throws {
        let cluster = try GatewayCluster(2)
        let result = try cluster.run(scenario)
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test func devicesAtTwoGatewaysSync() throws {
        let cluster = try GatewayCluster(2)
        let (laptop, phone) = (try cluster.device(of: "ana", at: 0), try cluster.device(of: "ana", at: 1))
        func run(_ home: HelixHome, _ words: [String]) throws -> String {
            let result = try home.run(words)
            #expect(result.status == 0, "\(words): \(result.errors)")
            return result.output
        }
        _ = try run(laptop, ["tasks", "add", "buy milk"])
        _ = try run(laptop, ["cal", "add", "Dentist 2026-12-01 10:00 for 1h"])
        _ = try run(laptop, ["sync"])
        _ = try run(phone, ["sync"])
        #expect(try run(phone, ["tasks", "list"]).contains("buy milk"))
        // The disk of a gateway is lost: all of it comes back from the database.
        cluster.servers[1].stop()
        let users = cluster.hosts[1].folder.appendingPathComponent("home/gateway/users")
        _ = try cluster.hosts[1].run(program: "/bin/rm", ["-r", users.path])
        try cluster.restart(1)
        _ = try run(phone, ["tasks", "add", "from the phone"])
        _ = try run(phone, ["sync"])
        _ = try run(laptop, ["sync"])
        #expect(try run(laptop, ["tasks", "list"]).contains("from the phone"))
        let other = try cluster.device(of: "ana", at: 1)
        _ = try run(other, ["sync"])
        #expect(try run(other, ["tasks", "list"]) == run(laptop, ["tasks", "list"]))
    }

    /// The database is put back to an earlier state, and the gateway keeps its copies: devices send what is missing again.
    @Test func devicesFillARestoredDatabase() throws {
        let server = try RestorableServer()
        let cluster = try GatewayCluster(1, at: server.uri("postgres"))
        let (ana, bob) = (try cluster.device(of: "ana", at: 0), try cluster.device(of: "bob", at: 0))
        func run(_ home: HelixHome, _ words: String...) throws -> String {
            let result = try home.run(words)
            #expect(result.status == 0, "\(words): \(result.errors)")
            return result.output
        }
        func sync() throws { for home in [ana, bob, ana, bob] { _ = try run(home, "sync") } }
        _ = try run(ana, "chat", "new", "--with", "bob")
        _ = try run(ana, "chat", "send", "bob", "early")
        _ = try run(ana, "tasks", "add", "early")
        try sync()
        cluster.servers[0].stop()
        try server.backUp()
        try cluster.restart(0)
        _ = try run(ana, "chat", "send", "bob", "lost by ana")
        _ = try run(bob, "chat", "send", "ana", "lost by bob")
        _ = try run(ana, "tasks", "add", "lost")
        try sync()
        cluster.servers[0].stop()
        try server.restore()
        try cluster.restart(0)
        // Others use the numbers of the lost transactions.
        for number in 0..<4 {
            _ = try run(bob, "tasks", "add", "of bob \(number)")
            _ = try run(bob, "sync")
        }
        try sync()
        let other = try cluster.device(of: "ana", at: 0)
        _ = try run(other, "sync")
        for home in [ana, other] {
            let lines = try run(home, "chat", "show", "bob")
            for text in ["early", "lost by ana", "lost by bob"] { #expect(lines.contains(text), "\(lines)") }
            #expect(try run(home, "tasks", "list").contains("lost"))
        }
        #expect(try run(bob, "chat", "show", "ana").contains("lost by ana"))
    }

    @Test func aSynchronousStandbyTakesOverWithoutLoss() throws {
        let pair = try PostgresPair(isSynchronous: true)
        let cluster = try GatewayCluster(2, on: pair)
        let result = try cluster.run("failover", [pair.failover(), "all"])
        #expect(result.status == 0, "\(result.errors)")
    }

    /// A balancer sends nobody to a gateway whose database does not answer.
    @Test func aGatewayWithoutItsDatabaseIsNotReady() throws {
        let pair = try PostgresPair(isSynchronous: false)
        let cluster = try GatewayCluster(1, on: pair)
        func status() throws -> String {
            let address = cluster.url(0).replacingOccurrences(of: "ws:", with: "http:") + "/readyz"
            return try cluster.hosts[0].run(
                program: "/usr/bin/curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", address]
            ).output
        }
        func status(becomes wanted: String) throws -> Bool {
            for _ in 0..<60 where try status() != wanted { usleep(500_000) }
            return try status() == wanted
        }
        // It listens a moment before it serves.
        #expect(try status(becomes: "200"))
        pair.primary.stop()
        pair.standby.stop()
        #expect(try status(becomes: "503"))
    }

    @Test func whatAnAsynchronousStandbyLacksIsKnown() throws {
        let pair = try PostgresPair(isSynchronous: false)
        let cluster = try GatewayCluster(2, on: pair)
        let result = try cluster.run("failover", [pair.failover(losesSome: true), "some"])
        #expect(result.status == 0, "\(result.errors)")
    }

    /// Tokens of another service sign in; apps write to the database with the claims of the same tokens.
    @Test(arguments: ["tokens", "apps"])
    func usersOfAnotherService(_ scenario: String) throws {
        let issuer = try TestServer("issuer.py", ports: 1)
        let url = "http://127.0.0.1:\(issuer.ports[0])"
        let cluster = try GatewayCluster(
            2,
            options: [
                "--jwt-issuer", "https://issuer.example.org", "--jwt-audience", "helix", "--jwt-keys", "\(url)/keys",
                "--jwt-secret-command", "echo 'the secret of the issuer has 40 bytes...'", "--push-private",
            ])
        let result = try cluster.run(scenario, scenario == "apps" ? [url, cluster.database] : [url])
        #expect(result.status == 0, "\(result.errors)")
    }

    /// A short form of `make test-cluster`.
    @Test func nothingIsLostWhateverFails() throws { try run("cluster_check.py", ["30", "ci"]) }

    private func run(_ script: String, _ arguments: [String] = []) throws {
        let home = try HelixHome()
        // Its clock advances: a message that a gateway refused for now waits half a minute.
        home.environment["HELIX_NOW"] = nil
        let programs = HelixHome.binary.deletingLastPathComponent()
        let path = Corpora.packageDirectory.appendingPathComponent("Tests/Servers/\(script)").path
        let result = try home.run(
            program: "/usr/bin/python3",
            [path, programs.appendingPathComponent("helix-gateway").path, HelixHome.binary.path] + arguments)
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }

    @Test(.enabled(if: TestServer.has("/usr/sbin/haproxy"), "needs the server haproxy"))
    func aProxyRestartsGatewaysWithoutALostRequest() throws { try run("proxy_check.py") }
}
