import Foundation
import TestSupport
import Testing

/// Signing in by OAuth 2.0: against a provider of the tests, with Dovecot's own check of its tokens behind it.
@Suite(.enabled(if: TestServer.has("/usr/sbin/dovecot"), "needs the server dovecot")) struct OAuthTests {
    /// A provider, a server of mail that asks it, and a home whose browser agrees at once.
    private struct Site {
        let provider: TestServer
        let mail: TestServer
        let relay: TestServer
        let home: HelixHome
        let submission: Int

        init(secret: Bool = false) throws {
            provider = try TestServer("oauth.py", ports: 1)
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "helix-oauth-\(UUID().uuidString)")
            submission = TestServer.freePort()
            let relayPort = TestServer.freePort()
            mail = try TestServer(
                "dovecot.sh", in: folder, ["", "", "\(provider.ports[0])", "\(submission)", "\(relayPort)"])
            let place = folder.appendingPathComponent("relay")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            for file in ["cert.pem", "key.pem"] {
                try FileManager.default.copyItem(
                    at: folder.appendingPathComponent(file), to: place.appendingPathComponent(file))
            }
            relay = try TestServer("smtp.py", in: place, port: relayPort)
            home = try HelixHome()
            let browser = try home.write("#!/bin/sh\nexec curl -sL -o \"$HELIX_HOME.page\" \"$1\"\n", to: "browser")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: browser)
            home.environment["BROWSER"] = browser
            // No keyring of the machine takes part.
            home.environment["PATH"] = "/usr/bin:/bin"
        }

        var address: String { "http://127.0.0.1:\(provider.ports[0])" }
        var log: [String] {
            let text = (try? String(contentsOf: provider.folder.appendingPathComponent("log"), encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map(String.init)
        }
        var tokenFile: String { home.folder.path + "/home/tokens/work" }

        @discardableResult
        func add(_ more: String...) throws -> HelixHome.Result {
            try home.run(
                [
                    "account", "add", "work", "imap", "--address", "ana@example.org", "--user", "ana", "--imap-host",
                    "localhost", "--imap-port", "\(mail.ports[1])", "--imap-security", "tls", "--smtp-host",
                    "localhost",
                    "--smtp-port", "\(submission)", "--smtp-security", "tls", "--ca", mail.certificate, "--oauth",
                    address,
                    "--client-id", "helix-test", "--no-input",
                ] + more)
        }
    }

    @Test func aBrowserSignsInAndMailIsReadAndSent() throws {
        let site = try Site()
        let home = site.home
        let added = try site.add()
        #expect(added.status == 0 && added.errors.contains("helix account sign-in work"), "\(added.errors)")
        let before = try home.run("sync", "run", "work")
        #expect(before.status == 77 && before.errors.contains("is not signed in"), "\(before.errors)")
        let signed = try home.run("account", "sign-in", "work")
        #expect(signed.status == 0 && signed.errors.contains("Signed in."), "\(signed.errors)")
        #expect(signed.errors.contains("No keyring (secret-tool) answers"), "where the tokens lie is said")
        #expect(
            try String(contentsOfFile: home.folder.path + "/home.page", encoding: .utf8).contains("You are signed in"))
        let check = try home.run("account", "check", "work")
        #expect(check.status == 0 && check.output.contains("SMTP sign-in"), "\(check.output)\(check.errors)")
        try home.run("mail", "new", "--to", "bo@example.org", "-s", "Hello", "-b", "One")
        let synced = try home.run("sync", "run", "work")
        #expect(synced.status == 0, "\(synced.output)\(synced.errors)")
        #expect(FileManager.default.fileExists(atPath: site.relay.folder.path + "/1.eml"), "the mail has left")
        // Nothing secret is kept elsewhere, and nobody else can read the file.
        let tokens = try String(contentsOfFile: site.tokenFile, encoding: .utf8)
        let access = try #require(
            tokens.components(separatedBy: "\"access\":\"").dropFirst().first?.prefix { $0 != "\"" })
        #expect(try Data(contentsOf: URL(fileURLWithPath: home.store)).range(of: Data(access.utf8)) == nil)
        let attributes = try FileManager.default.attributesOfItem(atPath: site.tokenFile)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let folder = try FileManager.default.attributesOfItem(atPath: home.folder.path + "/home/tokens")
        #expect(folder[.posixPermissions] as? Int == 0o700)
        #expect(try home.run("account", "show", "work", "--json").items().first?["oauth"] as? String == site.address)
    }

    @Test func tokensAreRenewedBeforeTheyEndAndWhenTheyAreRefused() throws {
        let site = try Site()
        try site.add()
        try site.provider.setHabits("short text")
        #expect(try site.home.run("account", "sign-in", "work").status == 0)
        // Less than a minute is left: it is renewed first. The old refresh token is good no more, and the new one is kept.
        for _ in 1...2 { #expect(try site.home.run("sync", "run", "work").status == 0) }
        #expect(site.log.filter { $0 == "/token refresh_token" }.count >= 2 && !site.log.contains("introspection bad"))
        // A token that ended early is renewed once it is refused.
        try site.provider.setHabits("")
        #expect(try site.home.run("sync", "run", "work").status == 0)
        let count = site.log.count
        try site.provider.setHabits("revoked")
        let refused = try site.home.run("sync", "run", "work")
        #expect(refused.status == 77, "\(refused.errors)")
        #expect(site.log.dropFirst(count).filter { $0 == "/token refresh_token" }.count == 1, "not without end")
        // A provider that gives no new refresh token leaves the old one good.
        try site.provider.setHabits("same short")
        for _ in 1...2 { #expect(try site.home.run("sync", "run", "work").status == 0) }
    }

    @Test func manyAtOnceRenewOnce() throws {
        let site = try Site()
        try site.add()
        try site.provider.setHabits("short")
        #expect(try site.home.run("account", "sign-in", "work").status == 0)
        try site.provider.setHabits("")
        let script = """
            import subprocess, sys
            all = [subprocess.Popen([sys.argv[1], "account", "check", "work"], stdout=subprocess.DEVNULL) for _ in range(4)]
            sys.exit(max(one.wait() for one in all))
            """
        _ = try site.home.run(program: "/usr/bin/python3", ["-c", script, HelixHome.binary.path])
        #expect(site.log.filter { $0 == "/token refresh_token" }.count == 1, "\(site.log)")
        #expect(!site.log.contains { $0.hasPrefix("refused") })
    }

    @Test(arguments: [
        ("dead", "the sign-in has expired"), ("down", "answers 500"), ("html", "no token that mail"),
        ("secret", "does not know the client id"),
    ])
    func whatAProviderRefusesIsSaid(habit: String, text: String) throws {
        let site = try Site()
        try site.add()
        try site.provider.setHabits("short")
        #expect(try site.home.run("account", "sign-in", "work").status == 0)
        let kept = try String(contentsOfFile: site.tokenFile, encoding: .utf8)
        try site.provider.setHabits(habit)
        let result = try site.home.run("sync", "run", "work")
        #expect(result.status != 0 && result.errors.contains(text), "\(habit): \(result.errors)")
        #expect(!result.errors.contains("\u{1B}") && !result.errors.contains("account sign-in NAME"))
        #expect(
            try String(contentsOfFile: site.tokenFile, encoding: .utf8) == kept, "tokens stay until there are new ones")
    }

    @Test func nobodyIsSignedInWhoDoesNotAgree() throws {
        let site = try Site()
        try site.add()
        try site.provider.setHabits("deny")
        let denied = try site.home.run("account", "sign-in", "work")
        #expect(denied.status == 77 && denied.errors.contains("you did not agree"), "\(denied.errors)")
        #expect(!FileManager.default.fileExists(atPath: site.tokenFile))
    }

    @Test func aCodeIsTypedOnAnotherDevice() throws {
        let site = try Site()
        try site.add()
        try site.provider.setHabits("slow")
        // Somebody types the code a second later.
        let script =
            "(sleep 2; curl -s '\(site.address)/activate?code=ABCD-EFGH') & exec \"$0\" account sign-in work --device"
        let signed = try site.home.run(program: "/bin/sh", ["-c", script, HelixHome.binary.path])
        #expect(signed.status == 0 && signed.errors.contains("ABCD-EFGH"), "\(signed.errors)")
        #expect(try site.home.run("sync", "run", "work").status == 0)
        try site.provider.setHabits("deny")
        let no = script.replacing("sleep 2", with: "sleep 1")
        let denied = try site.home.run(program: "/bin/sh", ["-c", no, HelixHome.binary.path])
        #expect(denied.status == 77 && denied.errors.contains("did not agree"), "\(denied.errors)")
    }

    @Test func removingAnAccountGivesItsTokensBack() throws {
        let site = try Site()
        try site.add()
        #expect(try site.home.run("account", "sign-in", "work").status == 0)
        let dry = try site.home.run("account", "remove", "work", "--yes", "--dry-run")
        #expect(dry.status == 0 && FileManager.default.fileExists(atPath: site.tokenFile))
        let removed = try site.home.run("account", "remove", "work", "--yes")
        #expect(removed.status == 0 && removed.errors.contains("revoked at"), "\(removed.errors)")
        #expect(site.log.contains("revoked known") && !FileManager.default.fileExists(atPath: site.tokenFile))
    }

    @Test func aCalendarTakesTokensAndGoesOnWithANewOne() throws {
        let site = try Site()
        let home = site.home
        let server = try TestServer("dav.py", ports: 1, ["bearer=\(site.provider.ports[0])"])
        let added = try home.run(
            "account", "add", "cal", "caldav", "http://localhost:\(server.ports[0])/", "--user", "ana", "--oauth",
            site.address, "--client-id", "helix-test")
        #expect(added.status == 0, "\(added.errors)")
        #expect(try home.run("sync", "run", "cal").status == 77)
        #expect(try home.run("account", "sign-in", "cal").status == 0)
        let first = try home.run("sync", "run", "cal")
        #expect(first.status == 0, "\(first.errors)")
        try home.run("cal", "add", "Talk tomorrow 10:00", "--calendar", "Work")
        // The token ends in the middle of a sync, and the request that was refused is sent once more.
        try site.provider.setHabits("forget")
        let second = try home.run("sync", "run", "cal")
        #expect(second.status == 0, "\(second.errors)")
        let log = try String(contentsOf: server.folder.appendingPathComponent("log.txt"), encoding: .utf8)
        #expect(log.contains("PUT /dav/ana/work/") && site.log.contains("introspection bad"))
        #expect(try home.run("account", "check", "cal").status == 0)
    }

    /// An answer that belongs to another request is none: the browser may have been sent by somebody else.
    @Test func anAnswerWithAForeignStateIsSentAway() throws {
        let site = try Site()
        try site.add()
        try site.provider.setHabits("wrongstate")
        let script = """
            import subprocess, sys
            one = subprocess.Popen([sys.argv[1], "account", "sign-in", "work"], stderr=subprocess.PIPE, text=True)
            try: one.wait(4)
            except subprocess.TimeoutExpired: one.kill(); print("waits still")
            """
        let result = try site.home.run(program: "/usr/bin/python3", ["-c", script, HelixHome.binary.path])
        #expect(result.output.contains("waits still"), "\(result.output)\(result.errors)")
        #expect(
            try String(contentsOfFile: site.home.folder.path + "/home.page", encoding: .utf8).contains("nothing here"))
        #expect(
            !site.log.contains("/token authorization_code") && !FileManager.default.fileExists(atPath: site.tokenFile))
    }

    /// Somebody new answers questions on a terminal; the browser opens before the account is tried.
    @Test func questionsLeadThroughTheSignIn() throws {
        let site = try Site()
        let home = site.home
        let talk = [
            ("Name of the account [example]:", "work"), ("Number [", "4"),
            ("or the https address of another:", site.address), ("Client id:", "helix-test"), ("Signed in.", ""),
        ]
        let script = try home.write(talk.map { "\($0.0)\n\($0.1)\n" }.joined(), to: "talk.txt")
        let answers = Corpora.packageDirectory.appendingPathComponent("Tests/Servers/answers.py").path
        (home.environment["TERM"], home.environment["NO_COLOR"]) = ("xterm", "1")
        let result = try home.run(
            program: "/usr/bin/python3",
            [
                answers, script, HelixHome.binary.path, "account", "add", "--address", "ana@example.org", "--user",
                "ana",
                "--imap-host", "localhost", "--imap-port", "\(site.mail.ports[1])", "--imap-security", "tls", "--ca",
                site.mail.certificate,
            ])
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains("✓ IMAP sign-in"), "\(result.output)")
        #expect(try home.run("sync", "run", "work").status == 0)
    }

    @Test func aClientSecretComesFromACommand() throws {
        let site = try Site()
        try site.provider.setHabits("secret")
        try site.add("--client-secret-command", "echo 'client secret &='")
        #expect(try site.home.run("account", "sign-in", "work").status == 0)
        #expect(try site.home.run("sync", "run", "work").status == 0)
    }

    @Test func anotherProgramsTokensAndProvidersWithoutAClientAreNamed() throws {
        let home = try HelixHome()
        let google = [
            "account", "add", "g", "imap", "--address", "ana@gmail.com", "--imap-host", "imap.gmail.com", "--no-input",
        ]
        let none = try home.run(google)
        #expect(none.status == 64 && none.errors.contains("--oauth google"), "\(none.errors)")
        let client = try home.run(google + ["--oauth", "google"])
        #expect(client.status == 64 && client.errors.contains("oauth.google-client-id"), "\(client.errors)")
        try home.run("config", "set", "oauth.google-client-id", "id")
        let secret = try home.run(google + ["--oauth", "google"])
        #expect(secret.status == 64 && secret.errors.contains("--client-secret-command"), "\(secret.errors)")
        try home.run("config", "set", "oauth.google-client-secret-command", "echo x")
        #expect(try home.run(google + ["--oauth", "google"]).status == 0)
        // Ways that contradict each other, and kinds that do not sign in so, are refused.
        let both = ["--oauth", "google", "--password-command", "echo x"]
        #expect(try home.run(["account", "edit", "g"] + both).errors.contains("one way to sign in"))
        #expect(
            try home.run("account", "add", "days", "webcal", "https://example.org/x.ics", "--oauth", "google").status
                == 64)
        let device = try home.run("account", "sign-in", "g", "--device")
        #expect(device.status == 77 && device.errors.contains("no codes for other devices"), "\(device.errors)")
        #expect(try home.run("account", "edit", "g", "--token-command", "oama").status == 0)
        #expect(try home.run("account", "show", "g").output.contains("oama access 'ana@gmail.com'"))
        #expect(try home.run("account", "sign-in", "g").errors.contains("does not sign in by OAuth"))
        #expect(try home.run("account", "edit", "g", "--oauth", "gogle", "--client-id", "x").errors.contains("google"))
        #expect(try home.run("account", "edit", "g", "--oauth", "http://example.org", "--client-id", "x").status == 64)
    }
}
