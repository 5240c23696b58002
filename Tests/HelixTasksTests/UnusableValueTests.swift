import HelixModel
import TestSupport
import Testing

@testable import HelixTasks

/// Every import names the values of a file that it cannot use; none is dropped in silence.
@Suite struct UnusableValueTests {
    private let now = Instant(1_795_000_000)
    private let zone = Zone.utc
    private var dates: DatePhraseParser { DatePhraseParser(now: now, zone: zone) }

    /// A value that no field understands. Its characters mean nothing in any of the formats.
    private func garbage(_ random: inout some RandomNumberGenerator) -> String {
        let letters = "qxzjvk~%&"
        return "zz" + String((0..<Int.random(in: 3...9, using: &random)).map { _ in letters.randomElement() ?? "q" })
    }

    private func told(_ found: ForeignTasks, _ value: String) -> Bool {
        found.defects.contains { $0.reason.contains(value) } || found.tasks.contains { $0.task.title.contains(value) }
    }

    @Test func valuesOfCalendarTasks() throws {
        var random = SeededGenerator(seed: 4_201)
        let fields = [
            "DUE", "DTSTART", "COMPLETED", "CREATED", "LAST-MODIFIED", "DURATION", "ESTIMATED-DURATION", "PRIORITY",
            "PERCENT-COMPLETE", "STATUS", "RRULE", "DUE;TZID=Nowhere/Land", "DUE;VALUE=DATE",
        ]
        for field in fields {
            for _ in 0..<20 {
                let value = garbage(&random)
                let text =
                    "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:Paint\n\(field):\(value)\nEND:VTODO\nEND:VCALENDAR\n"
                let found = try VTodoFormat(now: now, zone: zone).read(Array(text.utf8), name: "x.ics")
                #expect(found.tasks.count == 1 && told(found, value), "\(field):\(value)")
            }
        }
        let doubled = "BEGIN:VTODO\nUID:a\nSUMMARY:One\nEND:VTODO\nBEGIN:VTODO\nUID:a\nSUMMARY:Two\nEND:VTODO\n"
        let found = try VTodoFormat(now: now, zone: zone).read(Array(doubled.utf8), name: "x.ics")
        #expect(found.tasks.map(\.task.title) == ["One"] && found.defects.count == 1)
        let other =
            "BEGIN:VTODO\nUID:a\nSUMMARY:One\nDUE;TZID=Nowhere/Land:20261201T090000\nEND:VTODO\n"
            + "BEGIN:VEVENT\nUID:b\nEND:VEVENT\n"
        let mixed = try VTodoFormat(now: now, zone: zone).read(Array(other.utf8), name: "x.ics")
        #expect(mixed.defects.contains { $0.reason.contains("Nowhere/Land") })
        #expect(mixed.omitted == ["VEVENT": 1] && mixed.kept.isEmpty)
    }

    @Test func valuesOfTaskwarrior() throws {
        var random = SeededGenerator(seed: 4_202)
        let fields = [
            "due", "entry", "scheduled", "wait", "start", "end", "modified", "priority", "status", "estimate",
        ]
        for field in fields {
            for _ in 0..<20 {
                let value = garbage(&random)
                let text = #"[{"description":"Paint","uuid":"u","\#(field)":"\#(value)"}]"#
                let found = try TaskwarriorFormat.read(Array(text.utf8), now: now, zone: zone)
                #expect(found.tasks.count == 1 && told(found, value), "\(field): \(value)")
            }
        }
        let cut = "\u{FEFF}[\n{\"description\":\"Paint\",\"uuid\":\"u\"},\n{\"description\":\"Bu"
        let found = try TaskwarriorFormat.read(Array(cut.utf8), now: now, zone: zone)
        #expect(found.tasks.count == 1)
        #expect(found.defects.contains { $0.reason.contains("cut off") })
    }

    @Test func valuesOfTables() throws {
        var random = SeededGenerator(seed: 4_203)
        let fields = [
            "status", "priority", "due", "scheduled", "wait", "created", "started", "estimate_seconds", "percent",
            "recurrence",
            "kind",
        ]
        for field in fields {
            for _ in 0..<20 {
                let value = garbage(&random)
                let columns = ["id", "title", "status"].filter { $0 != field } + [field]
                let valid = ["id": "1", "title": "Paint", "status": "open"]
                let row = columns.map { $0 == field ? value : valid[$0] ?? "" }
                let text = columns.joined(separator: ",") + "\n" + row.joined(separator: ",") + "\n"
                let found = TaskCSVFormat.read(try CSVTable(Array(text.utf8)), now: now, zone: zone)
                #expect(found.tasks.count == 1 && told(found, value), "\(field): \(value)")
            }
        }
        let table = try CSVTable(Array("id,title,status,colour\n1,Paint,open,red\n".utf8))
        #expect(TaskCSVFormat.read(table, now: now, zone: zone).omitted == ["column 'colour'": 1])
    }

