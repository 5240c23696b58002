import Foundation
import TestSupport
import Testing

@testable import HelixCommands

/// The most frequent commands are created without the argument parser, with the options of all lists too. Whatever is typed
/// after them, both ways must read the same: a command with `--color never` is always read by the parser.
@Suite struct PlainOptionTests {
    private static let commands: [[String]] = [
        ["cal", "week"], ["cal", "day", "fri"], ["cal", "month"], ["cal", "agenda"], ["cal", "search", "lunch"],
        ["cal", "conflicts"], ["tasks", "list"], ["tasks", "list", "project:house"], ["tasks", "next"],
        ["tasks", "search", "paint"], ["tasks", "board"], ["time", "status"], ["time", "log"], ["time", "report"],
        ["today"], ["status"], ["search", "paint"], ["mail", "list"], ["mail", "inbox"], ["mail", "unread"],
        ["mail", "search", "house"], ["chat", "list"], ["chat", "show", "Notes"], ["chat", "read"],
        ["chat", "search", "paint"], ["ui"], ["ui", "mail"], ["ui", "nowhere"], ["ui", "mail", "cal"],
    ]

    private static let options: [[String]] = [
        ["--limit", "1"], ["--limit=1"], ["--limit", "all"], ["--limit", "0"], ["--limit", "-1"], ["--limit", "x"],
        ["--limit"], ["--limit="], ["--json"], ["--jsonl"], ["--json=yes"], ["--jsonl", "--limit=1"],
        ["--fields", "id,title"], ["--fields="], ["--fields", ","], ["--fields", "colour"], ["--columns", "id,title"],
        ["--columns", "id", "--json"], ["--json", "--jsonl"], ["--ids"], ["--ids", "--json"], ["--reverse"],
        ["--sort", "title"], ["--sort", "-title"], ["--sort", ","], ["--format", "{title} {id}"], ["--format={title}"],
        ["--after", "zzzz"], ["--tz", "Asia/Tokyo"], ["--tz", "Nowhere"], ["--ascii"], ["--quiet"],
        ["--quiet", "--verbose"], ["--count"], ["--by", "rank"], ["--colour", "x"], ["--", "--json"], ["-q"],
    ]

    @Test func optionsAreReadTheSame() throws {
        let home = try HelixHome()
        try home.perform("cal", "add", "Lunch fri 12:30")
        try home.perform("cal", "add", "Supper fri 12:45")
        for title in ["Paint", "Hang", "Clean"] { try home.perform("tasks", "add", "\(title) project:house due:today") }
        try home.perform("time", "add", "Work 9:00-10:00")
        try home.perform("chat", "new", "Notes", "--message", "Paint the door")
        let maildir = try TestMaildir(home)
        try maildir.deliver(mail("Site visit", id: "a@x", body: "We meet at the house.\n"))
        try maildir.deliver(mail("House", id: "b@x", body: "Nothing else.\n"), flags: "S")
        try home.perform("account", "add", "home", "maildir", maildir.path)
        // Each command with a third of the options, and all with HELIX_THOROUGH.
        let step = ProcessInfo.processInfo.environment["HELIX_THOROUGH"] == nil ? 3 : 1
        var plain = 0
        for (row, command) in Self.commands.enumerated() {
            for (column, option) in Self.options.enumerated() where (row + column).isMultiple(of: step) {
                let words = command + option
                if PlainForms.command(words) != nil { plain += 1 }
                let direct = try home.perform(words)
                // Before the words after which nothing is an option.
                let place = words.firstIndex(of: "--") ?? words.count
                let parsed = try home.perform(
                    Array(words[..<place]) + ["--color", "never"] + Array(words[place...]))
                #expect(
                    direct.output == parsed.output && direct.errors == parsed.errors && direct.status == parsed.status,
                    "\(words): \(direct.status) \(direct.errors) / \(parsed.status) \(parsed.errors)")
            }
        }
        // Most of the valid ones need no parser.
        #expect(plain > Self.commands.count * 12 / step, "\(plain)")
    }
}
