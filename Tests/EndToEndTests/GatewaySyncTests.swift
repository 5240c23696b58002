import Foundation
import TestSupport
import Testing

/// Several devices of one user at a gateway are kept the same.
@Suite struct GatewaySyncTests {
    private func sync(_ homes: HelixHome...) throws {
        for home in homes {
            let run = try home.run("sync")
            #expect(run.status == 0, "\(run.output)\(run.errors)")
        }
    }

    private func titles(_ home: HelixHome) throws -> [String] {
        try home.run("tasks", "list", "status:open or status:done", "--limit", "9999", "--json").items()
            .compactMap { $0["title"] as? String }.sorted()
    }

    /// Everything that both must have, in one text.
    static func state(_ home: HelixHome) throws -> [String] {
        // Each has its own time of the last change here.
        let tasks = try home.run("tasks", "export", "--format", "taskwarrior").output
            .replacing(/,"modified":"[0-9TZ]*"/, with: "")
        let events = try home.run("cal", "export").output
        let boards = try home.run("tasks", "columns", "--json").output
        let time = try home.run("time", "log", "2026", "--json").output
        // The order of rows is each machine's own.
        return [tasks, events, boards, time].flatMap { text in
            text.split(whereSeparator: \.isNewline).map { String($0.hasSuffix(",") ? $0.dropLast() : $0) }.sorted()
        }
    }

    /// Nothing is on one of them that is not on the others.
    private func expectSame(_ homes: HelixHome...) throws {
        let states = try homes.map(Self.state)
        for state in states.dropFirst() {
            let differences = state.difference(from: states[0]).map { "\($0)" }
            #expect(differences.isEmpty, "\(differences.prefix(8).joined(separator: "\n"))")
        }
    }