    @Test func valuesOfChecklistsAndLines() throws {
        var random = SeededGenerator(seed: 4_204)
        for field in ["due", "priority", "est", "wait", "scheduled", "repeat", "parent", "every"] {
            for _ in 0..<20 {
                let value = garbage(&random)
                let line = "Paint \(field):\(value)"
                let list = try MarkdownFormat.read(Array("- [ ] \(line)\n".utf8), dates: dates)
                #expect(told(list, value), "\(line)")
                #expect(told(try TodoTxtFormat.read(Array("\(line)\n".utf8), now: now, zone: zone), value), "\(line)")
            }
        }
        let list = try MarkdownFormat.read(
            Array("- [ ] Water plants wait:2026-12-01 repeat:weekly progress:50%\n".utf8), dates: dates)
        let task = try #require(list.tasks.first?.task)
        #expect(task.title == "Water plants" && task.hiddenUntil != nil && task.recurrence != nil)
        #expect(task.due != nil && task.percent == 50 && list.defects.isEmpty)
    }

    @Test func textOfOldProgramsIsReadAndReported() throws {
        let latin = Array("- [ ] Caf".utf8) + [0xE9] + Array(" buchen\n- [ ] Öl\n".utf8)
        let list = try MarkdownFormat.read(latin, dates: dates)
        #expect(list.tasks.map(\.task.title) == ["Café buchen", "Öl"])
        #expect(list.defects.map(\.place) == ["line 1"])
        let org = try OrgFormat.tasks(Array("* TODO Caf".utf8) + [0xE9, 0x0A], now: now, zone: zone)
        #expect(org.tasks.map(\.task.title) == ["Café"] && org.defects.count == 1)
        let lines = try TodoTxtFormat.read(Array("\u{FEFF}(A) Caf".utf8) + [0xE9, 0x0D, 0x0A], now: now, zone: zone)
        #expect(lines.tasks.map(\.task.title) == ["Café"] && lines.tasks[0].task.priority != nil)
    }

    /// A time entry whose end cannot be read does not become a running one.
    @Test func endsOfTimeEntries() throws {
        var random = SeededGenerator(seed: 4_205)
        for _ in 0..<40 {
            let value = garbage(&random)
            for text in [
                #"[{"start":"20261103T080000Z","end":"\#(value)","tags":["a"]}]"#,
                "inc 20261103T080000Z - \(value) # a\n", "\(value)\n",
            ] {
                let found = try TimewarriorFormat.read(Array(text.utf8))
                #expect(found.entries.isEmpty && found.defects.count == 1, "\(text)")
            }
            let own = #"{"schema":"helix.time.log/1","items":[{"start":"2026-11-03T08:00:00Z","end":"\#(value)"}]}"#
            let found = try #require(TimeLogFormat.read(Array(own.utf8)))
            #expect(found.entries.isEmpty && found.defects.count == 1)
        }
    }

    /// Timewarrior's data files say the same as its export: quotes within words are escaped there.
    @Test func quotesInDataOfTimewarrior() throws {
        let line = #"inc 20261103T080000Z - 20261103T090000Z # "q\"uote x" C:\new # "ann \"q\" x""#
        let json =
            #"[{"start":"20261103T080000Z","end":"20261103T090000Z","tags":["q\"uote x","C:\\new"],"annotation":"ann \"q\" x"}]"#
        let (one, other) = (
            try TimewarriorFormat.read(Array(line.utf8)), try TimewarriorFormat.read(Array(json.utf8))
        )
        #expect(one.entries.map(\.entry.title) == other.entries.map(\.entry.title), "\(one) \(other)")
        #expect(one.entries.map(\.entry.tags) == other.entries.map(\.entry.tags))
        #expect(one.entries.map(\.entry.note) == other.entries.map(\.entry.note))
        #expect(one.entries.first?.entry.note == #"ann "q" x"# && one.defects.count == other.defects.count)
    }

