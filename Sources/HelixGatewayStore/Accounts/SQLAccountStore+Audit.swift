import HelixModel
import HelixSQLite

extension SQLAccountStore {
    func audit(_ entry: AuditEntry, now: Instant) throws { try writing { try note($0, entry, now: now) } }

    /// Appends an entry in a transaction.
    func note(_ db: any GatewayDatabase, _ entry: AuditEntry, now: Instant) throws {
        try db.execute(
            sql: "INSERT INTO audit (at, \"user\", device, remote, action, detail) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [now.seconds, entry.user?.text, entry.device, entry.remote, entry.action, entry.detail])
    }
}
