import HelixModel
import HelixTasks
import TestSupport
import Testing

/// Files of other programs, damaged: each line, row or object becomes an item, or is reported; none disappears.
@Suite struct ForeignFormatFuzzTests {
    private static let now = Instant(1_795_000_000)
    private static let zone = Zone.utc
    private static let count = max(1, Mutation.count / 5)
    private static let words = [
        "\n", "\r\n", "\t", " ", ",", ";", "\"", "[", "]", "{", "}", ":", "#", "*", "-", "x ", "(A) ", "due:2026-12-01",
        "\u{FEFF}",
        "99/99/9999", "20261301T990000Z", "TODO", ":END:", "<2026-12-01 Tue +1w>", "inc ", "null",
    ]

    private static func lines(_ bytes: [UInt8]) -> Int {
        String(decoding: bytes, as: UTF8.self).split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }).count {
            !$0.allSatisfy { $0.isWhitespace || $0 == "\u{FEFF}" }
        }
    }

    private static func items(_ found: ForeignTasks) -> Int {
        found.tasks.count + found.defects.count { !$0.isPartial } + found.omitted.values.reduce(0, +)
    }

    @Test func linesOfTodoTxt() {
        let samples = [
            "(A) 2026-11-01 Call Mom +Family @phone due:2026-12-01\nx 2026-11-02 2026-11-01 Paint rec:1w\n",
            "Paint t:2026-12-01 pri:B\n\n(Z) z\n",
        ]
        var tasks = 0
        Mutation(samples, words: Self.words).run(Self.count) { bytes, _ in
            guard let found = try? TodoTxtFormat.read(bytes, now: Self.now, zone: Self.zone) else { return }
            tasks += found.tasks.count
            // A line that only ends in a carriage return is one of text.
            if bytes.contains(0x0D) || bytes.contains(0x0B) || bytes.contains(0x0C) { return }
            if String(validating: bytes, as: UTF8.self) == nil { return }
            #expect(Self.items(found) >= Self.lines(bytes), "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(tasks > Self.count)
    }

    @Test func linesOfCalcurse() {
        let todo = ["[3] Paint\n[-1] Done\n[0]>abc With a note\n"]
        let appointments = [
            "11/20/2026 @ 10:00 -> 11/20/2026 @ 11:00 |Meet\n11/20/2026 [1] {2W -> 03/01/2027 w1 !12/05/2026} Day\n",
            "11/20/2026 @ 23:00 -> 11/21/2026 @ 01:00 {1M d20 m11} >note !Late\n",
        ]
        var tasks = 0
        Mutation(todo, words: Self.words).run(Self.count) { bytes, _ in
            guard let found = try? CalcurseFormat.tasks(bytes, now: Self.now, note: { _ in nil }) else { return }
            tasks += found.tasks.count
            guard String(validating: bytes, as: UTF8.self) != nil else { return }
            #expect(Self.items(found) >= Self.lines(bytes), "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(tasks > Self.count)
        var events = 0
        Mutation(appointments, words: Self.words).run(Self.count) { bytes, _ in
            let found = CalcurseFormat.calendar(bytes) { _ in nil }
            let begun = found.text.split(whereSeparator: \.isNewline).count { $0 == "BEGIN:VEVENT" }
            events += begun
            guard String(validating: bytes, as: UTF8.self) != nil else { return }
            #expect(begun + found.defects.count { !$0.isPartial } >= Self.lines(bytes))
        }
        #expect(events > Self.count / 5)
    }

    @Test func headingsOfOrg() {
        let samples = [
            "#+TODO: TODO WAIT | DONE\n* House :home:\n** TODO [#A] Paint :red:\nDEADLINE: <2026-12-01 Tue +1w>\n:PROPERTIES:\n"
                + ":EFFORT: 1:30\n:END:\nCLOCK: [2026-11-01 Sun 10:00]--[2026-11-01 Sun 11:00] => 1:00\n- [X] step\nText\n",
            "* Party <2026-12-05 Sat 20:00-23:00>\n* Trip <2026-12-14 Mon>--<2026-12-16 Wed>\n* DONE a\nCLOSED: [2026-11-01 Sun]\n",
        ]
        var found = 0
        Mutation(samples, words: Self.words).run(Self.count) { bytes, _ in
            guard let tasks = try? OrgFormat.tasks(bytes, now: Self.now, zone: Self.zone) else { return }
            found += tasks.tasks.count
            _ = try? OrgFormat.time(bytes, zone: Self.zone)
            _ = try? OrgFormat.events(bytes)
        }
        #expect(found > Self.count / 2)
    }

    @Test func objectsOfTaskwarriorAndTimewarrior() throws {
        let tasks = [
            #"[{"description":"Paint","uuid":"a","due":"20261201T000000Z","tags":["x"],"priority":"H","status":"pending"}]"#,
            "{\"description\":\"a\",\"status\":\"completed\"}\n{\"description\":\"b\",\"annotations\":[{\"description\":\"n\"}]}\n",
        ]
        var read = 0
        Mutation(tasks, words: Self.words).run(Self.count) { bytes, _ in
            guard let found = try? TaskwarriorFormat.read(bytes, now: Self.now, zone: Self.zone) else { return }
            read += found.tasks.count
            guard let list = (try? JSONText(bytes))?.elements else { return }
            #expect(Self.items(found) >= list.count, "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(read > Self.count / 20)
        let times = [
            #"[{"start":"20261103T080000Z","end":"20261103T090000Z","tags":["a","b c"],"annotation":"n"}]"#,
            "inc 20261103T080000Z - 20261103T082000Z # email \"two words\" # note\n\ninc 20261104T080000Z\n",
        ]
        var entries = 0
        Mutation(times, words: Self.words).run(Self.count) { bytes, _ in
            guard let found = try? TimewarriorFormat.read(bytes) else { return }
            entries += found.entries.count
            let whole = found.entries.count + found.defects.count { !$0.isPartial }
            let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
            if first == UInt8(ascii: "[") || first == UInt8(ascii: "{") {
                guard let list = (try? JSONText(bytes))?.elements else { return }
                #expect(whole >= list.count)
            } else if !bytes.contains(0x0D), String(validating: bytes, as: UTF8.self) != nil {
                #expect(whole >= Self.lines(bytes), "\(String(decoding: bytes, as: UTF8.self))")
            }
        }
        #expect(entries > Self.count / 20)
    }

    @Test func rowsOfTables() {
        let samples = [
            "id,title,status,due,tags\na,Paint,open,2026-12-01,x y\nb,\"Sand, all\",done,,\n",
            "TYPE,CONTENT,PRIORITY,INDENT,DATE\ntask,Paint @red,1,1,tomorrow\nnote,more,,,\nsection,Rooms,,,\ntask,Sand,4,2,every day\n",
            "User,Project,Description,Billable,Start date,Start time,End date,End time,Duration\n"
                + "a,House,Paint,Yes,2026-11-01,10:00:00,2026-11-01,11:00:00,01:00:00\n",
            "start,end,title\n2026-11-03T08:00:00Z,2026-11-03T09:00:00Z,Paint\n",
        ]
        let dates = DatePhraseParser(now: Self.now, zone: Self.zone)
        var rows = 0
        Mutation(samples, words: Self.words).run(Self.count) { bytes, _ in
            guard let table = try? CSVTable(bytes) else { return }
            if TodoistFormat.isFormat(table) {
                let found = TodoistFormat.read(table, name: "a.csv", dates: dates)
                rows += found.tasks.count
            } else if TaskCSVFormat.isFormat(table) {
                let found = TaskCSVFormat.read(table, now: Self.now, zone: Self.zone)
                rows += found.tasks.count
                #expect(found.tasks.count + found.defects.count { !$0.isPartial } == table.records.count)
            } else if let found = try? TimeTableFormat(zone: Self.zone).read(table) {
                rows += found.entries.count
                #expect(found.entries.count + found.defects.count { !$0.isPartial } == table.records.count)
            }
        }
        #expect(rows > Self.count / 10)
    }

    @Test func itemsOfMarkdown() {
        let samples = [
            "# House\n- [ ] Paint due:2026-12-01 +red\n  - [x] Sand\n* [ ] Third\n", "Text\n\n1. [ ] One\n- [ ] \n",
        ]
        let dates = DatePhraseParser(now: Self.now, zone: Self.zone)
        var tasks = 0
        Mutation(samples, words: Self.words).run(Self.count) { bytes, _ in
            guard let found = try? MarkdownFormat.read(bytes, dates: dates) else { return }
            tasks += found.tasks.count
        }
        #expect(tasks > Self.count / 2)
    }
}
