import Foundation
import HelixModel
import TestSupport
import Testing

/// Sent messages that wait for an answer, messages that are sent on, and templates.
@Suite struct FollowUpTests {
    var home: HelixHome
    let maildir: TestMaildir

    init() throws {
        home = try HelixHome(now: "2026-11-18T10:20:00", zone: "Europe/Rome")
        maildir = try TestMaildir(home)
        try maildir.make(".Sent")
        try maildir.deliver(mail("Plans", id: "plans@x"))
        try maildir.deliver(
            mail("Offer", id: "offer@x", from: "Me <me@example.org>", to: "Bo <bo@example.org>"), to: ".Sent",
            flags: "S")
        try home.perform("config", "set", "user.email", "me@example.org")
        try home.perform("config", "set", "user.name", "Ida Me")
        // A program that takes mail, and keeps it.
        let program = home.folder.appendingPathComponent("sendmail")
        try Data("#!/bin/sh\ncat > '\(home.folder.path)/sent.eml'\n".utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        try home.perform("account", "add", "home", "maildir", maildir.path)
        try home.perform("account", "edit", "home", "--address", "me@example.org", "--sendmail", program.path)
    }

    private func id(_ subject: String) throws -> String {
        try #require(try home.perform("mail", "list", "subject:\(subject)", "--json").items().first?["id"] as? String)
    }

    private func lines(_ words: String...) throws -> [String] {
        try home.perform(words).output.split(separator: "\n").map(String.init)
    }

    @Test mutating func aMessageWithoutAnAnswerComesToTheTop() throws {
        let id = try id("Offer")
        let marked = try home.perform("mail", "follow-up", id, "3d")
        #expect(marked.output.contains("(follow-up Sat 10:20)"), "\(marked)")
        #expect(try lines("mail", "inbox").count == 1)
        #expect(try lines("mail", "list", "is:awaiting").count == 1)
        home.environment["HELIX_NOW"] = "2026-11-21T10:19:00"
        #expect(try lines("mail", "inbox").count == 1)
        home.environment["HELIX_NOW"] = "2026-11-21T10:20:00"
        let inbox = try lines("mail", "inbox")
        #expect(inbox.count == 2 && inbox[0].contains("Offer") && inbox[0].contains("follow-up was 10:20"), "\(inbox)")
        // A report about its delivery is no answer.
        try maildir.deliver(
            mail(
                "Undelivered", id: "report@x", from: "MAILER-DAEMON@example.org",
                headers: [
                    "References: <offer@x>", "MIME-Version: 1.0",
                    "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
                ], body: "--b\n\ntext\n--b\nContent-Type: message/delivery-status\n\nAction: failed\n\n--b--\n"))
        #expect(try lines("mail", "inbox")[0].contains("Offer"))
        try maildir.deliver(
            mail("Re: Offer", id: "re@x", from: "Bo <bo@example.org>", headers: ["In-Reply-To: <offer@x>"]))
        #expect(try lines("mail", "inbox").allSatisfy { !$0.contains("Offer") || $0.contains("Re:") })
        #expect(try lines("mail", "list", "is:awaiting").first?.contains("No messages") ?? true)
        #expect(try home.perform("mail", "follow-up", id, "2d").errors.contains("answered it already"))
    }

    @Test func aFollowUpIsRefusedAndTakenBack() throws {
        let id = try id("Offer")
        for words in [["yesterday"], ["nonsense"], ["0d"], []] {
            let refused = try home.perform(["mail", "follow-up", id] + words)
            #expect(refused.status == 64, "\(words): \(refused)")
        }
        let others = try home.perform("mail", "follow-up", try self.id("Plans"), "3d")
        #expect(others.status == 64 && others.errors.contains("mail snooze"), "\(others)")
        try home.perform("mail", "follow-up", id, "fri")
        try home.perform("mail", "follow-up", id, "mon", "8:00")
        let item = try home.perform("mail", "read", id, "--json").items().first
        #expect(item?["labels"] as? [String] == ["follow-up-20261123T0700Z"])
        try home.perform("mail", "follow-up", id, "off")
        #expect(try home.perform("mail", "list", "is:awaiting", "--json").items().isEmpty)
    }

    @Test mutating func aSentMessageIsFollowedUp() throws {
        try home.perform(
            "mail", "new", "--to", "bo@example.org", "-s", "Question", "-b", "When?", "--remind-if-no-answer", "2d")
        let queued = try home.perform("outbox", "list", "--json").items().first
        #expect(queued?["follow_up"] as? String == "2026-11-20T10:20:00+01:00", "\(String(describing: queued))")
        home.environment["HELIX_NOW"] = "2026-11-18T10:30:00"
        #expect(try home.perform("sync").status == 0)
        let sent = try home.perform("mail", "list", "subject:question", "--json").items()
        #expect(sent.count == 1 && sent[0]["labels"] as? [String] == ["follow-up-20261120T0920Z"], "\(sent)")
        home.environment["HELIX_NOW"] = "2026-11-20T10:21:00"
        #expect(try lines("mail", "inbox")[0].contains("Question"))
        try home.perform("watch", "--once", "--jsonl")
        let draft = try home.perform("mail", "new", "--to", "bo@x.example", "--draft", "--remind-if-no-answer", "2d")
        #expect(draft.status == 64)
    }

    @Test mutating func watchTellsOfIt() throws {
        try home.perform("watch", "--once", "--jsonl")
        try home.perform("mail", "follow-up", try id("Offer"), "1d")
        home.environment["HELIX_NOW"] = "2026-11-19T10:21:00"
        let told = try home.perform("watch", "--once", "--jsonl").output
        #expect(told.contains("No answer: Offer"), "\(told)")
        #expect(try home.perform("watch", "--once", "--jsonl").output.isEmpty)
    }

    @Test mutating func aMessageIsSentOnUnchanged() throws {
        let original = mail(
            "Contract", id: "c@x", headers: ["Bcc: hidden@example.org", "X-Own: 1"], body: "Text\n.\n-- \nAna\n")
        try maildir.deliver(original)
        let id = try id("Contract")
        let queued = try home.perform("mail", "bounce", id, "--to", "Bo <bo@example.org>, cy@example.org")
        #expect(queued.status == 0 && queued.output.contains("Contract"), "\(queued)")
        let outgoing = try #require(try home.perform("outbox", "list", "--json").items().first?["id"] as? String)
        #expect(try home.perform("outbox", "cancel", outgoing).status == 64)
        #expect(try home.perform("outbox", "edit", outgoing, "--subject", "x").status == 64)
        #expect(try home.perform("outbox", "edit", outgoing, "--at", "in 1 minute").status == 0)
        home.environment["HELIX_NOW"] = "2026-11-18T10:30:00"
        #expect(try home.perform("sync").status == 0)
        let sent = try String(contentsOf: home.folder.appendingPathComponent("sent.eml"), encoding: .utf8)
            .replacingOccurrences(of: "\r\n", with: "\n")
        let head = sent.prefix(while: { _ in true }).components(separatedBy: "\nFrom: ")[0]
        #expect(head.hasPrefix("Resent-Date: Wed, 18 Nov 2026 10:20:"), "\(head)")
        #expect(
            head.contains("\nResent-From: Ida Me <me@example.org>\nResent-To: Bo <bo@example.org>, cy@example.org\n"))
        #expect(head.contains("\nResent-Message-ID: <"))
        #expect(sent.hasSuffix(original.replacingOccurrences(of: "Bcc: hidden@example.org\n", with: "")), "\(sent)")
        #expect(try home.perform("mail", "bounce", id, "--to", "nobody at all").status == 64)
    }

