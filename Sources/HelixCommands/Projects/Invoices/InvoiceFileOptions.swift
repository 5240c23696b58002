import ArgumentParser
import HelixGraphics
import HelixInvoices
import HelixModel
import HelixStore

/// The files that an invoice is written to.
struct InvoiceFileOptions: ParsableArguments {
    @Option(
        name: [.customShort("o"), .customLong("output")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Write the invoice to this file: .pdf or .xml; may be repeated.", valueName: "file"),
        completion: .file())
    var paths: [String] = []

    @Flag(name: .long, help: "Overwrite an existing file.")
    var force = false

    func validate() throws {
        for path in paths where !["pdf", "xml"].contains(InvoiceFileOptions.ending(path)) {
            throw ValidationError("--output takes a file that ends with .pdf or .xml, not '\(path)'.")
        }
    }

    private static func ending(_ path: String) -> String {
        path.lastIndex(of: ".").map { path[path.index(after: $0)...].lowercased() } ?? ""
    }

    /// The bytes of each file.
    /// - Throws: ``HelixError``: `badInput` with the terms that EN 16931 asks for, or `cannotCreate` for a file that exists.
    func contents(_ invoice: Invoice, _ context: CommandContext) throws -> [(path: String, bytes: [UInt8])] {
        try paths.map { path in
            try OutputFile.check(path, force: force)
            if InvoiceFileOptions.ending(path) == "pdf" {
                let pages = try InvoicePages(invoice).drawn()
                let painted = try PicturePainter.file(.pdf, pages, time: context.now)
                context.tellMissingFonts(painted)
                return (path, painted.bytes)
            }
            let defects = invoice.defects
            if let first = defects.first {
                throw HelixError(
                    .badInput, "\(invoice.number) lacks what EN 16931 asks for: \(defects.joined(separator: "; "))",
                    hint: defects.count == 1 && first.contains("config set")
                        ? "An invoice keeps the settings of the day on which it was made."
                        : "The PDF can be written without them.")
            }
            return (path, Array(InvoiceXML.text(invoice).utf8))
        }
    }

    /// Puts files beside their places.
    /// - Throws: ``HelixError`` of code `cannotCreate`.
    func staged(_ contents: [(path: String, bytes: [UInt8])]) throws -> OutputFile.Staged {
        try OutputFile.Staged(contents, force: force)
    }
}

extension CommandContext {
    /// Stores an invoice, and writes its files. What cannot be written is told before the number is given.
    /// - Throws: ``HelixError``.
    func store(
        _ invoice: Invoice, of project: EntityID?, _ file: InvoiceFileOptions, as name: String
    ) throws -> EntityID {
        let staged = try file.staged(file.contents(invoice, self))
        let store = try store()
        let id = try store.change(name, command: "projects invoices") { try $0.addInvoice(invoice, of: project) }
        if !store.isRehearsal { for path in try staged.finish() { note("Wrote \(path).") } }
        return id
    }

    /// The number for the next invoice.
    /// - Parameter year: the year of its issue; this one by default.
    /// - Throws: ``HelixError``.
    func nextInvoiceNumber(_ known: [InvoiceRecord], in year: Int? = nil) throws -> String {
        let form = InvoiceNumber(configuration.text(.invoiceNumber) ?? "") ?? InvoiceNumber(InvoiceNumber.usual)
        // Numbers of invoices that were undone are not given again: somebody may have seen them.
        let given = try known.map(\.number) + store().givenInvoiceNumbers()
        return form?.next(after: given, in: year ?? today.components.year) ?? ""
    }

    /// Shows an invoice.
    /// - Throws: ``HelixError``.
    func presentInvoice(_ id: EntityID) throws {
        let records = try store().invoices()
        _ = try records.first { $0.id == id }?.invoice()
        let items = try InvoiceItem.list(records, self).filter { $0.record.id == id }
        try present(InvoiceReport(items: items), ids: [id])
    }
}
