import Foundation
import TestSupport
import Testing

/// A restored backup takes the place of the store at once or not at all, whatever others do meanwhile.
@Suite struct RestoreTests {
    /// The titles of all tasks in a store's file.
    private func titles(_ home: HelixHome, in file: String) throws -> Set<String> {
        let script = """
            import sqlite3, sys
            c = sqlite3.connect('file:\(file)?mode=ro', uri=True)
            assert c.execute('PRAGMA integrity_check').fetchone()[0] == 'ok'
            for row in c.execute('SELECT title FROM task'): print(row[0])
            """
        let result = try home.run(program: "/usr/bin/python3", ["-c", script])
        #expect(result.status == 0, "\(file): \(result.errors)")
        return Set(result.output.split(separator: "\n").map(String.init))
    }

    private func kept(_ home: HelixHome) throws -> [String] {
        let folder = (home.store as NSString).deletingLastPathComponent
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter {
            $0.contains(".before-restore-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
        }.map { folder + "/" + $0 }
    }

    @Test func whatOthersWriteMeanwhileIsInTheStoreOrInWhatIsKept() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "base")
        let backup = home.folder.appendingPathComponent("b.db").path
        try home.run("backup", backup)
        let done = home.folder.appendingPathComponent("done").path
        let script = """
            write() { n=0; while [ ! -e stop ]; do n=$((n+1)); "$0" tasks add "w$1-$n" >/dev/null 2>>errors && echo "w$1-$n" >>done; done; }
            for w in 1 2 3; do write $w & done
            for r in $(seq \(Corpora.isThorough ? 40 : 8)); do "$0" restore "$1" --yes >/dev/null || echo failed >>failures; done
            touch stop; wait
            """
        let run = try home.run(program: "/bin/bash", ["-c", script, HelixHome.binary.path, backup])
        #expect(run.status == 0, "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: home.folder.path + "/failures"))
        let acknowledged = Set(
            try String(contentsOfFile: done, encoding: .utf8).split(separator: "\n").map(String.init))
        #expect(acknowledged.count > 10)
        var found = try titles(home, in: home.store)
        #expect(found.contains("base"))
        for file in try kept(home) { found.formUnion(try titles(home, in: file)) }
        #expect(acknowledged.subtracting(found).isEmpty)
        #expect(try home.run("doctor").status == 0)
        let errors = (try? String(contentsOfFile: home.folder.path + "/errors", encoding: .utf8)) ?? ""
        #expect(!errors.contains("unexpected") && !errors.contains("damaged"), "\(errors.prefix(500))")
    }

    @Test func aCommandThatBeganBeforeDoesNotWriteIntoTheRestoredStore() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "base")
        let backup = home.folder.appendingPathComponent("b.db").path
        try home.run("backup", backup)
        // An import reads its file, here a pipe, after it has opened the store.
        let script = """
            mkfifo pipe
            "$0" tasks list >/dev/null
            ("$0" cal import - < pipe; echo $? >status) 2>errors &
            exec 3>pipe
            printf 'BEGIN:VCALENDAR\\r\\nBEGIN:VEVENT\\r\\nUID:x\\r\\nDTSTART:20261120T090000Z\\r\\nSUMMARY:Late\\r\\n' >&3
            sleep 1
            "$0" restore "$1" --yes >/dev/null
            printf 'END:VEVENT\\r\\nEND:VCALENDAR\\r\\n' >&3
            exec 3>&-
            wait
            """
        _ = try home.run(program: "/bin/bash", ["-c", script, HelixHome.binary.path, backup])
        let status = try String(contentsOfFile: home.folder.path + "/status", encoding: .utf8)
        // It either had not opened the store yet, or it says that it is another one.
        if status != "0\n" {
            #expect(status == "75\n")
            #expect(try String(contentsOfFile: home.folder.path + "/errors", encoding: .utf8).contains("was replaced"))
            #expect(try home.run("cal", "search", "Late", "--json").items().isEmpty)
        }
        #expect(try home.run("doctor").status == 0)
    }

    private func restore(_ backup: String, in home: HelixHome, calls: String, fault: String) throws -> HelixHome.Result
    {
        try home.run(
            program: "/usr/bin/strace",
            [
                "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(calls)", "-e", "inject=\(calls):\(fault)",
                HelixHome.binary.path, "restore", backup, "--yes",
            ])
    }

    @Test func killedAnywhereTheOldOrTheNewStoreIsWhole() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "Before")
        let backup = home.folder.appendingPathComponent("b.db").path
        try home.run("backup", backup)
        try home.run("tasks", "add", "After")
        let calls = "pwrite64,rename,link,unlink,ftruncate,fdatasync,fsync,openat"
        try saveBase(home)
        let counted = try home.run(
            program: "/usr/bin/strace",
            ["-f", "-qq", "-o", "trace", "-e", "trace=\(calls)", HelixHome.binary.path, "restore", backup, "--yes"])
        guard counted.status == 0 else { return }
        let trace = try String(contentsOfFile: home.folder.path + "/trace", encoding: .utf8)
        let total = trace.split(separator: "\n").count
        let step = Corpora.isThorough ? 1 : max(1, total / 25)
        for number in stride(from: 1, through: total, by: step) {
            try loadBase(home)
            _ = try restore(backup, in: home, calls: calls, fault: "signal=KILL:when=\(number)")
            let tasks = try home.run("tasks", "list", "--json").items().compactMap { $0["title"] as? String }
            #expect(Set(tasks) == ["Before"] || Set(tasks) == ["Before", "After"], "killed at \(number): \(tasks)")
            #expect(try home.run("doctor").status == 0, "killed at \(number)")
        }
    }

    @Test func aFullDiskLeavesTheOldStore() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "Before")
        let backup = home.folder.appendingPathComponent("b.db").path
        try home.run("backup", backup)
        try home.run("tasks", "add", "After")
        try saveBase(home)
        for number in stride(from: 1, to: 400, by: Corpora.isThorough ? 1 : 17) {
            try loadBase(home)
            let result = try restore(backup, in: home, calls: "pwrite64", fault: "error=ENOSPC:when=\(number)+")
            let tasks = try home.run("tasks", "list", "--json").items().compactMap { $0["title"] as? String }
            #expect(Set(tasks) == (result.status == 0 ? ["Before"] : ["Before", "After"]), "full from \(number) on")
            #expect(try home.run("doctor").status == 0, "full from \(number) on")
        }
    }

    @Test func aStoreThatIsNoDatabaseIsReplacedAndKept() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "Before")
        let backup = home.folder.appendingPathComponent("b.db").path
        try home.run("backup", backup)
        try home.write("not a database at all, but long enough to be looked at", to: "home/helix.db")
        #expect(try home.run("tasks", "list").status == 74)
        #expect(try home.run("restore", backup, "--yes").status == 0)
        #expect(try home.run("tasks", "list", "--json").items().count == 1)
        #expect(try kept(home).count == 1)
        #expect(try home.run("doctor").status == 0)
    }

    @Test func aBackupDoesNotTakeThePlaceOfWhatAppearsMeanwhile() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "x")
        let target = try home.write("mine", to: "b.db")
        #expect(try home.run("backup", target).status == 73)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
        #expect(try home.run("backup", target, "--force").status == 65)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
    }

    private func saveBase(_ home: HelixHome) throws {
        _ = try home.run(program: "/bin/sh", ["-c", "rm -rf base && cp -a home base"])
    }

    private func loadBase(_ home: HelixHome) throws {
        _ = try home.run(program: "/bin/sh", ["-c", "rm -rf home && cp -a base home"])
    }
}
