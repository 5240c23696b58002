import Foundation
import TestSupport
import Testing

/// Tasks, events and time of other programs come in by the import that fits, and a second time nothing changes.
@Suite struct ForeignFormatTests {
    private func tasks(_ home: HelixHome, _ fields: String...) throws -> [String] {
        try home.run("tasks", "list", "status:all", "--sort", "title", "--json").items().map { item in
            fields.map { name in
                let value = item[name]
                if let list = value as? [String] { return list.joined(separator: "+") }
                return value.map { "\($0)" } ?? "-"
            }.joined(separator: " | ")
        }
    }

    private func twice(_ home: HelixHome, _ words: [String], _ isSame: (String) -> Bool) throws {
        let first = try home.run(words)
        #expect(first.status == 0, "\(words) \(first.output)\(first.errors)")
        let history = try home.run("history", "--json").output
        let again = try home.run(words)
        #expect(again.status == 0 && isSame(again.output), "\(words) \(again.output)")
        #expect(try home.run("history", "--json").output == history, "\(words)")
    }

    // MARK: calcurse

    /// calcurse makes the files, and says itself what they mean.
    @Test(arguments: [
        "DTSTART:20261120T100000|DTEND:20261120T110000", "DTSTART;VALUE=DATE:20261201",
        "DTSTART:20261121T100000|DTEND:20261121T110000|RRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL=20270301T000000;BYDAY=MO,SA"
            + "|EXDATE:20261205T100000",
        "DTSTART;VALUE=DATE:20261201|RRULE:FREQ=YEARLY;BYMONTH=1,12;BYMONTHDAY=1,-1",
        "DTSTART:20261122T220000|DTEND:20261123T020000|RRULE:FREQ=DAILY;COUNT=5",
        "DTSTART;VALUE=DATE:20261208|RRULE:FREQ=MONTHLY;BYDAY=2TU,-1FR;COUNT=7",
        "DTSTART:20261124T083000|DTEND:20261124T090000|RRULE:FREQ=MONTHLY;INTERVAL=3",
        "DTSTART;VALUE=DATE:20261121|RRULE:FREQ=WEEKLY",
    ]) func calcursesAppointmentsMeanWhatItsOwnExportMeans(_ lines: String) throws {
        let home = try HelixHome()
        let event = (["UID:1", "SUMMARY:It"] + lines.split(separator: "|").map(String.init)).joined(separator: "\n")
        let calendar = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VEVENT\n\(event)\nEND:VEVENT\nEND:VCALENDAR\n"
        let file = try home.write(calendar, to: "in.ics")
        let folder = home.folder.path + "/calcurse"
        let script =
            "mkdir -p calcurse; calcurse -q -D calcurse -i \(file) </dev/null; calcurse -D calcurse -xical > out.ics"
        _ = try home.run(program: "/bin/sh", ["-c", script])
        let list = ["cal", "agenda", "2026-11-18", "to", "2027-12-31", "--json", "--limit", "all"]
        func occurrences(_ home: HelixHome) throws -> [String] {
            try home.run(list).items().map { "\($0["start"] ?? "") \($0["end"] ?? "") \($0["title"] ?? "")" }
        }
        let other = try HelixHome()
        #expect(try other.run("cal", "import", home.folder.path + "/out.ics").status == 0)
        try twice(home, ["cal", "import", folder]) { $0.contains("0 new, 1 unchanged") }
        let mine = try occurrences(home)
        #expect(mine == (try occurrences(other)) && !mine.isEmpty, "\(mine.prefix(8))")
    }

