import Foundation
import TestSupport
import Testing

/// `helix lock`, `unlock` and `vault` with the built program, the system's PAM, and a real gocryptfs.
@Suite(.serialized) struct LockTests {
    private static let passphrase = "correct horse battery\n"

    /// A home with a task, an event and a message, whose log-in is a folder of the test.
    final class Site {
        let home: HelixHome
        var folder: String { home.folder.path + "/home" }
        var run: String { home.folder.path + "/run" }

        init() throws {
            home = try HelixHome()
            try FileManager.default.createDirectory(
                atPath: home.folder.path + "/run", withIntermediateDirectories: true)
            home.environment["XDG_RUNTIME_DIR"] = home.folder.path + "/run"
            try home.run("tasks", "add", "Buy milk")
            try home.run("cal", "add", "Lunch tomorrow 12:00")
        }

        deinit {
            for view in ["home", "home.vault.new/view"] {
                _ = try? home.run(program: "/usr/bin/fusermount3", ["-u", "-z", home.folder.path + "/" + view])
            }
            _ = try? home.run(program: "/usr/bin/pkill", ["-f", home.folder.path])
        }

        func create() throws {
            let created = try home.run("vault", "create", input: LockTests.passphrase)
            try #require(created.status == 0, "\(created)")
        }

        var state: String? { (try? home.run("vault", "--json").items().first?["vault"] as? String) ?? nil }

        func waits(_ seconds: Double = 20, until isTrue: () throws -> Bool) rethrows -> Bool {
            let end = Date() + seconds
            while Date() < end {
                if try isTrue() { return true }
                usleep(100_000)
            }
            return false
        }

        /// Runs a program that can be ended: the threads of a test block signals, and what they start inherits that.
        static let unblocked = [
            "-c",
            "import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, []); os.execvp(sys.argv[1], sys.argv[1:])",
        ]

        /// A program that runs beside the test.
        func start(_ words: [String], input: Pipe? = nil, output: Pipe? = nil) throws -> Process {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            process.arguments = Self.unblocked + ["timeout", "-k", "5", "100"] + words
            process.environment = home.environment
            process.currentDirectoryURL = home.folder
            if let input { process.standardInput = input } else { process.standardInput = FileHandle.nullDevice }
            if let output { process.standardOutput = output } else { process.standardOutput = FileHandle.nullDevice }
            process.standardError = FileHandle.nullDevice
            try process.run()
            return process
        }
    }

    /// Commands that need no store, and what all others say while helix is locked.
    @Test func nothingIsShownOrChangedWhileItIsLocked() throws {
        let site = try Site()
        let home = site.home
        #expect(try home.run("lock").status == 78)
        #expect(try home.run("lock", "--with", "passphrase", input: "short\n").status == 64)
        #expect(try home.run("tasks").status == 0)
        #expect(try home.run("lock", "--with", "passphrase", input: Self.passphrase).output.contains("Locked"))
        for words in [
            ["tasks"], ["today"], ["cal", "week"], ["mail", "list"], ["search", "milk"], ["show", "7w"], ["undo"],
            ["tasks", "add", "More"], ["backup", "copy.db"], ["config", "list"], ["history"], ["sync"],
            ["doctor", "--repair"],
            ["export"], ["cal", "export"], ["watch", "--once"], ["lock", "--with", "none"],
            ["--as", "read-only", "tasks"],
            ["tasks", "--as", "x"], ["time", "status"], ["chat", "list"], ["contacts", "list"], ["outbox"], ["mcp"],
        ] {
            let refused = try home.run(words)
            #expect(refused.status != 0 && !refused.output.contains("milk"), "\(words): \(refused)")
        }
        let json = try home.run("tasks", "--json")
        #expect(json.errors.contains(#""code": "LOCKED""#) && json.status == 77, "\(json)")
        #expect(!FileManager.default.fileExists(atPath: home.folder.path + "/copy.db"))
        for words in [
            ["--version"], ["schema", "--commands"], ["completions", "bash"], ["vault"], ["doctor"], ["help"],
        ] {
            let shown = try home.run(words)
            #expect(shown.status == 0, "\(words): \(shown)")
            #expect(!shown.output.contains("milk") && !shown.output.contains("1 task"), "\(words)")
        }
        let completed = try home.run(
            "---completion", "tasks", "done", "--", "positional@0", "0", "0", "helix", "tasks", "done", "")
        #expect(!completed.output.contains("milk"))
        for wrong in ["wrong\n", "", "\n"] {
            #expect(try home.run("unlock", input: wrong).status == 77)
            #expect(try home.run("tasks").status == 77)
        }
        #expect(try home.run("unlock", input: Self.passphrase).status == 0)
        #expect(try home.run("tasks").output.contains("Buy milk"))
        // Another passphrase needs the present one.
        #expect(try home.run("lock", "--with", "passphrase", input: "wrong\nanother passphrase\n").status == 77)
        #expect(try home.run("lock", "--with", "none", input: "wrong\n").status == 77)
        #expect(try home.run("lock", "--with", "none", input: Self.passphrase).status == 0)
        #expect(try home.run("lock").status == 78)
    }

