import HelixInvoices
import HelixModel
import HelixSQLite

/// A stored invoice.
public struct InvoiceRecord: Hashable, Sendable {
    /// The ID.
    public var id: EntityID
    /// The project; nil after it was deleted on another device.
    public var project: EntityID?
    /// The number and the customer, as in the document, for searches.
    public var number, customer: String
    /// The document in JSON.
    public var document: String
    /// The time of creation.
    public internal(set) var createdAt = Instant(0)

    private typealias Column = RecordColumn<InvoiceRecord>

    /// The columns of an invoice.
    static let layout = RecordLayout<InvoiceRecord> {
        Column.id("project") {
            $0.project
        } read: {
            $0.project = $1
        }
        Column.text("number") {
            $0.number
        } read: {
            $0.number = $1 ?? ""
        }
        Column.text("customer") {
            $0.customer
        } read: {
            $0.customer = $1 ?? ""
        }
        Column.text("document") {
            $0.document
        } read: {
            $0.document = $1 ?? ""
        }
        Column.instant("created_at") {
            $0.createdAt
        } read: {
            $0.createdAt = $1 ?? Instant(0)
        }
    }

    /// Reads the document.
    /// - Throws: ``HelixError`` of code `badInput` if it is damaged.
    public func invoice() throws -> Invoice {
        do {
            return try Invoice(document: document)
        } catch {
            throw HelixError(
                .badInput, "the invoice \(number) cannot be read", hint: "'helix doctor' checks the store.")
        }
    }
}

extension [InvoiceRecord] {
    /// Those that can be read, each with its invoice, and the numbers of the others.
    public func readable() -> (invoices: [(record: InvoiceRecord, invoice: Invoice)], damaged: [String]) {
        reduce(into: ([], [])) { found, record in
            if let invoice = try? record.invoice() {
                found.0.append((record, invoice))
            } else {
                found.1.append(record.number)
            }
        }
    }
}

extension EntityDescriptor {
    /// Invoices.
    static let invoice = EntityDescriptor(
        .invoice, JournaledTable(.invoice, "invoice", InvoiceRecord.layout.journaled), title: "e.number",
        isAddressed: true, isLinkable: true, isCounted: true, replicaOrder: 12,
        search: .scanning(.invoice, order: 10, word: "invoice", columns: ["number", "customer"], orderedBy: "n DESC"),
        rules: JournalRules(words: ["project": .title(.project), "created_at": .moment()]))
}

extension Store {
    /// The invoices, the latest first.
    /// - Parameter project: the project; nil for all.
    /// - Throws: ``HelixError``.
    public func invoices(of project: EntityID? = nil) throws -> [InvoiceRecord] {
        try read { try Store.invoices($0, of: project) }
    }

    static func invoices(_ db: Database, of project: EntityID? = nil) throws -> [InvoiceRecord] {
        let row = try Statement(
            db,
            """
            SELECT i.id, \(InvoiceRecord.layout.selection("i")) FROM invoice i
            WHERE ?1 IS NULL OR i.project = ?1 ORDER BY i.created_at DESC, i.n DESC
            """)
        row.bind(1, project?.text)
        var found: [InvoiceRecord] = []
        while try row.step() {
            var record = InvoiceRecord(
                id: row.id(0) ?? EntityID(stored: ""), project: nil, number: "", customer: "", document: "")
            InvoiceRecord.layout.read(row, from: 1, into: &record)
            found.append(record)
        }
        return found
    }

    /// All numbers that were given on this device, also those of invoices that were undone.
    /// - Throws: ``HelixError``.
    public func givenInvoiceNumbers() throws -> [String] {
        try read { try String.fetchAll($0, sql: "SELECT number FROM invoice_number_given ORDER BY number") }
    }

    /// The invoice with a number, or whose ID begins with the text.
    /// - Throws: ``HelixError``: `notFound`, or `conflict` if two devices gave the same number.
    public func invoice(numbered text: String) throws -> InvoiceRecord {
        let all = try invoices()
        let numbered = all.filter { $0.number.lowercased() == text.lowercased() }
        if numbered.count > 1 {
            throw HelixError(
                .conflict, "\(numbered.count) invoices have the number \(text)",
                hint: "Name one by its id; 'helix projects invoices list' shows them.")
        }
        if let found = numbered.first { return found }
        let prefix = EntityPrefix(text).text
        let byID = text.count >= 4 ? all.filter { $0.id.text.hasPrefix(prefix) } : []
        if byID.count == 1 { return byID[0] }
        throw HelixError(
            .notFound, "unknown invoice '\(text)'", hint: "'helix projects invoices list' lists the invoices.")
    }
}

extension Change {
    /// Stores an invoice.
    /// - Throws: ``HelixError`` of code `conflict` if its number was given before.
    @discardableResult
    public func addInvoice(_ invoice: Invoice, of project: EntityID?) throws -> EntityID {
        let known = try String.fetchOne(
            db, sql: "SELECT id FROM invoice WHERE number = ? COLLATE NOCASE", arguments: [invoice.number])
        if known != nil {
            throw HelixError(
                .conflict, "the number \(invoice.number) was given before",
                hint:
                    "'helix projects invoices show \(invoice.number)' shows that invoice; --number names another number."
            )
        }
        var record = InvoiceRecord(
            id: EntityID(), project: project, number: invoice.number, customer: invoice.buyer.name,
            document: try invoice.document())
        record.createdAt = store.now
        try db.execute(
            sql: "INSERT OR IGNORE INTO invoice_number_given VALUES (?)", arguments: [invoice.number])
        try create(.invoice, record.id, InvoiceRecord.layout.fields(record))
        return record.id
    }
}
