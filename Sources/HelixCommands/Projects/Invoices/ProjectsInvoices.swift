import ArgumentParser
import HelixInvoices
import HelixModel
import HelixStore
import HelixTerminal

/// `helix projects invoices`
struct ProjectsInvoices: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invoices", abstract: "Manage the invoices of projects.",
        subcommands: [
            InvoicesAdd.self, InvoicesList.self, InvoicesShow.self, InvoicesExport.self, InvoicesCancel.self,
        ], defaultSubcommand: InvoicesList.self)
}

/// `helix projects invoices list`
struct InvoicesList: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "list", abstract: "List the invoices, the latest first.",
        discussion: """
              helix projects invoices list
              helix projects invoices list house
            """)
    static let reports: [PrintedReport] = [.json(InvoiceListReport.self)]

    @Argument(help: "The project, by name or id.", completion: .custom(CompletionLists.projects))
    var project: String?

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let project = try project.map { try store.project(named: $0) }
        let items = try InvoiceItem.list(try store.invoices(), context).filter {
            project == nil || $0.record.project == project?.id
        }
        try context.present(InvoiceListReport(items: items), ids: items.map(\.record.id))
    }
}

/// `helix projects invoices show`
struct InvoicesShow: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "show", abstract: "Show an invoice.", discussion: "  helix projects invoices show 2026-0007")
    static let reports: [PrintedReport] = [.json(InvoiceReport.self)]

    @Argument(help: "The invoice, by its number or id.", completion: .custom(CompletionLists.invoices))
    var invoice: String

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.presentInvoice(try context.store().invoice(numbered: invoice).id)
    }
}

/// `helix projects invoices export`
struct InvoicesExport: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "export", abstract: "Write an invoice as PDF or as structured data (EN 16931, UBL).",
        discussion: """
            The ending of the file is the form: .pdf, or .xml for UBL 2.1. What EN 16931 asks for and the invoice lacks is told, \
            and no XML is written.

              helix projects invoices export 2026-0007 -o 2026-0007.pdf
              helix projects invoices export 2026-0007 -o 2026-0007.xml
            """)
    static let reports: [PrintedReport] = []

    @Argument(help: "The invoice, by its number or id.", completion: .custom(CompletionLists.invoices))
    var invoice: String

    @OptionGroup var file: InvoiceFileOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if file.paths.isEmpty { throw ValidationError("'invoices export' needs a file: --output FILE.pdf.") }
        try output.refuseMachine("a file")
        try output.refuseLimit("an invoice is written whole")
    }

    func run(in context: CommandContext) throws {
        let record = try context.store().invoice(numbered: invoice)
        let staged = try file.staged(file.contents(record.invoice(), context))
        for path in try staged.finish() { context.note("Wrote \(path).") }
    }
}

/// `helix projects invoices cancel`
struct InvoicesCancel: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel an invoice by a credit note.",
        discussion: """
            An invoice that was sent is not deleted: a credit note with a number of its own cancels it. Its times and materials \
            can be on another invoice then. 'helix undo' takes back an invoice that nobody has seen.

              helix projects invoices cancel 2026-0007 --output 2026-0008.pdf
            """)
    static let reports: [PrintedReport] = [.json(InvoiceReport.self)]

    @Argument(help: "The invoice, by its number or id.", completion: .custom(CompletionLists.invoices))
    var invoice: String

    @Option(name: .long, help: ArgumentHelp("The number of the credit note.", valueName: "text"))
    var number: String?

    @Option(name: .long, help: ArgumentHelp("A text for the buyer.", valueName: "text"))
    var note: String?

    @OptionGroup var file: InvoiceFileOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let record = try store.invoice(numbered: invoice)
        let former = try record.invoice()
        guard former.kind == .invoice else {
            throw HelixError(.conflict, "\(former.number) is a credit note, which cannot be cancelled")
        }
        let known = try store.invoices()
        if let other = try known.first(where: { try $0.invoice().cancels == former.number }) {
            throw HelixError(.conflict, "\(former.number) was cancelled by \(other.number) before")
        }
        var credit = former
        credit.kind = .creditNote
        credit.number = try number ?? context.nextInvoiceNumber(known)
        (credit.issued, credit.due, credit.note) = (context.today, nil, note)
        (credit.cancels, credit.cancelsIssued, credit.uncharged) = (former.number, former.issued, [])
        let id = try context.store(credit, of: record.project, file, as: "cancel invoice \(former.number)")
        try context.presentInvoice(id)
    }
}