    @Test func calcursesNotesTasksAndBrokenLinesAreTold() throws {
        let home = try HelixHome()
        try FileManager.default.createDirectory(
            atPath: home.folder.path + "/c/notes", withIntermediateDirectories: true)
        _ = try home.write("the note\n", to: "c/notes/abc")
        _ = try home.write(
            "11/20/2026 @ 10:00 -> 11/20/2026 @ 11:00>abc !Told\n11/21/2026 [1] >abc All day\nrubbish\n"
                + "11/20/2026 @ 10:00 -> 11/20/2026 @ 11:00 {9Q} |Never\n", to: "c/apts")
        _ = try home.write("[1]>abc High\n[0] None\n[-9] Low, done\n[x] broken\n[0]>gone Noted\n", to: "c/todo")
        try Data([0x43, 0x61, 0x66, 0xE9, 0x0A]).write(to: home.folder.appendingPathComponent("c/notes/latin"))
        try FileManager.default.createDirectory(
            atPath: home.folder.path + "/l", withIntermediateDirectories: true)
        _ = try home.write("11/22/2026 [1] >latin Old\n11/23/2026 [1] >gone Lost\n", to: "l/apts")
        try FileManager.default.createSymbolicLink(
            atPath: home.folder.path + "/l/notes", withDestinationPath: home.folder.path + "/c/notes")
        let told = try home.run("cal", "import", "l/apts")
        #expect(
            told.errors.contains("line 2: its note gone cannot be read") && !told.errors.contains("skipped"), "\(told)")
        #expect(try home.run("cal", "search", "Café", "--json").items().count == 1)
        let run = try home.run("cal", "import", "c", "--json")
        let result = try run.items().first ?? run.json()
        #expect((result["created"] as? [String])?.count == 2 && (result["defects"] as? [Any])?.count == 2, "\(run)")
        #expect(try home.run("cal", "search", "note", "--json").items().count == 2)
        let imported = try home.run("tasks", "import", "c")
        #expect(imported.output.contains("4 new") && imported.errors.contains("line 4"), "\(imported)")
        #expect(imported.errors.contains("line 5: its note gone cannot be read and is left out"), "\(imported)")
        #expect(
            try tasks(home, "title", "priority", "status", "notes") == [
                "High | critical | open | the note", "Low, done | low | done | -", "None | - | open | -",
                "Noted | - | open | -",
            ])
    }

    // MARK: Todoist, Google, Org

    @Test func todoistsTemplatesComeWithDatesLabelsAndNesting() throws {
        let home = try HelixHome()
        let text = #"""
            TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE
            section,Beds,,,,,,,,
            task,Plant roses @outside @spring,"Red ones, ""big""
            and more",1,1,Ana (1),Bob (2),20 Nov 2026 14:00,en,
            task,Buy soil,,4,2,,,every monday at 9am,en,
            note,Ask Carl,,,,,,,,
            task,Water,,3,1,,,every! 3 days,en,
            task,Buy soil,,4,1,,,,en,
            task,Strange,,2,1,,,at some time or other,en,
            ,,,,,,,,,
            weird,x,,,,,,,,
            """#
        let file = try home.write(text, to: "Garden [22033].csv")
        let first = try home.run("tasks", "import", file)
        #expect(first.output.contains("5 new") && first.errors.contains("line 9") && first.errors.contains("'weird'"))
        try twice(home, ["tasks", "import", file]) { $0.contains("0 new, 5 unchanged") }
        #expect(
            try tasks(home, "title", "priority", "due", "tags", "project", "block", "assignee", "recurrence", "notes")
                == [
                    "Buy soil | - | 2026-11-23T09:00:00+01:00 |  | Garden | Beds | - | FREQ=WEEKLY;BYDAY=MO | Ask Carl",
                    "Buy soil | - | - |  | Garden | Beds | - | - | -",
                    "Plant roses | critical | 2026-11-20T14:00:00+01:00 | outside+spring | Garden | Beds | Bob | - | "
                        + "Red ones, \"big\"\nand more",
                    "Strange | high | - |  | Garden | Beds | - | - | Date: at some time or other",
                    "Water | medium | 2026-11-18 |  | Garden | Beds | - | after:P3D | -",
                ])
        let parents = try home.run("tasks", "list", "status:all", "--json").items().filter { $0["parent"] != nil }
        #expect(parents.count == 1 && parents[0]["title"] as? String == "Buy soil")
    }

    @Test func googlesTaskListsBecomeProjects() throws {
        let home = try HelixHome()
        let text = """
            {"kind":"tasks#taskLists","items":[
            {"kind":"tasks#tasks","id":"L1","title":"My Tasks","items":[
            {"id":"a","title":"Child","parent":"b","status":"needsAction","due":"2026-11-20T00:00:00Z","notes":"n"},
            {"id":"b","title":"Parent","status":"completed","completed":"2026-11-02T10:00:00Z","starred":true},
            {"id":"c","title":""},{"id":"e","title":"Orphan","parent":"gone","due":"never"}]},
            {"id":"L2","title":"Shop","items":[{"id":"d","title":"Milk","status":"needsAction"}]}]}
            """
        let file = try home.write(text, to: "Tasks.json")
        try twice(home, ["tasks", "import", file]) { $0.contains("0 new, 4 unchanged") }
        #expect(
            try tasks(home, "title", "status", "due", "tags", "project", "notes") == [
                "Child | open | 2026-11-20 |  | My Tasks | n", "Milk | open | - |  | Shop | -",
                "Orphan | open | - |  | My Tasks | -", "Parent | done | - | starred | My Tasks | -",
            ])
    }

    private static let org = """
        #+TITLE: Work
        #+TODO: TODO NEXT(n) | DONE CANCELLED
        #+FILETAGS: :w:
        * House :home:
        ** TODO [#A] Paint door :paint:
           SCHEDULED: <2026-11-20 Fri 09:00> DEADLINE: <2026-11-30 Mon +1w>
           :PROPERTIES:
           :Effort: 1:30
           :ID: abc-1
           :END:
           :LOGBOOK:
           CLOCK: [2026-11-16 Mon 10:00]--[2026-11-16 Mon 11:30] =>  1:30
           CLOCK: [2026-11-18 Wed 10:00]
           :END:
           - [X] Sand
           - [ ] Prime
           Use the green one.
        *** NEXT Buy paint
        ** DONE Old thing
           CLOSED: [2026-11-10 Tue 12:00]
        ** CANCELLED Not that
        * Meetings
        ** Standup <2026-11-19 Thu 09:00-09:15 +1d>
        ** Trip <2026-12-01 Tue>--<2026-12-04 Fri>
        ** Plain note, a < b
        ** TODO water plants
           SCHEDULED: <2026-11-21 Sat .+2d/4d>
        """

    @Test func orgsHeadingsAreTasksEventsAndTime() throws {
        let home = try HelixHome()
        let file = try home.write(Self.org, to: "work.org")
        try twice(home, ["tasks", "import", file]) { $0.contains("0 new, 5 unchanged") }
        #expect(
            try tasks(
                home, "title", "status", "priority", "due", "scheduled", "recurrence", "estimate", "tags", "project")
                == [
                    "Buy paint | open | - | - | - | - | - | w+home+paint+next | House",
                    "Not that | dropped | - | - | - | - | - | w+home | House",
                    "Old thing | done | - | - | - | - | - | w+home | House",
                    "Paint door | open | high | 2026-11-30 | 2026-11-20T09:00:00+01:00 | FREQ=WEEKLY | 5400 | w+home+paint | House",
                    "water plants | open | - | 2026-11-21 | - | after:P2D | - | w | Meetings",
                ])
        try twice(home, ["time", "import", file]) { $0.contains("0 new, 1 unchanged") }
        #expect(try home.run("time", "import", file).errors.contains("still runs"))
        try twice(home, ["cal", "import", file]) { $0.contains("0 new, 2 unchanged") }
        let events = try home.run("cal", "agenda", "2026-11-19", "to", "2026-12-01", "--json").items()
        #expect(events.filter { $0["title"] as? String == "Standup" }.count == 13)
        #expect(events.contains { $0["title"] as? String == "Trip" && "\($0["end"] ?? "")".hasPrefix("2026-12-0") })
    }

    // MARK: Time

    private func log(_ home: HelixHome) throws -> [String] {
        try home.run("time", "log", "all", "--json").items().map { item in
            ["start", "end", "title", "project", "customer", "billable", "note"].map { "\(item[$0] ?? "-")" }
                .joined(separator: " | ") + " | " + ((item["tags"] as? [String]) ?? []).joined(separator: "+")
        }.sorted()
    }

    @Test func togglsAndClockifysReportsAreRead() throws {
        let home = try HelixHome()
        let toggl =
            "\u{FEFF}" + #"""
                User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags,Amount ()
                Ana,a@example.org,ACME,Web,,"Fix, ""it""",Yes,2026-11-16,09:00:00,2026-11-16,10:30:00,01:30:00,"a b, c",
                Ana,a@example.org,,,,,No,2026-11-16,23:30:00,2026-11-17,00:15:00,00:45:00,,
                Ana,a@example.org,,,,,No,bad,23:30:00,2026-11-17,00:15:00,00:45:00,,
                """#
        let file = try home.write(toggl, to: "toggl.csv")
        try twice(home, ["time", "import", file]) { $0.contains("0 new, 2 unchanged") }
        #expect(
            try log(home) == [
                "2026-11-16T09:00:00+01:00 | 2026-11-16T10:30:00+01:00 | Fix, \"it\" | Web | ACME | 1 | - | a-b+c",
                "2026-11-16T23:30:00+01:00 | 2026-11-17T00:15:00+01:00 |  | - | - | 0 | - | ",
            ])
        let other = try HelixHome()
        let clockify = #"""
            "Project","Client","Description","Task","User","Group","Email","Tags","Billable","Start Date","Start Time","End Date","End Time","Duration (h)","Duration (decimal)"
            "Web","ACME","Call","Plan","Ana","","a@example.org","x","Yes","11/03/2026","09:00:00 PM","11/03/2026","10:15:00 PM","01:15:00","1.25"
            """#
        let report = try other.write(clockify, to: "clockify.csv")
        let refused = try other.run("time", "import", report)
        #expect(refused.status == 64 && refused.errors.contains("--dates"), "\(refused)")
        #expect(try other.run("time", "import", report, "--dates", "mdy").output.contains("1 new"))
        #expect(
            try log(other) == [
                "2026-11-03T21:00:00+01:00 | 2026-11-03T22:15:00+01:00 | Call | Web | ACME | 1 | Task: Plan | x"
            ])
        let clear = try other.write(clockify.replacingOccurrences(of: "11/03", with: "11/13"), to: "clear.csv")
        #expect(try other.run("time", "import", clear).output.contains("1 new"))
    }

    @Test(arguments: ["timewarrior", "csv", "json"]) func timeIsTheSameInANewHome(_ format: String) throws {
        let home = try HelixHome()
        let added = [
            ["2026-11-16 9-10:30", "Fix the door", "--project", "House", "--tag", "wood", "--billable"],
            ["2026-11-16 11-12", "=1+1 'quoted' \"words\", and more", "--note", "two words"],
            ["2026-11-17 22:00-23:00", "night shift", "--tag", "late"],
        ]
        for words in added {
            let run = try home.run(["time", "add"] + words)
            #expect(run.status == 0, "\(run)")
        }
        let before = try log(home)
        let file = try home.write(
            try home.run("time", "export", "--format", format).output, to: "x." + (format == "csv" ? "csv" : "json"))
        try twice(home, ["time", "import", file]) { $0.contains("0 new, 3 unchanged") }
        #expect(try log(home) == before)
        let new = try HelixHome()
        try twice(new, ["time", "import", file]) { $0.contains("0 new, 3 unchanged") }
        #expect(try log(new) == before)
    }

    // MARK: Calendars

    @Test func calendarsKeepTheirNames() throws {
        let home = try HelixHome()
        for name in ["personal", "work", "home life"] {
            #expect(try home.run("cal", "calendars", "add", name).status == 0)
        }
        for (title, calendar) in [("One", "work"), ("Two", "home life"), ("Three", "personal")] {
            let run = try home.run(
                "cal", "add", "2026-12-01 9:00", "--title", title, "-c", calendar, "--on-conflict", "allow")
            #expect(run.status == 0, "\(run.errors)")
        }
        func all(_ home: HelixHome) throws -> [String] {
            try home.run("cal", "agenda", "2026-12-01", "--json").items().map {
                "\($0["title"] ?? ""): \($0["calendar"] ?? "")"
            }.sorted()
        }
        let file = home.folder.path + "/all.ics"
        #expect(try home.run("cal", "export", "-o", file).status == 0)
        #expect(try home.run("cal", "import", file).output.contains("0 new, 3 unchanged"))
        let new = try HelixHome()
        #expect(try new.run("cal", "import", file).status == 0)
        #expect(try all(new) == all(home))
        // Nor does the name of the calendar stay in the event, which may be moved.
        #expect(!(try new.run("cal", "export", "-c", "work").output.contains("X-HELIX-CALENDAR")))
        let one = try HelixHome()
        #expect(try home.run("cal", "export", "-c", "work", "-o", home.folder.path + "/one.ics").status == 0)
        #expect(try one.run("cal", "import", home.folder.path + "/one.ics").output.contains("into work"))
        #expect(try one.run("cal", "import", file, "-c", "mine").output.contains("into mine: 3 new"))
    }

    @Test func theFoldersOfAVdirAreCalendars() throws {
        let home = try HelixHome()
        func event(_ name: String) -> String {
            "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VEVENT\nUID:\(name)\nDTSTART:20261201T090000Z\n"
                + "SUMMARY:\(name)\nEND:VEVENT\nEND:VCALENDAR\n"
        }
        for folder in ["v/work", "v/abc"] {
            try FileManager.default.createDirectory(
                atPath: home.folder.path + "/" + folder, withIntermediateDirectories: true)
        }
        _ = try home.write(event("a"), to: "v/work/a.ics")
        _ = try home.write(event("b"), to: "v/abc/b.ics")
        _ = try home.write("Family\n", to: "v/abc/displayname")
        _ = try home.write(event("c"), to: "v/c.ics")
        let run = try home.run("cal", "import", "v")
        #expect(run.output.contains("3 calendars: 3 new"), "\(run.output)\(run.errors)")
        let events = try home.run("cal", "agenda", "2026-12-01", "--json").items()
        #expect(
            Set(events.map { "\($0["title"] ?? "") \($0["calendar"] ?? "")" }) == ["a work", "b Family", "c personal"])
        let zip = home.folder.path + "/x.zip"
        try Data([0x50, 0x4B, 3, 4, 1]).write(to: URL(fileURLWithPath: zip))
        let refused = try home.run("cal", "import", zip)
        #expect(refused.status == 65 && refused.errors.contains("unzip"), "\(refused.errors)")
    }
}
