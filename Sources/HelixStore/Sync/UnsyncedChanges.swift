import HelixModel
import HelixSQLite

/// Local changes of one kind that an account's server does not have yet.
public struct UnsyncedChanges: Hashable, Sendable {
    /// The name of the account.
    public var account: String
    /// The kind of what was changed: `task`, `event`, `message`.
    public var kind: EntityKind
    /// The number of changed, new and deleted items.
    public var count: Int
}

extension Store {
    /// The local changes since the last sync of each account, without asking a server. Queued messages are not among them.
    ///
    /// - Parameter zone: the zone of tasks' floating times.
    /// - Throws: ``HelixError``.
    public func unsyncedChanges(zone: Zone) throws -> [UnsyncedChanges] {
        var found: [UnsyncedChanges] = []
        let newest = try newestChange()
        for account in try accounts() where account.settings.isReadOnly != true {
            var counts: [EntityKind: Int] = [:]
            if account.kind == .gateway {
                counts = try unsyncedEntities(account)
            } else {
                for calendar in try remoteCalendars(account) where !calendar.isReadOnly {
                    // Nothing was changed since the last sync.
                    if calendar.seen == newest { continue }
                    let changes = try localChanges(calendar, zone: zone)
                    let items =
                        changes.new.map(\.item) + changes.changed.map(\.object.item)
                        + changes.gone.compactMap(\.item)
                    for item in items { counts[item.kind, default: 0] += 1 }
                }
                for mailbox in try remoteMailboxes(account) {
                    let changes = try localMailChanges(mailbox, in: account)
                    let count = changes.new.count + changes.changed.count + changes.gone.count
                    counts[.message, default: 0] += count + (mailbox.pending == nil ? 0 : 1)
                }
            }
            for (kind, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where count > 0 {
                found.append(UnsyncedChanges(account: account.name, kind: kind, count: count))
            }
        }
        return found
    }

    /// The entities that differ from the last sync with a gateway.
    private func unsyncedEntities(_ account: Account) throws -> [EntityKind: Int] {
        try replicas(of: account) { book in
            var counts: [EntityKind: Int] = [:]
            for (kind, id) in try book.candidates(since: book.cursors().ours) {
                if try replica(kind, id) != book.base(of: id) { counts[kind, default: 0] += 1 }
            }
            return counts
        }
    }
}
