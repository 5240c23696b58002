import HelixModel
import HelixSQLite

/// The sync state of an account.
public struct SyncState: Hashable, Sendable {
    /// The time of the last successful sync.
    public var syncedAt: Instant?
    /// The time of the last attempt.
    public var triedAt: Instant
    /// The reason why the last attempt failed.
    public var problem: String?
}

extension Store {
    /// The sync states of the accounts by row number; accounts that were never synced are omitted.
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

    /// Records an attempt to sync and its result.
    /// - Throws: ``HelixError``.
    public func noteSync(_ account: Account, isDone: Bool, problem: String?) throws {
        try writeDerived { db in
            try db.execute(
                sql: """
                    INSERT INTO sync_state (account, synced_at, tried_at, problem) VALUES (?1, ?2, ?3, ?4)
                    ON CONFLICT (account) DO UPDATE SET synced_at = ifnull(excluded.synced_at, synced_at),
                        tried_at = excluded.tried_at, problem = excluded.problem
                    """, arguments: [account.number, isDone ? now.seconds : nil, now.seconds, problem])
            if isDone {
                try db.execute(sql: "DELETE FROM sync_failure WHERE account = ?", arguments: [account.number])
            } else {
                try db.execute(
                    sql: "INSERT INTO sync_failure (account, at) VALUES (?, ?)",
                    arguments: [account.number, now.seconds])
                // Months without a network need no list of every attempt.
                try db.execute(
                    sql: """
                        DELETE FROM sync_failure WHERE account = ?1 AND n <= (SELECT n FROM sync_failure
                            WHERE account = ?1 ORDER BY n DESC LIMIT 1 OFFSET 1000)
                        """, arguments: [account.number])
            }
        }
    }

    /// The number of the last change set that was not made by a sync, including those of the outbox.
    /// - Throws: ``HelixError``.
    public func newestChange() throws -> Int64 { try read { try newestChange($0) } }

    func newestChange(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT n FROM change_set WHERE origin <> 'sync' ORDER BY n DESC LIMIT 1") ?? 0
    }
}
