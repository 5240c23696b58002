import Foundation

/// A PostgreSQL primary with a streaming standby, which can take its place.
public final class PostgresPair {
    /// The server that accepts writes at first.
    public let primary: TestServer
    /// The one that follows it.
    public let standby: TestServer

    /// - Parameter isSynchronous: whether a commit waits for the standby.
    public init(isSynchronous: Bool) throws {
        primary = try PostgresSite.start(["wal_level=replica", "max_wal_senders=8", "fsync=on"])
        standby = try PostgresSite.start(["standby=\(primary.ports[0])", "hot_standby=on"])
        if isSynchronous {
            try sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
            try sql("SELECT pg_reload_conf()")
        }
    }

    /// The address of a database on both servers.
    public func uri(_ database: String) -> String {
        "postgresql://helix@127.0.0.1:\(primary.ports[0]),127.0.0.1:\(standby.ports[0])/\(database)"
    }

    /// Runs a statement on the primary.
    public func sql(_ statement: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/lib/postgresql/15/bin/psql")
        process.arguments = [
            "-q", "-h", "127.0.0.1", "-p", String(primary.ports[0]), "-U", "helix", "-d", "postgres", "-c", statement,
        ]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { throw OracleFailure(message: "cannot run \(statement)") }
    }

    /// A command that kills the primary at once and promotes the standby.
    /// - Parameter losesSome: whether the standby first stops receiving for a second.
    public func failover(losesSome: Bool = false) -> String {
        let pid = "$(head -1 '\(primary.folder.path)/run/data/postmaster.pid')"
        // The processes of a server end when its first one is killed.
        let kill = "kill -9 \(pid)"
        let standbyPID = "$(head -1 '\(standby.folder.path)/run/data/postmaster.pid')"
        let receiver = "$(pgrep -P \(standbyPID) -f walreceiver)"
        let pause = losesSome ? "R=\(receiver); kill -STOP $R; sleep 1; " : ""
        let resume = losesSome ? "; kill -9 $R" : ""
        let promote =
            "/usr/lib/postgresql/15/bin/psql -q -h 127.0.0.1 -p \(standby.ports[0]) -U helix -d postgres -c 'SELECT pg_promote(true, 20)'"
        return
            "\(pause)\(kill)\(resume); for n in 1 2 3 4 5 6 7 8 9; do \(promote) >/dev/null 2>&1 && exit 0; sleep 0.5; done; exit 1"
    }
}
