import Foundation
import TestSupport
import Testing

/// Mail goes out as it came in: Python's mailbox module reads the same messages, and so does an import in a new home.
@Suite struct MailExportTests {
    private static let messages = [
        "From: Ana <ana@example.org>\nTo: bo@example.org\nSubject: One\nDate: Tue, 17 Nov 2026 09:00:00 +0100\n"
            + "Message-ID: <one@example.org>\n\nDear Bo,\nFrom here on it is text.\n>From the quoted one.\n\nFrom ana@example.org Tue Nov 17 09:00:00 2026\n",
        "From: Zoe <zoe@example.org>\nTo: bo@example.org\nSubject: =?utf-8?B?w5xiZXI=?=\nStatus: O\n"
            + "Date: Wed, 18 Nov 2026 09:00:00 +0100\nMessage-ID: <two@example.org>\n\nTwo, without a line end",
        "From: Cy <cy@example.org>\nTo: bo@example.org\nSubject: Three / slash\nDate: Wed, 18 Nov 2026 10:00:00 +0100\n"
            + "Message-ID: <three@example.org>\nContent-Type: text/plain; charset=iso-8859-1\n\nThree\n",
    ]

    private static func home() throws -> HelixHome {
        let home = try HelixHome()
        for (number, text) in messages.enumerated() {
            let path = try home.write(text, to: "m\(number).eml")
            #expect(try home.run("mail", "import", path).status == 0)
        }
        try home.run("mail", "mark", "read", "one@example.org")
        try home.run("mail", "mark", "starred", "three@example.org")
        try home.run("mail", "label", "three@example.org", "+work")
        return home
    }

    private static func state(_ home: HelixHome) throws -> [String] {
        try home.run("mail", "list", "--json").items().map { item in
            let flags = (item["flags"] as? [String] ?? []).sorted()
            return "\(item["subject"] ?? "") \(flags) \(item["labels"] ?? "")"
        }.sorted()
    }

    @Test func anMboxIsReadByPythonAndByAnImport() throws {
        let home = try Self.home()
        let file = home.folder.path + "/all.mbox"
        let exported = try home.run("mail", "export", "--query", "in:inbox", "--out", file)
        #expect(exported.status == 0 && exported.errors.contains("Exported 3 messages"), "\(exported)")
        let python = try home.run(
            program: "/usr/bin/python3",
            [
                "-c",
                """
                import mailbox, sys
                for m in mailbox.mbox(sys.argv[1]):
                    print(m['Message-ID'], m.get_flags(), m['X-Keywords'] or '-', len(m.get_payload().splitlines()))
                """, file,
            ])
        #expect(
            python.output
                == "<one@example.org> RO - 5\n<two@example.org>  - 1\n<three@example.org> F work 1\n", "\(python)")
        let other = try HelixHome()
        #expect(try other.run("mail", "import", file).status == 0)
        #expect(try Self.state(other) == Self.state(home))
        let text = try other.run("mail", "read", "one@example.org", "--raw").output
        #expect(
            text.contains("\nFrom here on it is text.\n>From the quoted one.\n\nFrom ana@example.org Tue"), "\(text)")
        #expect(try home.run("mail", "export", "--query", "in:inbox", "--out", file).status == 73)
        #expect(try home.run("mail", "export", "--query", "in:inbox", "--out", file, "--force").status == 0)
    }

    @Test func aMaildirAndSingleFilesHaveTheBytesOfTheMessages() throws {
        let home = try Self.home()
        let (maildir, folder) = (home.folder.path + "/box", home.folder.path + "/files")
        #expect(
            try home.run("mail", "export", "--query", "in:inbox", "--format", "maildir", "--out", maildir).status == 0)
        #expect(try home.run("mail", "export", "--query", "in:inbox", "--format", "eml", "--out", folder).status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: maildir + "/cur").sorted()
        #expect(names.map { String($0.split(separator: ",").last ?? "") } == ["S", "2", "F"] || names.count == 3)
        let bytes = try Set(names.map { try Data(contentsOf: URL(fileURLWithPath: maildir + "/cur/" + $0)) })
        #expect(bytes == Set(Self.messages.map { Data($0.utf8) }))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.count == 3 && files.allSatisfy { $0.hasSuffix(".eml") && $0.hasPrefix("2026-11-1") }, "\(files)")
        let other = try HelixHome()
        #expect(try other.run("mail", "import", maildir).status == 0)
        #expect(try other.run("mail", "list", "--json").items().count == 3)
    }

    @Test(arguments: ["mbox", "maildir", "eml"]) func anExportIsTheSameInANewHome(_ format: String) throws {
        let home = try Self.home()
        let more = try home.write(
            "From: Di <di@example.org>\nSubject: Four\nMessage-ID: <four@example.org>\n\nFour\n", to: "four.eml")
        #expect(try home.run("mail", "import", more, "-m", "Lists/Über. x").status == 0)
        try home.run("mail", "move", "three@example.org", "Archive")
        try home.run("mail", "label", "four@example.org", "+work", "+Größe")
        func all(_ home: HelixHome) throws -> [String] {
            try home.run("mail", "search", "subject:one or subject:über or subject:three or subject:four", "--json")
                .items().map { item in
                    let flags = format == "eml" ? [] : (item["flags"] as? [String] ?? []).sorted()
                    let labels = format == "eml" ? [] : (item["labels"] as? [String] ?? []).sorted()
                    return "\(item["mailbox"] ?? "") \(item["subject"] ?? "") \(flags) \(labels)"
                }.sorted()
        }
        let before = try all(home)
        #expect(before.count == 4, "\(before)")
        let out = home.folder.path + "/out"
        let query = "subject:one or subject:über or subject:three or subject:four"
        let exported = try home.run("mail", "export", "--query", query, "--format", format, "--out", out)
        #expect(exported.status == 0, "\(exported)")
        let again = try home.run("mail", "import", out, "--json").json()
        #expect(again["copied"] as? Int == 0 && again["known"] as? Int == 4, "\(again)")
        let new = try HelixHome()
        #expect(try new.run("mail", "import", out).status == 0)
        // A name of a file has no dot at its end, a mailbox may.
        let after = try all(new)
        #expect(after == before, "\(after)")
        if format == "maildir" {
            // Dovecot's letters are those that the account reads in place.
            let other = try HelixHome()
            #expect(try other.run("account", "add", "box", "maildir", out).status == 0)
            #expect(try other.run("mail", "list", "--json").items().count >= 2)
        }
    }

    @Test func oneMessageIsOneFileAndGoesToAPipe() throws {
        let home = try Self.home()
        let file = home.folder.path + "/two.eml"
        #expect(try home.run("mail", "export", "two@example.org", "--out", file).status == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data(Self.messages[1].utf8))
        #expect(
            try home.run("mail", "export", "two@example.org", "--format", "eml", "--out", "-").output
                == Self.messages[1])
        #expect(
            try home.run("mail", "export", "--query", "in:inbox", "--out", "-").output.hasPrefix(
                "From ana@example.org "))
        #expect(try home.run("mail", "export", "two@example.org", "--out", "x").status == 64)
        #expect(try home.run("mail", "export", "--query", "subject:nowhere", "--out", file + "2.eml").status == 66)
        #expect(!FileManager.default.fileExists(atPath: file + "2.eml"))
        #expect(try home.run("mail", "export", "two@example.org", "--out", "/nowhere/x.mbox").status == 73)
    }
}
