import Foundation
import TestSupport
import Testing

/// Words for commands that people bring along, and those that they make.
@Suite struct AliasTests {
    @Test(arguments: [
        (["task", "list"], ["tasks", "list"]), (["tasks", "ls"], ["tasks", "list"]),
        (["calendar", "week"], ["cal", "week"]),
        (["cal", "ls"], ["cal", "agenda"]), (["project", "ls"], ["projects", "list"]),
        (["email", "ls"], ["mail", "list"]),
        (["account", "ls"], ["account", "list"]), (["time", "ls"], ["time", "log"]), (["todo"], ["tasks"]),
        (["tasks", "boards", "ls"], ["tasks", "boards", "list"]), (["board"], ["tasks", "board"]),
        (["-V"], ["--version"]),
    ])
    func otherWordsMeanTheSameCommand(_ typed: [String], _ meant: [String]) throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "One")
        let (one, other) = (try home.run(typed), try home.run(meant))
        #expect(
            one.status == 0 && one.output == other.output && one.errors == other.errors, "\(one.output)\(one.errors)")
    }

    @Test(arguments: [
        (["help", "todo"], "helix tasks"), (["help", "task", "ls"], "helix tasks list"),
        (["help", "events"], "helix cal"), (["help", "cal", "rm"], "helix cal delete"),
    ]) func helpKnowsTheSameWords(_ words: [String], _ usage: String) throws {
        let help = try HelixHome().run(words)
        #expect(help.status == 0 && help.output.contains("USAGE: \(usage)"), "\(help.output)\(help.errors)")
    }

    @Test func anInboxWithoutAnAccountIsEmpty() throws {
        let home = try HelixHome()
        for words in [["mail"], ["inbox"], ["mails"], ["mail", "list", "INBOX"]] {
            let list = try home.run(words)
            #expect(list.status == 0 && ["The inbox is empty.\n", "No messages.\n"].contains(list.output), "\(list)")
            #expect(list.errors.contains("No mail accounts yet"))
        }
    }

    @Test func shortVerbsChangeThings() throws {
        let home = try HelixHome()
        try home.run("task", "new", "One")
        try home.run("tasks", "create", "Two")
        let ids = try HelixHome.ids(home.run("tasks", "ls", "--json"))
        #expect(ids.count == 2)
        #expect(try home.run("tasks", "rm", ids[0], "--yes").status == 0)
        #expect(try home.run("tasks", "modify", ids[1], "priority:high").status == 0)
        let calendar = try home.run("cal", "new", "Lunch tomorrow 12:00")
        #expect(calendar.status == 0, "\(calendar.errors)")
        #expect(try home.run("tasks", "ls", "--json").items().count == 1)
        // A word of a command stays one.
        #expect(try home.run("tasks", "add", "ls rm new").status == 0)
        #expect(try home.run("search", "rm").output.contains("ls rm new"))
    }

    @Test func ownNamesStandForCommands() throws {
        let home = try HelixHome()
        let set = try home.run("config", "set", "alias.standup", "cal add 'Stand up' --end 9:15")
        #expect(set.status == 0, "\(set.errors)")
        let added = try home.run("standup", "tomorrow 9:00")
        #expect(added.status == 0 && added.output.contains("Stand up"), "\(added.output)\(added.errors)")
        #expect(try home.run("config", "get", "alias.standup").output == "cal add 'Stand up' --end 9:15\n")
        #expect(try home.run("config", "list").output.contains("alias.standup"))
        #expect(try home.run("config", "unset", "alias.standup").status == 0)
        #expect(try home.run("standup", "tomorrow 9:00").status == 64)
        // One that hides a command, or stands for none, is refused.
        #expect(try home.run("config", "set", "alias.tasks", "cal week").status == 64)
        #expect(try home.run("config", "set", "alias.x", "nonsense").errors.contains("does not begin with a command"))
        #expect(try home.run("config", "set", "alias.x", "cal add 'open").status == 78)
    }

    @Test func programsOnThePathAreCommands() throws {
        let home = try HelixHome()
        let program = try home.write("#!/bin/sh\necho \"foo: $*\"; exit 7\n", to: "helix-foo")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        home.environment["PATH"] = home.folder.path + ":/usr/bin:/bin"
        let result = try home.run("foo", "bar", "--baz", "a b")
        #expect(result.status == 7 && result.output == "foo: bar --baz a b\n", "\(result.output)\(result.errors)")
        #expect(try home.run("bar").status == 64)
    }

    /// A program on the PATH that an agent runs works under the agent's profile.
    @Test func programsWorkUnderTheProfile() throws {
        let home = try HelixHome()
        let program = try home.write("#!/bin/sh\necho \"$HELIX_AS $HELIX_RUN\"\n", to: "helix-foo")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        home.environment["PATH"] = home.folder.path + ":/usr/bin:/bin"
        home.environment["HELIX_RUN"] = "r9"
        #expect(try home.run("--as", "read-only", "foo").output == "read-only r9\n")
        try home.run("config", "set", "agent.bot.commands", "tasks list")
        #expect(try home.run("--as", "bot", "foo").status == 77)
        try home.run("config", "set", "agent.bot.commands", "tasks list,foo")
        #expect(try home.run("--as", "bot", "foo").output == "bot r9\n")
    }
}
