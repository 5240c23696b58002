import Foundation
import TestSupport
import Testing

/// Attacks of users and strangers on a gateway: they get nothing that is not theirs, and keep nobody waiting.
@Suite(.serialized) struct GatewayAttackTests {
    @Test(
        arguments: [
            "hijack", "approval", "sessions", "headers", "filters", "pings", "fairness", "slow", "upgrades", "scopes",
            "strangers", "fuzz",
        ])
    func nothingGetsThrough(_ scenario: String) throws {
        try GatewaySite(users: ["ana", "bob"], ["--trust-proxy"].filter { _ in scenario == "approval" }).attack(
            scenario, "ana:ana's password")
    }

    @Test func whoMayReadAtThisMachineGetsNoMore() throws { try GatewaySite().attack("readonly", "ana:ana's password") }

    @Test(arguments: ["resets", "forwarded"]) func whoComesThroughAProxyIsCounted(_ scenario: String) throws {
        try GatewaySite(users: ["ana", "bob"], ["--trust-proxy"]).attack(scenario, "ana:ana's password")
    }

    @Test func guessesKeepNobodyOut() throws {
        try GatewaySite(users: ["ana", "bob"], ["--trust-proxy"]).attack("guesses", "ana:ana's password")
    }

    @Test func idleConnectionsTakeNoDescriptorThatIsNeeded() throws {
        try GatewaySite().attack("connections", "ana:ana's password")
    }

    @Test func aChangedPasswordEndsLinesAtOnce() throws {
        let site = try GatewaySite()
        let device = try site.device(of: "ana")
        #expect(try device.run("sync").status == 0)
        #expect(try site.host.run("gateway", "user", "password", "ana", input: "a new password\n").status == 0)
        #expect(try device.run("gateway", "call", "health").status != 0)
    }

    @Test func namesThatLookAlikeAreNotGivenTwice() throws {
        let home = try HelixHome()
        #expect(try home.run("gateway", "user", "add", "ana", input: "a password\n").status == 0)
        #expect(try home.run("gateway", "user", "add", "José", input: "a password\n").status == 0)
        let twins = [
            "\u{430}na", "\u{430}n\u{430}", "ANA", "a\u{34F}na", "an\u{E1}", "Jose\u{301}", "\u{FF41}na", "ana\u{200B}",
            "\u{3164}",
            "\u{115F}x", "Jos\u{E9}\u{301}", "an\u{251}", "ana\u{2010}x", "b\u{7C0}b", "\u{261}ina", "car\u{1C0}",
        ]
        for name in twins {
            let result = try home.run("gateway", "user", "add", name, input: "a password\n")
            #expect([64, 80].contains(result.status), "\(name.unicodeScalars.map { String($0.value, radix: 16) })")
        }
        for name in ["bob", "Zoë", "Анна", "田中太郎", "user-7"] {
            #expect(try home.run("gateway", "user", "add", name, input: "a password\n").status == 0, "\(name)")
        }
    }

    @Test func itEndsInFiveSecondsWhateverWaits() throws {
        let site = try GatewaySite()
        let script = """
            import asyncio, json, sys
            sys.path.insert(0, sys.argv[1])
            from gateway_client import signed_in
            async def main():
                ana = await signed_in(sys.argv[2], "ana:ana's password")
                for n in range(200):
                    await ana.call("chat.create", {"id": f"{n:016d}", "kind": "group", "name": f"R{n}", "members": ["bob"]})
                for n in range(60):
                    await ana.socket.send(json.dumps({"type": "req", "id": f"x{n}", "method": "sessions.list", "params": {"limit": 500}}))
            asyncio.run(main())
            """
        let servers = Corpora.packageDirectory.appendingPathComponent("Tests/Servers").path
        let run = try site.host.run(program: "/usr/bin/python3", ["-c", script, servers, site.url])
        #expect(run.status == 0, "\(run.errors)")
        site.server.stop()
    }

    @Test func eventsThatNeverTakePlaceAreReadAndDeleted() throws {
        let site = try GatewaySite()
        let file = try site.host.calendar(
            vevent(
                "gone", "DTSTART:20261201T090000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=1",
                "EXDATE:20261201T090000Z",
                "SUMMARY:Never"),
            vevent("often", "DTSTART:19700101T000000Z", "DURATION:PT1S", "RRULE:FREQ=SECONDLY", "SUMMARY:Often"))
        #expect(try site.host.run("gateway", "as", "ana", "cal", "import", file).status == 0)
        try site.attack("never", "ana:ana's password")
    }

    @Test func openKeysAndFoldersAreRefused() throws {
        let site = try GatewaySite()
        site.server.stop()
        let folder = site.host.folder.appendingPathComponent("home/gateway").path
        let program = HelixHome.binary.deletingLastPathComponent().appendingPathComponent("helix-gateway").path
        chmod(folder, 0o777)
        let open = try site.host.run(program: program, ["--folder", folder, "--port", "0"])
        #expect(open.status == 78)
        #expect(open.errors.contains("others may write"))
        chmod(folder, 0o700)
        let key = try site.host.write("x", to: "key.pem")
        chmod(key, 0o644)
        let readable = try site.host.run(
            program: program, ["--folder", folder, "--port", "0", "--tls-key", key, "--tls-certificate", key])
        #expect(readable.status == 78)
        #expect(readable.errors.contains("may read or write"))
    }
}
