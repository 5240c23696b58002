import HelixModel
import HelixSQLite

/// How an account stands with its server.
public struct SyncState: Hashable, Sendable {
    /// When both sides last agreed.
    public var syncedAt: Instant?
    /// When that was last tried.
    public var triedAt: Instant
    /// Why the last try failed.
    public var problem: String?
}

extension Store {
    /// How the accounts stand with their servers, by their rows' numbers; those that were never synced are left out.
    /// - Throws: ``HelixError``.
    public func syncStates() throws -> [Int64: SyncState] {
        try read { db in
            var states: [Int64: SyncState] = [:]
            let row = try Statement(db, "SELECT account, synced_at, tried_at, problem FROM sync_state")
            while try row.step() {
                states[row.integer(0)] = SyncState(
                    syncedAt: row.isNull(1) ? nil : Instant(row.integer(1)), triedAt: Instant(row.integer(2)),
                    problem: row.text(3))
            }
            return states
        }
    }

    /// Notes that a sync was tried, and what came of it.
    /// - Throws: ``HelixError``.
    public func noteSync(_ account: MailAccount, isDone: Bool, problem: String?) throws {
        try writeDerived { db in
            try db.execute(
                sql: """
                    INSERT INTO sync_state (account, synced_at, tried_at, problem) VALUES (?1, ?2, ?3, ?4)
                    ON CONFLICT (account) DO UPDATE SET synced_at = ifnull(excluded.synced_at, synced_at),
                        tried_at = excluded.tried_at, problem = excluded.problem
                    """, arguments: [account.number, isDone ? now.seconds : nil, now.seconds, problem])
        }
    }

    /// The number of the last change that somebody made, other than a sync; and of what waits to leave.
    /// - Throws: ``HelixError``.
    public func newestChange() throws -> Int64 { try read { try newestChange($0) } }

    func newestChange(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT n FROM change_set WHERE command <> 'sync' ORDER BY n DESC LIMIT 1") ?? 0
    }
}
