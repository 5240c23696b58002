import ArgumentParser
import FoundationEssentials
import HelixModel
import HelixStore
import HelixTerminal

/// `helix projects material`
struct ProjectsMaterial: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "material", abstract: "Manage the materials of a project.",
        subcommands: [MaterialAdd.self, MaterialList.self, MaterialDelete.self], defaultSubcommand: MaterialList.self)
}

/// `helix projects material add`
struct MaterialAdd: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "add", abstract: "Add a material.",
        discussion: """
            Project, description, quantity, unit and unit price. Amounts are exact decimals.

              helix projects material add house "Copper pipe 15mm" 12 m 4.80 \\
                  --supplier Hydro --receipt hydro.pdf
            """)
    static let reports: [PrintedReport] = [.json(MaterialReport.self)]

    @Argument(help: "The project, by name or id.", completion: .custom(CompletionLists.projects))
    var project: String

    @Argument(help: "Description.")
    var name: String

    @Argument(help: "Quantity.")
    var quantity: String

    @Argument(help: "Unit of the quantity: m, pcs, kg.")
    var unit: String

    @Argument(help: ArgumentHelp("Unit price.", valueName: "unit-price"))
    var unitPrice: String

    @Option(name: .long, help: ArgumentHelp("Supplier.", valueName: "who"))
    var supplier: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Purchase date.", valueName: "date"))
    var on: String?

    @Option(
        name: .long,
        help: ArgumentHelp("File of the receipt; it is attached to the project.", valueName: "file"),
        completion: .file())
    var receipt: String?

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        func amount(_ text: String, _ what: String) throws -> Decimal {
            guard let amount = Decimal(money: text), amount >= 0 else {
                throw HelixError(.usage, "\(what) '\(text)' is no decimal number", hint: "Write it with a point: 12.5.")
            }
            return amount
        }
        let title = name.split(whereSeparator: \.isNewline).joined(separator: " ").trimmingBlanks()
        guard !title.isEmpty else { throw HelixError(.usage, "the material has no name") }
        let store = try context.store()
        let owner = try store.project(named: project)
        var material = MaterialRecord(
            project: owner.id, name: title, quantity: try amount(quantity, "the quantity"), unit: unit,
            unitPrice: try amount(unitPrice, "the price"))
        material.supplier = supplier
        material.boughtOn = try on.map { try context.dates.date($0) } ?? context.today
        let file = receipt.map { URL(fileURLWithPath: $0) }
        let staged = try file.map { try store.stageFile($0.path) }
        defer { staged?.discard() }
        try store.change("add '\(title)' to '\(owner.name)'", command: "projects material add") { change in
            if let staged, let file {
                material.receipt =
                    try change.attach(staged, name: file.lastPathComponent, role: .receipt, to: owner.id).file.id
            }
            try change.addMaterial(material)
        }
        try context.present(
            MaterialReport(items: [MaterialItem(material: material, project: owner)]),
            ids: [material.id] + (material.receipt.map { [$0] } ?? []))
    }
}

/// `helix projects material list`
struct MaterialList: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "list", abstract: "List the materials of a project.",
        discussion: "  helix projects material list house")
    static let reports: [PrintedReport] = [.json(MaterialReport.self)]

    @Argument(help: "The project, by name or id.", completion: .custom(CompletionLists.projects))
    var project: String

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let owner = try store.project(named: project)
        let found = try store.materials(of: owner.id)
        try context.present(
            MaterialReport(items: found.map { MaterialItem(material: $0, project: owner) }),
            ids: found.map(\.id) + found.compactMap(\.receipt))
    }
}

/// `helix projects material delete`
struct MaterialDelete: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "delete", abstract: "Delete a material.",
        discussion: "'helix undo' restores it.\n\n  helix projects material delete k3f7")
    static let reports: [PrintedReport] = [.json(EntityReport.self)]

    @Argument(help: "The material, by id.", completion: .custom(CompletionLists.materialIDs))
    var material: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let found = try store.entity(EntityPrefix(material), kinds: [.material])
        try store.change("delete '\(found.title)'", command: "projects material delete") { change in
            try change.deleteMaterial(found.id)
        }
        try context.present(EntityReport(items: [found], title: "Deleted"), shortIDs: [:])
    }
}

/// A material in a report.
struct MaterialItem: DescribedItem {
    let material: MaterialRecord
    let project: ProjectRecord

    static let described = list {
        Field("kind", .choice(["material"]), "The kind of the item.") { _ in "material" }
        Field("id", .id, "The material's identity.") { $0.material.id.text }
        Field("name", .string, "Description.") { $0.material.name }
        Field("project", .string, "The project's name.") { $0.project.name }
        Field("quantity", .string, "Quantity, a decimal number.") { "\($0.material.quantity)" }
        Field("unit", .string, "Unit of the quantity.") { $0.material.unit }
        Field("unit_price", .string, "Unit price.") { $0.material.unitPrice.price }
        Field("cost", .string, "Quantity times unit price.") { $0.material.cost.money }
        Field("currency", .string, required: false, "The project's currency.") { $0.project.currency }
        Field("supplier", .string, required: false, "Supplier.") { $0.material.supplier }
        Field("date", .time, required: false, "Purchase date.") { item in
            item.material.boughtOn.map { ISO8601.text($0) }
        }
        Field("receipt", .string, required: false, "The file of its receipt.") { $0.material.receipt?.text }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }

}

/// The materials of a project.
struct MaterialReport: CuttableReport {
    static let schema = "helix.projects.materials/1"
    var items: [MaterialItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { canvas.line(StyledText("No materials.", .dim)) }
        var table = Table([
            .init(), .init(importance: 3), .init(minimum: 10), .init(right: true), .init(),
            .init(right: true, importance: 4), .init(right: true), .init(minimum: 4, importance: 1),
            .init(importance: 2),
        ])
        for item in items {
            table.row([
                StyledText(viewer.short(item.material.id), .dim),
                StyledText(item.material.boughtOn.map { viewer.near(.date($0)) } ?? "", .dim),
                StyledText(item.material.name), StyledText("\(item.material.quantity)"),
                StyledText(item.material.unit, .dim),
                StyledText("× \(item.material.unitPrice.price)", .dim), StyledText(item.material.cost.money),
                StyledText(item.material.supplier ?? "", .dim),
                StyledText(item.material.receipt.map { "⎙ " + viewer.short($0) } ?? "", .dim),
            ])
        }
        table.draw(on: &canvas)
        if items.count > 1 {
            let sum = items.reduce(Decimal(0)) { $0 + $1.material.cost }
            canvas.line(StyledText("Total \(sum.money)\(items[0].project.currency.map { " " + $0 } ?? "")", .bold))
        }
    }
}
