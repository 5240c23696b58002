import Foundation
import TestSupport
import Testing

/// Imports keep the mailboxes of the program that wrote the files.
@Suite struct MailFolderImportTests {
    private static func message(_ subject: String, _ header: String = "") -> String {
        "From: Ben <ben@example.org>\nTo: ana@example.org\nSubject: \(subject)\nMessage-ID: <\(subject)@example.org>\n"
            + (header.isEmpty ? "" : header + "\n") + "\nText\n"
    }

    private static func mbox(_ messages: String...) -> String {
        messages.map { "From - Mon Nov 16 10:00:00 2026\n" + $0 }.joined(separator: "\n")
    }

    private func write(_ text: String, to path: String, _ home: HelixHome) throws {
        let file = home.folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// The imported messages as `mailbox: subject`.
    private func places(_ home: HelixHome, _ arguments: String...) throws -> [String] {
        let run = try home.run(["mail", "import"] + arguments)
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        return try home.run("mail", "search", "from:ben", "--json").items().map {
            "\($0["mailbox"] as? String ?? ""): \($0["subject"] as? String ?? "")"
        }.sorted()
    }

    @Test func thunderbirdsFoldersBecomeMailboxes() throws {
        let home = try HelixHome()
        for (path, subject) in [
            ("Inbox", "t1"), ("Sent", "t2"), ("Inbox.sbd/Work", "t3"), ("Archives.sbd/2019", "t4"), ("Junk", "t5"),
            ("Archives.sbd/2019.sbd/Über Ä", "t6"),
        ] {
            try write(Self.mbox(Self.message(subject)), to: "tb/" + path, home)
        }
        try write("", to: "tb/Archives", home)
        try write("// <!-- <mdb:mork:z v=\"1.4\"/> -->", to: "tb/Inbox.msf", home)
        #expect(
            try places(home, "tb") == [
                "Archives/2019/Über Ä: t6", "Archives/2019: t4", "INBOX/Work: t3", "INBOX: t1", "Junk: t5", "Sent: t2",
            ])
        // A second time nothing is new, and one undo takes all back.
        let again = try home.run("mail", "import", "tb", "--json").json()
        #expect(
            again["copied"] as? Int == 0 && again["known"] as? Int == 6 && (again["problems"] as? [Any])?.count == 0)
        #expect(try home.run("undo").status == 0)
    }

    @Test func takeoutsLabelsChooseTheMailbox() throws {
        let home = try HelixHome()
        let labels = [
            "g1": "Inbox,Unread", "g2": "Sent,Opened", "g3": "Trash", "g4": "Spam,Unread", "g5": "Archived,House",
            "g6": "Drafts", "g7": "Posteingang",
        ]
        let messages = labels.sorted { $0.key < $1.key }.map { Self.message($0.key, "X-Gmail-Labels: \($0.value)") }
        let text = messages.map { "From - Mon Nov 16 10:00:00 2026\n" + $0 }.joined(separator: "\n")
        try write(text, to: "All mail.mbox", home)
        #expect(
            try places(home, "All mail.mbox") == [
                "Archive: g5", "Drafts: g6", "INBOX: g1", "INBOX: g7", "Junk: g4", "Sent: g2", "Trash: g3",
            ])
        let other = try HelixHome()
        try write(text, to: "All mail.mbox", other)
        #expect(try places(other, "All mail.mbox", "-m", "Old").allSatisfy { $0.hasPrefix("Old: ") })
    }

    @Test func maildirsAndAppleMailKeepTheirFolders() throws {
        let home = try HelixHome()
        for path in ["cur", "new", "tmp", ".Sent.2019/cur", ".Entw&APw-rfe/cur", "plain/cur"] {
            try FileManager.default.createDirectory(
                at: home.folder.appendingPathComponent("md/" + path), withIntermediateDirectories: true)
        }
        try write(Self.message("m1"), to: "md/new/1.x", home)
        try write(Self.message("m2"), to: "md/.Sent.2019/cur/2.x:2,S", home)
        try write(Self.message("m3"), to: "md/.Entw&APw-rfe/cur/3.x:2,S", home)
        try write(Self.message("m4"), to: "md/plain/cur/4.x:2,S", home)
        let apple = Self.message("a1")
        let file = "\(apple.utf8.count)\n\(apple)<plist><dict/></plist>\n"
        try write(file, to: "apple/INBOX.mbox/Work.mbox/1B2C/Data/3/Messages/31.emlx", home)
        try write(Self.mbox(Self.message("p1")), to: "pst/Sent Items/mbox", home)
        #expect(
            try places(home, "md", "apple", "pst") == [
                "Entwürfe: m3", "INBOX/Work: a1", "INBOX: m1", "Sent Items: p1", "Sent/2019: m2", "plain: m4",
            ])
    }

    @Test func notmuchsTagsBecomeLabels() throws {
        let home = try HelixHome()
        try write(Self.mbox(Self.message("n1"), Self.message("n2"), Self.message("n3")), to: "x.mbox", home)
        try home.run("mail", "import", "x.mbox")
        let dump = """
            #notmuch-dump batch-tag:3 config,properties,tags
            #@ maildir.synchronize_flags=true
            +inbox +unread +work -- id:n1@example.org
            +flagged +two%20words -- id:n2@example.org
            +x -- id:other@example.org
            """
        try write(dump, to: "tags", home)
        let rehearsed = try home.run("mail", "import", "tags", "--dry-run", "--json").json()
        #expect(rehearsed["labelled"] as? Int == 2 && rehearsed["unlabelled"] as? Int == 1)
        #expect(try home.run("mail", "search", "label:work", "--ids").output.isEmpty)
        #expect(
            try home.run("mail", "import", "tags").output
                == "2 messages have new labels.\n1 message of the list is not in helix.\n")
        let items = try home.run("mail", "list", "--json").items()
        let marks = items.map {
            ([$0["subject"] as? String ?? ""] + ($0["labels"] as? [String] ?? []) + ($0["flags"] as? [String] ?? []))
                .joined(separator: " ")
        }
        #expect(marks.sorted() == ["n1 work", "n2 two_words starred read", "n3"])
        #expect(try home.run("undo").status == 0)
        #expect(try home.run("mail", "search", "label:work", "--ids").output.isEmpty)
    }

    /// MH keeps a message a file, named by a number: the folder is the mailbox, and the bytes are those of the file.
    @Test func singleMessagesWithoutAnEndingAreNoMailboxes() throws {
        let home = try HelixHome()
        for number in 1...3 { try write(Self.message("h\(number)", "Status: O"), to: "mh/Work/\(number)", home) }
        #expect(try places(home, "mh") == ["Work: h1", "Work: h2", "Work: h3"])
        let raw = try home.run("mail", "read", "h1@example.org", "--raw").output
        #expect(raw == Self.message("h1", "Status: O"), "\(raw)")
    }

    /// A header of a stranger names no folder outside, and stops no import.
    @Test func theMailboxThatAHeaderNamesIsOnlyAName() throws {
        let home = try HelixHome()
        try write(
            Self.mbox(
                Self.message("b1", "X-Helix-Mailbox: ../../up%1b[31m%0ax"), Self.message("b2", "X-Helix-Mailbox: /.."),
                Self.message("b3", "X-Helix-Mailbox: cur/\(String(repeating: "long", count: 90))")), to: "x.mbox", home)
        let found = try places(home, "x.mbox")
        #expect(found.count == 3 && found.allSatisfy { !$0.contains("..") }, "\(found)")
        #expect(found.contains("INBOX: b2"))
        #expect(try home.run("doctor").status == 0)
        // In a single message it is a header as any other.
        let other = try HelixHome()
        try write(Self.message("e", "X-Helix-Mailbox: Elsewhere"), to: "e.eml", other)
        #expect(try places(other, "e.eml") == ["INBOX: e"])
    }
}
