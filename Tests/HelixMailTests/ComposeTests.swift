import Foundation
import HelixModel
import TestSupport
import Testing

@testable import HelixMail

/// What is written is valid mail, and says what was meant.
@Suite struct ComposeTests {
    private static func draft(subject: String = "Hello", body: String = "Text\n") -> MessageDraft {
        var draft = MessageDraft()
        draft.from = MailAddress(name: "Me", address: "me@example.org")
        draft.to = [MailAddress(address: "ana@example.org")]
        (draft.subject, draft.body, draft.messageID) = (subject, body, "a@example.org")
        return draft
    }

    private static func written(_ draft: MessageDraft, isFinal: Bool = false) throws -> [UInt8] {
        try MessageWriter(draft, date: Instant(1_790_000_000), zone: .utc, isFinal: isFinal) { attachment, sink in
            guard case .file(let path) = attachment.source else { return }
            try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))).withUnsafeBufferPointer { try sink($0) }
        }.bytes()
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static let scripts: [String] = [
        "abcdefghijklmnopqrstuvwxyz", "ABC xyz 019 ", "äöüßéèñçøåłž", "абвгдежзик", "漢字日本語中文", "한국어", "ไทย", "🙂👩‍👩‍👧🇮🇹",
        "\"\\,;:<>@()[]=?_%'*", "    ", "عربى", "e\u{301}a\u{308}",
    ]

    private static func randomText(_ length: Int, _ random: inout SeededGenerator) -> String {
        var text = ""
        while text.count < length {
            let script = scripts[Int.random(in: 0..<scripts.count, using: &random)]
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                text.append(script.randomElement(using: &random) ?? "x")
            }
            if Bool.random(using: &random) { text += " " }
        }
        return text.split(separator: " ").joined(separator: " ")
    }

    @Test(arguments: [
        ("plan.pdf", "name=plan.pdf"), ("my plan.pdf", "name=\"my plan.pdf\""),
        ("Größe.pdf", "name=\"=?UTF-8?"), (String(repeating: "漢", count: 60) + ".pdf", nil),
    ]) func aFileHasItsNameForOldProgramsToo(_ name: String, _ expected: String?) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("helix-\(UUID().uuidString)")
        try Data("x".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var draft = Self.draft()
        draft.attachments = [
            DraftAttachment(name: name, type: "application/pdf", size: 1, source: .file(file.path))
        ]
        let bytes = try Self.written(draft)
        let text = Self.text(bytes)
        let start = try #require(text.range(of: "Content-Type: application/pdf"))
        let head = text[start.lowerBound...].components(separatedBy: "\nContent-")[0]
        if let expected {
            #expect(head.contains(expected), "\(head)")
        } else {
            #expect(!head.contains("name"), "\(head)")
        }
        #expect(try MessageDraft(MIMEMessage(bytes), file: "").attachments.map(\.name) == [name])
    }

    @Test func aMessageIDEndsInTheDomainOfTheSenderInASCII() {
        for (address, domain) in [
            ("me@example.org", "example.org"), ("me@exämple.org", "xn--exmple-cua.org"),
            ("me@localhost", "helix.invalid"),
        ] {
            let id = MessageDraft.newMessageID(for: MailAddress(address: address))
            #expect(id.hasSuffix("@" + domain), "\(id)")
        }
        #expect(MessageDraft.newMessageID(for: nil).hasSuffix("@helix.invalid"))
    }

    @Test func theCopyOfASentMessageNamesHiddenRecipientsAlone() {
        let sent = Array("To: Ana <ana@exämple.org>\r\nCc: bo@example.org\r\nSubject: x\r\n\r\ntext\r\n".utf8)
        let shown = ["ana@xn--exmple-cua.org", "Bo@Example.org"]
        #expect(!Self.text(SentCopy.bytes(of: sent, recipients: shown)).contains("Bcc"))
        let copy = Self.text(SentCopy.bytes(of: sent, recipients: shown + ["eve@example.org"]))
        #expect(copy.hasPrefix("Bcc: eve@example.org\n"), "\(copy)")
    }

    @Test func whatIsWrittenIsReadBackTheSame() throws {
        var random = SeededGenerator(seed: 7)
        for round in 0..<300 {
            var draft = Self.draft(subject: Self.randomText(Int.random(in: 0...120, using: &random), &random))
            draft.body = (0..<Int.random(in: 0...6, using: &random))
                .map { _ in Self.randomText(Int.random(in: 0...200, using: &random), &random) + "\n" }.joined()
            draft.to = (0..<Int.random(in: 1...5, using: &random)).map {
                MailAddress(
                    name: Self.randomText(Int.random(in: 0...40, using: &random), &random),
                    address: "a\($0)@example.org")
            }
            draft.references = (0..<Int.random(in: 0...12, using: &random)).map { "r\($0).\(round)@example.org" }
            draft.inReplyTo = draft.references.last
            draft.isMarkdown = Bool.random(using: &random)
            let bytes = try Self.written(draft)
            let read = try MessageDraft(MIMEMessage(bytes), file: "")
            #expect(read.subject == draft.subject, "round \(round)")
            #expect(read.to == draft.to, "round \(round)")
            #expect(read.body == draft.body, "round \(round)")
            #expect(read.references == draft.references && read.inReplyTo == draft.inReplyTo)
            #expect(read.isMarkdown == draft.isMarkdown && read.messageID == draft.messageID)
            #expect(!bytes.contains { $0 >= 0x80 || $0 == 0x0D }, "seven bits")
            for line in bytes.split(separator: 0x0A) { #expect(line.count <= 78, "\(Self.text(Array(line)))") }
        }
    }

    @Test func encodedWordsKeepTheRules() throws {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<200 {
            let subject = Self.randomText(Int.random(in: 20...150, using: &random), &random)
            let head = Self.text(try Self.written(Self.draft(subject: subject)))
                .components(separatedBy: "\n\n")[0].replacing("\n ", with: " ")
            let line = head.split(separator: "\n").first { $0.hasPrefix("Subject:") } ?? ""
            let words = line.split(separator: " ").filter { $0.hasPrefix("=?UTF-8?") && $0.hasSuffix("?=") }
            for (place, word) in words.enumerated() {
                #expect(word.utf8.count <= 75, "RFC 2047 §2")
                // Each word says whole characters, and programs that lose what follows padding lose nothing.
                let content = word.split(separator: "?")[3]
                if word.hasPrefix("=?UTF-8?B?") {
                    let data = try #require(Data(base64Encoded: String(content)))
                    #expect(String(data: data, encoding: .utf8) != nil)
                    let hasPadding = content.hasSuffix("=")
                    if place < words.count - 1, data.count > 4 { #expect(!hasPadding, "\(subject)") }
                }
            }
        }
    }

    @Test(arguments: [
        ("plain text\n", "7bit"), ("", "7bit"), ("-- \nMe\n", "7bit"),
        (String(repeating: "x", count: 79) + "\n", "quoted-printable"),
        ("From here on\n", "quoted-printable"), (".\n", "quoted-printable"), ("naïve\n", "quoted-printable"),
        ("漢字\n", "base64"),
        ("bell \u{7}\n", "quoted-printable"),
    ])
    func aTextTravelsInTheEncodingThatChangesItLeast(body: String, encoding: String) throws {
        let bytes = try Self.written(Self.draft(body: body))
        #expect(Self.text(bytes).contains("Content-Transfer-Encoding: \(encoding)\n"))
        #expect(!Self.text(bytes).contains("\nFrom h") && !Self.text(bytes).hasSuffix("\n.\n"))
        #expect(try MessageDraft(MIMEMessage(bytes), file: "").body == body)
    }

    @Test func headersTakeNothingThatBreaksOutOfThem() throws {
        var draft = Self.draft(subject: "Hello\nBcc: eve@example.org\r\n\r\nBody")
        draft.to = [MailAddress(name: "Ana\nX-Evil: yes", address: "ana@example.org")]
        let message = try MIMEMessage(Self.written(draft))
        #expect(message.header("Bcc") == nil && message.header("X-Evil") == nil)
    }

    @Test func whatLeavesSaysNothingOfBccAndOfDrafts() throws {
        var draft = Self.draft(body: "*Hello*\n")
        draft.bcc = [MailAddress(address: "hidden@example.org")]
        draft.isMarkdown = true
        draft.forwarded = "b@example.org"
        #expect(try MessageDraft(MIMEMessage(Self.written(draft)), file: "").bcc == draft.bcc)
        let final = Self.text(try Self.written(draft, isFinal: true))
        #expect(!final.contains("hidden@") && !final.contains("X-Helix"))
        #expect(final.contains("multipart/alternative") && final.contains("<em>Hello</em>"))
    }

    @Test func markdownHoldsNoHTMLOfStrangersAndNoSignatureAsHeading() throws {
        let html = try Markdown.html(
            "Hello\n\n> <script>alert(1)</script> [x](javascript:alert(1))\n\nBye\n-- \nMe & <co>\n")
        #expect(!html.contains("<script>") && !html.contains("href=\"javascript:") && !html.contains("<h2>"))
        #expect(html.contains("<p>-- <br>\nMe &amp; &lt;co&gt;</p>"))
    }

    @Test func markdownHasTablesTasksStruckTextAndPlainLinks() throws {
        let html = try Markdown.html(
            """
            | Item | Price |
            |------|------:|
            | Nails & screws | 4 |

            - [ ] buy
            - [x] paint

            ~~999~~ 899, see https://example.org/a?b=1
            """)
        for part in [
            "<table>", "<td align=\"right\">4</td>", "Nails &amp; screws", "☐ buy", "☑ paint", "<del>999</del>",
            "<a href=\"https://example.org/a?b=1\">",
        ] { #expect(html.contains(part), "\(html)") }
        #expect(!html.contains("<input") && !html.contains("|"))
        let hostile = try Markdown.html("| a |\n|---|\n| <script>x</script> [y](javascript:z) |\n")
        #expect(hostile.contains("<table>") && !hostile.contains("<script>") && !hostile.contains("href=\"javascript"))
    }

    @Test(arguments: [
        "plan.pdf", "two words.pdf", "größe.pdf", "\"quoted\".txt", "a\\b;c.txt", "漢字の名前がとても長いので分けて書かれるファイル.pdf",
        String(repeating: "long", count: 40) + ".txt", "100%*'.txt",
    ])
    func namesOfFilesArrive(name: String) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let content = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        try content.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var draft = Self.draft()
        draft.attachments = [
            DraftAttachment(name: name, type: "application/pdf", size: 5000, source: .file(file.path))
        ]
        let message = try MIMEMessage(Self.written(draft))
        let part = try #require(MessageBody(message).attachments.first)
        #expect(part.filename == name && part.type == "application/pdf")
        #expect(message.content(of: part) == [UInt8](content))
    }

    @Test func aTemplateSaysWhatTheDraftSays() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<200 {
            var draft = Self.draft(subject: Self.randomText(30, &random))
            draft.cc = [MailAddress(name: "Rossi, \"Ana\" \\ <x>", address: "ana@example.org")]
            draft.body = "# a heading\n\n" + Self.randomText(100, &random) + "\n\n-- \nMe\n"
            draft.replyTo = [MailAddress(address: "elsewhere@example.org")]
            draft.references = ["x@example.org", "y@example.org"]
            draft.inReplyTo = "y@example.org"
            draft.isMarkdown = Bool.random(using: &random)
            let read = try MessageTemplate.read(MessageTemplate.text(draft), original: draft)
            #expect(read.draft == draft && read.files.isEmpty)
        }
    }

    @Test func aTemplateIsReadAsPeopleWriteThem() throws {
        var original = Self.draft()
        original.attachments = ["a.txt", "b.txt", "b.txt"].map {
            DraftAttachment(name: $0, type: "text/plain", size: 1, source: .part(file: "", index: 1))
        }
        let read = try MessageTemplate.read(
            "to: Ana <ana@example.org>,\n  bo@example.org\r\nSUBJECT:Plans\nAttach: ~/plan.pdf\nattached: b.txt\n# a comment\n\nTo: stays in the text\n",
            original: original)
        #expect(read.draft.to.map(\.address) == ["ana@example.org", "bo@example.org"])
        #expect(read.draft.subject == "Plans" && read.files == ["~/plan.pdf"])
        #expect(read.draft.attachments.map(\.name) == ["b.txt"], "the line of the others was taken away")
        #expect(read.draft.body == "To: stays in the text\n")
    }

    @Test(arguments: [
        ("Tos: ana@example.org\n\nx", "line 1"), ("To: ana\n\nx", "line 1"),
        ("Subject: a\nTo: Ana, bo@example.org\n\nx", "line 2"),
        ("Hello Ana\n\nx", "line 1"), ("Attached: gone.pdf\n\nx", "line 1"),
        ("From: a@example.org, b@example.org\n\n", "line 1"),
    ])
    func aTemplateThatIsWrongIsNotGuessedAt(text: String, place: String) {
        let error = #expect(throws: HelixError.self) {
            try MessageTemplate.read(text, original: Self.draft())
        }
        #expect(error?.code == .badInput && error?.message.contains(place) == true, "\(error?.message ?? "")")
    }
}

/// Random numbers that are the same in each run.
