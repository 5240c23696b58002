import FoundationEssentials
import HelixModel
import HelixStore

/// A wait for the next change of an account, on either side.
struct AccountWatch {
    /// The path of the store, which is not kept open meanwhile.
    let path: String
    let account: Account
    let options: SyncOptions
    /// The end of the wait.
    let end: Date
    /// The changes of the store.
    let local: LocalChanges

    /// The store.
    /// - Throws: ``HelixError``.
    func store() throws -> Store { try Store(path: path, now: Instant(0)) }

    /// The seconds until the end; at least one.
    var secondsLeft: Int { Int(max(1, end.timeIntervalSinceNow)) }
}
