import HelixModel
import HelixSQLite

extension SQLiteGatewayStore {
    func audit(_ entry: AuditEntry, now: Instant) throws { try write { try note($0, entry, now: now) } }

    func lastAudit() throws -> Int64 {
        try read { try Int64.fetchOne($0, sql: "SELECT MAX(n) FROM audit") ?? 0 }
    }

    func sweepAudit(now: Instant) throws {
        try write { db in
            // Entries are sorted: the scan starts at the oldest and stops early.
            try db.execute(
                sql: "DELETE FROM audit WHERE n < (SELECT n FROM audit WHERE at >= ? ORDER BY n LIMIT 1)",
                arguments: [now.seconds - 366 * 86_400])
        }
    }

    /// Appends an entry in a transaction.
    func note(_ db: Database, _ entry: AuditEntry, now: Instant) throws {
        try db.execute(
            sql: "INSERT INTO audit (at, user, device, remote, action, detail) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [now.seconds, entry.user?.text, entry.device, entry.remote, entry.action, entry.detail])
    }
}
