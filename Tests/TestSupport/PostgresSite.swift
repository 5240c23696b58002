import Foundation

/// A PostgreSQL server that all tests of a process share, with a database of its own for each.
public enum PostgresSite {
    /// Started once; afterwards only its port is read.
    private nonisolated(unsafe) static let shared = Result { try start() }

    /// Whether PostgreSQL is installed.
    public static var isInstalled: Bool { TestServer.has("/usr/lib/postgresql/15/bin/postgres") }

    /// Starts a server, and waits until it accepts connections: its port is open before.
    /// - Parameter more: settings as `name=value`, or first `standby=PORT` for a copy of the server at that port.
    public static func start(_ more: [String] = []) throws -> TestServer {
        let server = try TestServer("postgres.sh", ports: 1, more)
        for _ in 0..<300 {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/lib/postgresql/15/bin/pg_isready")
            process.arguments = ["-q", "-h", "127.0.0.1", "-p", String(server.ports[0])]
            try process.run()
            process.waitUntilExit()
            if process.terminationStatus == 0 { return server }
            usleep(100_000)
        }
        throw OracleFailure(message: "PostgreSQL does not start")
    }

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
