import Foundation
import HelixTerminal
import TestSupport
import Testing

@testable import HelixCommands

/// The program around the places: its keys, its line, its lists and its help.
@Suite struct ScreenProgramTests {
    @Test func anEmptyStoreHasAllPlaces() throws {
        let home = try HelixHome()
        let screen = try ScreenDriver(home)
        let words = [
            ("1", "Nothing is due."), ("2", "No mail accounts yet"), ("3", "No events."), ("4", "No cards."),
            ("5", "No conversations."),
        ]
        for (key, text) in words {
            try screen.press(key)
            #expect(screen.text.contains(text), "\(key): \(screen.text)")
        }
        // Escape never quits.
        try screen.press("esc", "esc")
        #expect(screen.message == "q quits." && !screen.worker.program.isOver)
        try screen.press("q")
        #expect(screen.worker.program.isOver)
    }

    @Test func anyCommandCanBeTypedAndCompleted() throws {
        let home = try HelixHome()
        let screen = try ScreenDriver(home, at: .tasks)
        try screen.press(":")
        try screen.type("task", enter: false)
        try screen.press("tab")
        #expect(screen.message == ":tasks")
        try screen.type("ad", enter: false)
        try screen.press("tab")
        try screen.type("Buy milk --pri", enter: false)
        try screen.press("tab")
        try screen.type("h", enter: false)
        try screen.press("tab")
        #expect(screen.message == ":tasks add Buy milk --priority h")
        try screen.press("ctrl-u")
        try screen.type("tasks add 'Buy milk' --priority high")
        #expect(screen.text.contains("Buy milk"))
        #expect(try home.perform("tasks", "list", "--json").items().first?["priority"] as? String == "high")
        // An error is told, and changes nothing.
        try screen.press(":")
        try screen.type("tasks fly")
        #expect(screen.text.contains("fly"))
        try screen.press(":", "up", "up")
        #expect(screen.message.hasPrefix(":tasks add 'Buy milk' --priority high"))
        try screen.press("esc", ":")
        try screen.type("tasks list")
        #expect(screen.text.contains("helix tasks list") || screen.message.contains("Buy milk"))
    }

    @Test func helpNamesTheCommandOfEachKey() throws {
        let home = try HelixHome()
        try home.perform("tasks", "add", "Buy milk")
        let screen = try ScreenDriver(home, at: .tasks, width: 120, height: 60)
        try screen.press("?")
        #expect(screen.text.contains("helix tasks done "))
        #expect(screen.text.contains("helix undo"))
        for width in [40, 80, 200] {
            screen.worker.program.resize(width: width, height: 30)
            try screen.press("q", "?")
            #expect(screen.text.contains("Mark as done"))
        }
    }

