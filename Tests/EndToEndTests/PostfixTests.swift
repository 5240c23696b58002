import Foundation
import TestSupport
import Testing

/// Postfix, unpacked by `Tools/foreign-servers.sh`.
private enum Postfix {
    static var isInstalled: Bool {
        let root = Corpora.packageDirectory.appendingPathComponent(".build/servers").path
        return TestServer.has(root + "/usr/lib/postfix/sbin/master") && TestServer.has("/usr/sbin/dovecot")
            && getuid() == 0
    }
}

/// Mail leaves by Postfix, which asks Dovecot who may send, by password or by token.
@Suite(.enabled(if: Postfix.isInstalled, "needs the server postfix")) struct PostfixTests {
    private struct Site {
        let tokens: TestServer
        let reading: TestServer
        let server: TestServer
        let home: HelixHome

        init(_ sign: [String] = ["--password-command", "echo secret"]) throws {
            tokens = try TestServer("tokens.py", ports: 1)
            // Where mail is read: a Dovecot whose certificate both have.
            reading = try TestServer("dovecot.sh", ["", "", "\(tokens.ports[0])"])
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "helix-postfix-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let source = reading.folder
            let parts = try ["key.pem", "cert.pem"].map {
                try Data(contentsOf: source.appendingPathComponent($0))
            }
            try (parts[0] + parts[1]).write(to: folder.appendingPathComponent("tls.pem"))
            server = try TestServer(
                "postfix.sh", in: folder, ports: 1, ["http://127.0.0.1:\(tokens.ports[0])/?token="])
            home = try HelixHome()
            let added = try home.run(
                [
                    "account", "add", "work", "imap", "--address", "ana@example.org", "--user", "ana", "--imap-host",
                    "localhost", "--imap-port", "\(reading.ports[1])", "--imap-security", "tls", "--smtp-host",
                    "localhost", "--smtp-port", "\(server.ports[0])", "--smtp-security", "starttls", "--ca",
                    reading.certificate,
                ] + sign)
            guard added.status == 0 else { throw OracleFailure(message: added.errors) }
        }

        /// The messages that somebody got.
        func mail(_ name: String) throws -> [String] {
            let folder = server.folder.path + "/mail/\(name)/new"
            for _ in 0..<40 {
                let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
                if !files.isEmpty {
                    return try files.map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }
                }
                usleep(50_000)
            }
            return []
        }

        func write(_ to: String, _ subject: String, _ more: String...) throws {
            let result = try home.run(["mail", "new", "--to", to, "--subject", subject] + more)
            #expect(result.status == 0, "\(result.errors)")
        }
    }

    @Test(arguments: ["--password-command", "--token-command"])
    func mailLeavesByPasswordAndByToken(_ way: String) throws {
        let site = try Site([way, way == "--token-command" ? "echo good-token" : "echo secret"])
        let check = try site.home.run("account", "check", "work")
        #expect(check.status == 0 && check.output.contains("SMTP sign-in"), "\(check.output)\(check.errors)")
        try site.write("ben@example.org", "Größe", "--bcc", "ana@example.org", "--body", "Straße")
        let sent = try site.home.run("sync")
        #expect(sent.status == 0, "\(sent.output)\(sent.errors)")
        let got = try site.mail("ben")
        #expect(got.count == 1 && !got[0].lowercased().contains("bcc"), "\(got)")
        #expect(try site.mail("ana").count == 1)
        #expect(try site.home.run("outbox", "--json").items().isEmpty)
    }

    @Test(arguments: [
        ("--password-command", "user name or the password"), ("--token-command", "the OAuth 2.0 token"),
    ])
    func aUserWithoutPermissionToSendGetsTheReason(_ way: String, _ words: String) throws {
        let site = try Site([way, "echo wrong"])
        let check = try site.home.run("account", "check", "work")
        #expect(check.status != 0 && (check.output + check.errors).contains(words), "\(check.output)\(check.errors)")
        try site.write("ben@example.org", "Hello", "--body", "x")
        let sent = try site.home.run("sync")
        #expect(sent.status == 77, "\(sent.output)\(sent.errors)")
        #expect(try site.home.run("outbox", "--json").items().count == 1)
    }

    @Test func mailThatPostfixRejectsStaysQueuedWithTheReason() throws {
        let site = try Site()
        try site.write("nobody@example.org", "Unknown", "--body", "x")
        try site.write("ben@example.org", "Good", "--body", "x")
        let large = try site.home.write(String(repeating: "0123456789abcdef", count: 400_000), to: "large.txt")
        try site.write("ben@example.org", "Large", "--body", "x", "--attach", large)
        let sent = try site.home.run("sync")
        #expect(sent.status == 80, "\(sent.output)\(sent.errors)")
        #expect(try site.mail("ben").count == 1)
        let waiting = try site.home.run("outbox").output
        #expect(waiting.contains("Unknown") && waiting.contains("Large") && !waiting.contains("Good"), "\(waiting)")
        let said = sent.output + sent.errors
        #expect(said.contains("nobody@example.org"), "\(said)")
        // Again, and nothing leaves twice.
        _ = try site.home.run("sync")
        #expect(try site.mail("ben").count == 1)
    }
}