    @Test func anAttachedMessageIsSentOnce() throws {
        let inner = mail("Inner", id: "inner@x", body: "innerbody\n")
        try maildir.deliver(
            mail(
                "Outer", id: "outer@x", headers: ["MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=b"],
                body:
                    "--b\n\nsee\n--b\nContent-Type: message/rfc822\nContent-Disposition: attachment; filename=\"message.eml\"\n\n"
                    + inner + "\n--b--\n"))
        let id = try id("Outer")
        for command in [["resend", id, "--send"], ["forward", id, "-b", "fyi"]] {
            let queued = try home.perform(["mail"] + command + ["--to", "bo@example.org", "--json"])
            let item = try #require(queued.items().first?["id"] as? String)
            let file = try home.perform("outbox", "show", item).output
            #expect(file.components(separatedBy: "innerbody").count <= 2, "\(command): \(file)")
        }
    }

    @Test func messagesBeginWithTemplates() throws {
        #expect(try home.perform("mail", "templates").output.contains("No templates"))
        let settings = try home.perform("config", "path").output.trimmingCharacters(in: .newlines)
        let folder = URL(fileURLWithPath: settings).deletingLastPathComponent().appendingPathComponent("templates")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("Subject: Offer for {name}\nCc: cy@example.org\n\nDear {first},\nas of {date}.\n{me}\n".utf8)
            .write(to: folder.appendingPathComponent("offer.txt"))
        try Data("Thank you: it came.\n".utf8).write(to: folder.appendingPathComponent("thanks.txt"))
        #expect(
            try home.perform("mail", "templates", "--json").items().compactMap { $0["name"] as? String } == [
                "offer", "thanks",
            ])
        let made = try home.perform(
            "mail", "new", "--template", "offer", "--to", "Bo Berg <bo@example.org>", "--send", "--json")
        #expect(made.status == 0, "\(made)")
        let shown = try home.perform("outbox", "show", try #require(made.items().first?["id"] as? String), "--json")
            .items().first
        #expect(shown?["subject"] as? String == "Offer for Bo Berg")
        #expect(shown?["recipients"] as? [String] == ["Bo Berg <bo@example.org>", "cy@example.org"])
        #expect(
            (shown?["text"] as? String)?.contains("Dear Bo,\nas of Wed 18 Nov 2026.\nIda Me") ?? false,
            "\(String(describing: shown))")
        let open = try home.perform("mail", "new", "--template", "offer", "--to", "bo@example.org", "--send")
        #expect(open.status == 65 && open.errors.contains("{name}") || open.errors.contains("{first}"), "\(open)")
        let unknown = try home.perform("mail", "new", "--template", "none", "--to", "bo@example.org", "--send")
        #expect(unknown.status == 66 && unknown.errors.contains("offer, thanks"), "\(unknown)")
        let reply = try home.perform("mail", "reply", try id("Plans"), "--template", "thanks", "--send", "--json")
        let text = try home.perform("outbox", "show", try #require(reply.items().first?["id"] as? String)).output
        #expect(text.contains("Thank you: it came."), "\(text)")
    }

    @Test func aMessageInTwoPlacesIsListedOnce() throws {
        try maildir.deliver(mail("Plans", id: "plans@x"), to: ".Sent")
        try maildir.make(".Team")
        try maildir.deliver(mail("Plans", id: "plans@x"), to: ".Team")
        let lines = try lines("mail", "list", "subject:plans")
        #expect(lines.count == 1 && lines[0].contains("(also in "), "\(lines)")
        #expect(try home.perform("mail", "list", "subject:plans", "--json").items().count == 3)
        #expect(try home.perform("mail", "search", "subject:plans", "--count").output == "3\n")
        // Another message with the same Message-ID is another message.
        try maildir.deliver(mail("Plans are off", id: "plans@x", from: "Eve <eve@x.example>"))
        #expect(try self.lines("mail", "list", "subject:plans").count == 2)
    }

    @Test func aForgottenAttachmentIsTold() throws {
        let told = try home.perform("mail", "new", "--to", "bo@example.org", "-s", "Report", "-b", "It is attached.")
        #expect(told.status == 0 && told.errors.contains("mentions an attachment"), "\(told)")
    }
}
