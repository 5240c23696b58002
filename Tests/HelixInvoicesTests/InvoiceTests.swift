import Foundation
import HelixInvoices
import HelixModel
import TestSupport
import Testing

@Suite struct InvoiceTests {
    /// A random invoice; amounts have up to four decimal places.
    static func random(_ generator: inout SeededGenerator, currency: String = "EUR") -> Invoice {
        func one<Value>(_ list: [Value]) -> Value { list[Int.random(in: list.indices, using: &generator)] }
        func number(_ most: Int) -> Decimal {
            Decimal(Int.random(in: 1...most, using: &generator)) / one([1, 10, 100, 1000, 10_000])
        }
        let names = [
            "Walls", "Tiles & grout <10 mm>", "面接", "\"Sockets\"", String(repeating: "long ", count: 60), "x\u{7}y",
        ]
        let lines = (0..<Int.random(in: 1...20, using: &generator)).map { _ in
            InvoiceLine(
                Bool.random(using: &generator) ? .time : .material,
                name: one(names),
                quantity: number(1_000_000),
                unit: one(["h", "m", "pcs", "Sack"]),
                price: number(500_000), entities: [EntityID(using: &generator)])
        }
        var seller = InvoiceParty(name: "Ferri & Söhne")
        (seller.street, seller.postalCode, seller.city, seller.country) = (
            ["Weg 1", "Hof 2", "Tür 3"], "10115", "Berlin", "DE"
        )
        (seller.vatID, seller.taxNumber, seller.email) = ("DE123456789", "12/345/67890", "me@example.org")
        var buyer = InvoiceParty(name: "Acme")
        (buyer.country, buyer.city, buyer.vatID) = ("FR", "Paris", "FR40303265045")
        let taxes: [InvoiceTax] = [
            .rate(19), .rate(Decimal(money: "7.7") ?? 0), .rate(0), .exempt("§ 19 UStG"), .reverseCharge,
        ]
        var invoice = Invoice(
            number: "2026-0001", issued: CivilDate(year: 2026, month: 11, day: 28), currency: currency,
            project: "house",
            seller: seller, buyer: buyer, lines: lines, tax: one(taxes))
        invoice.due = CivilDate(year: 2026, month: 12, day: 12)
        (invoice.firstDay, invoice.lastDay) = (
            CivilDate(year: 2026, month: 11, day: 1), CivilDate(year: 2026, month: 11, day: 27)
        )
        (invoice.iban, invoice.bic, invoice.buyerReference) = (
            "DE89370400440532013000", "COBADEFFXXX", "04011000-12345-03"
        )
        (invoice.note, invoice.order) = ("Thank you", "PO 7")
        invoice.uncharged = [UnchargedWork(name: "Drive", seconds: 5400, entities: [])]
        if Bool.random(using: &generator) {
            (invoice.kind, invoice.cancels, invoice.cancelsIssued, invoice.due) = (
                .creditNote, "2026-0000", invoice.issued, nil
            )
        }
        return invoice
    }

    /// The amounts are those of Python's decimal module with ROUND_HALF_UP.
    @Test func amountsAreThoseOfAnotherCalculator() throws {
        var generator = SeededGenerator(seed: 16931)
        var cases: [[String: Any]] = []
        for place in 0..<400 {
            let currency = place % 5 == 0 ? "JPY" : "EUR"
            let invoice = InvoiceTests.random(&generator, currency: currency)
            cases.append([
                "places": currency == "JPY" ? 0 : 2, "rate": "\(invoice.tax.rate)",
                "lines": invoice.lines.map { ["\($0.quantity)", "\($0.price)"] },
                "amounts": invoice.lines.map { "\(invoice.amount($0))" },
                "net": "\(invoice.net)", "tax": "\(invoice.taxAmount)", "total": "\(invoice.total)",
            ])
        }
        let home = try HelixHome()
        let data = try JSONSerialization.data(withJSONObject: cases)
        let file = try home.write(String(decoding: data, as: UTF8.self), to: "cases.json")
        let check = """
            import json,sys,decimal
            D=decimal.Decimal; decimal.getcontext().prec=60
            for c in json.load(open(sys.argv[1])):
                q=D(1).scaleb(-c["places"])
                r=lambda x: x.quantize(q, decimal.ROUND_HALF_UP)
                a=[r(D(x)*D(y)) for x,y in c["lines"]]
                assert [D(x) for x in c["amounts"]]==a, c
                assert D(c["net"])==sum(a), c
                t=r(sum(a)*D(c["rate"])/100)
                assert D(c["tax"])==t and D(c["total"])==sum(a)+t, c
            print("equal")
            """
        let result = try home.run(program: "/usr/bin/python3", ["-c", check, file])
        #expect(result.output == "equal\n", "\(result.errors.suffix(600))")
    }