    /// Timestamps of Org files that are none, or that end before they begin.
    @Test func timestampsOfOrg() throws {
        for (stamp, word) in [
            ("<2026-13-10 Thu 10:00>", "2026-13-10"), ("<2026-12-12 Sat 25:00>", "25:00"),
            ("<2026-12-12 Sat 11:00-10:00>", "ends before"), ("<2026-12-14 Mon>--<2026-12-01 Tue>", "ends before"),
            ("<2026-12-12 Sat +1x>", "+1x"), ("<%%(diary-float t 4 2)>", "diary-float"),
            ("<2026-12-12 Sat 10:00-99:00>", "10:00-99:00"),
        ] {
            for text in ["* Meet \(stamp)\n", "* Meet\n\(stamp)\n"] {
                let found = try OrgFormat.events(Array(text.utf8))
                #expect(found.defects.contains { $0.reason.contains(word) }, "\(text) \(found.defects)")
            }
        }
        let good = "* Meet <2026-12-12 Sat 10:00-11:00 +1w>\n* Trip <2026-12-14 Mon>--<2026-12-16 Wed>\n"
        #expect(try OrgFormat.events(Array(good.utf8)).defects.isEmpty)
    }

    /// What Org says of a task, and helix has no place for.
    @Test func wordsOfOrg() throws {
        for (text, word) in [
            ("* TODO [#Q] Paint\n", "'Q'"), ("* TODO Paint\nDEADLINE: <2026-12-01 Tue -3d>\n", "'-3d'"),
            ("* TODO Run\nSCHEDULED: <2026-12-01 Tue .+2d/4d>\n", "'4d'"),
            ("* TODO Paint\nDEADLINE: <2026-12-01 Tue 3pm>\n", "'3pm'"),
            ("* TODO Paint\nDEADLINE: <2026-12-01 Tue +1w> SCHEDULED: <2026-11-30 Mon +2d>\n", "'+2d'"),
            ("* TODO Paint\n:PROPERTIES:\n:CREATED: long ago\n:END:\n", "'long ago'"),
        ] {
            let found = try OrgFormat.tasks(Array(text.utf8), now: now, zone: zone)
            #expect(found.tasks.count == 1 && found.defects.count == 1, "\(text) \(found.defects)")
            #expect(found.defects.allSatisfy { $0.isPartial && $0.reason.contains(word) }, "\(found.defects)")
        }
        let text = "* House\n** TODO Paint\n* Ideas\n** A thought\n* WAITIN for Bo\n* Party <2026-12-05 Sat>\n"
        let found = try OrgFormat.tasks(Array(text.utf8), now: now, zone: zone)
        #expect(found.omitted.values.sorted() == [1, 3] && found.defects.isEmpty)
    }

    /// Appointments and tasks of calcurse that are none, or have values that are none.
    @Test func linesOfCalcurse() throws {
        let found = try CalcurseFormat.tasks(Array("[12] a\n[-3] b\n[0] c\n[9] d\n".utf8), now: now) { _ in nil }
        #expect(found.tasks.map(\.task.title) == ["a", "b", "c", "d"] && found.tasks[1].task.state == .done)
        #expect(found.defects.map(\.place) == ["line 1"] && found.defects[0].isPartial)
        let good = "11/20/2026 @ 10:00 -> 11/20/2026 @ 11:00 |Meet"
        for (line, isAppointments) in [
            (good, true), ("something else\n\n" + good, true), ("BEGIN:VCALENDAR\n" + good, false), ("a\nb\n", false),
        ] { #expect(CalcurseFormat.isAppointments(Array(line.utf8)) == isAppointments, "\(line)") }
        // A remark on an event is on its line of the file.
        let calendar = CalcurseFormat.calendar(Array("x\n\(good)\n11/20/2026 [1] Day\n".utf8)) { _ in nil }
        let lines = calendar.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let begins = lines.indices.filter { lines[$0] == "BEGIN:VEVENT" }.map { calendar.sourceLine($0 + 1) }
        #expect(begins == [2, 3] && calendar.defects.map(\.place) == ["line 1"])
    }

    /// A row with more fields than columns may have moved its values.
    @Test func rowsWithTooManyFields() throws {
        let own = try CSVTable(Array("id,title,status\na,Paint, then rest,open\nb,Sand,open,,\n".utf8))
        let found = TaskCSVFormat.read(own, now: now, zone: zone)
        #expect(
            found.tasks.count == 2 && found.defects.filter { $0.reason.contains("4 fields for 3 columns") }.count == 1)
        let todoist = try CSVTable(Array("TYPE,CONTENT\ntask,Paint,red\n,What is this\n".utf8))
        let read = TodoistFormat.read(todoist, name: "a.csv", dates: dates)
        #expect(read.tasks.count == 1 && read.defects.map(\.place) == ["line 2", "line 3"])
    }

