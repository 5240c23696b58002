import Foundation
import TestSupport
import Testing

/// `helix ui` in a real terminal emulator.
@Suite struct ScreenWindowTests {
    private func home() throws -> HelixHome {
        let home = try HelixHome()
        home.environment["HELIX_UI_TOUR"] = "false"
        home.environment["EDITOR"] = "sh -c 'printf \"A text.\\n\" >> \"$1\"' editor"
        try home.run("tasks", "add", "Paint the door", "--due", "today")
        try home.run("cal", "add", "Planning", "--start", "2026-11-18 12:00", "--duration", "1h")
        return home
    }

    /// What was on the terminal before is there again, and its modes are as they were.
    private func check(_ window: TerminalWindow, status: Int) {
        #expect(window.last.contains("BEFORE") && !window.last.contains("Planning"), "\(window.last)")
        #expect(window.isRestored)
        #expect(window.status == status)
    }

    @Test(arguments: [("q", 0), ("Q", 0), ("C-c", 0)])
    func theTerminalIsRestoredAtTheEnd(_ key: String, _ status: Int) throws {
        check(try TerminalWindow(home(), ["ui"], [.see("Planning"), .press([key])]), status: status)
    }

    @Test(arguments: [("SIGTERM", 0), ("SIGHUP", 0), ("SIGSEGV", 139), ("SIGABRT", 134), ("SIGILL", 132)])
    func theTerminalIsRestoredAfterASignal(_ signal: String, _ status: Int) throws {
        let home = try home()
        home.environment["SWIFT_BACKTRACE"] = "enable=no"
        check(try TerminalWindow(home, ["ui"], [.see("Planning"), .signal(signal)]), status: status)
    }

    @Test func aStoppedProgramGoesOn() throws {
        let window = try TerminalWindow(
            home(), ["ui"],
            [
                .see("Planning"), .signal("SIGTSTP"), .pause(0.3), .signal("SIGCONT"), .see("Planning"), .press(["2"]),
                .see("No mail accounts yet"), .press(["q"]),
            ])
        check(window, status: 0)
    }

    @Test func theScreenFollowsTheWindow() throws {
        let window = try TerminalWindow(
            home(), ["ui"], width: 80, height: 24,
            [
                .see("Planning"), .resize(200, 50), .see("Wed 18 Nov 2026 10:20"), .keep("wide"), .resize(60, 20),
                .unseen("Wed 18 Nov 2026 10:20"), .see("? help"), .keep("small"), .press(["q"]),
            ])
        check(window, status: 0)
        #expect(window.kept["small"]?.contains("Planning") == true)
    }

    @Test func whatOthersChangeIsSeen() throws {
        let home = try home()
        let window = try TerminalWindow(
            home, ["ui"],
            [
                .see("Planning"), .run(["tasks", "add", "Water the plants", "--due", "today"]),
                .see("Water the plants"),
                .press(["q"]),
            ])
        check(window, status: 0)
    }