    @Test func whatWasMadeOnTwoDevicesIsOnBothAndUnderOneName() throws {
        let site = try GatewaySite()
        let (a, b) = (try site.device(of: "ana"), try site.device(of: "ana"))
        _ = try a.run("tasks", "add", "Buy milk +home due:fri")
        _ = try a.run("cal", "add", "Lunch tomorrow 12:30")
        _ = try b.run("tasks", "add", "Call Bob")
        _ = try b.run("cal", "add", "Dinner tomorrow 20:00")
        _ = try b.run("time", "start", "thinking")
        try sync(a, b, a, b)
        #expect(try titles(a) == ["Buy milk", "Call Bob"])
        #expect(try titles(b) == ["Buy milk", "Call Bob"])
        #expect(try a.run("cal", "calendars", "--json").items().count == 1)
        #expect(try a.run("tasks", "boards", "--json").items().count == 1)
        #expect(try a.run("time", "status").output.contains("thinking"))
        try expectSame(a, b)
        for home in [a, b] { #expect(try home.run("doctor").status == 0) }
        // Nothing new is nothing done.
        let again = try a.run("sync", "--json").items()[0]
        #expect((again["steps"] as? [Any] ?? []).isEmpty)
    }

    @Test func whereBothChangedTheSameTheLaterChangeStandsWhoeverSyncsFirst() throws {
        let site = try GatewaySite()
        let (a, b) = (try site.device(of: "ana"), try site.device(of: "ana"))
        // The gateway's clock is the true one, and here it is compared with the devices'.
        for home in [a, b] { home.environment["HELIX_NOW"] = nil }
        _ = try a.run("tasks", "add", "Paint the house")
        try sync(a, b)
        let id = try #require(try a.run("tasks", "list", "--json").items()[0]["id"] as? String)
        _ = try a.run("tasks", "edit", id, "title:early")
        sleep(2)
        _ = try b.run("tasks", "edit", id, "title:late")
        sleep(2)
        try sync(a, b, a)
        #expect(try titles(a) == ["late"] && titles(b) == ["late"])
        try expectSame(a, b)
    }

    @Test func aGatewayThatLostEverythingGetsItAgainAndTakesNothing() throws {
        let site = try GatewaySite()
        let (a, b) = (try site.device(of: "ana"), try site.device(of: "ana"))
        for number in 1...12 { _ = try a.run("tasks", "add", "Task \(number)") }
        _ = try a.run("cal", "add", "Lunch tomorrow 12:30")
        try sync(a, b)
        try site.lose()
        _ = try b.run("tasks", "add", "Another one")
        for home in [b, a, b] {
            let run = try home.run("sync")
            #expect(run.status == 0, "\(run.output)\(run.errors)")
        }
        #expect(try titles(a).count == 13 && titles(b).count == 13)
        #expect(try a.run("cal", "search", "Lunch", "--json").items().count == 1)
        try expectSame(a, b)
        #expect(try a.run("sync", "--full").status == 0)
        #expect(try titles(a).count == 13)
        let fresh = try site.device(of: "ana")
        try sync(fresh)
        try expectSame(a, fresh)
    }

    @Test func aGatewayOfABackupLosesNothingThatDevicesHave() throws {
        let site = try GatewaySite()
        let (a, b) = (try site.device(of: "ana"), try site.device(of: "ana"))
        // The gateway's clock is the true one, and here it is compared with the devices'.
        for home in [a, b] { home.environment["HELIX_NOW"] = nil }
        for title in ["Stays", "Is renamed", "Goes"] { _ = try a.run("tasks", "add", title) }
        try sync(a, b, a)
        try site.keepBackup()
        sleep(1)
        _ = try a.run("tasks", "add", "After the backup")
        let id = try #require(
            try a.run("tasks", "list", "--json").items().first { $0["title"] as? String == "Is renamed" }?["id"]
                as? String)
        _ = try a.run("tasks", "edit", id, "title:Renamed")
        let gone = try #require(
            try a.run("tasks", "list", "--json").items().first { $0["title"] as? String == "Goes" }?["id"] as? String)
        #expect(try b.run("tasks", "delete", gone, "--yes").status == 0)
        try sync(a, b, a)
        try site.restoreBackup()
        try sync(a, b, a)
        #expect(try titles(a) == ["After the backup", "Renamed", "Stays"])
        try expectSame(a, b)
        // A device that comes later does not undo what was changed since.
        try site.keepBackup()
        sleep(1)
        _ = try a.run("tasks", "edit", id, "title:Once more")
        try sync(a, b)
        try site.restoreBackup()
        try sync(a)
        sleep(1)
        _ = try a.run("tasks", "edit", id, "title:For the last time")
        try sync(a, b)
        #expect(try titles(b).contains("For the last time") && titles(a).contains("For the last time"))
        try expectSame(a, b)
    }

    @Test func aUserSeesNothingOfAnother() throws {
        let site = try GatewaySite()
        let (a, b) = (try site.device(of: "ana"), try site.device(of: "bob"))
        _ = try a.run("tasks", "add", "Secret plan")
        try sync(a, b)
        #expect(try titles(b).isEmpty)
        let pulled = try b.run("gateway", "call", "sync.pull")
        #expect(!pulled.output.contains("Secret"))
    }

    @Test func changesOfDifferentFieldsAreBothKept() throws {
        let site = try GatewaySite()
        let (a, b) = (try site.device(of: "ana"), try site.device(of: "ana"))
        _ = try a.run("tasks", "add", "Paint the house")
        try sync(a, b)
        let id = try #require(try a.run("tasks", "list", "--json").items()[0]["id"] as? String)
        _ = try a.run("tasks", "edit", id, "priority:high")
        _ = try b.run("tasks", "edit", id, "due:2026-12-24")
        try sync(a, b, a)
        for home in [a, b] {
            let task = try home.run("tasks", "show", id, "--json").json()
            #expect(task["priority"] as? String == "high")
            #expect(task["due"] as? String == "2026-12-24")
        }
    }

    @Test func ofTwoChangesOfTheSameFieldTheLaterStandsAndTheOtherIsInTheHistory() throws {
        let site = try GatewaySite()
        let (a, b) = (try site.device(of: "ana"), try site.device(of: "ana"))
        _ = try a.run("tasks", "add", "Paint the house")
        try sync(a, b)
        let id = try #require(try a.run("tasks", "list", "--json").items()[0]["id"] as? String)
        // The gateway's clock is the real one; what is changed here later has a later time.
        b.environment["HELIX_NOW"] = "2099-01-01T10:00:00"
        _ = try a.run("tasks", "edit", id, "title:Paint the house red")
        _ = try b.run("tasks", "edit", id, "title:Paint the house blue")
        try sync(a)
        let run = try b.run("sync")
        #expect(run.status == 0)
        #expect((run.output + run.errors).contains("changed on both sides"))
        try sync(a)
        #expect(try titles(a) == ["Paint the house blue"])
        #expect(try titles(b) == ["Paint the house blue"])
    }

    @Test func whatOneDeletesAndTheOtherChangesStays() throws {
        let site = try GatewaySite()
        let (a, b) = (try site.device(of: "ana"), try site.device(of: "ana"))
        _ = try a.run("tasks", "add", "One")
        _ = try a.run("tasks", "add", "Two")
        try sync(a, b)
        let items = try a.run("tasks", "list", "--json").items()
        func id(_ title: String) throws -> String {
            try #require(items.first { $0["title"] as? String == title }?["id"] as? String)
        }
        _ = try a.run("tasks", "delete", try id("One"), "--yes")
        _ = try b.run("tasks", "edit", try id("One"), "priority:high")
        _ = try b.run("tasks", "delete", try id("Two"), "--yes")
        try sync(a, b, a, b)
        #expect(try titles(a) == ["One"])
        #expect(try titles(b) == ["One"])
    }

    @Test func aDeletionTravelsAndIsTakenBackByUndo() throws {
        let site = try GatewaySite()
        let (a, b) = (try site.device(of: "ana"), try site.device(of: "ana"))
        _ = try a.run("tasks", "add", "So that there is a board")
        _ = try a.run("cal", "add", "Lunch tomorrow 12:30 every week")
        try sync(a, b)
        let id = try #require(try b.run("cal", "search", "Lunch", "--json").items().first?["id"] as? String)
        #expect(try b.run("cal", "delete", id, "--all", "--yes").status == 0)
        try sync(b, a)
        #expect(try a.run("cal", "search", "Lunch", "--json").items().isEmpty)
        #expect(try b.run("undo").status == 0)
        try sync(b, a)
        #expect(try a.run("cal", "search", "Lunch", "--json").items().count == 1)
        try expectSame(a, b)
    }

    @Test func offlineWorkGoesThereLater() throws {
        let site = try GatewaySite()
        let (a, b) = (try site.device(of: "ana"), try site.device(of: "ana"))
        try sync(a, b)
        site.server.stop()
        _ = try a.run("tasks", "add", "Written on a train")
        #expect(try a.run("sync").status == 69)
        try site.restart()
        try sync(a, b)
        #expect(try titles(b) == ["Written on a train"])
    }

    @Test func aServerThatIsKilledLosesNothingItTook() throws {
        let site = try GatewaySite()
        let (a, b) = (try site.device(of: "ana"), try site.device(of: "ana"))
        let list = (0..<2000).map { "x 2026-01-01 done \($0)\nopen task \($0)" }.joined(separator: "\n")
        let file = a.folder.appendingPathComponent("todo.txt").path
        try Data(list.utf8).write(to: URL(fileURLWithPath: file))
        #expect(try a.run("tasks", "import", file).status == 0)
        for pause in [200, 350, 600] {
            try site.server.kill(afterMilliseconds: pause)
            _ = try a.run("sync")
            site.server.waitUntilGone()
            try site.restart()
        }
        try sync(a, b)
        #expect(try titles(a).count == titles(b).count)
        try expectSame(a, b)
        #expect(try b.run("doctor").status == 0)
    }

    @Test func aFirstSyncThatIsBrokenOffDeletesNothing() throws {
        let site = try GatewaySite(users: ["ana"])
        let (a, b) = (try site.device(of: "ana"), try site.device(of: "ana"))
        let list = (0..<3500).map { "open task \($0)" }.joined(separator: "\n")
        let file = a.folder.appendingPathComponent("todo.txt").path
        try Data(list.utf8).write(to: URL(fileURLWithPath: file))
        #expect(try a.run("tasks", "import", file).status == 0)
        try sync(a)
        for pause in [150, 300, 450, 600, 800] {
            try site.server.kill(afterMilliseconds: pause)
            _ = try b.run("sync")
            site.server.waitUntilGone()
            try site.restart()
        }
        try sync(b, a)
        #expect(try titles(a).count == 3500)
        #expect(try titles(b).count == 3500)
    }

    @Test func whatLiesInACalendarThatAnotherDeviceDeletesIsNotLost() throws {
        let site = try GatewaySite(users: ["ana"])
        let (a, b, c) = (try site.device(of: "ana"), try site.device(of: "ana"), try site.device(of: "ana"))
        _ = try a.run("tasks", "add", "So that there is a board")
        _ = try a.run("cal", "calendars", "add", "garden")
        _ = try a.run("cal", "add", "Plant trees tomorrow 9:00", "--calendar", "garden")
        try sync(a, b, c)
        // One device deletes it; a second one has something new in it that nobody knows, a third one said so already.
        _ = try a.run("cal", "calendars", "delete", "garden", "--yes")
        _ = try b.run("cal", "add", "Water flowers tomorrow 10:00", "--calendar", "garden")
        _ = try c.run("cal", "add", "Cut roses tomorrow 11:00", "--calendar", "garden")
        try sync(c)
        for _ in 0..<3 { for home in [a, b, c] { _ = try home.run("sync") } }
        for home in [a, b, c] {
            #expect(try home.run("cal", "search", "Water", "--json").items().count == 1)
            #expect(try home.run("cal", "search", "roses", "--json").items().count == 1)
            #expect(try home.run("sync").status == 0)
        }
        try expectSame(a, b, c)
    }

    @Test func aDeviceThatMayOnlyReadChangesNothingThere() throws {
        let site = try GatewaySite()
        let a = try site.device(of: "ana")
        let reader = try HelixHome()
        let added = try reader.run(
            "account", "add", "hub", "gateway", site.url, "--user", "ana", "--read-only", "--password-command",
            "echo \"ana's password\"")
        #expect(added.status == 0, "\(added.errors)")
        _ = try a.run("tasks", "add", "Read me")
        _ = try reader.run("tasks", "add", "Mine alone")
        try sync(a, reader, a)
        #expect(try titles(reader) == ["Mine alone", "Read me"])
        #expect(try titles(a) == ["Read me"])
        let push = try reader.run("gateway", "call", "sync.push", "{\"changes\": []}")
        #expect(push.status == 77)
        #expect(push.errors.contains("missing scope: operator.write"))
        for command in [
            ["chat", "new", "--with", "bob", "-m", "hi"], ["chat", "new", "Notes"], ["chat", "ask", "why?"],
        ] {
            let refused = try reader.run(command)
            #expect(refused.status == 77 && refused.errors.contains("read-only"), "\(refused.errors)")
        }
    }

    @Test func whatAnotherAccountCarriesDoesNotTravelTwice() throws {
        let site = try GatewaySite()
        let (a, b) = (try site.device(of: "ana"), try site.device(of: "ana"))
        let folder = a.folder.appendingPathComponent("calendars/work")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = try a.run("account", "add", "disk", "vdir", folder.deletingLastPathComponent().path)
        try sync(a)
        _ = try a.run("cal", "add", "Standup tomorrow 9:00", "--calendar", "work")
        try sync(a, b)
        #expect(try b.run("cal", "search", "Standup", "--json").items().isEmpty)
        let people = folder.deletingLastPathComponent().appendingPathComponent("people")
        try FileManager.default.createDirectory(at: people, withIntermediateDirectories: true)
        let card = "BEGIN:VCARD\nVERSION:3.0\nUID:k1\nFN:Kim Doe\nN:Doe;Kim;;;\nBDAY:1990-02-03\nEND:VCARD\n"
        try card.write(to: people.appendingPathComponent("k1.vcf"), atomically: true, encoding: .utf8)
        try sync(a)
        _ = try a.run("contacts", "books", "add", "own")
        _ = try a.run("contacts", "add", "Ana", "Ruiz", "--book", "own")
        try sync(a, b)
        #expect(try b.run("contacts", "list", "--ids").output.split(separator: "\n").count == 1)
        // The same contacts from the same place have one birthday each.
        _ = try b.run("account", "add", "disk", "vdir", folder.deletingLastPathComponent().path)
        try sync(b, a, b)
        for home in [a, b] {
            #expect(try home.run("contacts", "list", "--ids").output.split(separator: "\n").count == 2)
            #expect(try home.run("cal", "search", "birthday", "--json").items().count == 1)
        }
    }

    /// Whatever three devices do, in whatever order they meet, they end with the same.
    @Test(arguments: [1, 2, 3, 4]) func devicesConverge(seed: UInt64) throws {
        let site = try GatewaySite(users: ["ana"])
        let homes = try (0..<3).map { _ in try site.device(of: "ana") }
        var random = SeededGenerator(seed: seed)
        for home in homes { _ = try home.run("tasks", "add", "the first task") }
        for round in 0..<24 {
            let home = homes[Int.random(in: 0..<3, using: &random)]
            let tasks = try home.run("tasks", "list", "--json").items().compactMap { $0["id"] as? String }
            let events = try home.run("cal", "agenda", "2026", "--json").items().compactMap { $0["id"] as? String }
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1: _ = try home.run("tasks", "add", "task \(round)")
            case 2: _ = try home.run("cal", "add", "event \(round) 2026-12-\(round % 27 + 1) 10:00")
            case 3: if let id = tasks.randomElement(using: &random) { _ = try home.run("tasks", "done", id) }
            case 4:
                if let id = tasks.randomElement(using: &random) {
                    _ = try home.run("tasks", "edit", id, "priority:high", "title:renamed \(round)")
                }
            case 5: if let id = tasks.randomElement(using: &random) { _ = try home.run("tasks", "delete", id, "--yes") }
            case 6: if let id = events.randomElement(using: &random) { _ = try home.run("cal", "delete", id, "--yes") }
            case 7:
                if let id = events.randomElement(using: &random) {
                    _ = try home.run("cal", "edit", id, "--title", "moved \(round)", "--on-conflict", "allow")
                }
            case 8: _ = try home.run("undo")
            default: _ = try home.run("tasks", "boards", "add", "board \(Int.random(in: 0..<3, using: &random))")
            }
            if Bool.random(using: &random) { _ = try homes[Int.random(in: 0..<3, using: &random)].run("sync") }
        }
        for _ in 0..<3 { for home in homes { _ = try home.run("sync") } }
        try expectSame(homes[0], homes[1], homes[2])
        for home in homes { #expect(try home.run("doctor").status == 0) }
    }
}
