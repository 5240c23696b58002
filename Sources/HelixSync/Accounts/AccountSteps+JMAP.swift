import FoundationEssentials
import HelixModel
import HelixNetwork
import HelixStore

/// Checks a JMAP account.
extension AccountSteps {
    mutating func checkJMAP() {
        let (account, store, gateway) = (account, store, gateway)
        let isServed = account.settings.servedMail != nil
        if !isServed { guard checkPassword(), reachAddress("JMAP", account.settings.url) else { return } }
        var found: (any JMAPConnection)?
        defer { found?.end() }
        let isIn = attempt(isServed ? "gateway sign-in" : "JMAP sign-in") {
            let client =
                try isServed
                ? store.map { try JMAPRemote.connection(of: account, $0, gateway: gateway) }
                : JMAPRemote.client(of: account)
            guard let client else { throw HelixError(.configuration, "the account is not added yet") }
            found = client
            return "as \(client.session.user.isEmpty ? account.settings.login : client.session.user)"
        }
        guard isIn, let client = found else { return }
        var boxes: [ServerMailbox] = []
        let isListed = attempt("JMAP mailboxes") {
            let selection = account.settings.mailboxSelection
            let names = Set(try store?.remoteMailboxes(account).map(\.name) ?? [])
            let found = try JMAPMailbox.list(client.call([("Mailbox/get", ["ids": .null])]).of(0)).map(\.mailbox)
            boxes = found.filter { $0.isSelected(by: selection, isKnown: names.contains($0.name)) }
            let left = found.count - boxes.count
            return "\(found.count)" + (left == 0 ? "" : ", \(left) of them left out")
        }
        if isListed, let store {
            let remote = JMAPRemote(store, account, client)
            if attempt(
                "JMAP changes",
                { try remote.mailboxes(asksSubscriptions: false).isEmpty ? "" : "supported" })
            {
                countMessages(remote, boxes)
            }
        }
        if account.settings.submits == true {
            _ = attempt("JMAP sending") {
                guard client.session.capabilities.contains(JMAPClient.submission) else {
                    return "the server cannot send mail for this user; to set one that can:"
                        + " helix account edit \(account.name) --smtp-host HOST"
                }
                let addresses = try JMAPSubmission(client: client).identities().map(\.address)
                guard !addresses.isEmpty else {
                    throw HelixError(.notAllowed, "the server allows this user no sender address")
                }
                return "from \(addresses.joined(separator: ", "))"
            }
        }
        checkSending()
    }
}
