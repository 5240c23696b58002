import Foundation
import TestSupport
import Testing

/// Writing mail: what leaves is what was meant, and nothing that was written is lost.
@Suite struct WritingTests {
    private func home() throws -> HelixHome {
        let home = try HelixHome()
        try home.write(
            "[user]\nemail = [\"me@example.org\", \"me@work.example\"]\nname = \"Zoë Müller\"\n", to: "config")
        try FileManager.default.createDirectory(
            atPath: home.folder.path + "/home", withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: home.folder.path + "/config", toPath: home.folder.path + "/home/config.toml")
        return home
    }

    /// An editor that does what a shell script says with the file `$1`.
    private func editor(_ home: HelixHome, _ script: String) throws {
        let path = try home.write("#!/bin/bash\n" + script + "\n", to: "editor.sh")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        home.environment["EDITOR"] = path
    }

    private func ids(_ result: HelixHome.Result) throws -> [String] {
        try result.items().compactMap { $0["id"] as? String }
    }

    /// The bytes of what waits, each as a file of a Maildir; and what other programs read in them, by Message-ID.
    private func readByOthers(_ home: HelixHome) throws -> [String: [String: Any]] {
        let maildir = try TestMaildir(home, name: "Read")
        for id in try ids(home.run("outbox", "list", "--json")) {
            try maildir.deliver(home.run("outbox", "show", id, "--raw").output, flags: "S")
        }
        let script = Corpora.packageDirectory.appendingPathComponent("Tests/Oracles/read_mail.py").path
        let read = try home.run(program: "/usr/bin/env", ["python3", script, maildir.path])
        try #require(read.status == 0, "\(read.errors)")
        var found: [String: [String: Any]] = [:]
        for line in read.output.split(separator: "\n") {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            found[object["id"] as? String ?? ""] = object
        }
        return found
    }

    @Test func whatIsWrittenIsReadTheSameByPythonAndNotmuch() throws {
        let home = try home()
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
        let read = try readByOthers(home)
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
        let home = try home()
        let maildir = try TestMaildir(home)
        try maildir.deliver(
            answer.headers + "Subject: Plans\nMessage-ID: <a@x>\nDate: Tue, 17 Nov 2026 17:03:00 +0100\n\nText\n")
        try home.run("account", "add", "home", "maildir", maildir.path)
        let id = try #require(try ids(home.run("mail", "list", "--json")).first)
        let sent = try home.run(["mail"] + answer.command + [id, "--body", "Yes"])
        #expect(sent.status == 0, "\(sent.errors)")
        let message = try #require(try readByOthers(home).values.first)
        #expect((message["to"] as? [[String]])?.map { $0[1] } == answer.to)
        #expect((message["cc"] as? [[String]])?.map { $0[1] } == answer.cc)
        #expect(message["subject"] as? String == "Re: Plans")
        #expect(message["in_reply_to"] as? String == "<a@x>" && message["references"] as? String == "<a@x>")
        #expect((message["text"] as? String)?.hasSuffix("> Text\n") == true)
        #expect((message["text"] as? String)?.hasPrefix("Yes\n\nOn Tue 17 Nov 2026 at 17:03, ") == true)
    }

