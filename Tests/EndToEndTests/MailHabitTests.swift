import Foundation
import TestSupport
import Testing

/// What people who know mutt, aerc and notmuch expect of mail.
@Suite struct MailHabitTests {
    private static func mail(_ subject: String, _ header: String = "") -> String {
        "From: Ben <ben@example.org>\nTo: bo+list@example.org, ana@example.org\nCc: Bo <bo@example.org>\n"
            + "Subject: \(subject)\nDate: Mon, 16 Nov 2026 10:00:00 +0100\nMessage-ID: <\(subject)@example.org>\n\(header)\nText\n"
    }

    private static func home(_ count: Int) throws -> HelixHome {
        let home = try HelixHome()
        for number in 0..<count {
            #expect(try home.run("mail", "import", home.write(mail("m\(number)"), to: "m\(number).eml")).status == 0)
        }
        return home
    }

    /// `--limit` bounds what a command does, not only what it prints.
    @Test func aLimitBoundsWhatIsChanged() throws {
        let home = try Self.home(20)
        let run = try home.run("mail", "trash", "from:ben", "--limit", "3")
        #expect(run.status == 0 && run.errors.contains("leaves out 17 of 20"), "\(run)")
        #expect(try home.run("mail", "list", "--mailbox", "Trash", "--json").items().count == 3)
        #expect(try home.run("mail", "label", "in:inbox", "+x", "--limit", "4").status == 0)
        #expect(try home.run("mail", "search", "label:x", "--ids").output.split(separator: "\n").count == 4)
        #expect(try home.run("mail", "delete", "in:inbox", "--limit", "1", "--yes").status == 0)
        #expect(try home.run("mail", "list", "--mailbox", "INBOX", "--json").items().count == 16)
        let out = home.folder.path + "/out.mbox"
        #expect(try home.run("mail", "export", "in:inbox", "--limit", "2", "--out", out).errors.contains("Exported 2"))
        for title in ["a", "b", "c"] { try home.run("tasks", "add", title, "--tag", "t") }
        #expect(try home.run("tasks", "done", "+t", "--limit", "1").status == 0)
        #expect(try home.run("tasks", "list", "--json").items().count == 2)
    }

    @Test func aRecipientIsNamedOnce() throws {
        let home = try HelixHome()
        try home.run("config", "set", "user.email", "me@example.org")
        let run = try home.run(
            "mail", "new", "--to", "a@b.c,a@b.c,A@B.C", "--cc", "a@b.c,d@e.f", "--bcc", "d@e.f", "-s", "x", "-b", "y",
            "--draft")
        #expect(run.status == 0, "\(run)")
        let id = try #require(try home.run("mail", "drafts", "--json").items().first?["id"] as? String)
        let raw = try home.run("mail", "read", id, "--raw").output
        #expect(raw.contains("To: a@b.c\r\n") || raw.contains("To: a@b.c\n"), "\(raw)")
        #expect(raw.contains("Cc: d@e.f") && !raw.contains("Bcc: d"), "\(raw)")
    }

    @Test func anAddressWithATagIsMineAndToCountsBeforeCc() throws {
        let home = try Self.home(1)
        try home.run("config", "set", "user.email", "bo@example.org,ana@example.org")
        #expect(try home.run("mail", "reply-all", "m0@example.org", "-b", "Yes", "--draft").status == 0)
        let id = try #require(try home.run("mail", "drafts", "--json").items().first?["id"] as? String)
        let raw = try home.run("mail", "read", id, "--raw").output
        #expect(raw.contains("From: bo@example.org") && raw.contains("To: Ben <ben@example.org>"), "\(raw)")
        #expect(!raw.contains("Cc:") && !raw.contains("bo+list"), "\(raw)")
    }

    @Test func aMessageIsFoundByItsMessageID() throws {
        let home = try Self.home(3)
        for query in ["mid:m1@example.org", "mid:<m1@example.org>", "message-id:m1@example.org"] {
            let items = try home.run("mail", "search", query, "--json").items()
            #expect(items.count == 1 && items[0]["subject"] as? String == "m1", "\(query)")
        }
    }

    @Test func theAddressForRepliesIsShown() throws {
        let home = try HelixHome()
        try home.run("mail", "import", home.write(Self.mail("r", "Reply-To: Team <team@example.org>\n"), to: "r.eml"))
        #expect(try home.run("mail", "read", "r@example.org").output.contains("team@example.org"))
    }

