import Foundation
import TestSupport
import Testing

/// Mail of other programs comes in with its flags and labels, and what is no mail is named.
@Suite struct ForeignMailTests {
    private static func message(_ subject: String, _ headers: String...) -> String {
        "From: Ben <ben@example.org>\nTo: ana@example.org\nSubject: \(subject)\nMessage-ID: <\(subject)@example.org>\n"
            + headers.map { $0 + "\n" }.joined() + "\nText\n"
    }

    private static func mbox(_ messages: [String]) -> String {
        messages.map { "From - Mon Nov 16 10:00:00 2026\n" + $0 }.joined(separator: "\n")
    }

    private func list(_ home: HelixHome) throws -> [String] {
        try home.run("mail", "list", "--json").items().map { item in
            let flags = (item["flags"] as? [String] ?? []).sorted()
            let labels = (item["labels"] as? [String] ?? []).sorted()
            return ([item["subject"] as? String ?? ""] + flags + labels).joined(separator: " ")
        }.sorted()
    }

    @Test func thunderbirdsFlagsAndLabelsComeAlong() throws {
        let home = try HelixHome()
        let text = Self.mbox([
            Self.message("T1", "X-Mozilla-Status: 0001", "X-Mozilla-Keys: $label4 urgent"),
            Self.message("T2", "X-Mozilla-Status: 0009"), Self.message("T3", "X-Mozilla-Status: 1007"),
            Self.message("T4", "X-Mozilla-Status: 0000"),
        ])
        let result = try home.run("mail", "import", home.write(text, to: "Inbox"))
        #expect(
            result.status == 0 && result.output.contains("1 message was deleted"), "\(result.output)\(result.errors)")
        #expect(try list(home) == ["T1 read todo urgent", "T3 answered forwarded read starred", "T4"])
        #expect(try home.run("mail", "search", "label:urgent", "--ids").output.split(separator: "\n").count == 1)
    }

    @Test func gmailsLabelsComeAlong() throws {
        let home = try HelixHome()
        let text = Self.mbox([
            Self.message("G1", "X-Gmail-Labels: Inbox,Unread,Starred,Muy Importante"),
            Self.message("G2", "X-Gmail-Labels: =?UTF-8?Q?Archived,Gr=C3=B6=C3=9Fe,Category_Updates,Opened?="),
        ])
        #expect(try home.run("mail", "import", home.write(text, to: "All mail.mbox")).status == 0)
        #expect(try list(home) == ["G1 starred Muy_Importante", "G2 read Größe"])
    }

    /// A label that helix writes otherwise does not keep the others, or the mail, from coming.
    @Test func oddLabelsComeAsWordsAndTakeNothingFromTheOthers() throws {
        let home = try HelixHome()
        let long = String(repeating: "l", count: 150)
        let text = Self.mbox([
            Self.message("O1", "X-Gmail-Labels: \"Work, private\",a:b(c)@d,Unread"),
            Self.message("O2", "X-Gmail-Labels: fine,\(long),\"\""),
            Self.message("O3", "X-Keywords: good : ()"),
        ])
        let result = try home.run("mail", "import", home.write(text, to: "all.mbox"))
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(
            try list(home) == [
                "O1 Work,_private a_b_c__d", "O2 read fine " + String(repeating: "l", count: 100), "O3 good",
            ])
    }

    @Test func keywordsAndAppleMailComeAlong() throws {
        let home = try HelixHome()
        #expect(
            try home.run("mail", "import", home.write(Self.message("K1", "X-Keywords: house, NonJunk"), to: "k.eml"))
                .status == 0)
        let apple = Self.message("A1")
        let list = "<?xml version=\"1.0\"?><plist><dict><key>flags</key><integer>8590195729</integer></dict></plist>\n"
        #expect(
            try home.run("mail", "import", home.write("\(apple.utf8.count)\n\(apple)\(list)", to: "1.emlx")).status == 0
        )
        #expect(try self.list(home) == ["A1 read starred", "K1 house"])
    }

    @Test func whatIsNoMailIsNamedWithTheWayToReadIt() throws {
        let home = try HelixHome()
        let files: [(name: String, bytes: [UInt8], words: String)] = [
            ("a.zip", [0x50, 0x4B, 3, 4, 20, 0], "unzip"), ("b.pst", Array("!BDN----".utf8), "readpst"),
            ("c.msg", [0xD0, 0xCF, 0x11, 0xE0, 0xA1], "msgconvert"),
            ("d.ics", Array("BEGIN:VCALENDAR\r\n".utf8), "helix cal import"),
            ("e.vcf", Array("BEGIN:VCARD\r\n".utf8), "contacts"), ("f.gz", [0x1F, 0x8B, 8], "gunzip"),
            ("h.json", Array("{\"a\":1}\n".utf8), "without a header"),
            ("note.txt", Array("Note: buy milk\nToo: bread\n".utf8), "without a header"),
            ("README.md", Array("# helix\n\nMail, calendar.\n".utf8), "without a header"),
            ("g.bin", (0..<5000).map { UInt8($0 * 7 % 251) }, "without a header"),
        ]
        for file in files {
            let path = home.folder.path + "/" + file.name
            try Data(file.bytes).write(to: URL(fileURLWithPath: path))
            let result = try home.run("mail", "import", path)
            #expect(result.status == 65 && result.errors.contains(file.words), "\(file.name): \(result.errors)")
        }
        #expect(try list(home).isEmpty)
    }

    @Test func aMessageIsFoundByItsMessageID() throws {
        let home = try HelixHome()
        try home.run("mail", "import", home.write(Self.message("M1"), to: "m.eml"))
        for name in ["<M1@example.org>", "M1@example.org"] {
            let result = try home.run("mail", "read", name)
            #expect(result.status == 0 && result.output.contains("M1"), "\(result.errors)")
        }
        #expect(try home.run("mail", "mark", "starred", "<M1@example.org>").status == 0)
        #expect(try home.run("mail", "read", "<no@example.org>").status == 66)
    }
}
