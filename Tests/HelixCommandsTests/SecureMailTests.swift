import Foundation
import TestSupport
import Testing

/// Signed and encrypted mail through the commands, with GnuPG itself.
@Suite(.enabled(if: TestKeyring.shared != nil), .serialized)
struct SecureMailTests {
    let keyring: TestKeyring
    let home: HelixHome
    let maildir: TestMaildir

    init() throws {
        keyring = try #require(TestKeyring.shared)
        home = try HelixHome(zone: "UTC")
        maildir = try TestMaildir(home)
        try home.perform("config", "set", "user.email", "ana@example.org")
        try home.perform("config", "set", "user.name", "Ana Ruiz")
        try home.perform("account", "add", "home", "maildir", maildir.path)
    }

    /// A message from bo to ana, encrypted by gpg.
    private func encrypted(_ text: String, subject: String = "...", signs: Bool = true) throws -> String {
        let entity =
            "Content-Type: text/plain; charset=utf-8; protected-headers=\"v1\"\r\nSubject: The real one\r\n\r\n\(text)\r\n"
        let words = ["gpg", "--batch", "--trust-model", "always", "--armor", "--recipient", "ana@example.org"]
        let sign = signs ? ["--local-user", "bo@example.org", "--sign"] : []
        let armor = try keyring.run(words + sign + ["--encrypt"], input: Data(entity.utf8))
        return """
            From: Bo Berg <bo@example.org>
            To: ana@example.org
            Subject: \(subject)
            Date: Mon, 16 Nov 2026 10:00:00 +0000
            Message-ID: <\(UUID().uuidString)@example.org>
            MIME-Version: 1.0
            Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary="b"

            --b
            Content-Type: application/pgp-encrypted

            Version: 1
            --b
            Content-Type: application/octet-stream

            \(String(decoding: armor, as: UTF8.self))
            --b--

            """
    }

    private func id(_ query: String...) throws -> String {
        try #require(try home.perform(["mail", "list"] + query + ["--json"]).items().first?["id"] as? String)
    }

    private func outgoing() throws -> (id: String, raw: String) {
        let id = try #require(try home.perform("outbox", "list", "--json").items().first?["id"] as? String)
        return (id, try home.perform("outbox", "show", id, "--raw").output)
    }

