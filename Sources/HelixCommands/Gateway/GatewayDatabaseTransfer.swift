import ArgumentParser
import HelixGatewayLogs
import HelixGatewayStore
import HelixModel
import HelixTerminal

/// `helix gateway database import`
struct GatewayDatabaseImport: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "import", abstract: "Copy the gateway of this machine, with SQLite, to the database.",
        discussion: """
            Replaces what is in the database, in one transaction, and compares both afterwards. The gateway may go on \
            serving: copy once to see how long it takes, then stop it, copy again, and start the new gateways. Devices fetch \
            everything once more. Mail accounts that the gateway keeps for users, and their mail, stay in its folder.

              helix gateway database migrate --database postgresql://owner@db1/helix
              helix gateway database import --database postgresql://owner@db1/helix --yes
            """)
    static let reports: [PrintedReport] = [.json(TransferReport.self)]

    @Flag(name: [.short, .long], help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let transfer = try context.transfer(context.gatewayFolder, database)
        if context.isDryRun { return try context.present(TransferReport(items: try transfer.compare())) }
        try context.confirm(
            "Replace all rows of the database by those of \(context.gatewayFolder)?", yes: yes)
        try transfer.importAll()
        try context.presentComparison(transfer)
    }
}

/// `helix gateway database export`
struct GatewayDatabaseExport: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "export", abstract: "Copy the database to a folder, as a gateway with SQLite.",
        discussion: """
            Compares both afterwards. Stop the gateways first if nothing may be missing. The folder becomes the folder \
            'gateway' of a HELIX_HOME.

              helix gateway database export --to ~/gateway-copy
            """)
    static let reports: [PrintedReport] = [.json(TransferReport.self)]

    @Option(name: .long, help: ArgumentHelp("The new folder.", valueName: "folder"), completion: .directory)
    var to: String

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let transfer = try context.transfer(to, database)
        if context.isDryRun {
            return context.note(StyledText("Would copy the database to \(SafeText.line(to)).", .dim))
        }
        try transfer.exportAll()
        try context.presentComparison(transfer)
    }
}

/// `helix gateway database check`
struct GatewayDatabaseCheck: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "check", abstract: "Compare the database with a gateway with SQLite.",
        discussion: """
            Compares the number of rows of each table and a sum of their hashes, files and the entities of users included. \
            The status is 80 if something differs.

              helix gateway database check
              helix gateway database check --folder ~/gateway-copy
            """)
    static let reports: [PrintedReport] = [.json(TransferReport.self)]

    @Option(
        name: .long,
        help: ArgumentHelp("The folder of the other gateway; this machine's by default.", valueName: "folder"),
        completion: .directory)
    var folder: String?

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.presentComparison(try context.transfer(folder ?? context.gatewayFolder, database))
    }
}

extension CommandContext {
    fileprivate func transfer(_ folder: String, _ options: DatabaseOptions) throws -> GatewayTransfer {
        let (console, isShown) = (console, console.canAsk)
        return GatewayTransfer(folder: folder, target: try gatewayDatabase(options), now: now) { table in
            if isShown { console.progress(table) }
        }
    }

    /// Presents a comparison.
    /// - Throws: ``HelixError`` of code `conflict` if something differs.
    fileprivate func presentComparison(_ transfer: GatewayTransfer) throws {
        let parts = try transfer.compare()
        if console.canAsk { console.progress("") }
        try present(TransferReport(items: parts))
        let different = parts.filter { !$0.isEqual }.map(\.name)
        guard different.isEmpty else {
            throw HelixError(
                .conflict, "the folder and the database differ in: \(different.joined(separator: ", "))",
                hint: "If a gateway was serving meanwhile, stop it, and copy again.")
        }
    }
}

extension TransferPart: DescribedItem {
    static let described = list {
        Field("kind", .choice(["table"]), "The kind of the item.") { _ in "table" }
        Field("id", .string, "The name of the table; files, or entities of users.") { $0.name }
        Field("folder_rows", .integer, "The number of rows in the folder.") { $0.folder.count }
        Field("database_rows", .integer, "The number of rows in the database.") { $0.database.count }
        Field("equal", .bool, "Whether all rows are equal.") { $0.isEqual }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }
}

/// A report of the comparison of a gateway's folder with its database.
struct TransferReport: CuttableReport {
    static let schema = "helix.gateway.transfer/1"
    var items: [TransferPart]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        var table = Table([
            .init("table", minimum: 8), .init("folder", right: true), .init("database", right: true), .init(),
        ])
        for part in items {
            table.row([
                StyledText(part.name), StyledText("\(part.folder.count)"), StyledText("\(part.database.count)"),
                StyledText(part.isEqual ? "equal" : "different", part.isEqual ? .dim : TextStyle(.red)),
            ])
        }
        table.draw(on: &canvas)
    }
}