    /// OpenSSL signs; what it signed is read here, and nothing calls it encrypted.
    @Test(arguments: [[], ["-stream", "-indef"]]) func whatIsSignedInOnePartIsRead(_ options: [String]) throws {
        let home = try HelixHome()
        _ = try home.write("Content-Type: text/plain; charset=utf-8\n\nThe Größe is secret to nobody.\n", to: "body")
        let script = """
            openssl req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 2 -subj /CN=Ben 2>/dev/null
            openssl smime -sign -nodetach \(options.joined(separator: " ")) -in body -signer c.pem -inkey k.pem \
              -from ben@example.org -to ana@example.org -subject Signed > signed.eml
            openssl smime -encrypt -in body -from ben@example.org -to ana@example.org -subject Locked c.pem > locked.eml
            """
        _ = try home.run(program: "/bin/sh", ["-c", script])
        #expect(try home.run("mail", "import", "signed.eml", "locked.eml").status == 0)
        let items = try home.run("mail", "search", "Größe", "--json").items()
        #expect(items.count == 1 && items[0]["subject"] as? String == "Signed")
        let id = items.first?["id"] as? String ?? ""
        let read = try home.run("mail", "read", id).output
        // No certificate of it is trusted here.
        #expect(read.contains("secret to nobody") && read.contains("Seal  Signed"), "\(read)")
        #expect(!read.lowercased().contains("encrypted"))
        #expect(try home.run("mail", "search", "is:signed", "--json").items().count == 1)
        let locked = try home.run("mail", "search", "is:encrypted", "--json").items()
        #expect(locked.count == 1 && locked[0]["subject"] as? String == "Locked")
        // The bytes of the message are as they came.
        let raw = try home.run("mail", "read", id, "--raw").output
        #expect(raw.contains("pkcs7-mime"))
    }

    private static func scheduling(_ method: String, _ lines: String) -> String {
        "From: Ben <ben@example.org>\nTo: ana@example.org\nSubject: s\nMessage-ID: <\(method)@example.org>\n"
            + "Content-Type: text/calendar; method=\(method); charset=utf-8\n\n"
            + "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nMETHOD:\(method)\n\(lines)\nEND:VCALENDAR\n"
    }

    @Test(arguments: [
        (
            "CANCEL",
            "BEGIN:VEVENT\nUID:u1\nDTSTAMP:20261101T000000Z\nORGANIZER:mailto:ben@example.org\nSEQUENCE:1\nEND:VEVENT",
            "Cancelled: Site visit"
        ),
        ("CANCEL", "BEGIN:VEVENT\nUID:other\nDTSTAMP:20261101T000000Z\nEND:VEVENT", "it is not in the calendar"),
        (
            "REFRESH", "BEGIN:VEVENT\nUID:u1\nDTSTAMP:20261101T000000Z\nATTENDEE:mailto:ben@example.org\nEND:VEVENT",
            "Asks for the current version: Site visit"
        ),
        (
            "DECLINECOUNTER", "BEGIN:VEVENT\nUID:u1\nDTSTAMP:20261101T000000Z\nEND:VEVENT",
            "The proposed time is declined"
        ),
        ("REQUEST", "BEGIN:VTODO\nUID:t\nSUMMARY:Paint\nEND:VTODO", "Task assigned: Paint"),
        ("REQUEST", "BEGIN:VFREEBUSY\nUID:f\nDTSTART:20261201T000000Z\nEND:VFREEBUSY", "Asks when you are free"),
    ]) func mailAboutSchedulesSaysInWordsWhatItIs(_ method: String, _ lines: String, _ words: String) throws {
        let home = try HelixHome()
        let event =
            "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VEVENT\nUID:u1\nDTSTAMP:20261101T000000Z\n"
            + "ORGANIZER:mailto:ben@example.org\nDTSTART:20261201T090000Z\nSUMMARY:Site visit\nEND:VEVENT\nEND:VCALENDAR\n"
        #expect(try home.run("cal", "import", home.write(event, to: "e.ics")).status == 0)
        let file = try home.write(Self.scheduling(method, lines), to: "s.eml")
        #expect(try home.run("mail", "import", file).status == 0)
        let read = try home.run("mail", "read", "\(method)@example.org").output
        #expect(read.contains(words) && !read.contains("(no text)"), "\(read)")
    }

