import Foundation
import TestSupport
import Testing

/// Mailboxes as the world leaves them: away, unreadable, linked, shared.
@Suite struct MailboxTests {
    @Test func theDayAndTheStatusLineKnowOfMail() throws {
        let home = try HelixHome()
        #expect(try home.run("status", "--format", "{unread} {outbox}").output == "0 0\n")
        let maildir = try TestMaildir(home)
        for number in 0..<7 { try maildir.deliver(mail("Number \(number)", id: "\(number)@x")) }
        try maildir.deliver(mail("Seen", id: "seen@x"), flags: "S")
        try home.run("account", "add", "home", "maildir", maildir.path)
        try home.run("mail", "new", "--to", "a@example.org", "--from", "me@example.org", "-s", "Waiting", "-b", "x")
        #expect(try home.run("status", "--format", "{unread} {outbox}").output == "7 1\n")
        // What came since is counted: a prompt runs nothing else.
        try maildir.deliver(mail("Late", id: "late@x"))
        #expect(try home.run("status", "--format", "{unread}").output == "8\n")
        let today = try home.run("today")
        #expect(today.output.contains("Late") && today.output.contains("+3 more unread"))
        #expect(today.output.contains("Outbox: 1 queued for sending"))
        let kinds = try home.run("today", "--json").items().compactMap { $0["kind"] as? String }
        #expect(kinds.count { $0 == "message" } == 8 && kinds.count { $0 == "outgoing" } == 1)
    }

    @Test func nothingIsSaidToHaveChangedWhereTheMailboxIsAway() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.deliver(mail("One", id: "1@x"), flags: "S")
        try home.run("account", "add", "home", "maildir", maildir.path)
        let id = try #require(try HelixHome.ids(home.run("mail", "list", "--json")).first)
        try FileManager.default.moveItem(atPath: maildir.path, toPath: maildir.path + ".off")
        for command in [["mark", "unread", id], ["trash", id], ["delete", id, "--yes"], ["archive", id]] {
            let result = try home.run(["mail"] + command)
            #expect(result.status == 66, "\(command): \(result.output)")
        }
        try FileManager.default.moveItem(atPath: maildir.path + ".off", toPath: maildir.path)
        #expect(try home.run("mail", "inbox", "--json").items().first?["flags"] as? [String] == ["read"])
    }

    @Test func aMailboxThatCannotBeReadKeepsNoOtherFromBeing() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.make(".Archive")
        try maildir.deliver(mail("Old", id: "o@x"), to: ".Archive", flags: "S")
        try home.run("account", "add", "home", "maildir", maildir.path)
        try maildir.deliver(mail("New", id: "n@x"))
        let rights = FileManager.default
        try rights.setAttributes([.posixPermissions: 0], ofItemAtPath: maildir.path + "/.Archive/cur")
        defer { try? rights.setAttributes([.posixPermissions: 0o700], ofItemAtPath: maildir.path + "/.Archive/cur") }
        #expect(try home.run("mail", "list").output.contains("New"))
        // A name that is no UTF-8 is said.
        let bad = try home.run(
            program: "/bin/bash", ["-c", "mkdir -p \"$0\"/$'.bad\\xff'/{cur,new,tmp}", maildir.path])
        #expect(bad.status == 0)
        #expect(try home.run("mail", "index").output.contains("not UTF-8"))
    }

    @Test func linksInAMaildirMakeNoMailTwice() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.deliver(mail("One", id: "1@x"))
        try FileManager.default.createSymbolicLink(atPath: maildir.path + "/self", withDestinationPath: ".")
        #expect(try home.run("account", "add", "home", "maildir", maildir.path).output.contains("1 new"))
        #expect(try home.run("account", "add", "again", "maildir", maildir.path).status == 80)
        try maildir.make(".Sub")
        #expect(try home.run("account", "add", "sub", "maildir", maildir.path + "/.Sub").status == 80)
        #expect(try home.run("account", "add", "none", "maildir", "/etc").status == 66)
        #expect(try home.run("account", "list", "--json").items().count == 1)
    }

    @Test func aConversationIsUnreadIfAnythingInItIs() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.deliver(mail("Plans", id: "a@x", date: "Mon, 16 Nov 2026 09:00:00 +0100"))
        try maildir.deliver(mail("Re: Plans", id: "b@x", headers: ["In-Reply-To: <a@x>"]), flags: "S")
        try home.run("account", "add", "home", "maildir", maildir.path)
        #expect(try home.run("mail", "list", "--threads").output.contains("●"))
        for width in [40, 60, 80] {
            home.environment["COLUMNS"] = "\(width)"
            for command in [["mail", "list", "--threads"], ["mail", "list", "--limit", "1"]] {
                let lines = try home.run(command).output.split(separator: "\n")
                #expect(lines.allSatisfy { $0.count <= width }, "\(width): \(lines)")
            }
        }
    }

    @Test(arguments: [".Archive", "Archive"])
    func aMailboxIsMadeWhereItIsAskedFor(other: String) throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.make(other)
        if other == "Archive" { try FileManager.default.removeItem(atPath: maildir.path + "/cur") }
        try maildir.deliver(mail("One", id: "1@x"), to: other, flags: "S")
        try home.run("account", "add", "home", "maildir", maildir.path)
        let refused = try home.run("mail", "move", "subject:one", "--to", "Projects/House")
        #expect(refused.status == 66 && refused.errors.contains("--create"))
        #expect(try home.run("mail", "move", "subject:one", "--to", "Projects/House", "--create").status == 0)
        #expect(try home.run("mail", "list", "in:projects/house", "--json").items().count == 1)
        let folder = other == "Archive" ? "Projects/House" : ".Projects.House"
        #expect(try maildir.files(folder).count == 1)
        #expect(try home.run("mail", "index", "--full").status == 0)
        #expect(try home.run("mail", "list", "in:projects/house", "--json").items().count == 1)
        try home.run("undo")
        #expect(try maildir.files(folder).isEmpty && maildir.files(other).count == 1)
        #expect(try home.run("mail", "move", "subject:one", "--to", "../up", "--create").status == 64)
    }
}
