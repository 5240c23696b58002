import HelixGateway
import HelixModel
import HelixStore

/// The local accounts for the mail that a gateway keeps: each is added by the first sync, and syncs with the gateway.
struct ServedAccounts {
    private let store: Store
    private let gateway: Account
    private let client: GatewayClient

    init(_ store: Store, _ gateway: Account, _ client: GatewayClient) {
        (self.store, self.gateway, self.client) = (store, gateway, client)
    }

    /// Matches the gateway's mail accounts with the local ones, which are added if they are missing.
    /// - Parameter isDryRun: whether to add none.
    /// - Returns: the accounts, and notes for the user.
    /// - Throws: ``HelixError``.
    func match(isDryRun: Bool) throws -> (accounts: [(Account, GatewayMail.Served)], notes: [String]) {
        guard client.hello.methods.contains("mail.accounts"), gateway.settings.mailAccounts != "none" else {
            return ([], [])
        }
        let served = try GatewayMail.accounts(at: client)
        let all = try store.accounts()
        let known = all.filter { $0.settings.servedMail?.gateway == gateway.id.text }
        var found: [(Account, GatewayMail.Served)] = []
        var notes: [String] = []
        for one in served where gateway.settings.includesMailAccount(one.name) {
            let place = AccountSettings.ServedMail(gateway: gateway.id.text, account: one.id)
            if let own = known.first(where: { $0.settings.servedMail == place }) {
                found.append((try updated(own, one, isDryRun), one))
            } else if directly(one, all) == nil {
                if isDryRun {
                    notes.append("adds the mail account '\(one.name)', which \(client.label) keeps")
                    continue
                }
                var settings = AccountSettings()
                settings.url = place.url
                apply(one, to: &settings)
                let made = try store.addServedAccount(one.name, settings)
                notes.append("the mail account '\(made.name)' was added: \(client.label) keeps its mail")
                found.append((made, one))
            }
        }
        for own in known where !served.contains(where: { $0.id == own.settings.servedMail?.account }) {
            notes.append(
                "\(client.label) no longer keeps the mail of '\(own.name)'; its messages stay here;"
                    + " to remove the account: helix account remove \(own.name)")
        }
        return (found, notes)
    }

    /// The account that syncs the same address with its own server; the gateway's copy would show each message twice.
    private func directly(_ served: GatewayMail.Served, _ accounts: [Account]) -> Account? {
        guard let address = served.address?.lowercased() else { return nil }
        return accounts.first {
            $0.kind.hasMailServer && $0.settings.servedMail == nil && $0.settings.address?.lowercased() == address
        }
    }

    private func apply(_ served: GatewayMail.Served, to settings: inout AccountSettings) {
        (settings.user, settings.address) = (served.name, served.address)
        let canSend = served.canSend && gateway.settings.isReadOnly != true
        // The gateway files the copies of sent mail.
        (settings.submits, settings.sentCopy) = (canSend ? true : nil, .no)
        settings.isReadOnly = gateway.settings.isReadOnly == true ? true : nil
    }

    /// The local account, with the gateway's present address and permissions.
    private func updated(_ own: Account, _ served: GatewayMail.Served, _ isDryRun: Bool) throws -> Account {
        var account = own
        apply(served, to: &account.settings)
        if account.settings != own.settings, !isDryRun {
            try store.setServedSettings(account.settings, of: account)
        }
        return account
    }
}
