import Foundation
import HelixTerminal
import TestSupport
import Testing

@testable import HelixCommands

/// A whole morning by keys: the store is the same as after the same by commands.
@Suite struct ScreenMorningTests {
    /// A home at the beginning of the morning.
    private func home() throws -> HelixHome {
        let home = try HelixHome()
        let mail = try TestMaildir(home)
        for box in [".Archive", ".Trash", ".Sent", ".Drafts", ".Bills"] { try mail.make(box) }
        for index in 0..<40 {
            let minute = String(format: "%02d", index)
            try mail.deliver(
                TestSupport.mail("Mail \(index)", id: "m\(index)@x", date: "Tue, 17 Nov 2026 10:\(minute):00 +0100"))
        }
        try home.perform("account", "add", "home", "maildir", mail.path, "--address", "me@example.org")
        for (title, start) in [("Planning", "18 12:00"), ("Review", "19 15:00"), ("Dentist", "20 09:00")] {
            try home.perform("cal", "add", title, "--start", "2026-11-\(start)", "--duration", "1h")
        }
        for title in ["Alpha", "Beta", "Gamma", "Delta", "Epsilon"] { try home.perform("tasks", "add", "--", title) }
        try home.perform("chat", "new", "House", "--message", "Who has the keys?")
        try home.perform("chat", "new", "Work", "--message", "Ready?")
        return home
    }

    /// What the store says, without identities.
    private func state(_ home: HelixHome) throws -> [String: [String]] {
        func rows(_ words: [String], _ fields: String...) throws -> [String] {
            try home.perform(words + ["--json", "--limit", "all"]).items().map { item in
                fields.map { "\(item[$0] ?? "")" }.joined(separator: " | ")
            }
        }
        return [
            "mail": try rows(["mail", "list"], "subject", "mailbox", "flags", "labels"),
            "events": try rows(["cal", "agenda", "2026-11-01", "--days", "60"], "title", "start", "end"),
            "board": try rows(["tasks", "board"], "title", "column", "status"),
            "House": try rows(["chat", "show", "House"], "content"),
            "Work": try rows(["chat", "show", "Work"], "content"),
            "timer": try rows(["time", "log", "today"], "title"),
        ]
    }

    @Test func aMorningByKeysIsAMorningByCommands() throws {
        let (one, two) = (try home(), try home())
        // By keys.
        let screen = try ScreenDriver(one, at: .mail)
        var count = 0
        func press(_ keys: String...) throws {
            try screen.press(keys)
            count += keys.count
        }
        func type(_ text: String) throws {
            try screen.type(text)
            count += text.count + 1
        }
        try press("!")
        for index in (0..<40).reversed() {
            switch index % 8 {
            case 0: try press("a")
            case 1: try press("d")
            case 2:
                try press("z", "ctrl-u")
                try type("fri 9:00")
            case 3: try press("x", "a")
            case 4:
                try press("s")
                try type("Bills")
            case 5: try press("F", "space")
            case 6: try press("a", "u", "d")
            default: try press("n")
            }
        }
        try press("3", "m", "l", "j", "j", "enter")
        try press("j", "m", "+", "+", "enter")
        try press("l", "m", "J", "enter")
        try press("4", "home", "L", "L", "h", "h", "down", "J", "x", "home", "s")
        try press("5", "i")
        try type("I have them.")
        try press("esc", "n", "i")
        try type("Yes, in a minute.")
        try press("esc", "1")
        #expect(count >= 200, "\(count) keys")
        // By commands.
        func run(_ words: String...) throws {
            let result = try two.perform(words)
            #expect(result.status == 0, "\(words): \(result.errors)")
        }
        for index in (0..<40).reversed() {
            let id = try #require(
                try two.perform("mail", "list", "subject:\"Mail \(index)\"", "--ids").output.split(separator: "\n")
                    .last.map(String.init))
            // Whatever is opened counts as read.
            try run("mail", "mark", "read", id)
            switch index % 8 {
            case 0: try run("mail", "archive", id)
            case 1, 6: try run("mail", "trash", id)
            case 2: try run("mail", "snooze", id, "fri 9:00")
            case 3:
                try run("tasks", "add", "--from-mail", id)
                try run("mail", "archive", id)
            case 4: try run("mail", "move", id, "--to", "Bills")
            case 5: try run("mail", "mark", "starred", id)
            default: break
            }
        }
        func event(_ title: String) throws -> String {
            try #require(
                try two.perform("cal", "agenda", "2026-11-01", "--days", "60", "--json").items()
                    .first { $0["title"] as? String == title }?["id"] as? String)
        }
        let (first, second) = (try state(one), try state(two))
        #expect(first["mail"] == second["mail"])
        try run("cal", "move", event("Planning"), "2026-11-19 12:30")
        try run("cal", "edit", event("Review"), "--end", "2026-11-19 16:30")
        try run("cal", "move", event("Dentist"), "2026-11-20 10:00")
        func task(_ title: String) throws -> String {
            try #require(
                try two.perform("tasks", "list", "--json").items().first { $0["title"] as? String == title }?["id"]
                    as? String)
        }
        try run("tasks", "move", task("Alpha"), "--next")
        try run("tasks", "move", task("Alpha"), "--next")
        // Of todo, now Beta, Gamma, Delta …, the second one goes down and is done, and the clock runs for the first one.
        try run("tasks", "move", task("Gamma"), "--after", task("Delta"))
        try run("tasks", "done", task("Gamma"))
        let board = try state(one)["board"] ?? []
        #expect(board.contains { $0.hasPrefix("Alpha | review") })
        // The conversation with the last message is first.
        let isWorkFirst = try state(one)["Work"]?.contains("I have them.") == true
        try run("chat", "send", "Work", isWorkFirst ? "I have them." : "Yes, in a minute.")
        try run("chat", "send", "House", isWorkFirst ? "Yes, in a minute." : "I have them.")
        try run("tasks", "start", task("Beta"))
        let (keys, commands) = (try state(one), try state(two))
        for (name, rows) in commands { #expect(keys[name] == rows, "\(name)") }
        #expect(try one.perform("doctor").status == two.perform("doctor").status)
    }
}
