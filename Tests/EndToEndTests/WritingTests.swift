import Foundation
import TestSupport
import Testing

/// Writing mail: what leaves is what was meant.
@Suite struct WritingTests {
    @Test func whatIsWrittenIsReadTheSameByPythonAndNotmuch() throws {
        let home = try HelixHome.writing()
        let cases: [(subject: String, name: String, body: String)] = [
            ("Hello", "Ana Rossi", "Short.\n"),
            ("Pläne für das Haus – die zweite, sehr lange Fassung mit Umbruch", "Ana Ñ", "Grüße\n"),
            ("日本語の件名はとても長いので何行にもわたって書かれることになります", "山田太郎", "本文です。\n二行目\n"),
            ("=?UTF-8?Q?not_encoded?=", "Rossi, Ana", "=?x\n"), ("Привет, мир и все остальные люди", "Пётр", "Текст\n"),
            ("🙂 emoji 🇮🇹 and ASCII", "O'Neil \"Bo\" (x)", "🙂\n\n\n🙂\n"),
            ("", "A", "From the start\n.\n..\n\tTab and end \n"),
            (
                "a  b", "Very Long Name That Goes On And On And On And On And On And On And On",
                String(repeating: "word ", count: 400) + "\n"
            ),
        ]
        let data = try home.write(String(repeating: "\u{0}\u{1}ünï\r\n", count: 900), to: "größe & co.bin")
        for (place, one) in cases.enumerated() {
            let quoted = one.name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            let sent = try home.run(
                [
                    "mail", "new", "--to", "\"\(quoted)\" <a\(place)@example.org>, b@example.org", "--cc",
                    "c@example.org",
                ]
                    + ["-s", one.subject, "--body", "-", "--attach", data] + (place % 2 == 0 ? ["--markdown"] : []),
                input: one.body)
            try #require(sent.status == 0, "\(sent.errors)")
        }
        let read = try home.readByOthers()
        let waiting = try home.run("outbox", "list", "--json").items()
        #expect(waiting.count == cases.count)
        for (place, one) in cases.enumerated() {
            let item = try #require(
                waiting.first { ($0["recipients"] as? [String])?.first?.contains("a\(place)@") == true })
            let message = try #require(read[item["message_id"] as? String ?? ""])
            let notmuch = try #require(message["notmuch"] as? [String: Any])
            #expect(message["defects"] as? [String] == [], "\(message["defects"] ?? "")")
            #expect(message["longest"] as? Int ?? 999 <= 78 && message["seven_bit"] as? Bool == true)
            #expect(message["date"] as? String == "2026-11-18T10:20:00+01:00")
            #expect(message["subject"] as? String == one.subject && notmuch["subject"] as? String == one.subject)
            #expect(message["from"] as? [[String]] == [["Zoë Müller", "me@example.org"]])
            #expect(message["to"] as? [[String]] == [[one.name, "a\(place)@example.org"], ["", "b@example.org"]])
            #expect((notmuch["to"] as? String)?.contains("a\(place)@example.org") == true)
            #expect(message["text"] as? String == one.body && notmuch["text"] as? String == one.body)
            let attached = try #require((message["attachments"] as? [[String]])?.first)
            #expect(attached[0] == "größe & co.bin" && attached[1] == "application/octet-stream")
            let hash = try home.run(program: "/usr/bin/env", ["sha256sum", data]).output.prefix(64)
            #expect(attached[2] == hash, "the bytes are the same")
            if place % 2 == 0 {
                #expect((message["html"] as? String)?.hasPrefix("<!DOCTYPE html>") == true && notmuch["html"] != nil)
            }
        }
        // And helix itself.
        let maildir = home.folder.path + "/Read"
        try home.run("account", "add", "read", "maildir", maildir)
        let subjects = Set(try home.run("mail", "list", "--json").items().compactMap { $0["subject"] as? String })
        #expect(subjects == Set(cases.map(\.subject)))
    }

    static let list = "List-Id: <l.example.org>\nList-Post: <mailto:list@example.org>\n"

    /// Whom an answer goes to.
    struct Answer: Sendable {
        let headers: String
        let command: [String]
        let to: [String]
        let cc: [String]

        init(_ headers: String, _ command: [String], to: [String], cc: [String] = []) {
            (self.headers, self.command, self.to, self.cc) = (headers, command, to, cc)
        }
    }

    private static let answers: [Answer] = [
        Answer("From: Ana <ana@x.org>\nTo: me@example.org\n", ["reply"], to: ["ana@x.org"]),
        Answer("From: Ana <ana@x.org>\nReply-To: office@x.org\nTo: me@example.org\n", ["reply"], to: ["office@x.org"]),
        Answer(
            "From: Ana <ana@x.org>\nTo: me@example.org, Bo <bo@x.org>\nCc: ME@work.example, c@x.org, bo@x.org\n",
            ["reply-all"], to: ["ana@x.org"], cc: ["bo@x.org", "c@x.org"]),
        // To oneself nobody answers: it goes to whom it went.
        Answer("From: me@work.example\nTo: Ana <ana@x.org>\nCc: c@x.org\n", ["reply"], to: ["ana@x.org"]),
        Answer(
            "From: me@work.example\nTo: Ana <ana@x.org>\nCc: c@x.org\n", ["reply-all"], to: ["ana@x.org"],
            cc: ["c@x.org"]),
        Answer("From: me@example.org\nTo: me@example.org\n", ["reply"], to: ["me@example.org"]),
        // Lists.
        Answer("From: Ana <ana@x.org>\nTo: list@example.org\n\(list)", ["reply"], to: ["ana@x.org"]),
        Answer(
            "From: Ana <ana@x.org>\nTo: list@example.org\nReply-To: list@example.org\n\(list)", ["reply"],
            to: ["ana@x.org"]),
        Answer(
            "From: Ana <ana@x.org>\nTo: list@example.org\nReply-To: list@example.org\n\(list)", ["reply", "--list"],
            to: ["list@example.org"]),
        Answer(
            "From: Ana <ana@x.org>\nTo: list@example.org\n\(list)", ["reply-all"], to: ["ana@x.org"],
            cc: ["list@example.org"]),
        Answer(
            "From: Ana <ana@x.org>\nTo: list@example.org\nMail-Followup-To: list@example.org, d@x.org\n\(list)",
            ["reply-all"], to: ["list@example.org", "d@x.org"]),
    ]

    @Test(arguments: answers)
    func anAnswerGoesToWhomItShould(answer: Answer) throws {
        let home = try HelixHome.writing()
        let maildir = try TestMaildir(home)
        try maildir.deliver(
            answer.headers + "Subject: Plans\nMessage-ID: <a@x>\nDate: Tue, 17 Nov 2026 17:03:00 +0100\n\nText\n")
        try home.run("account", "add", "home", "maildir", maildir.path)
        let id = try #require(try HelixHome.ids(home.run("mail", "list", "--json")).first)
        let sent = try home.run(["mail"] + answer.command + [id, "--body", "Yes"])
        #expect(sent.status == 0, "\(sent.errors)")
        let message = try #require(try home.readByOthers().values.first)
        #expect((message["to"] as? [[String]])?.map { $0[1] } == answer.to)
        #expect((message["cc"] as? [[String]])?.map { $0[1] } == answer.cc)
        #expect(message["subject"] as? String == "Re: Plans")
        #expect(message["in_reply_to"] as? String == "<a@x>" && message["references"] as? String == "<a@x>")
        #expect((message["text"] as? String)?.hasSuffix("> Text\n") == true)
        #expect((message["text"] as? String)?.hasPrefix("Yes\n\nOn Tue 17 Nov 2026 at 17:03, ") == true)
    }

    @Test func anAnswerJoinsItsConversationAndMarksWhatItAnswers() throws {
        let home = try HelixHome.writing()
        let maildir = try TestMaildir(home)
        try maildir.deliver(
            "From: Ana <ana@x.org>\nTo: me@work.example\nSubject: AW: Re: [house] Plans\nMessage-ID: <c@x>\nReferences: <a@x> <b@x>\n"
                + "Date: Tue, 17 Nov 2026 17:03:00 +0100\n\n> older\nA line that is so long that it has to be broken before it "
                + "can be quoted, for nobody reads lines without an end.\n\n-- \nAna's signature\n")
        try home.run("account", "add", "home", "maildir", maildir.path)
        let id = try #require(try HelixHome.ids(home.run("mail", "list", "--json")).first)
        try home.run("mail", "reply", id, "--body", "Yes")
        let message = try #require(try home.readByOthers().values.first)
        #expect(message["subject"] as? String == "Re: [house] Plans")
        #expect(message["references"] as? String == "<a@x> <b@x> <c@x>")
        #expect(message["from"] as? [[String]] == [["Zoë Müller", "me@work.example"]], "the address that it came to")
        let text = try #require(message["text"] as? String)
        #expect(text.contains("\n>> older\n") && !text.contains("signature"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 78 })
        #expect(try maildir.files().first?.hasSuffix(":2,R") == true, "other programs see that it is answered")
        #expect(try home.run("undo").status == 0)
        #expect(try maildir.files().first?.contains("R") == false)
        #expect(try home.run("outbox", "list", "--json").items().isEmpty)
    }

    @Test func whatIsSentOnTakesItsAttachmentsAlong() throws {
        let home = try HelixHome.writing()
        let maildir = try TestMaildir(home)
        try maildir.deliver(
            """
            From: Ana <ana@x.org>
            To: me@example.org
            Subject: Plan
            Message-ID: <c@x>
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary=b

            --b

            See the plan.
            --b
            Content-Type: application/pdf
            Content-Disposition: attachment; filename="pl an.pdf"
            Content-Transfer-Encoding: base64

            UERG
            --b--

            """)
        try home.run("account", "add", "home", "maildir", maildir.path)
        let id = try #require(try HelixHome.ids(home.run("mail", "list", "--json")).first)
        try home.run("mail", "forward", id, "--to", "bo@x.org", "--body", "For you")
        try home.run("mail", "forward", id, "--to", "c@x.org", "--body", "Whole", "--as-attachment")
        let messages = try home.readByOthers().values
        let quoted = try #require(messages.first { ($0["text"] as? String)?.hasPrefix("For you") == true })
        #expect(quoted["subject"] as? String == "Fwd: Plan" && quoted["in_reply_to"] is NSNull)
        #expect((quoted["text"] as? String)?.contains("From: Ana <ana@x.org>\n") == true)
        #expect((quoted["text"] as? String)?.contains("See the plan.") == true)
        #expect((quoted["attachments"] as? [[String]])?.first?.prefix(2) == ["pl an.pdf", "application/pdf"])
        let whole = try #require(messages.first { ($0["text"] as? String)?.hasPrefix("Whole") == true })
        #expect((whole["attachments"] as? [[String]])?.first == ["Plan.eml", "message/rfc822", "Plan"])
        #expect(try maildir.files().first?.hasSuffix(":2,P") == true)
    }

    private static let wrong: [(options: [String], status: Int32)] = [
        (["--to", "ana"], 64),
        (["--to", "ana@"], 64),
        (["--to", "@example.org"], 64),
        (["--to", "a b@example.org"], 64),
        (["--to", "a@example.org", "--attach", "/nonexistent"], 66),
        (["--to", "a@example.org", "--attach", "/tmp"], 64),
        ([], 64),
        (["--to", "a@example.org", "--at", "yesterday"], 64),
        (["--to", "a@example.org", "--at", "whenever"], 64),
        (["--to", "a@example.org", "--from", "x@y.z, z@y.x"], 64),
        (["--to", "a@example.org", "--send", "--draft"], 64),
        (["--to", "a@example.org", "--signature"], 78),
        (["--to", "a@example.org", "--account", "none"], 66),
        (["--to", "a@example.org\nBcc: eve@example.org"], 64),
    ]

    @Test(arguments: wrong)
    func whatCannotBeIsSaid(options: [String], status: Int32) throws {
        let home = try HelixHome.writing()
        let result = try home.run(["mail", "new", "-s", "Hello", "--body", "Text"] + options)
        #expect(result.status == status, "\(result.output)\(result.errors)")
        #expect(try home.run("outbox", "list", "--json").items().isEmpty)
    }

    @Test func theSignatureStandsUnderWhatIsWritten() throws {
        let home = try HelixHome.writing()
        try home.write("Zoë\n+39 06\n", to: ".signature")
        try home.run("mail", "new", "--to", "a@example.org", "-s", "x", "-b", "Text", "--signature")
        try home.run("config", "set", "mail.sign", "true")
        try home.run("mail", "new", "--to", "b@example.org", "-s", "x", "-b", "Text")
        try home.run("mail", "new", "--to", "c@example.org", "-s", "x", "-b", "Text", "--no-signature")
        let texts = try home.readByOthers().values.compactMap { $0["text"] as? String }.sorted()
        #expect(texts == ["Text\n", "Text\n\n-- \nZoë\n+39 06\n", "Text\n\n-- \nZoë\n+39 06\n"])
    }

    @Test(arguments: [
        "a@b.c:d@e.f", "a@b@c", "a@b.c/d@e.f", "bob, ana <a@b.example>", "a@b.c>, q@r.s", "a@b.c foo", "a b <>",
        "<a@b.c> x",
        "\"a@b.c", "ü\u{202E}ser@example.org", "a@-b.c", "a@b..c", "a@b.c.", String(repeating: "a", count: 65) + "@b.c",
    ])
    func whatIsNotUnderstoodOfAnAddressIsNeverLeftOut(typed: String) throws {
        let home = try HelixHome.writing()
        let sent = try home.run("mail", "new", "--to", typed, "-s", "x", "-b", "y")
        #expect(sent.status == 64 && sent.errors.contains("address"), "\(sent.output)\(sent.errors)")
    }

    @Test func addressesArePartedAsPeopleDo() throws {
        let home = try HelixHome.writing()
        let sent = try home.run(
            "mail", "new", "--to", "a@b.c; d@e.f", "--cc", "Bo <bo@exämple.de>, \"x y\"@z.org",
            "-s", "x", "-b", "y", "--json")
        #expect(
            try sent.items().first?["recipients"] as? [String]
                == ["a@b.c", "d@e.f", "Bo <bo@xn--exmple-cua.de>", "\"x y\"@z.org"], "\(sent.errors)")
    }

    @Test func markdownLeavesNoWordsOut() throws {
        let home = try HelixHome.writing()
        let (_, id) = try home.account(
            "From: Ana <ana@x.org>\nTo: me@example.org\nSubject: Plans\nMessage-ID: <a@x>\nContent-Type: text/plain; charset=utf-8\n\n"
                + "# no heading\n<div> tags\nline a\nline b\n> older\n")
        try home.run("mail", "reply", id, "--markdown", "-b", "**Yes**, a<b and vector<int>\n\n<b>bold?</b>")
        try home.run("mail", "forward", id, "--to", "bo@x.org", "--markdown", "-b", "*See*")
        let messages = try home.readByOthers().values.compactMap { $0["html"] as? String }.sorted {
            $0.count > $1.count
        }
        let reply = try #require(messages.first { $0.contains("Yes") })
        #expect(reply.contains("<strong>Yes</strong>, a&lt;b and vector&lt;int&gt;"))
        #expect(reply.contains("&lt;b&gt;bold?&lt;/b&gt;") && !reply.contains("omitted") && !reply.contains("<h1>"))
        #expect(reply.contains("# no heading<br>\n&lt;div&gt; tags<br>\nline a<br>\nline b</p>"))
        #expect(reply.contains("<blockquote>\n<p>older</p>"))
        let forward = try #require(messages.first { $0.contains("Forwarded") })
        #expect(forward.contains("Subject: Plans<br>\nTo: me@example.org<br>"))
    }

    @Test func whatIsNoTextIsRefused() throws {
        let home = try HelixHome.writing()
        let latin = home.folder.path + "/latin"
        try Data([0x63, 0xE9, 0x0A]).write(to: URL(fileURLWithPath: latin))
        let sent = try home.run(
            program: "/bin/sh",
            ["-c", "\"$0\" mail new --to a@example.org -s x -b - < \"$1\"", HelixHome.binary.path, latin])
        #expect(sent.status == 65 && sent.errors.contains("UTF-8"))
    }

    @Test func onesOwnAddressesAreAddresses() throws {
        let home = try HelixHome.writing()
        #expect(try home.run("config", "set", "user.email", "garbage").status == 64)
        #expect(try home.run("config", "set", "user.email", "me@example.org, me@work.example").status == 0)
        let (_, id) = try home.account(
            "From: Ana <ana@x.org>\nTo: me@work.example, me@example.org\nSubject: Plans\nMessage-ID: <a@x>\n\nx\n"
        )
        let sent = try home.run("mail", "reply-all", id, "-b", "Yes", "--json")
        #expect(try sent.items().first?["recipients"] as? [String] == ["Ana <ana@x.org>"])
    }

    @Test func theForwardedHeadCannotBeForged() throws {
        let home = try HelixHome.writing()
        let (_, id) = try home.account(
            "From: bad\u{1B}[31m <bad@x.org>\nTo: me@example.org\nSubject: =?utf-8?Q?hello=0D=0ABcc:_victim@example.org?=\n"
                + "Message-ID: <a@x>\n\nx\n")
        try home.run("mail", "forward", id, "--to", "bo@x.org", "-b", "See")
        let text = try #require(try home.readByOthers().values.first?["text"] as? String)
        #expect(text.contains("Subject: hello  Bcc: victim") || text.contains("Subject: hello Bcc: victim"), "\(text)")
        #expect(text.contains("<bad@x.org>") && !text.contains("\u{1B}"))
    }
}