    @Test func aPastInvitationIsOverAndAnAnswerIsRemembered() throws {
        let home = try HelixHome()
        try home.run("config", "set", "user.email", "ana@example.org")
        func request(_ uid: String, _ start: String) -> String {
            Self.scheduling(
                "REQUEST",
                "BEGIN:VEVENT\nUID:\(uid)\nDTSTAMP:20261101T000000Z\nORGANIZER:mailto:ben@example.org\n"
                    + "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ana@example.org\nDTSTART:\(start)\nDURATION:PT1H\nSUMMARY:\(uid)\nEND:VEVENT"
            ).replacingOccurrences(of: "REQUEST@", with: uid + "@")
        }
        for (uid, start) in [("past", "20201201T090000Z"), ("next", "20261201T090000Z")] {
            try home.run("mail", "import", home.write(request(uid, start), to: uid + ".eml"))
        }
        let past = try home.run("mail", "read", "past@example.org").output
        #expect(past.contains("it is over") && !past.contains("you are free then") && !past.contains("rsvp"), "\(past)")
        let next = try home.run("mail", "read", "next@example.org").output
        #expect(next.contains("you are free then") && next.contains("answer: helix cal rsvp"), "\(next)")
        let id = try #require(
            try home.run("mail", "search", "mid:next@example.org", "--json").items().first?["id"] as? String)
        let answered = try home.run("cal", "rsvp", id, "accept", "--silent")
        #expect(answered.status == 0, "\(answered)")
        #expect(try home.run("mail", "read", "next@example.org").output.contains("you have accepted"))
    }

    @Test func aFolderWithoutMailIsSaidSo() throws {
        let home = try HelixHome()
        try FileManager.default.createDirectory(atPath: home.folder.path + "/x", withIntermediateDirectories: false)
        for number in 0..<15 { _ = try home.write("nothing\nhere\n", to: "x/\(number).txt") }
        let run = try home.run("mail", "import", "x")
        #expect(run.status == 65 && run.output.contains("… and 5 more"), "\(run)")
        let two = try Self.home(2)
        let refused = try two.run("mail", "export", "from:ben", "--out", "two.eml")
        #expect(refused.status == 64 && refused.errors.contains("do not fit"), "\(refused)")
    }
}

/// `mail.send = now` sends at once, and says what became of it.
@Suite struct SendingNowTests {
    private static func home() throws -> HelixHome {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.make(".Sent")
        _ = try home.write("#!/bin/sh\necho \"$@\" >> \"$HOME/args\"\ncat >> \"$HOME/sent\"\n", to: "mta")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.folder.path + "/mta")
        let added = try home.run(
            "account", "add", "home", "maildir", maildir.path, "--sendmail", home.folder.path + "/mta -a work",
            "--address", "me@example.org")
        #expect(added.status == 0, "\(added)")
        home.environment["HELIX_MAIL_SEND"] = nil
        try home.run("config", "set", "mail.undo-send-delay", "0m")
        return home
    }

    @Test func aMessageLeavesAtOnce() throws {
        let home = try Self.home()
        // The clock runs while the command does.
        home.environment["HELIX_NOW"] = nil
        let run = try home.run("mail", "new", "--to", "q@b.c", "-s", "Hello", "-b", "text", "--send")
        #expect(run.status == 0 && run.errors.contains("Sent to q@b.c"), "\(run)")
        let sent = try String(contentsOfFile: home.folder.path + "/sent", encoding: .utf8)
        #expect(sent.contains("Subject: Hello"))
        let arguments = try String(contentsOfFile: home.folder.path + "/args", encoding: .utf8)
        #expect(arguments.hasPrefix("-a work -i -f me@example.org"), "\(arguments)")
        #expect(try home.run("outbox", "--json").items().isEmpty)
        // A program is told, too.
        let told = try home.run("mail", "new", "--to", "q@b.c", "-s", "Again", "-b", "text", "--send", "--json")
        #expect(try told.items().map { $0["state"] as? String } == ["sent"], "\(told)")
        // What has another time waits for it.
        let later = try home.run("mail", "new", "--to", "q@b.c", "-s", "Later", "-b", "text", "--at", "in 2 hours")
        #expect(later.status == 0 && !later.errors.contains("Sent to"), "\(later)")
        #expect(try home.run("outbox", "--json").items().count == 1)
    }

    @Test func aProgramThatFailsIsSaidSo() throws {
        let home = try Self.home()
        home.environment["HELIX_NOW"] = nil
        _ = try home.write("#!/bin/sh\ncat > /dev/null\necho 'no route' >&2\nexit 75\n", to: "mta")
        let run = try home.run("mail", "new", "--to", "q@b.c", "-s", "Hello", "-b", "text", "--send")
        #expect(run.errors.contains("Not sent yet") && run.errors.contains("no route"), "\(run)")
        #expect(try home.run("outbox", "--json").items().count == 1)
    }
}
