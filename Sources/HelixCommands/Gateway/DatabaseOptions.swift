import ArgumentParser
import HelixGatewayStore
import HelixModel
import HelixPostgres
import HelixSync

/// The options that name a gateway's database.
struct DatabaseOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The PostgreSQL database that several gateways share: postgresql://gateway@db1,db2/helix. By default the setting gateway.database, or SQLite in the gateway's folder.",
            valueName: "uri"))
    var database: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A command that prints the password of the database, if it is not in a service file or ~/.pgpass.",
            valueName: "command"))
    var passwordCommand: String?
}

extension CommandContext {
    /// The place of the gateway of this machine: its folder, and the database if there is one.
    /// - Throws: ``HelixError`` of code `usage`.
    func gatewayPlace(_ options: DatabaseOptions = DatabaseOptions.none) throws -> GatewayFolder {
        let uri = options.database ?? configuration.text(.gatewayDatabase).flatMap { $0.isEmpty ? nil : $0 }
        return GatewayFolder(
            gatewayFolder,
            database: try uri.map { try Secrets.database($0, command: databasePasswordCommand(options)) })
    }

    /// The database of the gateway of this machine.
    /// - Throws: ``HelixError`` of code `usage` if it has none.
    func gatewayDatabase(_ options: DatabaseOptions) throws -> PostgresTarget {
        guard let database = try gatewayPlace(options).database else {
            throw HelixError(
                .usage, "no database is given",
                hint: "Pass --database postgresql://…, or: helix config set gateway.database postgresql://…")
        }
        return database
    }

    /// The command that prints the password of the database; nil for the sources of libpq.
    func databasePasswordCommand(_ options: DatabaseOptions) -> String? {
        options.passwordCommand ?? configuration.text(.gatewayDatabasePassword).flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension DatabaseOptions {
    /// No options: the settings count.
    static var none: DatabaseOptions {
        var options = DatabaseOptions()
        (options.database, options.passwordCommand) = (nil, nil)
        return options
    }
}
