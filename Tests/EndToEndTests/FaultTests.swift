import Foundation
import TestSupport
import Testing

/// What happens to the store when the world around it fails.
@Suite struct FaultTests {
    private func bigCalendar(_ home: HelixHome, count: Int) throws -> String {
        let events = (0..<count).map {
            vevent("e\($0)", "DTSTART:20261118T090000Z", "SUMMARY:Event \($0)", "RRULE:FREQ=DAILY;COUNT=20")
        }
        return try home.write(
            (["BEGIN:VCALENDAR", "VERSION:2.0"] + events + ["END:VCALENDAR", ""]).joined(separator: "\r\n"),
            to: "big.ics")
    }

    @Test func killedInTheMiddleOfAnImportNothingIsLostAndNothingIsHalf() throws {
        let home = try HelixHome()
        try home.run("cal", "add", "Keep me tomorrow 9:00")
        let file = try bigCalendar(home, count: 3000)
        for delay in ["0.05", "0.2", "0.5", "0.9"] {
            _ = try home.run(
                program: "/usr/bin/timeout", ["-s", "KILL", delay, HelixHome.binary.path, "cal", "import", file])
            let count = try home.run("cal", "calendars", "--json").items().first?["events"] as? Int
            #expect(count == 1 || count == 3001, "half an import: \(count ?? -1)")
            #expect(try home.run("doctor").status == 0)
        }
        #expect(try home.run("cal", "import", file).status == 0)
        #expect(try home.run("cal", "search", "keep", "--json").items().count == 1)
    }

