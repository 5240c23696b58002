import FoundationEssentials
import HelixInvoices
import HelixModel
import HelixStore
import HelixTerminal

/// An invoice in a report.
struct InvoiceItem: DescribedItem {
    let record: InvoiceRecord
    let invoice: Invoice
    /// The number of the credit note that cancels it.
    let cancelledBy: String?
    /// Whether another invoice has its number.
    let isDouble: Bool
    /// The other invoices that have some of its work.
    let shares: [String]

    /// The states of an invoice.
    enum State: String, CaseIterable, Sendable {
        case open, overdue, cancelled, credit
    }

    /// Invoices with their states. Those that are damaged are left out, and told.
    /// - Throws: ``HelixError``.
    static func list(_ records: [InvoiceRecord], _ context: CommandContext) throws -> [InvoiceItem] {
        let (invoices, damaged) = records.readable()
        if !damaged.isEmpty {
            context.explain(
                "Invoices that cannot be read: \(damaged.joined(separator: ", ")). 'helix doctor' checks the store.")
        }
        let cancelled = Dictionary(
            invoices.compactMap { record, invoice in invoice.cancels.map { ($0, record.number) } }
        ) { first, _ in first }
        var counts: [String: Int] = [:]
        for record in records { counts[record.number.lowercased(), default: 0] += 1 }
        let billed = try BilledWork(invoices.map(\.record))
        return invoices.map { record, invoice in
            let isActive = invoice.kind == .invoice && cancelled[record.number] == nil
            return InvoiceItem(
                record: record, invoice: invoice,
                cancelledBy: invoice.kind == .invoice ? cancelled[record.number] : nil,
                isDouble: counts[record.number.lowercased(), default: 0] > 1,
                shares: isActive ? billed.others(than: record.number, of: invoice.lines.flatMap(\.entities)) : [])
        }
    }

    func state(_ today: CivilDate) -> State {
        if invoice.kind == .creditNote { return .credit }
        if cancelledBy != nil { return .cancelled }
        return invoice.due.map { $0 < today } ?? false ? .overdue : .open
    }

    static let described = list {
        Field("kind", .choice(["invoice"]), "The kind of the item.") { _ in "invoice" }
        Field("id", .id, "The invoice's identity.") { $0.record.id.text }
        Field("number", .string, "Its number.") { $0.record.number }
        Field("type", .choice(["invoice", "credit_note"]), "Invoice or credit note.") {
            $0.invoice.kind == .invoice ? "invoice" : "credit_note"
        }
        Field("state", .choice(State.allCases.map(\.rawValue)), "Open until it is due: payments are not recorded.") {
            item, viewer in item.state(viewer.today).rawValue
        }
        Field("project", .string, "The project's name on that day.") { $0.invoice.project }
        Field("customer", .string, "The customer.") { $0.invoice.buyer.name }
        Field("issued", .time, "Date of issue.") { ISO8601.text($0.invoice.issued) }
        Field("due", .time, required: false, "Due date.") { item in item.invoice.due.map { ISO8601.text($0) } }
        Field("from", .time, required: false, "First day of the work.") { item in
            item.invoice.firstDay.map { ISO8601.text($0) }
        }
        Field("to", .time, required: false, "Last day of the work.") { item in
            item.invoice.lastDay.map { ISO8601.text($0) }
        }
        Field("currency", .string, "The currency.") { $0.invoice.currency }
        Field("net", .string, "The sum without tax.") { $0.invoice.net.money }
        Field("tax_rate", .string, "The rate of the tax in percent.") { "\($0.invoice.tax.rate)" }
        Field("tax", .string, "The tax.") { $0.invoice.taxAmount.money }
        Field("total", .string, "The amount to be paid.") { $0.invoice.total.money }
        Field("cancels", .string, required: false, "The invoice that a credit note cancels.") { $0.invoice.cancels }
        Field("cancelled_by", .string, required: false, "The credit note that cancels it.") { $0.cancelledBy }
        Field(
            "shared_with", .array(.string),
            "Other invoices that have some of its work: all but one are to be cancelled."
        ) {
            $0.shares
        }
        Field("lines", listing: { item in item.invoice.lines.map { ($0, item.invoice) } }, "The lines.") {
            ReportField("name", .string, "The name.") { $0.0.name }
            ReportField("source", .choice(["time", "material"]), "The source.") { $0.0.source.rawValue }
            ReportField("quantity", .string, "The quantity.") { "\($0.0.quantity)" }
            ReportField("unit", .string, "The unit of the quantity.") { $0.0.unit }
            ReportField("price", .string, "The price of one unit.") { $0.0.price.price }
            ReportField("amount", .string, "Quantity times price.") { $0.1.amount($0.0).money }
        }
        Field("uncharged", listing: { $0.invoice.uncharged }, "Time that is listed without a price.") {
            ReportField("name", .string, "The name.") { $0.name }
            ReportField("seconds", .seconds, "The time.") { $0.seconds }
        }
        Field("links", .array(.id), "Always empty here; 'helix show' lists them.") { _ in [String]() }
    }
}

