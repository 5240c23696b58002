import Foundation

/// A PostgreSQL server that all tests of a process share, with a database of its own for each.
public enum PostgresSite {
    /// Started once; afterwards only its port is read.
    private nonisolated(unsafe) static let shared = Result { try TestServer("postgres.sh", ports: 1) }

    /// Whether PostgreSQL is installed.
    public static var isInstalled: Bool { TestServer.has("/usr/lib/postgresql/15/bin/postgres") }

    /// The port of the server.
    public static func port() throws -> Int { try shared.get().ports[0] }

    /// The address of a database on the server.
    public static func uri(_ database: String) throws -> String {
        "postgresql://helix@127.0.0.1:\(try port())/\(database)"
    }

    /// Makes an empty database.
    public static func make(_ name: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/lib/postgresql/15/bin/createdb")
        process.arguments = ["-h", "127.0.0.1", "-p", String(try port()), "-U", "helix", name]
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { throw OracleFailure(message: "no database \(name)") }
    }

    /// A name for a database that no other test has.
    public static func freshName() -> String {
        "t" + UUID().uuidString.lowercased().filter { $0 != "-" }.prefix(16)
    }
}