    /// Every key of every place is bound once, has a purpose, and stands for a command that helix has.
    @Test func keysAreClearAndTheirCommandsExist() throws {
        let lists: [(String, [UIBinding])] = [
            ("today", TodayBindings.all), ("mail", MailBindings.list), ("reader", MailBindings.reader),
            ("calendar", CalendarBindings.view), ("moving", CalendarBindings.moving), ("tasks", TaskBindings.all),
            ("chat", ChatBindings.all),
        ]
        for style in UIKeyStyle.allCases {
            var keymap = UIKeymap()
            keymap.style = style
            for (name, list) in lists {
                var known: [String: String] = [:]
                for binding in list + UIBindings.program {
                    #expect(!binding.summary.isEmpty)
                    for keys in keymap.keys(of: binding) {
                        for key in keys.split(separator: " ") {
                            #expect(Key(named: String(key)) != nil, "\(name): '\(key)'")
                        }
                        // The program's own keys may be taken by a place.
                        if UIBindings.program.contains(where: { $0.name == binding.name }), known[keys] != nil {
                            continue
                        }
                        #expect(
                            known[keys] == nil,
                            "\(style) \(name): '\(keys)' is \(known[keys] ?? "") and \(binding.name)")
                        known[keys] = binding.name
                    }
                }
                // No key is the beginning of another, which could never be typed.
                for keys in known.keys {
                    #expect(!known.keys.contains { $0.hasPrefix(keys + " ") }, "\(name): \(keys)")
                }
            }
        }
        for binding in UIBindings.all {
            guard case .command(let template) = binding.deed else { continue }
            let words = template.line.split(separator: " ").map(String.init).filter { !$0.contains("{") }
            #expect(HelixProgram.leafType(words) != nil, "\(template.line)")
        }
    }

    @Test func keysAndColoursAreSettings() throws {
        let home = try HelixHome()
        try home.perform("tasks", "add", "Buy milk")
        #expect(try home.perform("config", "set", "keys.done", "ctrl-x", "f99").status == 64)
        #expect(try home.perform("config", "set", "keys.done", "ctrl-x,F").status == 0)
        #expect(try home.perform("ui", "--keys").errors.isEmpty)
        // A key of one's own takes that of another act, which is told.
        #expect(try home.perform("config", "set", "keys.archive", "z").status == 0)
        #expect(try home.perform("ui", "--keys").errors.contains("snooze (mail)"))
        #expect(try home.perform("config", "set", "keys.snooze", "a").status == 0)
        let told = try home.perform("ui", "--keys").errors
        #expect(!told.contains("snooze (mail)"), "\(told)")
        #expect(try home.perform("config", "set", "keys.fly", "x").errors.contains("names no act"))
        #expect(try home.perform("config", "set", "keys.done", "hyper-x").errors.contains("no key"))
        #expect(try home.perform("config", "get", "keys.done").output == "ctrl-x,F\n")
        let screen = try ScreenDriver(home, at: .tasks)
        try screen.press("x")
        #expect(try home.perform("tasks", "list", "--json").items().count == 1)
        try screen.press("F")
        #expect(try home.perform("tasks", "list", "--json").items().isEmpty)
        #expect(try home.perform("config", "set", "colors.text", "red").status == 64)
        #expect(try home.perform("config", "set", "colors.shade", "#112233").errors.contains("names no colour"))
        #expect(try home.perform("config", "set", "colors.text", "#112233").status == 0)
        #expect(try home.perform("config", "set", "ui.theme", "pink").status == 64)
    }

    @Test func settingsCountAtOnceAndOwnKeysComeFirst() throws {
        let home = try HelixHome()
        for index in 0..<3 { try home.perform("tasks", "add", "Task \(index)") }
        let screen = try ScreenDriver(home, at: .tasks)
        try screen.press(":")
        try screen.type("config set ui.keys vim")
        try screen.press("esc", "G")
        #expect(screen.status.contains("Task 2"))
        try screen.press(":")
        try screen.type("config set keys.done k")
        try screen.press("esc", "?")
        #expect(!screen.text.contains("k, up") && screen.text.contains("Mark as done"))
        try screen.press("q", "k")
        #expect(try home.perform("tasks", "list", "--json").items().count == 2)
        // Nothing means what is given.
        #expect(try home.perform("config", "set", "keys.done", "").status == 0)
        #expect(try ScreenDriver(home, at: .tasks).worker.program.keymap.own.isEmpty)
        // A question of a typed command is asked.
        try screen.press(":")
        try screen.type("tasks delete text:Task --yes")
        try screen.press("esc")
        #expect(try home.perform("tasks", "list", "--json").items().isEmpty)
        try home.perform("tasks", "add", "Another")
        try screen.press(":")
        try screen.type("tasks delete text:Another")
        #expect(screen.message.hasSuffix("[y/n]"))
        try screen.press("y")
        #expect(try home.perform("tasks", "list", "--json").items().isEmpty)
    }

    @Test func vimKeysAreThoseOfVim() throws {
        let home = try HelixHome()
        for index in 0..<5 { try home.perform("tasks", "add", "Task \(index)") }
        let screen = try ScreenDriver(home, at: .tasks, settings: ["HELIX_UI_KEYS": "vim"])
        try screen.press("G")
        #expect(screen.status.contains("Task 4"))
        try screen.press("g")
        #expect(screen.message == "g  g First card")
        try screen.press("g")
        #expect(screen.status.contains("Task 0"))
        try screen.press("d", "d")
        #expect(screen.message.contains("Delete the task"))
        try screen.press("n")
        #expect(try home.perform("tasks", "list", "--json").items().count == 5)
        try screen.press("d", "d", "y")
        #expect(try home.perform("tasks", "list", "--json").items().count == 4)
    }

    @Test func thePaletteFindsAnything() throws {
        let home = try HelixHome()
        try home.perform("tasks", "add", "Water the plants")
        try home.perform("cal", "add", "Dentist tomorrow 9:00")
        try home.perform("contacts", "add", "Ana Ruiz", "--email", "ana@example.org")
        try home.perform("chat", "new", "House")
        let screen = try ScreenDriver(home)
        for (typed, place) in [("plants", "Water the plants"), ("dentist", "Dentist"), ("house", "House")] {
            try screen.press("ctrl-p")
            try screen.type(typed)
            #expect(screen.status.contains(place), "\(typed): \(screen.status)")
        }
        try screen.press("ctrl-p")
        try screen.type("cal conflicts")
        #expect(screen.message == ":cal conflicts")
        try screen.press("esc", "ctrl-p")
        try screen.type("ana ruiz")
        #expect(screen.status.contains("with:"))
        try screen.press("ctrl-p")
        try screen.type("qqqq", enter: false)
        #expect(screen.text.contains("Nothing has these words."))
    }

    @Test func theTourHasThreeScreensAndCanBeSkipped() throws {
        let home = try HelixHome()
        let screen = try ScreenDriver(home)
        screen.worker.program.tour = UITour()
        for page in 1...3 {
            #expect(screen.text.contains("\(page) of 3"))
            try screen.press("enter")
        }
        #expect(!screen.text.contains("of 3"))
        screen.worker.program.tour = UITour()
        try screen.press("s")
        #expect(!screen.text.contains("of 3"))
    }

    /// Nothing is drawn outside of the window, and nothing crashes, in windows of any size.
    @Test func everyWindowIsDrawn() throws {
        let home = try HelixHome()
        try home.perform("tasks", "add", "Water the plants")
        try home.perform("cal", "add", "Dentist tomorrow 9:00")
        try home.perform("chat", "new", "House", "--message", "hello")
        let screen = try ScreenDriver(home)
        for (width, height) in [
            (1, 1), (10, 3), (20, 6), (40, 10), (60, 20), (80, 24), (120, 40), (200, 60), (300, 90),
        ] {
            screen.worker.program.resize(width: width, height: height)
            screen.worker.data.didChange()
            for key in ["1", "2", "3", "D", "M", "Y", "W", "4", "5", "?", "q", "ctrl-p", "esc", ":", "esc"] {
                screen.worker.needsLoad = true
                try screen.press(key)
                #expect(screen.frame.width == width && screen.frame.height == height)
            }
        }
    }

    /// Keys use the store that the program has open, but never one whose file is another now.
    @Test func aRestoredBackupIsShownAndChanged() throws {
        let home = try HelixHome()
        try home.perform("tasks", "add", "Early")
        let backup = home.folder.appendingPathComponent("backup.db").path
        #expect(try home.perform("backup", backup).status == 0)
        try home.perform("tasks", "add", "Late")
        let screen = try ScreenDriver(home, at: .tasks)
        #expect(screen.text.contains("Early") && screen.text.contains("Late"))
        #expect(try home.perform("restore", backup, "--yes").status == 0)
        screen.worker.look()
        try screen.settle()
        #expect(screen.text.contains("Early") && !screen.text.contains("Late"))
        // Restored while no look has noticed it: the command acts on what is there.
        try home.perform("tasks", "add", "Of the first restored")
        #expect(try home.perform("restore", backup, "--yes").status == 0)
        try screen.press(":")
        try screen.type("tasks add Typed")
        let listed = try home.perform("tasks", "list").output
        #expect(listed.contains("Typed") && listed.contains("Early") && !listed.contains("Of the first"))
        #expect(screen.text.contains("Typed") && !screen.text.contains("Of the first"))
    }

    /// What one command has to say is not said by the next one, which has the same store.
    @Test func aCommandSaysNothingOfTheOneBefore() throws {
        let home = try HelixHome()
        let screen = try ScreenDriver(home, at: .cal)
        func says(_ line: String) throws -> String {
            try screen.press(":")
            try screen.type(line)
            return screen.worker.program.message.plain + screen.text
        }
        #expect(try says("cal add Dentist 2026-11-18 11:00-12:00").contains("Dentist"))
        #expect(try says("cal add Lunch 2026-11-18 11:30-12:30").contains("onflict"))
        try screen.press("esc")
        #expect(try says("cal move nothing 2026-11-19").contains("nothing"))
        try screen.press("esc")
        let free = try says("tasks add Paint")
        #expect(!screen.worker.program.message.plain.contains("onflict"), "\(free)")
        // Each was made by the person at the screen, in its own step.
        let history = try home.perform("history", "--json").items()
        #expect(history.prefix(3).allSatisfy { $0["actor"] as? String == "person" }, "\(history.prefix(1))")
    }

    @Test func tenThousandRandomKeysLeaveTheStoreSound() throws {
        let home = try HelixHome()
        let mail = try TestMaildir(home)
        for box in [".Archive", ".Trash", ".Sent", ".Drafts"] { try mail.make(box) }
        for index in 0..<20 { try mail.deliver(TestSupport.mail("Message \(index)", id: "m\(index)@x")) }
        try home.perform("account", "add", "home", "maildir", mail.path, "--address", "me@example.org")
        for index in 0..<8 {
            try home.perform("tasks", "add", "Task \(index)", "--project", "House")
            try home.perform("cal", "add", "Event \(index)", "--start", "2026-11-\(16 + index) 1\(index):00")
        }
        try home.perform("chat", "new", "House", "--message", "hello")
        var generator = SeededGenerator(seed: UInt64(Corpora.isBrief ? 1 : 2))
        var screen = try ScreenDriver(home)
        let keys =
            "abcdefghijklmnopstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ12345/:?+-*=<>[]!$".map(String.init)
            + [
                "enter", "esc", "esc", "esc", "tab", "space", "up", "down", "left", "right", "ctrl-p", "ctrl-r",
                "backspace",
            ]
        // Those that start other programs, and the end.
        let spared: Set<String> = ["$", "Q"]
        for _ in 0..<Corpora.samples(10_000) {
            let key = keys.randomElement(using: &generator) ?? "j"
            if spared.contains(key) { continue }
            // A command that needs the terminal would start the program of these tests.
            if screen.worker.program.line == nil, screen.worker.program.chooser == nil,
                case .binding(let binding) = screen.worker.program.keymap.match(
                    [Key(key)], in: [screen.worker.program.current.bindings, UIBindings.program]),
                case .command(let template) = binding.deed, template.needsTerminal
            {
                continue
            }
            if case .command? = screen.worker.program.line?.kind, key == "enter" { continue }
            try screen.press(key)
            guard screen.worker.program.isOver else { continue }
            let place = UIPlaceName.allCases.randomElement(using: &generator) ?? .today
            let widths = [40, 80, 120, 200]
            screen = try ScreenDriver(home, at: place, width: widths.randomElement(using: &generator) ?? 80)
        }
        let checks = try home.perform("doctor", "--json").items()
        #expect(checks.count > 3)
        #expect(checks.filter { $0["state"] as? String == "failed" }.isEmpty, "\(checks)")
        // The keys did something.
        #expect(try home.perform("history", "--json", "--limit", "all").items().count > 40)
    }
}
