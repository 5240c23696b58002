import Foundation
import TestSupport
import Testing

/// What an import leaves out, and an export cannot write, is said; the rest is as it was.
@Suite struct ImportLossTests {
    @Test func aTaskThatWasStartedKeepsItsColumn() throws {
        let (home, other) = (try HelixHome(), try HelixHome())
        for title in ["Aa", "Bb"] { #expect(try home.run("tasks", "add", title).status == 0) }
        let ids = try home.run("tasks", "list", "--ids").output.split(separator: "\n").map(String.init)
        for id in ids { #expect(try home.run("tasks", "move", id, "doing").status == 0) }
        #expect(try home.run("tasks", "start", ids[0]).status == 0)
        let file = home.folder.path + "/x.ics"
        #expect(try home.run("tasks", "export", "-o", file).status == 0)
        #expect(try other.run("tasks", "import", file).status == 0)
        let columns = try other.run("tasks", "list", "--format", "{column}").output
        #expect(columns == "doing\ndoing\n")
    }

    @Test(arguments: ["todotxt", "markdown"]) func aListForPeopleNamesWhatItCannotHold(format: String) throws {
        let home = try HelixHome()
        for title in ["Plain", "Mail about @home +now", "Moved", "Started"] {
            #expect(try home.run("tasks", "add", "--", title).status == 0)
        }
        func id(_ title: String) throws -> String {
            try home.run("tasks", "search", title, "--ids").output.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        #expect(try home.run("tasks", "move", try id("Moved"), "review").status == 0)
        #expect(try home.run("tasks", "start", try id("Started")).status == 0)
        let exported = try home.run("tasks", "export", "--format", format)
        #expect(exported.status == 0)
        #expect(exported.errors.contains("2 columns"), "\(exported.errors)")
        #expect(exported.errors.contains("1 start of work"), "\(exported.errors)")
        #expect(exported.errors.contains("1 title that reads as fields"), "\(exported.errors)")
    }

    @Test func googlesListsAreProjectsAndItsDeletedTasksStayDeleted() throws {
        let home = try HelixHome()
        let json = """
            {"kind": "tasks#taskLists", "items": [{"kind": "tasks#tasks", "id": "l", "title": "Garden", "items": [
            {"kind": "tasks#task", "id": "1", "title": "Water", "status": "needsAction"},
            {"kind": "tasks#task", "id": "2", "title": "Gone", "status": "needsAction", "deleted": true},
            {"kind": "tasks#task", "id": "3", "title": "", "status": "needsAction"}]}]}
            """
        let imported = try home.run("tasks", "import", try home.write(json, to: "Tasks.json"))
        #expect(imported.output.contains("Imported 1 new"), "\(imported.output)\(imported.errors)")
        #expect(imported.output.contains("Not imported: deleted tasks (1), tasks without a title (1)"))
        #expect(try home.run("tasks", "list", "status:all", "--format", "{title} {project}").output == "Water Garden\n")
    }

    @Test func aMessageInTwoFoldersComesTwiceAndOnce() throws {
        let home = try HelixHome()
        let folder = home.folder.appendingPathComponent("tb")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("Inbox.sbd"), withIntermediateDirectories: true)
        func message(_ number: Int, _ status: String) -> String {
            "From - Mon Nov 16 10:00:00 2026\nX-Mozilla-Status: \(status)\nFrom: a@x\nSubject: \(number)\n"
                + "Message-ID: <\(number)@x>\nDate: Mon, 16 Nov 2026 10:00:00 +0000\n\nText\n\n"
        }
        let text = message(1, "0005") + message(2, "0009")
        for name in ["Inbox", "Inbox.sbd/Sub"] {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        let first = try home.run("mail", "import", folder.path, "--json")
        let item = try #require(try first.json()["copied"] as? Int ?? (try first.items().first?["copied"] as? Int))
        #expect(item == 2, "\(first.output)")
        let boxes = try home.run("mail", "mailboxes", "--format", "{name} {messages}").output
        #expect(boxes.contains("INBOX 1\n") && boxes.contains("Sub 1\n"), "\(boxes)")
        let again = try home.run("mail", "import", folder.path)
        #expect(
            again.output.contains("2 existed already") && again.output.contains("2 messages were deleted"),
            "\(again.output)")
        #expect(try home.run("mail", "search", "*", "--count").output == "2\n")
    }

    @Test func everythingIsAQueryAndAnEmptyAddressIsNone() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.deliver(mail("One", id: "1@x"))
        try maildir.deliver(mail("Two", id: "2@x"))
        #expect(try home.run("account", "add", "home", "maildir", maildir.path).status == 0)
        #expect(try home.run("mail", "export", "*", "--out", home.folder.path + "/all.mbox").status == 0)
        #expect(try home.run("mail", "mark", "read", "*", "--dry-run", "--json").items().count == 2)
        #expect(try home.run("search", "*").status == 0)
        #expect(try home.run("cal", "search", "*").status == 0)
        let sent = try home.run("mail", "new", "--to", "", "--cc", "a@example.org", "-s", "x", "-b", "y", "--send")
        #expect(sent.status == 64 && sent.errors.contains("'' is not a mail address"), "\(sent.errors)")
    }

    @Test func whatIsUnknownInTheEnvironmentAndInHelpIsSaid() throws {
        let home = try HelixHome()
        home.environment["HELIX_CALENDAR_HOUR"] = "9-10"
        #expect(try home.run("today").errors.contains("did you mean HELIX_CALENDAR_HOURS?"))
        home.environment["HELIX_CALENDAR_HOUR"] = nil
        #expect(try home.run("config", "set", "alias.st", "cal add Standup").status == 0)
        let help = try home.run("help", "st")
        #expect(
            help.status == 0 && help.output.hasPrefix("'st' is an alias for 'cal add Standup'.\n"), "\(help.output)")
        #expect(help.output.contains("USAGE: helix cal add"))
        #expect(try home.run("help", "sst").status == 64)
    }
}
