import TestSupport
import Testing

/// `helix cal search`, `helix search` and `helix fields`: one language, and each noun its own fields.
@Suite struct SearchTests {
    private func filled() throws -> HelixHome {
        let home = try HelixHome()
        for words in [
            ["cal", "add", "Standup 2026-11-23 9:15 for 15m every weekday"],
            [
                "cal", "add", "Budget review 2026-11-25 10:00-12:00", "--location", "Room 5", "--attendee",
                "ana@example.org",
            ],
            ["cal", "add", "Fair 2026-11-26 to 2026-11-27", "--category", "travel"],
            ["cal", "add", "Dentist 2026-10-05 10:00"],
            ["tasks", "add", "Send invoice +billing project:house due:2026-11-27"], ["tasks", "add", "Buy milk"],
            ["time", "add", "2026-11-17 9:00-10:30 Invoice work", "--project", "house"],
        ] {
            let made = try home.run(words)
            #expect(made.status == 0, "\(words) \(made.errors)")
        }
        return home
    }

    @Test func eventsAreFoundByTheirFields() throws {
        let home = try filled()
        for (query, titles) in [
            ("bud rev", ["Budget review"]), ("place:room", ["Budget review"]), ("with:ana", ["Budget review"]),
            ("title:fair or title:dentist", ["Dentist", "Fair"]), ("is:all-day", ["Fair"]), ("+travel", ["Fair"]),
            ("-is:repeating date<2026-11-26", ["Dentist", "Budget review"]),
            ("length>1h -is:all-day", ["Budget review"]),
            ("category:none -standup", ["Dentist", "Budget review"]), ("date:2026-10", ["Dentist"]),
            ("before:2026-11-01", ["Dentist"]), ("is:repeating date>=2031-01-01", ["Standup"]),
            ("standup date:2026-11-23..2026-11-24", ["Standup", "Standup"]),
            ("is:repeating date:2035-11-05", ["Standup"]),
            ("-standup date:2026-11-27", ["Fair"]), ("fair calendar:personal", ["Fair"]), ("\"review budget\"", []),
        ] as [(String, [String])] {
            let answer = try home.run("cal", "search", query, "--json")
            #expect(answer.status == 0, "\(query): \(answer.errors)")
            let found = try answer.items().compactMap { $0["title"] as? String }
            #expect(found == titles, "\(query)")
        }
        let ids = try home.run("cal", "search", "standup", "--from", "2026-11-23", "--to", "2026-12-01", "--ids").output
        #expect(ids.split(separator: "\n").count == 1)
        #expect(
            try home.run("cal", "search", "--from", "2026-11-23", "--to", "2026-11-28", "standup", "--json").items()
                .count == 5)
        #expect(try home.run("cal", "search", "calendar:nowhere").status == 66)
        // A star is everything.
        let (all, ranged) = (
            try home.run("cal", "search", "*", "--json"), try home.run("cal", "search", "standup", "--json")
        )
        #expect(try all.status == 0 && all.items().count > ranged.items().count)
        for wrong in ["kind:x", "is:foo", "(a or", "length:1x", "...", "date:florp", "--unknown", "titel:fair"] {
            let refused = try home.run("cal", "search", wrong)
            #expect(refused.status == 64 && refused.output.isEmpty, "\(wrong)")
        }
    }

    /// A search without words finds in a stretch of time the same as the agenda of it.
    @Test func aSearchOfDaysIsTheirAgenda() throws {
        let home = try filled()
        try home.run("cal", "add", "Night 2026-11-26 22:00 to 2026-11-27 6:00")
        try home.run("cal", "add", "Every hour", "--start", "2026-11-20 8:00", "--rrule", "FREQ=HOURLY")
        for days in ["2026-11-26", "2026-11-23..2026-11-29", "2026-12", "2027-10-30..2027-11-01"] {
            let agenda = try home.run("cal", "agenda", days, "--json").items().compactMap { $0["start"] as? String }
            let found = try home.run("cal", "search", "date:\(days)", "--json", "--limit", "10000").items()
            #expect(found.compactMap { $0["start"] as? String } == agenda && !agenda.isEmpty, "\(days)")
        }
    }

    @Test func everythingIsFoundWithItsTime() throws {
        let home = try filled()
        for (query, titles) in [
            ("invoice", ["Send invoice", "Invoice work"]), ("kind:task", ["Send invoice", "Buy milk"]),
            ("project:house", ["Send invoice", "house", "Invoice work"]), ("+billing", ["Send invoice"]),
            ("invoice -kind:time", ["Send invoice"]), ("date:2026-11-27", ["Send invoice", "Standup", "Fair"]),
            ("with:ana", ["Budget review"]), ("milk or dentist", ["Buy milk", "Dentist"]),
        ] as [(String, [String])] {
            let found = try home.run("search", query, "--json").items()
            #expect(found.compactMap { $0["title"] as? String } == titles, "\(query)")
        }
        let dates = try home.run("search", "invoice", "--json").items().compactMap { $0["date"] as? String }
        #expect(dates.count == 2 && dates[0] == "2026-11-27" && dates[1].hasPrefix("2026-11-17T09:00"))
        #expect(try home.run("search", "invoice", "--ids").output.split(separator: "\n").count == 2)
        #expect(try home.run("search", "*", "--json").items().count > 2)
        for wrong in ["knid:mail", "kind:mial", "after:florp", "milk and"] {
            #expect(try home.run("search", wrong).status == 64, "\(wrong)")
        }
    }

    @Test func timeIsFilteredByItsOwnFields() throws {
        let home = try filled()
        try home.run("time", "add", "2026-11-16 14:00-14:20 Phone +phone", "--billable")
        for (query, titles) in [
            ("length>1h", ["Invoice work"]), ("is:billable", ["Phone"]), ("+phone", ["Phone"]),
            ("-phone", ["Invoice work"]),
            ("project:none", ["Phone"]), ("project:house", ["Invoice work"]), ("date:2026-11-16", ["Phone"]),
            ("after:2026-11-17 text:work", ["Invoice work"]), ("tag:none customer:none", ["Invoice work"]),
        ] as [(String, [String])] {
            let found = try home.run("time", "log", "2026-11", "--where", query, "--json").items()
            #expect(found.compactMap { $0["title"] as? String } == titles, "\(query)")
        }
        #expect(try home.run("time", "report", "2026-11", "--where", "prjoect:house").status == 64)
    }

    @Test func fieldsAreListed() throws {
        let home = try HelixHome()
        let all = try home.run("fields", "--json").items()
        #expect(
            Set(all.compactMap { $0["noun"] as? String }) == [
                "tasks", "time", "cal", "mail", "chat", "contacts", "search",
            ])
        #expect(try home.run("fields", "mail").output.contains("subject"))
        #expect(try home.run("fields", "nonsense").status == 66)
    }
}