    @Test func anAnswerJoinsItsConversationAndMarksWhatItAnswers() throws {
        let home = try home()
        let maildir = try TestMaildir(home)
        try maildir.deliver(
            "From: Ana <ana@x.org>\nTo: me@work.example\nSubject: AW: Re: [house] Plans\nMessage-ID: <c@x>\nReferences: <a@x> <b@x>\n"
                + "Date: Tue, 17 Nov 2026 17:03:00 +0100\n\n> older\nA line that is so long that it has to be broken before it "
                + "can be quoted, for nobody reads lines without an end.\n\n-- \nAna's signature\n")
        try home.run("account", "add", "home", "maildir", maildir.path)
        let id = try #require(try ids(home.run("mail", "list", "--json")).first)
        try home.run("mail", "reply", id, "--body", "Yes")
        let message = try #require(try readByOthers(home).values.first)
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
        let home = try home()
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
        let id = try #require(try ids(home.run("mail", "list", "--json")).first)
        try home.run("mail", "forward", id, "--to", "bo@x.org", "--body", "For you")
        try home.run("mail", "forward", id, "--to", "c@x.org", "--body", "Whole", "--as-attachment")
        let messages = try readByOthers(home).values
        let quoted = try #require(messages.first { ($0["text"] as? String)?.hasPrefix("For you") == true })
        #expect(quoted["subject"] as? String == "Fwd: Plan" && quoted["in_reply_to"] is NSNull)
        #expect((quoted["text"] as? String)?.contains("From: Ana <ana@x.org>\n") == true)
        #expect((quoted["text"] as? String)?.contains("See the plan.") == true)
        #expect((quoted["attachments"] as? [[String]])?.first?.prefix(2) == ["pl an.pdf", "application/pdf"])
        let whole = try #require(messages.first { ($0["text"] as? String)?.hasPrefix("Whole") == true })
        #expect((whole["attachments"] as? [[String]])?.first == ["Plan.eml", "message/rfc822", "Plan"])
        #expect(try maildir.files().first?.hasSuffix(":2,P") == true)
    }

    @Test func theEditorMakesADraftThatOtherProgramsSee() throws {
        let home = try home()
        let maildir = try TestMaildir(home)
        try home.run("account", "add", "home", "maildir", maildir.path)
        let plan = try home.write("plan", to: "plan.txt")
        try editor(
            home,
            "sed -i 's/^Subject:.*/Subject: By hand/; s#^Bcc:.*#&\\nAttach: \(plan)#' \"$1\"; echo 'Hello Ana' >> \"$1\""
        )
        let kept = try home.run("mail", "new", "--to", "ana@example.org", "--json")
        let draft = try #require(try kept.items().first)
        #expect(draft["subject"] as? String == "By hand" && draft["flags"] as? [String] == ["draft", "read"])
        #expect(draft["attachments"] as? [String] == ["plan.txt"])
        #expect(try maildir.files(".Drafts").first?.hasSuffix(":2,DS") == true)
        let id = try #require(draft["id"] as? String)

        // It goes on under the same id, each version can come back, and it takes what is attached along.
        try FileManager.default.removeItem(atPath: plan)
        try editor(home, "sed -i 's/^To:.*/To: bo@example.org/' \"$1\"; echo 'More' >> \"$1\"")
        #expect(try ids(home.run("mail", "edit", id, "--json")) == [id])
        func text() throws -> String {
            try home.run("mail", "read", id, "--json").items().first?["text"] as? String ?? ""
        }
        #expect(try text() == "Hello Ana\nMore")
        #expect(try maildir.files(".Drafts").count == 1)
        try home.run("undo")
        #expect(try text() == "Hello Ana")
        try home.run("redo")
        #expect(try text() == "Hello Ana\nMore")
        #expect(try home.run("mail", "search", "more", "--count").output == "1\n")

        #expect(try home.run("mail", "send", id).status == 0)
        #expect(try home.run("mail", "drafts", "--json").items().isEmpty && maildir.files(".Drafts").isEmpty)
        let message = try #require(try readByOthers(home).values.first)
        #expect((message["to"] as? [[String]])?.first?.last == "bo@example.org")
        #expect((message["attachments"] as? [[String]])?.first?.first == "plan.txt")
        try home.run("undo")
        #expect(try ids(home.run("mail", "drafts", "--json")) == [id])
        #expect(try home.run("mail", "discard", id).status == 0)
        #expect(try home.run("mail", "drafts", "--json").items().isEmpty)
        try home.run("undo")
        #expect(try text() == "Hello Ana\nMore")
        #expect(try home.run("doctor").status == 0)
    }

