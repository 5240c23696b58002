import Foundation
import TestSupport
import Testing

/// Commands without options are made without the argument parser; they must do what they do with one.
@Suite struct PlainFormTests {
    @Test(arguments: [
        ["cal", "week"], ["cal", "day", "fri"], ["cal", "month"], ["cal", "agenda", "this", "week"],
        ["cal", "search", "lunch"], ["cal", "conflicts"], ["tasks", "list"], ["tasks", "next"],
        ["tasks", "list", "project:house"], ["tasks", "board"], ["tasks", "search", "paint"], ["time", "status"],
        ["time", "log"], ["time", "report"], ["time", "report", "--by", "project"],
        ["tasks", "board", "--board", "main"],
        ["tasks", "board", "--board", "none"], ["time", "report", "--by", "colour"], ["today"], ["status"],
        ["search", "paint"],
        ["tasks", "list", "colour:red"],
        ["mail", "list"], ["mail", "inbox"], ["mail", "unread"], ["mail", "search", "house"],
        ["mail", "search", "house", "--by", "rank"], ["mail", "search", "house", "--count"],
        ["mail", "search", "--ids", "house"], ["mail", "search", "house", "--by", "colour"],
        ["mail", "list", "--mailbox", "INBOX"], ["mail", "list", "is:nothing"],
        ["chat", "list"], ["chat", "show", "Notes"], ["chat", "show", "nobody"], ["chat", "read"],
        ["chat", "search", "paint"],
        ["cal", "day", "someday"], ["time", "stop"], ["tasks", "done", "nothing"], ["tasks", "move", "zzzz", "doing"],
    ])
    func readingIsTheSame(command: [String]) throws {
        let home = try HelixHome()
        try home.run("cal", "add", "Lunch fri 12:30")
        try home.run("tasks", "add", "Paint project:house due:today")
        try home.run("chat", "new", "Notes", "--message", "Paint the door")
        let maildir = try TestMaildir(home)
        try maildir.deliver(mail("Site visit", id: "a@x", body: "We meet at the house.\n"))
        try maildir.deliver(mail("House", id: "b@x", body: "Nothing else.\n"), flags: "S")
        try home.run("account", "add", "home", "maildir", maildir.path)
        let plain = try home.run(command)
        let parsed = try home.run(command + ["--color", "never"])
        #expect(plain.output == parsed.output && plain.errors == parsed.errors && plain.status == parsed.status)
    }

    @Test func writingIsTheSame() throws {
        let commands = [
            ["cal", "add", "Lunch fri 12:30"], ["tasks", "add", "Paint due:today"], ["tasks", "done", "text:paint"],
            ["tasks", "add", "Hang it"], ["tasks", "move", "text:hang", "doing"],
            ["tasks", "edit", "text:hang", "+diy", "priority:high"], ["tasks", "edit", "+diy", "-diy"],
            ["time", "start", "Work"], ["chat", "new", "Notes"], ["chat", "send", "Notes", "Paint", "the", "door"],
        ]
        let (one, other) = (try HelixHome(), try HelixHome())
        for command in commands {
            #expect(try one.run(command).status == 0)
            #expect(try other.run(command + ["--color", "never"]).status == 0)
        }
        for list in [["cal", "agenda"], ["tasks", "list", "status:all"], ["time", "log"]] {
            let fields = ["--json", "--fields", "title"]
            #expect(try one.run(list + fields).output == other.run(list + fields).output)
        }
    }
}
