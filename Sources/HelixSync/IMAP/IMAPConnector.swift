import FoundationEssentials
import HelixModel
import HelixNetwork
import HelixStore

/// Accounts with an IMAP server.
struct IMAPConnector: AccountConnector {
    func mailRemote(
        _ account: Account, _ store: Store, isFull: Bool, gateway: GatewayAccess.Maker?
    ) throws -> (any MailRemote)? {
        try account.openingIMAP { try IMAPRemote($0).specific(store, account, isFull: isFull) }
    }

    func check(_ steps: inout AccountSteps) { steps.checkMail() }

    func wait(_ watch: AccountWatch) -> Bool {
        guard let session = idling(watch.account) else { return false }
        defer { session.end() }
        while Date() < watch.end {
            guard let event = try? session.idle(seconds: watch.secondsLeft, wake: watch.local.descriptor) else {
                return true
            }
            if event != .woken || watch.local.isNews() { return true }
        }
        return true
    }

    /// An IDLE session in the inbox, or in all mail at Gmail; nil if the server cannot push.
    private func idling(_ account: Account) -> IMAPSession? {
        guard let session = try? account.openingIMAP({ try IMAPSession($0, patience: 120) }), session.can("IDLE"),
            (try? session.run(IMAPCommand("EXAMINE").string(GmailRemote.heap(in: session) ?? "INBOX"))) != nil
        else { return nil }
        _ = try? session.notifyOfAll()
        return session
    }
}
