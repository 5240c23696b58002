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

/// A local change that waits for the next sync of an account.
public struct WaitingChange: Hashable, Sendable {
    /// The operation at the server.
    public enum Operation: String, Sendable, CaseIterable {
        case create, update, delete
    }

    /// The name of the account.
    public var account: String
    /// The kind of what was changed.
    public var kind: EntityKind
    /// The changed entity; nil for several messages of a mailbox.
    public var id: EntityID?
    /// The title, or the name of the mailbox; empty for something deleted.
    public var title: String
    /// The operation.
    public var operation: Operation
    /// The number of items: 1, but for messages of a mailbox.
    public var count: Int
    /// The time of the last change; nil if unknown.
    public var changedAt: Instant?
    /// The number of failed attempts to sync the account since that change.
    public var tries: Int
    /// The reason why the last attempt failed.
    public var problem: String?
}

extension Store {
    /// The local changes since the last sync of each account, by kind, without asking a server. Queued messages are not among
    /// them.
    ///
    /// - Parameter zone: the zone of tasks' floating times.
    /// - Throws: ``HelixError``.
    public func unsyncedChanges(zone: Zone) throws -> [UnsyncedChanges] {
        var found: [UnsyncedChanges] = []
        for (account, edits) in try unsyncedEdits(zone: zone) {
            var counts: [EntityKind: Int] = [:]
            for edit in edits { counts[edit.kind, default: 0] += edit.count }
            for (kind, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where count > 0 {
                found.append(UnsyncedChanges(account: account.name, kind: kind, count: count))
            }
        }
        return found
    }

    /// The local changes since the last sync of each account, one by one, in the order in which they were made.
    /// - Parameter zone: the zone of tasks' floating times.
    /// - Throws: ``HelixError``.
    public func waitingChanges(zone: Zone) throws -> [WaitingChange] {
        let found = try unsyncedEdits(zone: zone)
        let states = try syncStates()
        return try read { db in
            let times = try Statement(
                db,
                """
                SELECT MAX(s.made_at) FROM change c JOIN change_set s ON s.n = c.change_set
                WHERE c.entity = ?1 AND s.origin <> 'sync'
                """)
            let failures = try Statement(db, "SELECT COUNT(*) FROM sync_failure WHERE account = ?1 AND at >= ?2")
            func number(_ statement: Statement) throws -> Int64? {
                defer { statement.reset() }
                return try statement.step() && !statement.isNull(0) ? statement.integer(0) : nil
            }
            return try found.flatMap { account, edits in
                try edits.map { edit in
                    var changedAt: Int64?
                    if let id = edit.id {
                        times.bind(1, id.text)
                        changedAt = try number(times)
                    }
                    failures.bind(1, account.number)
                    failures.bind(2, changedAt ?? 0)
                    let tries = Int(try number(failures) ?? 0)
                    let title = try edit.title ?? edit.id.map { try Store.title(db, edit.kind, $0) } ?? ""
                    return WaitingChange(
                        account: account.name, kind: edit.kind, id: edit.id, title: title,
                        operation: edit.operation, count: edit.count, changedAt: changedAt.map { Instant($0) },
                        tries: tries, problem: tries > 0 ? states[account.number]?.problem : nil)
                }
            }
            .sorted { ($0.changedAt ?? now) < ($1.changedAt ?? now) }
        }
    }

    /// A local change of one account.
    private struct Edit {
        var kind: EntityKind
        var operation: WaitingChange.Operation
        var id: EntityID?
        var title: String?
        var count = 1
    }

    private func unsyncedEdits(zone: Zone) throws -> [(account: Account, edits: [Edit])] {
        let newest = try newestChange()
        return try accounts().filter { $0.settings.isReadOnly != true }.map { account in
            if account.kind == .gateway {
                return (account, try unsyncedEntities(account) + chatErrands(of: account.id).compactMap(Store.edit))
            }
            var edits: [Edit] = []
            for calendar in try remoteCalendars(account) where !calendar.isReadOnly {
                // Nothing was changed since the last sync.
                if calendar.seen == newest { continue }
                let changes = try localChanges(calendar, zone: zone)
                edits += changes.new.map { Edit(kind: $0.item.kind, operation: .create, id: $0.item.id) }
                edits += changes.changed.map {
                    Edit(kind: $0.object.item.kind, operation: .update, id: $0.object.item.id)
                }
                edits += changes.gone.compactMap(\.item).map { Edit(kind: $0.kind, operation: .delete, id: $0.id) }
            }
            for mailbox in try remoteMailboxes(account) {
                let changes = try localMailChanges(mailbox, in: account)
                func add(_ count: Int, _ operation: WaitingChange.Operation) {
                    guard count > 0 else { return }
                    edits.append(Edit(kind: .message, operation: operation, title: mailbox.name, count: count))
                }
                add(changes.new.count, .create)
                add(changes.changed.count + (mailbox.pending == nil ? 0 : 1), .update)
                add(changes.gone.count, .delete)
            }
            return (account, edits)
        }
    }

    /// The change of a conversation or message that a gateway is still to receive; nil for a message to be sent, which is in the
    /// outbox.
    private static func edit(_ operation: OutboundOperation) -> Edit? {
        switch operation {
        case .begin(let conversation, _): Edit(kind: .conversation, operation: .create, id: conversation.id)
        case .change(let conversation, let edit):
            // A read mark is no change that a user made.
            edit.isReadMarkOnly ? nil : Edit(kind: .conversation, operation: .update, id: conversation.id)
        case .member(let conversation, let member):
            Edit(
                kind: .conversation, operation: .update, id: conversation.id,
                title: "\(conversation.name): \(member.name)")
        case .send: nil
        case .edit(_, let message, let content):
            Edit(kind: .chatMessage, operation: content == nil ? .delete : .update, id: message.id)
        case .withdraw(let id): Edit(kind: .chatMessage, operation: .delete, id: id)
        case .forget(let id, _): Edit(kind: .conversation, operation: .delete, id: id)
        }
    }

    /// The entities that differ from the last sync with a gateway.
    private func unsyncedEntities(_ account: Account) throws -> [Edit] {
        try replicas(of: account) { book in
            try book.candidates(since: book.cursors().ours).compactMap { kind, id in
                let (now, base) = (try replica(kind, id), try book.base(of: id))
                if now == base { return nil }
                return Edit(kind: kind, operation: now == nil ? .delete : base == nil ? .create : .update, id: id)
            }
        }
    }
}
