import HelixGateway
import HelixModel

extension AccountPlan {
    /// Checks what is said of a gateway.
    /// - Throws: ``HelixError``.
    mutating func prepareGateway(_ name: String, _ context: CommandContext) throws {
        guard let given = path else {
            throw HelixError(
                .usage, "a gateway has an address",
                hint: "helix account add \(name) gateway wss://gateway.example.org --user ana")
        }
        let address = try GatewayAddress(given)
        guard servers.imapHost == nil, servers.smtpHost == nil, servers.sendmail == nil, servers.bodies == nil,
            servers.address == nil
        else { throw HelixError(.usage, "a gateway has no mail servers", hint: "Mail has accounts of its own.") }
        guard syncing.strategy == nil || servers.user != nil else {
            throw HelixError(
                .usage, "--strategy is for gateways of helix, which have users", hint: "Name yours: --user ana.")
        }
        try servers.apply(to: &settings, in: context)
        try syncing.apply(to: &settings, of: .gateway)
        if settings.fingerprint != nil, !address.isSecure {
            throw HelixError(.usage, "--fingerprint is for encrypted addresses", hint: "They begin with wss://.")
        }
        settings.url = address.text
        // One may have several places at one gateway.
        path = address.text + (settings.user.map { "#" + $0 } ?? "")
    }
}

extension AccountWizard {
    /// Asks where a gateway is, and who one is there. The password is asked for when this device signs in.
    mutating func askGateway() throws {
        if plan.path == nil {
            plan.path = try ask("Address of the gateway, like wss://gateway.example.org") { text in
                (try? GatewayAddress(text)) == nil ? "That is no address; it begins with wss://." : nil
            }
        }
        guard plan.servers.user == nil else { return }
        let name = try ask("Your name there; - for a gateway without users", usual: "-")
        plan.servers.user = name == "-" ? nil : name
    }
}
