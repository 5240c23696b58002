import Foundation

/// Several gateways with one PostgreSQL database, and homes of helix whose devices use them.
public final class GatewayCluster {
    /// The homes of those who run the gateways.
    public let hosts: [HelixHome]
    /// The gateways; each can be stopped and started again.
    public private(set) var servers: [TestServer]
    /// The address of the database.
    public let database: String
    private let options: [String]

    /// Starts gateways with users, whose passwords are `NAME's password`.
    /// - Parameters:
    ///   - pair: the servers of the database; nil for the one that all tests share.
    ///   - address: the address of an empty database; nil to make one.
    public init(
        _ count: Int, users: [String] = ["ana", "bob"], on pair: PostgresPair? = nil, at address: String? = nil,
        options: [String] = []
    ) throws {
        let name = PostgresSite.freshName()
        database = try address ?? pair?.uri(name) ?? PostgresSite.uri(name)
        self.options = options
        hosts = try (0..<count).map { _ in try HelixHome() }
        servers = []
        if address == nil { try pair?.sql("CREATE DATABASE \(name)") ?? PostgresSite.make(name) }
        try GatewayCluster.run(hosts[0], ["gateway", "database", "migrate", "--database", database])
        for host in hosts { try GatewayCluster.run(host, ["config", "set", "gateway.database", database]) }
        for user in users {
            try GatewayCluster.run(hosts[0], ["gateway", "user", "add", user], input: "\(user)'s password\n")
        }
        servers = try hosts.map { try start($0, port: nil) }
    }

    private static func run(_ home: HelixHome, _ words: [String], input: String? = nil) throws {
        let result = try home.run(words, input: input)
        if result.status != 0 { throw OracleFailure(message: "\(words): \(result.errors)") }
    }

    private func start(_ host: HelixHome, port: Int?) throws -> TestServer {
        let program = HelixHome.binary.deletingLastPathComponent().appendingPathComponent("helix-gateway").path
        return try TestServer(
            "gateway.sh", in: host.folder.appendingPathComponent("home"), ports: 1,
            [program, "--database", database] + options, keepsFolder: true, port: port)
    }

    /// Starts a gateway again after it was stopped, at the same place.
    public func restart(_ number: Int) throws {
        servers[number] = try start(hosts[number], port: servers[number].ports[0])
    }

    /// The address of a gateway.
    public func url(_ number: Int) -> String { "ws://127.0.0.1:\(servers[number].ports[0])" }

    /// A device of a user at a gateway.
    public func device(of user: String, at number: Int) throws -> HelixHome {
        let home = try HelixHome()
        try GatewayCluster.run(
            home,
            [
                "account", "add", "home", "gateway", url(number), "--user", user, "--password-command",
                "echo \"\(user)'s password\"",
            ])
        try GatewayCluster.run(home, ["gateway", "pair", "home"])
        return home
    }

    /// Runs a scenario of `Tests/Servers/cluster_client.py` with all gateways.
    public func run(_ scenario: String, _ arguments: [String] = []) throws -> HelixHome.Result {
        let path = Corpora.packageDirectory.appendingPathComponent("Tests/Servers/cluster_client.py").path
        return try hosts[0].run(
            program: "/usr/bin/python3", [path, scenario] + servers.indices.map(url) + arguments)
    }
}
