import Foundation
import TestSupport
import Testing

/// Reports as pictures, and calendars on paper. It is Wednesday, 18 November 2026.
@Suite struct PictureTests {
    private func home() throws -> HelixHome {
        let home = try HelixHome()
        for words in [
            ["cal", "add", "Review", "2026-11-17", "10:00-11:30"], ["cal", "add", "Fair", "2026-11-18"],
            ["projects", "add", "House", "--rate", "50", "--currency", "EUR", "--due", "2026-11-30"],
            ["tasks", "add", "Paint", "--project", "House", "--estimate", "3h"],
            ["tasks", "add", "Order", "--project", "House"],
            ["time", "add", "2026-11-17", "9-10", "Walls", "--project", "House", "--billable"],
            ["time", "add", "2026-11-16", "9-12", "Drive", "--project", "House"],
        ] { #expect(try home.perform(words).status == 0, "\(words)") }
        return home
    }

    private func folder(_ home: HelixHome) throws -> String {
        URL(fileURLWithPath: try home.write("", to: "none")).deletingLastPathComponent().path + "/"
    }

    private static let reports: [[String]] = [
        ["cal", "stats"], ["cal", "stats", "2026"], ["mail", "stats"], ["tasks", "stats"], ["time", "report"],
        ["time", "report", "2026", "--by", "project,task"], ["time", "report", "2026-11-17", "--by", "day"],
        ["projects", "burndown", "House"], ["projects", "burndown", "House", "--by", "estimate"],
    ]

    @Test(arguments: reports) func aReportIsWrittenInEachForm(words: [String]) throws {
        let home = try home()
        let folder = try folder(home)
        for (form, magic) in [("svg", "<svg "), ("png", "\u{FFFD}PNG"), ("pdf", "%PDF-")] {
            let file = folder + "chart." + form
            let result = try home.perform(words + ["--output", file])
            #expect(result.status == 0 && result.output.isEmpty, "\(result.errors)")
            let data = try Data(contentsOf: URL(fileURLWithPath: file))
            #expect(String(decoding: data.prefix(8), as: UTF8.self).hasPrefix(magic))
            // A file that is there already stays as it is.
            #expect(try home.perform(words + ["--output", file]).status == 73)
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == data)
            #expect(try home.perform(words + ["--output", file, "--force"]).status == 0)
        }
        for wrong in ["chart.jpg", "chart", "-", "svg"] {
            #expect(try home.perform(words + ["--output", wrong]).status == 64, "\(wrong)")
        }
        #expect(try home.perform(words + ["--output", folder + "x.svg", "--json"]).status == 64)
        #expect(!FileManager.default.fileExists(atPath: folder + "x.svg"))
        #expect(try home.perform(words + ["--output", folder + "missing/x.svg"]).status == 73)
        // Without a terminal there is no image; the report is printed, and the reason is told.
        let plain = try home.perform(words)
        let chart = try home.perform(words + ["--chart"])
        #expect(chart.output == plain.output && chart.errors.contains("shows no images"))
    }

    @Test func thePictureHasTheNumbersOfTheReport() throws {
        let home = try home()
        let file = try folder(home) + "hours.svg"
        try home.perform("time", "report", "2026-11", "--by", "task", "--output", file)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        for word in [">Walls<", ">Drive<", ">3h<", ">1h<", "4h in total"] { #expect(text.contains(word), "\(word)") }
    }

    /// The printed text of a PDF.
    private func printed(_ home: HelixHome, _ file: String) throws -> String {
        try home.run(program: "/usr/bin/pdftotext", ["-layout", file, "-"]).output
    }

    @Test func weeksAndMonthsArePrinted() throws {
        let home = try home()
        let folder = try folder(home)
        #expect(try home.perform("cal", "print", "week", "-o", folder + "w.pdf").status == 0)
        let week = try printed(home, folder + "w.pdf")
        for word in ["16 – 22 November 2026", "week 47", "Review", "10:00", "Fair"] {
            #expect(week.contains(word), "\(word)")
        }
        #expect(try home.perform("cal", "print", "month", "2026", "-o", folder + "y.pdf").errors.contains("12 pages"))
        let year = try printed(home, folder + "y.pdf")
        for word in ["January 2026", "December 2026", "Review", "Fair"] { #expect(year.contains(word), "\(word)") }
        #expect(try home.perform("cal", "print", "month", "-o", folder + "m.svg").status == 0)
        // An image has one page, and 200 years are no calendar.
        #expect(try home.perform("cal", "print", "month", "2026", "-o", folder + "y.png").status == 64)
        #expect(
            try home.perform("cal", "print", "month", "1900-01-01", "to", "2100-01-01", "-o", folder + "z.pdf").status
                == 64)
        #expect(try home.perform("cal", "print", "month").status == 64)
        #expect(try home.perform("cal", "print", "week", "1800", "-o", folder + "z.pdf").errors.contains("is a moment"))
        #expect(try home.perform("cal", "print", "fortnight", "-o", folder + "z.pdf").status == 64)
        #expect(try home.perform("cal", "print", "week", "-o", folder + "z.pdf", "--json").status == 64)
        #expect(!FileManager.default.fileExists(atPath: folder + "z.pdf"))
    }

    /// A series with more occurrences than are read is told beside a picture and beside JSON.
    @Test func cutSeriesAreTold() throws {
        let home = try HelixHome()
        let file = try home.calendar(
            vevent("d", "DTSTART:20260101T000000Z", "DTEND:20260101T000100Z", "RRULE:FREQ=MINUTELY", "SUMMARY:Dense"))
        #expect(try home.perform("cal", "import", file).status == 0)
        let picture = try folder(home) + "d.svg"
        #expect(try home.perform("cal", "stats", "2026", "-o", picture).errors.contains("more occurrences"))
        #expect(try home.perform("cal", "stats", "2026", "--json").errors.contains("more occurrences"))
    }

    /// A day with more events than its page has room for is listed, whole, on the next page.
    @Test func aCrowdedDayIsListed() throws {
        let home = try HelixHome()
        let folder = try folder(home)
        for number in 1...14 { try home.perform("cal", "add", "Visit \(number)", "2026-11-18", "10:00-11:00") }
        let present = try home.perform("cal", "agenda", "2026-11-18", "--json").items().count
        for (sheet, remark) in [("week", "14 events"), ("month", "more overleaf")] {
            let file = folder + sheet + ".pdf"
            #expect(try home.perform("cal", "print", sheet, "-o", file).errors.contains("2 pages"))
            let text = try printed(home, file)
            #expect(text.contains(remark))
            for number in 1...present { #expect(text.contains("Visit \(number)"), "\(number)") }
        }
    }
}
