import HelixModel

/// Mail folders: they have no server for reading, but may send.
struct MaildirConnector: AccountConnector {
    func check(_ steps: inout AccountSteps) {
        _ = steps.checkFolder()
        if steps.account.settings.canSend { steps.checkMail() }
    }
}
