import HelixGatewayStore
import HelixModel
import HelixTerminal

/// The state of a gateway's database in a report.
struct DatabaseItem: DescribedItem {
    let state: DatabaseState

    static let described = list {
        Field("kind", .choice(["database"]), "The kind of the item.") { _ in "database" }
        Field("id", .string, "The address.") { $0.state.address }
        Field("host", .string, "The server that accepts writes.") { $0.state.host }
        Field("server", .string, "The version of PostgreSQL.") { $0.state.server }
        Field("encrypted", .bool, "Whether the connection is encrypted.") { $0.state.isEncrypted }
        Field("role", .string, "The role that signed in.") { $0.state.role }
        Field("version", .integer, "The version of the tables; 0 without any.") { $0.state.version }
        Field("ready", .bool, "Whether this helix can serve from it.") { $0.isReady }
        Field("synchronous_commit", .string, "When a commit is acknowledged.") { $0.state.synchronousCommit }
        Field("standbys", .array(.string), "The standby servers and their states.") { $0.state.standbys }
        Field("bytes", .integer, "The size of the database.") { Int($0.state.bytes) }
        Field("users", .integer, "The number of users, as of the last analysis.") { $0.count("user") }
        Field("conversations", .integer, "The number of conversations.") { $0.count("conversation") }
        Field("messages", .integer, "The number of messages.") { $0.count("message") }
        Field("entity_versions", .integer, "The number of versions of entities.") { $0.count("user_log") }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }

    /// Whether this program can serve from the database.
    var isReady: Bool { state.version == state.wantedVersion && state.hasPresentFunctions }

    /// The number of rows of a table.
    func count(_ table: String) -> Int { Int(state.rows.first { $0.table == table }?.count ?? 0) }
}

/// A report of a gateway's database.
struct DatabaseReport: Report {
    static let schema = "helix.gateway.database/1"
    static let isList = false
    let item: DatabaseItem
    var items: [DatabaseItem] { [item] }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        let state = item.state
        var table = Table([.init(), .init(minimum: 20)])
        func line(_ name: String, _ text: String) { table.row([StyledText(name, .dim), StyledText(text)]) }
        line("database", state.address)
        line("server", "PostgreSQL \(state.server) at \(state.host)\(state.isEncrypted ? ", encrypted" : "")")
        line("role", state.role)
        if state.version == 0 {
            line("tables", "none; 'helix gateway database migrate' makes them")
        } else if item.isReady {
            line("tables", "version \(state.version), up to date")
        } else if state.version > state.wantedVersion {
            line("tables", "version \(state.version), of a newer helix; update this one")
        } else {
            line("tables", "version \(state.version); 'helix gateway database migrate' brings them up to date")
        }
        line("commit", "synchronous_commit = \(state.synchronousCommit)")
        line("standbys", state.standbys.isEmpty ? "none" : state.standbys.joined(separator: "; "))
        line("size", ByteCount.text(Int(state.bytes)))
        if state.version > 0 {
            line(
                "rows",
                [
                    ("user", "users"), ("conversation", "conversations"), ("message", "messages"),
                    ("user_log", "versions of entities"),
                ].map { "\(item.count($0.0)) \($0.1)" }.joined(separator: ", "))
        }
        table.draw(on: &canvas)
    }
}
