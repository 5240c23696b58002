import Foundation

/// A PostgreSQL server that is stopped in an orderly way, whose files can be copied and put back.
public final class RestorableServer {
    private var process: TestServer
    private var former: [TestServer] = []

    /// Starts it.
    public init() throws { process = try PostgresSite.start() }

    private var data: String { "\(process.folder.path)/run/data" }

    /// The address of a database on it.
    public func uri(_ database: String) -> String { "postgresql://helix@127.0.0.1:\(process.ports[0])/\(database)" }

    /// Stops it, copies its files, and starts it again.
    public func backUp() throws { try restart("cp -a '\(data)' '\(data)-backup'") }

    /// Stops it, puts the copied files in place of its own, and starts it again.
    public func restore() throws { try restart("rm -rf '\(data)' && mv '\(data)-backup' '\(data)'") }

    private func restart(_ change: String) throws {
        try shell(
            "kill -INT $(head -1 '\(data)/postmaster.pid'); while [ -e '\(data)/postmaster.pid' ]; do sleep 0.1; done")
        process.stop()
        try shell(change)
        former.append(process)
        let port = process.ports[0]
        process = try TestServer("postgres.sh", in: process.folder, ports: 1, keepsFolder: true, port: port)
        try shell(
            "for n in $(seq 100); do /usr/lib/postgresql/15/bin/pg_isready -q -h 127.0.0.1 -p \(port) && exit 0; sleep 0.1; done; exit 1"
        )
    }

    private func shell(_ command: String) throws {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", command]
        try shell.run()
        shell.waitUntilExit()
        if shell.terminationStatus != 0 { throw OracleFailure(message: "failed: \(command)") }
    }
}
