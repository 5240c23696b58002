import Foundation
import TestSupport
import Testing

/// The screens of every view at 40, 80, 120 and 200 columns, text and colours, as they stand in the folder `Screens`, and its JSON
/// as it stands in `Reports`.
///
/// `HELIX_WRITE_SCREENS=1 swift test --filter ScreenTests` writes the files anew; look at the difference before it is committed.
@Suite struct ScreenTests {
    private static let widths = [40, 80, 120, 200]
    private static let views = [
        "cal agenda", "cal day 2026-11-18", "cal week", "cal month", "cal year", "cal conflicts", "cal free tomorrow",
        "cal search plan", "cal stats", "cal calendars", "tasks list", "tasks next", "tasks board",
        "tasks board --group-by project --limit 2", "tasks stats", "tasks boards", "projects list",
        "projects show Handbook", "time log", "time report", "time report --by project", "time chart",
        "time report 2026", "time status", "mail list", "mail list --limit 3", "mail thread a@example.org",
        "mail read b@example.org", "mail read c@example.net",
        "mail stats 2026", "mail mailboxes", "today", "status", "history", "config list",
    ]

    /// A home with something for each view. Identities are random: it is made anew until their first four letters differ.
    private func home() throws -> (home: HelixHome, ids: [String]) {
        while true {
            let home = try HelixHome()
            try fill(home)
            let lists = [
                ["cal", "agenda", "2026-11-01", "--days", "60"], ["tasks", "list"], ["tasks", "list", "status:done"],
                ["time", "log", "2026"],
                ["mail", "list"], ["projects", "list"], ["cal", "calendars"], ["history"], ["tasks", "boards"],
            ]
            var ids: [String] = []
            for list in lists {
                for line in try home.perform(list + ["--ids"]).output.split(separator: "\n")
                where !ids.contains(String(line)) {
                    ids.append(String(line))
                }
            }
            if Set(ids.map { $0.prefix(4) }).count == ids.count { return (home, ids) }
        }
    }

