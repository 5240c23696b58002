import HelixGateway
import HelixModel
import HelixStore

extension GatewayMethod {
    /// Whether it reads mail of accounts that the gateway keeps.
    var readsMail: Bool { scope == .read && (name.hasPrefix("email.") || name.hasPrefix("mail.")) }
}

extension MethodCall {
    /// Checks that the mail of the user's accounts is at this gateway: another one may have it, and this one begins to fetch it
    /// with the first request. Mailboxes that are not known yet must not seem empty.
    /// - Throws: ``GatewayError`` of code `unavailable` until it is here, with the problem if the server does not give it.
    func checkMailIsHere(_ store: Store) throws {
        let accounts = try store.mailAccounts().filter(\.kind.hasMailServer)
        if accounts.isEmpty { return }
        let states = try store.syncStates()
        guard let missing = accounts.first(where: { states[$0.number]?.syncedAt == nil }) else { return }
        services.accounts.sync(session.user.id)
        let problem = states[missing.number]?.problem.map { ": \($0)" } ?? ""
        throw GatewayError(
            .unavailable, "the mail of the account '\(missing.name)' is being fetched\(problem)", isRetryable: true,
            retryAfter: 1_000)
    }
}
