import Foundation
import HelixGateway
import HelixModel
import HelixNetwork
import HelixStore
import HelixSync
import HelixTerminal

extension CommandContext {
    /// The folder with the key of this device, and with a gateway's own store.
    var gatewayFolder: String { (paths.store as NSString).deletingLastPathComponent + "/gateway" }

    /// The gateway account of that name; without one the only one there is.
    /// - Throws: ``HelixError``: `notFound`, `usage` where there are several.
    func gatewayAccount(_ name: String?) throws -> MailAccount {
        let all = try store().accounts().filter { $0.kind == .gateway }
        if let name {
            let account = try store().account(named: name)
            guard account.kind == .gateway else {
                throw HelixError(.usage, "'\(name)' is no gateway", hint: "'helix account list' lists the accounts.")
            }
            return account
        }
        guard let account = all.first else {
            throw HelixError(
                .notFound, "there is no account at a gateway",
                hint: "helix account add NAME gateway wss://gateway.example.org --user ana")
        }
        guard all.count == 1 else {
            throw HelixError(
                .usage, "there are several gateways: \(all.map(\.name).joined(separator: ", "))",
                hint: "Name one with --account.")
        }
        return account
    }

    /// Connects to a gateway.
    ///
    /// - Parameters:
    ///   - asksForPassword: whether a person may be asked, where there is no token yet.
    ///   - signsUp: whether one gives oneself a place there.
    /// - Throws: ``HelixError``.
    func gateway(
        _ account: MailAccount, asksForPassword: Bool = true, signsUp: Bool = false
    ) throws -> GatewayClient {
        let password: (() throws -> String)? =
            asksForPassword && Terminal.canAsk
            ? {
                Terminal.secret(
                    "Password of '\(account.settings.user ?? account.name)' at \(account.settings.url ?? "")")
            }
            : nil
        return try gatewayAccess(account).connect(password: password, signsUp: signsUp)
    }

    /// How this device signs in at a gateway.
    func gatewayAccess(_ account: MailAccount) -> GatewayAccess {
        GatewayAccess(account, folder: gatewayFolder, version: Helix.version, deviceName: GatewayAccess.hostName)
    }
}
