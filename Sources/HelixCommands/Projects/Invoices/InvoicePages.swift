import FoundationEssentials
import HelixGraphics
import HelixInvoices
import HelixModel

/// An invoice on paper: A4, with the addresses where the windows of envelopes are (DIN 5008), over as many pages as it needs.
final class InvoicePages {
    private let invoice: Invoice
    private let ruler: TextRuler
    private var pages: [Picture] = []
    private var y = 0.0

    private static let (width, height) = PaperSize.a4.sides
    private static let (left, right) = (62.0, 48.0)
    private static let bottom = 72.0
    private static let inner = width - left - right
    /// The columns of the table: their left edges and widths, in points.
    private static let columns = (
        name: (0.0, 252.0), quantity: (256.0, 46.0), unit: (306.0, 34.0), price: (342.0, 66.0),
        amount: (412.0, inner - 412)
    )

    /// - Throws: ``HelixError`` of code `configuration` without the libraries for pages.
    init(_ invoice: Invoice) throws {
        self.invoice = invoice
        ruler = try TextRuler()
    }

    /// The pages.
    func drawn() -> [Picture] {
        begin(isFirst: true)
        head()
        table()
        totals()
        uncharged()
        ending()
        for place in pages.indices { foot(place) }
        return pages
    }

    // MARK: Drawing

    private func begin(isFirst: Bool) {
        pages.append(
            Picture(width: InvoicePages.width, height: InvoicePages.height, title: "\(word) \(invoice.number)"))
        y = 48
        if isFirst { return }
        text("\(word) \(invoice.number), continued", 0, InvoicePages.inner, size: 9, isFaint: true)
        y += 22
    }

    private var word: String { invoice.kind == .invoice ? "Invoice" : "Credit note" }

    /// Begins a page if the rest of this one is not as high.
    private func makeRoom(_ height: Double, _ heading: () -> Void = {}) {
        if y + height <= InvoicePages.height - InvoicePages.bottom { return }
        begin(isFirst: false)
        heading()
    }

    private func text(
        _ text: String, _ x: Double, _ width: Double, size: Double = 9.5, bold: Bool = false,
        align: PictureText.Alignment = .left, lines: Int = 1, isFaint: Bool = false
    ) {
        let place = pages.count - 1
        pages[place].text(
            text, InvoicePages.left + x, y, width: width, size: size, bold: bold, align: align, lines: lines,
            color: isFaint ? pages[place].theme.faint : nil)
    }

    private func height(_ text: String, _ width: Double, size: Double = 9.5, lines: Int = 60) -> Double {
        ruler.height(
            of: PictureText(text, x: 0, y: 0, width: width, size: size, lines: lines, color: PictureTheme.light.text))
    }

    private func rule(_ weight: Double = 0.5) {
        let place = pages.count - 1
        pages[place].line(
            from: PicturePoint(InvoicePages.left, y), to: PicturePoint(InvoicePages.left + InvoicePages.inner, y),
            width: weight)
    }

    private func day(_ date: CivilDate) -> String {
        "\(date.day) \(DateWords.fullName(month: date.month)) \(date.components.year)"
    }

    private func money(_ amount: Decimal) -> String { InvoiceMoney.text(amount, invoice.currency) }

    // MARK: Parts

    private func head() {
        let seller = invoice.seller
        text(seller.name, 0, InvoicePages.inner, size: 13, bold: true)
        y = 128
        let sender = [seller.name] + seller.addressLines(from: seller.country)
        text(sender.joined(separator: " · "), 0, 240, size: 6.5, isFaint: true)
        y = 142
        for line in [invoice.buyer.name] + invoice.buyer.addressLines(from: seller.country) {
            text(line, 0, 240, size: 10.5)
            y += 14
        }
        let below = y
        y = 142
        var facts: [(String, String?)] = [
            ("Number", invoice.number), ("Date", day(invoice.issued)), ("Due", invoice.due.map(day)),
            ("Cancels invoice", invoice.cancels), ("Of", invoice.cancelsIssued.map(day)),
            ("Project", invoice.project),
        ]
        if let first = invoice.firstDay, let last = invoice.lastDay {
            facts.append(("Work", first == last ? day(first) : "\(short(first)) – \(short(last))"))
        }
        facts += [
            ("Your reference", invoice.buyerReference), ("Your order", invoice.order),
            ("Your VAT id", invoice.buyer.vatID),
        ]
        for (name, value) in facts {
            guard let value else { continue }
            text(name, 270, 80, size: 8.5, isFaint: true)
            text(value, 352, InvoicePages.inner - 352, size: 8.5, lines: 2)
            y += height(value, InvoicePages.inner - 352, size: 8.5, lines: 2) + 3
        }
        y = max(below, y, 250) + 22
        text("\(word) \(invoice.number)", 0, InvoicePages.inner, size: 15, bold: true)
        y += 32
    }

    private func short(_ date: CivilDate) -> String {
        "\(date.day) \(DateWords.name(month: date.month)) \(date.components.year)"
    }

