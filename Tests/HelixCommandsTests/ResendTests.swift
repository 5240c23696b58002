import Foundation
import TestSupport
import Testing

/// New messages from old ones, and signatures by identity.
@Suite struct ResendTests {
    let home: HelixHome
    let maildir: TestMaildir

    init() throws {
        home = try HelixHome(zone: "UTC")
        maildir = try TestMaildir(home)
        try home.perform("config", "set", "user.email", "me@example.org", "work@example.org")
        try home.perform("account", "add", "home", "maildir", maildir.path)
    }

    private func outgoing() throws -> String {
        let id = try #require(try home.perform("outbox", "list", "--json").items().first?["id"] as? String)
        return try home.perform("outbox", "show", id, "--raw").output
    }

    @Test func aMessageIsSentAgainAsANewOne() throws {
        try maildir.deliver(
            """
            From: work@example.org
            To: ana@example.org
            Cc: bo@example.org
            Subject: Plans
            Message-ID: <old@x>
            In-Reply-To: <older@x>
            Date: Tue, 17 Nov 2026 09:00:00 +0000
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary=b

            --b
            Content-Type: text/plain

            The text.
            --b
            Content-Type: application/pdf; name=plan.pdf
            Content-Disposition: attachment; filename=plan.pdf
            Content-Transfer-Encoding: base64

            UERG
            --b--

            """)
        let id = try #require(try home.perform("mail", "list", "--json").items().first?["id"] as? String)
        let tried = try home.perform("mail", "resend", id, "--send", "--dry-run")
        #expect(tried.status == 0, "\(tried.errors)")
        #expect(try home.perform("outbox", "list", "--json").items().isEmpty)
        #expect(try home.perform("mail", "resend", id, "--send").status == 0)
        let raw = try outgoing()
        #expect(raw.contains("From: work@example.org") && raw.contains("To: ana@example.org"))
        #expect(raw.contains("Cc: bo@example.org") && raw.contains("The text.") && raw.contains("UERG"))
        #expect(!raw.contains("old@x") && !raw.contains("older@x"))
        try home.perform("undo")
        #expect(try home.perform("mail", "resend", id, "--to", "carla@example.org", "-b", "New.").status == 0)
        let second = try outgoing()
        #expect(second.contains("To: carla@example.org") && second.contains("New.") && !second.contains("The text."))
        #expect(try home.perform("mail", "resend", "zzzz").status == 66)
    }

    @Test func eachIdentityHasItsSignature() throws {
        let folder = home.folder.appendingPathComponent("signatures")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["me", "work"] {
            try Data("the signature of \(name)\n".utf8).write(to: folder.appendingPathComponent("\(name)@example.org"))
        }
        try home.perform("config", "set", "mail.signature", folder.path + "/{address}")
        let words = ["mail", "new", "--to", "bo@example.org", "-s", "x", "-b", "x", "--signature"]
        try home.perform(words)
        #expect(try outgoing().contains("the signature of me"))
        try home.perform("undo")
        try home.perform(words + ["--from", "Work@example.org"])
        #expect(try outgoing().contains("the signature of work"))
        let missing = try home.perform(words + ["--from", "other@example.org"])
        #expect(missing.status == 78 && missing.errors.contains("other@example.org"))
    }
}
