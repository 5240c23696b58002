import HelixModel
import HelixStore
import HelixSync

extension CommandContext {
    /// Undoes or redoes a change set; one of a mailbox must not meet a sync of its account.
    /// - Throws: ``HelixError``.
    func reversing<Value>(_ id: EntityID, _ body: () throws -> Value) throws -> Value {
        let store = try store()
        guard let change = try store.mailboxChange(id),
            let account = try store.accounts().first(where: { $0.id == change.account })
        else { return try body() }
        return try AccountSync.alone(store, account, body)
    }

    /// The change set whose id begins with `text`.
    /// - Throws: ``HelixError``.
    func changeSet(_ text: String) throws -> EntityID {
        let prefix = EntityPrefix(text).text
        // `undo 3` may be meant as three steps, and would undo any change whose id begins with 3.
        guard prefix.count >= 4 else {
            throw HelixError(
                .usage, "'\(text)' is too short for the id of a change, which needs at least 4 characters",
                hint: "'helix history' lists them. 'helix undo' undoes the last one; run it again for the one before.")
        }
        let found = try store().history(limit: 10_000).filter { $0.id.text.hasPrefix(prefix) }
        if found.count == 1 { return found[0].id }
        throw HelixError(
            found.isEmpty ? .notFound : .ambiguous,
            found.isEmpty ? "no change '\(text)'" : "'\(text)' begins more than one change",
            hint: "'helix history' lists them.")
    }

    /// The entity whose id begins with `text`, also a deleted one that only the history has.
    /// - Throws: ``HelixError``.
    func anyEntity(_ text: String) throws -> EntityID {
        do {
            return try store().entity(EntityPrefix(text), kinds: EntityKind.allCases).id
        } catch let error as HelixError where error.code == .notFound {
            if let gone = try store().formerEntity(EntityPrefix(text)) { return gone }
            throw error
        }
    }
}
