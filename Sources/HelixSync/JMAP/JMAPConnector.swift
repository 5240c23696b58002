import HelixModel
import HelixNetwork
import HelixStore

/// Accounts with a JMAP server, and the mail accounts that a gateway keeps.
struct JMAPConnector: AccountConnector {
    func mailRemote(
        _ account: Account, _ store: Store, isFull: Bool, gateway: GatewayAccess.Maker?
    ) throws -> (any MailRemote)? { try JMAPRemote(store, account, isFull: isFull, gateway: gateway) }

    func check(_ steps: inout AccountSteps) { steps.checkJMAP() }

    func wait(_ watch: AccountWatch) -> Bool {
        if let owner = watch.account.settings.servedMail?.gateway {
            guard let gateway = try? watch.store().accounts().first(where: { $0.id.text == owner }) else {
                return false
            }
            return GatewayConnector().wait(watch, at: gateway)
        }
        guard let client = try? JMAPRemote.client(of: watch.account) else { return false }
        let known = (try? watch.store().remoteMailState(watch.account))??.state
        var (isCompared, isAhead) = (false, false)
        // It ends with the first change of either side. The server is asked once for changes from before it was listened to.
        let told = try? client.waitForChange(seconds: watch.secondsLeft) {
            if !isCompared, let known {
                isCompared = true
                if let state = try? client.stateBesides(), state != known {
                    isAhead = true
                    return false
                }
            }
            return !watch.local.isNews()
        }
        // A server whose state never equals the known one would be asked without a pause.
        if isAhead { watch.local.wait(seconds: 2) }
        return told ?? nil != nil
    }
}
