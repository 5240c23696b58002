import Foundation
import TestSupport
import Testing

/// What is sent leaves once, and is on both sides what it was.
@Suite(.enabled(if: TestServer.has("/usr/sbin/dovecot"), "needs the server dovecot"))
struct MailSendTests {
    private static func taken(_ site: MailSite) throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: site.smtp?.folder.path ?? "")
        return names.filter { $0.hasSuffix(".eml") }.sorted()
    }

    private static func write(_ home: HelixHome, _ subject: String, to: [String]) throws {
        let result = try home.run(
            ["mail", "new", "-s", subject, "--body", "Text of \(subject)\n..dots", "--send"]
                + to.flatMap { ["--to", $0] })
        guard result.status == 0 else { throw OracleFailure(message: result.errors) }
    }

    @Test(arguments: ["tls", "starttls"]) func aMessageLeavesOnceAndLiesAmongSentMail(_ security: String) throws {
        let site = try MailSite(sends: true)
        let home = try site.home(security: security)
        try home.run(
            "mail", "new", "--to", "ben@example.org", "--bcc", "eve@example.org", "-s", "Plans", "--body", "a\n..b",
            "--send")
        let result = try home.run("sync")
        #expect(result.status == 0, "\(result.errors)")
        try home.run("sync")
        #expect(try Self.taken(site) == ["1.eml"])
        let folder = site.smtp?.folder.path ?? ""
        let text = try String(contentsOfFile: folder + "/1.eml", encoding: .utf8)
        #expect(text.hasSuffix("\r\n\r\na\r\n..b\r\n"))
        #expect(!text.contains("eve@"))
        let envelope = try String(contentsOfFile: folder + "/1.json", encoding: .utf8)
        #expect(envelope.contains("\"to\": [\"ben@example.org\", \"eve@example.org\"]"))
        #expect(try home.run("outbox", "list", "--json").items().isEmpty)
        // It is filed once, in the mailbox that the server has for it, with those that nobody else sees.
        #expect(try site.client("print(all('\"Sent items\"'))") == "['Plans \\\\Seen']\n")
        let sent = try home.run("mail", "list", "--mailbox", "Sent items", "--json").items()
        #expect(sent.count == 1)
        #expect(
            try home.run("mail", "read", sent[0]["id"] as? String ?? "", "--raw").output.hasPrefix(
                "Bcc: eve@example.org"))
        // A sent message cannot be recalled.
        let undone = try home.run("undo")
        #expect(undone.status == 80)
        #expect(undone.errors.contains("already sent"))
    }

    @Test func copiesOfSentMailAreFiledByTheSideThatIsSaid() throws {
        let site = try MailSite(sends: true)
        let home = try site.home()
        func send(_ subject: String) throws -> String {
            try Self.write(home, subject, to: ["ben@example.org"])
            for _ in 0..<2 { #expect(try home.run("sync").status == 0) }
            return try site.client("print(all('\"Sent items\"'))")
        }
        try home.run("account", "edit", "work", "--sent-copy", "no")
        #expect(try send("None") == "[]\n")
        #expect(try home.run("mail", "list", "--mailbox", "Sent items", "--json").items().isEmpty)
        try home.run("account", "edit", "work", "--sent-copy", "yes")
        #expect(try send("One") == "['One \\\\Seen']\n")
        #expect(try home.run("account", "show", "work").output.contains("sent copies"))
        try home.run("account", "edit", "work", "--sent-copy", "auto")
        #expect(try send("Two") == "['One \\\\Seen', 'Two \\\\Seen']\n")
        #expect(try Self.taken(site).count == 3)
        #expect(try home.run("account", "edit", "work", "--sent-copy", "perhaps").status == 64)
    }

    @Test func whoeverIsRefusedIsNamedAndTheOthersGetIt() throws {
        let site = try MailSite(sends: true)
        let home = try site.home()
        try Self.write(home, "Partly", to: ["nosuch@example.org", "ben@example.org"])
        try Self.write(home, "Later", to: ["later@example.org"])
        try Self.write(home, "refuse", to: ["ben@example.org"])
        let problems = try home.run("sync", "--json").items().first?["problems"] as? [String] ?? []
        #expect(problems.contains { $0.contains("nosuch@example.org: 5.1.1 there is nobody of that name") })
        #expect(try Self.taken(site) == ["1.eml"])
        let waiting = try home.run("outbox", "list", "--json").items()
        let states = Dictionary(
            uniqueKeysWithValues: waiting.map { ($0["subject"] as? String ?? "", $0["state"] as? String ?? "") })
        #expect(states == ["Partly": "parked", "Later": "queued", "refuse": "parked"])
        let partly = waiting.first { $0["subject"] as? String == "Partly" }
        #expect(partly?["recipients"] as? [String] == ["nosuch@example.org"])
        // With the right address it leaves, and only there.
        let id = partly?["id"] as? String ?? ""
        try home.run("outbox", "edit", id, "--to", "eve@example.org")
        try home.run("outbox", "retry", id)
        _ = try home.run("sync")
        let envelope = try String(contentsOfFile: (site.smtp?.folder.path ?? "") + "/2.json", encoding: .utf8)
        #expect(envelope.contains("\"to\": [\"eve@example.org\"]"))
    }

    @Test func addressesInTheLettersOfAllScriptsAreWrittenTo() throws {
        let site = try MailSite(sends: true)
        let home = try site.home()
        try home.run("mail", "new", "--to", "Jörg <jörg.größe@example.org>", "-s", "Grüße", "--body", "x", "--send")
        #expect(try home.run("sync").status == 0)
        let folder = site.smtp?.folder.path ?? ""
        let envelope = try JSONSerialization.jsonObject(
            with: Data(contentsOf: URL(fileURLWithPath: folder + "/1.json")))
        #expect((envelope as? [String: Any])?["to"] as? [String] == ["jörg.größe@example.org"])
        #expect(try String(contentsOfFile: folder + "/1.eml", encoding: .utf8).contains("<jörg.größe@example.org>"))
        let sent = try home.run("mail", "list", "--mailbox", "Sent items", "--json").items().first
        #expect((sent?["to"] as? [String])?.first?.contains("jörg.größe@example.org") == true, "\(sent ?? [:])")
        for wrong in ["a\u{202E}b@example.org", "a b@example.org", "😀 x@example.org"] {
            #expect(try home.run("mail", "new", "--to", wrong, "-s", "x", "--body", "x", "--send").status == 64)
        }
    }

    @Test func whoIsRefusedForNowIsTriedAgainAndTheOtherNot() throws {
        let site = try MailSite(sends: true)
        let home = try site.home()
        try Self.write(home, "Three", to: ["nosuch@example.org", "ben@example.org", "later@example.org"])
        let result = try home.run("sync")
        // Whoever looks at the status alone learns of it.
        #expect(result.status == 80 && result.errors.contains("not everything could be synced"), "\(result.errors)")
        func waiting() throws -> [String] {
            try home.run("outbox", "list", "--json").items().map {
                "\($0["state"] ?? "") \(($0["recipients"] as? [String] ?? []).joined())"
            }.sorted()
        }
        #expect(try waiting() == ["parked nosuch@example.org", "queued later@example.org"])
        // It is not sent to him who has it, and the one who is not there is not asked for again.
        _ = try home.run("sync")
        #expect(try waiting() == ["parked nosuch@example.org", "queued later@example.org"])
        #expect(try Self.taken(site) == ["1.eml"])
        // Taken out, it is a draft for him alone who has not got it, and another message.
        let parked = try home.run("outbox", "list", "--json").items().first { $0["state"] as? String == "parked" }
        let cancelled = try home.run("outbox", "cancel", parked?["id"] as? String ?? "")
        #expect(cancelled.errors.contains("has been sent to ben@example.org"), "\(cancelled.errors)")
        let draft = try home.run("mail", "drafts", "--json").items().first
        #expect(draft?["to"] as? [String] == ["nosuch@example.org"], "\(draft ?? [:])")
        try home.run("mail", "edit", draft?["id"] as? String ?? "", "--to", "eve@example.org")
        let id = try home.run("mail", "drafts", "--json").items().first?["id"] as? String ?? ""
        try home.run("mail", "send", id)
        _ = try home.run("sync")
        let envelope = try String(contentsOfFile: (site.smtp?.folder.path ?? "") + "/2.json", encoding: .utf8)
        #expect(envelope.contains("\"to\": [\"eve@example.org\"]"))
    }

    @Test func aConnectionThatDiesAfterTheServerTookItSendsNothingTwice() throws {
        let site = try MailSite(sends: true)
        let home = try site.home()
        try Self.write(home, "silent", to: ["ben@example.org"])
        let result = try home.run("sync")
        #expect(result.output.contains("broke before the server confirmed it"))
        for _ in 0..<3 { try home.run("sync") }
        #expect(try Self.taken(site) == ["1.eml"])
        #expect(try home.run("outbox", "list", "--json").items().first?["state"] as? String == "parked")
    }

    @Test func whatWasTakenIsKnownByItsCopy() throws {
        let site = try MailSite(sends: true)
        let home = try site.home()
        try Self.write(home, "Known", to: ["ben@example.org"])
        let id = try home.run("outbox", "list", "--json").items().first?["message_id"] as? String ?? ""
        try site.client(
            "m.append('\"Sent items\"', '(\\\\Seen)', None, b'Subject: Known\\r\\nMessage-ID: <\(id)>\\r\\n\\r\\nx')")
        // Another machine has sent the same draft: it is not sent again by itself.
        #expect(try home.run("sync").output.contains("is already in the sent mail"))
        #expect(try Self.taken(site).isEmpty)
        // helix was stopped right after the last line of the message, and the server had taken it.
        let stop =
            "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute(\"UPDATE outgoing SET state = 'leaving'\"); d.commit()"
        #expect(try home.run(program: "/usr/bin/python3", ["-c", stop, home.store]).status == 0)
        #expect(try home.run("sync").status == 0)
        #expect(try home.run("outbox", "list", "--json").items().isEmpty)
        #expect(try Self.taken(site).isEmpty)
        #expect(try site.client("print(all('\"Sent items\"'))") == "['Known \\\\Seen']\n")
    }

    @Test func whatIsHeldOrForLaterStays() throws {
        let site = try MailSite(sends: true)
        let home = try site.home()
        try Self.write(home, "Held", to: ["ben@example.org"])
        try home.run(
            "mail", "new", "--to", "ben@example.org", "-s", "Later", "--body", "x", "--send", "--at", "tomorrow 8:00")
        let id = try home.run("outbox", "list", "--json").items().first { $0["subject"] as? String == "Held" }?["id"]
        try home.run("outbox", "hold", id as? String ?? "")
        _ = try home.run("sync")
        #expect(try Self.taken(site).isEmpty)
        home.environment["HELIX_NOW"] = "2026-11-19T09:00:00"
        _ = try home.run("sync")
        #expect(try Self.taken(site) == ["1.eml"])
        #expect(try home.run("outbox", "list", "--json").items().count == 1)
    }

    @Test func aProgramCanSendInsteadOfAServer() throws {
        let home = try HelixHome()
        let taken = home.folder.path + "/taken"
        let program = try home.write(
            "#!/bin/sh\ncase \"$*\" in *later@*) echo 'busy just now' >&2; exit 75;; esac\n{ echo \"$@\"; cat; } > \(taken)\n",
            to: "sendmail")
        chmod(program, 0o755)
        try home.run("account", "add", "own", "maildir", try TestMaildir(home).path)
        try home.run("account", "edit", "own", "--sendmail", program, "--address", "ana@example.org")
        try Self.write(home, "Plain", to: ["ben@example.org"])
        try Self.write(home, "Waits", to: ["later@example.org"])
        let result = try home.run("sync")
        #expect(result.output.contains("busy just now"))
        let text = try String(contentsOfFile: taken, encoding: .utf8)
        #expect(text.hasPrefix("-i -f ana@example.org -- ben@example.org\n"))
        #expect(text.hasSuffix("Text of Plain\n..dots\n"))
        #expect(try home.run("outbox", "list", "--json").items().map { $0["state"] as? String } == ["queued"])
    }
}
