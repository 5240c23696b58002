import Foundation
import HelixTerminal
import TestSupport
import Testing

@testable import HelixCommands

/// The pictures of `helix ui` in the documentation are what it draws. `HELIX_WRITE_STILLS=1` writes them anew.
@Suite struct StillTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/stills")

    /// A morning of somebody who builds houses. It is Wednesday, 18 November 2026.
    private func home() throws -> HelixHome {
        let home = try HelixHome()
        let mail = try TestMaildir(home)
        for box in [".Archive", ".Trash", ".Sent", ".Drafts"] { try mail.make(box) }
        let letters: [(String, String, String)] = [
            (
                "Ana Ruiz <ana@example.org>", "Keys for the house",
                "I left the keys with the neighbour.\nCan you come on Friday?"
            ),
            (
                "Bo Lindqvist <bo@example.net>", "Re: Windows, second offer",
                "The price holds until the end of the month."
            ),
            ("Water works <info@water.example>", "Invoice 4711", "Your invoice for October is attached."),
            ("Chen Wei <chen@example.com>", "Plan of the kitchen", "The plan is at https://plans.example/kitchen/7."),
            ("Dora Klein <dora@work.example>", "Lunch on Thursday?", "At the bridge, 12:30?"),
            ("Bo Lindqvist <bo@example.net>", "Windows, first offer", "Please find our offer below."),
        ]
        for (place, letter) in letters.enumerated() {
            let text = """
                From: \(letter.0)
                To: Me <me@example.org>
                Subject: \(letter.1)
                Date: Wed, 18 Nov 2026 0\(9 - place):1\(place):00 +0100
                Message-ID: <still\(place)@example.org>
                Content-Type: text/plain; charset=utf-8

                Hello,

                \(letter.2)

                """
            try mail.deliver(text.replacingOccurrences(of: "\n", with: "\r\n"))
        }
        for words in [
            ["account", "add", "home", "maildir", mail.path, "--address", "me@example.org"],
            ["cal", "calendars", "add", "site", "orange"], ["cal", "add", "Standup", "2026-11-18", "9:30-9:45"],
            ["cal", "add", "Visit the site", "2026-11-18", "11:00-12:30", "--calendar", "site"],
            ["cal", "add", "Dentist", "2026-11-18", "12:00-12:45"],
            ["cal", "add", "Windows are delivered", "2026-11-20", "8:00-10:00", "--calendar", "site"],
            ["cal", "add", "Lunch with Dora", "2026-11-19", "12:30-13:30"],
            ["cal", "add", "Plan the kitchen", "2026-11-17", "14:00-16:00", "--calendar", "site"],
            ["cal", "add", "Fair", "2026-11-20"],
            ["projects", "add", "house", "--customer", "Ana Ruiz", "--rate", "48", "--currency", "EUR"],
        ] { #expect(try home.perform(words).status == 0, "\(words)") }
        for (title, column, options) in [
            ("Order windows", "doing", ["--due", "2026-11-18", "--priority", "high"]),
            ("Measure the rooms", "review", []), ("Sockets in the hall", "todo", ["--due", "2026-11-20"]),
            ("Paint the door", "todo", ["--estimate", "3h"]), ("Strip the walls", "done", []),
        ] {
            try home.perform(["tasks", "add", "--project", "house", "--column", column] + options + ["--", title])
        }
        try home.perform("chat", "new", "House", "--message", "Who has the keys?")
        try home.perform("time", "add", "8:00-9:30", "Walls", "--project", "house", "--billable")
        return home
    }

    /// Keys, and the name of the picture after them.
    private static let course: [(keys: [String], name: String)] = [
        ([], "today"), (["2"], "mail"), (["enter"], "message"), (["q", "3"], "calendar"), (["4"], "tasks"),
        (["ctrl-p", "k", "e", "y"], "palette"),
    ]

    @Test func thePicturesAreCurrent() throws {
        let home = try home()
        let names = try idNames(home)
        func still(_ frames: [ScreenFrame], _ title: String) throws -> String {
            try names.reduce(FrameStill.text(frames, title: title)) { $0.replacing($1.id, with: $1.name) }
        }
        let screen = try ScreenDriver(
            home, at: .today, width: 110, height: 30,
            settings: ["HELIX_UI_TOUR": "false", "HELIX_UI_THEME": "dark"])
        var frames: [ScreenFrame] = []
        for (keys, name) in Self.course {
            try screen.press(keys)
            frames.append(screen.frame)
            try compare(try still([screen.frame], "helix ui: \(name)"), "ui-\(name).svg")
        }
        try compare(try still(frames, "A morning with helix ui"), "ui.svg")
    }

    /// The short ids of all items, which are random, with those that stand in the pictures.
    private func idNames(_ home: HelixHome) throws -> [(id: String, name: String)] {
        let lists = [
            ["tasks", "list", "status:all", "--sort", "title"], ["mail", "list"],
            ["cal", "agenda", "2026-11", "--sort", "title"],
        ]
        let ids = try lists.flatMap { try home.perform($0 + ["--json"]).items() }.compactMap { $0["id"] as? String }
        let signs = Array("bdfhkmqrtvxz")
        return ids.enumerated().map { place, id in
            (
                String(id.prefix(4)),
                "\(signs[place % 12])\(place % 9 + 1)\(signs[(place * 5 + 3) % 12])\((place * 7) % 10)"
            )
        }
    }

    private func compare(_ drawn: String, _ name: String) throws {
        let file = Self.folder.appendingPathComponent(name)
        let isWritten = ProcessInfo.processInfo.environment["HELIX_WRITE_STILLS"] != nil
        if isWritten {
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            try Data(drawn.utf8).write(to: file)
        }
        let known = try String(contentsOf: file, encoding: .utf8)
        #expect(
            known == drawn,
            "\(name) is not what helix draws: HELIX_WRITE_STILLS=1 swift test --filter StillTests writes it.")
    }
}
