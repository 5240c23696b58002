import HelixModel
import HelixStore

/// An open store that a program lends to a command that it runs, one after the other in its own thread.
final class LentStore: @unchecked Sendable {
    private var store: Store?

    init(_ store: Store) { self.store = store }

    /// The store, prepared for the command; nil if the command needs one of its own. It is given once: another context within
    /// the command would forget its warnings.
    func take(path: String, addresses: Set<String>, now: Instant, actor: ChangeActor) -> Store? {
        defer { store = nil }
        guard let store, store.path == path, store.addresses == addresses, store.profile == nil,
            store.beginCommand(now: now, actor: actor)
        else { return nil }
        return store
    }
}