    private func tableHead() {
        let columns = InvoicePages.columns
        text("Description", columns.name.0, columns.name.1, size: 8, isFaint: true)
        text("Quantity", columns.quantity.0, columns.quantity.1, size: 8, align: .right, isFaint: true)
        text("Price", columns.price.0, columns.price.1, size: 8, align: .right, isFaint: true)
        text("\(invoice.currency)", columns.amount.0, columns.amount.1, size: 8, align: .right, isFaint: true)
        y += 13
        rule()
        y += 5
    }

    private func table() {
        tableHead()
        let columns = InvoicePages.columns
        for line in invoice.lines {
            let high = height(line.name, columns.name.1)
            makeRoom(high + 6, tableHead)
            text(line.name, columns.name.0, columns.name.1, lines: 60)
            text("\(line.quantity)", columns.quantity.0, columns.quantity.1, align: .right)
            text(line.unit, columns.unit.0, columns.unit.1, isFaint: true)
            text(money(line.price), columns.price.0, columns.price.1, align: .right)
            text(money(invoice.amount(line)), columns.amount.0, columns.amount.1, align: .right)
            y += high + 6
        }
    }

    private func totals() {
        makeRoom(70)
        rule()
        y += 6
        let amount = InvoicePages.columns.amount
        for (name, value) in [("Net", invoice.net), (invoice.tax.text, invoice.taxAmount)] {
            text(name, 230, 178, align: .right)
            text(money(value), amount.0, amount.1, align: .right)
            y += 15
        }
        text(
            "\(invoice.kind == .invoice ? "Total" : "Credit") \(invoice.currency)", 230, 178, size: 11, bold: true,
            align: .right)
        text(money(invoice.total), amount.0, amount.1, size: 11, bold: true, align: .right)
        y += 22
        if let reason = invoice.tax.reason { paragraph(reason, isFaint: true) }
    }

    private func paragraph(_ words: String, isFaint: Bool = false) {
        let high = height(words, InvoicePages.inner, size: 9)
        makeRoom(high + 8)
        text(words, 0, InvoicePages.inner, size: 9, lines: 60, isFaint: isFaint)
        y += high + 8
    }

    private func uncharged() {
        if invoice.uncharged.isEmpty { return }
        let heading = { [self] in
            text("Not charged", 0, InvoicePages.inner, size: 9, bold: true)
            y += 15
        }
        makeRoom(34)
        y += 6
        heading()
        for work in invoice.uncharged {
            let high = height(work.name, InvoicePages.columns.name.1, size: 9)
            makeRoom(high + 3, heading)
            text(work.name, 0, InvoicePages.columns.name.1, size: 9, lines: 60)
            text(DateWords.text(hours: work.seconds), 256, 84, size: 9, align: .right, isFaint: true)
            y += high + 3
        }
        y += 8
    }

    private func ending() {
        y += 8
        if invoice.kind == .invoice {
            let until = invoice.due.map { "by \(day($0))" } ?? "at once"
            let account = invoice.iban.map { " to the account \(InvoicePages.grouped($0))" } ?? ""
            let bank = invoice.iban == nil ? "" : invoice.bic.map { " (BIC \($0))" } ?? ""
            paragraph(
                "Please pay \(money(invoice.total)) \(invoice.currency) \(until)\(account)\(bank), with the number \(invoice.number)."
            )
        } else {
            paragraph("This credit note cancels the invoice \(invoice.cancels ?? "").")
        }
        if let note = invoice.note { paragraph(note) }
    }

    /// An IBAN in groups of four, as it is printed.
    private static func grouped(_ iban: String) -> String {
        var groups: [String] = []
        for (place, sign) in iban.enumerated() {
            if place % 4 == 0 { groups.append("") }
            groups[groups.count - 1].append(sign)
        }
        return groups.joined(separator: " ")
    }

    private func foot(_ place: Int) {
        let seller = invoice.seller
        let numbers = [
            ("VAT id", seller.vatID), ("Tax number", seller.taxNumber), ("Register", seller.legalID),
            ("IBAN", invoice.iban),
        ].compactMap { name, value in value.map { "\(name) \(name == "IBAN" ? InvoicePages.grouped($0) : $0)" } }
        let contact =
            ([seller.name] + seller.addressLines(from: seller.country) + [seller.phone, seller.email].compactMap { $0 })
        let top = InvoicePages.height - InvoicePages.bottom + 18
        var page = pages[place]
        page.line(
            from: PicturePoint(InvoicePages.left, top - 6),
            to: PicturePoint(InvoicePages.left + InvoicePages.inner, top - 6))
        let faint = page.theme.faint
        for (row, words) in [contact.joined(separator: " · "), numbers.joined(separator: " · ")].enumerated() {
            page.text(
                words, InvoicePages.left, top + Double(row) * 11, width: InvoicePages.inner - 60, size: 7, color: faint)
        }
        page.text(
            "\(place + 1) / \(pages.count)", InvoicePages.left + InvoicePages.inner - 50, top, width: 50, size: 7.5,
            align: .right, color: faint)
        pages[place] = page
    }
}
