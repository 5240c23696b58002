import ArgumentParser
import HelixGatewayStore
import HelixModel
import HelixTerminal

/// `helix gateway database`
struct GatewayDatabaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database", abstract: "Manage the PostgreSQL database that several gateways share.",
        discussion: """
            One gateway needs no database: it has SQLite in its folder. Several gateways share a PostgreSQL database; \
            docs/scale.md says when that is worth it.

              createdb helix
              helix gateway database migrate --database postgresql://owner@db1/helix
              helix gateway serve --database postgresql://gateway@db1,db2/helix
            """,
        subcommands: [
            GatewayDatabaseMigrate.self, GatewayDatabaseStatus.self, GatewayDatabaseImport.self,
            GatewayDatabaseExport.self, GatewayDatabaseCheck.self,
        ])
}

/// `helix gateway database migrate`
struct GatewayDatabaseMigrate: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "migrate", abstract: "Make the tables of the database, or bring them up to date.",
        discussion: """
            Signs in as the owner of the database. Gateways may go on serving. The role helix_gateway is made if the \
            owner may make roles; a gateway signs in as a member of it, which may read and write rows and change no tables:

              createuser --createrole owner
              createdb --owner owner helix
              helix gateway database migrate --database postgresql://owner@db1/helix
              psql -c "CREATE ROLE gateway LOGIN PASSWORD '…' IN ROLE helix_gateway" helix
            """)
    static let reports: [PrintedReport] = [.json(DatabaseReport.self)]

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let target = try context.gatewayDatabase(database)
        let (former, present, replacesFunctions) = try PostgresAdministration.migrate(
            target, isRehearsal: context.isDryRun)
        let words =
            switch (former == present, replacesFunctions, context.isDryRun) {
            case (true, false, _): "The tables are up to date."
            case (true, true, true): "Would replace the functions."
            case (true, true, false): "The functions were replaced; the tables are up to date."
            case (false, _, true): "Would bring the tables from version \(former) to \(present)."
            case (false, _, false):
                former == 0 ? "The tables were made." : "The tables were brought from version \(former) to \(present)."
            }
        context.note(StyledText(words, .dim))
        try context.present(DatabaseReport(item: DatabaseItem(state: try PostgresAdministration.state(target))))
    }
}

/// `helix gateway database status`
struct GatewayDatabaseStatus: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "status", abstract: "Show the state of the database.",
        discussion: "  helix gateway database status --database postgresql://gateway@db1,db2/helix")
    static let reports: [PrintedReport] = [.json(DatabaseReport.self)]

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let target = try context.gatewayDatabase(database)
        try context.present(DatabaseReport(item: DatabaseItem(state: try PostgresAdministration.state(target))))
    }
}
