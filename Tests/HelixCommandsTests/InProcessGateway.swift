import Foundation
import HelixGatewayServer
import HelixGatewayStore
import HelixModel
import Logging
import TestSupport

@testable import HelixCommands

/// A gateway in this process, with a user.
final class InProcessGateway {
    let home: HelixHome
    let url: String
    private let server: GatewayServer

    init() throws {
        home = try HelixHome()
        let folder = home.folder.path + "/gateway"
        try GatewayFolder(folder).open().addUser(
            "ana", hash: try GatewayPassword.hash("ana's password"), isAdmin: true, now: Instant(1_795_000_000))
        var configuration = GatewayConfiguration(folder: folder, version: "test")
        configuration.port = 0
        server = try GatewayServer(configuration, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        url = "ws://127.0.0.1:\(try server.start())"
    }

    deinit { server.stop() }

    /// Adds the gateway's account to a home, which becomes a device of the user.
    func add(to home: HelixHome) throws {
        let added = try home.perform(
            "account", "add", "hub", "gateway", url, "--user", "ana", "--password-command", "echo \"ana's password\"")
        guard added.status == 0 else { throw OracleFailure(message: "no account: \(added.errors)") }
    }

    /// A new device of the user.
    func device() throws -> HelixHome {
        let home = try HelixHome(zone: "UTC")
        try add(to: home)
        return home
    }
}