    @Test func twoImportsAtOnceBothSucceedOrSayBusy() async throws {
        let home = try HelixHome()
        try home.run("cal", "calendars", "add", "work")
        let file = try bigCalendar(home, count: 800)
        let runs = try await withThrowingTaskGroup(of: Int32.self) { group in
            let environment = home.environment
            for _ in 0..<3 {
                group.addTask {
                    let process = Process()
                    process.executableURL = HelixHome.binary
                    process.arguments = ["cal", "import", file]
                    process.environment = environment
                    process.standardOutput = FileHandle.nullDevice
                    process.standardError = FileHandle.nullDevice
                    try process.run()
                    process.waitUntilExit()
                    return process.terminationStatus
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(runs.allSatisfy { $0 == 0 || $0 == 75 })
        #expect(runs.contains(0))
        #expect(try home.run("cal", "calendars", "--json").items().first?["events"] as? Int == 800)
        #expect(try home.run("doctor").status == 0)
    }

    @Test func whatIsSavedButCannotBeShownIsSaidToBeSaved() throws {
        let home = try HelixHome()
        let script = "exec \"$0\" \"$@\" > /dev/full"
        func run(_ arguments: String...) throws -> HelixHome.Result {
            try home.run(program: "/bin/bash", ["-c", script, HelixHome.binary.path] + arguments)
        }
        let saved = try run("tasks", "add", "Paint")
        #expect(saved.status == 74)
        #expect(saved.errors.contains("is saved"))
        #expect(try home.run("tasks", "list", "--json").items().count == 1)
        let list = try run("tasks", "list")
        #expect(list.status == 74)
        #expect(!list.errors.contains("is saved"))
    }

    @Test func aFullDiskChangesNothing() throws {
        let home = try HelixHome()
        try home.run("cal", "add", "Keep me tomorrow 9:00")
        let file = try bigCalendar(home, count: 2000)
        // A limit on the size of files stands for a full disk: writing fails in the middle.
        let script = "trap '' XFSZ; ulimit -f 600; exec \"$0\" cal import \"$1\""
        let result = try home.run(program: "/bin/bash", ["-c", script, HelixHome.binary.path, file])
        #expect(result.status == 74, "\(result.errors)")
        #expect(try home.run("cal", "calendars", "--json").items().first?["events"] as? Int == 1)
        #expect(try home.run("doctor").status == 0)
    }

    @Test func aCorruptStoreIsSaidAndNotTouched() throws {
        let home = try HelixHome()
        try home.run("cal", "add", "x tomorrow 9:00")
        let backup = home.folder.path + "/backup.db"
        #expect(try home.run("backup", backup).status == 0)
        try? FileManager.default.removeItem(atPath: home.store + "-wal")
        try? FileManager.default.removeItem(atPath: home.store + "-shm")
        let noise = Data((0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try noise.write(to: URL(fileURLWithPath: home.store))
        let result = try home.run("cal", "week")
        #expect(result.status == 74)
        #expect(result.errors.contains("damaged"))
        #expect(try home.run("doctor").status == 74)
        #expect(try Data(contentsOf: URL(fileURLWithPath: home.store)) == noise)
        #expect(try home.run("restore", backup, "--yes").status == 0)
        #expect(try home.run("cal", "agenda", "--json").items().count == 1)
    }

    @Test func aNewerStoreIsRefusedAndNotTouched() throws {
        let home = try HelixHome()
        try home.run("cal", "add", "x tomorrow 9:00")
        _ = try home.run(
            program: "/usr/bin/env",
            [
                "python3", "-c",
                "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('PRAGMA user_version=99'); c.commit()",
                home.store,
            ])
        let result = try home.run("cal", "week")
        #expect(result.status == 78)
        #expect(result.errors.contains("newer"))
        #expect(try home.run("cal", "add", "y tomorrow").status == 78)
    }

    @Test func aLockedStoreIsReadAndSaysBusyToAWriter() throws {
        let home = try HelixHome()
        try home.run("cal", "add", "x tomorrow 9:00")
        let script = """
            import sqlite3, subprocess, sys
            lock = sqlite3.connect(sys.argv[1], isolation_level=None)
            lock.execute('BEGIN IMMEDIATE')
            read = subprocess.run([sys.argv[2], 'cal', 'agenda'], capture_output=True, text=True)
            write = subprocess.run([sys.argv[2], 'cal', 'add', 'y tomorrow 10:00'], capture_output=True, text=True)
            print(read.returncode, 'x' in read.stdout, write.returncode, 'in use' in write.stderr)
            """
        let result = try home.run(
            program: "/usr/bin/env", ["python3", "-c", script, home.store, HelixHome.binary.path])
        #expect(result.output == "0 True 75 True\n")
    }

    @Test func aReadOnlyStoreIsReadAndRefusesChanges() throws {
        let home = try HelixHome()
        try home.run("cal", "add", "x tomorrow 9:00")
        let folder = home.folder.path
        for path in [folder, folder + "/home", home.store] { chmod(path, 0o755) }
        chmod(home.store, 0o644)
        for suffix in ["-wal", "-shm"] { chmod(home.store + suffix, 0o644) }
        // Root may write anything, so somebody else looks.
        let asNobody =
            getuid() == 0 ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : ["/usr/bin/env"]
        if getuid() != 0 {
            for path in [home.store, folder + "/home"] { chmod(path, path == home.store ? 0o444 : 0o555) }
        }
        let copy = folder + "/helix-copy"
        try FileManager.default.copyItem(atPath: HelixHome.binary.path, toPath: copy)
        func run(_ arguments: String...) throws -> HelixHome.Result {
            try home.run(program: asNobody[0], Array(asNobody.dropFirst()) + [copy] + arguments)
        }
        #expect(try run("cal", "agenda").output.contains("x"))
        let written = try run("cal", "add", "y tomorrow 10:00")
        #expect(written.status == 74)
        #expect(written.errors.contains("read-only"))
        chmod(folder + "/home", 0o755)
        chmod(home.store, 0o644)
    }

    @Test func aBackupIsWholeAndComesBack() throws {
        let home = try HelixHome()
        try home.run("cal", "add", "Old tomorrow 9:00")
        let file = home.folder.path + "/b.db"
        #expect(try home.run("backup", file).status == 0)
        #expect(try home.run("backup", file).status == 73)
        try home.run("cal", "add", "New tomorrow 10:00")
        #expect(try home.run("restore", file).status == 64)
        #expect(try home.run("restore", file, "--yes").status == 0)
        let titles = try home.run("cal", "agenda", "--json").items().compactMap { $0["title"] as? String }
        #expect(titles == ["Old"])
        #expect(try home.run("restore", home.write("no database", to: "no.db"), "--yes").status == 65)
        let kept = try FileManager.default.contentsOfDirectory(atPath: home.folder.path + "/home")
        #expect(kept.contains { $0.contains("before-restore") })
    }

    @Test func nobodyElseMayReadTheStore() throws {
        let home = try HelixHome()
        try home.run("cal", "add", "x tomorrow 9:00")
        for suffix in ["", "-wal"] {
            let rights =
                try FileManager.default.attributesOfItem(atPath: home.store + suffix)[.posixPermissions] as? Int
            #expect(rights == 0o600)
        }
    }

    @Test func theDoctorFindsWordsThatAreNotThere() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "Elephant")
        let script = """
            import sqlite3, sys
            db = sqlite3.connect(sys.argv[1])
            db.execute("UPDATE task SET title = 'Giraffe'")
            db.commit()
            """
        #expect(try home.run(program: "/usr/bin/python3", ["-c", script, home.store]).status == 0)
        let sick = try home.run("doctor")
        #expect(sick.status == 74 && sick.output.contains("task_text"))
        #expect(try home.run("doctor", "--reindex").status == 0)
        #expect(try home.run("tasks", "search", "giraffe", "--json").items().count == 1)
    }
}