    /// Times that no program can write again, and identities without characters.
    @Test func timesOutOfRange() throws {
        for value in ["-99999999999999999", "\"99991231T235959Z\"", "\"00010101T000000Z\"", "9223372036854775807"] {
            let text = #"[{"description":"Paint","uuid":"u","due":\#(value)}]"#
            let found = try TaskwarriorFormat.read(Array(text.utf8), now: now, zone: zone)
            #expect(found.tasks.first?.task.due == nil && found.defects.count == 1, "\(value): \(found.defects)")
        }
        let text = #"[{"description":"one","uuid":""},{"description":"two","uuid":""}]"#
        let found = try TaskwarriorFormat.read(Array(text.utf8), now: now, zone: zone)
        #expect(found.tasks.count == 2 && found.defects.isEmpty)
        #expect(Set(found.tasks.map(\.task.uid)).count == 2)
    }

    /// Attributes of helix in the files of others, which helix would not have written so.
    @Test func attributesOfHelix() throws {
        for (name, value) in [
            ("kind", "odd"), ("steps", "zz"), ("foo", "x"), ("percent", "200"), ("rank", "?"),
            ("recurrence", "after:PXX"),
            ("due", "soon"), ("series", "-"), ("priority", "high"),
        ] {
            let text = #"[{"description":"Paint","uuid":"u","helix_\#(name)":"\#(value)"}]"#
            let found = try TaskwarriorFormat.read(Array(text.utf8), now: now, zone: zone)
            #expect(found.tasks.count == 1 && found.defects.count == 1, "\(name): \(found.defects)")
            #expect(found.defects.first?.reason.contains("helix_\(name)") == true)
        }
        for line in [
            "X-HELIX-KIND:odd", "X-HELIX-REPEAT:after:PXX", "X-HELIX-STEP:no brackets", "X-HELIX-HIDDEN-UNTIL:never",
        ] {
            let text = "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:Paint\n\(line)\nEND:VTODO\nEND:VCALENDAR\n"
            let found = try VTodoFormat(now: now, zone: zone).read(Array(text.utf8), name: "x.ics")
            #expect(found.tasks.count == 1 && found.defects.count == 1, "\(line): \(found.defects)")
        }
        let rows = try CSVTable(Array("id,title,status\na,One,open\na,Two,open\n,Three,open\n,Four,open\n".utf8))
        let found = TaskCSVFormat.read(rows, now: now, zone: zone)
        #expect(found.tasks.map(\.task.title) == ["One", "Three", "Four"] && found.defects.map(\.place) == ["line 3"])
        let report =
            "User,Description,Start date,Start time,End date,End time,Duration\nm,old,0001-01-06,11:00,0001-01-06,12:00,\n"
        let times = try TimeTableFormat(zone: zone).read(CSVTable(Array(report.utf8)))
        #expect(times.entries.isEmpty && times.defects.count == 1)
    }

    /// Fields of helix's own time entries that are none.
    @Test func fieldsOfTimeEntries() throws {
        func read(_ more: String, _ rest: String = "") throws -> (count: Int, reasons: [String]) {
            let text =
                #"{"schema":"helix.time.log/1","items":[{"start":"2026-01-05T09:00:00Z","end":"2026-01-05T10:00:00Z"\#(more)}]\#(rest)}"#
            let found = try #require(TimeLogFormat.read(Array(text.utf8)))
            return (found.entries.count, found.defects.map(\.reason))
        }
        for (field, word) in [
            (#","duration":60"#, "duration 60"), (#","title":7"#, "title 7"), (#","tags":"a""#, "tags"),
            (#","tags":[1]"#, "tags"),
            (#","billable":"yes""#, "billable"), (#","task":"no such""#, "task"), (#","note":7"#, "note"),
            (#","foo":1"#, "foo"),
            (#","project":8"#, "project"), (#","customer":[1]"#, "customer"),
        ] {
            let found = try read(field)
            #expect(
                found.count == 1 && found.reasons.count == 1 && found.reasons[0].contains(word), "\(field): \(found)")
        }
        #expect(try read("", #","truncated":true"#).reasons.count == 1)
        let good = #","duration":3600,"title":"x","tags":["a"],"billable":false,"note":null,"links":[],"running":false"#
        #expect(try read(good, #","truncated":false"#).reasons.isEmpty)
        let text = #"{"schema":"helix.time.log/1","items":[{"start":"2026-01-05T09:00:00Z","end":5}]}"#
        let found = try #require(TimeLogFormat.read(Array(text.utf8)))
        #expect(found.entries.isEmpty && found.defects.count == 1)
    }
}
