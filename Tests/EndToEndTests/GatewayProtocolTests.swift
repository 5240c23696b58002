import Foundation
import TestSupport
import Testing

/// What a gateway does on the line, tried by a client in another language that knows docs/gateway.md alone.
@Suite struct GatewayProtocolTests {
    @Test(
        arguments: [
            "handshake", "strictness", "signatures", "frames", "pairing", "presence", "tasks", "calendar", "syncing",
        ])
    func aClientInAnotherLanguageFindsTheProtocolAsItIsWritten(_ scenario: String) throws {
        try GatewaySite().scenario(scenario, "ana:ana's password")
    }

    @Test func mailThatTheGatewayHasIsReadThere() throws {
        let site = try GatewaySite()
        let maildir = try TestMaildir(site.host)
        _ = try maildir.deliver(
            """
            From: Ana Rossi <ana@example.org>
            To: me@example.org
            Subject: First
            Date: Mon, 16 Nov 2026 10:00:00 +0000
            Message-ID: <1@example.org>
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary=b

            --b
            Content-Type: text/plain

            Hello there
            --b
            Content-Type: text/plain; name=note.txt
            Content-Disposition: attachment; filename=note.txt

            attached

            --b--
            """)
        _ = try maildir.deliver(
            mail(
                "Re: First", id: "2@example.org", from: "bo@example.org", date: "Mon, 16 Nov 2026 11:00:00 +0000",
                headers: ["In-Reply-To: <1@example.org>"], body: "Hello back"))
        _ = try maildir.deliver(
            mail(
                "Third", id: "3@example.org", from: "cy@example.org", date: "Mon, 16 Nov 2026 12:00:00 +0000",
                body: "x"))
        let added = try site.host.run("gateway", "as", "ana", "account", "add", "mail", "maildir", maildir.path)
        #expect(added.status == 0, "\(added.errors)")
        try site.scenario("email", "ana:ana's password")
    }

    @Test func accountsThatTheGatewayKeepsAreSyncedAndReachItsUsersDevices() throws {
        let site = try GatewaySite(users: ["ana"])
        let folder = site.host.folder.appendingPathComponent("calendars/work")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let event = """
            BEGIN:VCALENDAR
            VERSION:2.0
            BEGIN:VEVENT
            UID:standup@example.org
            DTSTART:20300101T100000Z
            DTEND:20300101T103000Z
            SUMMARY:Standup of the year
            END:VEVENT
            END:VCALENDAR
            """.replacingOccurrences(of: "\n", with: "\r\n")
        try Data((event + "\r\n").utf8).write(to: folder.appendingPathComponent("standup.ics"))
        let added = try site.host.run(
            "gateway", "as", "ana", "account", "add", "disk", "vdir", folder.deletingLastPathComponent().path)
        #expect(added.status == 0, "\(added.errors)")
        let home = try site.device(of: "ana")
        #expect(try home.run("gateway", "call", "calendar.start_sync").status == 0)
        for _ in 0..<50 {
            if try home.run("gateway", "call", "calendar.search_events", "{\"query\": \"standup\"}").output.contains(
                "Standup")
            {
                break
            }
            usleep(100_000)
        }
        #expect(try home.run("sync").status == 0)
        #expect(try home.run("cal", "search", "Standup", "--json").items().count == 1)
        // And back: what a device changes reaches the folder.
        let id = try #require(try home.run("cal", "search", "Standup", "--json").items()[0]["id"] as? String)
        #expect(try home.run("cal", "edit", id, "--title", "Standup at ten", "--on-conflict", "allow").status == 0)
        #expect(try home.run("sync").status == 0)
        #expect(try home.run("gateway", "call", "calendar.start_sync").status == 0)
        var text = ""
        for _ in 0..<50 where !text.contains("Standup at ten") {
            usleep(100_000)
            text = (try? String(contentsOf: folder.appendingPathComponent("standup.ics"), encoding: .utf8)) ?? ""
        }
        #expect(text.contains("SUMMARY:Standup at ten"))
    }

    @Test func whoeverGuessesPasswordsIsKeptWaiting() throws {
        try GatewaySite().scenario("guessing", "ana")
        try GatewaySite().scenario("guessing_within", "ana:ana's password")
    }