    @Test func aTimeWithoutUseLocks() throws {
        let site = try Site()
        let home = site.home
        try home.run("config", "set", "security.lock-after", "1h")
        try home.run("lock", "--with", "passphrase", input: Self.passphrase)
        try home.run("unlock", input: Self.passphrase)
        #expect(try home.run("vault", "--json").items().first?["lockAfter"] as? Int == 3600)
        // A changed setting counts at once.
        try home.run("config", "set", "security.lock-after", "2s")
        try home.run("tasks")
        #expect(try site.waits { try home.run("tasks").status == 77 })
        #expect(try home.run("tasks").errors.contains("locked"))
        // The end of the log-in, and another start of the machine, lock as well.
        try home.run("config", "set", "security.lock-after", "0m")
        try home.run("unlock", input: Self.passphrase)
        #expect(try home.run("tasks").status == 0)
        try FileManager.default.removeItem(atPath: site.run)
        try FileManager.default.createDirectory(atPath: site.run, withIntermediateDirectories: true)
        #expect(try home.run("tasks").status == 77)
    }

    @Test(.enabled(if: VaultSite.hasFUSE, "needs FUSE, which this system does not have"))
    func theVaultHoldsEverythingAndOpensByItsPassphraseOnly() throws {
        let site = try Site()
        let home = site.home
        _ = try home.run("projects", "add", "House")
        let file = try home.write("the text of a file", to: "plan.txt")
        _ = try home.run("projects", "attach", "House", file)
        let before = try home.run("doctor", "--json").items().first { $0["name"] as? String == "contents" }
        #expect(try home.run("vault", "create", "--dry-run").output.contains("Would encrypt"))
        #expect(site.state == "absent")
        #expect(try home.run("vault", "create", input: "short\n").status == 64 && site.state == "absent")
        try site.create()
        #expect(site.state == "open")
        #expect(try home.run("vault", "create", input: Self.passphrase).status == 80)
        let after = try home.run("doctor", "--json").items().first { $0["name"] as? String == "contents" }
        #expect(before?["message"] as? String == after?["message"] as? String && before != nil)
        #expect(try home.run("doctor").status == 0)
        try home.run("tasks", "add", "In the vault")
        #expect(try home.run("lock").status == 0 && site.state == "closed")
        let found = try home.run(program: "/bin/grep", ["-rl", "-e", "milk", "-e", "text of a file", home.folder.path])
        #expect(!found.output.contains("home"), "\(found.output)")
        #expect(try home.run("tasks").status == 77)
        #expect(try home.run("vault", "open", input: "wrong horse battery\n").status == 77)
        #expect(try home.run("vault", "recovery", input: "wrong horse battery\n").status == 77)
        let recovery = try home.run("vault", "recovery", "--json", input: Self.passphrase).items().first
        let key = try #require(recovery?["recoveryKey"] as? String)
        // One digit that is wrong changes nothing.
        let wrong = (key.first == "0" ? "1" : "0") + key.dropFirst()
        #expect(
            try home.run("vault", "passphrase", "--recovery", input: "\(wrong)\na new passphrase\n").status == 77)
        #expect(
            try home.run("vault", "passphrase", "--recovery", input: "\(key)\na new passphrase\n").status == 0)
        #expect(try home.run("vault", "open", input: Self.passphrase).status == 77)
        #expect(try home.run("vault", "open", input: "a new passphrase\n").status == 0)
        #expect(try home.run("tasks").output.contains("In the vault"))
        #expect(try home.run("vault", "passphrase", input: "a new passphrase\n" + Self.passphrase).status == 0)
        #expect(try home.run("vault", "remove").status == 64)
        #expect(try home.run("vault", "remove", "--yes").status == 0 && site.state == "absent")
        #expect(try home.run("tasks").output.contains("In the vault"))
        #expect(try home.run("doctor").status == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: home.folder.path).filter { $0.hasPrefix("home") } == [
                "home"
            ])
    }

    /// A kill at any time leaves a home that opens, with all in it.
    @Test(.enabled(if: VaultSite.hasFUSE, "needs FUSE, which this system does not have"))
    func aKillDuringCreationOrRemovalLosesNothing() throws {
        let site = try Site()
        let home = site.home
        for number in 0..<200 {
            _ = number
            if number % 50 == 0 { try home.run("tasks", "add", "Task \(number)") }
        }
        try Data(repeating: 7, count: 20 << 20).write(to: URL(fileURLWithPath: site.folder + "/files-of-a-test"))
        func isWhole() throws -> Bool {
            if site.state == "unfinished" || site.state == "closed" || site.state == "broken" {
                let opened = try home.run("vault", "open", input: Self.passphrase)
                guard opened.status == 0 else { return false }
            }
            if site.state == "open" { _ = try home.run("unlock", input: Self.passphrase) }
            let tasks = try home.run("tasks", "list", "--json").items().count
            let size = try FileManager.default.attributesOfItem(atPath: site.folder + "/files-of-a-test")[.size] as? Int
            return tasks == 5 && size == 20 << 20
        }
        var wasCreated = false
        for step in 0..<30 {
            // Creation takes a second or two, removal less.
            let delay = String(Double(step) * 0.09 + 0.03)
            let words = wasCreated ? ["vault", "remove", "--yes"] : ["vault", "create"]
            let input = try home.write(Self.passphrase, to: "passphrase")
            _ = try home.run(
                program: "/bin/sh",
                [
                    "-c",
                    "exec timeout -s KILL \(delay) '\(HelixHome.binary.path)' \(words.joined(separator: " ")) < '\(input)'",
                ])
            #expect(try isWhole(), "\(words) killed after \(delay) s: \(site.state ?? "")")
            wasCreated = site.state != "absent"
        }
    }

    /// Earlier sessions are over: in other log-ins, and with a copy of the session's file.
    @Test func aLockCountsEverywhere() throws {
        let site = try Site()
        let home = site.home
        try home.run("lock", "--with", "passphrase", input: Self.passphrase)
        try home.run("unlock", input: Self.passphrase)
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: site.run).first { $0.hasSuffix(".unlocked") })
        let kept = try Data(contentsOf: URL(fileURLWithPath: site.run + "/" + name))
        let other = home.folder.path + "/other"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        home.environment["XDG_RUNTIME_DIR"] = other
        #expect(try home.run("tasks").status == 77)
        try home.run("unlock", input: Self.passphrase)
        #expect(try home.run("tasks").status == 0 && home.run("lock").status == 0)
        home.environment["XDG_RUNTIME_DIR"] = site.run
        #expect(try home.run("tasks").status == 77)
        try kept.write(to: URL(fileURLWithPath: site.run + "/" + name))
        #expect(try home.run("tasks").status == 77)
    }

    /// Commands that come while a vault is created wait, or say that helix is busy; what they said is done is in the vault.
    @Test(.enabled(if: VaultSite.hasFUSE, "needs FUSE, which this system does not have"))
    func nothingIsLostBetweenThePlainFilesAndTheVault() throws {
        let site = try Site()
        let home = site.home
        try Data(repeating: 7, count: 40 << 20).write(to: URL(fileURLWithPath: site.folder + "/files-of-a-test"))
        let adding = try site.start([
            "sh", "-c",
            "n=0; while [ $n -lt 60 ]; do '\(HelixHome.binary.path)' tasks add \"Task $n\" && echo $n >> added; n=$((n + 1)); done",
        ])
        usleep(300_000)
        // Another command may have the store just then.
        var created = try home.run("vault", "create", input: Self.passphrase)
        for _ in 0..<5 where created.status == 75 { created = try home.run("vault", "create", input: Self.passphrase) }
        #expect(created.status == 0, "\(created)")
        adding.waitUntilExit()
        let added = try String(contentsOfFile: home.folder.path + "/added", encoding: .utf8).split(separator: "\n")
            .count
        let there = try home.run("tasks", "list", "+OPEN", "--json").items().count
        let all = try home.run("tasks", "list", "--json", "--limit", "all").items().count
        #expect(added > 10 && max(there, all) == added + 1, "\(added) were said to be added")
    }

    @Test(.enabled(if: VaultSite.hasFUSE, "needs FUSE, which this system does not have"))
    func aVaultThatIsNotThereIsSaid() throws {
        let site = try Site()
        try site.create()
        #expect(try site.home.run("lock").status == 0)
        let (vault, away) = (site.folder + ".vault", site.home.folder.path + "/away")
        try FileManager.default.moveItem(atPath: vault, toPath: away)
        for words in [["tasks"], ["tasks", "add", "Second"], ["unlock"], ["vault", "open"]] {
            let refused = try site.home.run(words, input: Self.passphrase)
            #expect(refused.status == 77 && refused.errors.contains("not there"), "\(words): \(refused)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: site.folder).isEmpty)
        try FileManager.default.moveItem(atPath: away, toPath: vault)
        #expect(try site.home.run("unlock", input: Self.passphrase).status == 0)
        #expect(try site.home.run("tasks").output.contains("Buy milk"))
    }

    @Test(.enabled(if: VaultSite.hasFUSE, "needs FUSE, which this system does not have"))
    func anEditorKeepsTheVaultOpen() throws {
        let site = try Site()
        try site.create()
        let held = try site.start(["sh", "-c", "exec 3<'\(site.folder)/helix.db'; sleep 90"])
        defer { held.terminate() }
        #expect(site.waits { (try? site.home.run("lock"))?.status == 75 })
        let refused = try site.home.run("lock")
        #expect(refused.errors.contains("(process ") && refused.errors.contains("Nothing was locked"), "\(refused)")
        #expect(try site.home.run("tasks").output.contains("Buy milk"), "nothing was locked")
        #expect(try site.home.run("vault", "close", "--force").status == 0 && site.state == "closed")
    }

    @Test(.enabled(if: VaultSite.hasFUSE, "needs FUSE, which this system does not have"))
    func theVaultClosesAtLogOutAndAfterATimeWithoutUse() throws {
        let site = try Site()
        let home = site.home
        try site.create()
        #expect(site.state == "open")
        try FileManager.default.removeItem(atPath: site.run)
        #expect(site.waits { site.state == "closed" }, "log-out")
        try FileManager.default.createDirectory(atPath: site.run, withIntermediateDirectories: true)
        home.environment["HELIX_SECURITY_LOCK_AFTER"] = "3s"
        #expect(try home.run("unlock", input: Self.passphrase).status == 0 && site.state == "open")
        #expect(site.waits { site.state == "closed" }, "without use")
        home.environment["HELIX_SECURITY_LOCK_AFTER"] = nil
        // The end of the guard, as by the end of the user's services, closes it, too.
        #expect(try home.run("unlock", input: Self.passphrase).status == 0 && site.state == "open")
        sleep(1)
        _ = try home.run(program: "/usr/bin/pkill", ["-TERM", "-f", "vault guard"])
        #expect(site.waits { site.state == "closed" }, "SIGTERM")
    }

    @Test(.enabled(if: VaultSite.hasFUSE, "needs FUSE, which this system does not have"))
    func aWatchWaitsWhileItIsLockedAndAnAssistantSeesNothing() throws {
        let site = try Site()
        let home = site.home
        try site.create()
        home.environment["HELIX_HOOKS_TASK_DONE"] = "echo done >> '\(home.folder.path)/done'"
        let watch = try site.start([HelixHome.binary.path, "watch", "--no-sync"])
        defer { watch.terminate() }
        let (input, output) = (Pipe(), Pipe())
        let assistant = try site.start([HelixHome.binary.path, "mcp"], input: input, output: output)
        defer { assistant.terminate() }
        func ask() -> String {
            let call = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_tasks","arguments":{}}}"#
            input.fileHandleForWriting.write(Data((call + "\n").utf8))
            var line = Data()
            while line.last != 0x0A {
                let piece = output.fileHandleForReading.availableData
                if piece.isEmpty { break }
                line += piece
            }
            return String(decoding: line, as: UTF8.self)
        }
        let first = ask()
        #expect(first.contains("Buy milk"), "\(first)")
        sleep(2)
        #expect(try home.run("lock").status == 0 && site.state == "closed")
        #expect(watch.isRunning)
        // It has ended, or it answers nothing of the store.
        if assistant.isRunning { #expect(!ask().contains("Buy milk")) }
        #expect(try home.run("unlock", input: Self.passphrase).status == 0)
        let id = try #require(try home.run("tasks", "--json").items().first?["id"] as? String)
        sleep(3)
        try home.run("tasks", "done", id)
        #expect(site.waits { FileManager.default.fileExists(atPath: home.folder.path + "/done") }, "the watch goes on")
        #expect(try home.run("lock").status == 0)
    }

    /// A user of the system with a password, whom PAM asks.
    @Test(.enabled(if: VaultSite.isAdministrator, "needs an administrator, who makes a user"))
    func theSystemsLoginUnlocks() throws {
        let site = try Site()
        let home = site.home
        let user = "hxt\(UInt32.random(in: 1000..<9_999_999))"
        let made = try home.run(program: "/usr/sbin/useradd", ["-M", "-d", home.folder.path, user])
        try #require(made.status == 0, "\(made)")
        defer { _ = try? home.run(program: "/usr/sbin/userdel", [user]) }
        _ = try home.run(program: "/usr/sbin/chpasswd", [], input: "\(user):the system's own\n")
        _ = try home.run(program: "/bin/cp", [HelixHome.binary.path, home.folder.path + "/helix"])
        _ = try home.run(program: "/bin/chown", ["-R", user, home.folder.path])
        func helix(_ words: String, _ input: String = "") throws -> HelixHome.Result {
            try home.run(program: "/sbin/runuser", ["-u", user, "--", "sh", "-c", "./helix \(words)"], input: input)
        }
        #expect(try helix("tasks").output.contains("Buy milk"))
        // A login that fails is not set.
        #expect(try helix("lock --with login", "not the system's\n").status == 77)
        #expect(try helix("tasks").status == 0)
        let locked = try helix("lock --with login", "the system's own\n")
        #expect(locked.status == 0, "\(locked)")
        #expect(try helix("tasks").status == 77)
        #expect(try helix("unlock", "not the system's\n").status == 77)
        #expect(try helix("tasks").status == 77)
        #expect(try helix("unlock", "the system's own\n").status == 0)
        #expect(try helix("tasks").output.contains("Buy milk"))
    }

    /// The real keyring of GNOME on a bus of its own.
    @Test(.enabled(if: VaultSite.hasFUSE, "needs FUSE, which this system does not have"))
    func theKeyringHoldsThePasswordOfTheVault() throws {
        let site = try Site()
        let script = Corpora.packageDirectory.appendingPathComponent("Tests/Servers/secrets.sh").path
        let shown = try site.home.run(
            program: "/usr/bin/python3",
            Site.unblocked
                + ["timeout", "-k", "5", "90", "dbus-run-session", "--", "sh", script, HelixHome.binary.path])
        #expect(shown.status == 0, "\(shown)")
        #expect(shown.output.contains("opened by the keyring: 7w") || shown.output.contains("Buy milk"), "\(shown)")
        #expect(shown.output.contains("refused without it"), "\(shown)")
        #expect(shown.output.contains("opened by a passphrase"), "\(shown)")
    }
}
