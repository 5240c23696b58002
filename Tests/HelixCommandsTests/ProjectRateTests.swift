import TestSupport
import Testing

/// The totals of a project count the work of its subprojects as an invoice does: each at its rate, with its materials.
@Suite struct ProjectRateTests {
    private func home() throws -> HelixHome {
        let home = try HelixHome()
        try home.perform("projects", "add", "house", "--rate", "50", "--currency", "EUR", "--customer", "Ana Ferri")
        try home.perform("projects", "add", "house.roof", "--rate", "80")
        try home.perform("projects", "add", "house.roof.tiles")
        try home.perform("projects", "add", "house.shed", "--customer", "Other Man", "--rate", "90")
        try home.perform("projects", "add", "house.abroad", "--currency", "CHF", "--rate", "100")
        for (project, hours) in [
            ("house", "8-9"), ("house.roof", "9-10"), ("house.roof.tiles", "10-11"), ("house.shed", "11-12"),
            ("house.abroad", "12-13"),
        ] {
            try home.perform("time", "add", "2026-11-10", hours, "Work", "--project", project, "--billable")
        }
        for (project, words) in [
            ("house", ["Nails", "10", "pcs", "1"]), ("house.roof", ["Beam", "2", "pcs", "15"]),
            ("house.shed", ["Door", "1", "pcs", "500"]),
        ] {
            let added = try home.perform(["projects", "material", "add", project] + words + ["--on", "2026-11-10"])
            #expect(added.status == 0, "\(added.errors)")
        }
        return home
    }

    @Test func eachSubprojectCountsAtItsRate() throws {
        let home = try home()
        let report = try home.perform("projects", "report", "house", "--json")
        #expect(report.status == 0, "\(report.errors)")
        let item = try report.json()
        // An hour at 50 and two at 80, the second by the rate of the project above it.
        #expect(item["work_cost"] as? String == "210.00", "\(report.output)")
        #expect(item["material_cost"] as? String == "40.00")
        #expect(item["cost"] as? String == "250.00")
        let hours = try #require(item["hours"] as? [[String: Any]])
        #expect(Set(hours.map { $0["rate"] as? String ?? "-" }) == ["50.00", "80.00", "-"], "\(hours)")
        #expect(report.errors.contains("'house.shed' is not in the sum"), "\(report.errors)")
        #expect(report.errors.contains("'house.abroad' is not in the sum"), "\(report.errors)")
        #expect(try home.perform("projects", "report", "house").output.contains("250.00 EUR"))
        #expect(try home.perform("projects", "show", "house").output.contains("250.00 EUR"))
        #expect(try home.perform("projects", "report", "house", "--csv").output.contains("h,80.00,160.00,EUR"))
    }

    @Test func theReportAgreesWithTheInvoice() throws {
        let home = try home()
        let report = try home.perform("projects", "report", "house", "--json").json()
        for words in [
            ["invoice.name", "Ferri"], ["invoice.country", "DE"], ["invoice.vat-id", "DE123456789"],
            ["invoice.tax", "19"],
        ] { try home.perform(["config", "set"] + words) }
        let invoice = try home.perform("projects", "invoices", "add", "house", "--json")
        #expect(invoice.status == 0, "\(invoice.errors)")
        #expect(try invoice.json()["net"] as? String == report["cost"] as? String)
    }
}
