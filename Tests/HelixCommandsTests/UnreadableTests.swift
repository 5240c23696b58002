import Foundation
import TestSupport
import Testing

@testable import HelixCommands

/// What cannot be read is not gone: it is said, and nothing is concluded from it.
@Suite struct UnreadableTests {
    private func event(_ uid: String) -> String {
        """
        BEGIN:VCALENDAR\r
        VERSION:2.0\r
        PRODID:-//test//test//EN\r
        BEGIN:VEVENT\r
        UID:\(uid)\r
        DTSTAMP:20261101T000000Z\r
        DTSTART:20261201T090000Z\r
        DTEND:20261201T100000Z\r
        SUMMARY:\(uid)\r
        END:VEVENT\r
        END:VCALENDAR\r

        """
    }

    private func folder(_ home: HelixHome) throws -> String {
        let folder = home.folder.appendingPathComponent("vdir/cal").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["one", "two", "three"] {
            try Data(event(name).utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name).ics"))
        }
        #expect(try home.perform("account", "add", "folder", "vdir", folder).status == 0)
        #expect(try home.perform("sync").status == 0)
        return folder
    }

    private func titles(_ home: HelixHome) throws -> [String] {
        try home.perform("cal", "agenda", "2026-12-01", "--json").items().compactMap { $0["title"] as? String }.sorted()
    }

