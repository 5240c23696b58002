import ArgumentParser
import FoundationEssentials
import HelixInvoices
import HelixModel
import HelixStore

/// The lines that time is put in.
enum InvoiceGrouping: String, CaseIterable, ExpressibleByArgument, Sendable {
    case title, day, entry
}

/// `helix projects invoices add`
struct InvoicesAdd: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "add", abstract: "Make an invoice of the billable time and the materials of a project.",
        discussion: """
            Takes what began in the range and is on no invoice yet: hours in hundredths at the project's rate, and materials. Time \
            that is not billable is listed apart, without a price. Your own name, address, tax and account are the settings \
            'invoice.…'; the customer's address is that of the contact with its name.

              helix projects invoices add house 2026-11 --output 2026-0007.pdf
              helix projects invoices add house --round 15m --by day --dry-run
              helix projects invoices add shop --customer Acme \\
                  --reverse-charge --buyer-vat-id FR40303265045
            """)
    static let reports: [PrintedReport] = [.json(InvoiceReport.self)]

    @Argument(help: "The project, by name or id.", completion: .custom(CompletionLists.projects))
    var project: String

    @Argument(help: ArgumentHelp("The days on which the work began; default: all.", valueName: "range"))
    var range: [String] = []

    @Option(name: .long, help: ArgumentHelp("The customer: a contact; default: the project's.", valueName: "who"))
    var customer: String?

    @Option(name: .long, help: ArgumentHelp("Lines of time: title, day or entry.", valueName: "grouping"))
    var by = InvoiceGrouping.title

    @OptionGroup var terms: InvoiceTermOptions
    @OptionGroup var file: InvoiceFileOptions
    @OptionGroup var bounds: RangeOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let project = try store.project(named: project)
        let isWhole = range.isEmpty && !bounds.isGiven
        let span = isWhole ? nil : try context.timeRange(range, bounds)
        let draft = try InvoiceDraft(project: project, span: span, by: by, terms: terms, context)
        let invoice = try draft.invoice(to: customer)
        let id = try context.store(invoice, of: project.id, file, as: "add invoice \(invoice.number)")
        for remark in draft.remarks { context.explain(remark) }
        try context.presentInvoice(id)
    }
}

/// The terms of an invoice that differ from the settings.
struct InvoiceTermOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The number; default: the next one.", valueName: "text"))
    var number: String?

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("Date of issue; default: today.", valueName: "date"))
    var date: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Due date, or a time after the issue.", valueName: "when"))
    var due: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Round each entry to the nearest multiple.", valueName: "length"))
    var round: String?

    @Option(name: .long, help: ArgumentHelp("VAT rate in percent, or 'exempt: REASON'.", valueName: "tax"))
    var tax: String?

    @Flag(name: .long, help: "The buyer owes the VAT.")
    var reverseCharge = false

    @Option(name: .long, help: ArgumentHelp("Country of the buyer, such as FR.", valueName: "code"))
    var country: String?

    @Option(name: .long, help: ArgumentHelp("VAT identifier of the buyer.", valueName: "id"))
    var buyerVatID: String?

    @Option(name: .long, help: ArgumentHelp("Reference of the buyer, such as a Leitweg-ID.", valueName: "text"))
    var reference: String?

    @Option(name: .long, help: ArgumentHelp("Number of the buyer's order.", valueName: "text"))
    var order: String?

    @Option(name: .long, help: ArgumentHelp("A text for the buyer.", valueName: "text"))
    var note: String?

    @Flag(name: .long, help: "Leave out the time that is not billable.")
    var billableOnly = false

    func validate() throws {
        if reverseCharge, tax != nil { throw ValidationError("--reverse-charge and --tax exclude each other.") }
        for (option, text, term) in [
            ("tax", tax, InvoiceTerm.tax), ("country", country, .country), ("buyer-vat-id", buyerVatID, .vatID),
        ] {
            if let problem = text.flatMap({ term.problem($0) }) { throw ValidationError("--\(option) \(problem).") }
        }
    }
}
