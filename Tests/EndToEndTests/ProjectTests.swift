import Foundation
import TestSupport
import Testing

/// Blocks, files and materials of projects.
@Suite struct ProjectTests {
    private func home() throws -> HelixHome {
        let home = try HelixHome()
        try home.run("projects", "add", "house", "--rate", "48", "--currency", "EUR")
        return home
    }

    /// The files under `files`, without those opened.
    private func stored(_ home: HelixHome, in folder: String = "") throws -> [String] {
        let root = home.folder.path + "/home/files" + folder
        return (FileManager.default.subpaths(atPath: root) ?? []).filter { $0.split(separator: "/").last?.count == 64 }
    }

    private func attach(_ home: HelixHome, _ path: String, as role: String = "document") throws -> String {
        try #require(
            try home.run("projects", "attach", "house", path, "--as", role, "--json").items().first?["id"] as? String)
    }

    @Test func aMistypedProjectIsAskedFor() throws {
        let home = try HelixHome()
        try home.run("projects", "add", "house")
        let result = try home.run("projects", "show", "hous")
        #expect(result.status == 66 && result.errors.contains("Did you mean 'house'?"), "\(result.errors)")
    }

    @Test func aNewProjectIsPlannedUntilItStarts() throws {
        let home = try home()
        func status() throws -> String? {
            try home.run("projects", "list", "--json").items().first?["status"] as? String
        }
        #expect(try status() == "planned")
        #expect(try home.run("projects", "start", "house").status == 0)
        #expect(try status() == "active")
    }

    @Test func informationalCardsHoldNoProjectBack() throws {
        let home = try home()
        try home.run("tasks", "add", "Gate code 4711", "--project", "house", "--info")
        try home.run("tasks", "add", "Paint", "--project", "house")
        let refused = try home.run("projects", "complete", "house")
        #expect(refused.status == 80 && refused.errors.contains("1 task of 'house'"), "\(refused.errors)")
        try home.run("tasks", "done", "text:Paint")
        #expect(try home.run("projects", "complete", "house").status == 0)
    }

    @Test func aFileIsKeptOnceAndComesBackByteForByte() throws {
        let home = try home()
        let bytes = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) })
        let path = home.folder.path + "/plan.bin"
        try bytes.write(to: URL(fileURLWithPath: path))
        let id = try attach(home, path)
        let again = try attach(home, path, as: "photo")
        #expect(id != again)
        #expect(try stored(home).count == 1)
        let item = try #require(try home.run("projects", "files", "list", "house", "--json").items().first)
        let hash = try home.run(program: "/usr/bin/sha256sum", [path]).output.prefix(64)
        #expect(item["sha256"] as? String == String(hash))
        try FileManager.default.removeItem(atPath: path)
        #expect(try home.run("projects", "files", "save", id, "copy.bin").status == 0)
        #expect(try Data(contentsOf: home.folder.appendingPathComponent("copy.bin")) == bytes)
        #expect(try home.run("projects", "files", "save", id, "copy.bin").status == 73)
        let opened = try home.run("projects", "files", "open", again, "--with", "wc -c <")
        #expect(opened.output.contains("700000"), "\(opened)")
        #expect(try home.run("projects", "files", "open", again, "--with", "no-such-program").status == 78)
    }

    @Test func theBytesGoWithTheLastFileAndComeBackWithUndo() throws {
        let home = try home()
        let path = try home.write("first", to: "a.txt")
        let ids = [try attach(home, path), try attach(home, path, as: "receipt")]
        try home.run("projects", "files", "remove", ids[0])
        #expect(try stored(home).allSatisfy { !$0.hasPrefix("removed/") })
        try home.run("projects", "files", "remove", ids[1])
        #expect(try stored(home).allSatisfy { $0.hasPrefix("removed/") })
        try home.run("undo")
        #expect(try home.run("projects", "files", "check").status == 0)
        #expect(try stored(home).allSatisfy { !$0.hasPrefix("removed/") })
        // For good means for good.
        #expect(try home.run("projects", "files", "remove", ids[1], "--forever").status == 64)
        #expect(try home.run("projects", "files", "remove", ids[1], "--forever", "--yes").status == 0)
        #expect(try stored(home).isEmpty)
        let change = try #require(try home.run("history", "--json").items().first?["id"] as? String)
        let undone = try home.run("undo", change)
        #expect(undone.status == 80 && undone.errors.contains("a.txt"))
    }

    @Test func bytesThatChangedAreFoundAndNeverHandedOut() throws {
        let home = try home()
        let path = try home.write("as it was", to: "a.txt")
        let id = try attach(home, path)
        let place = home.folder.path + "/home/files/" + (try #require(try stored(home).first))
        try Data("as it is!".utf8).write(to: URL(fileURLWithPath: place))
        #expect(try home.run("projects", "files", "check").status == 65)
        #expect(try home.run("projects", "files", "save", id, "copy.txt").status == 65)
        #expect(!FileManager.default.fileExists(atPath: home.folder.path + "/copy.txt"))
        try FileManager.default.removeItem(atPath: place)
        let doctor = try home.run("doctor")
        #expect(doctor.status == 74 && doctor.output.contains("missing"))
        // The same bytes again mend it.
        _ = try attach(home, path)
        #expect(try home.run("projects", "files", "check").status == 0)
    }

    @Test(arguments: [("folder", 64), ("missing.txt", 66), ("pipe", 64)])
    func whatIsNoFileIsRefused(name: String, status: Int32) throws {
        let home = try home()
        try FileManager.default.createDirectory(atPath: home.folder.path + "/folder", withIntermediateDirectories: true)
        mkfifo(home.folder.path + "/pipe", 0o600)
        let good = try home.write("good", to: "good.txt")
        // All or nothing.
        let refused = try home.run("projects", "attach", "house", good, name)
        #expect(refused.status == status && refused.errors.contains(name))
        #expect(try home.run("projects", "files", "list", "--json").items().isEmpty)
        #expect(try stored(home).isEmpty)
        #expect(
            try home.run("projects", "material", "add", "house", "Pipe", "1", "m", "2", "--receipt", name).status
                == status)
        #expect(try home.run("projects", "material", "list", "house", "--json").items().isEmpty)
    }

    @Test func aFullDiskWhileAttachingChangesNothing() throws {
        let home = try home()
        let path = home.folder.path + "/big.bin"
        try Data(count: 3_000_000).write(to: URL(fileURLWithPath: path))
        // A limit on the size of files stands for a full disk: writing fails in the middle.
        let script = "trap '' XFSZ; ulimit -f 600; exec \"$0\" projects attach house \"$1\""
        let result = try home.run(program: "/bin/bash", ["-c", script, HelixHome.binary.path, path])
        #expect(result.status == 74, "\(result.errors)")
        #expect(try home.run("projects", "files", "list", "--json").items().isEmpty)
        let left = FileManager.default.subpaths(atPath: home.folder.path + "/home/files") ?? []
        #expect(left.isEmpty, "\(left)")
        #expect(try home.run("doctor").status == 0)
    }

    @Test func killedWhileAttachingLeavesAWholeStore() throws {
        let home = try home()
        let path = home.folder.path + "/big.bin"
        for (round, delay) in ["0.01", "0.03", "0.05", "0.08", "0.12"].enumerated() {
            try Data(repeating: UInt8(round), count: 40_000_000).write(to: URL(fileURLWithPath: path))
            _ = try home.run(
                program: "/usr/bin/timeout",
                ["-s", "KILL", delay, HelixHome.binary.path, "projects", "attach", "house", path])
            #expect(try home.run("projects", "files", "check").status == 0)
            #expect(try home.run("doctor").status == 0)
        }
    }

    @Test func aReceiptBelongsToItsMaterial() throws {
        let home = try home()
        let path = try home.write("12 m of pipe", to: "hydro.pdf")
        let material = try #require(
            try home.run("projects", "material", "add", "house", "Pipe", "12", "m", "4.80", "--receipt", path, "--json")
                .items().first)
        let receipt = try #require(material["receipt"] as? String)
        #expect(try home.run("projects", "files", "list", "--as", "receipt", "--json").items().count == 1)
        try home.run("projects", "files", "remove", receipt)
        let bare = try home.run("projects", "material", "list", "house", "--json").items().first
        #expect(bare?["receipt"] == nil)
        try home.run("undo")
        try home.run("projects", "material", "delete", try #require(material["id"] as? String))
        #expect(try home.run("projects", "files", "list", "--json").items().isEmpty)
        try home.run("undo")
        #expect(
            try home.run("projects", "material", "list", "house", "--json").items().first?["receipt"] as? String
                == receipt)
        #expect(try home.run("projects", "files", "check").status == 0)
    }

    @Test func aBackupHoldsTheFiles() throws {
        let home = try home()
        let path = try home.write("plan", to: "plan.txt")
        let id = try attach(home, path)
        #expect(try home.run("backup", "all.db").status == 0)
        home.environment["HELIX_HOME"] = home.folder.path + "/other"
        #expect(try home.run("restore", "all.db").status == 0)
        #expect(try home.run("projects", "files", "check").status == 0)
        try home.run("projects", "files", "save", id, "back.txt")
        #expect(try String(contentsOfFile: home.folder.path + "/back.txt", encoding: .utf8) == "plan")
        #expect(try home.run("doctor").status == 0)
    }

    @Test func tasksStandInNamedBlocksInOrder() throws {
        let home = try home()
        for block in ["Demolition", "Finish"] { try home.run("projects", "blocks", "add", "house", block) }
        try home.run("projects", "blocks", "add", "house", "Permits", "--first")
        try home.run("tasks", "add", "Wall project:house block:demolition")
        try home.run("tasks", "add", "Paint project:house", "--block", "finish")
        try home.run("tasks", "add", "Cable project:house block:\"Rough in\"")
        try home.run("projects", "blocks", "move", "house", "rough in", "--before", "Finish")
        let blocks = try home.run("projects", "blocks", "list", "house", "--json").items()
        #expect(blocks.map { $0["name"] as? String } == ["Permits", "Demolition", "Rough in", "Finish"])
        #expect(blocks.map { $0["open_tasks"] as? Int } == [0, 1, 1, 1])
        let shown = try home.run("projects", "show", "house").output
        let places = try ["Permits", "Wall", "Cable", "Paint"].map { try #require(shown.range(of: $0)).lowerBound }
        #expect(places == places.sorted())
        try home.run("projects", "blocks", "rename", "house", "Finish", "Finishing")
        #expect(
            try home.run("tasks", "list", "block:finishing", "--json").items().map { $0["title"] as? String } == [
                "Paint"
            ])
        #expect(try home.run("projects", "blocks", "add", "house", "FINISHING").status == 80)
        try home.run("projects", "blocks", "remove", "house", "Finishing")
        #expect(try home.run("tasks", "list", "project:house", "block:none", "--json").items().count == 1)
        try home.run("undo")
        #expect(try home.run("tasks", "list", "block:finishing", "--json").items().count == 1)
        // A block belongs to its project.
        try home.run("tasks", "edit", "text:paint", "project:garden")
        #expect(try home.run("tasks", "list", "block:any", "--json").items().count == 2)
        #expect(try home.run("tasks", "add", "Lost block:Permits").status == 64)
    }

    @Test func anInvoicesRowsAddUpToItsSum() throws {
        let home = try home()
        for (index, minutes) in [20, 25, 50, 7].enumerated() {
            try home.run(
                "time", "add", "yesterday \(8 + index):00 for \(minutes)m", "Work \(index)", "-p", "house", "--billable"
            )
        }
        let report = try home.run("projects", "report", "house", "--json").json()
        let rows = try #require(report["hours"] as? [[String: Any]])
        let costs = rows.compactMap { ($0["cost"] as? String).flatMap { Decimal(string: $0) } }
        #expect(costs.count == 4)
        #expect(costs.reduce(0, +) == Decimal(string: try #require(report["work_cost"] as? String)))
    }

    @Test func aDamagedFileCostsNoBackup() throws {
        let home = try home()
        try home.run("tasks", "add", "Precious")
        let good = try attach(home, try home.write("good", to: "good.txt"))
        let empty = try attach(home, try home.write("", to: "empty.txt"))
        _ = try attach(home, try home.write("as it was", to: "bad.txt"))
        let bad = try #require(
            try home.run("projects", "files", "list", "--json").items().first { $0["name"] as? String == "bad.txt" })
        try Data("as it is!".utf8).write(to: URL(fileURLWithPath: try #require(bad["path"] as? String)))
        let backup = try home.run("backup", "all.db")
        #expect(backup.status == 65 && backup.errors.contains("bad.txt"))
        home.environment["HELIX_HOME"] = home.folder.path + "/other"
        #expect(try home.run("restore", "all.db").status == 0)
        #expect(try home.run("tasks", "list", "--json").items().count == 1)
        let states = try home.run("projects", "files", "check", "--json").items().map {
            "\($0["name"] ?? ""): \($0["state"] ?? "")"
        }
        #expect(states == ["bad.txt: missing", "empty.txt: whole", "good.txt: whole"])
        for id in [good, empty] { #expect(try home.run("projects", "files", "save", id, "\(id).txt").status == 0) }
        #expect(try home.run("projects", "files", "save", good, "-").output == "good")
        // Nothing of the restoring is left, and writers and readers do not wait for each other.
        let names = try FileManager.default.contentsOfDirectory(atPath: home.folder.path + "/other").sorted()
        #expect(!names.contains { $0.contains("restore") }, "\(names)")
        #expect(try home.run("tasks", "add", "More").status == 0)
        #expect(FileManager.default.fileExists(atPath: home.folder.path + "/other/helix.db-wal"))
    }

    @Test func whatIsGoneForGoodDoesNotStandInTheWayOfUndo() throws {
        let home = try home()
        try home.run("tasks", "add", "Earlier")
        let id = try attach(home, try home.write("secret", to: "a.txt"))
        try home.run("projects", "files", "remove", id, "--forever", "--yes")
        #expect(try home.run("undo").output.contains("attach"))
        #expect(try home.run("undo").output.contains("Earlier"))
    }

    @Test func savingDoesNotReplaceDevicesAndLinks() throws {
        let home = try home()
        let id = try attach(home, try home.write("bytes", to: "a.txt"))
        try home.write("old", to: "real.txt")
        try FileManager.default.createSymbolicLink(
            atPath: home.folder.path + "/link.txt", withDestinationPath: home.folder.path + "/real.txt")
        #expect(try home.run("projects", "files", "save", id, "link.txt", "--force").status == 0)
        #expect(try String(contentsOfFile: home.folder.path + "/real.txt", encoding: .utf8) == "bytes")
        #expect(try home.run("projects", "files", "save", id, "nowhere/").status == 66)
        #expect(try home.run("projects", "files", "save", id, "nowhere/x.txt").errors.contains("no folder"))
    }

    @Test func whatNothingBelongsToCanBeDeleted() throws {
        let home = try home()
        let task = try #require(
            try home.run("tasks", "add", "Paint project:hosue", "--json").items().first?["id"] as? String)
        #expect(try home.run("projects", "delete", "hosue").status == 80)
        try home.run("tasks", "edit", task, "project:house")
        #expect(try home.run("projects", "delete", "hosue").status == 0)
        #expect(try home.run("show", "house").output.contains("house"))
        #expect(try home.run("link", task, "house").status == 0)
    }
}