    /// A link that leads to itself is there, and its state cannot be found out, whoever asks.
    @Test func aFileWhoseStateIsUnknownIsNotDeletedHere() throws {
        let home = try HelixHome(zone: "UTC")
        let folder = try folder(home)
        #expect(try titles(home) == ["one", "three", "two"])
        try FileManager.default.removeItem(atPath: "\(folder)/two.ics")
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/two.ics", withDestinationPath: "two.ics")
        let result = try home.perform("sync")
        #expect(
            result.status != 0 && (result.errors + result.output).contains("two.ics"),
            "\(result.output)\(result.errors)")
        #expect(try titles(home) == ["one", "three", "two"])
        // It comes back, and is the same event.
        try FileManager.default.removeItem(atPath: "\(folder)/two.ics")
        try Data(event("two").utf8).write(to: URL(fileURLWithPath: "\(folder)/two.ics"))
        #expect(try home.perform("sync").status == 0)
        #expect(try titles(home) == ["one", "three", "two"])
        // What is gone is deleted here.
        try FileManager.default.removeItem(atPath: "\(folder)/two.ics")
        #expect(try home.perform("sync").status == 0)
        #expect(try titles(home) == ["one", "three"])
    }

    /// The memory of a process is a file that nobody can read from its beginning.
    @Test func aFileThatCannotBeReadIsNamed() throws {
        let home = try HelixHome(zone: "UTC")
        let folder = try folder(home)
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/four.ics", withDestinationPath: "/proc/self/mem")
        let result = try home.perform("sync")
        #expect(result.status != 0, "\(result.output)\(result.errors)")
        #expect((result.errors + result.output).contains("an object"), "\(result.output)\(result.errors)")
        #expect(try titles(home) == ["one", "three", "two"])
    }

    @Test func aDamagedStoreCutsNoExport() throws {
        let home = try HelixHome(zone: "UTC")
        #expect(try home.perform("chat", "new", "Notes").status == 0)
        for number in 0..<30 {
            let text = "message \(number) " + String(repeating: "word ", count: 400)
            #expect(try home.perform("chat", "send", "Notes", text).status == 0)
        }
        let whole = try home.perform("chat", "export", "Notes", "--format", "jsonl").output.split(separator: "\n").count
        #expect(whole == 30)
        // Everything is in the file itself, and one of its pages has no content any more.
        _ = try home.run(
            program: "/usr/bin/python3",
            [
                "-c",
                """
                import sqlite3, sys
                db = sqlite3.connect(sys.argv[1]); db.execute('PRAGMA wal_checkpoint(TRUNCATE)'); db.close()
                data = bytearray(open(sys.argv[1], 'rb').read())
                place = data.find(b'message 20 '); size = 4096 if data[16:18] == b'\\x10\\x00' else int.from_bytes(data[16:18], 'big')
                page = place // size * size
                data[page:page + 16] = b'\\xff' * 16
                open(sys.argv[1], 'wb').write(data)
                """, home.store,
            ])
        let result = try home.perform("chat", "export", "Notes", "--format", "jsonl")
        #expect(result.status != 0, "\(result.output.split(separator: "\n").count) of 30")
    }

    @Test func aRuleEndsInTheTypeOfItsStart() throws {
        let home = try HelixHome(zone: "Europe/Berlin")
        func rule(_ words: String...) throws -> String {
            let added = try home.perform(["cal", "add", "T"] + words)
            #expect(added.status == 0, "\(words): \(added.errors)")
            let text = try home.perform("cal", "export").output
            let lines = text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("RRULE") }
            #expect(try home.perform("cal", "check", "--store").status == 0, "\(words)")
            #expect(try home.perform("undo").status == 0)
            return lines.map(String.init).joined()
        }
        let timed = ["--start", "2026-11-27 9:00", "--rrule"]
        #expect(
            try rule(timed[0], timed[1], timed[2], "FREQ=DAILY;UNTIL=20261201")
                == "RRULE:FREQ=DAILY;UNTIL=20261201T225959Z")
        #expect(
            try rule(timed[0], timed[1], timed[2], "FREQ=DAILY;UNTIL=20261201T120000")
                == "RRULE:FREQ=DAILY;UNTIL=20261201T110000Z")
        #expect(
            try rule("--start", "2026-11-27", "--all-day", "--rrule", "FREQ=DAILY;UNTIL=20261201T000000Z")
                == "RRULE:FREQ=DAILY;UNTIL=20261201")
        // Whole days become hours: the end follows.
        #expect(
            try home.perform(
                "cal", "add", "U", "--start", "2026-11-27", "--all-day", "--repeat", "daily until 2026-12-01"
            ).status == 0)
        let id = try #require(try home.perform("cal", "agenda", "2026-11-27", "--json").items().first?["id"] as? String)
        #expect(try home.perform("cal", "edit", id, "--all", "--start", "2026-11-27 9:00").status == 0)
        #expect(try home.perform("cal", "export").output.contains("UNTIL=20261201T225959Z"))
        // What others wrote is told.
        let file = try home.write(
            event("x").replacingOccurrences(of: "SUMMARY:x", with: "RRULE:FREQ=DAILY;UNTIL=20261205"), to: "x.ics")
        let checked = try home.perform("cal", "check", file)
        #expect(checked.status == 65 && checked.output.contains("UNTIL"), "\(checked.output)")
        // Twice the same answer, whatever is in the store.
        for _ in 0..<2 { #expect(try home.perform("cal", "import", file, "--strict").status == 65) }
        #expect(try home.perform("cal", "import", file).status == 0)
        #expect(try home.perform("cal", "import", file, "--strict").status == 65)
    }

    @Test func strictnessDoesNotDependOnTheStore() throws {
        let home = try HelixHome(zone: "UTC")
        let good = try home.write(event("good"), to: "good.ics")
        let odd = try home.write(
            event("odd").replacingOccurrences(of: "DTEND:20261201T100000Z", with: "DTEND:20261130T100000Z"),
            to: "odd.ics")
        let first = try home.perform("cal", "import", good, odd, "--strict")
        #expect(first.status == 65 && first.errors.contains("odd.ics is not valid"), "\(first.errors)")
        let machine = try home.perform("cal", "import", good, odd, "--strict", "--json")
        #expect(machine.status == 65 && !machine.output.isEmpty)
        #expect(try home.perform("cal", "import", odd).status == 0)
        #expect(try home.perform("cal", "import", odd, "--strict").status == 65)
    }
}
