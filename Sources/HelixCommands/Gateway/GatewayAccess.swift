import FoundationEssentials
import HelixGateway
import HelixModel
import HelixNetwork
import HelixStore
import HelixSync
import HelixSystem
import HelixTerminal

extension CommandContext {
    /// The folder with this device's key, and with the store of a local gateway.
    var gatewayFolder: String { paths.store.deletingLastPathComponent + "/gateway" }

    /// The gateway account with a name; for nil the only one.
    /// - Throws: ``HelixError``: `notFound`, `usage` if there are several.
    func gatewayAccount(_ name: String?) throws -> Account {
        let all = try store().accounts().filter { $0.kind == .gateway }
        if let name {
            let account = try store().account(named: name)
            guard account.kind == .gateway else {
                throw HelixError(.usage, "'\(name)' is not a gateway", hint: "List all with 'helix account list'.")
            }
            return account
        }
        guard let account = all.first else {
            throw HelixError(
                .notFound, "no gateway account",
                hint: "Add one: helix account add NAME gateway wss://gateway.example.org --user ana")
        }
        guard all.count == 1 else {
            throw HelixError(
                .usage, "several gateways: \(all.map(\.name).joined(separator: ", "))",
                hint: "Choose one with --account.")
        }
        return account
    }

    /// Connects to a gateway.
    ///
    /// - Parameters:
    ///   - asksForPassword: whether to prompt for the password if there is no token yet.
    ///   - signsUp: whether to register as a new user.
    /// - Throws: ``HelixError``.
    func gateway(
        _ account: Account, asksForPassword: Bool = true, signsUp: Bool = false
    ) throws -> GatewayClient {
        let password = asksForPassword ? gatewayPassword(account) : nil
        return try gatewayAccess(account).connect(password: password, signsUp: signsUp)
    }

    /// Prompts for the password of a user; nil without a terminal.
    func gatewayPassword(_ account: Account) -> (() throws -> String)? {
        guard console.canAsk else { return nil }
        return { [console] in
            console.secret("Password of '\(account.settings.user ?? account.name)' at \(account.settings.url ?? "")")
        }
    }

    /// Returns the access to the gateway of an account, without the context.
    var gatewayMaker: GatewayAccess.Maker {
        let folder = gatewayFolder
        let chosen = configuration.text(.deviceName) ?? ""
        let name = chosen.isEmpty ? GatewayAccess.hostName : chosen
        return { GatewayAccess($0, folder: folder, version: Helix.version, deviceName: name) }
    }

    /// This device's credentials for a gateway.
    func gatewayAccess(_ account: Account) -> GatewayAccess {
        gatewayMaker(account)
    }
}
