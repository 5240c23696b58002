import FoundationEssentials
import HelixModel

/// Mail folders: they have no server for reading, but may send.
struct MaildirConnector: AccountConnector {
    /// Sends what waits. A folder that is gone is told: nothing can be new in it, and nothing of it can be read.
    func sync(_ sync: AccountSync, _ outcome: inout SyncOutcome, _ progress: @escaping (String) -> Void) throws {
        try sync.mail(&outcome, progress)
        let path = sync.account.path
        guard sync.account.kind == .maildir, !FileManager.default.isReadableFile(atPath: path) else { return }
        throw HelixError(
            .notFound, "the folder \(path) does not exist, or cannot be read",
            hint: "Is its disk connected? If it was moved: helix account edit, or remove and add the account.")
    }

    func check(_ steps: inout AccountSteps) {
        _ = steps.checkFolder()
        if steps.account.settings.canSend { steps.checkMail() }
    }
}
