import Foundation
import TestSupport
import Testing

/// Mail in a Maildir that other programs use too.
@Suite struct MailTests {
    private func subjects(_ result: HelixHome.Result) throws -> [String] {
        try result.items().compactMap { $0["subject"] as? String }
    }

    private func ids(_ result: HelixHome.Result) throws -> [String] {
        try result.items().compactMap { $0["id"] as? String }
    }

    @Test func anAccountIsListedReadAndSearchedAtOnce() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.make(".Archive")
        try maildir.deliver(mail("Site visit on Friday", id: "a@x", body: "We meet at the house.\n"))
        try maildir.deliver(
            mail("Invoice", id: "b@x", from: "Bo <bo@example.org>", date: "Mon, 16 Nov 2026 09:00:00 +0100"),
            to: ".Archive", flags: "S")
        let added = try home.run("account", "add", "home", "maildir", maildir.path)
        #expect(added.status == 0 && added.output.contains("2 new"))
        #expect(try subjects(home.run("mail", "list", "--json")) == ["Site visit on Friday", "Invoice"])
        #expect(try subjects(home.run("mail", "inbox", "--json")) == ["Site visit on Friday"])
        #expect(try subjects(home.run("mail", "unread", "--json")) == ["Site visit on Friday"])
        let id = try #require(try ids(home.run("mail", "inbox", "--json")).first)
        let read = try home.run("mail", "read", String(id.prefix(6)))
        #expect(read.output.contains("Ana Rossi <ana@example.org>") && read.output.contains("We meet at the house."))
        let boxes = try home.run("mail", "mailboxes", "--json").items()
        #expect(boxes.map { $0["name"] as? String } == ["INBOX", "Archive"])
        #expect(boxes.map { $0["messages"] as? Int } == [1, 1])
    }

    @Test func whatComesMovesChangesOrGoesIsSeenByTheNextCommand() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.make(".Archive")
        let first = try maildir.deliver(mail("One", id: "1@x"))
        try maildir.deliver(mail("Two", id: "2@x"))
        try home.run("account", "add", "home", "maildir", maildir.path)
        let before = try home.run("mail", "list", "--json").items()
        let id = try #require(before.first { $0["subject"] as? String == "One" }?["id"] as? String)

        // Another program reads it, as mutt does: from new to cur, with a flag.
        let read = maildir.path + "/cur/" + (first as NSString).lastPathComponent + ":2,S"
        try FileManager.default.moveItem(atPath: first, toPath: read)
        #expect(try subjects(home.run("mail", "unread", "--json")) == ["Two"])

        // It is moved under another name, as mbsync does.
        try FileManager.default.moveItem(atPath: read, toPath: maildir.path + "/.Archive/cur/1800000000.9_1.x,U=7:2,S")
        let moved = try home.run("mail", "list", "in:archive", "--json").items()
        #expect(moved.first?["id"] as? String == id, "it is the same message")

        // It goes, and another comes.
        try FileManager.default.removeItem(atPath: maildir.path + "/.Archive/cur/1800000000.9_1.x,U=7:2,S")
        try maildir.deliver(mail("Three", id: "3@x"))
        #expect(Set(try subjects(home.run("mail", "list", "--json"))) == ["Two", "Three"])
        // A new mailbox is found, also one in a folder.
        try maildir.make("Work/House")
        try maildir.deliver(mail("Four", id: "4@x"), to: "Work/House")
        #expect(try subjects(home.run("mail", "list", "in:Work/House", "--json")) == ["Four"])
        #expect(try home.run("doctor").status == 0)
    }

    @Test func withoutIndexNothingIsLookedFor() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try home.run("account", "add", "home", "maildir", maildir.path)
        try maildir.deliver(mail("Late", id: "l@x"))
        #expect(try subjects(home.run("mail", "list", "--no-index", "--json")).isEmpty)
        #expect(try subjects(home.run("mail", "list", "--json")) == ["Late"])
    }

    @Test func aParentThatComesLateJoinsItsThread() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try home.run("account", "add", "home", "maildir", maildir.path)
        try maildir.deliver(mail("Re: Plan", id: "c@x", headers: ["In-Reply-To: <b@x>"]))
        let thread = try home.run("mail", "list", "--json").items().first?["thread"] as? String
        try maildir.deliver(mail("Another", id: "z@x"))
        try maildir.deliver(mail("Plan", id: "a@x", date: "Mon, 16 Nov 2026 09:00:00 +0100"))
        try home.run("mail", "index")
        try maildir.deliver(
            mail("Re: Plan", id: "b@x", date: "Mon, 16 Nov 2026 10:00:00 +0100", headers: ["References: <a@x>"]))
        let all = try home.run("mail", "list", "subject:plan", "--json").items()
        #expect(all.count == 3)
        #expect(Set(all.compactMap { $0["thread"] as? String }).count == 1)
        #expect(thread != nil)
        let id = try #require(all.first?["id"] as? String)
        let tree = try home.run("mail", "thread", id, "--json").items()
        #expect(tree.map { $0["message_id"] as? String } == ["a@x", "b@x", "c@x"])
        #expect(tree.map { $0["depth"] as? Int } == [0, 1, 2])
        #expect(try home.run("mail", "list", "--threads", "--json").items().count == 2)
        let huge = String(Int.max)
        #expect(try home.run("mail", "list", "--threads", "--limit", huge).status == 0)
        #expect(try home.run("mail", "list", "--limit", huge, "--json").items().count == 4)
    }

    @Test func repliesThatNameNothingJoinBySubject() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.deliver(mail("Trip to Rome", id: "a@x", date: "Mon, 16 Nov 2026 09:00:00 +0100"))
        try maildir.deliver(mail("AW: Trip to Rome", id: "b@x"))
        try maildir.deliver(mail("Trip to Rome", id: "c@x", date: "Tue, 17 Mar 2026 09:00:00 +0100"))
        try home.run("account", "add", "home", "maildir", maildir.path)
        let all = try home.run("mail", "list", "--json").items()
        #expect(Set(all.prefix(2).compactMap { $0["thread"] as? String }).count == 1)
        #expect(Set(all.compactMap { $0["thread"] as? String }).count == 2, "an old one of the same name is another")
    }

    @Test func messagesOfOneIdAndOfNoneAreAllThere() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.deliver(mail("First", id: "same@x"))
        try maildir.deliver(mail("Second", id: "same@x"))
        try maildir.deliver("Subject: No id at all\n\nx\n")
        try maildir.deliver("Subject: No id at all\n\nx\n")
        try maildir.deliver("")
        try home.run("account", "add", "home", "maildir", maildir.path)
        let all = try home.run("mail", "list", "--json").items()
        #expect(all.count == 5)
        #expect(Set(all.compactMap { $0["id"] as? String }).count == 5)
    }

    @Test func flagsStandInTheFilesAndAreUndone() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        let bytes = mail("Keep my bytes", id: "a@x")
        try maildir.deliver(bytes)
        try home.run("account", "add", "home", "maildir", maildir.path)
        let id = try #require(try ids(home.run("mail", "list", "--json")).first)
        #expect(try home.run("mail", "mark", "starred", id).status == 0)
        #expect(try home.run("mail", "mark", "read", id).status == 0)
        #expect(try maildir.files().first?.hasSuffix(":2,FS") == true)
        #expect(try home.run("undo").status == 0)
        #expect(try maildir.files().first?.hasSuffix(":2,F") == true)
        let tried = try home.run("mail", "mark", "read", "subject:bytes", "--dry-run")
        #expect(tried.output.contains("would be read"))
        #expect(try maildir.files().first?.hasSuffix(":2,F") == true)
        let file = try #require(try maildir.files().first)
        #expect(try String(contentsOfFile: maildir.path + "/cur/" + file, encoding: .utf8) == bytes)
        // What another program changed meanwhile is kept.
        try FileManager.default.moveItem(
            atPath: maildir.path + "/cur/" + file, toPath: maildir.path + "/cur/" + file + "R")
        #expect(try home.run("mail", "mark", "read", id).status == 0)
        #expect(try maildir.files().first?.hasSuffix(":2,FRS") == true)
    }

    @Test func messagesMoveAreArchivedAndDeletedAndComeBack() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        for number in 1...4 { try maildir.deliver(mail("Number \(number)", id: "\(number)@x"), flags: "S") }
        try home.run("account", "add", "home", "maildir", maildir.path)
        #expect(try home.run("mail", "archive", "subject:number").status == 0)
        #expect(try maildir.files(".Archive").count == 4)
        #expect(try home.run("undo").status == 0)
        #expect(try maildir.files().count == 4)
        #expect(try home.run("redo").status == 0)
        #expect(try maildir.files(".Archive").count == 4)
        #expect(try home.run("mail", "delete", "in:archive").status == 64, "a script must say --yes")
        #expect(try home.run("mail", "delete", "in:archive", "--yes").status == 0)
        #expect(try maildir.files(".Archive").isEmpty)
        #expect(try home.run("mail", "list", "--json").items().isEmpty)
        #expect(try home.run("mail", "search", "number", "--json").items().isEmpty)
        #expect(try home.run("undo").status == 0)
        #expect(try maildir.files(".Archive").count == 4)
        #expect(try subjects(home.run("mail", "search", "number", "--json")).count == 4)
        let elsewhere = try home.run("mail", "move", "subject:number", "--to", "Nowhere")
        #expect(elsewhere.status == 66 && elsewhere.errors.contains("Archive"))
        #expect(try home.run("doctor").status == 0)
    }

    @Test func labelsAreFoundAndTakenOff() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.deliver(mail("Bill", id: "a@x"))
        try maildir.deliver(mail("Other", id: "b@x"))
        try home.run("account", "add", "home", "maildir", maildir.path)
        #expect(try home.run("mail", "label", "subject:bill", "+billing", "+2026").status == 0)
        #expect(try subjects(home.run("mail", "list", "label:billing", "--json")) == ["Bill"])
        #expect(try home.run("mail", "label", "subject:bill", "-billing").status == 0)
        #expect(try subjects(home.run("mail", "list", "label:billing", "--json")).isEmpty)
        #expect(try subjects(home.run("mail", "list", "label:2026", "--json")) == ["Bill"])
        // Labels stand in the store only: they outlive a folder that is gone for a while.
        let (there, away) = (maildir.path + "/new", maildir.path + "/away")
        try FileManager.default.moveItem(atPath: there, toPath: away)
        #expect(try subjects(home.run("mail", "list", "--json")).isEmpty)
        try FileManager.default.moveItem(atPath: away, toPath: there)
        #expect(try subjects(home.run("mail", "list", "label:2026", "--json")) == ["Bill"])
        #expect(try home.run("mail", "label", "subject:bill", "+a b").status == 64)
        #expect(try home.run("mail", "label", "subject:bill").status == 64)
    }

    @Test func aWordThatIsNoIdChangesNothing() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.deliver(mail("Team lunch", id: "a@x"))
        try home.run("account", "add", "home", "maildir", maildir.path)
        let result = try home.run("mail", "trash", "lunch")
        #expect(result.status == 66 && result.errors.contains("--query"))
        #expect(try maildir.files().count == 1)
        #expect(try home.run("mail", "trash", "--query", "lunch").status == 0)
        #expect(try maildir.files(".Trash").count == 1)
    }

    @Test func readingMarksAsReadButLookingDoesNot() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.deliver(mail("Hello", id: "a@x"))
        try home.run("account", "add", "home", "maildir", maildir.path)
        let id = try #require(try ids(home.run("mail", "list", "--json")).first)
        try home.run("mail", "read", id, "--json")
        try home.run("mail", "read", id, "--keep-unread")
        #expect(try subjects(home.run("mail", "unread", "--json")).count == 1)
        try home.run("mail", "read", id)
        #expect(try subjects(home.run("mail", "unread", "--json")).isEmpty)
        #expect(try maildir.files().first?.hasSuffix(":2,S") == true)
        #expect(try home.run("history", "--json").items().count == 1, "reading is nothing to undo")
    }
}