    private func fill(_ home: HelixHome) throws {
        func run(_ words: String...) throws {
            let result = try home.perform(words)
            try #require(result.status == 0, "\(words) \(result.errors)")
        }
        try run("cal", "calendars", "add", "work", "blue")
        let file = try home.calendar(
            vevent(
                "fair@screens", "SUMMARY:Conference in Lisbon", "DTSTART;VALUE=DATE:20261117",
                "DTEND;VALUE=DATE:20261121", "LOCATION:Lisboa"),
            vevent(
                "standup@screens", "SUMMARY:Standup", "DTSTART:20261102T080000Z", "DTEND:20261102T081500Z",
                "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
            vevent(
                "plan@screens", "SUMMARY:Quarterly planning with the whole leadership team, and lunch",
                "DTSTART:20261118T110000Z", "DTEND:20261118T130000Z", "LOCATION:Room 4"),
            vevent(
                "call@screens", "SUMMARY:面接 Interview", "DTSTART:20261118T120000Z", "DTEND:20261118T124500Z"),
            vevent(
                "night@screens", "SUMMARY:Overnight migration", "DTSTART:20261119T210000Z", "DTEND:20261120T033000Z",
                "TRANSP:TRANSPARENT"),
            vevent(
                "dentist@screens", "SUMMARY:Dentist", "DTSTART:20261120T073000Z", "DTEND:20261120T081000Z",
                "STATUS:TENTATIVE"))
        try run("cal", "import", file, "--calendar", "work")
        try run("cal", "add", "Holiday", "--start", "2026-11-30", "--end", "2026-12-04")
        try run("projects", "add", "Handbook", "--rate", "80", "--currency", "EUR", "--customer", "Acme")
        for (title, options) in [
            ("Write the chapter on synchronising calendars with several servers", ["--priority", "high"]),
            ("Draw figures", ["--due", "2026-11-17"]), ("Proofread", ["--due", "2026-11-20", "--tag", "review"]),
            ("Index", []),
        ] {
            let result = try home.perform(["tasks", "add", title, "--project", "Handbook"] + options)
            try #require(result.status == 0, "\(result.errors)")
        }
        try run("tasks", "add", "Buy milk", "--tag", "errand", "--repeat", "weekly", "--due", "2026-11-18")
        try run("tasks", "move", "text:figures", "doing")
        try run("tasks", "done", "text:Index")
        try run("time", "add", "yesterday 9:00 to 11:30", "Proofreading", "--tag", "review")
        try run("time", "add", "today 8:00 to 9:15", "Reading", "--project", "Handbook")
        try run("time", "add", "2026-08-03 9:00 to 16:00", "Summer work", "--project", "Handbook")
        for (name, text) in ScreenTests.mails { try home.write(text, to: name + ".eml") }
        for (name, _) in ScreenTests.mails { try run("mail", "import", home.folder.path + "/\(name).eml") }
    }

    private static let mails = [
        (
            "a",
            """
            From: Bo Berg <bo@example.org>
            To: Ada <ada@example.org>
            Subject: The budget for next year, with all its appendices and notes
            Date: Tue, 17 Nov 2026 09:12:00 +0100
            Message-ID: <a@example.org>

            The figures are here. We should talk about the second half.
            """
        ),
        (
            "b",
            """
            From: Ada <ada@example.org>
            To: Bo Berg <bo@example.org>
            Subject: Re: The budget for next year, with all its appendices and notes
            Date: Tue, 17 Nov 2026 10:02:00 +0100
            Message-ID: <b@example.org>
            In-Reply-To: <a@example.org>
            References: <a@example.org>

            > The figures are here.

            Thank you. Tomorrow at ten?
            """
        ),
        (
            "c",
            """
            From: =?utf-8?Q?Zo=C3=AB?= <zoe@example.net>
            To: ada@example.org
            Subject: =?utf-8?B?5Lya6K2w?= notes
            Date: Wed, 18 Nov 2026 07:30:00 +0100
            Message-ID: <c@example.net>
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary=x

            --x
            Content-Type: text/plain; charset=utf-8

            Notes of the meeting.
            --x
            Content-Type: application/pdf; name=notes.pdf
            Content-Disposition: attachment; filename=notes.pdf
            Content-Transfer-Encoding: base64

            JVBERi0xLjQK
            --x--
            """
        ),
    ]

    /// Puts the same letters in the place of identities.
    private func masked(_ text: String, _ ids: [String]) -> String {
        var text = text
        for (place, id) in ids.enumerated() {
            let mask = "id" + (place < 10 ? "0\(place)" : "\(place)") + "xxxxxxxxxxxx"
            for length in stride(from: 16, through: 4, by: -1) where text.contains(id.prefix(length)) {
                let short = "(?<=^|[^0-9a-z]|\\[[0-9;]{1,9}m)" + id.prefix(length) + "(?![0-9a-z])"
                text = text.replacingOccurrences(
                    of: short, with: String(mask.prefix(length)), options: .regularExpression)
            }
        }
        return text.replacingOccurrences(of: "\u{1B}", with: "␛")
    }

    /// The text of a view's file; nil, after writing it, if the files are written anew.
    private func known(_ view: String, in folder: String, ending: String, now: String) throws -> String? {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(folder)
        let name = view.map { $0.isLetter || $0.isNumber ? "\($0)" : "-" }.joined() + ending
        guard ProcessInfo.processInfo.environment["HELIX_WRITE_SCREENS"] != nil else {
            return String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
        }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(now.utf8).write(to: folder.appendingPathComponent(name))
        return nil
    }

    @Test func everyViewLooksAsItDid() throws {
        var (home, ids) = try home()
        // The short form of such an ID is a number, which reports contain for other reasons.
        while ids.contains(where: { $0.prefix(4).allSatisfy(\.isNumber) }) { (home, ids) = try self.home() }
        home.environment["HELIX_MAIL_SEND"] = nil
        for view in ScreenTests.views {
            let words = view.split(separator: " ").map(String.init)
            var screens = ""
            for width in ScreenTests.widths {
                home.environment["COLUMNS"] = "\(width)"
                let result = try home.perform(words + ["--color", "always"])
                #expect(result.status == 0, "\(view) at \(width): \(result.errors)")
                let screen = masked(result.output, ids).replacingOccurrences(of: home.folder.path, with: "HOME")
                screens += "══ \(width)\n" + screen
                let plain = screen.replacingOccurrences(of: "␛\\[[0-9;]*m", with: "", options: .regularExpression)
                let widest = plain.split(separator: "\n").map { columns(String($0)) }.max() ?? 0
                if view != "config list", view != "status" {
                    #expect(widest <= width, "\(view) at \(width) has \(widest) columns")
                }
            }
            if let known = try known(view, in: "Screens", ending: ".txt", now: screens) {
                #expect(screens == known, "\(view) has changed: see the head of this file")
            }
            let report = try home.perform(words + ["--json"])
            #expect(report.status == 0, "\(view): \(report.errors)")
            let text = masked(report.output, ids).replacingOccurrences(of: home.folder.path, with: "HOME")
                .replacingOccurrences(of: "\"[0-9a-z]{16}@helix", with: "\"UID@helix", options: .regularExpression)
            if let known = try known(view, in: "Reports", ending: ".json", now: text) {
                #expect(text == known, "the JSON of \(view) has changed: see the head of this file")
            }
        }
    }

    /// The columns of a line, wide characters counted twice.
    private func columns(_ line: String) -> Int {
        line.reduce(0) {
            $0
                + ($1.unicodeScalars.contains {
                    (0x1100...0x115F).contains($0.value) || (0x2E80...0xFFDC).contains($0.value)
                } ? 2 : 1)
        }
    }
}