/// A list of invoices.
struct InvoiceListReport: CuttableReport {
    static let schema = "helix.projects.invoices/1"
    var items: [InvoiceItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty {
            return canvas.line(StyledText("No invoices. 'helix projects invoices add PROJECT' makes one.", .dim))
        }
        var table = Table([
            .init(importance: 4), .init("number", minimum: 6), .init("customer", minimum: 8),
            .init("project", minimum: 5, importance: 3), .init("issued", importance: 2), .init("due"),
            .init("total", right: true), .init(),
        ])
        for item in items {
            let state = item.state(viewer.today)
            let style = state == .overdue ? TextStyle(.red, bold: true) : .dim
            table.row([
                StyledText(viewer.short(item.record.id), .dim), StyledText(item.record.number, .bold),
                StyledText(item.invoice.buyer.name), StyledText(item.invoice.project, TextStyle(.blue)),
                StyledText(DateWords.text(item.invoice.issued), .dim),
                StyledText(
                    state == .open || state == .overdue ? item.invoice.due.map { DateWords.text($0) } ?? "" : ""),
                StyledText(
                    (state == .credit ? "-" : "") + InvoiceMoney.text(item.invoice.total, item.invoice.currency) + " "
                        + item.invoice.currency),
                StyledText(InvoiceReport.words(item, state), style),
            ])
        }
        table.draw(on: &canvas)
        if items.contains(where: \.isDouble) {
            canvas.paragraph(
                "Some numbers were given twice, by two devices before they synced.", style: TextStyle(.yellow))
        }
    }
}

/// One invoice.
struct InvoiceReport: Report {
    static let schema = "helix.projects.invoices.show/1"
    static let isList = false
    let items: [InvoiceItem]

    /// The state in words.
    static func words(_ item: InvoiceItem, _ state: InvoiceItem.State) -> String {
        let word: String =
            switch state {
            case .open: ""
            case .overdue: "overdue"
            case .cancelled: "cancelled by \(item.cancelledBy ?? "")"
            case .credit: "cancels \(item.invoice.cancels ?? "")"
            }
        var words = word.isEmpty ? [] : [word]
        if item.isDouble { words.append("number given twice") }
        if !item.shares.isEmpty { words.append("work also on \(item.shares.joined(separator: ", "))") }
        return words.joined(separator: ", ")
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        guard let item = items.first else { return }
        let invoice = item.invoice
        var head = StyledText(invoice.kind == .invoice ? "Invoice " : "Credit note ", .bold)
        head.append(invoice.number, .bold)
        let words = InvoiceReport.words(item, item.state(viewer.today))
        if !words.isEmpty { head.append("  " + words, TextStyle(.yellow)) }
        canvas.line(head.fitted(canvas.textWidth))
        var facts = Table([.init(), .init(minimum: 20)])
        func row(_ name: String, _ text: String?) {
            if let text { facts.row([StyledText(name, .dim), StyledText(text)]) }
        }
        row("id", "\(viewer.short(item.record.id)) (\(item.record.id.text))")
        row("customer", ([invoice.buyer.name] + invoice.buyer.addressLines(from: nil)).joined(separator: ", "))
        row("project", invoice.project)
        row("issued", DateWords.text(invoice.issued))
        row("due", invoice.due.map { DateWords.text($0) })
        if let first = invoice.firstDay, let last = invoice.lastDay {
            row("work", first == last ? DateWords.text(first) : "\(DateWords.text(first)) – \(DateWords.text(last))")
        }
        facts.draw(on: &canvas)
        canvas.line()
        drawLines(invoice, on: &canvas)
        if !invoice.uncharged.isEmpty {
            canvas.line()
            canvas.line(StyledText("Not charged", TextStyle(.cyan, bold: true)))
            var rest = Table([.init(minimum: 12), .init(right: true)])
            for work in invoice.uncharged {
                rest.row([StyledText(work.name), StyledText(DateWords.text(hours: work.seconds), .dim)])
            }
            rest.draw(on: &canvas, indent: 2)
        }
    }

    private func drawLines(_ invoice: Invoice, on canvas: inout Canvas) {
        func money(_ amount: Decimal) -> String { InvoiceMoney.text(amount, invoice.currency) }
        var table = Table([
            .init(minimum: 12), .init(right: true), .init(), .init(right: true, importance: 1), .init(right: true),
        ])
        for line in invoice.lines {
            table.row([
                StyledText(line.name), StyledText("\(line.quantity)"), StyledText(line.unit, .dim),
                StyledText("× \(line.price.price)", .dim), StyledText(money(invoice.amount(line))),
            ])
        }
        for (name, amount, style) in [
            ("Net", invoice.net, TextStyle.plain), (invoice.tax.text, invoice.taxAmount, .plain),
            ("Total " + invoice.currency, invoice.total, .bold),
        ] {
            table.row([
                StyledText(name, style), StyledText(""), StyledText(""), StyledText(""),
                StyledText(money(amount), style),
            ])
        }
        table.draw(on: &canvas, indent: 2)
        if let reason = invoice.tax.reason { canvas.paragraph(reason, style: .dim) }
    }
}