    @Test func whoIsDisabledIsOutAtOnceAndAStoreHasOneGateway() throws {
        let site = try GatewaySite()
        let program = HelixHome.binary.deletingLastPathComponent().appendingPathComponent("helix-gateway").path
        let second = try site.host.run(
            program: program, ["--folder", site.host.folder.path + "/home/gateway", "--port", "0"])
        #expect(second.status == 80 && second.errors.contains("another gateway"), "\(second.errors)")
        let home = try site.device(of: "ana")
        #expect(try home.run("gateway", "call", "health").status == 0)
        let follower = Process()
        follower.executableURL = HelixHome.binary
        follower.arguments = ["chat", "follow"]
        follower.environment = home.environment
        let notes = Pipe()
        (follower.standardOutput, follower.standardError) = (FileHandle.nullDevice, notes)
        try follower.run()
        // Threads of the tests block other signals, and their children inherit that.
        defer { kill(follower.processIdentifier, SIGKILL) }
        sleep(2)
        #expect(try site.host.run("gateway", "user", "disable", "ana").status == 0)
        // Its line is cut within a second; ticks come twice a minute.
        let said = String(decoding: notes.fileHandleForReading.availableData, as: UTF8.self)
        #expect(said.contains("hub"), "\(said)")
        #expect(try home.run("gateway", "call", "health").status != 0)
    }

    @Test func aThousandThatSayNothingKeepNobodyOut() throws {
        try GatewaySite().scenario("silence", "ana:ana's password")
    }

    @Test func aForeignPageIsNotLetIn() throws {
        try GatewaySite(users: ["ana"], ["--origin", "https://app.example.org"]).scenario("origin", "")
    }

    @Test func aSecondDeviceFromElsewhereIsLetInByTheFirst() throws {
        try GatewaySite(users: ["ana"], ["--trust-proxy"]).scenario("remote", "ana:ana's password")
    }

    @Test func aPersonPairsADeviceOnceAndNeedsNoPasswordAgain() throws {
        let site = try GatewaySite()
        let home = try site.device(of: "ana")
        #expect(try home.run("gateway", "pair").status == 0)
        _ = try home.run("account", "edit", "hub", "--password-command", "false")
        let status = try home.run("gateway", "status", "--json")
        #expect(status.status == 0, "\(status.errors)")
        #expect(try status.json()["type"] as? String == "helix")
        #expect(try status.json()["protocol"] as? Int == 4)
        let secrets = try FileManager.default.contentsOfDirectory(atPath: home.folder.path + "/home/gateway")
        #expect(secrets.count == 2)
        for name in secrets {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: home.folder.path + "/home/gateway/" + name)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func anEncryptedGatewayIsKnownByItsCertificate() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("helix-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (cert, key) = (folder.path + "/cert.pem", folder.path + "/key.pem")
        let home = try HelixHome()
        let made = try home.run(
            program: "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key,
                "-out",
                cert, "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
            ])
        #expect(made.status == 0, "\(made.errors)")
        let print = try home.run(
            program: "/usr/bin/openssl", ["x509", "-in", cert, "-noout", "-fingerprint", "-sha256"])
        let digits = String(print.output.split(separator: "=").last ?? "").trimmingCharacters(
            in: .whitespacesAndNewlines)
        let site = try GatewaySite(users: ["ana"], ["--tls-certificate", cert, "--tls-key", key])
        let url = site.url.replacingOccurrences(of: "ws:", with: "wss:")
        func status(_ name: String, _ options: String...) throws -> HelixHome.Result {
            _ = try home.run(
                [
                    "account", "add", name, "gateway", url, "--user", "ana", "--password-command",
                    "echo \"ana's password\"",
                ]
                    + options)
            defer { _ = try? home.run("account", "remove", name, "--yes") }
            return try home.run("gateway", "status", "--account", name)
        }
        #expect(try status("ca", "--ca", cert).status == 0)
        #expect(try status("pinned", "--fingerprint", digits).status == 0)
        #expect(try status("unknown").status == 77)
        let other = try status("other", "--fingerprint", String(repeating: "ab", count: 32))
        #expect(other.status == 77)
        #expect(other.errors.contains("has a certificate with the fingerprint"))
    }

    @Test func aMethodThatAGatewayDoesNotHaveIsSaidToBeMissing() throws {
        let site = try GatewaySite()
        let home = try site.device(of: "ana")
        let missing = try home.run("gateway", "call", "voice.call")
        #expect(missing.status == 66)
        #expect(missing.errors.contains("has no method voice.call"))
        let wrong = try home.run("gateway", "call", "users.me", "{\"id\": 1}")
        #expect(wrong.status == 65)
        #expect(wrong.errors.contains("unexpected property 'id'"))
        #expect(try home.run("gateway", "call", "users.me", "[1]").status == 65)
        #expect(try home.run("gateway", "call", "users.me", "{").status == 65)
    }

    @Test func aWrongPasswordAndAClosedPortAreSaid() throws {
        let site = try GatewaySite()
        let home = try site.device(of: "ana")
        _ = try home.run("account", "edit", "hub", "--password-command", "echo wrong-password")
        let wrong = try home.run("gateway", "status")
        #expect(wrong.status == 77)
        #expect(wrong.errors.contains("password mismatch"))
        site.server.stop()
        let closed = try home.run("gateway", "status")
        #expect(closed.status == 69)
    }

