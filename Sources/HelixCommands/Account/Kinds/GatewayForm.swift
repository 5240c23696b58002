import HelixGateway
import HelixModel
import HelixNetwork

/// A gateway.
struct GatewayForm: AccountForm {
    var choice: String? { "a gateway, for device sync and chat" }

    func prepare(_ plan: inout AccountPlan, _ name: String, _ context: CommandContext) throws {
        try plan.prepareGateway(name, context)
    }

    func ask(_ wizard: inout AccountWizard) throws { try wizard.askGateway() }
}

extension AccountPlan {
    /// Checks the options of a gateway account.
    /// - Throws: ``HelixError``.
    fileprivate mutating func prepareGateway(_ name: String, _ context: CommandContext) throws {
        guard let given = path else {
            throw HelixError(
                .usage, "no gateway address given",
                hint: "Add it: helix account add \(name) gateway wss://gateway.example.org --user ana")
        }
        let address = try GatewayAddress(given)
        guard servers.imapHost == nil, servers.smtpHost == nil, servers.sendmail == nil, servers.bodies == nil,
            servers.address == nil
        else { throw HelixError(.usage, "a gateway has no mail servers", hint: "Add an account of its own for mail.") }
        guard syncing.strategy == nil || servers.user != nil else {
            throw HelixError(
                .usage, "--strategy is for helix gateways, which have users", hint: "Set yours with --user ana.")
        }
        try servers.apply(to: &settings, in: context)
        try syncing.apply(to: &settings, of: .gateway)
        if !address.isSecure, !Endpoint.isLoopback(address.host), settings.allowsPlaintext != true {
            throw HelixError(
                .usage, "the connection to \(address.label) is not encrypted",
                hint: "Use wss://, or pass --plaintext on a trusted network.")
        }
        if settings.fingerprint != nil, !address.isSecure {
            throw HelixError(.usage, "--fingerprint is for encrypted addresses", hint: "Use a wss:// address.")
        }
        settings.url = address.text
        // The same gateway may have several of one person's users.
        path = address.text + (settings.user.map { "#" + $0 } ?? "")
    }
}

extension AccountWizard {
    /// Prompts for the gateway's address and the user name. The password is prompted for when this device signs in.
    fileprivate mutating func askGateway() throws {
        if plan.path == nil {
            plan.path = try ask("Address of the gateway, like wss://gateway.example.org") { text in
                (try? GatewayAddress(text)) == nil ? "Invalid address; it begins with wss://." : nil
            }
        }
        guard plan.servers.user == nil else { return }
        let name = try ask("User name; - for a gateway without users", usual: "-")
        plan.servers.user = name == "-" ? nil : name
    }
}
