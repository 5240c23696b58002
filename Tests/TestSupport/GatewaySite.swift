import Foundation

/// A real gateway on this machine, and homes of helix whose devices use it.
public final class GatewaySite {
    /// The home of whoever runs it.
    public let host: HelixHome
    /// The server; it can be stopped and started again.
    public private(set) var server: TestServer
    private let options: [String]
    private let port: Int
    private let users: [String]

    /// Starts a gateway with users, whose passwords are `NAME's password`.
    public init(users: [String] = ["ana", "bob"], _ options: [String] = []) throws {
        host = try HelixHome()
        self.users = users
        try GatewaySite.add(users, to: host)
        self.options = options
        server = try GatewaySite.start(host, port: nil, options)
        port = server.ports[0]
    }

    private static func add(_ users: [String], to host: HelixHome) throws {
        for user in users {
            let made = try host.run("gateway", "user", "add", user, input: "\(user)'s password\n")
            if made.status != 0 { throw OracleFailure(message: "no user \(user): \(made.errors)") }
        }
    }

    private static func start(_ host: HelixHome, port: Int?, _ options: [String]) throws -> TestServer {
        let program = HelixHome.binary.deletingLastPathComponent().appendingPathComponent("helix-gateway").path
        return try TestServer(
            "gateway.sh", in: host.folder.appendingPathComponent("home"), ports: 1, [program] + options,
            keepsFolder: true, port: port)
    }

    /// Starts it again after it was stopped, at the same place.
    /// - Parameter fileLimit: no file may be larger, in units of 512 bytes: as on a full disk.
    public func restart(fileLimit: Int? = nil) throws {
        let limit = fileLimit.map { ["--file-limit=\($0)"] } ?? []
        server = try GatewaySite.start(host, port: port, limit + options)
    }

    private var store: URL { host.folder.appendingPathComponent("home/gateway") }
    private var backup: URL { host.folder.appendingPathComponent("home/gateway.kept") }

    /// The gateway's disk is gone; it is set up anew, with the same users, in a later second: times of conversations and of
    /// what is said are seconds, and nobody loses a disk and has it back within one.
    public func lose() throws {
        server.stop()
        sleep(1)
        try FileManager.default.removeItem(at: store)
        try GatewaySite.add(users, to: host)
        try restart()
    }

    /// Keeps a copy of all that the gateway has.
    public func keepBackup() throws {
        server.stop()
        try? FileManager.default.removeItem(at: backup)
        try FileManager.default.copyItem(at: store, to: backup)
        try restart()
    }

    /// Puts that copy in the place of what the gateway has, in a later second.
    public func restoreBackup() throws {
        server.stop()
        sleep(1)
        try FileManager.default.removeItem(at: store)
        try FileManager.default.copyItem(at: backup, to: store)
        try restart()
    }

    /// Where it is.
    public var url: String { "ws://127.0.0.1:\(port)" }

    /// A device of a user.
    public func device(of user: String) throws -> HelixHome {
        let home = try HelixHome()
        let added = try home.run(
            "account", "add", "hub", "gateway", url, "--user", user, "--password-command", "echo \"\(user)'s password\""
        )
        if added.status != 0 { throw OracleFailure(message: "no account: \(added.errors)") }
        return home
    }

    /// Runs a scenario of the client in Python, and fails with what that says.
    public func scenario(_ name: String, _ arguments: String...) throws {
        try run("gateway_client.py", name, arguments)
    }

    /// Runs an attack, and fails with what got through.
    public func attack(_ name: String, _ arguments: String...) throws {
        try run("gateway_attack.py", name, arguments)
    }

    /// Runs the flows of an app, and fails with what does not work.
    public func flows(_ dialect: String, _ password: String, _ subject: String) throws {
        try run("app_flows.py", password, [dialect, subject])
    }

    private func run(_ program: String, _ name: String, _ arguments: [String]) throws {
        let script = Corpora.packageDirectory.appendingPathComponent("Tests/Servers/\(program)").path
        if Corpora.isThorough { host.environment["HELIX_FRAMES"] = "100000" }
        let run = try host.run(program: "/usr/bin/python3", [script, url, name] + arguments)
        if run.status != 0 { throw OracleFailure(message: "\(name): \(run.errors.suffix(2000))") }
    }
}