    @Test func whoRunsAGatewaySeesAllDevicesAndKeepsSomebodyOut() throws {
        let site = try GatewaySite()
        let home = try site.device(of: "bob")
        #expect(try home.run("gateway", "pair").status == 0)
        let devices = try site.host.run("gateway", "devices", "--local", "--json").items()
        #expect(devices.map { $0["user"] as? String } == ["bob"])
        #expect(try site.host.run("gateway", "user", "disable", "bob").status == 0)
        #expect(try home.run("gateway", "status").status == 77)
        #expect(try site.host.run("gateway", "user", "enable", "bob").status == 0)
        #expect(try home.run("gateway", "status").status == 0)
        #expect(
            try site.host.run("gateway", "revoke", String((devices[0]["id"] as? String ?? "").prefix(8)), "--yes")
                .status == 0)
        #expect(try site.host.run("gateway", "devices", "--json").items().isEmpty)
    }

    @Test func itSaysWhetherItLivesAndItsNumbers() throws {
        let site = try GatewaySite()
        let base = site.url.replacingOccurrences(of: "ws:", with: "http:")
        let expectations = [
            ("/healthz", "ok"), ("/readyz", "ok"), ("/metrics", "\nhelix_gateway_connections 0\n"),
            ("/metrics", "\nprocess_resident_memory_bytes "), ("/metrics", "\nhelix_gateway_heap_bytes "),
        ]
        for (path, expected) in expectations {
            let answer = try site.host.run(program: "/usr/bin/curl", ["-s", base + path])
            #expect(answer.output.contains(expected), "\(path): \(answer.output)")
        }
    }

    @Test func whatIsSaidInTheClearBeyondThisMachineIsRefused() throws {
        let home = try HelixHome()
        let words = [
            "account", "add", "far", "gateway", "ws://192.0.2.1", "--user", "ana", "--password-command", "echo x",
        ]
        let added = try home.run(words)
        #expect(added.status == 64 && added.errors.contains("is not encrypted"), "\(added.errors)")
        #expect(try home.run("account", "list", "--json").items().isEmpty)
        // An account whose settings were changed since is refused when it connects.
        #expect(try home.run(words + ["--plaintext"]).status == 0)
        let settings = try home.run(
            program: "/usr/bin/python3",
            [
                "-c",
                "import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); d.execute(\"UPDATE account SET settings = json_remove(settings, '$.allowsPlaintext')\"); d.commit()",
                home.store,
            ])
        #expect(settings.status == 0, "\(settings.errors)")
        let status = try home.run("gateway", "status")
        #expect(status.status == 77)
        #expect(status.errors.contains("is not encrypted"))
        #expect(try home.run("gateway", "serve", "--host", "0.0.0.0").status == 64)
        for page in [
            "foo", "https://app.example.org/", "https://App.example.org", "https://app.example.org:443", "null",
        ] {
            let refused = try home.run("gateway", "serve", "--port", "0", "--origin", page)
            #expect(refused.status == 64 && refused.errors.contains("--origin"), "\(page)")
        }
    }

    @Test func whoeverMayGiveThemselvesAPlaceDoesAndRunsNothing() throws {
        let site = try GatewaySite(users: ["ana"], ["--sign-up"])
        let dora = try HelixHome()
        func add(_ home: HelixHome, _ user: String, _ password: String, _ url: String) throws {
            let added = try home.run(
                "account", "add", "hub", "gateway", url, "--user", user, "--password-command", "echo '\(password)'")
            #expect(added.status == 0, "\(added.errors)")
        }
        try add(dora, "dora", "a long password", site.url)
        #expect(try dora.run("sync").status == 77, "she has no place yet")
        #expect(try dora.run("gateway", "pair", "--sign-up").status == 0)
        #expect(try dora.run("sync").status == 0)
        #expect(try dora.run("gateway", "call", "users.me", "--json").output.contains("\"is_admin\": false"))
        #expect(try site.host.run("gateway", "user", "list", "--json").items().count == 2)
        try site.scenario("places", "eve:a long password")
        // Nobody takes another's name, a bad password is none, and it does not go on for ever.
        let thief = try HelixHome()
        try add(thief, "ana", "another password", site.url)
        let taken = try thief.run("gateway", "pair", "--sign-up")
        #expect(taken.status == 77 && taken.errors.contains("already"), "\(taken.errors)")
        #expect(try thief.run("sync").status == 77)
        for number in 0..<6 {
            let home = try HelixHome()
            try add(home, "u\(number)", number == 0 ? "short" : "a long password", site.url)
            _ = try home.run("gateway", "pair", "--sign-up")
        }
        #expect(try site.host.run("gateway", "user", "list", "--json").items().count < 7)
        // Where it is not switched on, it is not.
        let closed = try GatewaySite(users: ["ana"])
        let carl = try HelixHome()
        try add(carl, "carl", "a long password", closed.url)
        #expect(try carl.run("gateway", "pair", "--sign-up").status == 77)
        #expect(try closed.host.run("gateway", "user", "list", "--json").items().count == 1)
    }
}