    @Test func aStoredInvoiceIsReadAsItWas() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            let invoice = InvoiceTests.random(&generator)
            #expect(try Invoice(document: invoice.document()) == invoice)
        }
    }

    /// The rules of EN 16931 by CEN's own Schematron find nothing in random invoices, credit notes and taxes.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: ".build/oracles/bin/python")))
    func everyDocumentKeepsTheRulesOfEN16931() throws {
        var generator = SeededGenerator(seed: 2017)
        let home = try HelixHome()
        var files: [String] = []
        for place in 0..<25 {
            let invoice = InvoiceTests.random(&generator)
            #expect(invoice.defects.isEmpty, "\(invoice.defects)")
            files.append(try home.write(InvoiceXML.text(invoice), to: "\(place).xml"))
        }
        // A document with a wrong sum must be found, or the check checks nothing.
        var wrong = InvoiceXML.text(InvoiceTests.random(&generator))
        let total = try #require(wrong.firstRange(of: "<cbc:TaxInclusiveAmount currencyID=\"EUR\">"))
        wrong.insert("9", at: total.upperBound)
        files.append(try home.write(wrong, to: "wrong.xml"))
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Oracles/en16931.py").path
        let result = try home.run(program: ".build/oracles/bin/python", [script] + files)
        let lines = result.output.split(separator: "\n")
        #expect(
            lines.count == 1 && lines[0].hasPrefix("wrong.xml"),
            "\(result.output.prefix(2000))\(result.errors.suffix(600))")
        #expect(lines.first?.contains("BR-CO-15") == true)
    }

    @Test func numbersFollowTheGreatestOfTheirYear() throws {
        func next(_ form: String, _ known: [String], _ year: Int = 2026) throws -> String {
            try #require(InvoiceNumber(form)).next(after: known, in: year)
        }
        #expect(try next("{year}-{number:4}", []) == "2026-0001")
        #expect(try next("{year}-{number:4}", ["2026-0009", "2026-0010", "2025-0100", "other"]) == "2026-0011")
        #expect(try next("{year}-{number:4}", ["2026-9999"]) == "2026-10000")
        #expect(try next("R{number}/{year}", ["R7/2026", "R12/2025"]) == "R8/2026")
        #expect(try next("{number}{year}", ["72026", "122026"]) == "132026")
        #expect(try next("INV-{number:3}", ["INV-041"], 2030) == "INV-042")
        for wrong in [
            "", "{year}", "{number}{number}", "{number", "{month}-{number}", "{number:0}", "{number:x}", "a}{number}b}",
        ] {
            #expect(InvoiceNumber(wrong) == nil, "\(wrong)")
        }
    }

    @Test func termsAreChecked() {
        func isGood(_ term: InvoiceTerm, _ text: String) -> Bool { term.problem(text) == nil }
        for text in [
            "DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432", "NO9386011117947", "fr1420041010050500013m02606",
        ] {
            #expect(isGood(.iban, text), "\(text)")
        }
        for text in ["DE89 3704 0044 0532 0130 01", "DE8937040044053201300", "hello", "DE", "D189370400440532013000"] {
            #expect(!isGood(.iban, text), "\(text)")
        }
        for text in ["19", "7.7", "0", "19 %", "exempt: § 19 UStG"] { #expect(isGood(.tax, text), "\(text)") }
        for text in ["-1", "101", "nineteen", "exempt", "exempt:", "19,5", "NaN"] {
            #expect(!isGood(.tax, text), "\(text)")
        }
        for text in ["DE", "de", "Germany", "Deutschland", "UK", "United Kingdom"] {
            #expect(isGood(.country, text), "\(text)")
        }
        #expect(
            InvoiceCountry.code("UK") == "GB" && InvoiceCountry.code("el") == "GR" && !isGood(.country, "Freedonia"))
        #expect(isGood(.vatID, "DE123456789") && !isGood(.vatID, "123456789"))
        #expect(InvoiceMoney.text(Decimal(money: "1234567.5") ?? 0, "EUR") == "1,234,567.50")
        #expect(InvoiceMoney.text(Decimal(money: "-999") ?? 0, "JPY") == "-999")
        #expect(InvoiceMoney.text(Decimal(money: "0.0125") ?? 0, "EUR") == "0.0125")
    }
}
