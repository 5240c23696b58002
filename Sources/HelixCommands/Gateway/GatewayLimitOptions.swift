import ArgumentParser

/// The options of 'helix gateway serve' for its size.
struct GatewayLimitOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The maximum number of connected clients.", valueName: "count"))
    var mostConnections = 8192

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The maximum number of connections to the database for messages, and as many for the stores of users.",
            valueName: "count"))
    var databaseConnections = 8

    func validate() throws {
        if !(1...1_000_000).contains(mostConnections) {
            throw ValidationError("--most-connections must be 1 to 1000000.")
        }
        if !(1...100).contains(databaseConnections) {
            throw ValidationError("--database-connections must be 1 to 100.")
        }
    }

    /// The options as the server program takes them.
    var arguments: [String] {
        ["--most-connections", "\(mostConnections)", "--database-connections", "\(databaseConnections)"]
    }
}