    @Test func anEditorThatWritesNothingLeavesNothing() throws {
        let home = try home()
        try editor(home, "true")
        let nothing = try home.run("mail", "new", "--to", "ana@example.org", "--body", "x", "--edit")
        #expect(nothing.status == 0 && nothing.errors.contains("Nothing was written"))
        try editor(home, "exit 1")
        #expect(try home.run("mail", "new").status == 78)
        home.environment["EDITOR"] = "/nonexistent/editor"
        #expect(try home.run("mail", "new").status == 78)
        #expect(try home.run("mail", "drafts", "--json").items().isEmpty)
        #expect(try home.run("history", "--json").items().count == 1, "the account alone")
    }

    @Test func whatWasBeingWrittenWhenHelixDiedIsFoundAgain() throws {
        let home = try home()
        // The editor writes, and takes helix with it; it goes on a while itself.
        try editor(
            home,
            """
            echo 'Long thoughts' >> "$1"
            # The test shall not wait for it.
            for file in /proc/$$/fd/*; do
                    case $(readlink "$file") in pipe:*|socket:*) eval "exec ${file##*/}>&-" ;; esac
            done
            kill -9 $(ps -o ppid= -p $PPID) $PPID
            sleep 4
            """)
        #expect(try home.run("mail", "new", "--to", "ana@example.org", "-s", "Thoughts").status == 128 + 9)
        let open = try home.run("mail", "drafts", "--json").items()
        #expect(open.isEmpty, "the editor is still open")
        Thread.sleep(forTimeInterval: 4.5)
        let found = try home.run("mail", "drafts")
        #expect(found.output.contains("Thoughts") && found.errors.contains("Found again"))
        let draft = try #require(try home.run("mail", "drafts", "--json").items().first)
        #expect(draft["snippet"] as? String == "Long thoughts")
        #expect(try home.run("mail", "drafts", "--json").items().count == 1, "once")
        #expect(try home.run("doctor").status == 0)
    }

    @Test func aHeadThatCannotBeReadIsKeptAndOpenedAgain() throws {
        let home = try home()
        try editor(home, "sed -i 's/^To:.*/To: nobody at all/' \"$1\"; echo 'Precious' >> \"$1\"")
        let wrong = try home.run("mail", "new", "-s", "Hello")
        #expect(wrong.status == 65 && wrong.errors.contains("line 2"))
        let id = try #require(wrong.errors.firstMatch(of: /mail edit ([0-9a-z]+)/)?.output.1)
        #expect(try home.run("mail", "drafts").errors.contains("mail edit"))
        #expect(try home.run("mail", "send", String(id)).status == 80)
        try editor(home, "grep -q Precious \"$1\" && sed -i 's/^To:.*/To: ana@example.org/' \"$1\"")
        let mended = try home.run("mail", "edit", String(id), "--json")
        #expect(try mended.items().first?["snippet"] as? String == "Precious", "\(mended.errors)")
        #expect(try home.run("mail", "drafts").errors.isEmpty)
    }

