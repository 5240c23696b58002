import Foundation
import TestSupport
import Testing

/// Invoices of a project. It is Wednesday, 18 November 2026.
@Suite struct InvoiceCommandTests {
    private func home() throws -> HelixHome {
        let home = try HelixHome()
        for words in [
            ["projects", "add", "House", "--customer", "Ana Ruiz", "--rate", "48", "--currency", "EUR"],
            ["config", "set", "invoice.name", "Ferri"], ["config", "set", "invoice.country", "DE"],
            ["config", "set", "invoice.vat-id", "DE123456789"], ["config", "set", "invoice.tax", "19"],
            ["time", "add", "2026-11-10", "9-11:20", "Walls", "--project", "House", "--billable"],
            ["time", "add", "2026-11-11", "9-9:50", "Walls", "--project", "House", "--billable"],
            ["time", "add", "2026-11-12", "9-9:30", "Drive", "--project", "House"],
            ["projects", "material", "add", "House", "Pipe", "12", "m", "4.80", "--on", "2026-11-10"],
        ] { #expect(try home.perform(words).status == 0, "\(words)") }
        return home
    }

    private func add(_ home: HelixHome, _ words: String...) throws -> [String: Any] {
        let result = try home.perform(["projects", "invoices", "add", "House"] + words + ["--json"])
        #expect(result.status == 0, "\(result.errors)")
        return try result.json()
    }

    /// A damaged invoice is told; the others are listed, and nothing is invoiced while its work is unknown.
    @Test func aDamagedInvoiceDoesNotHideTheOthers() throws {
        let home = try home()
        _ = try add(home, "2026-11-10")
        _ = try add(home)
        try home.sql("UPDATE invoice SET document = '{' WHERE number = '2026-0001'")
        let list = try home.perform("projects", "invoices", "list", "--json")
        #expect(try list.items().map { $0["number"] as? String } == ["2026-0002"])
        #expect(list.errors.contains("cannot be read: 2026-0001"), "\(list.errors)")
        #expect(try home.perform("projects", "invoices", "show", "2026-0001").status == 65)
        #expect(try home.perform("projects", "invoices", "show", "2026-0002").status == 0)
        let doctor = try home.perform("doctor")
        #expect(doctor.status != 0 && doctor.output.contains("the invoice 2026-0001 cannot be read"), "\(doctor)")
        #expect(try home.perform("projects", "invoices", "add", "House").status == 65)
    }

    @Test func nothingIsInvoicedTwice() throws {
        let home = try home()
        let first = try add(home, "2026-11-10")
        // 2 h 20 m are 2.33 h, and 12 m of pipe.
        #expect(first["number"] as? String == "2026-0001" && first["net"] as? String == "169.44")
        #expect(first["tax"] as? String == "32.19" && first["total"] as? String == "201.63")
        let second = try add(home)
        #expect(second["number"] as? String == "2026-0002" && second["net"] as? String == "39.84")
        let third = try home.perform("projects", "invoices", "add", "House")
        #expect(third.status == 66 && third.errors.contains("on invoices already"))
        // A credit note sets the time free again.
        #expect(try home.perform("projects", "invoices", "cancel", "2026-0001").status == 0)
        #expect(try add(home, "--by", "day")["net"] as? String == "169.44")
        let list = try home.perform("projects", "invoices", "--json").items()
        #expect(list.compactMap { $0["number"] as? String } == ["2026-0004", "2026-0003", "2026-0002", "2026-0001"])
        #expect(list.compactMap { $0["state"] as? String } == ["open", "credit", "open", "cancelled"])
        #expect(try home.perform("projects", "delete", "House").status == 80)
    }

    @Test func anInvoiceStaysAsItWasIssued() throws {
        let home = try home()
        let before = try add(home)
        for words in [
            ["config", "set", "invoice.name", "Other"], ["config", "set", "invoice.tax", "7"],
            ["projects", "edit", "House", "--rate", "99", "--rename", "Villa"],
            ["time", "edit", "--where", "project:Villa", "title:changed"],
        ] { #expect(try home.perform(words).status == 0, "\(words)") }
        let after = try home.perform("projects", "invoices", "show", "2026-0001", "--json").json()
        #expect(NSDictionary(dictionary: before) == NSDictionary(dictionary: after))
    }

    @Test func theNumbersOfAnotherCalculation() throws {
        let home = try home()
        let item = try add(home, "--round", "15m", "--by", "entry", "--tax", "7.7", "--due", "10d", "--number", "R 9")
        let lines = try #require(item["lines"] as? [[String: Any]])
        // Each entry to the nearest quarter: 2 h 15 m and 45 m.
        #expect(lines.compactMap { $0["quantity"] as? String } == ["2.25", "0.75", "12"])
        #expect(lines.compactMap { $0["amount"] as? String } == ["108.00", "36.00", "57.60"])
        #expect(item["net"] as? String == "201.60" && item["tax"] as? String == "15.52")
        #expect(item["due"] as? String == "2026-11-28" && item["number"] as? String == "R 9")
        #expect((item["uncharged"] as? [[String: Any]])?.first?["seconds"] as? Int == 1800)
    }

    /// Each thing that is missing is told, with the command that gives it, and no number is given.
    @Test func theMissingIsTold() throws {
        let home = try HelixHome()
        func refused(_ status: Int32, _ text: String, _ words: String...) throws {
            let result = try home.perform(["projects", "invoices", "add", "House"] + words)
            #expect(result.status == status && result.errors.contains(text), "\(result.status) \(result.errors)")
        }
        try refused(66, "unknown project")
        try home.perform("projects", "add", "House")
        try refused(78, "--currency EUR")
        try home.perform("projects", "edit", "House", "--currency", "EUR")
        try refused(66, "nothing of 'House'")
        try home.perform("time", "add", "2026-11-10", "9-10", "Walls", "--project", "House")
        try refused(66, "not billable")
        try home.perform("time", "edit", "--where", "project:House", "--billable")
        try refused(78, "--rate 80")
        try home.perform("projects", "edit", "House", "--rate", "80")
        try refused(78, "--customer NAME")
        try home.perform("projects", "edit", "House", "--customer", "Ana")
        try refused(78, "invoice.name")
        try home.perform("config", "set", "invoice.name", "Ferri")
        try refused(78, "invoice.tax 19")
        for (key, value) in [
            ("tax", "a lot"), ("country", "Freedonia"), ("iban", "DE00"), ("number", "{year}"), ("vat-id", "1"),
        ] {
            #expect(try home.perform("config", "set", "invoice.\(key)", value).status == 64, "\(key)")
        }
        try home.perform("config", "set", "invoice.tax", "exempt: § 19 UStG")
        let file = home.folder.path + "/x.xml"
        try refused(65, "BR-09", "-o", file)
        #expect(try home.perform("projects", "invoices", "--json").items().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: file))
        try refused(64, "exclude each other", "--reverse-charge", "--tax", "19")
        try refused(64, ".pdf or .xml", "-o", "x.txt")
        #expect(try home.perform("projects", "invoices", "add", "House").status == 0)
        try refused(66, "on invoices already")
        #expect(try home.perform("projects", "invoices", "show", "2026-0001").output.contains("§ 19 UStG"))
    }

    @Test func theAddressIsThatOfTheContact() throws {
        let home = try home()
        try home.perform(
            "contacts", "add", "Ana Ruiz", "--email", "ana@example.org", "--place", "Calle Mayor 5;Madrid;;28013;España"
        )
        let folder = home.folder.path + "/"
        let result = try home.perform(
            "projects", "invoices", "add", "House", "--reverse-charge", "--buyer-vat-id", "ES X1234567X", "-o",
            folder + "i.pdf",
            "-o", folder + "i.xml")
        #expect(result.status == 0, "\(result.errors)")
        let text = try home.run(program: "/usr/bin/pdftotext", ["-layout", folder + "i.pdf", "-"]).output
        for word in [
            "Ana Ruiz", "Calle Mayor 5", "28013 Madrid", "Spain", "Reverse charge", "209.76", "Drive", "ESX1234567X",
        ] {
            #expect(text.contains(word), "\(word)")
        }
        let xml = try String(contentsOfFile: folder + "i.xml", encoding: .utf8)
        #expect(
            xml.contains("<cbc:ID>AE</cbc:ID>") && xml.contains("<cbc:IdentificationCode>ES</cbc:IdentificationCode>"))
        // The next invoice knows the VAT identifier from this one.
        try home.perform("projects", "material", "add", "House", "Screws", "1", "box", "9")
        let next = try home.perform("projects", "invoices", "add", "House", "--reverse-charge", "-o", folder + "n.xml")
        #expect(next.status == 0, "\(next.errors)")
        #expect(try String(contentsOfFile: folder + "n.xml", encoding: .utf8).contains("ESX1234567X"))
    }

    /// Long invoices go over several pages; every line is there.
    @Test func aLongInvoiceHasEveryLine() throws {
        let home = try home()
        for number in 1...70 {
            try home.perform(
                "projects", "material", "add", "House", "Part \(number) of a kitchen with a long name that wraps", "1",
                "pcs", "2")
        }
        let file = home.folder.path + "/long.pdf"
        #expect(try home.perform("projects", "invoices", "add", "House", "-o", file).status == 0)
        let text = try home.run(program: "/usr/bin/pdftotext", ["-layout", file, "-"]).output
        for number in 1...70 { #expect(text.contains("Part \(number) of"), "\(number)") }
        let pages = try home.run(program: "/usr/bin/pdfinfo", [file]).output
        #expect(text.contains("continued") && pages.contains(/Pages: +[34]\n/))
    }

    /// An undone cancellation makes two invoices of the same work: the list, the invoice and `doctor` say so.
    @Test func workOnTwoInvoicesIsTold() throws {
        let home = try home()
        _ = try add(home)
        let cancel = try home.perform("projects", "invoices", "cancel", "2026-0001")
        #expect(cancel.status == 0)
        let set = try #require(try home.perform("history", "--json").items().first?["id"] as? String)
        #expect(try add(home)["number"] as? String == "2026-0003")
        #expect(try home.perform("undo", set).status == 0)
        let list = try home.perform("projects", "invoices").output
        #expect(list.contains("work also on 2026-0003") && list.contains("work also on 2026-0001"))
        #expect(try home.perform("doctor").output.contains("2026-0001 and 2026-0003"))
    }

    /// The number of an invoice that was undone is not given again, and a file that cannot be written costs no number.
    @Test func numbersAreGivenOnce() throws {
        let home = try home()
        let folder = home.folder.path
        for words in [
            ["-o", folder + "/no/x.pdf"], ["-o", folder], ["-o", folder + "/a.pdf", "-o", folder + "/no/x.xml"],
        ] {
            let result = try home.perform(["projects", "invoices", "add", "House"] + words)
            #expect([64, 73].contains(result.status), "\(words) \(result.errors)")
        }
        let twice = ["-o", folder + "/a.pdf", "-o", folder + "/./a.pdf"]
        #expect(try home.perform(["projects", "invoices", "add", "House"] + twice).errors.contains("twice"))
        #expect(try home.perform("projects", "invoices", "--json").items().isEmpty)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.allSatisfy { !$0.contains("pdf") })
        #expect(try add(home)["number"] as? String == "2026-0001")
        #expect(try home.perform("undo").status == 0)
        #expect(try add(home)["number"] as? String == "2026-0002")
        // The year is that of the issue.
        try home.perform("projects", "material", "add", "House", "Screws", "1", "box", "9")
        #expect(try add(home, "--date", "2027-01-02")["number"] as? String == "2027-0001")
        try home.perform("projects", "material", "add", "House", "Nails", "1", "box", "9")
        let early = try home.perform("projects", "invoices", "add", "House", "--date", "2026-11-01")
        #expect(early.status == 64 && early.errors.contains("before its work"))
    }

    /// Subprojects have their own rates and materials; those of another customer or currency are left out, and named.
    @Test func subprojectsAreInvoicedByTheirOwnTerms() throws {
        let home = try home()
        for words in [
            ["projects", "add", "House.Kitchen", "--rate", "60"],
            ["projects", "add", "House.Other", "--customer", "Bo"],
            ["projects", "add", "House.Abroad", "--currency", "USD", "--rate", "90"],
            ["time", "add", "2026-11-13", "9-10", "Walls", "--project", "House.Kitchen", "--billable"],
            ["time", "add", "2026-11-13", "11-12", "Bo", "--project", "House.Other", "--billable"],
            ["time", "add", "2026-11-13", "13-14", "Abroad", "--project", "House.Abroad", "--billable"],
            ["projects", "material", "add", "House.Kitchen", "Tiles", "2", "m2", "10"],
        ] { #expect(try home.perform(words).status == 0, "\(words)") }
        let result = try home.perform("projects", "invoices", "add", "House", "--json")
        #expect(result.errors.contains("customer (Bo)") && result.errors.contains("currency (USD)"))
        let lines = try #require(try result.json()["lines"] as? [[String: Any]])
        #expect(lines.compactMap { $0["amount"] as? String } == ["152.16", "60.00", "57.60", "20.00"])
    }

    @Test func changesOfInvoicedWorkAreTold() throws {
        let home = try home()
        _ = try add(home)
        let entries = try home.perform("time", "log", "2026-11-10", "--ids").output.split(separator: "\n").map(
            String.init)
        let entry = try #require(entries.first)
        #expect(try home.perform("time", "edit", entry, "--end", "15:00").errors.contains("on invoice 2026-0001"))
        #expect(try home.perform("time", "delete", entry, "--yes").errors.contains("on invoice 2026-0001"))
        let materials = try home.perform("projects", "material", "list", "House", "--json").items()
        let pipe = try #require(materials.first?["id"] as? String)
        #expect(try home.perform("projects", "material", "delete", pipe).errors.contains("on invoice 2026-0001"))
    }

    @Test func roundingAndCodesAreTold() throws {
        let home = try home()
        for (start, end) in [("10:00", "10:10"), ("11:00", "11:10"), ("12:00", "12:10")] {
            try home.perform("time", "add", "2026-11-14", "\(start)-\(end)", "Call", "--project", "House", "--billable")
        }
        let result = try home.perform(
            "projects", "invoices", "add", "House", "2026-11-14", "--by", "entry", "--dry-run")
        #expect(result.errors.contains("24.48 EUR; to the second, 24.00"), "\(result.errors)")
        let away = try home.perform("projects", "invoices", "add", "House", "2026-11-14", "--round", "1h")
        #expect(away.status == 66 && away.errors.contains("rounded to nothing"))
        #expect(try home.perform("projects", "invoices", "add", "House", "--country", "XX").status == 64)
        try home.perform("projects", "edit", "House", "--currency", "ZZZ")
        #expect(try home.perform("projects", "invoices", "add", "House").errors.contains("no currency"))
        try home.perform("projects", "edit", "House", "--currency", "EUR", "--rate", "33.335")
        #expect(try home.perform("projects", "show", "House").output.contains("33.335 EUR an hour"))
    }

    /// A country is not guessed, since an invoice abroad has other rules: without it there is no XML.
    @Test func theCountryOfTheCustomerIsNotGuessed() throws {
        let home = try home()
        try home.perform("contacts", "add", "Ana Ruiz", "--place", "Str 2;Bern;;3000;")
        let file = home.folder.path + "/x.xml"
        let refused = try home.perform("projects", "invoices", "add", "House", "-o", file)
        #expect(refused.status == 65 && refused.errors.contains("BR-11"))
        #expect(try home.perform("projects", "invoices", "add", "House", "--country", "CH", "-o", file).status == 0)
        #expect(try home.perform("projects", "invoices", "show", "2026-0001").output.contains("3000 Bern, Switzerland"))
    }

    @Test func timeWithoutAPriceIsListedOnce() throws {
        let home = try home()
        #expect((try add(home, "2026-11-10..2026-11-12")["uncharged"] as? [Any])?.count == 1)
        try home.perform("time", "add", "2026-11-13", "9-10", "Tiles", "--project", "House", "--billable")
        #expect((try add(home)["uncharged"] as? [Any])?.isEmpty == true)
        // It can still become billable.
        #expect(try home.perform("time", "edit", "--where", "text:Drive", "--billable").status == 0)
        #expect(try add(home)["net"] as? String == "24.00")
    }

    @Test func dueDatesAreDaysOfTheCalendar() throws {
        let home = try home()
        #expect(try home.perform("projects", "invoices", "add", "House", "--due", "3h").status == 64)
        #expect(try home.perform("config", "set", "invoice.due", "3h").status == 64)
        #expect(try home.perform("config", "set", "invoice.due", "1 month").status == 0)
        #expect(try add(home, "--date", "2027-01-31")["due"] as? String == "2027-02-28")
    }

    /// Time that is planned is no cost, and a report of time says how much of it is still to come.
    @Test func plannedTimeIsNotSpent() throws {
        let home = try home()
        let before = try home.perform("projects", "report", "House", "--json").json()["cost"] as? String
        #expect(
            try home.perform(
                "time", "add", "2026-12-07", "9-10", "Plan", "--planned", "--project", "House", "--billable"
            ).status == 0)
        #expect(try home.perform("projects", "report", "House", "--json").json()["cost"] as? String == before)
        let report = try home.perform("time", "report", "2026-12")
        #expect(report.output.contains("1h of it still to come"), "\(report.output)")
        #expect(try home.perform("time", "report", "2026-12", "--json").items().first?["ahead"] as? Int == 3600)
    }

    @Test func aProfileThatReadsReplacesNoFile() throws {
        let home = try home()
        _ = try add(home)
        let file = try home.write("precious", to: "letter.pdf")
        let result = try home.perform(
            "--as", "read-only", "projects", "invoices", "export", "2026-0001", "-o", file, "--force")
        #expect(result.status == 77, "\(result.errors)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
    }
}