    @Test func anEncryptedMessageIsReadWithItsSubjectAndItsStateInOneLine() throws {
        try maildir.deliver(try encrypted("The secret plan."))
        let id = try id()
        let shown = try home.perform("mail", "read", id)
        #expect(shown.output.contains("The real one\n"))
        #expect(shown.output.contains("Encrypted, and signed by Bo Berg <bo@example.org>: valid"))
        #expect(shown.output.contains("The secret plan."))
        let security = try #require(
            try home.perform("mail", "read", id, "--json").items().first?["security"] as? [String: Any])
        #expect(security["verdict"] as? String == "valid")
        #expect(security["encryption"] as? String == "whole")
        #expect(security["decrypted"] as? Bool == true)
        #expect(try home.perform("mail", "list", "is:encrypted", "--ids").output.contains(id))
    }

    @Test func searchesKnowWhatWasVerified() throws {
        try maildir.deliver(try encrypted("One."))
        let signed = try keyring.run(
            ["gpg", "--batch", "--local-user", "bo@example.org", "--clearsign"], input: Data("Signed.\n".utf8))
        try maildir.deliver(
            mail("inline", id: "inline@x", from: "Bo <bo@example.org>", body: String(decoding: signed, as: UTF8.self)))
        let before = try home.perform("mail", "list", "is:verified", "--json")
        #expect(try before.items().isEmpty)
        #expect(before.errors.contains("1 message with signatures was never verified"))
        let verified = try home.perform("mail", "verify")
        #expect(verified.output.contains("Verified 2 messages: 2 valid."), "\(verified.output)\(verified.errors)")
        let after = try home.perform("mail", "list", "is:verified", "--json")
        #expect(try after.items().count == 2)
        #expect(!after.errors.contains("never verified"))
    }

    @Test func aDecryptedTextIsFoundOnlyIfTheSettingSaysSo() throws {
        try maildir.deliver(try encrypted("The zebra is hidden."))
        let id = try id()
        try home.perform("mail", "read", id)
        #expect(try home.perform("mail", "search", "zebra", "--count").output == "0\n")
        try home.perform("config", "set", "pgp.index", "true")
        try home.perform("mail", "read", id)
        #expect(try home.perform("mail", "search", "zebra", "--count").output == "1\n")
        #expect(try home.perform("mail", "search", "subject:real", "--count").output == "1\n")
        let off = try home.perform("config", "set", "pgp.index", "false")
        #expect(off.errors.contains("Removed the text of 1 decrypted message"))
        #expect(try home.perform("mail", "search", "zebra", "--count").output == "0\n")
        #expect(try home.perform("doctor").status == 0)
    }

    @Test func aReplyToAnEncryptedMessageIsEncrypted() throws {
        try maildir.deliver(try encrypted("The zebra is hidden."))
        let id = try id()
        #expect(try home.perform("mail", "reply", id, "--body", "Yes.").status == 0)
        let (reply, raw) = try outgoing()
        #expect(raw.contains("multipart/encrypted") && !raw.contains("zebra") && !raw.contains("Re: The real one"))
        let shown = try home.perform("outbox", "show", reply).output
        #expect(shown.contains("> The zebra is hidden.") || shown.contains("zebra"))
        #expect(shown.contains("Re: The real one"))
        try home.perform("outbox", "cancel", reply)
        // Readable only if somebody says so.
        try home.perform("config", "set", "pgp.encrypt", "never")
        let refused = try home.perform("mail", "reply", id, "--body", "Yes.")
        #expect(refused.status == 64 && refused.errors.contains("the reply would be readable"))
        #expect(try home.perform("mail", "reply", id, "--body", "Yes.", "--no-encrypt").status == 0)
        #expect(try outgoing().raw.contains("zebra"))
    }

    @Test func noKeyIsAnErrorAndTheTextIsNotSent() throws {
        let failed = try home.perform(
            "mail", "new", "--to", "nobody@example.net", "-s", "x", "-b", "secret", "--encrypt")
        #expect(failed.status == 78 && failed.errors.contains("no OpenPGP key of nobody@example.net"))
        #expect(try home.perform("outbox", "list", "--json").items().isEmpty)
        // The settings 'auto' encrypts where it can.
        try home.perform("config", "set", "pgp.encrypt", "auto")
        try home.perform("mail", "new", "--to", "nobody@example.net", "-s", "x", "-b", "open")
        #expect(try outgoing().raw.contains("open"))
        try home.perform("outbox", "cancel", try outgoing().id)
        try home.perform("mail", "new", "--to", "bo@example.org", "-s", "x", "-b", "closed")
        #expect(try outgoing().raw.contains("multipart/encrypted"))
    }

    @Test func draftsAreEncryptedToTheirAuthor() throws {
        let kept = try home.perform(
            "mail", "new", "--to", "bo@example.org", "--bcc", "carla@example.org", "-s", "Zebra plans", "-b",
            "The zebra.", "--encrypt", "--sign", "--draft")
        #expect(kept.status == 0, "\(kept.errors)")
        let files = try home.run(
            program: "/bin/sh", ["-c", "grep -rlia 'zebra\\|carla' '\(home.folder.path)' || true"])
        // The journal of the store keeps the words of the change; the mail folders have nothing.
        #expect(!files.output.contains("/cur/") && !files.output.contains("/new/"), "\(files.output)")
        let id = try #require(try home.perform("mail", "drafts", "--json").items().first?["id"] as? String)
        #expect(try home.perform("mail", "read", id).output.contains("The zebra."))
        let sent = try home.perform("mail", "send", id, "--json")
        #expect(sent.status == 78 && sent.errors.contains("no OpenPGP key of carla@example.org"))
        #expect(try home.perform("mail", "edit", id, "--bcc", "ana@example.org", "-b", "The zebra.").status == 0)
        let edited = try #require(try home.perform("mail", "drafts", "--json").items().first?["id"] as? String)
        #expect(try home.perform("mail", "send", edited).status == 0)
        let (_, raw) = try outgoing()
        #expect(raw.contains("multipart/encrypted") && !raw.contains("zebra"))
        // The ids of keys would tell who is in Bcc.
        let packets = try keyring.run(
            ["sh", "-c", "gpg --batch --list-packets --list-only 2>/dev/null | grep -c 'keyid 0000000000000000'"],
            input: Data(raw.utf8))
        #expect(String(decoding: packets, as: UTF8.self) == "2\n")
    }

    @Test func aKeyThatCameWithAMessageIsUsed() throws {
        let key = try keyring.run(
            [
                "gpg", "--homedir", keyring.path + "/stranger", "--batch", "--export-options", "export-minimal",
                "--export",
            ])
        try maildir.deliver(
            mail(
                "hello", id: "hello@x", from: "Stranger <stranger@example.net>",
                headers: [
                    "Autocrypt: addr=stranger@example.net; prefer-encrypt=mutual;\n keydata=\(key.base64EncodedString())"
                ]))
        let list = try home.perform("mail", "keys", "list", "stranger", "--json").items()
        #expect(list.first?["addresses"] as? [String] == ["stranger@example.net"])
        let sent = try home.perform(
            "mail", "new", "--to", "stranger@example.net", "-s", "x", "-b", "zebra", "--encrypt", "--sign")
        #expect(sent.status == 0, "\(sent.errors)")
        let raw = try outgoing().raw
        #expect(raw.contains("Autocrypt: addr=ana@example.org;"))
        let armor = try #require(raw.range(of: "-----BEGIN PGP MESSAGE-----"))
        let text = try keyring.run(
            ["sh", "-c", "gpg --homedir '\(keyring.path)/stranger' --batch --decrypt 2>/dev/null || true"],
            input: Data(raw[armor.lowerBound...].utf8))
        #expect(String(decoding: text, as: UTF8.self).contains("zebra"))
    }

    /// 'auto' does not encrypt to people who only sent their key along.
    @Test(arguments: [true, false]) func aKeyThatCameWithAMessageIsUsedByItselfIfItsOwnerPrefersThat(_ isMutual: Bool)
        throws
    {
        let key = try keyring.run(
            [
                "gpg", "--homedir", keyring.path + "/stranger", "--batch", "--export-options", "export-minimal",
                "--export",
            ])
        let prefer = isMutual ? "prefer-encrypt=mutual; " : ""
        try maildir.deliver(
            mail(
                "hello", id: "hello@x", from: "Stranger <stranger@example.net>",
                headers: ["Autocrypt: addr=stranger@example.net; \(prefer)keydata=\(key.base64EncodedString())"]))
        try home.perform("config", "set", "pgp.encrypt", "auto")
        try home.perform("mail", "new", "--to", "stranger@example.net", "-s", "x", "-b", "zebra")
        #expect(try outgoing().raw.contains("multipart/encrypted") == isMutual)
    }

    @Test func aKeyIsFetchedFromItsDomainWithItsOwnAddressAlone() throws {
        let site = try TestServer("web.py", ports: 1)
        let other = try TestKeyring()
        try other.run(["gpg", "--batch", "--quick-add-uid", "ana@example.org", "Evil <bo@example.org>"])
        let folder = site.folder.appendingPathComponent("hu")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The hash of "Joe.Doe" in the draft, §3.1.
        let name = "iy9q119eutrkn8s1mk4r39qejnbu3n5q"
        var address = "Joe.Doe@example.org"
        try other.run(["gpg", "--batch", "--quick-add-uid", "ana@example.org", "Joe <\(address)>"])
        try other.run(["gpg", "--batch", "--export", "ana@example.org"]).write(to: folder.appendingPathComponent(name))
        let home = home
        home.environment["HELIX_WKD"] = "http://127.0.0.1:\(site.ports[0])/hu/{hash}?l={local}"
        let tried = try home.perform("mail", "keys", "fetch", address, "--dry-run", "--json")
        #expect(try tried.items().count == 1)
        #expect(try home.perform("mail", "keys", "list", "joe", "--json").items().isEmpty)
        let fetched = try home.perform("mail", "keys", "fetch", address, "--json")
        #expect(try fetched.items().first?["addresses"] as? [String] == [address.lowercased()], "\(fetched.errors)")
        address = "nobody@example.org"
        let missing = try home.perform("mail", "keys", "fetch", address)
        #expect(missing.status == 66 && missing.errors.contains("publishes no key of nobody@example.org"))
    }

    @Test func keysAreImportedFromFiles() throws {
        // Its own keyring: the others' keys stay as they are.
        let other = try TestKeyring()
        let list = try other.run(["gpg", "--batch", "--with-colons", "--list-keys"])
        #expect(!String(decoding: list, as: UTF8.self).contains("stranger@example.net"))
        let home = home
        home.environment["GNUPGHOME"] = other.path
        let file = other.path + "/stranger.asc"
        let imported = try home.run("mail", "keys", "import", file, "--json")
        #expect(try imported.items().first?["addresses"] as? [String] == ["stranger@example.net"], "\(imported.errors)")
        #expect(try home.run("mail", "keys", "import", "-", input: "no key").status == 65)
        #expect(try home.run("mail", "keys", "list", "stranger", "--json").items().count == 1)
    }

    @Test func aKeyThatTheSettingsNameIsUsedOrAnError() throws {
        try home.perform("config", "set", "pgp.key", "nonsense")
        let refused = try home.perform("mail", "new", "--to", "bo@example.org", "-s", "x", "-b", "x", "--sign")
        #expect(refused.status == 78 && refused.errors.contains("the key 'nonsense' of pgp.key cannot sign"))
        try home.perform("config", "set", "pgp.key", "ana@example.org=\(try keyring.fingerprint("bo@example.org"))")
        #expect(try home.perform("mail", "new", "--to", "bo@example.org", "-s", "x", "-b", "x", "--sign").status == 0)
    }

    /// Whoever is on the way of an encrypted message can add headers to it.
    @Test func aReplyDoesNotGoWhereAnUnprotectedHeaderSays() throws {
        try maildir.deliver(
            try encrypted("The zebra.").replacing(
                "Subject: ...", with: "Reply-To: Bo <stranger@example.net>\nSubject: ..."))
        let id = try id()
        #expect(!(try home.perform("mail", "read", id).output.contains("stranger@example.net")))
        let replied = try home.perform("mail", "reply", id, "--body", "Yes.")
        #expect(replied.status == 0 && replied.errors.contains("encrypted to bo@example.org"), "\(replied.errors)")
        let history = try home.perform("history").output
        #expect(!history.contains("The real one"), "\(history)")
    }

    @Test func anEncryptedInvitationIsAnswered() throws {
        let calendar = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//x//EN", "METHOD:REQUEST", "BEGIN:VEVENT", "UID:secret@x",
            "DTSTAMP:20261101T000000Z", "DTSTART:20261125T090000Z", "DTEND:20261125T100000Z", "SUMMARY:Secret meeting",
            "ORGANIZER:mailto:bo@example.org", "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ana@example.org", "END:VEVENT",
            "END:VCALENDAR",
        ].joined(separator: "\r\n")
        let entity = "Content-Type: text/calendar; method=REQUEST; charset=utf-8\r\n\r\n\(calendar)\r\n"
        let armor = try keyring.run(
            ["gpg", "--batch", "--trust-model", "always", "--armor", "--recipient", "ana@example.org", "--encrypt"],
            input: Data(entity.utf8))
        let whole = try encrypted("x")
        let begin = try #require(whole.range(of: "-----BEGIN PGP MESSAGE-----")).lowerBound
        let end = try #require(whole.range(of: "-----END PGP MESSAGE-----")).upperBound
        try maildir.deliver(whole.replacingCharacters(in: begin..<end, with: String(decoding: armor, as: UTF8.self)))
        let id = try id()
        #expect(try home.perform("mail", "read", id).output.contains("Secret meeting"))
        let answered = try home.perform("cal", "rsvp", id, "accept")
        #expect(answered.status == 0, "\(answered.errors)")
        #expect(try home.perform("cal", "agenda", "2026-11-25").output.contains("Secret meeting"))
    }

    @Test func agentsDoNotDecrypt() throws {
        try maildir.deliver(try encrypted("The zebra is hidden."))
        let id = try id()
        let shown = try home.perform("--as", "read-only", "mail", "read", id, "--json")
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(!shown.output.contains("zebra"))
        #expect(shown.output.contains("does not decrypt mail"))
    }

    @Test func sendersAreCheckedByTheOwnServerOnly() throws {
        func deliver(_ id: String, _ from: String, _ headers: String...) throws -> [String: Any] {
            try maildir.deliver(mail(id, id: "\(id)@x", from: from, headers: headers))
            let message = try self.id("subject:\(id)")
            return try #require(
                try home.perform("mail", "read", message, "--json").items().first?["sender_check"] as? [String: Any])
        }
        let pass =
            "Authentication-Results: mx.example.org; dkim=pass header.d=bank.example; dmarc=pass header.from=bank.example"
        var check = try deliver("one", "Bank <info@bank.example>", pass)
        #expect(check["unknown_server"] as? String == "mx.example.org" && check["passes"] == nil)
        try home.perform("config", "set", "mail.authserv-id", "mx.example.org")
        check = try deliver("two", "Bank <info@bank.example>", pass)
        #expect(check["passes"] as? Bool == true)
        // The sender's own header stands below the line of the server that received it.
        check = try deliver(
            "three", "Bank <info@bank.example>",
            "Authentication-Results: mx.example.org; dmarc=fail header.from=bank.example",
            "Received: from x by mx.example.org; Mon, 16 Nov 2026 10:00:00 +0000", pass)
        #expect(check["passes"] as? Bool == false)
        check = try deliver("four", "\"ana@example.org\" <x@evil.example>")
        #expect(
            (check["warnings"] as? [String])?.contains { $0.contains("The name of the sender is another address") }
                == true)
        try home.perform("contacts", "add", "Bo Berg", "--email", "bo@paypal.example")
        for domain in ["paypa1.example", "xn--pypal-4ve.example", "paypaal.example"] {
            check = try deliver("five-\(domain)", "Bo <bo@\(domain)>")
            #expect(
                (check["warnings"] as? [String])?.contains { $0.contains("is not paypal.example, but looks like it") }
                    == true, "\(domain): \(check)")
        }
        check = try deliver("six", "Bo Berg <bo@elsewhere.example>")
        #expect(
            (check["warnings"] as? [String])?.contains { $0.contains("with another address: bo@paypal.example") }
                == true)
        check = try deliver("seven", "Bo Berg <bo@paypal.example>")
        #expect(check["known"] as? Bool == true && check["warnings"] as? [String] == [])
    }

    /// One is known to whom one wrote once, however many others have the same word before the '@'.
    @Test func peopleAreKnownByTheWholeAddress() throws {
        try maildir.make(".Sent")
        for index in 0..<210 {
            let to = index == 0 ? "info@first.example" : "info@other\(index).example"
            let clock = String(format: "%02d:%02d", index / 60 + 10, index % 60)
            try maildir.deliver(
                mail(
                    "Sent \(index)", id: "s\(index)@x", from: "me@example.org", to: to,
                    date: "Tue, 17 Nov 2026 \(clock):00 +0100"), to: ".Sent", flags: "S")
        }
        for (domain, isKnown) in [("first.example", true), ("other9.example", true), ("stranger.example", false)] {
            try maildir.deliver(mail("From \(domain)", id: "\(domain)@x", from: "info@\(domain)"))
            let item = try #require(
                try home.perform("mail", "read", id("subject:\"From \(domain)\""), "--json").items().first)
            #expect((item["sender_check"] as? [String: Any])?["known"] as? Bool == isKnown, "\(domain)")
        }
    }
}