    @Test func aMessageIsWrittenInTheEditor() throws {
        let home = try home()
        home.environment["HELIX_MAIL_SEND"] = nil
        let mail = try TestMaildir(home)
        for box in [".Drafts", ".Sent"] { try mail.make(box) }
        try mail.deliver(TestSupport.mail("Lunch", id: "lunch@x"))
        try home.run(
            "account", "add", "home", "maildir", mail.path, "--address", "me@example.org", "--sendmail", "/bin/true")
        let window = try TerminalWindow(
            home, ["ui", "mail"],
            [
                .see("Lunch"), .press(["r"]), .see("y sends it"), .see("A text."), .keep("review"),
                // It is reviewed: another subject, then it is kept.
                .press(["s"]), .see("Subject:"), .press(["C-u"]), .type("Dinner"), .press(["Enter"]), .see("kept"),
                .see("Dinner"), .press(["q"]), .see("Kept as a draft"), .keep("back"),
                // A second one leaves.
                .press(["r"]), .see("y sends it"), .see("A text."), .press(["y"]), .unseen("y sends it"),
                .see("Inbox"), .press(["q"]),
            ])
        check(window, status: 0)
        #expect(window.kept["review"]?.contains("Re: Lunch") == true)
        #expect(window.kept["back"]?.contains("Lunch") == true)
        let drafts = try home.run("mail", "drafts", "--json").items()
        #expect(drafts.contains { $0["subject"] as? String == "Dinner" })
        // It left at once, as the setting mail.send says.
        #expect(try home.run("outbox", "--json").items().isEmpty)
        #expect(
            try home.run("mail", "list", "in:sent", "--json").items().map { $0["subject"] as? String } == ["Re: Lunch"])
    }

    /// A typed command that fails on the terminal is not shown as if it had run.
    @Test func aFailedCommandIsSaid() throws {
        let window = try TerminalWindow(
            home(), ["ui"],
            [
                .see("Planning"), .press([":"]), .see(":"), .type("frobnicate"), .press(["Enter"]),
                .see("Enter goes back"), .press(["Enter"]), .see("it failed (64)"), .press(["q"]),
            ])
        check(window, status: 0)
    }

    /// A text that is still at its server is fetched beside the screen; without the server, the screen says so.
    @Test func aTextThatIsNotStoredIsFetchedBesideTheScreen() throws {
        let site = try MailSite()
        try site.client("for n in range(2): put('INBOX', f'M{n}', None, None, 1700000000 + n)")
        let home = try site.home()
        home.environment["HELIX_UI_TOUR"] = "false"
        try home.run("account", "edit", "work", "--bodies", "on-demand")
        try home.run("sync")
        home.environment["HELIX_BACKGROUND"] = "on"
        let window = try TerminalWindow(
            home, ["ui", "mail"],
            [.see("M1"), .press(["Enter"]), .see("Text of M1"), .press(["q"]), .see("M0"), .press(["q"])])
        check(window, status: 0)
        site.imap.stop()
        let offline = try TerminalWindow(
            home, ["ui", "mail"],
            [
                .see("M0"), .press(["Down"]), .press(["Enter"]), .see("could not be fetched"), .keep("failed"),
                .press(["q"]), .see("M1"), .press(["q"]),
            ])
        check(offline, status: 0)
        #expect(offline.kept["failed"]?.contains("M0") == true)
    }

    /// Keys that are read at once, as over a slow line, each act on what the one before has left.
    @Test func keysThatArriveTogetherActOneAfterTheOther() throws {
        let home = try home()
        let mail = try TestMaildir(home)
        try mail.make(".Archive")
        for index in 1...5 {
            try mail.deliver(
                TestSupport.mail("Letter \(index)", id: "l\(index)@x", date: "Tue, 17 Nov 2026 0\(index):00:00 +0100"))
        }
        try home.run("account", "add", "home", "maildir", mail.path)
        let window = try TerminalWindow(
            home, ["ui", "mail"],
            [
                .see("Letter 5"), .type("aaa"), .see("1 of 2"), .keep("archived"), .type("uu"), .see("of 4"),
                .press(["q"]),
            ])
        check(window, status: 0)
        #expect(window.kept["archived"]?.contains("Letter 2") == true)
        let archived = try home.run("mail", "list", "in:archive", "--json").items()
        #expect(archived.map { $0["subject"] as? String } == ["Letter 5"])
    }

    @Test func helixAloneOpensItIfTheSettingsSaySo() throws {
        let home = try home()
        try home.run("config", "set", "default.ui", "true")
        check(try TerminalWindow(home, [], [.see("? help"), .press(["q"])]), status: 0)
        // Programs get what they always got.
        #expect(try home.run([]).output.contains("Planning"))
        #expect(try home.run("ui").status == 64)
        home.environment["TERM"] = "dumb"
    }

    /// Messages of others arrive while one looks, and leave while one writes.
    @Test func chatIsLive() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        _ = try ana.run("chat", "new", "House", "--with", "bob", "--group", "-m", "hello")
        try HelixHome.sync(ana, bob)
        for home in [ana, bob] { home.environment["HELIX_UI_TOUR"] = "false" }
        ana.environment["HELIX_BACKGROUND"] = "on"
        let window = try TerminalWindow(
            ana, ["ui", "chat"],
            [
                .see("hello"), .runFor(bob, ["chat", "send", "House", "The keys are with me", "--wait"]),
                .see("The keys are with me"), .press(["i"]), .see("House"), .type("thank you"), .press(["Enter"]),
                .see("you  thank you"), .runFor(bob, ["chat", "typing", "House"]), .see("bob is writing"),
                .press(["Escape"]), .pause(0.3), .press(["q"]),
            ])
        check(window, status: 0)
        try HelixHome.sync(bob)
        #expect(try bob.words(of: "House").contains("thank you"))
    }

    /// A paste is text: no key of it is a command.
    @Test func aPasteRunsNothing() throws {
        let home = try home()
        let window = try TerminalWindow(
            home, ["ui", "tasks"],
            [
                .see("Paint the door"), .type("\u{1B}[200~xxdyqQ\u{1B}[201~"), .press(["n"]), .see("Task:"),
                .type("\u{1B}[200~Two\nlines\u{1B}[201~"), .press(["Enter"]), .see("Two lines"), .press(["q"]),
            ])
        check(window, status: 0)
        #expect(try home.run("tasks", "list", "--json").items().count == 2)
    }

    @Test func aLineAtATimeSaysTheSame() throws {
        let home = try home()
        let run = try home.run(
            "ui", "--plain", input: "down\ndone\nfoo\ncal\n:tasks add Water the plants\ntasks\nhelp\nquit\n")
        #expect(run.status == 0)
        for text in [
            "Planning", "Paint the door", "tasks done", "chosen day", "Water the plants", "There is no act 'foo'",
            "Mark as done",
        ] {
            #expect(run.output.contains(text), "\(text): \(run.output)")
        }
        #expect(!run.output.contains("\u{1B}"))
        #expect(try home.run("tasks", "list", "status:done", "--json").items().count == 1)
    }
}