    @Test func theOutboxHoldsChangesAndGivesBack() throws {
        let home = try home()
        let sent = try home.run(
            "mail", "new", "--to", "ana@example.org", "--bcc", "hidden@example.org", "-s", "Plans", "-b", "*One*",
            "--markdown",
            "--at", "mon 8:00", "--json")
        let item = try #require(try sent.items().first)
        #expect(item["leaves_at"] as? String == "2026-11-23T08:00:00+01:00" && item["state"] as? String == "queued")
        #expect(try sent.json()["remarks"] as? [String] != nil, "nothing can send yet, and it is said")
        let id = try #require(item["id"] as? String)
        func one() throws -> [String: Any] { try home.run("outbox", "list", "--json").items().first ?? [:] }
        try home.run("outbox", "hold", id)
        #expect(try one()["state"] as? String == "held")
        try home.run("outbox", "retry", id)
        #expect(try one()["state"] as? String == "queued")
        #expect(try one()["leaves_at"] as? String == "2026-11-18T10:20:00+01:00")
        try home.run("undo")
        #expect(try one()["state"] as? String == "held")
        // By options, and in the editor.
        try home.run("outbox", "edit", id, "--subject", "Plans, again")
        try editor(home, "grep -q 'Bcc: hidden@' \"$1\" && grep -q 'Markdown: yes' \"$1\" && echo 'Two' >> \"$1\"")
        let edited = try home.run("outbox", "edit", id)
        #expect(edited.status == 0, "\(edited.errors)")
        #expect(try one()["subject"] as? String == "Plans, again" && one()["state"] as? String == "held")
        #expect(try (one()["recipients"] as? [String])?.contains("hidden@example.org") == true)
        #expect(try one()["message_id"] as? String == item["message_id"] as? String)
        let shown = try home.run("outbox", "show", id)
        #expect(shown.output.contains("*One*") && shown.output.contains("Two") && shown.output.contains("hidden@"))
        #expect(try !home.run("outbox", "show", id, "--raw").output.contains("hidden@"))
        // Out of it, it is a draft again, with all that it had.
        let draft = try #require(try home.run("outbox", "cancel", id, "--json").items().first)
        #expect(draft["bcc"] as? [String] == ["hidden@example.org"] && draft["subject"] as? String == "Plans, again")
        #expect(try home.run("outbox", "show", id).status == 66)
        try home.run("undo")
        #expect(try home.run("mail", "drafts", "--json").items().isEmpty)
        #expect(try home.run("outbox", "show", id, "--raw").output.contains("<em>One</em>"))
        // A backup has it.
        let backup = home.folder.path + "/backup"
        try home.run("backup", backup)
        try home.run("outbox", "cancel", id)
        try home.run("restore", backup, "--yes")
        #expect(try home.run("outbox", "show", id, "--raw").output.contains("<em>One</em>"))
        #expect(try home.run("doctor").status == 0)
    }

    @Test func aDelayLeavesTimeToTakeItBack() throws {
        let home = try home()
        try home.run("config", "set", "mail.undo-send-delay", "2m")
        let sent = try home.run("mail", "new", "--to", "a@example.org", "-s", "x", "-b", "y", "--json")
        #expect(try sent.items().first?["leaves_at"] as? String == "2026-11-18T10:22:00+01:00")
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
        let home = try home()
        let result = try home.run(["mail", "new", "-s", "Hello", "--body", "Text"] + options)
        #expect(result.status == status, "\(result.output)\(result.errors)")
        #expect(try home.run("outbox", "list", "--json").items().isEmpty)
    }

    @Test func withoutAnAddressOfOnesOwnWhatWasWrittenIsKept() throws {
        let home = try HelixHome()
        let sent = try home.run("mail", "new", "--to", "ana@example.org", "-s", "Hello", "-b", "Text")
        #expect(sent.status == 78 && sent.errors.contains("user.email") && sent.errors.contains("draft"))
        let draft = try #require(try ids(home.run("mail", "drafts", "--json")).first)
        #expect(try home.run("mail", "edit", draft, "--from", "me@example.org", "--send").status == 0)
        #expect(try home.run("outbox", "list", "--json").items().count == 1)
    }

    @Test func theSignatureStandsUnderWhatIsWritten() throws {
        let home = try home()
        try home.write("Zoë\n+39 06\n", to: ".signature")
        try home.run("mail", "new", "--to", "a@example.org", "-s", "x", "-b", "Text", "--signature")
        try home.run("config", "set", "mail.sign", "true")
        try home.run("mail", "new", "--to", "b@example.org", "-s", "x", "-b", "Text")
        try home.run("mail", "new", "--to", "c@example.org", "-s", "x", "-b", "Text", "--no-signature")
        let texts = try readByOthers(home).values.compactMap { $0["text"] as? String }.sorted()
        #expect(texts == ["Text\n", "Text\n\n-- \nZoë\n+39 06\n", "Text\n\n-- \nZoë\n+39 06\n"])
    }
}
